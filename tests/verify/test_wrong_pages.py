"""Pages that are wrong, or say two things at once: none of them passes, and each says where."""

import pytest

from dmlviz.verify import read_document, verify
from tests.verify.pages import TILE

WRONG = TILE.partition("\n")[2].replace("[4, 5, 6, 4, 5, 6]", "[4, 5, 6, 4, 5, 7]")
BLOCKS = """# DML_DEPTH_TO_SPACE1_OPERATOR_DESC

The examples in this section all use the input below.

InputTensor: (Sizes:{1, 4, 1, 1}, DataType:UINT8)
[[[[1]], [[2]], [[3]], [[4]]]]

## Example 1

BlockSize: 2
Order: DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW
OutputTensor: (Sizes:{1, 1, 2, 2}, DataType:UINT8)
[[[[1, 2], [3, 4]]]]

## Example 2

BlockSize: 2
Order: DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH
OutputTensor: (Sizes:{1, 1, 2, 2}, DataType:UINT8)
[[[[1, 2], [3, 4]]]]
"""
PADDING = """# DML_PADDING_OPERATOR_DESC

## Example 1

PaddingMode: DML_PADDING_MODE_CONSTANT
PaddingValue: 9
StartPadding: {1}
EndPadding: {0}
InputTensor: (Sizes:{2}, DataType:INT16)
[1, 2]
OutputTensor: (Sizes:{3}, DataType:INT16)
[9, 1, 2]

## Example 2

PaddingMode: DML_PADDING_MODE_EDGE
StartPadding: {1}
EndPadding: {0}
InputTensor: (Sizes:{2}, DataType:INT16)
[1, 2]
OutputTensor: (Sizes:{3}, DataType:INT16)
[1, 1, 2]
"""


def told(page):
    """Status and message of each example; a page without any says why."""
    document = read_document(page)
    return [(v.status, v.message) for v in verify(document)] or [("", document.problem)]


def statuses(page):
    return [status for status, _ in told(page)]


def refusals(page):
    return [message for status, message in told(page) if status == "unreadable"]


def test_the_pages_are_right():
    assert statuses(TILE) == ["match"]
    assert statuses(BLOCKS) == statuses(PADDING) == ["match", "match"]


SIGNS = (
    *("This holds where a<b and c is even.", "for (i = 0; i <n ; ++i)", "i <count ;", "x<<y"),
    *("std::vector<UINT ", "vector<UINT> sizes", "An unclosed <div", "a <b", "a <!b", "a <?b"),
    *("`<!--`", "`<script>`", "``<style>``", "`<template>`", "`<noscript>`", "\\<script>"),
    *("```\n<!--\n```", "~~~cpp\n<script>\n~~~", "    <script>", "<script>", "<style>", "<!--"),
    *("<div>\n<script>\n</div>", "<a title='", '<b class="', "x </", "<![CDATA[", "> a<b\nc"),
)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("between", ["\n\n{}\n\n", "\n{}\n\n"])
def test_no_sign_hides_an_example(sign, between):
    page = TILE + between.format(sign) + WRONG
    assert statuses(page) == ["match", "mismatch"]
    # not even where the page ends what the sign may have begun
    for end in ("\n>\n", "\n> a quotation\n", "\n'\">\n", "\n-> b\n"):
        assert statuses(page + end) == ["match", "mismatch"]
    assert "line " in told(page)[1][1]


@pytest.mark.parametrize(("open_", "close"), [("`<!--`", "`-->`"), ("`<script>`", "`</script>`")])
def test_code_begins_nothing_that_code_ends(open_, close):
    page = f"{TILE}\n{open_}\n\n{WRONG}\n{close}\n"
    assert statuses(page) == ["match", "mismatch"]
    assert statuses(page.replace("`", "```")) == ["match", "mismatch"]


LABELS = (
    *("{}tensor", "{} Tensor", "{} tensor", "{}Tensors", "{}tensors", "{}-Tensor", "{}_Tensor"),
    *("{}\u00a0Tensor", "**{}Tensor**", "{}TENSOR", "`{}tensor`"),
)


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("how", [str, str.lower, str.upper])
def test_labels_as_translators_write_them(label, how):
    for right in (BLOCKS, PADDING, TILE):
        page = right.replace("OutputTensor", label.format(how("Output")))
        page = page.replace("InputTensor", label.format(how("Input")))
        assert statuses(page) == statuses(right)
        # and what stands below them is compared
        before, _, after = page.rpartition("1, ")
        assert "mismatch" in statuses(f"{before}0, {after}")


