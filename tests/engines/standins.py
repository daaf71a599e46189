"""Machines and runtimes that are not here, for the engines to meet."""

import json
import threading
import time
import weakref
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import onnx
import onnxruntime
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

import dmlviz
from dmlviz.engines.base import Installed
from tests.onnx_resize import copying

copying()

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


LOST = (
    "[ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while running node: "
    "ExecutionContext.cpp(48) Exception(2) tid(5c) {} The GPU device instance has been suspended. "
    "Use GetDeviceRemovedReason to determine the appropriate action."
)
OPEN = set()
"""Names of the profiles that are open: Windows deletes none of them."""
_NUMBERS = count()


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


ARC = adapter("Arc A770", 0)


class Runtime:
    """onnxruntime-directml; its sessions compute on the CPU and report what the test wants.

    It has the real one's weaknesses: a session keeps its profile open while anything refers to
    it, a device that is lost stays lost, and runs that overlap answer zeros.

    Args:
        providers: what ``get_available_providers`` lists.
        devices: what ``get_ep_devices`` lists; None for a runtime without that call. A session
            for another adapter is refused.
        doubles: whether the adapter has them; if not, FLOAT64 is refused.
        refuse: what creating a session raises, given the model; None where it is created.
        fail: what running a session raises.
        lose: the code with which the device is lost, given the model that runs; "" where not.
        given: the session's providers after creation.
        assignment: the provider that the assignment names for a node, or a function of it; None
            for a runtime without that call, "" for a node that is not listed.
        profile: the same for the profile; None for no Node events.
        fused: whether the profile has one event for the whole graph, as shipped.
        slow: seconds that creating a session and running it take.
    """

    __version__ = "1.24.4"
    ExecutionMode = SimpleNamespace(ORT_SEQUENTIAL="sequential", ORT_PARALLEL="parallel")
    GraphOptimizationLevel = SimpleNamespace(ORT_DISABLE_ALL="none", ORT_ENABLE_ALL="all")
    SessionOptions = Options

    def __init__(
        self,
        *,
        providers=(DML, CPU),
        devices=(ARC,),
        doubles=True,
        refuse=lambda model: None,
        fail=None,
        lose=lambda model: "",
        given=(DML, CPU),
        assignment=DML,
        profile=DML,
        fused=False,
        slow=0,
    ):
        self.providers, self.doubles, self.refuse, self.fail = providers, doubles, refuse, fail
        self.lose, self.given, self.slow = lose, given, slow
        self.assignment, self.profile, self.fused = assignment, profile, fused
        self.sessions = []
        self.lost = ""
        self.devices = devices
        if devices is not None:
            self.get_ep_devices = lambda: list(devices)
        self._counting, self._inside = threading.Lock(), 0

    def get_available_providers(self):
        return list(self.providers)

    def InferenceSession(self, model, options, providers, enable_fallback=1):
        session = Session(self, Seen(model, options, providers, enable_fallback))
        self._initialize(session)
        return session

    def _initialize(self, session):
        seen = session.seen
        with self.turn():
            if error := self.refuse(seen.model):
                raise error
            if self.lost:
                raise RuntimeError(self.lost)
            if not self._has(seen.providers[0][1].get("device_id")):
                raise RuntimeError(NO_ADAPTER)
            element = seen.model.graph.input[0].type.tensor_type.elem_type
            if element == onnx.TensorProto.DOUBLE and not self.doubles:
                raise RuntimeError(FELL_BACK)

    def _has(self, number):
        if self.devices is None:
            return True
        numbers = [d.device.metadata.get("DxgiAdapterNumber", "0") for d in self.devices]
        return bool(numbers) if number is None else number in numbers

    @contextmanager
    def turn(self):
        """Yields whether nobody else is inside; whoever comes in between finds that out too."""
        with self._counting:
            self._inside += 1
            alone = self._inside == 1
        try:
            time.sleep(self.slow)
            yield alone
        finally:
            with self._counting:
                self._inside -= 1


