"""DirectML through ONNX Runtime's provider: no fallback to the CPU, and proof of what ran."""

from __future__ import annotations

import json
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dmlviz.engines.base import Array, Engine, Ran
from dmlviz.engines.installed import Installed
from dmlviz.engines.onnxruntime import assigned, refusals
from dmlviz.errors import EngineRefused, EngineUnavailable
from dmlviz.operators import Graph, Operator
from dmlviz.tensors import data_type_of
from dmlviz.words import _

PROVIDER = "DmlExecutionProvider"

SESSION = {
    "session.disable_cpu_ep_fallback": "1",
    "session.record_ep_graph_assignment_info": "1",
    # keeps the operators' names in the profile, instead of one fused node for all
    "ep.dml.disable_graph_fusion": "1",
}
"""Session configuration; with the first, a node without a DirectML kernel is an error."""


@dataclass(frozen=True)
class Adapter:
    """A graphics adapter that DirectML can use.

    Attributes:
        number: DXGI's number, the provider's ``device_id``.
        name: its description.
    """

    number: int
    name: str


class DirectMLEngine:
    """Runs ONNX models on DmlExecutionProvider alone.

    Args:
        installed: what is installed; tests give another.
        adapter: the adapter's number; None for the provider's choice, the fastest.
    """

    name = "directml"
    title = "DirectML"

    def __init__(self, installed: Installed | None = None, adapter: int | None = None) -> None:
        self.installed = installed or Installed()
        self.adapter = adapter

    def on(self, adapter: int) -> DirectMLEngine:
        """The same on the adapter of that number."""
        return DirectMLEngine(self.installed, adapter)

    def status(self) -> Engine:
        reason = self._why_not()
        detail = ""
        if not reason:
            names = ", ".join(f"{a.number}: {a.name}" for a in self.adapters())
            detail = f"ONNX Runtime {self.installed.version()}, {PROVIDER}"
            detail += f" ({names})" if names else ""
        return Engine(self.name, self.title, not reason, reason, detail)

    def adapters(self) -> list[Adapter]:
        """The adapters that the runtime reports; empty where it is too old to say."""
        ort = self.installed.onnxruntime()
        if not hasattr(ort, "get_ep_devices"):
            return []
        found = []
        try:
            devices = ort.get_ep_devices()
        except Exception:
            return []
        for device in devices:
            if device.ep_name != PROVIDER:
                continue
            facts = dict(device.device.metadata)
            number = dict(device.ep_options).get("device_id") or facts.get("DxgiAdapterNumber") or 0
            found.append(Adapter(int(number), facts.get("Description", _("unnamed adapter"))))
        return found

    def run(self, operator: Operator, x: Array, form: str = "") -> Ran:
        if reason := self._why_not():
            raise EngineUnavailable(f"engine: {reason}", "engine")
        from dmlviz.engines.models import model_to_run

        model, graph = model_to_run("directml", operator, x, form, self.exact(operator, x))
        with tempfile.TemporaryDirectory() as folder, refusals("directml"):
            session = self._session(model, Path(folder), data_type_of(x.dtype))
            try:
                start = time.perf_counter()
                [output] = session.run(None, {"input": x})
                seconds = time.perf_counter() - start
            finally:
                # Windows deletes no open file
                profile = Path(session.end_profiling())
            nodes = executed(session, profile)
        if not nodes:
            raise EngineRefused(
                _("directml: the session ran, but reports no node that DirectML executed."),
                "engine",
            )
        return Ran(np.ascontiguousarray(output), PROVIDER, nodes, graph.form, seconds)

    def index_type(self, operator: Operator, x: Array, form: str = "") -> str:
        # every adapter has INT32, and every kernel used here takes it
        return "INT32"

    def exact(self, operator: Operator, x: Array) -> bool:
        """Whether the provider runs the operator as written: Pad has neither SYMMETRIC nor WRAP."""
        written: Graph | None = operator.written(x.shape, data_type_of(x.dtype))
        return written is not None and all(
            node.attributes.get("mode") != "wrap" for node in written.nodes
        )

    def _why_not(self) -> str:
        here = self.installed
        if here.system != "win32":
            names = {"linux": "Linux", "darwin": "macOS"}
            return _("DirectML needs Windows; this is {system}.").format(
                system=names.get(here.system, here.system)
            )
        if reason := here.why_no_models():
            return reason
        if PROVIDER not in here.onnxruntime().get_available_providers():
            if here.machine.upper() not in ("AMD64", "X86_64"):
                return _(
                    "the package onnxruntime-directml exists for x64 Windows only; this is "
                    "{machine}. onnxruntime-windowsml, installed instead of onnxruntime, has "
                    "DirectML for it."
                ).format(machine=here.machine)
            return _(
                "the installed ONNX Runtime has no {provider}; uninstall onnxruntime, then "
                "install onnxruntime-directml."
            ).format(provider=PROVIDER)
        return ""

    def _session(self, model: bytes, folder: Path, data_type: str) -> Any:
        ort = self.installed.onnxruntime()
        options = ort.SessionOptions()
        options.log_severity_level = 4
        options.enable_mem_pattern = False
        options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.enable_profiling = True
        options.profile_file_prefix = str(folder / "profile")
        for key, value in SESSION.items():
            options.add_session_config_entry(key, value)
        choice = {} if self.adapter is None else {"device_id": str(self.adapter)}
        try:
            # without the last argument Python would try again on the CPU by itself
            session = ort.InferenceSession(
                model, options, providers=[(PROVIDER, choice)], enable_fallback=0
            )
        except Exception as error:
            raise EngineRefused(_refusal(str(error), data_type), "engine") from error
        if session.get_providers()[0] != PROVIDER:
            session.end_profiling()
            raise EngineRefused(
                _("directml: the session was given {providers} instead of {provider}.").format(
                    providers=", ".join(session.get_providers()), provider=PROVIDER
                ),
                "engine",
            )
        return session


def executed(session: Any, profile: Path) -> tuple[str, ...]:
    """The operations that DirectML executed, by two witnesses: the assignment, else the profile."""
    names = list(assigned(session, PROVIDER))
    if not names and profile.is_file():
        events = json.loads(profile.read_text(encoding="utf-8"))
        names = [
            event["args"].get("op_name", event["name"])
            for event in events
            if event.get("cat") == "Node" and event.get("args", {}).get("provider") == PROVIDER
        ]
    return tuple(names)


def _refusal(words: str, data_type: str) -> str:
    words = " ".join(words.split())[:600]
    if "default CPU EP" in words or "fallback to CPU" in words:
        if data_type == "FLOAT64":
            return _(
                "directml refused: this graphics adapter has no doubles, so FLOAT64 would have "
                "run on the CPU. In its own words: {words}"
            ).format(words=words)
        return _(
            "directml refused: a part of the model would have run on the CPU. In its own words: "
            "{words}"
        ).format(words=words)
    return _("directml refused: {words}").format(words=words)
