"""DirectML's documentation as it is published, with all its slips."""

import pytest

from dmlviz.verify import available, read_document, verify
from tests.verify.pages import CLASSES, REAL, real

FINDINGS = {
    "depth-to-space1.en.txt": [
        (56, "the example uses the InputTensor of line 36."),
        (68, "the example uses the InputTensor of line 36."),
    ],
    "depth-to-space1.fr.md": [
        (137, "the example uses the InputTensor of line 113."),
        (153, "the example uses the InputTensor of line 113."),
        (
            177,
            "the page has no table for feature level 5_0, which added FLOAT64, INT64, UINT64.",
        ),
    ],
    "padding.repository-page.txt": [
        (n, "OutputTensor: a comma is missing after a row.") for n in (111, 133, 155, 177)
    ],
    "space-to-depth1.source.md": [
        (
            176,
            "the page has no table for feature level 5_0, which added FLOAT64, INT64, UINT64.",
        ),
    ],
    "tile.en.txt": [
        (30, "InputTensor: a comma is missing after a row."),
        (32, "the second InputTensor is the output."),
        (33, "OutputTensor: commas are missing after 5 rows, on lines 33-37."),
    ],
    "tile.ko.txt": [
        (49, "InputTensor: a comma is missing after a row."),
        (52, "the second InputTensor is the output."),
        (53, "OutputTensor: commas are missing after 5 rows, on lines 53-57."),
    ],
    "tile.source.md": [
        (84, "InputTensor: a comma is missing after a row."),
        (87, "the second InputTensor is the output."),
        (88, "OutputTensor: commas are missing after 5 rows, on lines 88-92."),
        (108, "the page has no table for feature level 4_1, which added INT64, UINT64."),
    ],
}
STATED = {
    "depth-to-space": ["OutputChannelCount", "OutputHeight", "OutputWidth"],
    "padding": ["OutputTensor.Sizes[i]", "StartPadding[i]", "EndPadding[i]"],
    "space-to-depth": [f"OutputTensor.Sizes[{d}]" for d in (1, 2, 3)],
    "tile": ["OutputTensor.Sizes[i]"],
}


@pytest.mark.parametrize("name", REAL)
def test_every_example_matches_in_every_engine(name):
    document = read_document(real(name), name)
    cls = CLASSES[REAL[name]]
    assert document.problem == ""
    assert document.structure == cls.structure
    due = cls.examples()
    assert [example.operator for example in document.examples] == [e.operator for e in due]
    engines = available()
    verdicts = verify(document, engines)
    assert [v.status for v in verdicts] == ["match"] * len(verdicts)
    ran = [verdict.engine for verdict in verdicts]
    for engine in engines[:-1]:
        assert ran.count(engine) == len(due)
    # DirectML was never asked for this operator's page examples
    assert ran.count(engines[-1]) == (0 if REAL[name] == "space-to-depth" else len(due))


@pytest.mark.parametrize("name", REAL)
def test_its_slips_are_found(name):
    found = read_document(real(name)).all_findings
    assert [(finding.line, finding.message) for finding in found] == FINDINGS[name]


@pytest.mark.parametrize("name", REAL)
def test_what_it_states_of_sizes(name):
    told = read_document(real(name)).statements
    assert [said.message.split(" = ")[0] for said in told] == STATED[REAL[name]]
    # this page has the sizes of the inverse operator
    right = REAL[name] != "space-to-depth"
    assert [said.agrees for said in told] == [right] * len(told)


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


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("how", ["crlf", "utf-16", "mark"])
def test_however_it_is_saved(name, how):
    page = real(name)
    data = {
        "crlf": page.replace("\n", "\r\n").encode(),
        "utf-16": page.encode("utf-16"),
        "mark": page.encode("utf-8-sig"),
    }[how]
    document = read_document(data)
    assert [(f.line, f.message) for f in document.all_findings] == FINDINGS[name]
    assert {v.status for v in verify(document)} == {"match"}


@pytest.mark.parametrize("name", REAL)
def test_with_all_its_lines_run_together(name):
    document = read_document(" ".join(real(name).split("\n")))
    verdicts = verify(document)
    assert len(verdicts) == len(CLASSES[REAL[name]].examples())
    assert {v.status for v in verdicts} == {"match"}
    assert {f.line for f in document.all_findings} <= {1}
