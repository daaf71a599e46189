"""dmlviz: see what a tensor operator does, element by element.

>>> import numpy as np, dmlviz
>>> op = dmlviz.Tile(repeats=(1, 1, 3, 3))
>>> trace = dmlviz.run(op, np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3))
>>> trace.output.shape, trace.agrees
((1, 1, 6, 9), True)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dmlviz.base.display import Displayed
from dmlviz.base.version import VERSION

if TYPE_CHECKING:
    from dmlviz.operators import Operator

__version__ = VERSION

_HOMES = {
    **dict.fromkeys(("ChainTrace", "CodeRefused", "code"), "dmlviz.code"),
    **dict.fromkeys(("Engine", "engines"), "dmlviz.engines"),
    **dict.fromkeys(("EngineRefused", "EngineUnavailable", "Error"), "dmlviz.base.errors"),
    **dict.fromkeys(("LiteralError", "Problem", "Refused", "TooLarge"), "dmlviz.base.errors"),
    **dict.fromkeys(("Between", "between"), "dmlviz.code.between"),
    **dict.fromkeys(("FilesBetween", "between_files"), "dmlviz.code.between_files"),
    **dict.fromkeys(("Observed", "observed"), "dmlviz.code.observing"),
    "link": "dmlviz.states.links",
    **dict.fromkeys(("explore", "widget"), "dmlviz.notebook"),
    **dict.fromkeys(("Operator", "older_form_of", "operator_from_desc"), "dmlviz.operators"),
    "figure": "dmlviz.picture.figure",
    **dict.fromkeys(("Player", "player"), "dmlviz.picture.page"),
    **dict.fromkeys(("Scene", "scene"), "dmlviz.picture.scene"),
    **dict.fromkeys(("Trace", "run"), "dmlviz.engines.trace"),
}
"""The public names and the modules that have them; these are imported when a name is first used.

NumPy and the operators take longer to import than most commands take to run. Type checkers read
``__init__.pyi`` instead, which ``python -m tests.stubs`` writes.
"""


class _Package(ModuleType):
    """Keeps importing the packages ``code`` and ``engines`` from hiding the functions of these
    names."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    """A public name at its first use: one of ``_HOMES``, an operator's class, or ``__all__``."""
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    elif name == "__all__":
        value = sorted([*_HOMES, *(cls.__name__ for cls in _operators())])
    else:
        # operators are found by listing their folders; no other public name begins like a class
        operators = _operators() if name[:1].isupper() else ()
        value = next((cls for cls in operators if cls.__name__ == name), None)
        if value is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    public: list[str] = __getattr__("__all__")
    return public


def _draw_bundle(displayed_runs: Callable[[], Sequence[Any]], text: str) -> dict[str, str]:
    """The pictures of runs for a notebook; drawing is imported when a notebook first asks."""
    from dmlviz.notebook.display import mime_bundle

    return mime_bundle(displayed_runs, text)


Displayed.draw_bundle = staticmethod(_draw_bundle)


def _operators() -> tuple[type[Operator], ...]:
    from dmlviz.operators import OPERATORS

    return OPERATORS
