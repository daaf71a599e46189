"""dmlviz: see what a tensor operator does, element by element.

>>> import numpy as np, dmlviz
>>> op = dmlviz.Tile(repeats=(1, 1, 3, 3))
>>> trace = dmlviz.run(op, np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3))
>>> trace.output.shape, trace.agrees
((1, 1, 6, 9), True)
"""

from __future__ import annotations

from dmlviz.engines import Engine, engines
from dmlviz.errors import (
    EngineRefused,
    EngineUnavailable,
    Error,
    LiteralError,
    Problem,
    Refused,
    TooLarge,
)
from dmlviz.links import link
from dmlviz.operators import OPERATORS, Operator, older_form_of, operator_from_desc
from dmlviz.player import Player, figure, player
from dmlviz.scene import Scene, scene
from dmlviz.trace import Trace, run

__all__ = [
    "Engine",
    "EngineRefused",
    "EngineUnavailable",
    "Error",
    "LiteralError",
    "Operator",
    "Player",
    "Problem",
    "Refused",
    "Scene",
    "TooLarge",
    "Trace",
    "engines",
    "figure",
    "link",
    "older_form_of",
    "operator_from_desc",
    "player",
    "run",
    "scene",
]
__all__ += [cls.__name__ for cls in OPERATORS]
__all__.sort()

globals().update({cls.__name__: cls for cls in OPERATORS})

__version__ = "0.1.0"
