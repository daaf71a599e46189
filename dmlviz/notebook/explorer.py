"""Sliders and menus for an operator's settings, and the movement that they give."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from dmlviz.base.errors import Error, Refused
from dmlviz.base.extras import extra
from dmlviz.base.spelling import print_setting
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace, run
from dmlviz.notebook.movement import MovementWidget
from dmlviz.operators import Operator
from dmlviz.operators.settings import Setting
from dmlviz.states.controls import FormField, FormGroup
from dmlviz.states.inputs import InputState, Tensors
from dmlviz.states.pages import AnyState, changed, form_of
from dmlviz.states.settings import settings_of
from dmlviz.states.state import State
from dmlviz.tensors import data_type_of, short_text

with extra("notebook"):
    import traitlets


class Explorer(MovementWidget):
    """An operator on an input, with a slider or a menu for each setting.

    It is one widget, not one of ipywidgets for each setting, because marimo shows no ipywidgets.

    Attributes:
        settings: what the controls say, by the settings' names: a list of a number for each
            dimension, a name or a number from a menu, or a text. Setting some of them is the same
            as moving their controls; the others stay.
        problem: why the settings are refused, in one sentence; empty if they are not.

    Raises:
        Error: the operator cannot run on ``x`` with these settings, or has no such setting.
        traitlets.TraitError: ``settings`` has an unknown name, or not a number for each dimension.
    """

    settings = traitlets.Dict().tag(sync=True)
    problem = traitlets.Unicode().tag(sync=True)
    _form = traitlets.Unicode().tag(sync=True)

    def __init__(
        self, operator: type[Operator] | Operator, x: Any, settings: Mapping[str, Any], engine: str
    ) -> None:
        first = _first_trace(operator, x, settings, engine)
        self._inputs = first.inputs
        self._state: AnyState = _state_of(first)
        self._cls = type(first.operator)
        self._parameters = {one.name: one for one in self._cls.parameters()}
        values = first.operator.settings
        super().__init__(
            first,
            settings={
                name: _control_value(one, values[name]) for name, one in self._parameters.items()
            },
        )
        self._form = self._rows({})
        # a setting is changed to see its result
        self.to_end()
        self.observe(self._changed, "settings")

    @property
    def operator(self) -> Operator:
        """The operator of :attr:`trace`: that of the last settings that were not refused."""
        return self.trace.operator

    def _changed(self, _change: Any) -> None:
        refused: dict[str, str] = {}
        problem = ""
        for name, value in self.settings.items():
            # what does not matter with the settings before it has no row, and waits for one
            if name not in [row.name for row in self._setting_rows()]:
                continue
            text = _text(value)
            try:
                self._state = changed(self._state, name, text)
            except Error as error:
                refused[name] = text
                problem = problem or str(error)
        try:
            if not refused:
                self.show_scene(self._state.scene(inputs=self._inputs))
        except Refused as error:
            problem = error.problems[0].message
        except Error as error:
            problem = str(error)
        with self.hold_sync():
            self._form = self._rows(refused)
            self.problem = problem

    def _setting_rows(self) -> list[FormField]:
        """The rows of the state that set the operator."""
        rows = (row for group in form_of(self._state) for row in group.fields)
        return [row for row in rows if row.name in self._parameters]

    def _rows(self, refused: Mapping[str, str]) -> str:
        """The rows of the settings as the page draws them, with texts that were refused."""
        fields = []
        for row in self._setting_rows():
            fields.append(row.with_text(refused[row.name]) if row.name in refused else row)
        return json.dumps([FormGroup("", tuple(fields)).data()])

    @traitlets.validate("settings")
    def _valid_settings(self, proposal: Any) -> dict[str, Any]:
        settings = dict(self.settings)
        for name, value in proposal["value"].items():
            if name not in self._parameters:
                raise traitlets.TraitError(_no_such(name, self._cls))
            settings[name] = _control_value(self._parameters[name], value)
            if name in self.settings and np.shape(settings[name]) != np.shape(self.settings[name]):
                raise traitlets.TraitError(
                    _("{name}: {value} is invalid; it must be a value such as {example}.").format(
                        name=name, value=short_text(value), example=short_text(self.settings[name])
                    )
                )
        return settings


def _state_of(trace: Trace) -> State:
    """The state of a run, whose values are in its arrays alone: no address holds so many."""
    operator = trace.operator
    inputs = tuple(
        (name, InputState(array.shape, data_type_of(array.dtype), "count-0"))
        for name, array in trace.inputs.items()
    )
    state = State(operator.key, Tensors(inputs), settings_of(operator))
    return state.with_view(replace(state.view, engine=trace.engine))


def _first_trace(
    operator: type[Operator] | Operator, x: Any, settings: Mapping[str, Any], engine: str
) -> Trace:
    """The run to begin with.

    Raises:
        Error: it is refused, or there is no such setting.
    """
    cls = operator if isinstance(operator, type) else type(operator)
    if not issubclass(cls, Operator):
        raise Error(
            _("operator: {value} is not an operator such as dmlviz.Tile.").format(
                value=short_text(operator)
            ),
            "operator",
        )
    for name in settings:
        if name not in [one.name for one in cls.parameters()]:
            raise Error(_no_such(name, cls), name)
    if isinstance(operator, Operator):
        return run(cls(**{**operator.settings, **settings}), x, engine)
    refused: Error | None = None
    unmoved: Trace | None = None
    documented = list(_documented(cls, x))
    near = [start for each in documented for start in _near(cls, each, x)]
    # settings near the documented ones are only for an input that moves under them
    for start, may_rest in (
        *((start, True) for start in documented),
        *((start, False) for start in near),
        (_neutral(cls, x), True),
    ):
        try:
            trace = run(cls(**{**start, **settings}), x, engine)
        except Error as error:
            refused = error
            continue
        if _moves(trace):
            return trace
        if may_rest:
            unmoved = unmoved or trace
    if unmoved is not None:
        return unmoved
    assert refused is not None
    raise refused


def _moves(trace: Trace) -> bool:
    """Whether a run gives anything else than its inputs as they are."""
    inputs, outputs = (
        [(array.shape, array.tobytes()) for array in side.values()]
        for side in (trace.inputs, trace.outputs)
    )
    return any(output not in inputs for output in outputs)


def _documented(cls: type[Operator], x: Any) -> Iterator[dict[str, Any]]:
    """The settings of documentation's examples for such an input.

    The examples have images, whose last dimensions are those in which something moves: an input
    with fewer dimensions takes the settings of the last ones.
    """
    sizes = _sizes_of(x)
    for example in cls.examples():
        before = next((array.shape for array in example.inputs.values()), ())
        values = example.operator.settings
        if extra := max(0, len(before) - len(sizes)):
            ranked = (one.name for one in cls.parameters() if one.ranked)
            last = {
                name: values[name][extra:] for name in ranked if len(values[name]) == len(before)
            }
            yield {**values, **cls.fitted({**values, **last}, sizes, before[extra:])}
        yield {**values, **cls.fitted(values, sizes, before)}


def _near(cls: type[Operator], start: Mapping[str, Any], x: Any) -> Iterator[dict[str, Any]]:
    """Settings of which one differs a little."""
    for one in cls.parameters():
        for value in one.nearby(start[one.name], _sizes_of(x)):
            yield {**start, one.name: value}


def _neutral(cls: type[Operator], x: Any) -> dict[str, Any]:
    return {one.name: one.neutral(_sizes_of(x)) for one in cls.parameters()}


def _sizes_of(x: Any) -> tuple[int, ...]:
    """The sizes of the only input, or of the first one."""
    return np.shape(next(iter(x.values())) if isinstance(x, Mapping) and x else x)


def _no_such(name: str, cls: type[Operator]) -> str:
    return _("{name} is not a setting of {operator}; its settings are {names}.").format(
        name=name, operator=cls.__name__, names=", ".join(one.name for one in cls.parameters())
    )


def _control_value(one: Setting, value: Any) -> Any:
    """A setting's value as the trait has it; a list for each dimension may be a link's text."""
    if one.typed:
        return value if isinstance(value, str) else print_setting(value)
    plain = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
    if one.ranked and isinstance(plain, str):
        return [_number(part) for part in plain.split(",")]
    if one.ranked and isinstance(plain, list | tuple):
        return [part.item() if isinstance(part, np.generic) else part for part in plain]
    if isinstance(plain, str) and all(isinstance(option, int) for option in one.options(())):
        return _number(plain)
    return plain


def _number(text: str) -> Any:
    """The number that a text says; the text if it says none."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def _text(value: Any) -> str:
    """A value of the trait as a link has it."""
    return print_setting(tuple(value) if isinstance(value, list) else value)
