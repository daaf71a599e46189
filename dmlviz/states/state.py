"""One reachable state of an operator's page: what is computed, and how it is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import cache

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.base.spelling import print_setting
from dmlviz.movement import VALUES
from dmlviz.operators import Operator, operator_class
from dmlviz.picture.scene import STAGE_LIMIT, Scene
from dmlviz.picture.staged import staged_once
from dmlviz.states.inputs import (
    NO_TENSORS,
    InputState,
    Tensors,
    example_inputs,
    example_of,
    followed,
    input_names,
    list_slot,
    several_outputs,
    slot_of,
)
from dmlviz.states.page import PageState
from dmlviz.states.settings import Settings, settings_of
from dmlviz.states.tensor_address import listed, tensor_parameters
from dmlviz.states.view import View
from dmlviz.tensors import GO_ON
from dmlviz.tensors.types import Array, Sizes


@dataclass(frozen=True)
class State(PageState):
    """One state of an operator's page.

    Attributes:
        key: the operator's page, such as ``depth-to-space``.
        tensors: the inputs by DirectML's names, in the structure's order.
        settings: the operator's, as text.
        view: how it is looked at.
        example: of an operator without inputs, the example whose settings are left out of the
            address, such as ``example-0``.
    """

    key: str
    tensors: Tensors = NO_TENSORS
    settings: Settings = ()
    view: View = field(default_factory=View)
    example: str = ""

    def __post_init__(self) -> None:
        roles = {
            name: replace(one, control=self.cls.role(name) != VALUES)
            for name, one in self.tensors.items()
        }
        object.__setattr__(self, "tensors", Tensors.of(roles))
        if not self.cls.input_slots and not self.example:
            object.__setattr__(self, "example", "example-0")

    @property
    def cls(self) -> type[Operator]:
        """The operator's class."""
        return operator_class(self.key)

    def operator(self) -> Operator:
        """The operator; its ``problems`` say whether it takes this input.

        Raises:
            Error: there is no such page, or a text is no setting.
        """
        texts = dict(self.settings)
        parameters = {p.name: p for p in self.cls.declared.values() if p.name in texts}
        return self.cls(**{name: p.read(texts[name]) for name, p in parameters.items()})

    @property
    def first(self) -> InputState | None:
        """The first input, whose parameters bear no name; None if there are no inputs."""
        return next(iter(self.tensors.values()), None)

    @property
    def sizes(self) -> Sizes:
        """The sizes of the first input; none if there is no input."""
        return () if self.first is None else self.first.sizes

    @property
    def values(self) -> str:
        """The name of the first input's values; without inputs, that of the example."""
        return self.example if self.first is None else self.first.values

    def with_view(self, view: View) -> State:
        return replace(self, view=view)

    def with_input(self, name: str, tensor: InputState) -> State:
        """The same with another input of that name."""
        return replace(self, tensors=self.tensors.with_tensor(name, tensor))

    def second(self) -> State | None:
        """As of :class:`PageState`: the same operator with the settings of B."""
        compare = self.view.compare
        if compare is None:
            return None
        return replace(self, settings=compare, view=replace(self.view, compare=None))

    @property
    def compares(self) -> bool:
        return self.view.compare is not None

    @property
    def several(self) -> bool:
        """As of :class:`PageState`, whatever the sizes: an address keeps its form."""
        return several_outputs(self.cls) or self.compares

    def outputs(self) -> dict[str, Sizes]:
        """As of :class:`PageState`; none where the operator does not take the inputs."""
        operator, sizes = self.operator(), self.tensors.sizes
        return {} if operator.problems(sizes, None) else dict(operator.outputs_after(sizes))

    def x(self, limit: int = STAGE_LIMIT) -> Array:
        """The input, if there is only one; see :meth:`inputs`.

        Raises:
            AttributeError: there are several, or none.
            TooLarge, Error: as :meth:`inputs`.
        """
        if len(self.tensors) != 1:
            raise AttributeError(f"there is not one input: {', '.join(self.tensors) or 'none'}")
        return next(iter(self.inputs(limit).values()))

    def values_of(self, name: str, limit: int) -> Array:
        """As of :class:`PageState`; a picture has the planes that suit the settings."""
        one = self.tensors[name]
        if one.values == "picture" and self.settings and not self.prefix(name):
            operator = self.operator()
            if not operator.problems(self.tensors.sizes, None):
                return operator.picture_input(one.sizes, one.drawn)
        example = example_of(self.cls, one.values)
        known = None if example is None else example.inputs.get(name)
        return one.array(known, self.tensors.before(name), limit)

    def scene(
        self, inputs: Mapping[str, Array] | None = None, pair: PageState | None = None
    ) -> Scene:
        """As of :class:`PageState`; equal operations run once.

        Raises:
            TooLarge, Error: as of :meth:`arrays`.
            Refused, EngineUnavailable, EngineRefused: as of :func:`dmlviz.picture.staged.staged`.
        """
        inputs = self.arrays() if inputs is None else inputs
        view = self.view
        return staged_once(self.operator(), inputs, view.directions, self.tensors.full, view.engine)

    def problems(self) -> list[Problem]:
        """As of :class:`PageState`: of the operator, its feature level, or the values.

        Raises:
            Error: a text is no setting.
        """
        operator = self.operator()
        types = {name: one.data_type for name, one in self.tensors.items()}
        problems = operator.problems(self.tensors.sizes, types, self.view.feature_level)
        # most look at no element, and inputs may be large
        if problems or self.cls.control_problems is Operator.control_problems:
            return problems
        try:
            return operator.control_problems(self.inputs())
        except Error as error:
            return [Problem(error.field, str(error), operator.structure)]

    def second_problems(self) -> list[Problem]:
        """As of :class:`PageState`: those of a setting stand beside the setting of B."""
        settings = {one.name for one in self.cls.declared.values()}
        return [
            one.renamed(f"b_{one.field}") if one.field in settings else one
            for one in super().second_problems()
        ]

    def parameters(self, *, whole: bool = False) -> dict[str, str]:
        """As of :class:`PageState`.

        >>> x = InputState((5,), "INT8", "count-1")
        >>> State("tile", Tensors((("InputTensor", x),)), (("repeats", "2"),)).address()
        '/tile?sizes=5&data_type=INT8&values=count-1&repeats=2'
        """
        usual = first_state(self.key, self.values)
        parameters = self._spelled_settings()
        if self.first is None:
            if self.example != "example-0":
                parameters = {"values": self.example, **parameters}
        else:
            before = {"sizes": "", "data_type": self.first.data_type, "values": ""}
            parameters = {**before, **parameters, **tensor_parameters(self.first, whole=whole)}
        if not whole:
            left = {
                "sizes": listed(usual.sizes),
                "data_type": usual.tensors.data_type,
                "values": "example-0",
                **self._usual_settings(usual),
            }
            parameters = {name: text for name, text in parameters.items() if left.get(name) != text}
        if list_slot(self.cls) and len(self.tensors) == 1 < len(usual.tensors):
            # a link has as many tensors as it names
            parameters = {f"{self.cls.first_input()}.sizes": listed(self.sizes), **parameters}
            parameters.pop("sizes", None)
        return {
            **parameters,
            **self._more_parameters(usual, whole),
            **self.view.parameters(self.settings, several=self.several),
        }

    def _spelled_settings(self) -> dict[str, str]:
        """The settings but for those that leave sizes to the operator: "0,0" says nothing."""
        texts = dict(self.settings)
        declared = {p.name: p for p in self.cls.declared.values() if p.name in texts}
        return {n: t for n, t in texts.items() if not declared[n].left_open(declared[n].read(t))}

    def _usual_settings(self, usual: State) -> dict[str, str]:
        """The settings of a new page, as far as they stay so for these sizes."""
        texts = dict(usual.settings)
        known = {n: one.read(texts[n]) for n, one in self.cls.declared.items() if n in texts}
        fitted = self.cls.fitted(known, self.sizes, usual.sizes)
        return {n: text for n, text in texts.items() if print_setting(fitted[n]) == text}

    def _more_parameters(self, usual: State, whole: bool) -> dict[str, str]:
        """Those of the further inputs, whose names begin with the tensor's."""
        defaults = more_inputs(usual, self.first, list_count(self.cls, self.tensors))
        by_input: dict[str, dict[str, str]] = {}
        for name, one in list(self.tensors.items())[1:]:
            texts = tensor_parameters(one, whole=whole)
            if one.control:
                texts["data_type"] = one.data_type
            default = defaults[name]
            left = {**tensor_parameters(default, whole=True), "data_type": default.data_type}
            if not whole and default == one:
                texts = {}
            elif not whole:
                kept = ("literal", "seed", "picture")
                texts = {n: t for n, t in texts.items() if n in kept or left.get(n) != t}
            by_input[name] = texts
        in_list = [name for name in by_input if slot_of(self.cls, name).most]
        as_usual = len(self.tensors) == len(usual.tensors)
        if not as_usual or any(by_input[name] for name in in_list):
            for name in in_list:
                by_input[name]["sizes"] = listed(self.tensors[name].sizes)
        return {
            f"{name}.{part}": text for name in by_input for part, text in by_input[name].items()
        }


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
    return {
        f"example-{number}": State(
            key,
            Tensors(tuple(example_inputs(example, f"example-{number}"))),
            settings_of(example.operator),
            example="" if example.inputs else f"example-{number}",
        )
        for number, example in enumerate(operator_class(key).examples())
    }


def more_inputs(usual: State, first: InputState | None, count: int) -> dict[str, InputState]:
    """The default other inputs of a page.

    Args:
        usual: what a new page shows.
        first: the first input; None if there is none.
        count: how many tensors a list has.
    """
    if first is None:
        return {}
    cls, others = usual.cls, dict[str, InputState]()
    for name in input_names(cls, count)[1:]:
        known = usual.tensors.get(name)
        if known is None:
            others[name] = InputState(first.sizes, first.data_type, GO_ON)
            continue
        others[name] = followed(cls, name, known, first.sizes, usual.sizes)
        if not known.control:
            others[name] = replace(others[name], data_type=first.data_type)
    return others


def list_count(cls: type[Operator], names: Iterable[str]) -> int:
    """How many tensors of these names are in a list; 1 where there is no list."""
    slot = list_slot(cls)
    return sum(slot_of(cls, name) == slot for name in names) if slot else 1
