"""Pages as people and tools leave them: each is read, and what was put right is said."""

import numpy as np
import pytest

import dmlviz
from dmlviz.verify import read_document, verify
from tests.verify.pages import TILE


def found(page):
    return [(finding.line, finding.message) for finding in read_document(page).all_findings]


def statuses(page):
    document = read_document(page)
    assert document.problem == ""
    return [verdict.status for verdict in verify(document)]


def test_a_page_that_is_right():
    document = read_document(TILE, "tile.md")
    assert document.name == "tile.md"
    assert document.structure == "DML_TILE_OPERATOR_DESC"
    assert document.operator_type == "DML_OPERATOR_TILE"
    assert document.all_findings == ()
    (example,) = document.examples
    assert (example.title, example.line) == ("Example 1", 2)
    assert example.operator == dmlviz.Tile((1, 2))
    np.testing.assert_array_equal(example.x, np.float32([[1, 2, 3], [4, 5, 6]]), strict=True)
    assert example.lines == {"OutputTensor": (7,) * 6 + (8,) * 6}
    assert statuses(TILE) == ["match"]


PROSE = {
    "French": (
        "# Structure DML_TILE_OPERATOR_DESC\nRépète : le tenseur d’entrée. OutputTensor : le "
        "résultat.\n## Exemple 1 : deux copies\nRepeats\u00a0: {2}\nInputTensor\u202f: "
        "(Sizes\u00a0:{2}, DataType\u00a0:INT8)\n[1, 2]\nOutputTensor : (Sizes:{4}, "
        "DataType:INT8)\n[1, 2, 1, 2]\n",
        "Exemple 1 : deux copies",
    ),
    "Korean": (
        "DML_TILE_OPERATOR_DESC 구조체(directml.h)\n입력 텐서: 읽을 텐서입니다. InputTensor: 읽을 "
        "텐서입니다.\n## 예제 1\nRepeats: {2}\nInputTensor: (Sizes:{2}, DataType:INT8)\n[1, 2]\n"
        "OutputTensor: (Sizes:{4}, DataType:INT8)\n[1, 2, 1, 2]\n",
        "예제 1",
    ),
    "Japanese, fullwidth signs": (
        "DML_TILE_OPERATOR_DESC 構造体\n配列のサイズ：次のとおりです。\n\n例 1\nRepeats：｛2｝\n"
        "InputTensor：（Sizes：｛2｝，DataType：INT8）\n［1、2］\nOutputTensor：（Sizes：｛4｝、"
        "DataType：INT8）\n［1，2，1，2］\n",
        "例 1",
    ),
    "emphasis": (
        "DML_TILE_OPERATOR_DESC\n**Repeats:** `{2}`\n*InputTensor*: `(Sizes:{2}, "
        "DataType:INT8)`\n`[1, 2]`\n__OutputTensor__: (Sizes:{4}, DataType:INT8)\n[1, 2, 1, 2]\n",
        "Example 1",
    ),
    "blanks": (
        "DML_TILE_OPERATOR_DESC\nRepeats : { 2 }\nInputTensor : ( Sizes : { 2 } , DataType : INT8 "
        ")\n[ 1 ,2 ]\nOutputTensor:(Sizes:{4},DataType:INT8)\n[\n 1,\n 2,\n 1,\n 2\n]\n",
        "Example 1",
    ),
    "braces": (
        "DML_TILE_OPERATOR_DESC\nRepeats: [2]\nInputTensor: (Sizes:[2], DataType:INT8)\n{1, 2}\n"
        "OutputTensor: (Sizes:{4}, DataType:INT8)\n{1, 2, 1, 2};\n",
        "Example 1",
    ),
}


@pytest.mark.parametrize("name", PROSE)
def test_in_any_language_and_spelling(name):
    page, title = PROSE[name]
    assert found(page) == []
    assert statuses(page) == ["match"]
    (example,) = read_document(page).examples
    assert example.title == title
    assert example.operator == dmlviz.Tile((2,))


