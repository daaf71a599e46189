"""DirectML's documentation as it is published, with all its slips."""

import re
import tomllib
from pathlib import Path

import pytest

from dmlviz.operators import operator_class
from dmlviz.verify import available, read_document, verify
from tests.verify.pages import CLASSES, FAMILY, REAL, SHARED, real

PAGES = tomllib.loads(Path(__file__).with_name("published.toml").read_text(encoding="utf-8"))
"""What is read of each page, and what the engines say."""
NAMES = (*REAL, *FAMILY)
"""Pages whose examples are right, but for one of GATHER's."""


def document(name):
    return read_document(real(name), name)


def findings(document):
    return [[found.line, found.message] for found in document.all_findings]


def test_these_are_all():
    assert {*NAMES} <= {*PAGES}


@pytest.mark.parametrize("name", PAGES)
def test_what_is_read(name):
    due, found = PAGES[name], document(name)
    assert bool(found.problem) == (not due["statuses"])
    assert [repr(e.operator) for e in found.examples if e.operator] == due.get("operators", [])
    assert findings(found) == due.get("findings", [])
    stated = [[said.message.split(" = ")[0], said.agrees] for said in found.statements]
    assert stated == due.get("statements", [])
    if name in REAL:
        assert found.structure == CLASSES[REAL[name]].structure
    elif name in FAMILY:
        key = name.removeprefix("family/ns-directml-").removesuffix("_desc.md").upper()
        assert found.structure == f"{key}_DESC"


@pytest.mark.parametrize("name", PAGES)
def test_what_every_engine_says(name):
    due, found = PAGES[name], verify(document(name), available())
    *others, recorded = available()
    for engine in others:
        assert [v.status for v in found if v.engine == engine] == due["statuses"]
    asked = [v.status for v in found if v.engine == recorded]
    assert asked == due.get("directml", due["statuses"])


def test_the_wrong_example_of_gather():
    """GATHER's third says that its list of indices has two dimensions; DirectML refuses that."""
    found = verify(document("family/ns-directml-dml_gather_operator_desc.md"), available())
    wrong = [v for v in found if v.status != "match"]
    assert {v.example.title for v in wrong} == {"Example 3. 2D, Axis 1, swap columns"}
    assert {v.message for v in wrong} == {
        "line 151: IndexDimensions: 2 would make {3, 1, 2}, 3 dimensions; the output has 2 "
        "like the input, and only leading ones can be dropped."
    }


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("how", ["crlf", "utf-16", "mark"])
def test_however_it_is_saved(name, how):
    page = real(name)
    data = {
        "crlf": page.replace("\n", "\r\n").encode(),
        "utf-16": page.encode("utf-16"),
        "mark": page.encode("utf-8-sig"),
    }[how]
    found = read_document(data)
    assert findings(found) == PAGES[name].get("findings", [])
    assert [v.status for v in verify(found)] == PAGES[name]["statuses"]


@pytest.mark.parametrize("name", REAL)
def test_with_all_its_lines_run_together(name):
    document = read_document(" ".join(real(name).split("\n")))
    verdicts = verify(document)
    assert len(verdicts) == len(CLASSES[REAL[name]].examples())
    assert {v.status for v in verdicts} == {"match"}
    assert {f.line for f in document.all_findings} <= {1}


def test_sizes_stated_the_wrong_way_round():
    told = read_document(real("space-to-depth1.source.md")).statements
    title = "Example 1. Depth-column-row order"
    assert [(said.line, said.message) for said in told] == [
        (
            78,
            "OutputTensor.Sizes[1] = Channels / (BlockSize * BlockSize): 2 / (2 * 2) = 1/2, but "
            f"in {title} OutputTensor.Sizes[1] is 8.",
        ),
        (
            78,
            "OutputTensor.Sizes[2] = Height * BlockSize: 4 * 2 = 8, but in "
            f"{title} OutputTensor.Sizes[2] is 2.",
        ),
        (
            78,
            "OutputTensor.Sizes[3] = Width * BlockSize: 6 * 2 = 12, but in "
            f"{title} OutputTensor.Sizes[3] is 3.",
        ),
    ]


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
    # of {1, 1, 2, 2}, two dimensions or more can count; of {2, 1} and of batches, one number can
    lacking = f"DML_{key.upper()}_DESC needs the field IndicesDimensionCount."
    open_ones = [lacking] if (key, example) == ("gather_nd_operator", 1) else []
    assert [e.unreadable.message for e in examples if e.unreadable] == open_ones
    counts_read = [e.operator.indices_dimension_count for e in examples if e.operator]
    assert counts_read == ([2] if open_ones else [2, 3] if "1" in key else [2, 2])


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


def test_every_other_page_of_the_family_is_right_or_has_no_examples_of_ours():
    """Whatever they are about, none is taken for a page of another operator."""
    if not SHARED.exists():
        pytest.skip(f"{SHARED} is not here to be read")
    for path in sorted((SHARED / "family").glob("*_desc.md")):
        found = read_document(path.read_bytes(), path.name)
        own = path.name.removeprefix("ns-directml-").removesuffix("_desc.md").upper()
        assert found.structure.startswith(own), path.name
        assert found.examples or found.problem, path.name
        if found.examples and f"family/{path.name}" not in PAGES:
            # what has no findings of its own to list is right as it stands
            assert {verdict.status for verdict in verify(found, ("numpy",))} == {"match"}


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
