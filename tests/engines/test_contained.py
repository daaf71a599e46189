"""Engines in a process of their own: the same answers to the last bit, and any end survived."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dmlviz
from dmlviz.base.words import speaking
from dmlviz.engines import ENGINES, contain, model_file
from dmlviz.engines import contained as contained_module
from dmlviz.engines.contained import Contained, Process
from dmlviz.engines.directml import DirectMLEngine
from dmlviz.engines.numpy import NumpyEngine
from dmlviz.engines.onnxruntime import OnnxRuntimeEngine
from dmlviz.tensors import DATA_TYPES
from tests.engines import crashing
from tests.engines.crashing import CrashesAtStart, CrashesOnce, Crashing, Spent, WithoutATensor
from tests.engines.losing import Losing
from tests.engines.standins import LOST as LOST_DEVICE
from tests.engines.test_onnxruntime import OPERATIONS
from tests.strategies import any_runs, bits, named, tensors
from tests.thorough import tries

pytestmark = pytest.mark.slow

X = np.arange(3, dtype=np.float32)
LOST = "its process was lost ({}). The next run gets a new one; this run is not repeated for 60 seconds."


@pytest.fixture(scope="module")
def inner():
    return OnnxRuntimeEngine()


@pytest.fixture(scope="module")
def outer(inner):
    process = Process()
    yield Contained(inner, process)
    process.close()


@pytest.fixture
def contained():
    """Puts an engine into a process of its own; the process ends with the test."""
    begun = []

    def put(inner, **options):
        begun.append(Process(**options))
        return Contained(inner, begun[-1])

    yield put
    for process in begun:
        process.close()


def alike(inner, outer, operator, x, form):
    """Both give the same, or raise the same."""
    inputs = operator.named_inputs(x, "x")
    try:
        due = inner.run(operator, inputs, form)
    except dmlviz.Error as error:
        with pytest.raises(dmlviz.Error) as caught:
            outer.run(operator, inputs, form)
        assert type(caught.value) is type(error)
        assert (str(caught.value), caught.value.field) == (str(error), error.field)
        return
    found = outer.run(operator, inputs, form)
    assert list(found.outputs) == list(due.outputs)
    for name, output in found.outputs.items():
        np.testing.assert_array_equal(bits(output), bits(due.outputs[name]), strict=True)
        assert output.dtype == due.outputs[name].dtype
    assert (found.provider, found.nodes, found.form) == (due.provider, due.nodes, due.form)
    assert found.seconds >= 0
    assert outer.index_type(operator, inputs, form) == inner.index_type(operator, inputs, form)


def test_every_operation_in_all_types_and_forms(inner, outer):
    random = np.random.default_rng(11)
    forms = itertools.cycle(["", "lowered", "native", ""])
    for operator, sizes in OPERATIONS.values():
        for data_type in DATA_TYPES.values():
            count = int(np.prod(sizes)) * data_type.dtype.itemsize
            x = np.frombuffer(random.bytes(count), data_type.dtype).reshape(sizes)
            alike(inner, outer, operator, x, next(forms))


@settings(max_examples=tries(50))
@given(run=any_runs(), form=st.sampled_from(["", "lowered", "native"]))
def test_the_same_answers(inner, outer, run, form):
    operator, inputs = run
    alike(inner, outer, operator, inputs, form)


@settings(max_examples=tries(100))
@given(x=tensors(), value=st.integers(0, 2**64 - 1))
def test_the_padding_value_keeps_its_bits(x, value):
    from dmlviz.engines.frames import operator_of, operator_words

    number = float(np.array(value, np.uint64).view(np.float64))
    before = dmlviz.Padding("CONSTANT", [1] * x.ndim, [0] * x.ndim, number)
    after = operator_of(operator_words(before))
    assert repr(after) == repr(before)
    assert bits(np.array([after.padding_value])) == bits(np.array([number]))


def test_a_large_tensor(inner, outer):
    x = np.random.default_rng(3).integers(0, 255, (1 << 22,), np.uint8)
    alike(inner, outer, dmlviz.Tile((4,)), x, "")


def test_what_it_says_of_itself(inner, outer):
    assert outer.status() == inner.status()
    absent = Contained(DirectMLEngine(), outer.process)
    assert absent.status() == DirectMLEngine().status()
    assert outer.adapters() == []
    assert outer.on(1) is None
    assert absent.on(1).adapter == 1


def test_the_server_itself_loads_no_runtime():
    code = (
        "import sys, numpy as np, dmlviz\n"
        "from dmlviz.engines import contain, model_file\n"
        "contain(); contain()\n"
        "x = np.arange(3, dtype=np.float32)\n"
        "print(dmlviz.run(dmlviz.Tile((2,)), x, 'onnxruntime').check())\n"
        "print(dmlviz.engines()[1].detail[:12], len(model_file(dmlviz.Tile((2,)), {'InputTensor': x})) > 50)\n"
        "print(sorted({'onnx', 'onnxruntime'} & sys.modules.keys()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=120
    )
    assert (done.stdout.splitlines(), done.returncode, done.stderr) == (
        ["ONNX Runtime: 6 elements, each equal to its source.", "ONNX Runtime True", "[]"],
        0,
        "",
    )


def test_scripts_run_engines_where_they_are(monkeypatch):
    assert type(ENGINES["onnxruntime"]) is OnnxRuntimeEngine
    for name in ENGINES:
        monkeypatch.setitem(ENGINES, name, ENGINES[name])
    contain()
    assert [type(runner) for runner in ENGINES.values()] == [NumpyEngine, Contained, Contained]
    assert ENGINES["onnxruntime"].process is ENGINES["directml"].process
    assert ENGINES["onnxruntime"].process.pid is None, "started before anybody asked"


def test_a_model_made_elsewhere(outer, monkeypatch):
    operator = dmlviz.Padding("REFLECTION", (3,), (3,))
    here = model_file(operator, named(X))
    monkeypatch.setitem(ENGINES, "onnxruntime", outer)
    there = model_file(operator, named(X))
    assert onnx.load_from_string(there) == onnx.load_from_string(here)


@pytest.fixture
def started(monkeypatch):
    """Every process that was started, oldest first."""
    found, real = [], subprocess.Popen

    def popen(*arguments, **options):
        found.append(real(*arguments, **options))
        return found[-1]

    monkeypatch.setattr(contained_module.subprocess, "Popen", popen)
    return found


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_crash_costs_one_answer(contained, started):
    engine = contained(Crashing())
    due = engine.run(dmlviz.Tile((2,)), named(X)).output
    for deed, how in (
        (crashing.ABORT, "signal SIGABRT"),
        (crashing.SEGMENTATION, "signal SIGSEGV"),
        (crashing.EXIT, "exit code 3"),
    ):
        first = engine.process.pid
        with pytest.raises(dmlviz.EngineRefused) as caught:
            engine.run(dmlviz.Tile((deed,)), named(X))
        assert str(caught.value) == f"onnxruntime: {LOST.format(how)}"
        assert caught.value.field == "engine"
        # what ended it is answered without ending another
        count = len(started)
        with pytest.raises(dmlviz.EngineRefused) as again:
            engine.run(dmlviz.Tile((deed,)), named(X))
        assert str(again.value) == str(caught.value)
        assert len(started) == count
        np.testing.assert_array_equal(engine.run(dmlviz.Tile((2,)), named(X)).output, due)
        assert engine.process.pid not in (None, first)
        # while another process runs, it is remembered too, and does not reach that one
        with pytest.raises(dmlviz.EngineRefused):
            engine.run(dmlviz.Tile((deed,)), named(X))
        np.testing.assert_array_equal(engine.run(dmlviz.Tile((2,)), named(X)).output, due)
        assert len(started) == count + 1


def test_one_that_is_killed_by_chance_is_asked_again(contained, started, monkeypatch, tmp_path):
    """The run on indices of a Tile is the same for all values, so nobody else may miss it."""
    monkeypatch.setenv("DMLVIZ_TEST_FLAG", str(tmp_path / "flag"))
    engine = contained(CrashesOnce())
    due = np.tile(X, 2)
    np.testing.assert_array_equal(engine.run(dmlviz.Tile((2,)), named(X)).output, due)
    assert len(started) == 2
    np.testing.assert_array_equal(engine.run(dmlviz.Tile((2,)), named(X)).output, due)
    assert len(started) == 2


def test_after_a_failed_session_the_process_is_another(contained, started):
    engine = contained(Spent())
    good = dmlviz.Padding("EDGE", (1,), (0,))
    for count in (1, 2):
        with pytest.raises(dmlviz.EngineRefused, match=r"^onnxruntime refused: 80070057$"):
            engine.run(dmlviz.Tile((2,)), named(X))
        assert len(started) == count
        assert engine.process.pid is None
    assert engine.run(good, named(X)).output.tolist() == [0, 0, 1, 2]
    assert engine.run(good, named(X)).output.tolist() == [0, 0, 1, 2]
    assert len(started) == 3


def test_after_the_pause_it_is_tried_again(contained, started):
    engine = contained(Crashing(), pause=0)
    for _time in range(2):
        with pytest.raises(dmlviz.EngineRefused, match="was lost"):
            engine.run(dmlviz.Tile((crashing.EXIT,)), named(X))
    assert len(started) == 2
    assert engine.run(dmlviz.Tile((2,)), named(X)).output.size == 6


def test_a_lost_device_comes_back_with_a_new_process(contained, started):
    engine = contained(Losing())
    good = dmlviz.Padding("EDGE", (1,), (0,))
    assert engine.run(good, named(X)).output.tolist() == [0, 0, 1, 2]
    with pytest.raises(dmlviz.EngineRefused) as caught:
        engine.run(dmlviz.Tile((2,)), named(X))
    how = f"the graphics adapter was lost: {LOST_DEVICE.format('887A0006')}"
    assert str(caught.value) == f"directml: {LOST.format(how)}"
    with pytest.raises(dmlviz.EngineRefused) as again:
        engine.run(dmlviz.Tile((2,)), named(X))
    assert str(again.value) == str(caught.value)
    assert len(started) == 1
    assert engine.run(good, named(X)).output.tolist() == [0, 0, 1, 2]
    assert engine.on(0).run(good, named(X)).provider == "DmlExecutionProvider"
    assert len(started) == 2


def test_an_answer_without_a_tensor_is_none(outer):
    with pytest.raises(dmlviz.EngineRefused) as caught:
        Contained(WithoutATensor(), outer.process).run(dmlviz.Tile((2,)), named(X))
    assert str(caught.value) == "onnxruntime: it returned no tensor."


def test_it_speaks_the_language_of_whoever_asks(outer):
    engine = Contained(Crashing(), outer.process)
    for spoken in ("ko", "en", "ko"):
        with speaking(spoken), pytest.raises(dmlviz.EngineRefused, match=f"^{spoken}$"):
            engine.run(dmlviz.Tile((crashing.SPOKEN,)), named(X))


def test_an_endless_run_is_given_up(contained):
    engine = contained(Crashing(), limit=1)
    engine.status()
    start = time.monotonic()
    with pytest.raises(dmlviz.EngineRefused) as caught:
        engine.run(dmlviz.Tile((crashing.ENDLESS,)), named(X))
    assert time.monotonic() - start >= 0.9
    assert LOST.format("no answer after 1 s") in str(caught.value)
    assert engine.run(dmlviz.Tile((2,)), named(X)).output.size == 6


def test_what_it_prints_is_no_answer(outer):
    engine = Contained(Crashing(), outer.process)
    found = engine.run(dmlviz.Tile((crashing.CHATTY,)), named(X))
    np.testing.assert_array_equal(found.output, np.tile(X, crashing.CHATTY))


@pytest.mark.parametrize(
    ("deed", "kind", "words", "field"),
    [
        (crashing.REFUSED, dmlviz.EngineRefused, "no, because of it", "repeats"),
        (crashing.ABSENT, dmlviz.EngineUnavailable, "not here", "engine"),
        (
            crashing.BUG,
            dmlviz.EngineRefused,
            "onnxruntime failed: IndexError: list index out of range",
            "engine",
        ),
        (crashing.MEMORY, dmlviz.EngineRefused, "Unable to allocate 2.00 EiB", "engine"),
    ],
)
def test_what_it_raises_is_raised_here(outer, deed, kind, words, field):
    first = outer.process.pid
    with pytest.raises(dmlviz.Error) as caught:
        Contained(Crashing(), outer.process).run(dmlviz.Tile((deed,)), named(X))
    assert type(caught.value) is kind
    assert words in str(caught.value)
    assert caught.value.field == field
    assert outer.process.pid == first


def test_a_runtime_that_crashes_when_it_loads(contained, started):
    engine = contained(CrashesAtStart(), wait=60)
    found = engine.status()
    assert (found.name, found.title, found.available) == ("onnxruntime", "ONNX Runtime", False)
    assert "was lost (" in found.reason
    assert "for 60 seconds" in found.reason
    assert engine.status() == found
    assert len(started) == 2, "a page would start a process for every visitor"


def test_a_process_that_does_not_start(contained, started, monkeypatch, tmp_path):
    engine = contained(Crashing(), wait=60)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(sys, "executable", str(tmp_path / "nowhere"))
        found = engine.status()
    assert not found.available
    # Windows has its own number, and its own words
    assert re.search(
        r"did not start \(\[(Errno|WinError) 2\] [^)]+\); dmlviz tries again", found.reason
    )
    # for a while it is not even tried
    assert engine.status() == found
    assert started == []


def test_a_python_that_ends_at_once(contained, started, monkeypatch):
    engine = contained(Crashing(), wait=60)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(sys, "path", ["/nowhere"])
        found = engine.status()
    assert "did not start (exit code " in found.reason
    assert len(started) == 2
    assert not engine.status().available
    assert len(started) == 2


@pytest.fixture
def killed(monkeypatch):
    """Kills the next processes before they have said a word."""
    real, left = Process._exchange, [0]

    def exchange(self, words, tensor, limit):
        if left[0] and words is None:
            left[0] -= 1
            self._running.kill()
            self._running.wait()
        return real(self, words, tensor, limit)

    monkeypatch.setattr(Process, "_exchange", exchange)
    return left


def test_one_that_is_killed_while_it_starts(contained, started, killed):
    engine = contained(Crashing())
    killed[0] = 1
    assert engine.status().available
    assert len(started) == 2


def test_one_that_is_killed_while_its_runtime_loads(contained, started, monkeypatch):
    engine, real = contained(Crashing()), contained_module.write_frame

    def write(stream, words, tensor=None):
        if len(started) == 1:
            started[0].kill()
        real(stream, words, tensor)

    monkeypatch.setattr(contained_module, "write_frame", write)
    assert engine.status().available
    assert len(started) == 2


def test_nothing_is_taken_from_anybody_for_a_minute(contained, started, killed):
    engine = contained(Crashing(), wait=0)
    killed[0] = 4
    for _time in range(2):
        assert not engine.status().available
    assert engine.status().available, "a failed status is kept"
    assert len(started) == 5
    assert Process().wait * 10 < Process().pause


def test_each_wait_is_twice_as_long(contained, killed, monkeypatch):
    now = [1_000.0]
    monkeypatch.setattr(contained_module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    engine = contained(Crashing(), wait=2, pause=7)
    killed[0] = 100
    for wait in (2, 4, 7, 7):
        reason = engine.status().reason
        assert f"dmlviz tries again in {wait} seconds." in reason
        now[0] += wait - 0.5
        assert engine.status().reason == reason
        now[0] += 1
    killed[0] = 0
    assert engine.status().available
    # what is over is forgotten
    engine.process.close()
    killed[0] = 2
    with pytest.raises(dmlviz.EngineRefused, match="again in 2 seconds"):
        engine.run(dmlviz.Tile((2,)), named(X))


def test_a_start_that_takes_too_long_is_not_tried_twice(contained, started, monkeypatch):
    engine = contained(Crashing(), starting=0)
    reason = engine.status().reason
    assert "did not start (no answer after 0 s); dmlviz tries again in 60 seconds." in reason
    assert len(started) == 1


def test_threads_take_turns(outer):
    engine = Contained(Crashing(), outer.process)
    wrong = []

    def many(seed):
        for n in range(20):
            x = np.full(seed * 50 + 1, n, np.int32)
            found = engine.run(dmlviz.Tile((seed + 1,)), named(x))
            if found.output.tolist() != [n] * (x.size * (seed + 1)):
                wrong.append((seed, n))

    threads = [threading.Thread(target=many, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_one_that_is_killed_while_nobody_asks(contained):
    engine = contained(Crashing())
    engine.status()
    engine.process._running.kill()
    engine.process._running.wait()
    assert engine.run(dmlviz.Tile((2,)), named(X)).output.size == 6


SERVER = """
import numpy as np, dmlviz
from dmlviz.engines.contained import Contained
from dmlviz.engines.contained import Process
from tests.engines.crashing import {kind}
from tests.strategies import named
engine = Contained({kind}(), Process(limit={limit}))
engine.status()
print(engine.process.pid, flush=True)
engine.run(dmlviz.Tile(({repeat},)), named(np.zeros(3)))
input()
"""


def gone(pid, seconds):
    """Whether a process has ended, within some seconds."""
    until = time.monotonic() + seconds
    while Path(f"/proc/{pid}").exists():
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text().split()[2] in "ZX":
                return True
        if time.monotonic() >= until:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.parametrize(
    ("kind", "limit", "repeat", "said"),
    [
        ("Crashing", 30, crashing.CHATTY, b"words on Python's output\n"),
        # no end of its input reaches it: it keeps the limit by itself
        ("Hanging", 2, 2, b"it hangs\n"),
    ],
)
def test_it_ends_with_the_server(kind, limit, repeat, said):
    code = SERVER.format(kind=kind, limit=limit, repeat=repeat)
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=pipe
    ) as server:
        pid = int(server.stdout.readline())
        assert server.stderr.readline() == said
        assert not gone(pid, 0)
        server.kill()
        assert gone(pid, 20)
