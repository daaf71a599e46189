"""Pages of SLICE, GATHER, JOIN and SPLIT as they are published, with all their slips."""

import pytest

from dmlviz.documents import available, read_document, verify
from dmlviz.operators import Gather, Join, OneHot, Slice, Split, TopK
from tests.documents.pages import FAMILY, SHARED, real

_NAME = "family/ns-directml-dml_{}_operator_desc.md"


def _lent(line, by="InputTensor of line 119"):
    return (line, f"the example uses the {by}.")


_JOINED = (
    "the example uses InputTensors[0], InputTensors[1], InputTensors[2] of lines 127, 131, 135."
)
_COUNT = "InputCount is not given here; it is the one of line 125."
_REMARKS = "{}Tensor: what follows // among its values, on lines {}, is taken for remarks."
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
}
FINDINGS = {
    "gather": [
        (129, _REMARKS.format("Input", "129-130")),
        (141, _REMARKS.format("Output", "141-143")),
    ],
    "join": [(161, _COUNT), (161, _JOINED), (175, _COUNT), (175, _JOINED)],
    "one_hot": [
        (97, "OutputTensor: what follows // among its values is taken for a remark."),
        (114, "OutputTensor: what follows // among its values is taken for a remark."),
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
}


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
            "like the input, and only ones in front can be left out."
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
