"""DirectML through ONNX Runtime's provider: no CPU fallback, and a check of what ran."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import EngineLost, EngineRefused, EngineUnavailable
from dmlviz.base.words import _
from dmlviz.engines.base import Engine, Inputs, Installed, Ran
from dmlviz.engines.onnxruntime import assignment, outputs_of, refusals
from dmlviz.movement import VALUES
from dmlviz.operators import Graph, Operator
from dmlviz.operators.declaration import types_ever
from dmlviz.operators.slots import descs_of
from dmlviz.tensors import MAX_RANK

PROVIDER = "DmlExecutionProvider"

SESSION = {
    "session.disable_cpu_ep_fallback": "1",
    "session.record_ep_graph_assignment_info": "1",
    # keeps the operators' names in the profile, instead of one fused node for all
    "ep.dml.disable_graph_fusion": "1",
}
"""Session configuration; with the first, a node without a DirectML kernel is an error."""

# removed, hung, reset, or driver error: the device cannot be used again in this process
_LOST = r"(?i)887A00(?:05|06|07|20)\b"
# neither DirectML nor the CPU has a kernel for the type
_NO_KERNEL = "Could not find an implementation"
# the names of the folders that profiles are written to
_PREFIX = "dmlviz-directml-"
_LEFT_SECONDS = 24 * 60 * 60
# operations that a runtime may remove, because they move no elements
_UNMOVED = ("Reshape", "Identity")
# one node that represents the whole graph
_FUSED = "DmlFusedNode"

# overlapping runs of this provider hang, fail, or return zeros
_TURNS = threading.Lock()


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
    """Runs ONNX models on DmlExecutionProvider only.

    Args:
        installed: what is installed; tests replace it.
        adapter: the adapter's number; None for the provider's choice, the fastest.

    Attributes:
        spent: whether the runtime failed to create a session, after which a session for another
            model can crash: the process should not be used again.
    """

    name = "directml"
    title = "DirectML"

    def __init__(self, installed: Installed | None = None, adapter: int | None = None) -> None:
        self.installed = installed or Installed()
        self.adapter = adapter
        self.spent = False

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
        """The adapters that the runtime reports; empty if it is too old to report them."""
        return self._listed() or []

    def run(self, operator: Operator, inputs: Inputs, form: str = "") -> Ran:
        if reason := self._why_not():
            raise EngineUnavailable(f"engine: {reason}", "engine")
        from dmlviz.engines.models import model_to_run

        data_type = operator.values_type(inputs)
        written = operator.native_graph(descs_of(inputs))
        exact = written is not None and data_type not in written.directml_changes
        model, graph = model_to_run("directml", operator, inputs, form, exact, MAX_RANK)
        try:
            return self._ran(model, graph, inputs, data_type)
        except EngineLost:
            raise
        except EngineRefused:
            # providers older than 1.24 may not support such a new opset
            if form or graph.opset <= 13:
                raise
        lowered = model_to_run("directml", operator, inputs, "lowered", exact, MAX_RANK)
        return self._ran(*lowered, inputs, data_type)

    def index_type(self, operator: Operator, inputs: Inputs, form: str = "") -> str:
        # every adapter supports INT32, and so does every kernel of a lowering
        if form == "lowered":
            return "INT32"
        counted = {
            name: replace(desc, data_type="INT32") if operator.role(name) == VALUES else desc
            for name, desc in descs_of(inputs).items()
        }
        floats = "INT32" not in types_ever(operator) or operator.native_graph(counted) is None
        return "FLOAT32" if floats and form == "native" else "INT32"

    def _why_not(self) -> str:
        here = self.installed
        if here.system != "win32":
            names = {"linux": "Linux", "darwin": "macOS", "emscripten": "WebAssembly"}
            return _("DirectML needs Windows; this is {system}.").format(
                system=names.get(here.system, here.system)
            )
        if reason := here.why_no_models():
            return reason
        if PROVIDER not in here.onnxruntime().get_available_providers():
            if here.machine.upper() not in ("AMD64", "X86_64"):
                return _(
                    "the package onnxruntime-directml is for x64 Windows only; this is {machine}. "
                    "Install onnxruntime-windowsml instead of onnxruntime to get DirectML here."
                ).format(machine=here.machine)
            return _(
                "the installed ONNX Runtime has no {provider}; uninstall onnxruntime, then "
                "install onnxruntime-directml."
            ).format(provider=PROVIDER)
        if self._listed() == []:
            return _("DirectML found no graphics adapter on this machine.")
        return ""

    def _listed(self) -> list[Adapter] | None:
        """The adapters that the runtime reports; None if it does not report them."""
        ort = self.installed.onnxruntime()
        adapters = []
        try:
            # runtimes before 1.23 have no such call
            devices = ort.get_ep_devices()
        except Exception:
            return None
        for device in devices:
            if device.ep_name != PROVIDER:
                continue
            facts = dict(device.device.metadata)
            number = dict(device.ep_options).get("device_id") or facts.get("DxgiAdapterNumber") or 0
            adapters.append(Adapter(int(number), facts.get("Description", _("unnamed adapter"))))
        return adapters

    def _ran(self, model: bytes, graph: Graph, inputs: Inputs, data_type: str) -> Ran:
        _remove_leftovers_once()
        refused = partial(_refusal, data_type)
        # a failure to delete a file must not hide the runtime's error
        folder = tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True)
        with _TURNS, folder as path, refusals("directml", refused):
            return self._ran_in(Path(path), model, graph, inputs)

    def _ran_in(self, folder: Path, model: bytes, graph: Graph, inputs: Inputs) -> Ran:
        session = self._session(model, folder)
        try:
            start = time.perf_counter()
            outputs = session.run(None, dict(inputs))
            seconds = time.perf_counter() - start
        finally:
            # Windows cannot delete an open file
            profile = Path(session.end_profiling())
        nodes = executed(session, profile, graph)
        return Ran(outputs_of(session, outputs), PROVIDER, nodes, graph.form, seconds)

    def _session(self, model: bytes, folder: Path) -> Any:
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
        # without the last argument, the Python API would retry on the CPU
        try:
            session = ort.InferenceSession(
                model, options, providers=[(PROVIDER, choice)], enable_fallback=0
            )
        except Exception:
            self.spent = True
            raise
        if session.get_providers()[0] != PROVIDER:
            session.end_profiling()
            raise EngineRefused(
                _("directml: the session was given {providers} instead of {provider}.").format(
                    providers=", ".join(session.get_providers()), provider=PROVIDER
                ),
                "engine",
            )
        return session


@cache
def _remove_leftovers_once() -> None:
    remove_leftovers()


def remove_leftovers() -> None:
    """Remove folders of runs whose process was killed: this user's, and older than a run can be."""
    user = getattr(os, "getuid", lambda: None)()
    oldest = time.time() - _LEFT_SECONDS
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if not entry.name.startswith(_PREFIX):
                continue
            with suppress(OSError):
                # links are neither followed nor removed
                facts = entry.stat(follow_symlinks=False)
                ours = user is None or facts.st_uid == user
                if stat.S_ISDIR(facts.st_mode) and ours and facts.st_mtime < oldest:
                    shutil.rmtree(entry.path, ignore_errors=True)


