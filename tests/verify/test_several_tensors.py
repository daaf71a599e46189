"""Examples with several tensors: right ones are read, and of wrong ones none passes."""

import numpy as np
import pytest

from dmlviz.operators import Gather, Join, Slice, Split
from dmlviz.verify import check, document_data, read_document, verify

GATHER = """DML_GATHER_OPERATOR_DESC

## Example 1

Axis: 0
IndexDimensions: 1
InputTensor: (Sizes:{3, 2}, DataType:FLOAT32)
[[1, 2],
 [3, 4],
 [5, 6]]
IndicesTensor: (Sizes:{1, 2}, DataType:UINT32)
[[2, 0]]
OutputTensor: (Sizes:{2, 2}, DataType:FLOAT32)
[[5, 6],
 [1, 2]]

## Example 2

Axis: 1
IndexDimensions: 1
InputTensor: (Sizes:{2, 2}, DataType:INT8)
[[1, 2], [3, 4]]
IndicesTensor: (Sizes:{1, 2}, DataType:INT64)
[[-1, 0]]
OutputTensor: (Sizes:{2, 2}, DataType:INT8)
[[2, 1], [4, 3]]
"""
JOIN = """DML_JOIN_OPERATOR_DESC

## Example 1

InputCount: 2
Axis: 1
InputTensors[0]: (Sizes:{2, 1}, DataType:INT16)
[[1], [2]]
InputTensors[1]: (Sizes:{2, 2}, DataType:INT16)
[[3, 4], [5, 6]]
OutputTensor: (Sizes:{2, 3}, DataType:INT16)
[[1, 3, 4], [2, 5, 6]]

## Example 2

InputCount: 3
Axis: 0
InputTensors[0]: (Sizes:{1}, DataType:INT16)
[1]
InputTensors[1]: (Sizes:{2}, DataType:INT16)
[2, 3]
InputTensors[2]: (Sizes:{1}, DataType:INT16)
[4]
OutputTensor: (Sizes:{4}, DataType:INT16)
[1, 2, 3, 4]
"""
SPLIT = """DML_SPLIT_OPERATOR_DESC

All examples cut the same tensor.

InputTensor: (Sizes:{4}, DataType:INT32)
[1, 2, 3, 4]

## Example 1

OutputCount: 2
Axis: 0
OutputTensors[0]: (Sizes:{1}, DataType:INT32)
[1]
OutputTensors[1]: (Sizes:{3}, DataType:INT32)
[2, 3, 4]

## Example 2

OutputCount: 3
Axis: 0
OutputTensors[0]: (Sizes:{2}, DataType:INT32)
[1, 2]
OutputTensors[1]: (Sizes:{1}, DataType:INT32)
[3]
OutputTensors[2]: (Sizes:{1}, DataType:INT32)
[4]
"""
PAGES = {"gather": GATHER, "join": JOIN, "split": SPLIT}


def told(page):
    """Status and message of each example."""
    return [(v.status, v.message) for v in verify(read_document(page))]


def statuses(page):
    return [status for status, _ in told(page)]


def without(page, *lines):
    return "".join(
        text for n, text in enumerate(page.splitlines(keepends=True), 1) if n not in lines
    )


def test_what_is_read():
    (one, two) = read_document(GATHER).examples
    assert (one.operator, two.operator) == (Gather(0, 1), Gather(1, 1))
    assert list(one.inputs) == ["InputTensor", "IndicesTensor"]
    np.testing.assert_array_equal(one.inputs["IndicesTensor"], np.uint32([[2, 0]]), strict=True)
    assert list(one.outputs) == ["OutputTensor"]
    assert one.x is None
    assert one.lines == {"OutputTensor": (14, 14, 15, 15)}
    assert [one.line_of(n) for n in ("Axis", "axis", "IndicesTensor", "?")] == [5, 5, 11, 5]
    (one, two) = read_document(JOIN).examples
    assert (one.operator, two.operator) == (Join(1), Join(0))
    assert list(two.inputs) == ["InputTensors[0]", "InputTensors[1]", "InputTensors[2]"]
    (one, two) = read_document(SPLIT).examples
    assert (one.operator, two.operator) == (Split(0, (1, 3)), Split(0, (2, 1, 1)))
    assert list(two.outputs) == ["OutputTensors[0]", "OutputTensors[1]", "OutputTensors[2]"]
    assert two.expected is None