HTML = """<!DOCTYPE html>
<html><head><title>DML_TILE_OPERATOR_DESC structure</title>
<script>
var page = "Repeats: {9}\\nInputTensor: (Sizes:{1}, DataType:INT8) [1]";
</script>
<style>pre { Repeats: {8} }</style></head>
<body><!-- Repeats: {7}
--><h2 id="examples">Examples</h2>
<pre><code class="lang-x">Repeats: {1, 2}
InputTensor: (Sizes:{2, 3}, DataType:FLOAT32)
[[<span>1</span>,&nbsp;2, 3]
 [4, 5, 6]]
OutputTensor: (Sizes:&#123;2, 6&#125;, DataType:FLOAT32)
&#91;&#91;1, 2, 3,&#32;1, 2, 3&#93;,
 [4, 5, 6, 4, 5, 7]]
</code></pre></body></html>
"""


def test_html():
    assert found(HTML) == [(11, "InputTensor: a comma is missing after a row.")]
    (verdict,) = verify(read_document(HTML))
    assert (verdict.first_difference.index, verdict.first_difference.line) == ((1, 5), 15)
    assert read_document(HTML).examples[0].line == 9


def test_an_entity_for_a_new_line_is_no_line():
    page = TILE.replace(" [4, 5, 6, 4, 5, 6]", " [4,&#10;5, 6,&NewLine;4, 5, 0]")
    (verdict,) = verify(read_document(page))
    assert verdict.first_difference.line == 8


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_endings(ending):
    page = TILE.replace("1, 2, 3],", "1, 2, 0],").replace("\n", ending)
    for saved in (page, page.encode(), page.encode("utf-16")):
        (verdict,) = verify(read_document(saved))
        assert verdict.first_difference.line == 7


def test_lines_run_together():
    page = " ".join((TILE + TILE.replace("{1, 2}", "{1, 2}")).split("\n"))
    document = read_document(page)
    assert statuses(page) == ["match", "match"]
    assert [example.line for example in document.examples] == [1, 1]
    assert document.all_findings == ()


def test_an_output_labelled_as_an_input():
    page = TILE.replace("OutputTensor", "InputTensor")
    assert found(page) == [(6, "the second InputTensor is the output.")]
    assert statuses(page) == ["match"]


def test_two_of_them():
    page = TILE.replace("OutputTensor", "InputTensor") * 2
    assert found(page) == [
        (6, "the second InputTensor is the output."),
        (14, "the second InputTensor is the output."),
    ]
    assert statuses(page) == ["match", "match"]


def test_rows_and_numbers_without_commas():
    page = TILE.replace("],\n", "]\n").replace("1, 2, 3, 1", "1, 2 3, 1").replace("{1, 2}", "{1 2}")
    assert found(page) == [
        (2, 'Repeats: commas are missing in "{1 2}".'),
        (4, "InputTensor: a comma is missing after a row."),
        (7, "OutputTensor: a comma is missing after a number."),
        (7, "OutputTensor: a comma is missing after a row."),
    ]
    assert statuses(page) == ["match"]


def test_sizes_that_agree_with_fewer_brackets():
    page = TILE.replace("{1, 2}", "{1, 1, 1, 2}")
    page = page.replace("{2, 3}", "{1, 1, 2, 3}").replace("{2, 6}", "{1, 1, 2, 6}")
    assert found(page) == [
        (3, "InputTensor: Sizes say {1, 1, 2, 3}, the values are 2 × 3: they agree."),
        (6, "OutputTensor: Sizes say {1, 1, 2, 6}, the values are 2 × 6: they agree."),
    ]
    assert statuses(page) == ["match"]


def test_sizes_that_do_not_agree():
    page = TILE.replace("{2, 6}", "{3, 4}")
    assert found(page) == [(6, "OutputTensor: Sizes say {3, 4}, but the values are 2 × 6.")]
    assert statuses(page) == ["mismatch"]


def test_bare_nested_lists():
    page = "DML_TILE_OPERATOR_DESC\nRepeats: {2}\nInputTensor: [1, 2]\nOutputTensor: [1, 2, 1, 2]\n"
    assert found(page) == [
        (3, "InputTensor has no DataType; it was read as FLOAT32."),
        (3, "InputTensor has no Sizes; its values have {2}."),
        (4, "OutputTensor has no DataType; it was read as FLOAT32."),
        (4, "OutputTensor has no Sizes; its values have {4}."),
    ]
    assert statuses(page) == ["match"]


