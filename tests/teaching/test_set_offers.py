"""What a class is put together from, and the search in it."""

from __future__ import annotations

import pytest

from dmlviz.base import words
from dmlviz.teaching.sets import (
    ClassSet,
    LessonPick,
    PresetPick,
    SetPart,
    fitted,
    matching_offers,
    missing_of,
    offers,
)


def keys(typed):
    return [offer.key for offer in matching_offers(typed)]


def test_every_offer_has_a_name_of_its_own():
    named = [offer.key for offer in offers()]
    assert len(set(named)) == len(named)
    assert all(offer.parts for offer in offers())
    assert {offer.is_whole for offer in matching_offers("")} == {True}


@pytest.mark.parametrize(
    ("typed", "first", "after"),
    [
        # a whole word in the title, whatever the length of the title is
        ("gather", "lesson-gather", "preset-gather-elements-first"),
        ("pad", "preset-code-pad-order", "lesson-padding-modes"),
        # a word of the question comes after words of titles
        ("stride", "lesson-slice", "part-views-and-copies-1"),
    ],
)
def test_whole_words_in_titles_come_first(typed, first, after):
    listed = keys(typed)
    assert listed.index(first) < listed.index(after)


def test_all_words_must_be_there():
    assert keys("gather negative") == ["part-gather-5"]
    assert keys("gather nothing") == []


def test_a_name_in_a_library_finds_its_operator():
    found = matching_offers("torch.gather")
    assert {"gather-elements"} <= {key for offer in found for key in offer.operators}


def test_code_is_searched():
    assert any(key.startswith("preset-code-") for key in keys("conv2d"))


def test_titles_are_searched_in_the_readers_language():
    with words.speaking("ko"):
        title = next(offer for offer in offers() if offer.key == "lesson-gather").title
        assert "lesson-gather" in keys(title.split()[-1])


def test_only_what_is_missing_is_added():
    lesson = next(offer for offer in offers() if offer.key == "lesson-tile")
    there = (SetPart(LessonPick("tile", 2), 9, "mine"),)
    assert [part.pick.number for part in missing_of(lesson, there)] == [1, 3]


@pytest.mark.parametrize("minutes", [(1, 3, 0), (0, 0), (5,), (1,) * 40, (180, 1, 1)])
def test_a_class_that_is_fitted_is_as_long_as_usual(minutes):
    parts = tuple(SetPart(PresetPick("a"), each) for each in minutes)
    assert fitted(ClassSet("A", parts)).minutes == 45
    assert min(part.minutes for part in fitted(ClassSet("A", parts)).parts) >= 1
