"""What an explorer's widgets describe: read in one place, before any of them is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from dmlviz.app.stage import pictures
from dmlviz.app.state import PageState
from dmlviz.errors import Error, Problem
from dmlviz.operators import Operator
from dmlviz.operators.comparing import alternative_on
from dmlviz.operators.settings import Choice, Setting
from dmlviz.picture.compared import ComparisonSentences, verdict
from dmlviz.picture.scene import STAGE_LIMIT, Scene
from dmlviz.states import State, print_setting, settings_of
from dmlviz.states.changing import read_seed
from dmlviz.states.form import has_grid
from dmlviz.states.inputs import check_inputs
from dmlviz.states.pages import AnyState
from dmlviz.tensors import check_element_count
from dmlviz.tensors.types import Array, Sizes

_SOURCE = "dmlviz"


@dataclass(frozen=True)
class Read:
    """One operator as its widgets describe it.

    Attributes:
        operator: None while a setting is invalid.
        offered: the settings that have widgets, because they matter.
        problems: with the settings, in the order of the widgets.
    """

    operator: Operator | None = None
    offered: tuple[Setting, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class PageDescription:
    """What the widgets of any page with a stage describe.

    Attributes:
        sizes: of every input by name, without those that are invalid.
        inputs: by name, without those whose values are invalid.
        state: the page's state, or None if it is invalid or an address cannot hold it.
        drawn: the picture, or None while there are problems.
        other: the picture of what it is compared with, or None.
        problems: in the order of the widgets, without those of what it is compared with.
        second_problems: those of what it is compared with.
    """

    sizes: Mapping[str, Sizes] = field(default_factory=dict)
    inputs: Mapping[str, Array] = field(default_factory=dict)
    state: AnyState | None = None
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

    @property
    def grids(self) -> tuple[bool, ...]:
        """For every input with valid sizes, whether its values can be edited in a grid."""
        return tuple(map(has_grid, self.sizes.values()))

    @property
    def complete(self) -> bool:
        """Whether all of it is drawn, so that no sentence stands beside a widget."""
        return self.state is not None and self.drawn is not None and not self.second_problems

    @property
    def outline(self) -> tuple[Any, ...]:
        """Which widgets there are, and what they offer, apart from their values."""
        return ()


@dataclass(frozen=True)
class Described(PageDescription):
    """What the widgets of an operator's page describe.

    Attributes:
        state: as of :class:`PageDescription`.
        first: the operator.
        second: the one to compare it with, or None.
    """

    state: State | None = None
    first: Read = field(default_factory=Read)
    second: Read | None = None

    @property
    def outline(self) -> tuple[Any, ...]:
        """Which widgets the settings have, and what they offer, apart from their values."""
        sizes = next(iter(self.sizes.values()), ())
        return tuple(
            tuple(_outline(setting, sizes) for setting in read.offered) if read else None
            for read in (self.first, self.second)
        )


def _outline(setting: Setting, sizes: Sizes) -> tuple[Any, ...]:
    """How many widgets a setting has, and what they offer."""
    count = len(setting.dimensions(sizes)) if setting.ranked else 0
    options = setting.options(sizes) if isinstance(setting, Choice) else ()
    return setting.name, count, options


def describe(page: PageState) -> Described:
    """What the widgets describe; settings and further inputs follow the first input's sizes.

    It sets widgets, so it is called before they are drawn.
    """
    problems: list[Problem] = []
    sizes = _sizes(page, problems)
    names = page.names()
    size_of_first = sizes.get(names[0]) if names else ()
    first = read_operator(page, size_of_first)
    problems += first.problems
    operator = None if problems else first.operator
    inputs = {}
    if len(sizes) == len(names):
        inputs = _inputs(page, sizes, operator, problems)
    second = _second(page, size_of_first, operator, inputs)
    page.end_change()
    described = Described(
        sizes,
        inputs,
        second_problems=() if second is None else second.problems,
        first=first,
        second=second,
    )
    if operator is None or len(sizes) < len(names):
        return replace(described, problems=tuple(problems))
    compared = None if second is None else second.operator
    state = _viewed(page, page.described(sizes, settings_of(operator)), compared)
    beyond, second_beyond = _beyond(operator), [] if compared is None else _beyond(compared)
    # an invalid second operator has no address
    if (second is None or compared is not None) and not beyond and not second_beyond:
        described = replace(described, state=page.addressed(state, inputs))
    types = {name: page.of(name).data_type() for name in names}
    problems += operator.problems(sizes, types, state.view.feature_level) or beyond
    if not problems and len(inputs) == len(names):
        problems += operator.control_problems(inputs)
    if problems or len(inputs) < len(names):
        return replace(described, problems=tuple(problems))
    for name, x in inputs.items():
        page.of(name).set("last", x)
    return _drawn(described, state, compared, second_beyond)


def _beyond(operator: Operator) -> list[Problem]:
    """The settings that a box holds and an address cannot: negative, or too large to draw."""
    problems = []
    for parameter in operator.parameters():
        if not (parameter.ranked or parameter.counted):
            continue
        try:
            parameter.read(print_setting(getattr(operator, parameter.name)))
        except Error as error:
            problems.append(Problem(parameter.name, str(error), _SOURCE))
    return problems


def read_operator(keys: PageState, sizes: Sizes | None) -> Read:
    """The operator that the widgets hold.

    Args:
        keys: of the page, or of the operator to compare with.
        sizes: of the first input, or None while they are invalid: the settings then keep their
            rank, and there is no operator.
    """
    # while the sizes are invalid, the settings keep their rank
    known = sizes if sizes is not None else keys.fitted_sizes()
    keys.fit(known)
    offered: list[Setting] = []
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for parameter in keys.cls.parameters():
        if not parameter.used(values):
            continue
        offered.append(parameter)
        try:
            values[parameter.name] = keys.setting(parameter, known)
        except Error as error:
            problems.append(Problem(parameter.name, str(error), _SOURCE))
    operator = None
    if not problems and sizes is not None:
        try:
            operator = keys.cls(**values)
        except Error as error:  # such as an empty box
            problems.append(Problem(error.field, str(error), _SOURCE))
    return Read(operator, tuple(offered), tuple(problems))


def _sizes(page: PageState, problems: list[Problem]) -> dict[str, Sizes]:
    """The valid sizes of every input; the further inputs follow the first."""
    sizes: dict[str, Sizes] = {}
    for number, name in enumerate(page.names()):
        keys = page.of(name)
        try:
            sizes[name] = keys.sizes()
            check_element_count(sizes[name], STAGE_LIMIT, "sizes")
        except Error as error:
            sizes.pop(name, None)
            problems.append(keys.problem(Problem("sizes", str(error), _SOURCE)))
            continue
        keys.set("valid_sizes", sizes[name])
        if number == 0:
            page.fit_inputs(sizes[name])
    return sizes


def _inputs(
    page: PageState, sizes: Mapping[str, Sizes], operator: Operator | None, problems: list[Problem]
) -> dict[str, Array]:
    """The inputs, without any whose values are invalid."""
    try:
        check_inputs(sizes, STAGE_LIMIT)
    except Error as error:
        problems.append(Problem(error.field, str(error), _SOURCE))
        return {}
    state = page.described(sizes, () if operator is None else settings_of(operator))
    before: Described | None = page.get("described")
    # a picture's planes depend on the settings
    if (
        before is not None
        and before.drawn is not None
        and before.state is not None
        and before.state.input_states == state.input_states
        and state.values != "picture"
    ):
        return dict(before.inputs)
    inputs: dict[str, Array] = {}
    for name in sizes:
        keys = page.of(name)
        try:
            read_seed(str(state.input_states[name].seed))
            inputs[name] = state.input(name)
        except Error as error:
            part = error.field.rpartition(".")[2]
            if part not in ("sizes", "data_type", "seed"):
                part = "literal" if keys.get("values") == "own" else "values"
            problems.append(Problem(keys.field(part), str(error), _SOURCE))
    return inputs


def _second(
    page: PageState,
    sizes: Sizes | None,
    first: Operator | None,
    inputs: Mapping[str, Array],
) -> Read | None:
    """The operator to compare with; at first another one that takes the same inputs."""
    if not page.get("compare"):
        return None
    other = page.second()
    if first is not None and not other.get("begun"):
        other.apply(settings_of(alternative_on(first, inputs)))
        other.set("begun", True)
    return read_operator(other, sizes)


def _viewed(page: PageState, state: State, second: Operator | None) -> State:
    """The state as the widgets show it."""
    view = replace(page.view(), compare=None if second is None else settings_of(second))
    # finding the rank takes time, and most pictures have no chosen direction
    if view.directions:
        rank = state.rank
        view = replace(view, directions=tuple((d, w) for d, w in view.directions if d < rank - 2))
    return replace(state, view=view)


def _drawn(
    described: Described, state: State, second: Operator | None, second_beyond: list[Problem]
) -> Described:
    """The same with its pictures, or with why there are none."""
    inputs = described.inputs
    alone = replace(state, view=replace(state.view, compare=None))
    try:
        (drawn,) = pictures(alone, inputs)
    except Error as error:
        return replace(described, problems=(Problem(error.field, str(error), _SOURCE),))
    described = replace(described, drawn=drawn)
    if second is None:
        return described
    refusals = tuple(second.refusals(inputs) or second_beyond)
    if refusals:
        return replace(described, second_problems=refusals)
    try:
        (other,) = pictures(replace(alone, settings=settings_of(second)), inputs)
    except Error as error:
        return replace(described, second_problems=(Problem(error.field, str(error), _SOURCE),))
    return replace(described, other=other)
