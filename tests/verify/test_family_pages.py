"""Pages of the family as they are published, with all their slips."""

import re

import pytest

from dmlviz.operators import Gather, Join, OneHot, Slice, Split, TopK, Unfold, operator_class
from dmlviz.verify import available, read_document, verify
from tests.verify.pages import FAMILY, SHARED, real

_NAME = "family/ns-directml-dml_{}_operator_desc.md"


def _lent(line, by="InputTensor of line 119"):
    return (line, f"the example uses the {by}.")


_JOINED = (
    "the example uses InputTensors[0], InputTensors[1], InputTensors[2] of lines 127, 131, 135."
)
_COUNT = "InputCount is missing here; the one on line 125 is used."
_REMARKS = "{}Tensor: text after // among its values, on lines {}, is read as comments."
OPERATORS = {
    # the third is given as it is printed
    "gather": [Gather(0, 1), Gather(0, 1), Gather(1, 2), Gather(2, 2), Gather(1, 2)],
    "join": [Join(3), Join(1), Join(2), Join(3)],
    "one_hot": [OneHot(3, 4), OneHot(2, 3), OneHot(3, 4), OneHot(3, 4)],
    "split": [Split(2, (2, 1, 3)), Split(3, (1, 1))],
    "slice": [
        Slice((0, 0, 1, 2), (1, 1, 3, 2), (1, 1, 1, 1)),
        Slice((0, 0, 1, 0), (1, 1, 3, 4), (1, 1, 2, 3)),
    ],
    "slice1": [
        Slice((0, 0, 0, 1), (1, 1, 4, 3), (1, 1, 2, 2)),
        Slice((0, 0, 0, 1), (1, 1, 4, 3), (1, 1, -2, 2)),
    ],
    "top_k": [TopK(3, 2), TopK(2, 2), TopK(3, 3)],
    "top_k1": [TopK(3, 2), TopK(2, 2), TopK(3, 3), TopK(3, 3, "INCREASING")],
    "unfold": [
        Unfold((3, 3), (1, 1), (1, 1), (0, 0), (0, 0)),
        Unfold((3, 3), (1, 1), (1, 1), (1, 0), (1, 0)),
    ],
}
FINDINGS = {
    "gather": [
        (129, _REMARKS.format("Input", "129-130")),
        (141, _REMARKS.format("Output", "141-143")),
    ],
    "join": [(161, _COUNT), (161, _JOINED), (175, _COUNT), (175, _JOINED)],
    "one_hot": [
        (97, "OutputTensor: text after // among its values is read as a comment."),
        (114, "OutputTensor: text after // among its values is read as a comment."),
        (128, _REMARKS.format("Values", "128-129")),
        (154, _REMARKS.format("Output", "154-155")),
    ],
    "split": [_lent(117, "InputTensor of line 102"), _lent(136, "InputTensor of line 102")],
    "slice": [
        (
            2,
            "DML_SLICE_OPERATOR_DESC is an older form of DML_SLICE1_OPERATOR_DESC: its examples "
            "were read as Slice.",
        ),
        _lent(120, "InputTensor of line 106"),
        _lent(133, "InputTensor of line 106"),
    ],
    "slice1": [_lent(133), _lent(153)],
    "top_k": [
        (
            2,
            "DML_TOP_K_OPERATOR_DESC is an older form of DML_TOP_K1_OPERATOR_DESC: its examples "
            "were read as TopK.",
        ),
    ],
    "top_k1": [],
    "unfold": [],
}


def _form(older, newer, name, kind="an older"):
    told = f"DML_{older}_OPERATOR_DESC is {kind} form of DML_{newer}_OPERATOR_DESC: its examples"
    return (2, f"{told} were read as {name}.")


