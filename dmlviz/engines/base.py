"""What an engine is: something that executes an operator and says what it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from dmlviz.operators import Operator

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Engine:
    """Whether an engine can run here.

    Attributes:
        name: ``numpy``, as ``dmlviz.run(engine=...)`` takes it.
        title: its name for people.
        available: whether it runs on this machine.
        reason: why not, in one sentence; empty where it runs.
        detail: version and provider, for people.
    """

    name: str
    title: str
    available: bool
    reason: str
    detail: str


class Runner(Protocol):
    """The two things that an engine does."""

    def status(self) -> Engine:
        """Whether it can run here, found out without running anything."""

    def run(self, operator: Operator, x: Array) -> Array:
        """The operator's output on ``x``, an input that nothing refuses.

        Raises:
            EngineUnavailable: it cannot run here.
            EngineRefused: it said no, with its own words.
        """