LOST_LABELS = ("Result", "Ausgabetensor", "OuputTensor", "Output", "OutputTensorDesc", "출력 텐서")


@pytest.mark.parametrize("label", LOST_LABELS)
@pytest.mark.parametrize("number", [0, 1])
def test_a_tensor_that_belongs_to_no_example(label, number):
    pieces = BLOCKS.split("OutputTensor")
    page = "OutputTensor".join(pieces[: number + 1]) + label
    page += "OutputTensor".join(pieces[number + 1 :])
    line = 12 + 7 * number
    assert (
        f"line {line}: this tensor belongs to no example: no operator here has a tensor named "
        f'"{label}".' in refusals(page)
    )
    # without a header, too
    assert refusals(page.replace("(Sizes:{1, 1, 2, 2}, DataType:UINT8)\n", ""))


def test_a_label_without_its_colon():
    assert refusals(TILE.replace("OutputTensor:", "OutputTensor"))
    assert refusals(BLOCKS.replace("OutputTensor:", "OutputTensor", 1))


def without(page, first, last):
    lines = page.splitlines(keepends=True)
    return "".join(lines[: first - 1] + lines[last:])


def test_an_output_is_missing():
    assert refusals(without(BLOCKS, 12, 13)) == [
        "line 10: neither an InputTensor nor an OutputTensor follows BlockSize."
    ]
    assert refusals(without(BLOCKS, 19, 20)) == [
        "line 17: neither an InputTensor nor an OutputTensor follows BlockSize."
    ]
    assert refusals(without(PADDING, 11, 12)) == [
        "line 9: no OutputTensor follows the InputTensor."
    ]
    assert refusals(without(PADDING, 21, 22)) == [
        "line 19: no OutputTensor follows the InputTensor."
    ]


def test_both_tensors_are_missing_and_the_parameters_are_lent_to_nobody():
    page = without(PADDING, 9, 12).replace("PADDING_MODE_EDGE", "PADDING_MODE_CONSTANT")
    page = page.replace("[1, 1, 2]", "[9, 1, 2]")
    found = told(page)
    assert [status for status, _ in found] == ["unreadable", "mismatch"]
    assert found[0][1] == (
        "line 5: neither an InputTensor nor an OutputTensor follows PaddingMode."
    )
    assert statuses(without(PADDING, 9, 12)) == ["unreadable", "match"]
    assert not [f for f in read_document(page).all_findings if "is not given here" in f.message]


@pytest.mark.parametrize("heading", ["## The first", "Words."])
def test_missing_tensors_without_a_number(heading):
    page = without(PADDING, 9, 12).replace("## Example 1", heading).replace("## Example 2", "")
    assert "unreadable" in statuses(page)


def test_an_input_is_missing():
    assert refusals(without(TILE, 3, 5)) == ["line 2: the example has no InputTensor."]


def test_an_input_that_no_output_uses():
    twice = "InputTensor: (Sizes:{2}, DataType:INT16)\n[1, 2]\n"
    page = PADDING.replace(twice, twice.replace("[1, 2]", "[3, 4]") + twice, 1)
    assert refusals(page) == ["line 9: no OutputTensor follows the InputTensor."]
    page = BLOCKS.replace("BlockSize", f"{twice}BlockSize", 1)
    assert refusals(page)
    page = BLOCKS + "\n## Example 3\n" + twice
    assert refusals(page) == ["line 23: no OutputTensor follows the InputTensor."]


def test_twin_outputs():
    output = "OutputTensor: (Sizes:{2, 6}, DataType:FLOAT32)\n"
    page = TILE + output + "[[1, 2, 3, 1, 2, 3],\n [4, 5, 6, 4, 5, 7]]\n"
    assert statuses(page) == ["match", "unreadable"]
    page = page.replace(output, "Repeats: {1, 2}\n" + output)
    assert "mismatch" in statuses(page)


