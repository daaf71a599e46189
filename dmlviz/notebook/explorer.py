"""Sliders and menus for an operator's settings, and the movement that they give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import ipywidgets
import numpy as np

from dmlviz.errors import Error, Refused
from dmlviz.notebook.movement import Movement
from dmlviz.operators import Operator
from dmlviz.operators.settings import MOST_NUMBER, Setting
from dmlviz.operators.spelling import print_setting
from dmlviz.tensors import shown
from dmlviz.trace import Trace, run
from dmlviz.words import _

Control = Any
"""A widget of ipywidgets, which has no types."""
Sizes = tuple[int, ...]

_REACH = 8
"""What a slider reaches at least, however small the tensor is."""
_FAR = 4096
"""What no slider reaches: it would skip numbers."""
_PART, _WHOLE = "300px", "420px"
_NAME = "160px"
"""Of the settings' names, so that the controls begin in one column."""


class Explorer(ipywidgets.VBox):  # type: ignore[misc]
    """An operator on an input, with a slider or a menu for each setting.

    Attributes:
        controls: each setting's widgets by its name; several where it has a number for each
            dimension. Setting their ``value`` is the same as moving them.
        movement: the :class:`~dmlviz.notebook.movement.Movement` below them.

    Raises:
        Error: the operator cannot run on ``x`` with these settings, or has no such setting.
    """

    def __init__(
        self, operator: type[Operator] | Operator, x: Any, settings: Mapping[str, Any], engine: str
    ) -> None:
        self._x, self._engine = x, engine
        first = _first_trace(operator, x, settings, engine)
        self._cls = type(first.operator)
        sizes = next(iter(first.inputs.values())).shape
        self._parameters = {one.name: one for one in self._cls.parameters()}
        values = first.operator.settings
        self.controls = {
            name: tuple(_controls(one, values[name], sizes))
            for name, one in self._parameters.items()
        }
        self.movement = Movement(first)
        # a setting is changed to see its result
        self.movement.to_end()
        self._problem = ipywidgets.Label(style={"text_color": "var(--jp-error-color1, #c62828)"})
        self._problem.layout.display = "none"
        self._rows = {
            name: _row(self._parameters[name], own) for name, own in self.controls.items()
        }
        super().__init__([*self._rows.values(), self._problem, self.movement])
        self._hide_unused(values)
        for own in self.controls.values():
            for control in own:
                control.observe(self._changed, "value")

    @property
    def trace(self) -> Trace:
        """The run that is shown: that of the last settings that were not refused."""
        return self.movement.trace

    @property
    def operator(self) -> Operator:
        """The operator of :attr:`trace`."""
        return self.trace.operator

    @property
    def problem(self) -> str:
        """Why the settings are refused, in one sentence; empty if they are not."""
        return str(self._problem.value)

    def _changed(self, _change: Any) -> None:
        said = ""
        try:
            settings = self._settings()
            self._hide_unused(settings)
            self.movement.show(run(self._cls(**settings), self._x, self._engine))
        except Refused as refused:
            said = refused.problems[0].message
        except Error as error:
            said = str(error)
        self._problem.value = said
        self._problem.layout.display = None if said else "none"

    def _settings(self) -> dict[str, Any]:
        """What the controls say, of the settings that matter."""
        found: dict[str, Any] = {}
        for name, one in self._parameters.items():
            if one.used(found):
                values = tuple(control.value for control in self.controls[name])
                found[name] = (
                    values if one.ranked else one.read(values[0]) if one.typed else values[0]
                )
        return found

    def _hide_unused(self, settings: Mapping[str, Any]) -> None:
        for name, one in self._parameters.items():
            self._rows[name].layout.display = None if one.used(settings) else "none"


def _first_trace(
    given: type[Operator] | Operator, x: Any, settings: Mapping[str, Any], engine: str
) -> Trace:
    """The run to begin with.

    Raises:
        Error: it is refused, or there is no such setting.
    """
    cls = given if isinstance(given, type) else type(given)
    if not issubclass(cls, Operator):
        raise Error(
            _("operator: {value} is not an operator such as dmlviz.Tile.").format(
                value=shown(given)
            ),
            "operator",
        )
    names = [one.name for one in cls.parameters()]
    for name in settings:
        if name not in names:
            raise Error(
                _("{name} is not a setting of {operator}; its settings are {names}.").format(
                    name=name, operator=cls.__name__, names=", ".join(names)
                ),
                name,
            )
    if isinstance(given, Operator):
        return run(cls(**{**given.settings, **settings}), x, engine)
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
        before = next(iter(example.inputs.values())).shape
        yield {**example.operator.settings, **cls.fitted(example.operator.settings, sizes, before)}
    yield {one.name: one.neutral(sizes) for one in cls.parameters()}


def _controls(one: Setting, value: Any, sizes: Sizes) -> Iterator[Control]:
    """The widgets of a setting: a menu, a text, or a number or slider for each dimension."""
    several = one.ranked
    for k, part in enumerate(value if several else (value,)):
        told: dict[str, Any] = {
            "description": f"[{k}]" if several else one.label,
            "tooltip": one.help,
        }
        told["layout"] = {"width": _PART if several else _WHOLE}
        told["style"] = {"description_width": "2em" if several else _NAME}
        if one.enumerated:
            options = one.options(sizes)
            if part not in options:
                options = (*options, part)
            yield ipywidgets.Dropdown(options=options, value=part, **told)
        elif one.typed:
            text = print_setting(part)
            yield ipywidgets.Text(value=text, continuous_update=False, **told)
        elif one.real:
            yield ipywidgets.FloatText(value=part, step=0.5, **told)
        elif abs(part) > _FAR:
            low, high = getattr(one, "least", 0), getattr(one, "highest", MOST_NUMBER)
            yield ipywidgets.BoundedIntText(value=part, min=low, max=high, **told)
        else:
            reach = max(_REACH, 2 * max(sizes, default=1), abs(part))
            least = max(getattr(one, "least", 0), -reach)
            yield ipywidgets.IntSlider(
                value=part, min=least, max=reach, continuous_update=False, **told
            )


def _row(one: Setting, own: tuple[Control, ...]) -> Control:
    """A setting's widgets side by side, after its name if each is of one dimension."""
    if not one.ranked:
        return own[0]
    # as in front of the other controls
    place = {"width": _NAME, "flex": "none", "justify_content": "flex-end"}
    name = ipywidgets.Label(one.label, tooltip=one.help, layout=place)
    side_by_side = ipywidgets.HBox(own, layout={"flex_flow": "row wrap"})
    return ipywidgets.HBox([name, side_by_side])
