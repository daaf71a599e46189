"""What a notebook shows of a value at the end of a cell: pictures, and text where nothing else can.

A run and a chain know nothing of pictures, which rooms above them draw, so the package sets the
function that draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar


class Displayed:
    """A value that a notebook shows as pictures of runs.

    Attributes:
        draw_bundle: makes pictures, by their types, of the runs that a function gives; takes a
            text for where there can be none, too.
    """

    draw_bundle: ClassVar[Callable[[Callable[[], Sequence[Any]], str], dict[str, str]]]

    def displayed_runs(self) -> Sequence[Any]:
        """The runs of which pictures are shown: each a :class:`dmlviz.engines.trace.Trace`.

        Raises:
            Error: there can be no run.
        """
        raise NotImplementedError

    def displayed_text(self) -> str:
        """A few lines of text."""
        raise NotImplementedError

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What IPython, marimo and others ask for; they choose among its types."""
        return Displayed.draw_bundle(self.displayed_runs, self.displayed_text())