VALUES = {
    "BlockSize: 2": (
        *("2,5", "2,000", "2/3", "2 or 4", "2 or more", "2²", "2³", "2 000", "2'000", "2.5.1"),
        *("2 - 1", "2*1", "2 x 2", "2x2", "2(3)", "2 (not 3)", "2 (3)", "2, 3", "2; 3", "2|3"),
        *("2 bytes", "2 // not 3", "2 # 3", "2 squared", "2%", "2+", "2 ± 1", "2 → 3", "2 ✓"),
        *("2\n* 2", "2₂", "2½", "2e", "2i", "2_0", "2^2", "2!", "2? 3", "2 = 3", "2 < 3"),
        *("≥2", "≤ 2", "~2", "=3", "±2", ">2", "<2", "≈2", "'3\"", '"2', "$2", "#2", "½", "two"),
    ),
    "Order: DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW": (
        "DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW or DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH",
        "DEPTH_COLUMN_ROW or COLUMN_ROW_DEPTH",
        "DEPTH_COLUMN_ROW, COLUMN_ROW_DEPTH",
        "DEPTH_COLUMN_ROW | COLUMN_ROW_DEPTH",
        "DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW (COLUMN_ROW_DEPTH)",
        "DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW reversed",
        "DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW2",
        "DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROWS",
        "DML_DEPTH_SPACE_ORDER",
        "[DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW](x.md) or 1",
        "not DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW",
        "either",
    ),
}
LISTS = (
    *("{1, 2} * 2", "{1, 2} or {2, 1}", "{1, 2}, {2, 1}", "{1, 2}²", "{1, 2}, 3", "{1, 2}[0]"),
    *("{1, 2} + 1", "2 * {1, 2}", "-{1, 2}", "{1, 2", "1, 2}", "1, 2", "{1, 2,5}", "{1, 2 or 3}"),
    *("{1, 2²}", "{1, ≥2}", "{1, 2...}", "{1; 2}", "{1/2, 2}", "{{1, 2}}", "{1, 2}\n* 3", "{1..2}"),
    *("{1, two}", "≥{1, 2}", "{1, 2}.T", "{1, 2} (3)", "{1, 2} times", "{1, (2)}", "{}", "none"),
)


@pytest.mark.parametrize("value", VALUES["BlockSize: 2"])
def test_a_number_is_read_whole_or_refused(value):
    page = BLOCKS.replace("BlockSize: 2", f"BlockSize: {value}", 1)
    assert refusals(page), told(page)
    assert refusals(page)[0].startswith(("line 9: ", "line 10: ", "line 11: "))
    # and where nothing else says what it is
    page = TILE.replace("Repeats: {1, 2}\n", f"RepeatsCount: {value}\nRepeats: {{1, 2}}\n")
    assert refusals(page), told(page)
    assert all("line " in message for message in refusals(page))


@pytest.mark.parametrize("value", VALUES["Order: DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW"])
def test_a_name_is_read_whole_or_refused(value):
    order = "Order: DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW"
    page = BLOCKS.replace(order, f"Order: {value}", 1)
    assert statuses(page)[0] in ("unreadable", "refused")
    assert statuses(page)[1:] == ["match"]
    assert told(page)[0][1].startswith(("line 10: ", "line 11: "))


@pytest.mark.parametrize("value", LISTS)
def test_a_list_is_read_whole_or_refused(value):
    assert statuses(TILE.replace("{1, 2}", value, 1))[0] in ("unreadable", "refused")


def test_what_is_left_over_is_named():
    for value, left in {
        "2,5": ",5",
        "2,000": ",000",
        "2/3": "/3",
        "2 or 4": "or 4",
        "2²": "²",
    }.items():
        page = BLOCKS.replace("BlockSize: 2", f"BlockSize: {value}", 1)
        assert refusals(page) == [f'line 10: BlockSize: "{left}" after "2" could not be read.']
    page = TILE.replace("{1, 2}", "{1, 2} * 2", 1)
    assert refusals(page) == ['line 2: Repeats: "* 2" after "{1, 2}" could not be read.']
    page = PADDING.replace("PaddingValue: 9", "PaddingValue: 9,000")
    assert refusals(page) == ['line 6: PaddingValue: ",000" after "9" could not be read.']


REMARKS = (
    "(height and width)",
    "(높이와 너비)",
    "// height and width",
    "# Höhe, Breite",
    "/* both */",
    "// of a 2-dimensional picture, its sizes [4,6] are multiples",
)


