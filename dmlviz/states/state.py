"""One reachable state of an explorer: what is computed, and how it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import ClassVar

from dmlviz.base.addresses import write_link
from dmlviz.base.errors import Error, Problem
from dmlviz.base.spelling import print_setting
from dmlviz.base.words import _
from dmlviz.movement import VALUES
from dmlviz.operators import Operator, operator_class
from dmlviz.picture.scene import STAGE_LIMIT, Scene
from dmlviz.picture.staged import staged
from dmlviz.states.inputs import (
    InputState,
    check_inputs,
    example_inputs,
    example_of,
    fits_address,
    followed,
    input_names,
    list_slot,
    several_outputs,
    slot_of,
)
from dmlviz.states.settings import Settings, settings_of
from dmlviz.states.view import View
from dmlviz.tensors import GO_ON, PICTURES, OwnPicture, element_count, own_picture_full
from dmlviz.tensors.types import Array, Sizes

MakeScene = Callable[[Operator, Mapping[str, Array], Mapping[int, str], float | None, str], Scene]
"""Makes the scene of an operator; the arguments are :func:`dmlviz.picture.staged.staged`'s."""


@dataclass(frozen=True)
class State:
    """One state of an operator's page.

    Attributes:
        key: the operator's page, such as ``depth-to-space``.
        sizes: of the first input, 1 to 8; none if the operator has no inputs.
        data_type: one of the eleven; empty if there is no input.
        values: the name of starting values, ``example-0`` and on, or ``own``; if there is no
            input, the example whose settings are left out of the address.
        literal: own values one after the other, as :func:`print_compact` writes them.
        seed: for ``random``.
        picture: for ``picture``, its name, or ``own``.
        settings: the operator's, as text.
        view: how it is looked at.
        more: the further inputs by DirectML's names, in the structure's order.
        own_picture: for the picture ``own``; it is never in an address.
    """

    key: str
    sizes: tuple[int, ...] = ()
    data_type: str = ""
    values: str = ""
    literal: str = ""
    seed: int = 0
    picture: str = ""
    settings: Settings = ()
    view: View = field(default_factory=View)
    more: tuple[tuple[str, InputState], ...] = ()
    own_picture: OwnPicture | None = field(default=None, repr=False)

    call: ClassVar[int] = 0
    code: ClassVar[str] = ""
    program: ClassVar[str] = ""
    lacks: ClassVar[frozenset[str]] = frozenset()

    def __post_init__(self) -> None:
        # all tensors whose elements move have one type
        more = tuple(
            (n, replace(g, data_type=self.data_type) if self.cls.role(n) == VALUES else g)
            for n, g in self.more
        )
        object.__setattr__(self, "more", more)
        if not self.cls.input_slots and not self.values:
            object.__setattr__(self, "values", "example-0")

    @classmethod
    def of(cls, key: str, input_states: Mapping[str, InputState], settings: Settings = ()) -> State:
        """The state of these inputs.

        Args:
            key: the operator's page.
            input_states: every input by DirectML's name, in the structure's order, or none.
            settings: the operator's, as text.
        """
        first = operator_class(key).first_input()
        more = tuple((name, one) for name, one in input_states.items() if name != first)
        state = cls(key, settings=settings, more=more)
        return state.with_input(first, input_states[first]) if first in input_states else state

    @property
    def cls(self) -> type[Operator]:
        """The operator's class."""
        return operator_class(self.key)

    def operator(self) -> Operator:
        """The operator; its ``problems`` say whether it takes this input.

        Raises:
            Error: there is no such page, or a text is no setting.
        """
        return _operator(self.cls, self.settings)

    def second(self) -> Operator | None:
        """The operator to compare it with, if there is one.

        Raises:
            Error: a text is no setting.
        """
        return None if self.view.compare is None else _operator(self.cls, self.view.compare)

    @property
    def title(self) -> str:
        """What people call what runs."""
        return self.cls.__name__

    @property
    def operators(self) -> tuple[str, ...]:
        """The keys of the operators that have pages of their own."""
        return (self.key,)

    def comparison(self) -> None:
        """Two settings are compared by their outputs alone."""

    def with_call(self, call: int) -> State:
        """The same: an operator is one call."""
        return self

    @property
    def compares(self) -> bool:
        """Whether two are on the stage."""
        return self.view.compare is not None

    def is_control(self, name: str) -> bool:
        """Whether an input chooses elements, and none of its own moves."""
        return self.cls.role(name) != VALUES

    @property
    def input_states(self) -> dict[str, InputState]:
        """Every input by DirectML's name, in the structure's order."""
        if not self.cls.input_slots:
            return {}
        first = InputState(
            self.sizes,
            self.data_type,
            self.values,
            self.literal,
            self.seed,
            self.picture,
            self.own_picture,
        )
        return {self.cls.first_input(): first, **dict(self.more)}

    @property
    def all_sizes(self) -> dict[str, tuple[int, ...]]:
        """The sizes of every input, by name."""
        return {name: input_state.sizes for name, input_state in self.input_states.items()}

    @property
    def full(self) -> float | None:
        """The value of full brightness where an input is the learner's own picture, else None."""
        own = [
            input_state.data_type
            for input_state in self.input_states.values()
            if input_state.is_own_picture
        ]
        return own_picture_full(own[0]) if own else None

    def with_input(self, name: str, input_state: InputState) -> State:
        """The same with another input of that name."""
        if name != self.cls.first_input():
            more = {**dict(self.more), name: input_state}
            return replace(self, more=tuple(more.items()))
        return replace(
            self,
            sizes=input_state.sizes,
            data_type=input_state.data_type,
            values=input_state.values,
            literal=input_state.literal,
            seed=input_state.seed,
            picture=input_state.picture,
            own_picture=input_state.own_picture,
        )

    @property
    def rank(self) -> int:
        """The most dimensions of a tensor of the picture, outputs included where they are known."""
        operator, sizes = self.operator(), self.all_sizes
        known = [] if operator.problems(sizes, None) else operator.outputs_after(sizes).values()
        return max(map(len, (*sizes.values(), *known)), default=0)

    @property
    def several(self) -> bool:
        """Whether there can be several outputs on the stage, so that a pin names its own."""
        return several_outputs(self.cls) or self.view.compare is not None

    def stage_sizes(self) -> list[Sizes]:
        """The sizes of every output on the stage, those of the second operator last."""
        sizes: list[Sizes] = []
        for operator in filter(None, (self.operator(), self.second())):
            if not operator.problems(self.all_sizes, None):
                sizes += operator.outputs_after(self.all_sizes).values()
        return sizes

    def x(self, limit: int = STAGE_LIMIT) -> Array:
        """The input, if there is only one; see :meth:`inputs`.

        Raises:
            AttributeError: there are several, or none.
            TooLarge, Error: as :meth:`inputs`.
        """
        if len(self.input_states) != 1:
            raise AttributeError(
                f"there is not one input: {', '.join(self.input_states) or 'none'}"
            )
        return next(iter(self.inputs(limit).values()))

    def inputs(self, limit: int = STAGE_LIMIT) -> dict[str, Array]:
        """Every input by name: the page and the command line get the very same arrays.

        Raises:
            TooLarge: there are more than ``limit`` elements together; nothing was allocated.
            Error: values do not go with the sizes or the data type of their tensor; its field is
                ``values`` of the first, such as ``IndicesTensor.values`` of another.
        """
        return {name: self.input(name, limit) for name in self.input_states}

    def arrays(self) -> dict[str, Array]:
        """As :meth:`inputs`."""
        return self.inputs()

    def input(self, name: str, limit: int = STAGE_LIMIT) -> Array:
        """The input of that name, as :meth:`inputs` has it."""
        check_inputs(self.all_sizes, limit)
        before = 0
        for other, input_state in self.input_states.items():
            if other == name:
                break
            before += element_count(input_state.sizes) if self.cls.role(other) == VALUES else 0
        try:
            return self._array(name, self.input_states[name], before, limit)
        except Error as error:
            if name == self.cls.first_input():
                raise
            problem = Problem(error.field, str(error), "").within(name)
            raise Error(problem.message, problem.field) from None

    def _array(self, name: str, input_state: InputState, before: int, limit: int) -> Array:
        if input_state.values == "picture" and self.settings and name == self.cls.first_input():
            operator = self.operator()
            if not operator.problems(self.all_sizes, None):
                return operator.picture_input(input_state.sizes, input_state.drawn)
        example = example_of(self.cls, input_state.values)
        known = None if example is None else example.inputs.get(name)
        return input_state.array(known, before, limit)

    @property
    def input_title(self) -> str:
        """The title of the only input in pictures; empty where inputs have names."""
        return "" if self.more else _("Input")

    def controls(self) -> frozenset[str]:
        """The names of the inputs that hold ``control``."""
        return self.cls.controls_among(self.input_states)

    def setting_names(self) -> tuple[str, ...]:
        """The names of what a question can leave out so that it does not answer itself."""
        return tuple(parameter.name for parameter in self.operator().parameters())

    def scenes(
        self, make: MakeScene = staged, inputs: Mapping[str, Array] | None = None
    ) -> tuple[Scene, ...]:
        """What the stage shows: the scene of its operator, and of the one to compare it with.

        Args:
            make: makes each.
            inputs: the state's, if they are made already.

        Raises:
            TooLarge, Error: as of :meth:`inputs`.
            Refused, EngineUnavailable, EngineRefused: as of :func:`dmlviz.picture.staged.staged`.
        """
        second = self.second_scene(make, inputs)
        first = self.scene(make, inputs)
        return (first,) if second is None else (first, second)

    def scene(self, make: MakeScene = staged, inputs: Mapping[str, Array] | None = None) -> Scene:
        """The first of :meth:`scenes`."""
        return self._scene(self.operator(), make, inputs)

    def second_scene(
        self, make: MakeScene = staged, inputs: Mapping[str, Array] | None = None
    ) -> Scene | None:
        """The second of :meth:`scenes`; None if nothing is compared."""
        second = self.second()
        return None if second is None else self._scene(second, make, inputs)

    def _scene(
        self, operator: Operator, make: MakeScene, inputs: Mapping[str, Array] | None
    ) -> Scene:
        inputs, view = self.inputs() if inputs is None else inputs, self.view
        return make(operator, inputs, dict(view.directions), self.full, view.engine)

    def second_problems(self) -> list[Problem]:
        """As :meth:`problems`, of the operator to compare it with; empty if there is none."""
        second = self.second()
        if second is None:
            return []
        own = {one.name for one in self.cls.parameters()}
        return [
            problem.renamed(f"b_{problem.field}") if problem.field in own else problem
            for problem in self.problems(second)
        ]

    def problems(self, operator: Operator | None = None) -> list[Problem]:
        """Why it cannot run: problems with the operator, its feature level or the values.

        Args:
            operator: another one to run on these inputs.

        Raises:
            Error: a text is no setting.
        """
        operator = self.operator() if operator is None else operator
        types = {name: input_state.data_type for name, input_state in self.input_states.items()}
        problems = operator.problems(self.all_sizes, types, self.view.feature_level)
        # most look at no element, and inputs may be large
        if problems or type(operator).control_problems is Operator.control_problems:
            return problems
        try:
            return operator.control_problems(self.inputs())
        except Error as error:
            return [Problem(error.field, str(error), operator.structure)]

    def parameters(self, *, whole: bool = False) -> dict[str, str]:
        """The parameters of its link.

        Args:
            whole: also write defaults, so that the link explains itself.
        """
        usual = first_state(self.key, self.values)
        parameters = self._spelled_settings()
        if not self.input_states and self.values != "example-0":
            parameters = {"values": self.values, **parameters}
        for first in list(self.input_states.values())[:1]:
            before = {"sizes": "", "data_type": self.data_type, "values": ""}
            parameters = {**before, **parameters, **_input_parameters(first, whole=whole)}
        if not whole:
            left = {
                "sizes": _listed(usual.sizes),
                "data_type": usual.data_type,
                "values": "example-0",
                **self._usual_settings(usual),
            }
            parameters = {name: text for name, text in parameters.items() if left.get(name) != text}
        if list_slot(self.cls) and not self.more and usual.more:
            # a link has as many tensors as it names
            parameters = {f"{self.cls.first_input()}.sizes": _listed(self.sizes), **parameters}
            parameters.pop("sizes", None)
        return {
            **parameters,
            **self._more_parameters(usual, whole),
            **self.view.parameters(self.settings, several=self.several),
        }

    def _spelled_settings(self) -> dict[str, str]:
        """The settings but for those that leave sizes to the operator: "0,0" says nothing."""
        texts = dict(self.settings)
        declared = {p.name: p for p in self.cls.parameters() if p.name in texts}
        return {n: t for n, t in texts.items() if not declared[n].left_open(declared[n].read(t))}

    def _usual_settings(self, usual: State) -> dict[str, str]:
        """The settings of a new page, as far as they stay so for these sizes."""
        texts = dict(usual.settings)
        known = {p.name: p.read(texts[p.name]) for p in self.cls.parameters() if p.name in texts}
        fitted = self.cls.fitted(known, self.sizes, usual.sizes)
        return {n: text for n, text in texts.items() if print_setting(fitted[n]) == text}

    def _more_parameters(self, usual: State, whole: bool) -> dict[str, str]:
        """Those of the further inputs, whose names begin with the tensor's."""
        known = more_inputs(
            usual, self.sizes, self.data_type, list_count(self.cls, self.input_states)
        )
        by_input: dict[str, dict[str, str]] = {}
        for name, input_state in self.more:
            own = _input_parameters(input_state, whole=whole)
            if self.cls.role(name) != VALUES:
                own["data_type"] = input_state.data_type
            left = {
                **_input_parameters(known[name], whole=True),
                "data_type": known[name].data_type,
            }
            if not whole and known[name] == input_state:
                own = {}
            elif not whole:
                kept = ("literal", "seed", "picture")
                own = {n: t for n, t in own.items() if n in kept or left.get(n) != t}
            by_input[name] = own
        in_list = [name for name in by_input if slot_of(self.cls, name).most]
        as_usual = len(self.more) == len(usual.more) and not any(by_input[name] for name in in_list)
        for name in in_list:
            if not as_usual:
                by_input[name]["sizes"] = _listed(dict(self.more)[name].sizes)
        return {
            f"{name}.{part}": text for name in by_input for part, text in by_input[name].items()
        }

    def address(self, *, whole: bool = False) -> str:
        """Its address, relative to the app's root; :func:`dmlviz.states.read_link` reads it back.

        >>> first_state("tile").address()
        '/tile'
        >>> State("tile", (5,), "INT8", "count-1", settings=(("repeats", "2"),)).address()
        '/tile?sizes=5&data_type=INT8&values=count-1&repeats=2'
        """
        return write_link(self.key, self.parameters(whole=whole))

    def addressed(self) -> State | None:
        """The state; None if its own values are too many for an address."""
        return self if fits_address(self.input_states.values()) else None

    def without_player(self) -> State:
        """The state as far as the server keeps it."""
        return replace(self, view=self.view.without_player())


