"""Programs that ask for much, through every door that takes code: a sentence, for little.

Work is counted where it is done; the processor's time has a limit that is far above what any needs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module

import pytest

import dmlviz
from dmlviz.base import budget
from dmlviz.base.addresses import write_link
from dmlviz.base.budget import spend
from dmlviz.base.errors import Error
from dmlviz.classroom.polls import read_polls
from dmlviz.classroom.showing import NoPicture, question_movement, question_picture
from dmlviz.states.pages import read_page
from dmlviz.verify import check, read_document
from tests.fuzz.doors import check_sentence
from tests.fuzz.hostile import programs
from tests.memory import at_most
from tests.thorough import tries

SECONDS = 2.5
"""Of the processor's time: the slowest needs 0.7."""

MEMORY = 200 << 20


def look(parameters: dict[str, str]) -> None:
    """Everything that the page for code makes of a link."""
    opened = read_page("code", parameters)
    state = opened.state
    for problem in opened.problems:
        check_sentence(problem.message, repr(parameters))
    for make in (
        state.scenes,
        state.comparison,
        state.address,
        lambda: state.trace().formula,
        lambda: state.trace().same_as,
        lambda: [step.trace for step in state.trace().steps],
    ):
        try:
            make()
        except Error as error:
            check_sentence(str(error), repr(parameters))


def ask(parameters: dict[str, str]) -> None:
    """A question of a class."""
    link = write_link("code", parameters)
    talk = {"key": "a", "kind": "discussion", "prompt": "Why?", "answer": "", "link": link}
    try:
        (poll,) = read_polls([talk])
    except Error as error:
        check_sentence(str(error), link)
        return
    for make in (lambda: question_picture(poll, False, 640), lambda: question_movement(poll)):
        with suppress(NoPicture):
            make()


def verify(parameters: dict[str, str]) -> None:
    """A page of documentation."""
    page = f"# Code\n\n```python\nimport numpy as np\n{parameters['code']}\n```\n\n```\n[1]\n```\n"
    check(read_document(page, "page.md"), page)


def call(parameters: dict[str, str]) -> None:
    """The call of a notebook."""
    try:
        dmlviz.code(parameters["code"], x=(6,)).formula  # noqa: B018
    except Error as error:
        check_sentence(str(error), parameters["code"])


DOORS: dict[str, tuple[Callable[[dict[str, str]], None], int]] = {
    "a link to the page for code": (look, 300),
    "a question of a class": (ask, 40),
    "a page to verify": (verify, 60),
    "a call": (call, 60),
}


@pytest.mark.parametrize("door", DOORS)
def test_programs_that_ask_for_much_cost_little(door, monkeypatch):
    without = []

    def watched(kind, count=1):
        if not any(kind in each.left for each in budget._open.get()):
            without.append(kind)
        spend(kind, count)

    for module in ("arguments", "arithmetic", "builder", "reader"):
        # dmlviz.code is also the name of a function
        monkeypatch.setattr(import_module(f"dmlviz.code.{module}"), "spend", watched)
    go, count = DOORS[door]
    spent = 0.0
    with at_most(MEMORY):
        for parameters in programs(tries(count), seed=len(door)):
            start = time.process_time()
            go(parameters)
            taken = time.process_time() - start
            spent += taken
            assert taken < SECONDS, parameters
    assert spent > 0
    assert without == [], "work without a bound"
