"""ONNX Runtime Web: Python writes each model, a script in the page runs it, Python goes on with it.

The script cannot answer while Python waits, so a run without an answer ends everything that Python
was doing with :class:`RunNeeded`. Once the script has the answer, Python does the same again.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from dmlviz.base.errors import EngineRefused
from dmlviz.base.words import _
from dmlviz.engines import ENGINES
from dmlviz.engines.base import Engine, Inputs, Installed, Ran
from dmlviz.engines.onnxruntime import OnnxRuntimeEngine
from dmlviz.operators import Graph
from dmlviz.tensors.types import Array

PROVIDER = "wasm"
"""The only one of ONNX Runtime Web's that gives every recorded answer, bit for bit."""

_PACKAGE = "onnxruntime-web"


class RunNeeded(BaseException):
    """A model that has to be run before Python can go on.

    No handler of errors may take it for one.

    Attributes:
        model: what the script needs, of JSON's types: ``key``; ``model``, in base64; and
            ``inputs``, each with ``name``, ``type``, ``sizes``, and ``data`` in base64.
    """

    def __init__(self, model: Mapping[str, Any]) -> None:
        super().__init__(model["key"])
        self.model = model


class OnnxRuntimeWeb(OnnxRuntimeEngine):
    """Runs ONNX models on ONNX Runtime's CPU kernels, compiled to WebAssembly.

    Args:
        answers: the script's, by the keys of the models: ``outputs`` as :class:`RunNeeded` has
            inputs, and ``ms``; or ``error``, a text.
        version: of ONNX Runtime Web; empty until it is loaded.
        missing: why it could not be loaded; empty if it could, or nobody has tried.
    """

    title = "ONNX Runtime Web"

    def __init__(
        self, answers: Mapping[str, Mapping[str, Any]], version: str = "", missing: str = ""
    ) -> None:
        super().__init__(_InPage(version, missing))
        self.answers = answers

    def status(self) -> Engine:
        reason, version = self.installed.why_no_models(), self.installed.version()
        title = f"{self.title} {version}".strip()
        return Engine(
            self.name, title, not reason, reason, "" if reason else f"{title}, {PROVIDER}", version
        )

    def execute(self, model: bytes, inputs: Inputs, graph: Graph) -> Ran:
        needed = _needed(model, inputs)
        answer = self.answers.get(needed["key"])
        if answer is None:
            raise RunNeeded(needed)
        if "error" in answer:
            words = " ".join(answer["error"].split())[:600]
            raise EngineRefused(
                _("{engine} refused: {words}").format(engine=self.title, words=words), "engine"
            )
        return Ran(
            {output["name"]: _tensor(output) for output in answer["outputs"]},
            PROVIDER,
            tuple(node.op_type for node in graph.nodes),
            graph.form,
            answer["ms"] / 1000,
        )


class _InPage(Installed):
    """The runtime that a page has loaded, or could not load."""

    def __init__(self, version: str, missing: str) -> None:
        super().__init__()
        self._version, self._missing = version, missing

    def packages(self) -> tuple[str, ...]:
        return (_PACKAGE,)

    def version(self) -> str:
        return self._version

    def why_no_models(self) -> str:
        if not self._missing:
            return ""
        return _("{engine} could not be loaded ({reason}).").format(
            engine=OnnxRuntimeWeb.title, reason=self._missing
        )


@contextmanager
def engine_of_page(report: Mapping[str, Any]) -> Iterator[None]:
    """ONNX Runtime is that of the page, as long as this lasts.

    Args:
        report: the script's: ``version``, ``missing`` and ``answers``, as
            :class:`OnnxRuntimeWeb` takes them. An empty one changes nothing.
    """
    before = ENGINES["onnxruntime"]
    if report:
        ENGINES["onnxruntime"] = OnnxRuntimeWeb(**report)
    try:
        yield
    finally:
        ENGINES["onnxruntime"] = before


def _needed(model: bytes, inputs: Inputs) -> dict[str, Any]:
    digest = hashlib.sha256(model)
    for name, array in inputs.items():
        digest.update(f"\0{name}\0{array.dtype.name}\0{array.shape}\0".encode())
        digest.update(array.tobytes())
    return {
        "key": digest.hexdigest(),
        "model": base64.b64encode(model).decode("ascii"),
        "inputs": [_described(name, array) for name, array in inputs.items()],
    }


def _described(name: str, array: Array) -> dict[str, Any]:
    return {
        "name": name,
        "type": array.dtype.name,
        "sizes": array.shape,
        "data": base64.b64encode(array.tobytes()).decode("ascii"),
    }


def _tensor(output: Mapping[str, Any]) -> Array:
    data = base64.b64decode(output["data"])
    # a copy: what is read in place cannot be written
    return np.frombuffer(data, np.dtype(output["type"])).reshape(output["sizes"]).copy()
