"""A form as data: controls for an operator's settings and its inputs, for any page to draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import prod
from typing import Any

from dmlviz.base.errors import Error
from dmlviz.base.spelling import print_setting
from dmlviz.base.words import _
from dmlviz.movement import VALUES
from dmlviz.operators import Operator
from dmlviz.operators.settings import MOST_NUMBER, Setting
from dmlviz.states.controls import FormControl, FormField, FormGroup
from dmlviz.states.inputs import InputState, list_slot, types_of, value_options
from dmlviz.states.own_picture import (
    PictureChoice,
    channels_field,
    file_field,
    part_fields,
    width_field,
)
from dmlviz.states.settings import Settings
from dmlviz.states.state import State
from dmlviz.states.view import LIMITS, view_rows
from dmlviz.tensors import (
    DATA_TYPES,
    GO_ON,
    MOST_SEED,
    OWN,
    PICTURES,
    STARTING_VALUES,
    print_compact,
    print_literal,
    print_sizes,
)
from dmlviz.tensors.types import Array, Sizes

_REACH = 8
"""What a slider reaches at least, however small the tensor is."""
_MOST_PLANES, _MOST_COLUMNS = 512, 64
"""What a grid has at most."""
_MOST_CELLS = 4_096
"""The most elements that are sent for a grid with every picture; no address holds more."""
_FAR = 4096
"""What no slider reaches: it would skip numbers."""


def setting_field(one: Setting, value: Any, sizes: Sizes) -> FormField:
    """A setting as a row: a menu, a box, or a number or slider for each dimension.

    Args:
        one: the setting.
        value: that it has.
        sizes: of the first input.
    """
    controls = tuple(_control(one, part, sizes) for part in (value if one.ranked else (value,)))
    return FormField(one.name, one.label, one.help, controls, one.ranked)


def _control(one: Setting, part: Any, sizes: Sizes) -> FormControl:
    if one.enumerated:
        options = one.options(sizes)
        return FormControl("menu", options if part in options else (*options, part))
    if one.typed:
        return FormControl("text")
    if one.real:
        return FormControl("number", step=0.5)
    least = getattr(one, "least", 0)
    if abs(part) > _FAR:
        return FormControl("number", least=least, most=getattr(one, "highest", MOST_NUMBER))
    reach = max(_REACH, 2 * max(sizes, default=1), abs(part))
    return FormControl("slider", least=max(least, -reach), most=reach)


def state_form(state: State, picture: PictureChoice | None = None) -> tuple[FormGroup, ...]:
    """The form of an operator's page: each input, the operator, what it is compared with, limits.

    Args:
        state: that it shows.
        picture: the reader's own; None if there is none.
    """
    cls, inputs = state.cls, state.input_states
    alone = len(inputs) == 1 and list_slot(cls) is None
    groups = [
        FormGroup(
            _("Input") if alone else name, tuple(_input_fields(state, name, input_state, picture))
        )
        for name, input_state in inputs.items()
    ]
    slot = list_slot(cls)
    if slot is not None:
        count = sum(name in slot.names(slot.most) for name in inputs)
        number = FormControl("number", least=1, most=slot.most, step=1)
        row = FormField("tensors", _("Number of tensors"), "", (number,), values=(str(count),))
        groups.append(FormGroup("", (row,)))
    settings = _setting_fields(cls, state.settings, state.sizes)
    if not inputs:
        settings = (_values_field(cls, "", "values", state.values), *settings)
    groups.append(FormGroup(_("Operator"), settings))
    comparing = "false" if state.view.compare is None else "true"
    groups.append(FormGroup("", (compare_field().with_values((comparing,)),)))
    if state.view.compare is not None:
        second = _setting_fields(cls, state.view.compare, state.sizes, "b_")
        groups.append(FormGroup(second_title(), second))
    groups.append(FormGroup("", view_rows(state, LIMITS)))
    return tuple(groups)


def second_title() -> str:
    """The heading of the second setting."""
    return _("B, the other setting")


def _input_fields(
    state: State, name: str, input_state: InputState, picture: PictureChoice | None
) -> list[FormField]:
    cls = state.cls
    first = name == cls.first_input()
    start = "" if first else f"{name}."
    fields = [sizes_field(f"{start}sizes").with_values(sizes_text(input_state.sizes))]
    control = cls.role(name) != VALUES
    if first or control:
        types = types_of(cls, name) if control else tuple(DATA_TYPES)
        row = data_type_field(f"{start}data_type", types)
        fields.append(row.with_values((input_state.data_type,)))
    fields.append(_values_field(cls, name, f"{start}values", input_state.values))
    literal = _literal(state, name, input_state) if input_state.values == "own" else ""
    fields += chosen_fields(start, input_state, literal, own_picture=bool(picture))
    if input_state.values == "picture":
        rows = [file_field()]
        if picture is not None and input_state.is_own_picture:
            rows += part_fields(picture)
            rows += _size_fields(state, input_state, picture) if first else ()
        fields += rows_of_tensor(start, rows)
    with suppress(Error):
        fields += grid_fields(start, state.input(name))
    return fields


def rows_of_tensor(start: str, rows: Iterable[FormField]) -> Iterator[FormField]:
    """Rows whose parameters are those of one tensor.

    Args:
        start: of their names, such as ``IndicesTensor.``.
        rows: with the names without it.
    """
    yield from (replace(row, name=f"{start}{row.name}") for row in rows)


def _size_fields(
    state: State, input_state: InputState, picture: PictureChoice
) -> Iterator[FormField]:
    """The rows for the sizes that a picture sets, empty while it is drawn in other sizes."""
    operator = None
    with suppress(Error):
        operator = state.operator()
    sizes = picture.sizes(state.cls, operator)
    for row in (channels_field(picture), width_field(picture)) if sizes else ():
        yield row if sizes == input_state.sizes else row.with_values(("",), "")


def sizes_field(name: str) -> FormField:
    """The row for a tensor's sizes."""
    help_text = _("One number per dimension, outermost first: 1 to 8 dimensions.")
    return FormField(name, _("Sizes"), help_text, (FormControl("text"),))


