"""What an explorer shows: the state that it keeps, drawn, or why it is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from dmlviz.app.stage import cached_scene
from dmlviz.app.state import PageState, rows_of
from dmlviz.base.errors import Error, Problem
from dmlviz.picture.compared import ComparisonSentences, verdict
from dmlviz.picture.scene import Scene
from dmlviz.states.controls import FormControl, FormField
from dmlviz.states.form import has_grid
from dmlviz.states.pages import AnyState
from dmlviz.teaching.code_presets import CodePreset, open_preset
from dmlviz.teaching.presets import Preset
from dmlviz.tensors.types import Array, Sizes

_SOURCE = "dmlviz"


def _offer(control: FormControl, row: FormField) -> Any:
    """What a widget offers, or how high it is; of a menu of libraries, its choice, too."""
    if control.kind == "lines":
        return "\n".join(row.values).count("\n")
    return control.options


@dataclass(frozen=True)
class PageDescription:
    """What any page with a stage shows.

    Attributes:
        sizes: of every input by name.
        inputs: by name, without those whose values are invalid.
        state: the page's state, or None if it is invalid or an address cannot hold it.
        drawn: the picture, or None while there are problems.
        other: the picture of what it is compared with, or None.
        problems: without those of what it is compared with.
        second_problems: those of what it is compared with.
        shown: the state, whatever is wrong with it.
    """

    sizes: Mapping[str, Sizes] = field(default_factory=dict)
    inputs: Mapping[str, Array] = field(default_factory=dict)
    state: AnyState | None = None
    drawn: Scene | None = None
    other: Scene | None = None
    problems: tuple[Problem, ...] = ()
    second_problems: tuple[Problem, ...] = ()
    shown: AnyState | None = None

    @cached_property
    def verdict(self) -> ComparisonSentences | None:
        """Whether the outputs differ, in the page's language; None if nothing is compared."""
        if self.drawn is None or self.other is None:
            return None
        return verdict(self.drawn, self.other)

    @cached_property
    def preset(self) -> Preset | CodePreset | None:
        """The preset whose question the page asks, or None."""
        return open_preset(self.state)

    @property
    def grids(self) -> tuple[bool, ...]:
        """For every input, whether its values can be edited in a grid."""
        return tuple(map(has_grid, self.sizes.values()))

    @property
    def complete(self) -> bool:
        """Whether all of it is drawn, so that no sentence stands beside a widget."""
        return self.state is not None and self.drawn is not None and not self.second_problems

    @property
    def outline(self) -> dict[str, Any]:
        """Which rows there are, and what they offer, apart from their values."""
        rows = self.rows.values()
        return {row.name: [_offer(control, row) for control in row.controls] for row in rows}

    @property
    def rows(self) -> Mapping[str, FormField]:
        """The rows of the page by name."""
        return {} if self.shown is None else rows_of(self.shown)

    @property
    def call(self) -> int:
        """The call on the stage; 0 for all of them."""
        return 0 if self.shown is None else self.shown.call


def describe(page: PageState) -> PageDescription:
    """The page's state as a picture, or its problems."""
    held = page.held
    state = held.state
    refused = [Problem(name, why, _SOURCE) for name, (_text, why) in held.refused.items()]
    first = tuple(one for one in refused if not one.field.startswith("b_"))
    second = tuple(one for one in refused if one.field.startswith("b_"))
    inputs: dict[str, Array] = {}
    of_values: list[Problem] = []
    try:
        inputs = state.arrays()
    except Error as error:
        of_values = [Problem(error.field, str(error), _SOURCE)]
    described = PageDescription(
        state.all_sizes,
        inputs,
        state=None if refused else state.addressed(),
        problems=first,
        second_problems=second,
        shown=state,
    )
    if first:
        return described
    drawn, problems = _scene(
        lambda: state.problems() or of_values, lambda: state.scene(cached_scene, inputs)
    )
    other = None
    if not second:
        other, second = _scene(
            state.second_problems,
            lambda: None if drawn is None else state.second_scene(cached_scene, inputs),
        )
    return replace(described, drawn=drawn, other=other, problems=problems, second_problems=second)


def _scene(
    refusals: Callable[[], Sequence[Problem]], make: Callable[[], Scene | None]
) -> tuple[Scene | None, tuple[Problem, ...]]:
    """A picture, or why there is none."""
    try:
        problems = tuple(refusals())
        return (None if problems else make()), problems
    except Error as error:
        return None, (Problem(error.field, str(error), _SOURCE),)
