"""One preset: a state of an explorer with the one question that its picture answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from dmlviz.operators import Operator
from dmlviz.operators.teaching import Input, Opening, Question
from dmlviz.states import Given, State, View, first_state, settings_of
from dmlviz.teaching.facts import Facts, filled, state_of
from dmlviz.trace import Trace, run

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Preset:
    """A useful state, and its question.

    Attributes:
        key: its name among all presets, such as ``padding-size-1``.
        title: a few words, for menus.
        question: one question, which the picture answers.
        tell: writes the answer from the engine's output, so that its numbers are those on
            screen.
        state: what the explorer opens.
        pictured: whether Home shows it as a card.
    """

    key: str
    title: str
    question: str
    tell: Callable[[Preset], str]
    state: State
    pictured: bool = False

    @property
    def operator(self) -> Operator:
        """The operator."""
        return self.state.operator()

    @property
    def second(self) -> Operator | None:
        """The operator to compare it with, if there is one."""
        return self.state.second()

    @property
    def x(self) -> Array:
        """The input, if there is only one."""
        return self.state.x()

    @property
    def inputs(self) -> dict[str, Array]:
        """Every input by DirectML's name."""
        return self.state.inputs()

    @property
    def link(self) -> str:
        """Its address, relative to the app's root."""
        return self.state.address(whole=True)

    @property
    def refusal(self) -> str:
        """Why the operator refuses this input, if the preset shows that; otherwise empty."""
        problems = replace(self.state, view=View()).problems()
        return problems[0].message if problems else ""

    @property
    def opens(self) -> bool:
        """Whether there is a picture; if not, the refusal is the answer."""
        return not self.refusal

    @property
    def answer(self) -> str:
        """One or two sentences with the numbers on screen; this runs the operator."""
        return self.tell(self)

    def trace(self) -> Trace:
        """The operator's run on the reference engine.

        Raises:
            Refused: the preset shows a refusal.
        """
        return run(self.operator, self.inputs)

    def second_trace(self) -> Trace:
        """The run of the operator to compare it with; of the first operator if there is none.

        Raises:
            Refused: the preset shows a refusal.
        """
        return run(self.second or self.operator, self.inputs)

    def shown_by(self, state: State) -> bool:
        """Whether a page in this state asks this question: engine and layout do not matter."""
        return _asked(state) == _asked(self.state)


def opened(key: str, question: Question) -> Preset:
    """The preset for a question that an operator's folder declares.

    Args:
        key: the key of the operator's page.
        question: the state, as plain data.
    """
    tell = question.tell
    if isinstance(tell, str):
        tell = partial(_answer, tell)
    return Preset(
        question.key,
        question.title,
        question.question,
        tell,
        opened_state(key, question.opening),
        question.pictured,
    )


def _answer(template: str, preset: Preset) -> str:
    """The answer with the engine's numbers."""
    return filled(template, Facts(preset.state))


def opened_state(key: str, asked: Opening | str) -> State:
    """The state that an operator declares, on the page with that key.

    Raises:
        Error: a part of a link is invalid.
    """
    if isinstance(asked, str):
        return state_of(asked)
    if asked.operator is None:
        return first_state(key)
    second = None if asked.compare is None else settings_of(asked.compare)
    return State(
        key,
        asked.sizes,
        asked.data_type,
        "own" if asked.literal else asked.values,
        literal=asked.literal,
        picture=asked.picture,
        settings=settings_of(asked.operator),
        view=View(compare=second, **asked.view),
        more=tuple((name, _given(given, asked.data_type)) for name, given in asked.more.items()),
    )


def _given(asked: Input, data_type: str) -> Given:
    return Given(
        asked.sizes,
        asked.data_type or data_type,
        "own" if asked.literal else asked.values,
        asked.literal,
    )


def _asked(state: State) -> State:
    view = View(feature_level=state.view.feature_level, compare=state.view.compare)
    return replace(state, view=view)
