"""Programs that ask for much, through every door that takes code: a sentence, for little.

Work is counted where it is done; the processor's time has a limit that is far above what any needs.
"""

from __future__ import annotations

import ast
import json
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest

import dmlviz
from dmlviz.__main__ import main
from dmlviz.base import budget
from dmlviz.base.addresses import write_link
from dmlviz.base.budget import spend
from dmlviz.base.errors import Error
from dmlviz.classroom.polls import read_polls
from dmlviz.classroom.showing import NoPicture, question_movement, question_picture
from dmlviz.code import CodeRefused
from dmlviz.extensions.movement import MovementRefused, movement
from dmlviz.live.page import answer
from dmlviz.states.pages import changed, first_of, read_page
from dmlviz.teaching.call_settings import call_as_operator
from dmlviz.verify import check, read_document
from tests.fuzz.doors import check_sentence
from tests.fuzz.hostile import programs
from tests.memory import at_most
from tests.thorough import tries

pytestmark = pytest.mark.slow

SECONDS = 2.5
"""Of the processor's time: the slowest needs 0.7."""

MEMORY = 200 << 20

SPENDING = (
    *("arguments", "builder", "writing", "python.calls", "python.expressions", "python.numbers"),
    *("python.reader", "python.values"),
)
"""The modules of code that spend."""

PACKAGE = Path(dmlviz.__file__).parent


def look(parameters: dict[str, str]) -> None:
    """Everything that the page for code makes of a link."""
    opened = read_page("code", parameters)
    state = opened.state
    for problem in opened.problems:
        check_sentence(problem.message, repr(parameters))
    for make in (
        state.scenes,
        state.comparison,
        lambda: [part.chain for part in state.around().parts],
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
    except CodeRefused as error:
        for part in error.parts:
            assert part.run().agrees
        check_sentence(str(error), parameters["code"])
    except Error as error:
        check_sentence(str(error), parameters["code"])


def change(parameters: dict[str, str]) -> None:
    """A change of the form, and of the page without a server."""
    try:
        changed(first_of("code"), "code", parameters["code"])
    except Error as error:
        check_sentence(str(error), parameters["code"])
    link = write_link("code", parameters)
    changes = [["code", parameters["code"][::-1]], ["code", parameters["code"]]]
    answer(json.dumps({"link": link, "language": "en", "changes": changes}))


def draw(parameters: dict[str, str]) -> None:
    """A directive of a documentation's page."""
    with suppress(MovementRefused):
        movement(parameters["code"], {"sizes": parameters.get("sizes", "")})


def search(parameters: dict[str, str]) -> None:
    """The box in which a line is typed."""
    for line in parameters["code"].splitlines():
        call_as_operator(line)


def run(parameters: dict[str, str]) -> None:
    """The command."""
    arguments = [
        f"--input={part.replace(':', '=')}" for part in parameters.get("sizes", "x:6").split(";")
    ]
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main(["code", parameters["code"], *arguments]) in (0, 1, 2)


@dataclass(frozen=True)
class Door:
    """Where code of a stranger's comes in.

    Attributes:
        go: what it does with a program, which has the parameters of a link.
        count: how many programs go through it.
        modules: that read code for it.
    """

    go: Callable[[dict[str, str]], None]
    count: int
    modules: frozenset[str]


def door(go: Callable[[dict[str, str]], None], count: int, *modules: str) -> Door:
    return Door(go, count, frozenset(modules))


DOORS = {
    "a link": door(look, 300, "app.share", "app.code_page", "teaching.facts", "notebook.explorer"),
    "a question of a class": door(
        ask, 40, "classroom.polls", "classroom.showing", "teaching.kinds.line"
    ),
    "a page to verify": door(verify, 60, "verify.python_examples", "app.verify_page"),
    "a call": door(call, 60, "__init__"),
    "a change": door(change, 40, "app.page", "live.page"),
    "a directive": door(draw, 40, "extensions.movement"),
    "a search": door(search, 40, "teaching.call_settings"),
    "a command": door(run, 40, "commands.code"),
}
READERS = frozenset(
    (
        *("read", "run_code", "code", "read_model", "Session", "code_inputs", "suggested"),
        *("read_code_parameters", "read_any_link", "read_page", "call_as_operator", "fitted"),
    )
)


def test_every_module_that_reads_code_belongs_to_a_door():
    found = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        if name.partition(".")[0] in ("code", "states"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                ("dmlviz.code", "dmlviz.states")
            ):
                found |= {name for alias in node.names if alias.name in READERS}
    # lessons and presets read their own code alone
    own = {"teaching.code_presets"}
    listed = frozenset[str]().union(*(each.modules for each in DOORS.values()))
    assert "teaching.call_settings" in found
    assert found - own - listed == set(), "they read code, and belong to no door"


@pytest.mark.parametrize("name", DOORS)
def test_programs_that_ask_for_much_cost_little(name, monkeypatch):
    without = []

    def watched(kind, count=1):
        if not any(kind in each.left for each in budget._open.get()):
            without.append(kind)
        spend(kind, count)

    for module in SPENDING:
        # dmlviz.code is also the name of a function
        monkeypatch.setattr(import_module(f"dmlviz.code.{module}"), "spend", watched)
    spent = 0.0
    with at_most(MEMORY):
        for parameters in programs(tries(DOORS[name].count), seed=len(name)):
            start = time.process_time()
            DOORS[name].go(parameters)
            taken = time.process_time() - start
            spent += taken
            assert taken < SECONDS, parameters
    assert spent > 0
    assert without == [], "work without a bound"
