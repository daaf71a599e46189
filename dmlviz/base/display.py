"""What a notebook shows of a value at the end of a cell, and a prompt after a line.

A run and a chain know nothing of pictures, which rooms above them draw, so the package sets the
function that draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

_REPR_WIDTH = 200


class Displayed:
    """A value that a notebook shows as pictures of runs, and a prompt as one line.

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

    def displayed_summary(self) -> str:
        """What it is, on one line of printable text, found without a run."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """One line of at most some 200 characters, however large the tensors are."""
        text = self.displayed_summary()
        short = text if len(text) <= _REPR_WIDTH else f"{text[:_REPR_WIDTH]}…"
        return f"<{type(self).__name__}: {short}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What IPython, marimo and others ask for; they choose among its types."""
        return Displayed.draw_bundle(self.displayed_runs, self.displayed_text())
