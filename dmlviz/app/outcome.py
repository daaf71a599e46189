"""What comes of a page's state: its pictures, or why there are none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from dmlviz.app.page import Page, rows_of
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.picture.compared import ComparisonSentences, verdict
from dmlviz.picture.scene import Scene
from dmlviz.states.controls import FormControl, FormField
from dmlviz.states.pages import AnyState
from dmlviz.states.tensor_rows import has_grid
from dmlviz.teaching.code_presets import CodePreset, open_preset
from dmlviz.teaching.presets import Preset
from dmlviz.tensors.types import Array

_SOURCE = "dmlviz"


@dataclass(frozen=True)
class PageOutcome:
    """What comes of a page's state.

    Attributes:
        state: the last valid one.
        addressed: the state as an address has it; None if a text is refused or no address holds it.
        inputs: by name; none if values are invalid.
        drawn: the picture, or None while there are problems.
        other: the picture of what it is compared with, or None.
        problems: without those of what it is compared with.
        second_problems: those of what it is compared with.
    """

    state: AnyState
    addressed: AnyState | None = None
    inputs: Mapping[str, Array] = field(default_factory=dict)
    drawn: Scene | None = None
    other: Scene | None = None
    problems: tuple[Problem, ...] = ()
    second_problems: tuple[Problem, ...] = ()

    @cached_property
    def verdict(self) -> ComparisonSentences | None:
        """Whether the outputs differ, in the page's language; None if nothing is compared."""
        if self.drawn is None or self.other is None:
            return None
        return verdict(self.drawn, self.other)

    @cached_property
    def preset(self) -> Preset | CodePreset | None:
        """The preset whose question the page asks, or None."""
        return open_preset(self.addressed)

    @cached_property
    def parameters(self) -> dict[str, str]:
        """Those of the state's address, which is written and printed; none if there is none."""
        return {} if self.addressed is None else self.addressed.parameters()

    @property
    def grids(self) -> tuple[bool, ...]:
        """For every input, whether its values can be edited in a grid."""
        return tuple(map(has_grid, self.state.tensors.sizes.values()))

    @property
    def complete(self) -> bool:
        """Whether all of it is drawn, so that no sentence stands beside a widget."""
        return self.addressed is not None and self.drawn is not None and not self.second_problems

    @property
    def offers(self) -> dict[str, list[Any]]:
        """What the widgets of every row offer, whatever they hold."""
        rows = rows_of(self.state).values()
        return {row.name: [_offer(control, row) for control in row.controls] for row in rows}


def _offer(control: FormControl, row: FormField) -> Any:
    """What a widget offers; of a box of lines, how high it is."""
    if control.kind == "lines":
        return "\n".join(row.values).count("\n")
    return control.options


def outcome_of(page: Page) -> PageOutcome:
    """What comes of the state that a page shows."""
    form, state = page.form, page.state
    problems, second_problems = form.problems(second=False), form.problems(second=True)
    inputs: dict[str, Array] = {}
    invalid_values: list[Problem] = []
    try:
        inputs = state.arrays()
    except Error as error:
        invalid_values = [_problem(error)]
    addressed = None if form.refused else state.addressed()
    outcome = PageOutcome(state, addressed, inputs, None, None, problems, second_problems)
    if problems:
        return outcome
    # an operator says more exactly than an array why a tensor is none of its inputs
    drawn, problems = _scene(
        lambda: state.problems() or invalid_values, lambda: state.scene(inputs, state)
    )
    other = None
    if not second_problems:
        other, second_problems = _scene(
            state.second_problems,
            lambda: None if drawn is None else state.second_scene(inputs),
        )
    return replace(
        outcome, drawn=drawn, other=other, problems=problems, second_problems=second_problems
    )


def _scene(
    refusals: Callable[[], Sequence[Problem]], make: Callable[[], Scene | None]
) -> tuple[Scene | None, tuple[Problem, ...]]:
    """A picture, or why there is none."""
    try:
        problems = tuple(refusals())
        return (None if problems else make()), problems
    except Error as error:
        return None, (_problem(error),)


def _problem(error: Error) -> Problem:
    return Problem(error.field, str(error), _SOURCE)