def _input_parameters(input_state: InputState, *, whole: bool) -> dict[str, str]:
    """The parameters of one input, but for its data type."""
    parameters = {"sizes": _listed(input_state.sizes), "values": input_state.values}
    if input_state.values == "own":
        parameters["literal"] = input_state.literal
    elif input_state.values == "random" and (input_state.seed or whole):
        parameters["seed"] = str(input_state.seed)
    elif input_state.values == "picture" and (input_state.picture != next(iter(PICTURES)) or whole):
        parameters["picture"] = input_state.picture
    return parameters


def _listed(sizes: tuple[int, ...]) -> str:
    return ",".join(map(str, sizes))


def first_state(key: str, values: str = "example-0") -> State:
    """What a new page of an operator shows, or shows for one of its examples.

    Args:
        key: of the page.
        values: ``example-1`` for the second example; anything else means the first.

    Raises:
        Error: there is no such page.
    """
    states = _first_states(key)
    return states.get(values, states["example-0"])


@cache
def _first_states(key: str) -> dict[str, State]:
    """What a page shows for each example; pages ask for them at every change."""
    states = {}
    for number, example in enumerate(operator_class(key).examples()):
        values = f"example-{number}"
        state = State.of(key, dict(example_inputs(example, values)), settings_of(example.operator))
        states[values] = replace(state, values=values)
    return states


def more_inputs(
    usual: State, sizes: tuple[int, ...], data_type: str, count: int
) -> dict[str, InputState]:
    """The default other inputs of a page.

    Args:
        usual: what a new page shows.
        sizes, data_type: of the first input.
        count: how many tensors a list has.
    """
    cls, known, others = usual.cls, dict(usual.more), {}
    for name in input_names(cls, count)[1:]:
        if name not in known:
            others[name] = InputState(sizes, data_type, GO_ON)
            continue
        others[name] = followed(cls, name, known[name], sizes, usual.sizes)
        if cls.role(name) == VALUES:
            others[name] = replace(others[name], data_type=data_type)
    return others


def list_count(cls: type[Operator], names: Iterable[str]) -> int:
    """How many tensors of these names are in a list; 1 where there is no list."""
    slot = list_slot(cls)
    return sum(slot_of(cls, name) == slot for name in names) if slot else 1


def _operator(cls: type[Operator], settings: Settings) -> Operator:
    texts = dict(settings)
    parameters = {p.name: p for p in cls.parameters() if p.name in texts}
    return cls(**{name: p.read(texts[name]) for name, p in parameters.items()})