@pytest.mark.parametrize("key", PAGES)
def test_the_pages_are_right(key):
    assert statuses(PAGES[key]) == ["match", "match"]
    findings = read_document(PAGES[key]).all_findings
    due = [12, 21] if key == "split" else []
    assert [f.line for f in findings] == due
    assert all("the example uses the InputTensor of line 5." in str(f) for f in findings)


@pytest.mark.parametrize("key", PAGES)
def test_without_the_operators_name(key):
    page = PAGES[key].partition("\n")[2]
    document = read_document(page)
    assert document.structure == PAGES[key].partition("\n")[0]
    assert statuses(page) == ["match", "match"]


@pytest.mark.parametrize("key", PAGES)
@pytest.mark.parametrize("how", ["{} Tensor", "{}-tensor", "{}TENSOR", "**{}Tensor", "`{}tensor"])
def test_labels_as_translators_write_them(key, how):
    page = PAGES[key]
    for name in ("Input", "Indices", "Output"):
        page = page.replace(f"\n{name}Tensor", "\n" + how.format(name))
    assert statuses(page) == ["match", "match"]
    before, _four, after = page.rpartition("4")
    assert "mismatch" in statuses(f"{before}5{after}")


def test_tensors_in_another_order():
    """DirectML's names say which is which."""
    lines = GATHER.splitlines(keepends=True)
    page = "".join([*lines[:6], *lines[10:12], *lines[6:10], *lines[12:]])
    (one, _two) = read_document(page).examples
    assert list(one.inputs) == ["InputTensor", "IndicesTensor"]
    assert statuses(page) == ["match", "match"]
    lines = SPLIT.splitlines(keepends=True)
    page = "".join([*lines[:11], *lines[13:15], *lines[11:13], *lines[15:]])
    assert statuses(page) == ["match", "match"]


MISSING = [
    ("gather", (7, 8, 9, 10), 0, "line 5: the example has no InputTensor."),
    ("gather", (11, 12), 0, "line 5: the example has no IndicesTensor."),
    ("gather", (13, 14, 15), 0, "line 11: no OutputTensor follows the InputTensor, IndicesTensor."),
    ("gather", (23, 24), 1, "line 19: the example has no IndicesTensor."),
    ("join", (7, 8), 0, "line 5: the example has no InputTensors[0]."),
    ("join", (9, 10), 0, "line 5: InputCount is 2, but the example has 1 InputTensors."),
    ("join", (20, 21), 1, "line 16: the example has no InputTensors[1]."),
    ("join", (22, 23), 1, "line 16: InputCount is 3, but the example has 2 InputTensors."),
    ("split", (12, 13), 0, "line 12: the example has no OutputTensors[0]."),
    ("split", (14, 15), 0, "line 10: OutputCount is 2, but the example has 1 OutputTensors."),
    ("split", (23, 24), 1, "line 21: the example has no OutputTensors[1]."),
    ("split", (25, 26), 1, "line 19: OutputCount is 3, but the example has 2 OutputTensors."),
]


@pytest.mark.parametrize(("key", "lines", "number", "message"), MISSING)
def test_a_missing_tensor(key, lines, number, message):
    """Neither the example before lends it nor the one behind."""
    found = told(without(PAGES[key], *lines))
    assert found[number][0] in ("unreadable", "mismatch")
    assert found[number][1] == message
    assert [status for status, _ in found].count("match") == 1


@pytest.mark.parametrize(
    ("key", "lines", "message"),
    [
        ("join", (5, 9, 10), "line 8: the page's output has sizes {2, 3}, but input and "),
        ("join", (16, 22, 23), "line 21: the page's output has sizes {4}, but input and "),
        ("split", (10, 14, 15), "line 11: Parts: "),
        ("split", (19, 25, 26), "line 20: Parts: "),
    ],
)
def test_a_missing_tensor_without_a_count(key, lines, message):
    found = told(without(PAGES[key], *lines))
    assert [m for _, m in found if m.startswith(message)], found
    assert sorted(status for status, _ in found)[0] == "match"
    assert len({status for status, _ in found}) == 2