@pytest.mark.parametrize("remark", REMARKS)
def test_a_remark_that_changes_nothing(remark):
    page = BLOCKS.replace("BlockSize: 2", f"BlockSize: 2 {remark}", 1)
    assert statuses(page) == ["match", "match"]
    assert f'line 10: BlockSize: "{remark}" after "2" is read as a comment.' in [
        str(finding) for finding in read_document(page).all_findings
    ]


@pytest.mark.parametrize("remark", ["// [4,6]", "// 3", "// once this was 3 and may be again"])
def test_a_remark_that_may_change_the_value(remark):
    page = BLOCKS.replace("BlockSize: 2", f"BlockSize: 2 {remark}", 1)
    assert statuses(page) == ["unreadable", "match"]


@pytest.mark.parametrize("end", [".", ";", ",", " ", " |", "**", "\t", "\u00a0", "`"])
def test_signs_that_end_a_value(end):
    page = BLOCKS.replace("BlockSize: 2", f"BlockSize: 2{end}", 1)
    assert statuses(page) == ["match", "match"]


TENSORS = ("* 2", "+ 1", "²", ".T", "/ 2", "^2", ".reshape(2, 6)", "- 1", "** 2")


@pytest.mark.parametrize("changed", TENSORS)
def test_a_tensor_is_read_whole_or_refused(changed):
    for rows in ("5, 6]]\nOut", "6, 4, 5, 6]]"):
        page = TILE.replace(rows, rows.replace("]]", f"]] {changed}"))
        assert refusals(page)
        page = TILE.replace(rows, rows.replace("]]", f"]]{changed}"))
        assert refusals(page)
    assert refusals(TILE.replace("[[1, 2, 3],", f"{changed} [[1, 2, 3],"))


HEADERS = {
    "(Sizes:{2, 3}, DataType:FLOAT32)": (
        "(Size:{2, 3}, DataType:FLOAT32)",
        "(Sizes:{2, 3}, DataTyp:FLOAT32)",
        "(Sizes:{2, 3}, Strides:{1, 2}, DataType:FLOAT32)",
        "(Sizes:{2, 3}, Sizes:{3, 2}, DataType:FLOAT32)",
        "(Sizes:{2, 3}, DataType:FLOAT32 or INT8)",
        "(Sizes:{2, 3} or {3, 2}, DataType:FLOAT32)",
        "(Sizes:{2, 3}, DataType:FLOAT32²)",
        "(Sizes:{2, 3}, DataType:FLOAT32, DataType:INT8)",
        "(Sizes:{2, 3²}, DataType:FLOAT32)",
        "(Sizes:{2, 3}] DataType:FLOAT32)",
        "(Sizes:{2, 3} * 2, DataType:FLOAT32)",
        "(Sizes:2, 3, DataType:FLOAT32)",
    )
}


@pytest.mark.parametrize("header", HEADERS["(Sizes:{2, 3}, DataType:FLOAT32)"])
def test_a_header_is_read_whole_or_refused(header):
    page = TILE.replace("(Sizes:{2, 3}, DataType:FLOAT32)", header)
    assert "match" not in statuses(page), told(page)


UNREAD = (
    *(
        "BlokSize: 3",
        "Blocksizes: 3",
        "Blok_Size: 3",
        "- BlockSz: 3",
    ),
    *("\"BlockSize': 3", "block__size: 3", "BlockSize: three", "* BlockSize = 3"),
    *("orders: COLUMN_ROW_DEPTH", "Foo: 1"),
)


@pytest.mark.parametrize("line", UNREAD)
@pytest.mark.parametrize("at", [10, 11, 12])
def test_a_parameter_that_is_not_understood(line, at):
    """Even where another example could lend it, or it is given already."""
    lines = BLOCKS.splitlines()
    page = "\n".join([*lines[: at - 1], line, *lines[at - 1 :]])
    assert any(f"line {at}" in m for m in refusals(page)), told(page)
    if at == 10:
        # instead of what is understood, in the second example
        page = "\n".join([*lines[:16], line, *lines[17:]])
        assert any(m.startswith("line 17: ") for m in refusals(page)), told(page)


ASSIGNED = (
    *("BlockSize = {}", "BlockSize={}", "`BlockSize` = {}", "  BlockSize  =  {}"),
    "BlockSize = {};",
)


