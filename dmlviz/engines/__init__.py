"""The engines by name, and which of them can run on this machine."""

from __future__ import annotations

from dmlviz.base.errors import EngineUnavailable
from dmlviz.base.words import _
from dmlviz.engines.base import Engine, Inputs, Ran, Runner
from dmlviz.engines.contained import Contained, Process
from dmlviz.engines.directml import Adapter, DirectMLEngine
from dmlviz.engines.numpy import NumpyEngine
from dmlviz.engines.onnxruntime import OnnxRuntimeEngine
from dmlviz.operators import Operator
from dmlviz.tensors import short_text

ENGINES: dict[str, Runner] = {
    "numpy": NumpyEngine(),
    "onnxruntime": OnnxRuntimeEngine(),
    "directml": DirectMLEngine(),
}

__all__ = [
    "ENGINES",
    "Engine",
    "Inputs",
    "Ran",
    "Runner",
    "adapters",
    "contain",
    "engine",
    "engines",
    "model_file",
]


def contain() -> None:
    """From now on, run engines of native code in another process, as a server should."""
    process = Process()
    for name, runner in ENGINES.items():
        if isinstance(runner, OnnxRuntimeEngine | DirectMLEngine):
            ENGINES[name] = Contained(runner, process)


def adapters() -> list[Adapter]:
    """The graphics adapters that DirectML can use here.

    Raises:
        EngineRefused: the engine could not be queried.
    """
    runner = ENGINES["directml"]
    return runner.adapters() if isinstance(runner, DirectMLEngine | Contained) else []


def model_file(operator: Operator, inputs: Inputs) -> bytes:
    """The ONNX model of a state: ONNX's own operator if there is one, otherwise the lowering.

    Raises:
        EngineRefused: it could not be built.
    """
    runner = ENGINES["onnxruntime"]
    if isinstance(runner, Contained):
        return runner.model(operator, inputs)
    from dmlviz.engines.models import model_file as made

    return made(operator, inputs)


def engines() -> list[Engine]:
    """Every engine, whether it can run on this machine, and why not.

    >>> [engine.name for engine in engines()]
    ['numpy', 'onnxruntime', 'directml']
    """
    return [runner.status() for runner in ENGINES.values()]


def engine(name: str) -> Runner:
    """The engine of that name, ready to run; ``directml:1`` for the adapter of that number.

    Raises:
        EngineUnavailable: there is no such engine, or it cannot run here; the message says why.
    """
    key, colon, adapter = name.partition(":") if isinstance(name, str) else ("", "", "")
    runner = ENGINES.get(key)
    if runner is not None and colon:
        numbered = adapter.isdecimal() and len(adapter) < 7
        if numbered and isinstance(runner, DirectMLEngine | Contained):
            runner = runner.on(int(adapter))
        else:
            runner = None
    if runner is None:
        raise EngineUnavailable(
            _("engine: {name} is unknown; this version has {names}.").format(
                name=short_text(name), names=", ".join(ENGINES)
            ),
            "engine",
        )
    status = runner.status()
    if not status.available:
        raise EngineUnavailable(f"engine: {status.reason}", "engine")
    return runner
