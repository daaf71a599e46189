"""What an engine is: something that executes an operator and says what it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from dmlviz.operators import Operator

Array = np.ndarray[Any, Any]
Inputs = Mapping[str, Array]
"""An operator's input tensors by DirectML's names, in the structure's order."""


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


@dataclass(frozen=True, eq=False)
class Ran:
    """One execution.

    Attributes:
        outputs: what came out, by DirectML's names.
        provider: what executed it, as the engine itself reports it.
        nodes: the operations that it executed, as the engine itself reports them.
        form: ``"native"`` or ``"lowered"``, see :class:`dmlviz.operators.Graph`.
        seconds: how long the execution took, without building or loading a model.
    """

    outputs: Mapping[str, Array]
    provider: str
    nodes: tuple[str, ...]
    form: str
    seconds: float

    @property
    def output(self) -> Array:
        """What came out, where that is one tensor."""
        (output,) = self.outputs.values()
        return output


class Runner(Protocol):
    """The three things that an engine does."""

    def status(self) -> Engine:
        """Whether it can run here, found out without running anything."""

    def run(self, operator: Operator, inputs: Inputs, form: str = "") -> Ran:
        """Run ``operator`` on inputs that nothing refuses.

        Args:
            operator: what to do.
            inputs: of the 11 types, contiguous.
            form: ``"native"`` or ``"lowered"`` to insist on one; otherwise the engine takes
                the operator as ONNX writes it where that is exact, else the lowering.

        Raises:
            EngineUnavailable: it cannot run here.
            EngineRefused: it said no, with its own words.
        """

    def index_type(self, operator: Operator, inputs: Inputs, form: str = "") -> str:
        """The data type in which indices take the same way through the engine as the values."""
