"""The engines by name, and which of them can run here."""

from __future__ import annotations

from dmlviz.engines.base import Engine, Runner
from dmlviz.engines.numpy import NumpyEngine
from dmlviz.errors import EngineUnavailable
from dmlviz.tensors import shown
from dmlviz.words import _

ENGINES: dict[str, Runner] = {"numpy": NumpyEngine()}

__all__ = ["ENGINES", "Engine", "Runner", "engine", "engines"]


def engines() -> list[Engine]:
    """Every engine, whether it can run on this machine, and why not.

    >>> [engine.name for engine in engines() if engine.available]
    ['numpy']
    """
    return [runner.status() for runner in ENGINES.values()]


def engine(name: str) -> Runner:
    """The engine of that name, ready to run.

    Raises:
        EngineUnavailable: there is none, or it cannot run here; the message says why.
    """
    runner = ENGINES.get(name) if isinstance(name, str) else None
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