def sizes_text(sizes: Sizes) -> tuple[str]:
    """What stands in the row for sizes."""
    return (print_sizes(sizes).strip("{}"),)


def data_type_field(name: str, types: tuple[str, ...]) -> FormField:
    """The row for a data type, one of those that the tensor may have."""
    return FormField(name, _("Data type"), "", (FormControl("menu", types),))


def seed_field(name: str) -> FormField:
    """The row for the seed of random values."""
    control = FormControl("number", least=0, most=MOST_SEED, step=1)
    return FormField(name, _("Seed"), _("The same seed gives the same numbers."), (control,))


def literal_field(name: str) -> FormField:
    """The row for a tensor's own values."""
    help_text = _(
        "A nested list of Python, NumPy or JSON, DirectML's documentation style, or "
        "rows such as 1 2; 3 4."
    )
    return FormField(name, _("Your own values"), help_text, (FormControl("lines"),))


def picture_field(name: str, *, own_picture: bool) -> FormField:
    """The row for a picture of a tensor.

    Args:
        name: of the parameter.
        own_picture: whether the reader's own is offered.
    """
    titles = {key: title() for key, title in PICTURES.items()}
    if own_picture:
        titles[OWN] = _("My own picture")
    control = FormControl("menu", tuple(titles), tuple(titles.values()))
    return FormField(name, _("Picture"), "", (control,))


def chosen_fields(
    start: str, input_state: InputState, literal: str, *, own_picture: bool
) -> list[FormField]:
    """The rows for the values that are chosen: a seed, a picture, or the values themselves.

    Args:
        start: of the parameters' names, such as ``IndicesTensor.``.
        input_state: the tensor.
        literal: its own values as people write them.
        own_picture: whether there is a picture of the reader's own.
    """
    if input_state.values == "random":
        return [seed_field(f"{start}seed").with_values((str(input_state.seed),))]
    if input_state.values == "picture":
        row = picture_field(f"{start}picture", own_picture=own_picture)
        return [row.with_values((input_state.picture or next(iter(PICTURES)),))]
    if input_state.values == "own":
        return [literal_field(f"{start}literal").with_values((literal,))]
    return []


def has_grid(sizes: Sizes) -> bool:
    """Whether a tensor of these sizes has few enough planes and columns for a grid.

    >>> has_grid((513, 1, 1)), has_grid((64,)), has_grid((65,))
    (False, True, False)
    """
    return prod(sizes[:-2]) <= _MOST_PLANES and sizes[-1] <= _MOST_COLUMNS


def grid_fields(start: str, array: Array) -> list[FormField]:
    """The row in which a tensor's elements are typed one by one; none for a large tensor.

    Args:
        start: of the parameter's name, such as ``IndicesTensor.``.
        array: the tensor.
    """
    if not has_grid(array.shape) or array.size > _MOST_CELLS:
        return []
    control = FormControl("grid", sizes=array.shape)
    texts = tuple(print_compact(array).split(","))
    return [FormField(f"{start}grid", _("Edit as a grid"), "", (control,), True, texts)]


def _literal(state: State, name: str, input_state: InputState) -> str:
    """Own values as the documentation prints them; as they are if they do not fit the sizes."""
    try:
        return print_literal(state.input(name))
    except Error:
        return input_state.literal


def _values_field(cls: type[Operator], tensor: str, name: str, values: str) -> FormField:
    options = value_options(cls, tensor)
    titles = tuple(values_title(cls, option) for option in options)
    return FormField(
        name, _("Values"), "", (FormControl("menu", options, titles),), values=(values,)
    )


def titles_of_values(options: Iterable[str]) -> tuple[str, ...]:
    """What people read for starting values that are no operator's examples."""
    titles = {name: title() for name, title in STARTING_VALUES.items()}
    titles |= {"own": _("My own values"), GO_ON: _("Counting on")}
    return tuple(titles[option] for option in options)


def values_title(cls: type[Operator], option: str) -> str:
    """The name of starting values for people.

    Args:
        cls: the operator, whose documentation has the examples.
        option: one of :func:`dmlviz.states.value_options`.
    """
    if option.startswith("example-"):
        return cls.examples()[int(option.removeprefix("example-"))].title
    return titles_of_values([option])[0]


def _setting_fields(
    cls: type[Operator], settings: Settings, sizes: Sizes, start: str = ""
) -> tuple[FormField, ...]:
    """Rows for the settings that matter."""
    texts: Mapping[str, str] = dict(settings)
    fields = []
    for one in cls.parameters():
        if one.name not in texts:
            continue
        value = one.read(texts[one.name])
        parts: Sequence[Any] = value if one.ranked else (value,)
        row = setting_field(one, value, sizes)
        values = tuple(print_setting(part) for part in parts)
        fields.append(
            FormField(f"{start}{one.name}", row.label, row.help, row.controls, row.ranked, values)
        )
    return tuple(fields)


def compare_field() -> FormField:
    """The row of the switch for a second setting."""
    return FormField(
        "compare",
        _("Compare with another setting"),
        _("Both results for one input, side by side, step by step."),
        (FormControl("switch"),),
    )
