"""Presets of the page for code, each with one question; the engine fills in the answers."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from dmlviz.base.cache import cached
from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code import CodeRefused
from dmlviz.code.source import TEXT_LIMIT, parsed
from dmlviz.operators.texts import translated
from dmlviz.states.code import CODE, CodeState, first_code
from dmlviz.states.code_form import code_changed
from dmlviz.states.code_reading import read_code_parameters
from dmlviz.states.pages import AnyState
from dmlviz.teaching.fact_texts import filled
from dmlviz.teaching.facts import facts_on
from dmlviz.teaching.presets import Preset, answer_cells, presets_of
from dmlviz.tensors.types import Sizes

_NAME = regex(r"\.?[A-Za-z_][\w.]*(?:\(\))?")
_LAST_CALL = regex(r"(\w+)\(")
_FILE = Path(__file__).parent / "code.toml"


@dataclass(frozen=True)
class CodePreset:
    """Useful code, and the one question that its picture answers.

    Attributes:
        key: its name among all presets of the page.
        group: what presets have in common that stand together in the page's menu.
        title: a few words, for menus.
        question: one question.
        template: the answer, with placeholders for :class:`dmlviz.teaching.code_facts.CodeFacts`.
        state: what the page opens.
        pictured: whether Home shows it as a card.
    """

    key: str
    group: str
    title: str
    question: str
    template: str
    state: CodeState
    pictured: bool = False

    @property
    def link(self) -> str:
        """Its address, relative to the app's root."""
        return self.state.address()

    @property
    def name(self) -> str:
        """Its name among the presets of all pages."""
        return f"{CODE}-{self.key}"

    @property
    def runs_on(self) -> str:
        """As of :class:`dmlviz.teaching.presets.Preset`: code says itself what it runs on."""
        return ""

    @property
    def refusal(self) -> str:
        """Why the code is refused, if the preset shows that; otherwise empty."""
        try:
            self.state.chain()
        except Error as error:
            return str(error)
        return ""

    @property
    def opens(self) -> bool:
        """Whether there is a picture; if not, the refusal is the answer."""
        return not self.refusal

    @property
    def answer(self) -> str:
        """A few sentences with the numbers on screen; this runs the code."""
        return filled(self.template, facts_on(self.state))

    def cells(self, outputs: Mapping[str, Sizes]) -> tuple[tuple[int, ...], ...]:
        """As :meth:`dmlviz.teaching.presets.Preset.cells`."""
        compared = bool(self.state.compare)
        return answer_cells(self.template, facts_on(self.state), outputs, compared=compared)

    def matches(self, state: CodeState) -> bool:
        """Whether a page asks this question: call and layout do not matter, nor spaces."""
        here, there = (
            (each.library, each.compare_library, each.tensors) for each in (self.state, state)
        )
        return (
            here == there
            and _same_code(self.state.code, state.code)
            and _same_code(self.state.compare, state.compare)
        )


def _same_code(a: str, b: str) -> bool:
    """Whether two texts are the same code: spaces and comments do not matter."""
    if a == b:
        return True
    try:
        one, other = (ast.dump(parsed(text)[0]) for text in (a, b))
    except (CodeRefused, RecursionError):
        return False
    return one == other


@cached(megabytes=0.5)
def code_presets() -> tuple[CodePreset, ...]:
    """The presets of the page for code, in display order; the first is what a new page shows.

    >>> code_presets()[0].key
    'split-columns'
    """
    return tuple(
        CodePreset(
            text["key"],
            translated(text["group"]),
            translated(text["title"]),
            translated(text["question"]),
            translated(text["answer"]),
            _state(text["state"]),
            text.get("pictured", False),
        )
        for text in tomllib.loads(_FILE.read_text(encoding="utf-8"))["presets"]
    )


def _state(parameters: dict[str, str]) -> CodeState:
    opened = read_code_parameters(parameters, CodeState(""))
    for problem in opened.problems:
        raise Error(problem.message, problem.field)
    return opened.state


@cached(megabytes=0.1)
def _calls() -> dict[str, CodeState]:
    """For each name of a call, a line to begin with."""
    calls = tomllib.loads(_FILE.read_text(encoding="utf-8"))["calls"]
    return {name: _state(call["state"]) for call in calls for name in call["names"]}


def code_typed(text: str) -> CodeState:
    """The state that a new page for code has after a text was typed there.

    Args:
        text: what a user typed.

    Raises:
        Error: the text is not read, or no call of it moves elements.

    >>> state = code_typed("x.reshape(3, 2, 2).transpose(0, 1)")
    >>> state.reads_as, state.tensors.sizes
    ('torch', {'x': (3, 4)})
    """
    state = code_changed(usual_code(), CODE, text)
    if not state.chain().operations:
        raise Error(_("No call of this code moves elements."), CODE)
    return state


def code_named(text: str) -> CodeState | None:
    """The code that a search asks for: the text itself if it moves elements, or a name's example.

    Args:
        text: what a user typed.

    >>> code_named("x.reshape(2,3,4).permute(0,2,1)").tensors.sizes
    {'x': (2, 12)}
    >>> code_named("torch.roll").code
    'np.roll(x, 1, axis=1)'
    >>> code_named("softmax") is None
    True
    """
    text = text.strip()[:TEXT_LIMIT]
    with suppress(Error):
        return code_typed(text)
    if _NAME.fullmatch(text):
        return _calls().get(text.rpartition(".")[2].strip("()").lower())
    # an example of the last call, such as view of x.view(a, b)
    calls = _LAST_CALL.findall(text)
    return _calls().get(calls[-1].lower()) if calls else None


def usual_code() -> CodeState:
    """What a new page for code shows."""
    return first_code()


def presets_on(page: str) -> tuple[Preset, ...] | tuple[CodePreset, ...]:
    """The presets of a page, in display order; none if there is no such page.

    Args:
        page: the key of an operator's page, or ``code``.
    """
    made = _PRESETS.get(page)
    return presets_of(page) if made is None else made()


def menu_of(page: str) -> dict[str, str]:
    """What the menu of a page's presets says of each, by key; those of a group stand together.

    Args:
        page: as of :func:`presets_on`.

    >>> list(menu_of("code").values())[:2]
    ['Reshape: Reshape, then permute', 'Reshape: Reshape is not transpose']
    """
    presets: tuple[Preset | CodePreset, ...] = presets_on(page)
    groups = list(dict.fromkeys(preset.group for preset in presets))
    grouped = sorted(presets, key=lambda preset: groups.index(preset.group))
    return {
        preset.key: f"{preset.group}: {preset.title}" if preset.group else preset.title
        for preset in grouped
    }


_PRESETS = {CODE: code_presets}
"""The presets of pages that are no operator's."""


def open_preset(state: AnyState | None) -> Preset | CodePreset | None:
    """The preset whose question a page in this state asks, or None."""
    if state is None:
        return None
    presets: tuple[Any, ...] = presets_on(state.key)
    return next((one for one in presets if one.matches(state)), None)