def test_a_type_that_one_tensor_names_counts_for_both():
    page = TILE.replace(", DataType:FLOAT32)\n[[1, 2, 3],\n", ")\n[[1, 2, 3],\n")
    page = page.replace("FLOAT32", "INT64")
    assert found(page) == [(3, "InputTensor has no DataType; it was read as INT64.")]
    (example,) = read_document(page).examples
    assert example.x.dtype == example.expected.dtype == np.int64


def test_two_types():
    page = TILE.replace("FLOAT32", "INT8", 1)
    message = (
        "the DataType of OutputTensor is FLOAT32; it must be INT8, because that of "
        "InputTensor is INT8."
    )
    assert found(page) == [(6, message)]
    (verdict,) = verify(read_document(page))
    assert (verdict.status, verdict.message) == ("mismatch", f"line 6: {message}")


def test_a_bracket_too_many():
    page = TILE.replace("6]]\n", "6]]]\n", 1)
    assert found(page) == [(5, "InputTensor: there is one closing bracket too many.")]
    assert statuses(page) == ["match"]


def test_values_behind_the_brackets_are_not_overlooked():
    page = TILE.replace("4, 5, 6]]\n", "4, 5, 6]],\n 9, 9\n")
    assert statuses(page) == ["mismatch"]
    # prose may follow, in a paragraph of its own
    assert statuses(TILE + "\n[1] is a note.\n") == ["match"]


def test_a_row_outside_the_brackets_is_not_overlooked():
    page = TILE.replace("4, 5, 6]]\n", "4, 5, 6]],\n [9, 9, 9, 9, 9, 9]\n")
    message = "OutputTensor: more values follow its last bracket; check the brackets."
    assert (10, message) in found(page)
    assert statuses(page) == ["mismatch"]


SHARED = """# DML_DEPTH_TO_SPACE1_OPERATOR_DESC
BlockSize: 1

## One input for all
InputTensor: (Sizes:{1, 1, 1, 2}, DataType:UINT8)
[[[[1, 2]]]]

## Example 1
Order: DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW
OutputTensor: (Sizes:{1, 1, 1, 2}, DataType:UINT8)
[[[[1, 2]]]]

## Example 2
Order: DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH
OutputTensor: (Sizes:{1, 1, 1, 2}, DataType:UINT8)
[[[[1, 2]]]]

## Example 3
BlockSize: 2
Order: COLUMN_ROW_DEPTH
InputTensor: (Sizes:{1, 4, 1, 1}, DataType:UINT8)
[[[[1]], [[2]], [[3]], [[4]]]]
OutputTensor: (Sizes:{1, 1, 2, 2}, DataType:UINT8)
[[[[1, 2], [3, 4]]]]
"""


def test_what_the_page_says_once_counts_for_its_examples():
    document = read_document(SHARED)
    assert statuses(SHARED) == ["match"] * 3
    assert [e.title for e in document.examples] == ["Example 1", "Example 2", "Example 3"]
    assert [e.line for e in document.examples] == [9, 14, 19]
    assert found(SHARED) == [
        (10, "BlockSize is missing here; the one on line 2 is used."),
        (10, "the example uses the InputTensor of line 5."),
        (15, "BlockSize is missing here; the one on line 2 is used."),
        (15, "the example uses the InputTensor of line 5."),
    ]
    assert document.examples[2].operator == dmlviz.DepthToSpace(2, "COLUMN_ROW_DEPTH")


def test_parameters_before_a_shared_input_without_headings():
    page = SHARED.replace("## Example 1\n", "").replace("## Example 2\n", "").replace("# ", "")
    page = page.replace("# One input for all\n", "").replace("# Example 3\n", "")
    assert statuses(page) == ["match"] * 3
    document = read_document(page)
    assert [e.operator.block_size for e in document.examples] == [1, 1, 2]


