"""A ratio that falls by more than a fifth against RESULTS.md is marked, and no other figure."""

from __future__ import annotations

import re

import pytest

from benchmarks.against import RESULTS, fallen, missing, tables
from benchmarks.tables import table

TEXT = RESULTS.read_text(encoding="utf-8")


def one(column, figure, name="a row"):
    return table(["what", column], [[name, figure]]) + "\n"


@pytest.mark.parametrize(
    ("column", "before", "after", "marked"),
    [
        ("times tuned", "1.00", "0.81", False),
        ("times tuned", "1.00", "0.79", True),
        ("times tuned", "1.00", "2.00", False),
        ("times", "1,000", "700", True),
        ("times the naive page", "1.00", "1.24", False),
        ("times the naive page", "1.00", "1.26", True),
        ("times the naive page", "1.00", "0.50", False),
        ("numpy / idiom", "1.00", "1.30", True),
        ("a page, times the first", "1.00", "1.30", True),
        ("p50 ms", "1.00", "9.00", False),
        ("times", "-", "9.00", False),
    ],
)
def test_a_fifth(column, before, after, marked):
    found = fallen(one(column, before), one(column, after))
    assert found == ([f"a row, {column}: {after} instead of {before}"] if marked else [])


def test_the_row_times_as_much():
    more = ("idle cores", "20", "times as much")
    assert fallen(one(*more), one("idle cores", "10", "times as much")) != []
    assert fallen(one(*more), one("idle cores", "40", "times as much")) == []


def test_every_row_of_the_results_is_compared():
    assert len(tables(TEXT)) >= 10
    assert all(len(found.named()) == len(found.rows) > 0 for found in tables(TEXT))
    assert fallen(TEXT, TEXT) == missing(TEXT, TEXT) == []
    # the slowest imaginable: nothing is done, and everything costs a thousand times as much
    worse = re.sub(r"(\| dmlviz: a setting[^|]*(?:\|[^|]*){2}\|)[^|]*", r"\1 0.01 ", TEXT)
    worse = re.sub(r"(\| Tile \| 1 KB (?:\|[^|]*){1}\|)[^|]*", r"\1 1340 ", worse)
    found = [told.partition(" instead")[0] for told in fallen(TEXT, worse)]
    assert found == [
        "dmlviz: a setting: Repeats[3], times tuned: 0.01",
        "Tile, 1 KB, numpy / idiom: 1340",
    ]


def test_tables_that_were_not_printed():
    head = " | ".join(tables(TEXT)[0].head)
    assert missing(TEXT, TEXT.replace(head, head.replace("interaction", "other"))) == [head]