_UNKNOWN = "SequenceTensor is read as SequenceLengthsTensor, the only input that the example lacks."
_NONE = "there is no InputTensor; zeros of the output's sizes are used instead."
_COMMA = "OutputTensor: a comma is missing after a row."
_REMARKED = "OutputTensor: text after // among its values is read as a comment."
_SIZES = "InputTensor: Sizes say {2, 3}, but the values are 3 × 3."
_TYPE = (
    "the DataType of OutputTensor is UINT32; it must be FLOAT32, because that of "
    "InputTensor is FLOAT32."
)
_LACKING = "DML_SCATTER_ND_OPERATOR_DESC needs the field InputDimensionCount."
JUDGED = {
    "depth_to_space_operator": (
        ("match",),
        [_form("DEPTH_TO_SPACE", "DEPTH_TO_SPACE1", "DepthToSpace")],
    ),
    "space_to_depth_operator": (
        ("match",),
        [_form("SPACE_TO_DEPTH", "SPACE_TO_DEPTH1", "SpaceToDepth")],
    ),
    "padding1_operator": (
        ("match",) * 4,
        [
            _form("PADDING1", "PADDING", "Padding", "a newer"),
            *((line, _COMMA) for line in (120, 145, 170, 195)),
        ],
    ),
    # the second input has another row than its header says
    "scatter_operator": (("match", "mismatch"), [(120, _SIZES)]),
    "gather_elements_operator": (("mismatch",), [(98, _TYPE), (99, _REMARKED)]),
    "reverse_subsequences": (
        ("match",) * 2,
        [(88, _UNKNOWN), (109, _UNKNOWN), (115, _REMARKED)],
    ),
    "diagonal_matrix_operator": (
        ("match",) * 4,
        [_form("DIAGONAL_MATRIX", "DIAGONAL_MATRIX1", "DiagonalMatrix")],
    ),
    # the first prints ones where Value is 7
    "diagonal_matrix1_operator": (
        ("mismatch", "match", "match", "match"),
        [(123, _NONE), (138, _NONE)],
    ),
    "gather_nd_operator": (
        ("match",) * 2,
        [_form("GATHER_ND", "GATHER_ND1", "GatherND")],
    ),
    "gather_nd1_operator": (("match",) * 2, [(150, _REMARKS.format("Input", "150-152"))]),
    # the counts further up belong to an illustration of sizes
    "scatter_nd_operator": (("unreadable",), [(122, _LACKING)]),
    # letters only
    "slice_grad_operator": ((), []),
}
"""Pages with slips in their examples, in their names, or of older forms."""


@pytest.mark.parametrize("key", JUDGED)
def test_slips_are_told_from_what_can_be_read(key):
    name = f"family/ns-directml-dml_{key}_desc.md"
    found = read_document(real(name), name)
    statuses, findings = JUDGED[key]
    assert [(f.line, f.message) for f in found.all_findings] == findings
    verdicts = [v for v in verify(found, available()) if v.engine == "numpy"]
    assert tuple(v.status for v in verdicts) == statuses
    assert bool(found.problem) == (not statuses)


@pytest.mark.parametrize("key", ["gather_nd_operator", "gather_nd1_operator"])
@pytest.mark.parametrize("example", [0, 1])
@pytest.mark.parametrize("unfenced", [False, True])
def test_a_lost_count_is_not_that_of_an_illustration_of_sizes(key, example, unfenced):
    page = real(f"family/ns-directml-dml_{key}_desc.md")
    counts = [*re.finditer(r"^IndicesDimensionCount: [0-9]\n", page, re.MULTILINE)]
    start, end = counts[example].span()
    page = page[:start] + page[end:]
    if unfenced:
        page = page.replace("```", "")
    examples = read_document(page, f"{key}.md").examples
    lacking = f"DML_{key.upper()}_DESC needs the field IndicesDimensionCount."
    found = [e.unreadable.message if e.unreadable else "" for e in examples]
    assert found == [lacking if n == example else "" for n in range(2)]


def test_what_diagonal_matrix1_prints_is_not_what_is_computed():
    name = "family/ns-directml-dml_diagonal_matrix1_operator_desc.md"
    found = read_document(real(name), name)
    first = next(v for v in verify(found, available()) if v.engine == "numpy")
    assert first.message == (
        "line 129: out[0, 0] is 1 on the page, but the engine gives 7; 4 of 20 elements differ."
    )
    assert not first.example.x.any()
    least = found.examples[2].operator.diagonal_fill_begin
    assert least == -(2**31)


def test_a_formula_for_sizes_of_the_first_space_to_depth_is_wrong():
    name = "family/ns-directml-dml_space_to_depth_operator_desc.md"
    found = read_document(real(name), name)
    assert [said.agrees for said in found.statements] == [False] * 3


def test_every_page_with_examples_of_an_operator_is_here():
    if not SHARED.exists():
        pytest.skip(f"{SHARED} is not here to be read")
    seen = {*(_NAME.format(key) for key in OPERATORS)}
    seen |= {f"family/ns-directml-dml_{key}_desc.md" for key in JUDGED}
    for path in sorted((SHARED / "family").glob("*_desc.md")):
        document = read_document(path.read_bytes(), path.name)
        if document.examples and f"family/{path.name}" not in seen:
            # what has no findings of its own to list is right as it stands
            assert {verdict.status for verdict in verify(document, ("numpy",))} == {"match"}


