"""Engines of native code in a separate process: a crash there loses only one answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from dmlviz.base.errors import EngineRefused
from dmlviz.base.words import _, locale
from dmlviz.engines.base import Engine, Inputs, Ran, Runner
from dmlviz.engines.directml import Adapter
from dmlviz.engines.frames import Words, operator_words
from dmlviz.engines.process import Process
from dmlviz.operators import Operator
from dmlviz.tensors.types import Array


class Native(Runner, Protocol):
    """An engine that another process can create by calling its class without arguments.

    Attributes:
        name, title: as in :class:`dmlviz.engines.Engine`.
    """

    name: str
    title: str


class Contained:
    """An engine that runs in a separate process.

    It gives the same answers and raises the same errors. A segmentation fault or an infinite
    loop in the engine becomes :class:`EngineRefused`.

    Args:
        inner: the engine; this process calls only those methods that do not load its runtime.
        process: where it runs; engines can share one.
    """

    def __init__(self, inner: Native, process: Process) -> None:
        self.inner, self.process = inner, process
        self.adapter: int | None = None
        self._status: dict[str, Engine] = {}

    def status(self) -> Engine:
        spoken = locale()
        if spoken not in self._status:
            try:
                said, _nothing = self.process.ask(self._words("status"))
            except EngineRefused as refused:
                # may be another time
                return Engine(self.inner.name, self.inner.title, False, str(refused), "")
            self._status[spoken] = Engine(**said)
        return self._status[spoken]

    def run(self, operator: Operator, inputs: Inputs, form: str = "") -> Ran:
        words = self._words("run", form=form, **operator_words(operator))
        said, outputs = self.process.ask(words, inputs)
        return Ran(
            self._whole(outputs),
            said["provider"],
            tuple(said["nodes"]),
            said["form"],
            said["seconds"],
        )

    def index_type(self, operator: Operator, inputs: Inputs, form: str = "") -> str:
        return self.inner.index_type(operator, inputs, form)

    def model(self, operator: Operator, inputs: Inputs) -> bytes:
        """The ONNX model of ``operator`` on ``inputs``: :func:`dmlviz.engines.models.model_file`.

        Raises:
            EngineRefused: it cannot be built.
        """
        words = self._words("model", **operator_words(operator))
        _said, tensors = self.process.ask(words, inputs)
        return self._whole(tensors)["model"].tobytes()

    def adapters(self) -> list[Adapter]:
        """The graphics adapters that the engine can use; empty if it has none to choose."""
        if not hasattr(self.inner, "adapters"):
            return []
        said, _nothing = self.process.ask(self._words("adapters"))
        return [Adapter(number, name) for number, name in said["adapters"]]

    def on(self, adapter: int) -> Contained | None:
        """The engine on the adapter of that number; None if it has none to choose."""
        if not hasattr(self.inner, "on"):
            return None
        other = Contained(self.inner, self.process)
        other.adapter, other._status = adapter, self._status
        return other

    def _words(self, do: str, **more: Any) -> Words:
        kind = type(self.inner)
        path = f"{kind.__module__}:{kind.__qualname__}"
        request = {"do": do, "name": self.inner.name, "engine": path, "adapter": self.adapter}
        request["language"] = locale()
        return {**request, **more}

    def _whole(self, tensors: Mapping[str, Array]) -> Mapping[str, Array]:
        if not tensors:
            raise EngineRefused(
                _("{engine}: it returned no tensor.").format(engine=self.inner.name),
                "engine",
            )
        return tensors
