"""The player as a widget: its state is traits, which Python and the page both set."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from operator import index as as_int
from pathlib import Path
from typing import Any
from uuid import uuid4

from dmlviz.base.extras import extra
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.picture.files import (
    form_module,
    form_style,
    joined,
    plotly_script,
    scale,
    script,
    script_version,
    style,
)
from dmlviz.picture.payload import payload
from dmlviz.picture.scene import Scene, scene
from dmlviz.states.view import MOST_PINS
from dmlviz.tensors import short_text

with extra("notebook"):
    import anywidget
    import traitlets

_HERE = Path(__file__).resolve().parent


class MovementWidget(anywidget.AnyWidget):
    """A movement in a notebook. The player and Python both set the traits below.

    The page fetches the player and plotly.js (0.5 MB, compressed) from Python once for all
    widgets; the notebook's file holds none of it. So a widget needs a running kernel:
    ``dmlviz.player(trace)`` plays without one.

    Elements of the output are given by their flat indices, as in ``trace.output.ravel()``; those
    of several outputs are counted one output after another.

    Attributes:
        step: how many steps have landed, from 0 to the number of steps.
        playing: whether it is playing.
        pinned: up to 6 output elements whose sources and formulas are shown.
        selected: the output element that was clicked or reached with the arrow keys last, or None.
            If Python sets it, the picture shows that element as if the pointer were on it.
        trace: what it shows; :meth:`show` replaces it.

    Raises:
        TooLarge: a tensor has more than 65,536 elements.
        traitlets.TraitError: the value of a trait is invalid.
    """

    _esm = joined([form_module(), _HERE / "settings.js", _HERE / "widget.js"])
    # some notebooks put a widget into a shadow tree, which has no :root
    _css = (
        style().replace(scale(), scale().replace(":root", ":root, :host"))
        + form_style()
        + (_HERE / "notebook.css").read_text(encoding="utf-8")
    )

    step = traitlets.Any(0).tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)
    pinned = traitlets.Tuple().tag(sync=True)
    selected = traitlets.Any(None).tag(sync=True)
    _payload = traitlets.Unicode().tag(sync=True)
    _version = traitlets.Unicode().tag(sync=True)
    _loading = traitlets.Unicode().tag(sync=True)
    _key = traitlets.Unicode().tag(sync=True)

    def __init__(
        self, trace: Trace, *, directions: Mapping[int, str] | None = None, **traits: Any
    ) -> None:
        self._directions = directions
        super().__init__(
            _payload=self._draw(scene(trace, directions)),
            _version=script_version(),
            _key=uuid4().hex,
            _loading=_("Waiting for Python. If this stays, run the cell again."),
            **traits,
        )
        self.on_msg(_answer)

    def show(self, trace: Trace) -> None:
        """Show another run in the same place; at the end if the last one was at its end.

        Pinned elements stay pinned as long as the outputs have so many.

        Raises:
            TooLarge: a tensor has more than 65,536 elements; the widget stays as it was.
        """
        self.show_scene(scene(trace, self._directions))

    def show_scene(self, picture: Scene) -> None:
        """As :meth:`show`, of a run that is laid out already."""
        ended = self.step == self._steps
        drawn = self._draw(picture)
        with self.hold_sync(), self.hold_trait_notifications():
            self.playing = False
            self._payload = drawn
            self.step = self._steps if ended else min(self.step, self._steps)
            self.pinned = tuple(pin for pin in self.pinned if pin < self._count)
            if self.selected is not None and self.selected >= self._count:
                self.selected = None

    def to_end(self) -> None:
        """Show everything landed."""
        self.step = self._steps

    def _draw(self, picture: Scene) -> str:
        drawn = json.dumps(payload(picture))
        self.trace, self._steps = picture.trace, len(picture.steps)
        self._count = picture.output.count
        return drawn

    @traitlets.validate("step")
    def _valid_step(self, proposal: Any) -> int:
        step = _whole(proposal["value"])
        if step is not None and step <= self._steps:
            return step
        raise traitlets.TraitError(
            _("step: {step} is invalid; it must be a whole number from 0 to {count}.").format(
                step=short_text(proposal["value"]), count=self._steps
            )
        )

    @traitlets.validate("pinned")
    def _valid_pins(self, proposal: Any) -> tuple[int, ...]:
        pins = tuple(self._element("pinned", pin) for pin in proposal["value"])
        if len(pins) > MOST_PINS or len({*pins}) < len(pins):
            raise traitlets.TraitError(
                _("pinned: {pins} is invalid; it must be up to {most} different elements.").format(
                    pins=short_text(pins), most=MOST_PINS
                )
            )
        return pins

    @traitlets.validate("selected")
    def _valid_selection(self, proposal: Any) -> int | None:
        value = proposal["value"]
        return None if value is None else self._element("selected", value)

    def _element(self, trait: str, value: Any) -> int:
        number = _whole(value)
        if number is not None and number < self._count:
            return number
        raise traitlets.TraitError(
            _(
                "{trait}: {value} is invalid; an element of the output is a whole number from 0 "
                "to {last}."
            ).format(trait=trait, value=short_text(value), last=self._count - 1)
        )


def _whole(value: Any) -> int | None:
    """A whole number that is not negative, NumPy's included; None for anything else."""
    try:
        number = None if isinstance(value, bool) else as_int(value)
    except TypeError:
        return None
    return number if number is not None and number >= 0 else None


def _answer(widget: MovementWidget, content: Any, _buffers: Any) -> None:
    """Send the player to the page that asked for it."""
    if content == {"ask": "player"}:
        widget.send({"player": script_version()}, buffers=[gzip.compress(module().encode())])


def module() -> str:
    """A JavaScript module: the player and its own plotly.js.

    The notebook may have another version of plotly.js, which stays as it is.
    """
    return (
        "const plotly = (() => {\n"
        "const before = window.Plotly, module = { exports: {} };\n"
        f"{plotly_script()}\n"
        "if (before) window.Plotly = before; else delete window.Plotly;\n"
        "return module.exports;\n})();\n"
        f"{script()}\nexport {{ plotly }};\n"
    )