EXTRA = [
    ("gather", 12, "UpdatesTensor", "has no UpdatesTensor"),
    ("gather", 12, "WeightTensor", "no operator here has a tensor named"),
    ("gather", 12, "IndicesTensors[0]", "has no IndicesTensors[0]"),
    ("gather", 12, "InputTensors[1]", "has no InputTensors[1]"),
    ("gather", 12, "OutputTensors[1]", ""),
    ("join", 10, "IndicesTensor", "DML_JOIN_OPERATOR_DESC has no IndicesTensor; its tensors are "),
    ("join", 10, "InputTensor", "InputTensors[0]…, OutputTensor."),
    ("join", 10, "InputTensors[3]", "the example has no InputTensors[2]."),
    ("join", 10, "InputTensors[8]", "has no InputTensors[8]"),
    ("join", 10, "InputTensors[2]", "InputCount is 2, but the example has 3 InputTensors."),
    ("join", 10, "InputTensors", "has no InputTensor;"),
    ("split", 15, "OutputTensors[2]", "OutputCount is 2, but the example has 3 OutputTensors."),
    ("split", 15, "OutputTensor", "has no OutputTensor;"),
    ("split", 15, "OutputStateTensor", "no operator here has a tensor named"),
]


@pytest.mark.parametrize(("key", "after", "label", "message"), EXTRA)
def test_a_tensor_too_many(key, after, label, message):
    lines = PAGES[key].splitlines(keepends=True)
    extra = f"{label}: (Sizes:{{1}}, DataType:INT16)\n[1]\n"
    page = "".join([*lines[:after], extra, *lines[after:]])
    found = told(page)
    assert any(status != "match" and message in m for status, m in found), found
    assert any(f"line {n}:" in m for _, m in found for n in (5, 10, after - 1, after + 1)), found
    # nor without a header
    assert set(statuses(page.replace(extra, f"{label}: [[1, 2]]\n"))) != {"match"}


@pytest.mark.parametrize("key", PAGES)
def test_twin_tensors(key):
    page = PAGES[key]
    lines = page.splitlines(keepends=True)
    for at, line in enumerate(lines):
        if "Sizes:" in line:
            # until the next line with letters, or a blank one
            end = next(
                n
                for n in range(at + 1, len(lines) + 1)
                if n == len(lines) or lines[n][:1] not in " ["
            )
            twin = "".join(lines[at:end])
            for changed in (twin, twin.replace("1", "7").replace("4", "8").replace("2", "9")):
                for place in (at, end):
                    altered = "".join([*lines[:place], changed, *lines[place:]])
                    assert set(statuses(altered)) != {"match"}, altered


def test_a_twin_input_names_both_lines():
    lines = GATHER.splitlines(keepends=True)
    page = "".join([*lines[:12], *lines[10:]])
    assert told(page)[0] == (
        "unreadable",
        "line 13: IndicesTensor is given twice, also on line 11.",
    )


SIZES = [
    ("gather", "IndicesTensor: (Sizes:{1, 2}", "IndicesTensor: (Sizes:{1, 3}", 11),
    ("gather", "OutputTensor: (Sizes:{2, 2}", "OutputTensor: (Sizes:{3, 2}", 13),
    ("join", "InputTensors[1]: (Sizes:{2, 2}", "InputTensors[1]: (Sizes:{2, 3}", 9),
    ("split", "OutputTensors[1]: (Sizes:{3}", "OutputTensors[1]: (Sizes:{2}", 14),
]


@pytest.mark.parametrize(("key", "right", "wrong", "line"), SIZES)
def test_sizes_that_contradict_their_values(key, right, wrong, line):
    status, message = told(PAGES[key].replace(right, wrong, 1))[0]
    label = right.partition(":")[0]
    assert status == "mismatch"
    assert message.startswith(f"line {line}: {label}: Sizes say ")


