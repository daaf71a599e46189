"""An engine executes an operator and reports what it did; which runtimes are installed for it."""

from __future__ import annotations

import functools
import importlib
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from dmlviz.base.deferred import dataclass
from dmlviz.base.extras import NotInstalled, installing
from dmlviz.base.words import _, listed
from dmlviz.operators import Operator
from dmlviz.tensors.types import Array

Inputs = Mapping[str, Array]
"""An operator's input tensors by DirectML's names, in the structure's order."""

RUNTIMES = ("onnxruntime", "onnxruntime-directml", "onnxruntime-windowsml", "onnxruntime-gpu")
"""Packages that write the same files to the same folder; only one can be installed."""


@dataclass(frozen=True)
class Engine:
    """Whether an engine can run here.

    Attributes:
        name: as ``dmlviz.run(engine=...)`` takes it, such as ``numpy``.
        title: its name to show.
        available: whether it runs on this machine.
        reason: why not, in one sentence; empty if it runs.
        detail: version and provider, to show.
        version: of the runtime; empty if it has none.
    """

    name: str
    title: str
    available: bool
    reason: str
    detail: str
    version: str = ""


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


class Installed:
    """The facts about this machine that engines need; tests replace it.

    Attributes:
        system: ``sys.platform``.
        machine: the processor, ``AMD64``, ``x86_64``, ``arm64``, ...
    """

    def __init__(self) -> None:
        self.system = sys.platform
        self.machine = platform.machine()

    def packages(self) -> Sequence[str]:
        """The runtime packages that are installed."""
        return _runtime_packages()

    def onnxruntime(self) -> Any:
        """The module.

        Raises:
            ImportError: it is not installed, or does not load.
        """
        # since 1.31 it counts its users and stores an ID for each machine, unless turned off
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        return importlib.import_module("onnxruntime")

    def version(self) -> str:
        """The runtime's version."""
        return str(self.onnxruntime().__version__)

    def why_no_models(self) -> str:
        """Why ONNX models cannot run here, in one sentence; empty if they can."""
        packages = self.packages()
        if len(packages) > 1:
            return _(
                "{packages} conflict with each other; uninstall all of them, then run {command}."
            ).format(packages=listed(packages), command=installing("onnxruntime"))
        try:
            ort = self.onnxruntime()
            # uninstalling one of two such packages leaves a folder with only some of the files
            if not hasattr(ort, "InferenceSession"):
                raise ImportError(_("it is incomplete; uninstall it, then install it again."))
        except Exception as error:
            if not packages and isinstance(error, ModuleNotFoundError):
                return str(NotInstalled("onnxruntime", "onnxruntime"))
            return _("{package} is installed but cannot be loaded: {words}").format(
                package=packages[0] if packages else "onnxruntime",
                words=" ".join(str(error).split())[:300],
            )
        return ""


@functools.cache
def _runtime_packages() -> list[str]:
    # half as long to import as NumPy is
    from importlib import metadata

    names = {str(d.name).lower().replace("_", "-") for d in metadata.distributions() if d.name}
    return [name for name in RUNTIMES if name in names]