def lengths(*tensors):
    return "\n".join(
        (
            "DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC",
            "Axis: 0",
            "InputTensor: (Sizes:{2}, DataType:INT32) [1, 2]",
            *tensors,
            "OutputTensor: (Sizes:{2}, DataType:INT32) [2, 1]",
        )
    )


def test_a_tensor_of_an_unknown_name_is_the_one_that_lacks():
    page = lengths("TurnsTensor: (Sizes:{1}, DataType:UINT32) [2]")
    found = read_document(page)
    assert [(f.line, f.message) for f in found.all_findings] == [
        (4, "TurnsTensor is read as SequenceLengthsTensor, the only input that the example lacks.")
    ]
    assert {v.status for v in verify(found, ["numpy"])} == {"match"}


@pytest.mark.parametrize(
    "tensors",
    [
        ["TurnsTensor: (Sizes:{1}, DataType:UINT32) [2]"] * 2,
        [
            "SequenceLengthsTensor: (Sizes:{1}, DataType:UINT32) [2]",
            "TurnsTensor: (Sizes:{1}, DataType:UINT32) [2]",
        ],
        ["Turns: (Sizes:{1}, DataType:UINT32) [2]"],
        ["SequenceLenghtsTensor: (Sizes:{1}, DataType:UINT32) [2]"],
    ],
    ids=["two", "none lacks", "no tensor's name", "a typing error"],
)
def test_else_it_belongs_to_no_example(tensors):
    found = read_document(lengths(*tensors))
    unreadable = [e.unreadable.message for e in found.examples if e.unreadable]
    assert any("no operator here has a tensor named" in message for message in unreadable)


def test_only_an_optional_input_can_be_absent():
    found = read_document(lengths("SequenceLengthsTensor: none"))
    (example,) = found.examples
    assert example.unreadable.line == 4
    assert example.unreadable.message == (
        "SequenceLengthsTensor is required, but the example says that there is none."
    )
    optional = [s.name for s in operator_class("diagonal-matrix").input_slots if s.optional]
    assert optional == ["InputTensor"]


def document(key):
    name = _NAME.format(key)
    return read_document(real(name), name)


def test_these_are_all():
    assert [_NAME.format(key) for key in OPERATORS] == list(FAMILY)


@pytest.mark.parametrize("key", OPERATORS)
def test_what_is_read(key):
    found = document(key)
    assert found.problem == ""
    assert found.structure == f"DML_{key.upper()}_OPERATOR_DESC"
    assert [example.operator for example in found.examples] == OPERATORS[key]
    assert [(f.line, f.message) for f in found.all_findings] == FINDINGS[key]
    assert all(said.agrees for said in found.statements)


@pytest.mark.parametrize("key", OPERATORS)
def test_every_example_matches_in_every_engine_but_one(key):
    """GATHER's third says that its list of indices has two dimensions; DirectML refuses that."""
    found = document(key)
    wrong = [v for v in verify(found, available()) if v.status != "match"]
    if key != "gather":
        assert not wrong
        return
    assert {v.example.title for v in wrong} == {"Example 3. 2D, Axis 1, swap columns"}
    for verdict in wrong:
        assert verdict.status == "refused"
        assert verdict.message == (
            "line 151: IndexDimensions: 2 would make {3, 1, 2}, 3 dimensions; the output has 2 "
            "like the input, and only leading ones can be dropped."
        )


@pytest.mark.parametrize("key", OPERATORS)
def test_all_were_asked_of_directml(key):
    found = document(key)
    ran = [v.engine for v in verify(found, available()) if v.status == "match"]
    right = len(found.examples) - (key == "gather")
    assert ran.count(available()[-1]) == right


@pytest.mark.parametrize("key", OPERATORS)
@pytest.mark.parametrize("how", ["crlf", "utf-16"])
def test_however_it_is_saved(key, how):
    page = real(_NAME.format(key))
    saved = page.replace("\n", "\r\n").encode() if how == "crlf" else page.encode("utf-16")
    found = read_document(saved)
    assert [(f.line, f.message) for f in found.all_findings] == FINDINGS[key]


def test_every_other_page_of_the_family_is_said_to_be_unsupported_or_is_judged():
    """Whatever they are about, none is taken for a page of another operator."""
    if not SHARED.exists():
        pytest.skip(f"{SHARED} is not here to be read")
    for path in sorted((SHARED / "family").glob("*_desc.md")):
        found = read_document(path.read_bytes(), path.name)
        own = path.name.removeprefix("ns-directml-").removesuffix("_desc.md").upper()
        assert found.structure.startswith(own), path.name
        assert found.examples or found.problem, path.name
