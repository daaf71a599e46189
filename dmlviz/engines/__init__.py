"""The engines by name, and which of them can run here."""

from __future__ import annotations

from dmlviz.engines.base import Engine, Ran, Runner
from dmlviz.engines.directml import DirectMLEngine
from dmlviz.engines.numpy import NumpyEngine
from dmlviz.engines.onnxruntime import OnnxRuntimeEngine
from dmlviz.errors import EngineUnavailable
from dmlviz.tensors import shown
from dmlviz.words import _

ENGINES: dict[str, Runner] = {
    "numpy": NumpyEngine(),
    "onnxruntime": OnnxRuntimeEngine(),
    "directml": DirectMLEngine(),
}

__all__ = ["ENGINES", "Engine", "Ran", "Runner", "engine", "engines"]


def engines() -> list[Engine]:
    """Every engine, whether it can run on this machine, and why not.

    >>> [engine.name for engine in engines()]
    ['numpy', 'onnxruntime', 'directml']
    """
    return [runner.status() for runner in ENGINES.values()]


def engine(name: str) -> Runner:
    """The engine of that name, ready to run; ``directml:1`` for the adapter of that number.

    Raises:
        EngineUnavailable: there is none, or it cannot run here; the message says why.
    """
    key, colon, adapter = name.partition(":") if isinstance(name, str) else ("", "", "")
    runner = ENGINES.get(key)
    if runner is not None and colon:
        runner = (
            DirectMLEngine(runner.installed, int(adapter))
            if isinstance(runner, DirectMLEngine) and adapter.isdecimal() and len(adapter) < 7
            else None
        )
    if runner is None:
        raise EngineUnavailable(
            _("engine: {name} is not one of the engines of this version: {names}.").format(
                name=shown(name), names=", ".join(ENGINES)
            ),
            "engine",
        )
    status = runner.status()
    if not status.available:
        raise EngineUnavailable(f"engine: {status.reason}", "engine")
    return runner
