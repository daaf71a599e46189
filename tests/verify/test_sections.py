"""A page about several operators: each part is read as a page of its own."""

import pytest

from dmlviz.verify import as_lines, built_in, check, read_document, verify
from tests.verify.pages import TILE
from tests.verify.test_hostile import fill

PAGES = {page.key: page.text.rstrip("\n") + "\n" for page in built_in()}
JOINED = [("tile", "padding"), ("join", "tile"), ("depth-to-space", "space-to-depth")]


def lines(document, after=0):
    """Everything that is said of a page, with its lines."""
    said = [(v.status, v.line + after, v.message) for v in verify(document)]
    found = [(f.line + after, f.message) for f in document.all_findings]
    stated = [(s.line + after, s.message) for s in document.statements]
    return [*said, *found, *stated, *((row.line + after, row.support) for row in document.support)]


@pytest.mark.parametrize("keys", JOINED)
def test_each_part_as_a_page(keys):
    first, second = (PAGES[key] for key in keys)
    document = read_document(first + second)
    alone = [read_document(page) for page in (first, second)]
    due = [*lines(alone[0]), *lines(alone[1], first.count("\n"))]
    assert sorted(map(str, lines(document))) == sorted(map(str, due))
    assert (document.structure, document.others) == (alone[0].structure, (alone[1].structure,))
    assert document.coverage.examples.checked == len(document.examples)
    assert as_lines(check(document, first + second))[0].endswith(
        f"  {alone[0].structure}, {alone[1].structure}"
    )


def test_a_wrong_value_in_the_second_part():
    page = PAGES["padding"] + TILE.replace("5, 6]]\n", "5, 7]]\n").replace("5, 7", "5, 6", 1)
    verdict = verify(read_document(page))[-1]
    assert (verdict.status, verdict.line) == ("mismatch", page.count("\n"))


def test_a_part_about_an_operator_that_is_not_known():
    page = TILE + "\n## DML_CAST_OPERATOR_DESC\n" + TILE.partition("\n")[2]
    document = read_document(page)
    assert [verdict.status for verdict in verify(document)] == ["match"]
    assert [str(finding) for finding in document.all_findings] == [
        "line 10: DML_CAST_OPERATOR_DESC is not an operator that dmlviz knows."
    ]


@pytest.mark.parametrize(
    "more",
    [
        "# See also\nDML_JOIN_OPERATOR_DESC\nDML_PADDING_OPERATOR_DESC\n",
        "## DML_JOIN_OPERATOR_DESC does the reverse of DML_SPLIT_OPERATOR_DESC\n",
        "struct DML_JOIN_OPERATOR_DESC {\n  UINT Axis;\n};\n",
    ],
)
def test_names_without_examples_begin_no_part(more):
    document = read_document("UID: NS:directml." + TILE + more)
    assert document.others == ()
    assert [verdict.status for verdict in verify(document)] == ["match"]


def test_a_skipped_example_is_skipped_in_its_part():
    page = TILE + PAGES["padding"].replace(
        "## Example 2", "<!-- dmlviz: skip (old) -->\n## Example 2"
    )
    assert [bool(e.skipped) for e in read_document(page).examples] == [
        False,
        *("Example 2" in e.title for e in read_document(PAGES["padding"]).examples),
    ]


def test_the_most_examples_are_those_of_all_parts():
    one = "\nRepeats: {1}\nInputTensor: [1]\nOutputTensor: [1]\n"
    page = "# DML_TILE_OPERATOR_DESC" + one * 300 + "# DML_JOIN_OPERATOR_DESC" + one * 300
    assert "it has 600 examples; the limit is 500" in read_document(page).problem


def test_a_megabyte_of_names():
    page = fill("# DML_TILE_OPERATOR_DESC\n# DML_JOIN_OPERATOR_DESC\n", TILE)
    assert [verdict.status for verdict in verify(read_document(page))] == ["match"]
