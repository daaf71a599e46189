"""ONNX Runtime on the CPU: an independent engine on every machine."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dmlviz.base.errors import EngineRefused, EngineUnavailable
from dmlviz.base.words import _
from dmlviz.engines.base import Engine, Inputs, Installed, Ran
from dmlviz.operators import Graph, Operator
from dmlviz.operators.slots import descs_of
from dmlviz.tensors.types import Array

PROVIDER = "CPUExecutionProvider"

_KEPT_BYTES = 1 << 20
"""The limit of bytes of a model and its tensors whose session is kept for the next run."""


class OnnxRuntimeEngine:
    """Runs ONNX models on ONNX Runtime's CPU provider.

    Args:
        installed: what is installed; tests replace it.
    """

    name = "onnxruntime"
    title = "ONNX Runtime"

    def __init__(self, installed: Installed | None = None) -> None:
        self.installed = installed or Installed()
        self._last: tuple[bytes, Any] = (b"", None)

    def status(self) -> Engine:
        reason = self.installed.why_no_models()
        version = "" if reason else self.installed.version()
        detail = "" if reason else f"ONNX Runtime {version}, {PROVIDER}"
        return Engine(self.name, self.title, not reason, reason, detail, version)

    def run(self, operator: Operator, inputs: Inputs, form: str = "") -> Ran:
        if reason := self.installed.why_no_models():
            raise EngineUnavailable(f"engine: {reason}", "engine")
        from dmlviz.engines.models import model_to_run

        if form == "native":
            self.refuse_what_reads_beyond(_written(operator, inputs))
        exact = self.exact(operator, inputs)
        with refusals("onnxruntime"):
            model, graph = model_to_run("onnxruntime", operator, inputs, form, exact)
        return self.execute(model, inputs, graph)

    def execute(self, model: bytes, inputs: Inputs, graph: Graph) -> Ran:
        """Run a model.

        Args:
            model: serialized.
            inputs: its tensors by name.
            graph: that it was made from.

        Raises:
            EngineRefused: the runtime reported an error.
        """
        with refusals("onnxruntime"):
            session = self._session(model)
            start = time.perf_counter()
            outputs = session.run(None, dict(inputs))
            seconds = time.perf_counter() - start
        # a session keeps the memory that it needed
        size = len(model) + sum(x.nbytes for x in (*inputs.values(), *map(np.asarray, outputs)))
        self._last = (model, session) if size <= _KEPT_BYTES else (b"", None)
        names = tuple(name for provider, name in assignment(session) if provider == PROVIDER)
        return Ran(
            outputs_of(session, outputs),
            session.get_providers()[0],
            names or tuple(node.op_type for node in graph.nodes),
            graph.form,
            seconds,
        )

    def _session(self, model: bytes) -> Any:
        """A session for a model; the last one again, because values and indices often have one."""
        ort = self.installed.onnxruntime()
        before, session = self._last
        if before == model and type(session) is ort.InferenceSession:
            return session
        options = ort.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads = 1
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
        return ort.InferenceSession(model, options, providers=[PROVIDER])

    def index_type(self, operator: Operator, inputs: Inputs, form: str = "") -> str:
        if form != "native" and not self.exact(operator, inputs):
            return "INT64"
        # each holds every index, and one of them has the operator's own kernel
        written = _written(operator, inputs)
        kinds = written.cpu_types if written is not None else frozenset()
        # an operator of smaller floats alone counts in them
        known = ("FLOAT64", "INT64", "INT32", "FLOAT32")
        return next((kind for kind in known if kind in kinds), "FLOAT64")

    def exact(self, operator: Operator, inputs: Inputs) -> bool:
        """Whether the CPU provider runs the operator as written, bit for bit."""
        written = _written(operator, inputs)
        if written is None or written.cpu_from:
            return False
        return operator.values_type(inputs) in written.cpu_types

    def refuse_what_reads_beyond(self, written: Graph | None) -> None:
        """Refuse models that the runtime answers with memory outside the tensor.

        Raises:
            EngineRefused: the installed runtime does so for this model.
        """
        version = self.installed.version()
        if written is not None and _release(version) < _release(written.cpu_from or "0"):
            raise EngineRefused(
                _(
                    "onnxruntime: ONNX Runtime {version} reads memory beyond the tensor when "
                    "its own Pad folds as much as the axis holds, so dmlviz does not run it "
                    "there; {sound} and later do not have this bug."
                ).format(version=version, sound=written.cpu_from),
                "engine",
            )


def _written(operator: Operator, inputs: Inputs) -> Graph | None:
    return operator.native_graph(descs_of(inputs))


def outputs_of(session: Any, outputs: Sequence[Any]) -> dict[str, Array]:
    """A session's outputs, by name."""
    names = (due.name for due in session.get_outputs())
    return {name: np.asarray(one, order="C") for name, one in zip(names, outputs, strict=True)}


def _release(version: str) -> tuple[int, ...]:
    """The major and minor number of a version, if they are numbers."""
    return tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())


def assignment(session: Any) -> tuple[tuple[str, str], ...]:
    """Provider and operation of each node, as the session reports them; empty if it does not."""
    try:
        groups = session.get_provider_graph_assignment_info()
        return tuple((group.ep_name, n.op_type) for group in groups for n in group.get_nodes())
    except Exception:
        # runtimes before 1.24.1 have no such call
        return ()


class refusals:  # noqa: N801  used as a statement: with refusals(...)
    """Turn any exception of the runtime into :class:`EngineRefused` with its message.

    Args:
        name: the engine's name.
        made: makes the error from that message, if the engine knows more about it.
    """

    def __init__(self, name: str, made: Callable[[str], EngineRefused] | None = None) -> None:
        self.name, self.made = name, made

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        """Translate, if there is anything to translate."""
        # these frames keep a failed session alive, and with it every file that it opened
        traceback.clear_frames(trace)
        if isinstance(error, Exception) and not isinstance(error, EngineRefused):
            words = " ".join(str(error).split())[:600]
            if self.made is not None:
                raise self.made(words) from error
            raise EngineRefused(
                _("{engine} refused: {words}").format(engine=self.name, words=words), "engine"
            ) from error
