"""How much of a page was checked: what is not checked is counted, with its line."""

import json

import pytest

from dmlviz.__main__ import main
from dmlviz.verify import as_lines, as_markdown, check, document_data, read_document, verify
from dmlviz.verify.reader import CheckedCount
from tests.verify.pages import TILE

FORMULA = "OutputTensor.Sizes[i] = InputTensor.Sizes[i] * Repeats[i]"
TYPES = "FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8"
TABLE = f"InputTensor 4 {TYPES}\nOutputTensor 4 {TYPES}\n"
PAGE = (
    f"{TILE}\n{FORMULA}\nOutputTensor.Sizes[i] = max(InputTensor.Sizes[i], Repeats[i])\n"
    "This operator was introduced in DML_FEATURE_LEVEL_3_0.\n"
    f"### DML_FEATURE_LEVEL_3_1\n{TABLE}### DML_FEATURE_LEVEL_3_0\nInput: all types\n"
)


def test_what_is_checked_and_what_is_not():
    coverage = read_document(PAGE).coverage
    assert coverage.examples == CheckedCount(1)
    assert coverage.formulas == CheckedCount(1, (11,))
    assert coverage.tables == CheckedCount(1, (16,))
    assert coverage.introductions == CheckedCount(1)
    report = check(read_document(PAGE), PAGE)
    assert document_data(report)["checked"] == {
        "examples": {"checked": 1, "unchecked": []},
        "tables": {"checked": 1, "unchecked": [16]},
        "formulas": {"checked": 1, "unchecked": [11]},
        "introductions": {"checked": 1, "unchecked": []},
        "python": {"checked": 0, "unchecked": []},
    }
    lines = as_lines(report)
    assert lines[-2:] == [
        "  not checked: the feature-level table below line 16",
        "  not checked: the formula on line 11",
    ]
    assert "- not checked: the formula on line 11\n" in as_markdown(report)


def test_examples_that_cannot_be_read_or_are_left_out():
    page = PAGE.replace("Repeats: {1, 2}", "Repeats: two")
    assert read_document(page).coverage.examples.checked == 0
    assert read_document(page).coverage.examples.unchecked
    page = PAGE.replace("Repeats:", "<!-- dmlviz: skip (of old) -->\nRepeats:", 1)
    assert read_document(page).coverage.examples == CheckedCount(0)


def test_an_older_form_has_tables_that_are_not_checked():
    page = PAGE.replace("TILE", "DEPTH_TO_SPACE")
    coverage = read_document(page).coverage
    assert coverage.tables == CheckedCount(0, (13, 16))
    assert coverage.introductions == CheckedCount(0, (12,))


@pytest.mark.parametrize("page", ["", "Text.", PAGE.replace("TILE", "CAST")])
def test_a_page_about_something_else(page):
    document = read_document(page)
    assert document.coverage == type(document.coverage)()


def test_the_summary_counts_all_pages(tmp_path, capsys):
    for name in "ab":
        (tmp_path / f"{name}.md").write_text(PAGE)
    assert main(["verify", str(tmp_path)]) == 0
    assert verify(read_document(PAGE))[0].status == "match"
    told = capsys.readouterr().out.splitlines()
    assert told[-4:-2] == [
        "checked: 2 examples, 2 feature-level tables, 2 lines with formulas and 2 sentences that "
        "say which level introduced the operator.",
        "not checked: 2 feature-level tables and 2 lines with formulas.",
    ]


def test_formats_for_tools_and_reviews_have_the_summary(tmp_path, capsys):
    (tmp_path / "a.md").write_text(PAGE)
    assert main(["verify", "--json", str(tmp_path)]) == 0
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert (summary["runs"], summary["matching"], summary["pages"]) == (1, 1, 1)
    found = {"examples": 1, "tables": 1, "formulas": 1, "introductions": 1, "python": 0}
    assert summary["checked"] == found
    assert summary["unchecked"] == {**found, "examples": 0, "introductions": 0}
    assert main(["verify", "--output-format", "markdown", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        "- 1 of 1 example matches, 1 of 1 pages have examples."
    )