def executed(session: Any, profile: Path, graph: Graph) -> tuple[str, ...]:
    """The operations that DirectML executed, from the node assignment or else the profile.

    Raises:
        EngineRefused: one of them says that another provider executed something, or neither names
            every operation of the graph that moves elements.
    """
    witnesses = [witness for witness in (assignment(session), _profiled(profile)) if witness]
    for provider, name in chain(*witnesses):
        if provider != PROVIDER:
            raise EngineRefused(
                _("directml: {provider} executed {operation}, not DirectML.").format(
                    provider=provider, operation=name
                ),
                "engine",
            )
    due = Counter(node.op_type for node in graph.nodes if node.op_type not in _UNMOVED)
    for witness in witnesses:
        names = tuple(name for _provider, name in witness)
        if due <= Counter(names) or any(name.startswith(_FUSED) for name in names):
            return names
    raise EngineRefused(
        _("directml: the session ran, but does not report that DirectML executed {nodes}.").format(
            nodes=" → ".join(node.op_type for node in graph.nodes)
        ),
        "engine",
    )


def _profiled(profile: Path) -> tuple[tuple[str, str], ...]:
    """Provider and operation of each node in a profile; empty if there is no profile."""
    if not profile.is_file():
        return ()
    events = json.loads(profile.read_text(encoding="utf-8"))
    return tuple(
        (event["args"]["provider"], event["args"].get("op_name", event["name"]))
        for event in events
        if event.get("cat") == "Node" and event.get("args", {}).get("provider")
    )


def _refusal(data_type: str, words: str) -> EngineRefused:
    if re.search(_LOST, words):
        return EngineLost(
            _("directml: the graphics adapter was lost: {words}").format(words=words), "engine"
        )
    if "default CPU EP" in words or "fallback to CPU" in words:
        message = (
            _(
                "directml refused: this graphics adapter has no doubles, so FLOAT64 would have "
                "run on the CPU. Its message: {words}"
            )
            if data_type == "FLOAT64"
            else _(
                "directml refused: a part of the model would have run on the CPU. Its message: "
                "{words}"
            )
        )
    elif _NO_KERNEL in words and data_type == "FLOAT64":
        message = _(
            "directml refused: this graphics adapter has no doubles, so it cannot run FLOAT64. Its "
            "message: {words}"
        )
    else:
        message = _("directml refused: {words}")
    return EngineRefused(message.format(words=words), "engine")
