"""A state after a change of one of its parameters: what depends on it follows, as in the app."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from dmlviz.base.errors import Error, Problem, of_tensor
from dmlviz.base.spelling import read_integer
from dmlviz.base.words import _
from dmlviz.movement import VALUES
from dmlviz.operators import Operator
from dmlviz.operators.base import alternative_on
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states.inputs import (
    InputState,
    Tensors,
    check_inputs,
    example_of,
    followed,
    following,
    input_names,
    list_slot,
    slot_of,
    types_of,
    value_options,
)
from dmlviz.states.own_picture import PictureChoice
from dmlviz.states.settings import Settings, settings_of, used_settings
from dmlviz.states.state import State, first_state, list_count
from dmlviz.states.tensor_rows import PARTS, changed_tensor, normalized, one_of
from dmlviz.states.view import CHANGES_OF_VIEW, changed_view
from dmlviz.tensors import (
    DATA_TYPES,
    GO_ON,
    element_count,
    print_compact,
    short_text,
)
from dmlviz.tensors.types import Array, Sizes

COUNT = "tensors"
"""The parameter of a change that adds tensors to a list or removes them; no link has it."""


def changed(state: State, name: str, text: str) -> State:
    """The state after somebody changed one parameter, with all that follows from it.

    Settings and further inputs follow the first input's sizes; an example's values give way to
    counting where the sizes are others; own values set sizes and data type. Nothing is run.

    Args:
        state: before the change.
        name: of a parameter of a link, such as ``repeats`` or ``IndicesTensor.sizes``;
            :data:`COUNT` or :data:`dmlviz.states.view.ARRANGE`.
        text: its new value, as a link has it.

    Raises:
        Error: the text is no such value, or the state has no such parameter; its field is the
            parameter's name.
    """
    if name == COUNT:
        return _with_count(state, text)
    tensor, dot, part = name.rpartition(".")
    tensor = tensor if dot else state.cls.first_input()
    if part in PARTS and tensor in state.tensors:
        try:
            return _with_part(state, tensor, part, text)
        except Error as error:
            sentence = of_tensor(tensor, error.field, str(error)) if dot else str(error)
            raise Error(sentence, name) from None
    if name == "values" and not state.tensors:
        example = first_state(state.key, one_of(name, text, value_options(state.cls)))
        return replace(example, view=state.view)
    if name == "compare":
        return _compared(state, text)
    if name in CHANGES_OF_VIEW:
        return replace(state, view=changed_view(state.view, name, text, state))
    return _with_setting(state, name, text)


def _with_part(state: State, name: str, part: str, text: str) -> State:
    """The state after a change of one of an input's rows; what depends on it follows."""
    cls, before = state.cls, state.tensors[name]
    first = not state.prefix(name)
    example = example_of(cls, text) if part == "values" else None
    if example is not None and first:
        return replace(first_state(state.key, text), view=replace(state.view, compare=None))
    tensor = changed_tensor(
        before,
        part,
        text,
        options=value_options(cls, name),
        types=types_of(cls, name) if before.control else tuple(DATA_TYPES),
        least_rank=min(cls.ranks_ever()) if first else len(before.sizes),
        array=lambda: state.array(name),
    )
    if part == "sizes":
        tensor = resized_values(cls, name, before, tensor.sizes)
    if example is not None:
        due = first_state(state.key, text).tensors[name]
        kind = due.data_type if tensor.control else tensor.data_type
        tensor = replace(tensor, sizes=due.sizes, data_type=kind)
    state = _fitted(state, name, tensor)
    for other in state.tensors:
        state = state.with_input(other, normalized(state, other))
    return state


def resized_values(
    cls: type[Operator], name: str, input_state: InputState, sizes: Sizes
) -> InputState:
    """An input in other sizes: an example's values have the example's sizes.

    Control inputs keep their elements where they were, with 0 at new places, because counting could
    give invalid indices; others count.

    Args:
        cls: the operator.
        name: of the input.
        input_state: the input as it was, in the sizes that it had.
        sizes: that it has now; at most 65,536 elements.
    """
    now = replace(input_state, sizes=sizes)
    example = example_of(cls, input_state.values)
    array = None if example is None else example.inputs.get(name)
    if cls.role(name) != VALUES and (array is not None or input_state.values == "own"):
        try:
            before = input_state.array(array, 0, STAGE_LIMIT)
        except Error:  # invalid for now
            return now
        if before.shape == sizes:
            return now
        return replace(now, values="own", literal=print_compact(_kept_in_place(before, sizes)))
    if array is None or sizes == array.shape:
        return now
    if name != cls.first_input():
        return replace(now, values=GO_ON)
    return replace(now, values="count-1" if array.min() else "count-0")


def followed_change(
    cls: type[Operator], name: str, input_state: InputState, sizes: Sizes, before: Sizes
) -> InputState:
    """As :func:`dmlviz.states.inputs.followed`, after a reader's change: indices whose sizes are
    the first input's follow in them too, where an address names the indices that it always named.
    """
    if not slot_of(cls, name).like_first:
        return followed(cls, name, input_state, sizes, before)
    own = input_state.sizes
    in_rank = len(own) != len(before)
    return resized_values(cls, name, input_state, following(own, sizes, before, in_rank=in_rank))