def test_a_parameter_given_twice():
    page = TILE.replace("Repeats: {1, 2}\n", "Repeats: [1,2]\nRepeats: {1, 2}\n")
    assert found(page) == [(3, "Repeats is given twice, also on line 2; this one is used.")]
    assert statuses(page) == ["match"]


def test_without_a_name():
    page = TILE.partition("\n")[2]
    assert found(page) == [
        (
            1,
            "no operator is named; the parameters and sizes match DML_TILE_OPERATOR_DESC.",
        )
    ]
    assert read_document(page).operator_type == "DML_OPERATOR_TILE"
    assert statuses(page) == ["match"]


def test_without_a_name_and_with_sizes_of_no_operator():
    page = TILE.partition("\n")[2].replace("{1, 2}", "{3, 2}")
    (finding,) = read_document(page).all_findings
    assert "none matches these" in finding.message
    assert statuses(page) == ["unreadable"]


UNREADABLE = {
    "a parameter of another operator": (
        TILE.replace("Repeats: {1, 2}\n", "Repeats: {1, 2}\nBlockSize: 2\n"),
        "line 3: DML_TILE_OPERATOR_DESC has no BlockSize.",
    ),
    "no output": (
        TILE.partition("OutputTensor")[0],
        "line 3: no OutputTensor follows the InputTensor.",
    ),
    "no input": (
        "".join(TILE.splitlines(keepends=True)[:2] + TILE.splitlines(keepends=True)[5:]),
        "line 2: the example has no InputTensor.",
    ),
    "a number that is none": (
        TILE.replace(" [4, 5, 6, 4", " [4, five, 6, 4"),
        'line 8: OutputTensor: "five" at [1, 1] is not a number.',
    ),
    "a row that is too short": (
        TILE.replace(" [4, 5, 6, 4, 5, 6]", " [4, 5, 6, 4, 5]"),
        "line 8: OutputTensor: the list at [1] has 5 items, where the first list at that depth "
        "has 6.",
    ),
    "a type that there is not": (
        TILE.replace("FLOAT32", "FLOAT8", 1),
        "line 3: InputTensor: ",
    ),
    "a size 0": (TILE.replace("{2, 6}", "{0, 6}"), "line 6: OutputTensor: "),
    "repeats that are no list": (TILE.replace("{1, 2}", "7"), "line 2: Repeats: "),
    "a value that its type cannot hold": (
        TILE.replace("FLOAT32", "UINT8").replace("[[1, 2, 3],", "[[1, 256, 3],"),
        "line 4: InputTensor: 256 at [0, 1] ",
    ),
    "dots for the rest": (
        TILE.replace("[[1, 2, 3, 1, 2, 3]", "[[1, 2, ..., 2, 3]"),
        'line 7: OutputTensor: "..." at [0, 2] ',
    ),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_says_where_and_why(name):
    page, message = UNREADABLE[name]
    (verdict,) = verify(read_document(page))
    assert verdict.status == "unreadable"
    assert verdict.message.startswith(message), verdict.message
    assert "\n" not in verdict.message
    assert str(read_document(page).all_findings[-1]) == verdict.message


FOREIGN = (
    "DML_PADDING2_OPERATOR_DESC",
    "DML_DEPTH_TO_SPACE2_OPERATOR_DESC",
    "DML_SPACE_TO_DEPTH2_OPERATOR_DESC",
    "DML_VALUE_SCALE_2D_OPERATOR_DESC",
    "DML_A_STRUCTURE_YET_UNKNOWN_OPERATOR_DESC",
)
FORMS = {
    "source": "---\nUID: NS:directml.{name}\ntitle: {name}\n---\nSee DML_TILE_OPERATOR_DESC.\n",
    "copied": "{name} structure (directml.h)\nThe inverse of DML_TILE_OPERATOR_DESC.\n",
    "declared": "Like DML_TILE_OPERATOR_DESC.\nstruct {name} {{\nUINT BlockSize;\n}};\n",
    "headed": "[DML_TILE_OPERATOR_DESC](x.md)\n\n# {name} structure\n",
    "repository": "UID title\nNS:directml.{name}\nstruct DML_TILE_OPERATOR_DESC {{\n",
    "web": "<nav>DML_TILE_OPERATOR_DESC</nav><pre>struct <b>{name}</b> {{</pre>\n",
}


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("form", FORMS)
def test_other_operators_are_said_in_one_line(name, form):
    body = TILE.partition("\n")[2] + "See also DML_TILE_OPERATOR_DESC\n"
    document = read_document(FORMS[form].format(name=name) + body)
    assert document.structure == name
    assert document.operator_type == name.replace("DML_", "DML_OPERATOR_", 1)[:-14]
    assert document.examples == document.all_findings == document.statements == ()
    assert verify(document) == ()
    assert document.problem == f"{name} is not an operator that dmlviz knows."
    assert not document.unreadable


def test_prose_only():
    document = read_document(
        "# How to tile\nInputTensor: the tensor to read. Repeats: see below.\n"
    )
    assert document.problem == "the page names no DirectML operator and has no example."
    document = read_document("struct DML_TILE_OPERATOR_DESC { UINT RepeatsCount; }\n")
    assert document.problem == (
        "the page of DML_TILE_OPERATOR_DESC has no example with an InputTensor."
    )


@pytest.mark.parametrize("name", ["DML_OPERATOR_TILE", "DML_OPERATOR_SLICE1", "DML_OPERATOR_CAST"])
def test_a_page_that_only_names_an_operators_type_says_which(name):
    for page in (f"# {name}\n", f"See `{name}` for more.\n", f"| {name} | repeats |\n"):
        assert read_document(page).problem == f"the page names {name}, but has no example."


@pytest.mark.parametrize(
    "line",
    ["OutputTensor.Sizes[i] = 2 * 3", "Sizes = 2 * 3", "Repeats[i] = 2", "Example 2", "a: b"],
)
def test_what_stands_beside_an_example_and_is_no_parameter(line):
    parts = TILE.splitlines()
    for at in (1, len(parts)):
        assert statuses("\n".join([*parts[:at], line, *parts[at:]])) == ["match"]


def test_a_page_of_another_kind_that_shows_a_tensor():
    page = "# Numbers\nA tensor has a header, (Sizes:{2}, DataType:INT8), and values, [1, 2].\n"
    document = read_document(page)
    assert document.examples == ()
    assert document.problem == "the page names no DirectML operator and has no example."
    assert not document.lacks_examples


def test_a_page_of_ours_without_examples_lacks_them():
    for page in (
        "UID: NS:directml.DML_TLE_OPERATOR_DESC\n" + TILE,
        f"Cut it with DML_CAST_OPERATOR_DESC first.\n{TILE}",
        "struct DML_TILE_OPERATOR_DESC { UINT RepeatsCount; }\n",
    ):
        assert read_document(page).lacks_examples
    assert not read_document(TILE).lacks_examples
    assert not read_document("# How to tile\nSee DML_TILE_OPERATOR_DESC.").lacks_examples
    assert read_document("nothing", "ns-directml-dml_tile_operator_desc.md").lacks_examples
    foreign = "UID: NS:directml.DML_PADDING2_OPERATOR_DESC\nStartPadding: {1}\nEndPadding: {1}\n"
    assert not read_document(foreign).lacks_examples


def test_too_many_examples():
    document = read_document(TILE * 501)
    assert document.problem == "page: it has 501 examples; the limit is 500."
    assert document.unreadable
    assert len(read_document(TILE * 500).examples) == 500


@pytest.mark.parametrize("name", ["Mode", "PadingMode"])
def test_an_unknown_field_is_named_with_the_one_that_is_meant(name):
    page = f"""# DML_PADDING_OPERATOR_DESC

{name}: EDGE
StartPadding: {{0, 1}}
EndPadding: {{0, 1}}

InputTensor: (Sizes:{{1, 3}}, DataType:FLOAT32)
[[1, 2, 3]]

OutputTensor: (Sizes:{{1, 5}}, DataType:FLOAT32)
[[1, 1, 2, 3, 3]]
"""
    assert (3, f'there is no field "{name}"; did you mean PaddingMode?') in found(page)
