"""Machines and runtimes that are not here, for the engines to meet."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import onnx
import onnxruntime
from onnx.reference import ReferenceEvaluator

import dmlviz
from dmlviz.engines.installed import Installed

CPU = "CPUExecutionProvider"
DML = "DmlExecutionProvider"
VERSION = tuple(int(part) for part in onnxruntime.__version__.split(".")[:2])

FELL_BACK = (
    "[ONNXRuntimeError] : 1 : FAIL : This session contains graph nodes that are assigned to the "
    "default CPU EP, but fallback to CPU EP has been explicitly disabled by the user."
)
NO_ADAPTER = (
    "[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Exception during initialization: "
    "dml_provider_factory.cc(520) Exception(1) tid(5c) 887A0002 The object was not found. If "
    "calling IDXGIFactory::EnumAdaptes, there is no adapter with the specified ordinal."
)


def bad_as_written(operator, x):
    """Whether this version of ONNX Runtime answers a Pad as written with memory of others.

    REFLECTION beyond size - 1 before 1.25, WRAP far beyond the size before 1.31; to run these
    is to read out of bounds.
    """
    if not isinstance(operator, dmlviz.Padding):
        return False
    least = {"REFLECTION": (1, 25), "WRAP": (1, 31)}.get(operator.padding_mode, (0, 0))
    pads = zip(x.shape, operator.start_padding, operator.end_padding, strict=True)
    return least > VERSION and any(max(s, e) > n - 1 or (s + e and n == 1) for n, s, e in pads)


class Machine(Installed):
    """Another machine; ``runtime`` is its module, or what importing it raises."""

    def __init__(
        self, runtime=None, packages=("onnxruntime-directml",), system="win32", machine="AMD64"
    ):
        self.runtime, self.found = runtime, packages
        self.system, self.machine = system, machine

    def packages(self):
        return list(self.found)

    def onnxruntime(self):
        if isinstance(self.runtime, BaseException):
            raise self.runtime
        return self.runtime


class Options:
    """SessionOptions; remembers whatever is set."""

    def __init__(self):
        self.entries = {}

    def add_session_config_entry(self, key, value):
        assert key not in self.entries
        assert isinstance(value, str)
        self.entries[key] = value


def adapter(name, number, ep_name=DML, **ep_options):
    """What ``get_ep_devices`` lists for a graphics adapter."""
    metadata = {"Description": name, "DxgiAdapterNumber": str(number), "LUID": "57005"}
    return SimpleNamespace(
        ep_name=ep_name, ep_options=ep_options, device=SimpleNamespace(metadata=metadata)
    )


class Runtime:
    """onnxruntime-directml; its sessions compute on the CPU and report what the test wants.

    Args:
        providers: what ``get_available_providers`` lists.
        devices: what ``get_ep_devices`` lists; None for a runtime without that call.
        refuse: what creating a session raises, given the model; None where it is created.
        fail: what running a session raises.
        given: the session's providers after creation.
        assignment: the provider that the assignment names for every node; None for a runtime
            without that call, "" for one that lists nothing.
        profile: the provider that the profile names for every node; None for no Node events.
        fused: whether the profile has one event for the whole graph, as shipped.
    """

    __version__ = "1.24.4"
    ExecutionMode = SimpleNamespace(ORT_SEQUENTIAL="sequential", ORT_PARALLEL="parallel")
    GraphOptimizationLevel = SimpleNamespace(ORT_DISABLE_ALL="none", ORT_ENABLE_ALL="all")
    SessionOptions = Options

    def __init__(
        self,
        *,
        providers=(DML, CPU),
        devices=(),
        refuse=lambda model: None,
        fail=None,
        given=(DML, CPU),
        assignment=DML,
        profile=DML,
        fused=False,
    ):
        self.providers, self.refuse, self.fail, self.given = providers, refuse, fail, given
        self.assignment, self.profile, self.fused = assignment, profile, fused
        self.sessions = []
        if devices is not None:
            self.get_ep_devices = lambda: list(devices)

    def get_available_providers(self):
        return list(self.providers)

    def InferenceSession(self, model, options, providers, enable_fallback=1):
        session = Session(self, model, options, providers, enable_fallback)
        self.sessions.append(session)
        if error := self.refuse(session.model):
            raise error
        session.start()
        return session


class Session:
    def __init__(self, runtime, model, options, providers, enable_fallback):
        self.runtime = runtime
        self.bytes, self.model = model, onnx.load_from_string(model)
        self.options, self.providers = options, providers
        self.enable_fallback = enable_fallback
        self.fed = []
        self.open = False
        self.file = Path(f"{options.profile_file_prefix}_2026-11-21_10-00-00.json")
        if runtime.assignment is not None:
            self.get_provider_graph_assignment_info = self._assignment

    def start(self):
        assert self.file.parent.is_dir()
        self.file.write_text("[\n", encoding="utf-8")
        self.open = True

    def get_providers(self):
        return list(self.runtime.given)

    def run(self, outputs, feed):
        assert outputs is None
        if self.runtime.fail:
            raise self.runtime.fail
        (name,) = feed
        self.fed.append(feed[name])
        return [compute(self.bytes, feed)]

    def _assignment(self):
        assert self.options.entries["session.record_ep_graph_assignment_info"] == "1"
        if not self.runtime.assignment:
            return []
        nodes = [SimpleNamespace(name=n.name, op_type=n.op_type) for n in self.model.graph.node]
        return [SimpleNamespace(ep_name=self.runtime.assignment, get_nodes=lambda: nodes)]

    def end_profiling(self):
        assert self.options.enable_profiling
        events = [
            {"cat": "Session", "name": "model_loading_array", "args": {}, "ts": 1, "dur": 5},
            {"cat": "Session", "name": "session_initialization", "args": {}, "ts": 7, "dur": 90},
        ]
        names = [(node.name, node.op_type) for node in self.model.graph.node]
        if self.runtime.fused:
            names = [("DmlFusedNode_0_0", "DmlFusedNode_0_0")]
        for name, op_type in names if self.runtime.profile else ():
            args = {"op_name": op_type, "provider": self.runtime.profile, "node_index": "0"}
            events += [
                {"cat": "Node", "name": f"{name}_fence_before", "args": {"op_name": op_type}},
                {"cat": "Node", "name": f"{name}_kernel_time", "args": args, "dur": 40},
            ]
        self.file.write_text(json.dumps(events), encoding="utf-8")
        self.open = False
        return str(self.file)


def compute(model, feed):
    """What a model gives: on the real CPU provider, else by ONNX's own reference in Python.

    The CPU provider has no kernels for some types, changes NaNs of FLOAT16, and does not
    reflect beyond the size; DirectML has and does.
    """
    proto = onnx.load_from_string(model)
    half = any(array.dtype == np.float16 for array in feed.values())
    reflects = any(a.s == b"reflect" for node in proto.graph.node for a in node.attribute)
    if not half and not reflects:
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        try:
            session = onnxruntime.InferenceSession(model, options, providers=[CPU])
            return session.run(None, feed)[0]
        except Exception as error:
            if "NOT_IMPLEMENTED" not in str(error):
                raise
    return ReferenceEvaluator(proto).run(None, feed)[0]
