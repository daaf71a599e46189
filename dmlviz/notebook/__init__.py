"""A run in a notebook: a player whose state Python reads and sets, and sliders for settings.

Both need the package anywidget, the extra ``notebook``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dmlviz.engines.trace import Trace
from dmlviz.operators import Operator

if TYPE_CHECKING:
    from dmlviz.notebook.explorer import Explorer
    from dmlviz.notebook.movement import MovementWidget

__all__ = ["explore", "widget"]


def widget(
    trace: Trace,
    *,
    step: int = 0,
    playing: bool = False,
    pinned: Sequence[int] = (),
    selected: int | None = None,
    directions: Mapping[int, str] | None = None,
) -> MovementWidget:
    """The movement of a run as a widget of Jupyter, VS Code, Colab or marimo.

    Args:
        trace: what ``dmlviz.run`` gave.
        step, playing, pinned, selected: the first values of the widget's traits, as
            :class:`dmlviz.notebook.movement.MovementWidget` has them.
        directions: for outer dimensions, ``"across"`` or ``"down"``.

    Raises:
        NotInstalled: anywidget is missing; it is a ModuleNotFoundError whose message has the
            command that installs it.
        TooLarge: a tensor has more than 65,536 elements.
        traitlets.TraitError: the value of a trait is invalid.
    """
    from dmlviz.notebook.movement import MovementWidget

    return MovementWidget(
        trace, step=step, playing=playing, pinned=pinned, selected=selected, directions=directions
    )


def explore(
    operator: type[Operator] | Operator, x: Any = None, *, engine: str = "numpy", **settings: Any
) -> Explorer:
    """An operator on an input, with a slider or a menu for each setting, as one widget.

    Each change runs the operator again. If it refuses a setting, one sentence says why, and the
    last picture stays.

    Args:
        operator: its class, such as ``dmlviz.Tile``, or an operator, whose settings come first.
        x: as ``dmlviz.run`` takes it.
        engine: the name of an engine that is available here.
        settings: the first values of the operator's settings. Others are those of the operator,
            or of DirectML's documentation where they fit the input, or they change nothing.

    Returns:
        A widget with the traits of :func:`widget`, and ``settings``, which Python can set, too.

    Raises:
        NotInstalled: anywidget is missing; it is a ModuleNotFoundError whose message has the
            command that installs it.
        Error: the operator cannot run on ``x`` with these settings, or has no such setting.
    """
    from dmlviz.notebook.explorer import Explorer

    return Explorer(operator, x, settings, engine)