TYPES = [
    ("gather", "OutputTensor: (Sizes:{2, 2}, DataType:FLOAT32", 13, "mismatch"),
    ("join", "InputTensors[1]: (Sizes:{2, 2}, DataType:INT16", 9, "mismatch"),
    ("join", "OutputTensor: (Sizes:{2, 3}, DataType:INT16", 11, "mismatch"),
    ("split", "OutputTensors[1]: (Sizes:{3}, DataType:INT32", 14, "mismatch"),
    ("gather", "IndicesTensor: (Sizes:{1, 2}, DataType:UINT32", 11, "refused"),
]


@pytest.mark.parametrize(("key", "right", "line", "status"), TYPES)
def test_a_type_that_contradicts(key, right, line, status):
    label, _, kind = right.partition(":")[0], "", right.rpartition(":")[2]
    page = PAGES[key].replace(right, right.replace(kind, "FLOAT64"), 1)
    found = told(page)[0]
    assert found[0] == status
    assert found[1].startswith(f"line {line}: ")
    assert label in found[1]
    assert "FLOAT64" in found[1]


def test_a_type_that_a_tensor_does_not_name():
    page = GATHER.replace("{1, 2}, DataType:UINT32", "{1, 2}", 1)
    document = read_document(page)
    assert statuses(page) == ["match", "match"]
    assert [str(f) for f in document.all_findings] == [
        "line 11: IndicesTensor has no DataType; it was read as INT64."
    ]
    page = JOIN.replace("{2, 2}, DataType:INT16", "{2, 2}", 1)
    assert [str(f) for f in read_document(page).all_findings] == [
        "line 9: InputTensors[1] has no DataType; it was read as INT16."
    ]


@pytest.mark.parametrize("index", [3, 7, 4294967295])
def test_an_index_that_there_is_not(index):
    page = GATHER.replace("[[2, 0]]", f"[[{index}, 0]]")
    status, message = told(page)[0]
    assert status == "refused"
    assert message.startswith(f"line 11: IndicesTensor: {index} at [0, 0] is outside 0 to 2")
    page = GATHER.replace("[[-1, 0]]", "[[-3, 0]]")
    assert told(page)[1][1].startswith("line 23: IndicesTensor: -3 at [0, 0] is outside -2 to 1")


def test_the_first_output_that_differs_is_named():
    page = SPLIT.replace("[3]\n", "[5]\n").replace("[4]\n", "[6]\n")
    document = read_document(page)
    (_, verdict) = verify(document)
    assert verdict.message == (
        "line 24: OutputTensors[1][0] is 5 on the page, but the engine gives 3; 2 of 4 "
        "elements differ."
    )
    assert verdict.first_difference.tensor == "OutputTensors[1]"
    assert verdict.differing == {"OutputTensors[1]": (0,), "OutputTensors[2]": (0,)}
    assert verdict.differing_count == 2
    assert list(verdict.outputs) == list(verdict.sizes) == list(verdict.example.outputs)
    data = document_data(check(document, page))["examples"][1]
    assert data["differing"] == {"OutputTensors[1]": [[0]], "OutputTensors[2]": [[0]]}
    assert data["first_difference"]["tensor"] == "OutputTensors[1]"


@pytest.mark.parametrize("engine", ["numpy", "onnxruntime"])
@pytest.mark.parametrize("key", PAGES)
def test_every_engine(key, engine):
    assert [v.status for v in verify(read_document(PAGES[key]), (engine,))] == ["match"] * 2