class Seen:
    """What a session was given; it outlives the session."""

    def __init__(self, model, options, providers, enable_fallback):
        self.bytes, self.model = model, onnx.load_from_string(model)
        self.options, self.providers = options, providers
        self.enable_fallback = enable_fallback
        self.fed = []


class Session:
    def __init__(self, runtime, seen):
        self.runtime, self.seen = runtime, seen
        runtime.sessions.append(seen)
        name = f"{seen.options.profile_file_prefix}_2026-11-21_10-00-00_{next(_NUMBERS)}.json"
        self.file = Path(name)
        assert self.file.parent.is_dir()
        self.file.write_text("[\n", encoding="utf-8")
        OPEN.add(self.file.name)
        weakref.finalize(self, OPEN.discard, self.file.name)

    def get_providers(self):
        return list(self.runtime.given)

    def run(self, outputs, feed):
        assert outputs is None
        runtime = self.runtime
        with runtime.turn() as alone:
            if runtime.fail:
                raise runtime.fail
            if code := runtime.lose(self.seen.model):
                runtime.lost = LOST.format(code)
            if runtime.lost:
                raise RuntimeError(runtime.lost)
            (name,) = feed
            self.seen.fed.append(feed[name])
            found = compute(self.seen.bytes, feed)
            return found if alone else [np.zeros_like(output) for output in found]

    def get_outputs(self):
        return list(self.seen.model.graph.output)

    def get_provider_graph_assignment_info(self):
        if self.runtime.assignment is None:
            raise AttributeError("runtimes before 1.24.1 have no such call")
        assert self.seen.options.entries["session.record_ep_graph_assignment_info"] == "1"
        return [
            SimpleNamespace(
                ep_name=provider,
                get_nodes=lambda node=node: [SimpleNamespace(name=node.name, op_type=node.op_type)],
            )
            for node in self.seen.model.graph.node
            if (provider := _who(self.runtime.assignment, node))
        ]

    def end_profiling(self):
        assert self.seen.options.enable_profiling
        events = [
            {"cat": "Session", "name": "model_loading_array", "args": {}, "ts": 1, "dur": 5},
            {"cat": "Session", "name": "session_initialization", "args": {}, "ts": 7, "dur": 90},
        ]
        nodes = self.seen.model.graph.node
        if self.runtime.fused:
            nodes = [SimpleNamespace(name="DmlFusedNode_0_0", op_type="DmlFusedNode_0_0")]
        for node in nodes:
            if not (provider := _who(self.runtime.profile, node)):
                continue
            args = {"op_name": node.op_type, "provider": provider, "node_index": "0"}
            events += [
                {"cat": "Node", "name": f"{node.name}_fence_before", "args": {"op_name": "x"}},
                {"cat": "Node", "name": f"{node.name}_kernel_time", "args": args, "dur": 40},
            ]
        self.file.write_text(json.dumps(events), encoding="utf-8")
        OPEN.discard(self.file.name)
        return str(self.file)


def _who(told, node):
    return told(node) if callable(told) else told


def compute(model, feed):
    """What a model gives: on the real CPU provider, else by ONNX's own reference in Python.

    The CPU provider has no kernels for some types, changes NaNs of FLOAT16, and does not
    fold beyond the size in every version; DirectML has and does.
    """
    proto = onnx.load_from_string(model)
    half = any(array.dtype == np.float16 for array in feed.values())
    folds = any(a.s in (b"reflect", b"wrap") for node in proto.graph.node for a in node.attribute)
    if not half and not folds:
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        try:
            session = onnxruntime.InferenceSession(model, options, providers=[CPU])
            return session.run(None, feed)
        except Exception as error:
            if "NOT_IMPLEMENTED" not in str(error):
                raise
    return ReferenceEvaluator(proto, new_ops=[Expand]).run(None, feed)


class Expand(OpRun):
    """ONNX's own multiplies by ones, which makes a signaling NaN a quiet one."""

    op_domain = ""

    def _run(self, x, shape):
        sizes = np.broadcast_shapes(x.shape, tuple(shape.tolist()))
        return (np.broadcast_to(x, sizes).copy(),)
