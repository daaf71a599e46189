"""An engine executes an operator and reports what it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from dmlviz.operators import Operator
from dmlviz.tensors.types import Array

Inputs = Mapping[str, Array]
"""An operator's input tensors by DirectML's names, in the structure's order."""


@dataclass(frozen=True)
class Engine:
    """Whether an engine can run here.

    Attributes:
        name: as ``dmlviz.run(engine=...)`` takes it, such as ``numpy``.
        title: its name to show.
        available: whether it runs on this machine.
        reason: why not, in one sentence; empty if it runs.
        detail: version and provider, to show.
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
        outputs: the output tensors, by DirectML's names.
        provider: what executed it, as reported by the engine.
        nodes: the operations that it executed, as reported by the engine.
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
        """The output, if there is only one."""
        (output,) = self.outputs.values()
        return output


class Runner(Protocol):
    """The three methods of an engine."""

    def status(self) -> Engine:
        """Whether it can run here; this does not run anything."""

    def run(self, operator: Operator, inputs: Inputs, form: str = "") -> Ran:
        """Run ``operator`` on inputs that were already checked.

        Args:
            operator: what to run.
            inputs: of the 11 types, contiguous.
            form: ``"native"`` or ``"lowered"`` to require one; otherwise the engine runs
                the operator as ONNX writes it if that is exact, otherwise the lowering.

        Raises:
            EngineUnavailable: it cannot run here.
            EngineRefused: it reported an error; the message quotes it.
        """

    def index_type(self, operator: Operator, inputs: Inputs, form: str = "") -> str:
        """The data type for indices that makes the engine handle them exactly as the values."""
