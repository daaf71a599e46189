"""ONNX Runtime on the CPU: an independent engine on every machine."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from dmlviz.engines.base import Array, Engine, Ran
from dmlviz.engines.installed import Installed
from dmlviz.errors import EngineRefused, EngineUnavailable
from dmlviz.operators import Operator
from dmlviz.operators.graphs import folds_beyond
from dmlviz.tensors import data_type_of
from dmlviz.words import _

PROVIDER = "CPUExecutionProvider"

# Types that every supported version of the CPU provider has kernels for, bit for bit:
# FLOAT16 kernels are casts there, which quiet signalling NaNs; 16-bit Pad does not exist.
_EXACT = {
    "Tile": {"FLOAT64", "FLOAT32", "INT64", "INT32", "INT16", "INT8"}
    | {"UINT64", "UINT32", "UINT16", "UINT8"},
    "Pad": {"FLOAT64", "FLOAT32", "INT64", "INT32", "INT8", "UINT64", "UINT32", "UINT8"},
    "DepthToSpace": {"FLOAT64", "FLOAT32"},
    "SpaceToDepth": {"FLOAT64", "FLOAT32"},
}

# The versions from which Pad refuses, or gets right, what folds beyond the tensor.
_SOUND_FROM = {"reflect": "1.25", "wrap": "1.31"}


class OnnxRuntimeEngine:
    """Runs ONNX models on ONNX Runtime's CPU provider.

    Args:
        installed: what is installed; tests give another.
    """

    name = "onnxruntime"
    title = "ONNX Runtime"

    def __init__(self, installed: Installed | None = None) -> None:
        self.installed = installed or Installed()

    def status(self) -> Engine:
        reason = self.installed.why_no_models()
        detail = "" if reason else f"ONNX Runtime {self.installed.version()}, {PROVIDER}"
        return Engine(self.name, self.title, not reason, reason, detail)

    def run(self, operator: Operator, x: Array, form: str = "") -> Ran:
        if reason := self.installed.why_no_models():
            raise EngineUnavailable(f"engine: {reason}", "engine")
        from dmlviz.engines.models import model_to_run

        if form == "native":
            self.refuse_what_reads_beyond(operator, x)
        with refusals("onnxruntime"):
            model, graph = model_to_run("onnxruntime", operator, x, form, self.exact(operator, x))
        ort = self.installed.onnxruntime()
        options = ort.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads = 1
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
        with refusals("onnxruntime"):
            session = ort.InferenceSession(model, options, providers=[PROVIDER])
            start = time.perf_counter()
            [output] = session.run(None, {"input": x})
            seconds = time.perf_counter() - start
        names = tuple(name for provider, name in assignment(session) if provider == PROVIDER)
        return Ran(
            np.ascontiguousarray(output),
            session.get_providers()[0],
            names or tuple(node.op_type for node in graph.nodes),
            graph.form,
            seconds,
        )

    def index_type(self, operator: Operator, x: Array, form: str = "") -> str:
        # FLOAT64 takes the operator's own kernel and holds every index; lowerings take any type
        return "FLOAT64" if form == "native" or self.exact(operator, x) else "INT64"

    def exact(self, operator: Operator, x: Array) -> bool:
        """Whether the CPU provider runs the operator as written, and bit for bit."""
        data_type = data_type_of(x.dtype)
        written = operator.written(x.shape, data_type)
        if written is None:
            return False
        return all(
            data_type in _EXACT.get(node.op_type, ()) for node in written.nodes
        ) and not folds_beyond(written, x.shape)

    def refuse_what_reads_beyond(self, operator: Operator, x: Array) -> None:
        """Never hand a runtime what it answers with memory that is not the tensor's.

        Raises:
            EngineRefused: this is such a model for the installed runtime.
        """
        written = operator.written(x.shape, data_type_of(x.dtype))
        if written is None or not folds_beyond(written, x.shape):
            return
        version = self.installed.version()
        for node in written.nodes:
            sound = _SOUND_FROM.get(str(node.attributes.get("mode", "")), "0")
            if _release(version) < _release(sound):
                raise EngineRefused(
                    _(
                        "onnxruntime: ONNX Runtime {version} reads memory beyond the tensor where "
                        "its own Pad folds as much as the axis holds, so it is not asked to; "
                        "{sound} and above do not."
                    ).format(version=version, sound=sound),
                    "engine",
                )


def _release(version: str) -> tuple[int, ...]:
    """Major and minor of a version, as far as they are numbers."""
    return tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())


def assignment(session: Any) -> tuple[tuple[str, str], ...]:
    """Provider and operation of each node, as a session says it; empty where it does not say."""
    try:
        groups = session.get_provider_graph_assignment_info()
        return tuple((group.ep_name, n.op_type) for group in groups for n in group.get_nodes())
    except Exception:
        # runtimes before 1.24.1 have no such call
        return ()


class refusals:  # noqa: N801  used as a statement: with refusals(...)
    """Turn whatever the runtime raises into :class:`EngineRefused` with its own words.

    Args:
        name: the engine's.
        made: the refusal for those words, where the engine knows more about them.
    """

    def __init__(self, name: str, made: Callable[[str], EngineRefused] | None = None) -> None:
        self.name, self.made = name, made

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        """Translate, if there is anything to translate."""
        # a session that failed lives in these frames, and with it every file that it opened
        traceback.clear_frames(trace)
        if isinstance(error, Exception) and not isinstance(error, EngineRefused):
            words = " ".join(str(error).split())[:600]
            if self.made is not None:
                raise self.made(words) from error
            raise EngineRefused(
                _("{engine} refused: {words}").format(engine=self.name, words=words), "engine"
            ) from error
