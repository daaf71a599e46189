"""A form as data: controls for an operator's settings and its inputs, for any page to draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from dmlviz.base.errors import Error
from dmlviz.base.spelling import MOST_TYPED, print_setting
from dmlviz.base.words import _
from dmlviz.operators import Operator
from dmlviz.operators.settings import MOST_NUMBER, Setting
from dmlviz.states.controls import SECOND, SETTINGS, FormControl, FormField, FormGroup
from dmlviz.states.inputs import InputState, examples_of, list_slot, types_of, value_options
from dmlviz.states.own_picture import PictureChoice, channels_field, width_field
from dmlviz.states.settings import Settings
from dmlviz.states.state import State
from dmlviz.states.tensor_rows import grid_rows, rows_with_tensor, tensor_rows, titles_of_values
from dmlviz.states.view import LIMITS, view_rows
from dmlviz.tensors import DATA_TYPES
from dmlviz.tensors.types import Sizes

_REACH = 8
"""What a slider reaches at least, however small the tensor is."""
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
        numbers = all(isinstance(option, int) for option in options)
        options = options if part in options else (*options, part)
        return FormControl("menu", options, accepts_more=numbers)
    if one.typed:
        return FormControl("text", most_characters=MOST_TYPED)
    if one.real:
        return FormControl("number", step=0.5)
    least = getattr(one, "least", 0)
    highest = getattr(one, "highest", MOST_NUMBER)
    if abs(part) > _FAR:
        return FormControl("number", least=least, most=highest)
    reach = max(_REACH, 2 * max(sizes, default=1), abs(part))
    return FormControl("slider", least=max(least, -reach), most=min(reach, max(highest, part)))


def state_form(state: State, picture: PictureChoice | None = None) -> tuple[FormGroup, ...]:
    """The form of an operator's page: each input, the operator, what it is compared with, limits.

    Args:
        state: that it shows.
        picture: the reader's own; None if there is none.
    """
    cls, inputs = state.cls, state.tensors
    slot = list_slot(cls)
    alone = len(inputs) == 1 and slot is None
    groups = [
        FormGroup(_("Input") if alone else name, tuple(_input_rows(state, name, picture)))
        for name in inputs
    ]
    if slot is not None:
        count = sum(name in slot.names(slot.most) for name in inputs)
        number = FormControl("number", least=1, most=slot.most, step=1)
        row = FormField("tensors", _("Number of tensors"), "", (number,), values=(str(count),))
        groups.append(FormGroup("", (row,)))
    settings = _setting_fields(cls, state.settings, state.sizes)
    if not inputs:
        options = value_options(cls)
        titles = tuple(values_title(cls, option) for option in options)
        menu = FormControl("menu", options, titles)
        row = FormField("values", _("Values"), "", (menu,), values=(state.example,))
        settings = (row, *settings)
    groups.append(FormGroup(_("Operator"), settings, SETTINGS))
    comparing = "true" if state.compares else "false"
    groups.append(FormGroup("", (compare_field().with_values((comparing,)),)))
    if state.view.compare is not None:
        second = _setting_fields(cls, state.view.compare, state.sizes, "b_")
        groups.append(FormGroup(second_title(), second, SECOND))
    groups.append(FormGroup("", view_rows(state, LIMITS)))
    return tuple(groups)


def second_title() -> str:
    """The heading of the second setting."""
    return _("B, the other setting")


def _input_rows(state: State, name: str, picture: PictureChoice | None) -> Iterator[FormField]:
    cls, tensor, first = state.cls, state.tensors[name], not state.prefix(name)
    options = value_options(cls, name)
    titles = [values_title(cls, option) for option in options]
    types = types_of(cls, name) if tensor.control else tuple(DATA_TYPES) if first else ()
    yield from tensor_rows(state, name, options, titles, types, picture)
    if first and picture is not None and tensor.is_own_picture:
        yield from rows_with_tensor(state, name, _size_rows(state, tensor, picture))
    yield from grid_rows(state, name)


def _size_rows(state: State, tensor: InputState, picture: PictureChoice) -> Iterator[FormField]:
    """The rows for the sizes that a picture sets, empty while it is drawn in other sizes."""
    operator = None
    with suppress(Error):
        operator = state.operator()
    sizes = picture.sizes(state.cls, operator)
    for row in (channels_field(picture), width_field(picture)) if sizes else ():
        yield row if sizes == tensor.sizes else row.with_values(("",), "")


def values_title(cls: type[Operator], option: str) -> str:
    """The name of starting values for people.

    Args:
        cls: the operator, whose documentation has the examples.
        option: one of :func:`dmlviz.states.value_options`.
    """
    if option.startswith("example-"):
        return examples_of(cls)[int(option.removeprefix("example-"))].title
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
