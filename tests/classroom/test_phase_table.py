"""The table of phases: it is whole, pages read it, and know no phase by its name."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from dmlviz.base.words import speaking
from dmlviz.classroom import views
from dmlviz.classroom.phase_table import FOLLOWING, JOIN, PHASES, REOPENED, TABLE
from dmlviz.classroom.phases import adjust, extend, move, pause
from dmlviz.classroom.polls import read_polls
from dmlviz.classroom.refusals import NotNow
from dmlviz.classroom.tables import CLASS
from dmlviz.classroom.tally import Counts, Tally
from tests.classroom.conftest import QUESTIONS
from tests.classroom.test_phases import begun

PAGES = Path(views.__file__).parent / "pages"
TALK = {"key": "talk", "kind": "discussion", "prompt": "Why?", "answer": "", "link": ""}
POLLS = read_polls([QUESTIONS[0], TALK, QUESTIONS[1]])


def walks():
    """A class in each phase of each question, at each place that an action of it leads to."""
    waiting, seen = [begun(polls=POLLS, seconds=30)], {}
    while waiting:
        here = waiting.pop()
        key = here.phase, here.number, here.round, here.step, here.phase_before
        if key not in seen:
            seen[key] = here
            changes = (each["change"] for each in actions(here))
            waiting += [applied(here, change) for change in changes]
    return [*seen.values()]


def actions(here, advice=""):
    return views.place(here, 0, "teacher", advice)["actions"]


def applied(here, change):
    return adjust(here, 0, **change) if "step" in change else move(here, change["to"], 0)


def test_every_phase_is_reached_by_buttons_and_the_one_key_goes_to_the_end():
    assert {here.phase for here in walks()} == set(PHASES)
    for advice in ("", "discuss", "explain", "go_on"):
        here, steps = begun(polls=POLLS), 0
        while main := [each for each in actions(here, advice) if each["main"]]:
            here, steps = applied(here, main[0]["change"]), steps + 1
        assert (here.phase, steps < 40) == ("over", True)


def test_every_row_names_phases_and_fits_its_column():
    for phase in TABLE:
        assert {*phase.after, *filter(None, [phase.ends])} <= set(PHASES), phase.name
        assert len(phase.name) <= CLASS.c.phase.type.length
        # what ends by its clock opens again, and answers count until then
        assert (phase.ends == "") == (not phase.votes), phase.name
        assert bool(FOLLOWING[phase.name])
    assert len(PHASES) == len(TABLE)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_phase_has_its_texts(language):
    for here in walks():
        with speaking(language):
            told = [views.place(here, 0, role)["note"] for role in ("learner", "wall", "teacher")]
            labels = [each["label"] for each in actions(here)]
        assert told[0]
        assert told[2]
        # before the first question the wall shows how to join
        assert bool(told[1]) == (here.phase != JOIN)
        assert all(labels)
        assert not [text for text in (*told, *labels) if "{" in text]


def test_a_page_can_do_what_the_class_accepts_and_nothing_else():
    for here, paused in product(walks(), (False, True)):
        here = pause(here, True, 0) if paused else here
        can = views.place(here, 0, "wall")["can"]
        try:
            extend(here, 15, 0)
            accepted = True
        except NotNow:
            accepted = False
        assert ("more" in can) == accepted, here
        assert ("pause" in can) >= here.kind.votes
        if "pause" in can:
            assert pause(here, can["pause"]["paused"], 0).paused != here.paused
        keys = [each["key"] for each in actions(here) if each.get("key")]
        assert len(keys) == len(set(keys))
        back = [each["change"]["to"] for each in actions(here) if each.get("reopens")]
        assert back == [again for ended, again in REOPENED.items() if ended == here.phase]


def test_a_phone_gets_no_controls_and_no_words_of_the_teacher():
    for here in walks():
        place = views.place(here, 0)
        assert not {"actions", "can"} & place.keys()
        assert place["note"] == here.kind.phone(here)


def test_the_advice_has_its_words_where_the_next_phase_depends_on_it():
    closed = move(move(begun(), "ask", 0), "closed", 0)
    counts = Counts(3, 0, (Tally({"1": 1, "0": 2}, 1), Tally({}, 0)))
    told = views.counted(closed, counts, 0, 9, teacher=True)
    assert (told["advice"], told["advice_text"][:9]) == ("explain", "33% right")
    revealed = move(closed, "reveal", 0)
    assert views.counted(revealed, counts, 0, 9, teacher=True)["advice_text"] == ""


def test_pages_know_no_phase_by_its_name():
    names = "|".join(PHASES)
    named = re.compile(
        rf"""(["'`])(?:(?:\w+_)?(?:{names}))\1|data-phase|\.phase\s*[!=]==?\s*["'`]"""
    )
    for file in sorted([*PAGES.glob("*.js"), *PAGES.glob("*.css")]):
        # a refusal of the same name is no phase
        text = re.sub(r'error === "\w+"', "", file.read_text(encoding="utf-8"))
        assert not named.findall(text), file.name