def _kept_in_place(array: Array, sizes: Sizes) -> Array:
    """The elements at their indices in other sizes, with 0 at new places; equally many elements
    are laid out anew. What is missing or too much of the dimensions is outermost.

    >>> _kept_in_place(np.array([[1, 2, 0], [2, 0, 0]]), (2, 4)).tolist()
    [[1, 2, 0, 0], [2, 0, 0, 0]]
    >>> _kept_in_place(np.array([[5, 3], [1, 2]]), (1,)).tolist()
    [5]
    """
    if array.size == element_count(sizes):
        return array.reshape(sizes)
    more = len(sizes) - array.ndim
    before = array.reshape((1,) * more + array.shape)[(0,) * -more]
    kept = np.zeros(sizes, array.dtype)
    both = tuple(slice(min(n, now)) for n, now in zip(before.shape, sizes, strict=True))
    kept[both] = before[both]
    return kept


def new_places(before: Sizes, sizes: Sizes) -> int:
    """How many places of a control input have 0 since its sizes changed.

    >>> new_places((2, 3), (3, 2, 3))
    12
    """
    if element_count(before) == element_count(sizes):
        return 0
    rank = max(len(before), len(sizes))
    padded = [(1,) * (rank - len(one)) + one for one in (before, sizes)]
    return element_count(sizes) - element_count(tuple(map(min, *padded)))


def _fitted(state: State, name: str, tensor: InputState) -> State:
    """The state with this input; if it is the first one, the others and the settings follow."""
    cls, before = state.cls, state.sizes
    state = state.with_input(name, tensor)
    if state.prefix(name) or tensor.sizes == before:
        return state
    for other, further in list(state.tensors.items())[1:]:
        now = followed_change(cls, other, further, tensor.sizes, before)
        if now.values == "own" and not now.literal:
            now = replace(now, literal=further.literal)
        state = state.with_input(other, now)
    check_inputs(state.tensors.sizes, STAGE_LIMIT)
    settings = _follow(cls, state.settings, tensor.sizes, before)
    compare = state.view.compare
    if compare is not None:
        compare = _follow(cls, compare, tensor.sizes, before)
    return replace(state, settings=settings, view=replace(state.view, compare=compare))


def _follow(cls: type[Operator], settings: Settings, sizes: Sizes, before: Sizes) -> Settings:
    values = _values_of(cls, settings, before)
    return used_settings(cls, {**values, **cls.fitted(values, sizes, before)})


def _values_of(cls: type[Operator], settings: Settings, sizes: Sizes) -> dict[str, Any]:
    """Every setting's value, those included that do not matter now."""
    usual = first_state(cls.key)
    values = {one.name: one.neutral(sizes) for one in cls.declared.values()}
    parameters = {one.name: one for one in cls.declared.values()}
    known = {name: parameters[name].read(text) for name, text in usual.settings}
    values |= {n: v for n, v in known.items() if not parameters[n].ranked}
    return values | {name: parameters[name].read(text) for name, text in settings}


def with_own_picture(state: State, name: str, choice: PictureChoice) -> State:
    """The state with the reader's own picture in a tensor.

    The first input gets the picture's sizes, if it may have four dimensions, its colors, and the
    type UINT8 unless it had the picture before; others keep theirs.

    Args:
        state: before the change.
        name: of the tensor.
        choice: the picture, and what is shown of it.

    Raises:
        Error: the sizes or the type cannot hold it.
    """
    name = name or state.cls.first_input()
    before = state.tensors[name]
    state = replace(state, tensors=state.tensors.with_own_picture(name, choice.part))
    if state.prefix(name):
        return state
    tensor = state.tensors[name]
    if not before.is_own_picture:
        tensor = replace(tensor, data_type="UINT8")
    operator = None
    with suppress(Error):
        operator = state.operator()
    sizes = choice.sizes(state.cls, operator) or tensor.sizes
    view = replace(state.view, colors=choice.colors, step=0, pinned=())
    return replace(_fitted(state, name, replace(tensor, sizes=sizes)), view=view)


def _with_count(state: State, text: str) -> State:
    """The first tensors of a list, or more with the last one's sizes."""
    slot = list_slot(state.cls)
    count = read_integer(COUNT, text, 1, slot.most if slot is not None else 1)
    if slot is None:
        return state
    last = slot.names(list_count(state.cls, state.tensors))[-1]
    added = InputState(state.tensors[last].sizes, state.tensors.data_type, GO_ON)
    names = input_names(state.cls, count)
    return replace(state, tensors=Tensors.of({n: state.tensors.get(n, added) for n in names}))


def _with_setting(state: State, name: str, text: str) -> State:
    """One setting of the operator, or of the second one if its name begins with ``b_``."""
    second = name.startswith("b_") and state.view.compare is not None
    plain = name.removeprefix("b_") if second else name
    parameter = next((one for one in state.cls.declared.values() if one.name == plain), None)
    if parameter is None:
        raise Error(
            _("{name} is not a setting of {operator}; its settings are {names}.").format(
                name=short_text(name),
                operator=state.cls.__name__,
                names=", ".join(one.name for one in state.cls.declared.values()),
            ),
            name,
        )
    settings = state.settings if not second else state.view.compare or ()
    try:
        value = parameter.read(text)
    except Error as error:
        problem = Problem(plain, str(error), "").renamed(name)
        raise Error(problem.message, name) from None
    values = {**_values_of(state.cls, settings, state.sizes), plain: value}
    now = used_settings(state.cls, values)
    if second:
        return replace(state, view=replace(state.view, compare=now))
    return replace(state, settings=now)


def _compared(state: State, text: str) -> State:
    if one_of("compare", text, ("true", "false")) == "false":
        return replace(state, view=replace(state.view, compare=None))
    other = alternative_on(state.operator(), state.inputs())
    return replace(state, view=replace(state.view, compare=settings_of(other)))
