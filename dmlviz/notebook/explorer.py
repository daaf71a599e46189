"""Sliders and menus for an operator's settings, and the movement that they give."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import traitlets

from dmlviz.base.errors import Error, Refused
from dmlviz.base.spelling import print_setting
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace, run
from dmlviz.notebook.movement import MovementWidget
from dmlviz.operators import Operator
from dmlviz.operators.settings import Setting
from dmlviz.states.form import setting_field
from dmlviz.tensors import short_text


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
    _unused = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(
        self, operator: type[Operator] | Operator, x: Any, settings: Mapping[str, Any], engine: str
    ) -> None:
        self._x, self._engine = x, engine
        first = _first_trace(operator, x, settings, engine)
        self._cls = type(first.operator)
        sizes = next((array.shape for array in first.inputs.values()), ())
        self._parameters = {one.name: one for one in self._cls.parameters()}
        values = first.operator.settings
        super().__init__(
            first,
            settings={
                name: _control_value(one, values[name]) for name, one in self._parameters.items()
            },
            _form=json.dumps(
                [
                    setting_field(one, values[one.name], sizes).data()
                    for one in self._parameters.values()
                ]
            ),
            _unused=self._not_used(values),
        )
        # a setting is changed to see its result
        self.to_end()
        self.observe(self._changed, "settings")

    @property
    def operator(self) -> Operator:
        """The operator of :attr:`trace`: that of the last settings that were not refused."""
        return self.trace.operator

    def _changed(self, _change: Any) -> None:
        said = ""
        try:
            settings = self._read()
            self._unused = self._not_used(settings)
            self.show(run(self._cls(**settings), self._x, self._engine))
        except Refused as refused:
            said = refused.problems[0].message
        except Error as error:
            said = str(error)
        self.problem = said

    def _read(self) -> dict[str, Any]:
        """What the controls say, of the settings that matter."""
        settings: dict[str, Any] = {}
        for name, one in self._parameters.items():
            if one.used(settings):
                setting = self.settings[name]
                settings[name] = (
                    tuple(setting) if one.ranked else one.read(setting) if one.typed else setting
                )
        return settings

    def _not_used(self, settings: Mapping[str, Any]) -> list[str]:
        return [name for name, one in self._parameters.items() if not one.used(settings)]

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
    for start in _starts(cls, x):
        try:
            return run(cls(**{**start, **settings}), x, engine)
        except Error as error:
            refused = error
    assert refused is not None
    raise refused


def _starts(cls: type[Operator], x: Any) -> Iterator[dict[str, Any]]:
    """Settings to try for such an input: documentation's, then those that change nothing."""
    first = next(iter(x.values())) if isinstance(x, Mapping) and x else x
    sizes = np.shape(first)
    for example in cls.examples():
        before = next((array.shape for array in example.inputs.values()), ())
        yield {**example.operator.settings, **cls.fitted(example.operator.settings, sizes, before)}
    yield {one.name: one.neutral(sizes) for one in cls.parameters()}


def _no_such(name: str, cls: type[Operator]) -> str:
    return _("{name} is not a setting of {operator}; its settings are {names}.").format(
        name=name, operator=cls.__name__, names=", ".join(one.name for one in cls.parameters())
    )


def _control_value(one: Setting, value: Any) -> Any:
    """A setting's value as its controls have it."""
    if one.typed:
        return value if isinstance(value, str) else print_setting(value)
    plain = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
    if one.ranked and isinstance(plain, list | tuple):
        return [part.item() if isinstance(part, np.generic) else part for part in plain]
    return plain
