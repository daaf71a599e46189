"""What is certain is put right, and nothing else."""

import difflib
import json
import re

import pytest

from dmlviz.verify import available, built_in, check, read_document
from dmlviz.verify.fixes import as_diff, edited, edits, is_no_worse
from tests.verify.pages import REAL, TILE, real

SLIPS = TILE.replace("3],\n [4, 5, 6]]", "3]\n [4, 5, 6]]", 1).replace("OutputT", "InputT")
WRONG = TILE.replace("4, 5, 6, 4, 5, 6", "4, 5, 6, 4, 9.50, 6")


def report(page, names=("numpy",)):
    return check(read_document(page), page, names)


def fixed(page, *, values=False, names=("numpy",)):
    """The page after all edits, of which nothing is left and that verifies no worse."""
    before = report(page, names)
    page = edited(page, edits(page, before, values=values))
    after = report(page, names)
    assert edits(page, after, values=values) == ()
    assert is_no_worse(before, after, values=values)
    return page


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_commas_and_the_label_of_the_output(end):
    assert fixed(SLIPS.replace("\n", end)) == TILE.replace("\n", end)


def test_only_the_lines_with_slips_change():
    page = f"Préface — «é»\r\n\n{SLIPS}\rend without a line end"
    assert fixed(page) == page.replace(SLIPS, TILE)


def test_in_a_page_of_html():
    assert fixed(f"<html><body><pre>{SLIPS}</pre></body></html>") == (
        f"<html><body><pre>{TILE}</pre></body></html>"
    )


@pytest.mark.parametrize("before", ["> ", "// "])
def test_in_lines_with_marks_before_them(before):
    marked = [re.sub("^", before, page, flags=re.MULTILINE) for page in (SLIPS, TILE, WRONG)]
    assert fixed(marked[0]) == marked[1]
    assert fixed(marked[2], values=True) == marked[1]


@pytest.mark.parametrize("slips", [SLIPS, WRONG])
def test_in_the_second_part_of_a_page_about_several_operators(slips):
    first = next(page.text for page in built_in() if page.key == "padding")
    assert fixed(first + slips, values=True) == first + TILE


def test_a_notebook_stays():
    lines = WRONG.replace("3],", "3]", 1).splitlines(keepends=True)
    source = ",\n".join(json.dumps(line) for line in lines)
    page = f'{{"nbformat": 4, "cells": [{{\n"source": [\n{source}\n]}}]}}'
    assert [verdict.status for verdict in report(page).verdicts] == ["mismatch"]
    assert edits(page, report(page), values=True) == ()


def test_values_only_on_request():
    assert fixed(WRONG) == WRONG
    assert fixed(WRONG, values=True) == TILE
    assert fixed(WRONG, values=True, names=available()) == TILE


@pytest.mark.parametrize(
    "page",
    [
        # skipped, contradicts itself, cannot be read, has other sizes than the engine's
        "<!-- dmlviz: skip (see 12) -->\n" + SLIPS,
        SLIPS.replace("{2, 6}, DataType:FLOAT32", "{2, 6}, DataType:INT8"),
        SLIPS.replace("[1, 2, 3, 1", "[1, x, 3, 1"),
        WRONG.replace("{1, 2}", "{2, 1}"),
        # letters that are not those of the page's text: markup, an entity
        SLIPS.replace("[[1, 2, 3]\n", "[[1, 2, <b>3</b>]\n").replace(
            "InputTensor: (Sizes:{2, 6}", "OutputTensor: (Sizes:{2, 6}"
        ),
        WRONG.replace("9.50", "&#57;"),
        # a blank between numbers may be anything
        TILE.replace("4, 5, 6]]\nO", "4, 5 6]]\nO"),
    ],
)
def test_what_is_not_certain_stays(page):
    assert edits(page, report(page), values=True) == ()


def test_an_input_shared_with_a_skipped_example_stays():
    second = "\nRepeats: {1, 2}\nOutputTensor: (Sizes:{2, 6}, DataType:FLOAT32)\n[[1, 2, 3, 1, 2, 3],\n [4, 5, 6, 4, 5, 6]]\n"
    page = TILE.replace("3],\n [4, 5, 6]]", "3]\n [4, 5, 6]]", 1)
    skipped = f"{page}\n<!-- dmlviz: skip (later) -->\n{second}"
    assert [v.status for v in report(skipped).verdicts] == ["match", "skipped"]
    assert edits(skipped, report(skipped)) == ()
    assert fixed(page + second) == TILE + second


def test_engines_that_disagree_change_nothing(monkeypatch):
    found = report(WRONG, ("numpy", "directml-recorded", "numpy"))
    other = found.verdicts[1].outputs["OutputTensor"].copy()
    other[0, 0] = 8
    object.__setattr__(found.verdicts[1], "outputs", {"OutputTensor": other})
    assert edits(WRONG, found, values=True) == ()


@pytest.mark.parametrize("name", REAL)
def test_published_pages(name):
    page = real(name)
    again = fixed(page)
    assert re.sub(r",|In|Out", "", again) == re.sub(r",|In|Out", "", page)
    messages = [f.message for f in read_document(again).all_findings]
    assert not [m for m in messages if "comma behind" in m or "second InputTensor" in m]


def test_a_change_of_meaning_is_worse():
    before = report(TILE)
    for page in (WRONG, TILE.replace("1, 2}", "2, 1}", 1), TILE + "\n" + TILE, ""):
        assert not is_no_worse(before, report(page), values=True)
    assert is_no_worse(before, before)
    assert not is_no_worse(report(WRONG), before)
    assert is_no_worse(report(WRONG), before, values=True)


@pytest.mark.parametrize("end", ["", "\n"])
def test_the_diff_is_the_one_of_diff(end):
    page = "".join(f"line {n}\n" for n in range(20)) + SLIPS + "".join(map(str, range(9))) + end
    changes = edits(page, report(page))
    after = edited(page, changes)
    old, new = (text.splitlines(keepends=True) for text in (page, after))
    due = "".join(difflib.unified_diff(old, new, "a.md", "a.md"))
    assert as_diff(page, after, "a.md").replace("\n\\ No newline at end of file\n", "") == due