@pytest.mark.parametrize("line", ASSIGNED)
def test_a_parameter_with_the_sign_of_an_assignment(line):
    """SLICE's pages write so."""
    page = BLOCKS.replace("BlockSize: 2", line.format(2))
    assert statuses(page) == ["match", "match"]
    page = BLOCKS.replace("BlockSize: 2", line.format(3))
    assert statuses(page) == ["refused", "refused"]
    page = BLOCKS.replace("BlockSize: 2", f"BlockSize: 2\n{line.format(3)}", 1)
    assert refusals(page) == ['line 11: BlockSize is "3" here and "2" on line 10.']
    for value in ("== 2", "= 2 * 1", "=> 2", "= x", "+= 2", ":= 2"):
        page = BLOCKS.replace("BlockSize: 2", f"BlockSize {value}", 1)
        assert "unreadable" in statuses(page), value


@pytest.mark.parametrize(
    "twin", ["BlockSize: 3", "BlockSize: 2.5", "BlockSize: 4", "BlockSize: {2}", "BlockSize: x"]
)
@pytest.mark.parametrize("at", [10, 11, 12])
def test_twin_fields(twin, at):
    lines = BLOCKS.splitlines()
    page = "\n".join([*lines[: at - 1], twin, *lines[at - 1 :]])
    assert refusals(page), told(page)
    page = "\n".join([*lines[: at - 1], "BlockSize: 2", *lines[at - 1 :]])
    assert statuses(page) == ["match", "match"]
    assert "BlockSize is given twice" in str(read_document(page).all_findings)


def test_twin_fields_say_both():
    page = TILE.replace("Repeats: {1, 2}\n", "Repeats: {1, 3}\nRepeats: {1, 2}\n")
    assert refusals(page) == ['line 3: Repeats is "{1, 2}" here and "{1, 3}" on line 2.']
    page = PADDING.replace("EndPadding: {0}\n", "EndPadding: {0}\nPaddingValue: NaN\n")
    assert refusals(page)
    page = page.replace("PaddingValue: 9", "PaddingValue: NaN")
    assert not refusals(page)


def test_parameters_after_the_last_example():
    page = TILE + "\nRepeats: {1, 3}\n"
    assert refusals(page) == [
        "line 10: neither an InputTensor nor an OutputTensor follows Repeats."
    ]


def test_parameters_behind_the_tensors():
    behind = "".join(TILE.splitlines(keepends=True)[2:]) + "Repeats: {1, 2}\n"
    assert refusals("DML_TILE_OPERATOR_DESC\n" + behind + behind)


def test_a_lent_field_is_told():
    page = TILE.replace("Repeats: {1, 2}\n", "Repeats: {1, 2}\n\n## The example\n")
    assert statuses(page) == ["match"]
    assert [str(f) for f in read_document(page).all_findings] == [
        "line 8: Repeats is missing here; the one on line 2 is used."
    ]


MESSAGES = {
    "the page's own names": (
        BLOCKS.replace("BlockSize: 2", "BlockSize: {2}", 1),
        "line 10: BlockSize: [2] is not a whole number.",
    ),
    "no name of ours": (
        without(TILE, 2, 2),
        "line 2: DML_TILE_OPERATOR_DESC needs the field Repeats.",
    ),
    "one line": (
        TILE.replace(" [4, 5, 6, 4", " [4, 5, 6}, 4"),
        "line 8: OutputTensor: } does not match [.",
    ),
    "a bracket that is never closed": (
        TILE.replace("6]]\n", "6]\n", 1),
        "line 4: InputTensor: [ is never closed.",
    ),
    "a comma too many": (
        TILE.replace("[[1, 2, 3],\n", "[[1,, 2, 3],\n"),
        "line 4: InputTensor: there is a comma without a value before it.",
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_messages(name):
    page, message = MESSAGES[name]
    assert refusals(page)[0] == message


def test_a_link_is_the_value_that_it_shows():
    linked = "[DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW](/x/ne-directml-dml_depth_space_order)"
    page = BLOCKS.replace("Order: DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW", f"Order: {linked}", 1)
    assert statuses(page) == ["match", "match"]


def test_the_rest_of_a_line_is_no_title():
    page = BLOCKS.replace(
        "[[[[1]], [[2]], [[3]], [[4]]]]", "[[[[1]], [[2]], [[3]], [[4]]]] // row 1"
    )
    page = page.replace("## Example 1\n", "")
    assert [e.title for e in read_document(page).examples] == ["Example 1", "Example 2"]