def test_a_section_lends_what_an_example_lacks():
    """A tensor that stands before the examples is there for each; two of a list are not."""
    lines = GATHER.splitlines(keepends=True)
    page = "".join([lines[0], "\n", *lines[6:10], "\n", *lines[2:6], *lines[10:15]])
    page += "\n## Example 2\n\nAxis: 0\nIndexDimensions: 1\nIndicesTensor: (Sizes:{1, 1}, "
    page += "DataType:INT32)\n[[1]]\nOutputTensor: (Sizes:{1, 2}, DataType:FLOAT32)\n[[3, 4]]\n"
    assert statuses(page) == ["match", "match"]
    assert [str(f) for f in read_document(page).all_findings] == [
        "line 14: the example uses the InputTensor of line 3.",
        "line 24: the example uses the InputTensor of line 3.",
    ]
    lines = JOIN.splitlines(keepends=True)
    shared = "".join(lines[17:19] + lines[19:21] + lines[21:23])
    page = f"{lines[0]}\n{shared}\n" + "".join(lines[14:19] + lines[23:])
    assert "match" not in statuses(page)


def test_remarks_among_values():
    page = GATHER.replace("[[1, 2],\n [3, 4],", "[[1, 2], // row 0\n [3, 4], // [[9, 9]]", 1)
    assert statuses(page) == ["match", "match"]
    assert [str(f) for f in read_document(page).all_findings] == [
        "line 8: InputTensor: text after // among its values, on lines 8-9, is read as comments."
    ]
    # a remark hides no value that is needed
    page = GATHER.replace(" [3, 4],\n", "// [3, 4],\n", 1)
    assert statuses(page)[0] != "match"
    assert statuses(GATHER.replace("[[1, 2],\n", "[[1, 2], / row 0\n", 1))[0] != "match"


OLDER = """DML_SLICE_OPERATOR_DESC

InputTensor: (Sizes:{4}, DataType:INT8)
[1, 2, 3, 4]

Offsets = {1}
Sizes = {2}
Strides = {2}
OutputTensor: (Sizes:{2}, DataType:INT8)
[2, 4]
"""


def test_an_older_form():
    document = read_document(OLDER)
    assert (document.structure, document.operator_type) == (
        "DML_SLICE_OPERATOR_DESC",
        "DML_OPERATOR_SLICE",
    )
    assert document.examples[0].operator == Slice((1,), (3,), (2,))
    assert statuses(OLDER) == ["match"]
    assert str(document.all_findings[0]) == (
        "line 1: DML_SLICE_OPERATOR_DESC is an older form of DML_SLICE1_OPERATOR_DESC: its "
        "examples were read as Slice."
    )
    for name in ("Offsets", "Sizes", "Strides"):
        for sign in (":", " :", "=", "  = "):
            assert statuses(OLDER.replace(f"{name} =", f"{name}{sign}")) == ["match"]


WRONG = [
    ("Sizes = {2}", "Sizes = {1}"),
    ("Sizes = {2}", "Sizes = {3}"),
    ("Sizes = {2}", "Size = {2}"),
    ("Sizes = {2}", ""),
    ("Sizes = {2}", "Sizes == {2}"),
    ("Sizes = {2}", "Sizes = {2}\nSizes = {1}"),
    ("Offsets = {1}", "Offsets = {0}"),
    ("Offsets = {1}", "Offsets = {2}"),
    ("Offsets = {1}", "Offset = {1}"),
    ("Offsets = {1}", "InputWindowOffsets = {1}"),
    ("Strides = {2}", "Strides = {1}"),
    ("Strides = {2}", "Strides = {-2}"),
    ("Strides = {2}", "Strides = {2, 1}"),
    ("[2, 4]", "[2, 3]"),
    (
        "OutputTensor: (Sizes:{2}, DataType:INT8)\n[2, 4]",
        "OutputTensor: (Sizes:{1}, DataType:INT8)\n[2]",
    ),
]


@pytest.mark.parametrize(("right", "wrong"), WRONG)
def test_an_older_form_that_is_wrong(right, wrong):
    """Its Sizes are the output's: what SLICE1 leaves free, it does not."""
    found = told(OLDER.replace(right, wrong))
    assert "match" not in [status for status, _ in found], found
    assert all("line " in message for _, message in found)


def test_an_older_form_keeps_its_own_tables():
    """SLICE came with the first level, SLICE1 with a later one."""
    page = OLDER + "\n## Availability\nThis operator was introduced in DML_FEATURE_LEVEL_1_0.\n"
    assert len(read_document(page).all_findings) == 1
