"""The Engines page, and the strip on every explorer: who ran, who agrees, who refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import onnxruntime
import pytest

import dmlviz
from dmlviz.app import engines, engines_page, result
from dmlviz.engines import ENGINES
from dmlviz.engines.contained import Contained, Process
from dmlviz.engines.directml import DirectMLEngine
from dmlviz.engines.numpy import NumpyEngine
from dmlviz.engines.onnxruntime import OnnxRuntimeEngine
from dmlviz.engines.recorded import recorded
from dmlviz.movement import VALUES
from dmlviz.operators import OPERATORS
from dmlviz.operators.slots import descs_of
from dmlviz.picture import staged
from dmlviz.teaching.presets import engine_cases
from tests.app.conftest import EXPLORERS
from tests.engines.crashing import AbortsOnTile
from tests.engines.standins import FELL_BACK, VERSION, Machine, Runtime, adapter

pytestmark = pytest.mark.slow

EQUAL = ":material/check_circle:"
REFUSED = ":material/block:"
DIFFERENT = ":material/error:"
ABSENT = ":material/cloud_off:"
OURS = "onnxruntime: ONNX has no operator for "
# what ONNX Runtime says to each case as the model is written
WRITTEN = {
    "reflection-large": (VERSION >= (1, 25), "exceeds maximum allowed (2) for axis 0"),
    "reflection-one": (VERSION >= (1, 25), "requires axis length"),
    "one-hot-int16": (True, "Could not find an implementation for OneHot"),
    "top-k-unsigned": (True, "Could not find an implementation for TopK"),
}
# what ONNX Runtime answers wrongly as the model is written, from which version on it is right
WRONG_AS_WRITTEN = {"reverse-subsequences-empty": (1, 31)}
FILES = ["Page", "PNG", "SVG", "GIF", "NumPy arrays", "ONNX model"]
EQUAL_AS_WRITTEN = {"tile", "depth-to-space"} | ({"wrap"} if VERSION >= (1, 31) else set())

# what ONNX Runtime runs as it is written, unasked
CASES = {case.key: case for case in engine_cases()}
EXACT = {
    key
    for key, case in CASES.items()
    if (graph := case.operator.native_graph(descs_of(case.inputs))) is not None
    and case.operator.values_type(case.inputs) in graph.cpu_types
    and not graph.cpu_from
}
EQUAL_AS_WRITTEN |= EXACT
EQUAL_AS_WRITTEN |= {key for key, right in WRONG_AS_WRITTEN.items() if right <= VERSION}


def clear():
    engines.directml_adapters.cache_clear()
    engines._traced.cache_clear()
    staged._staged.cache_clear()


@pytest.fixture
def replaced(monkeypatch):
    """Puts another engine in the place of one, for this test only."""

    def put(name, runner):
        monkeypatch.setitem(ENGINES, name, runner)
        clear()
        return runner

    yield put
    clear()


@pytest.fixture
def directml(replaced):
    def put(**wanted):
        return replaced("directml", DirectMLEngine(Machine(Runtime(**wanted))))

    return put


def lines(shown):
    """The strip: icon and words by the engine's title; the page's own list is below it."""
    found = {}
    for text in shown.texts:
        icon, _space, rest = text.partition(" ")
        if icon in (EQUAL, REFUSED, DIFFERENT, ABSENT) and rest.startswith("**"):
            title, _colon, words = rest.removeprefix("**").partition("**: ")
            found.setdefault(title, (icon, words))
    return found


def choose(shown, name, value):
    (found,) = [group for group in shown.at.button_group if group.key == f"engines_{name}"]
    found.set_value(value).run()
    return shown


def strip(shown, n, recorded=False):
    """Everything agrees on ``n`` elements."""
    found = lines(shown)
    words = f"equal to NumPy, all {n} elements, bit for bit."
    assert found["NumPy"][0] == EQUAL
    assert found["NumPy"][1].startswith(f"the reference, {n} elements.  \nNumPy: ")
    icon, said = found["ONNX Runtime"]
    assert icon == EQUAL
    assert said.startswith(f"{words}  \nCPUExecutionProvider: ")
    assert said.endswith(" ms")
    title = "DirectML 1.15.4, recorded"
    assert found.get(title) == ((EQUAL, words) if recorded else None)
    if not ENGINES["directml"].status().available:
        assert found["DirectML"] == (ABSENT, ENGINES["directml"].status().reason)


def test_the_page_lists_every_engine(session):
    session.open("engines").drawn()
    assert [title.value for title in session.at.title] == ["Engines"]
    for status in dmlviz.engines():
        icon = EQUAL if status.available else ABSENT
        assert f"{icon} **{status.title}**: {status.detail or status.reason}" in session.texts
    assert f"ONNX Runtime {onnxruntime.__version__}, CPUExecutionProvider" in "".join(session.texts)
    assert session.widget("case").value == next(iter(CASES))
    traps = [case for case in CASES.values() if case.trap]
    assert {case.operator.key for case in traps} >= {"padding", "reverse-subsequences"}
    assert all(f"- **{case.title}.** {case.trap}" in "".join(session.texts) for case in traps)
    session.set(case=traps[-1].key).drawn()
    assert [caption.value for caption in session.at.caption] == [traps[-1].trap]


@pytest.mark.parametrize("form", engines_page.FORMS)
@pytest.mark.parametrize("case", CASES)
def test_every_case_in_every_form(session, case, form):
    session.open("engines").set(case=case)
    choose(session, "form", form).drawn()
    found = lines(session)
    assert list(found)[:3] == ["NumPy", "ONNX Runtime", "DirectML"]
    ran = dmlviz.run(CASES[case].operator, CASES[case].inputs)
    n = sum(output.size for output in ran.outputs.values())
    assert found["NumPy"][1].startswith(f"the reference, {n} elements.")
    icon, words = found["ONNX Runtime"]
    if form != "native" or case in EQUAL_AS_WRITTEN:
        assert icon == EQUAL
        assert words.startswith(f"equal to NumPy, all {n} elements, bit for bit.")
        as_written = form == "native" or (form == "" and case in EXACT)
        assert ("ONNX's own operator; " if as_written else "lowered; ") in words
    elif CASES[case].operator.native_graph(descs_of(CASES[case].inputs)) is None:
        assert icon == REFUSED
        assert f"{OURS}{CASES[case].operator.operator_type} with these settings." in words
    elif case in WRONG_AS_WRITTEN:
        assert icon == DIFFERENT
    elif WRITTEN.get(case, (False,))[0]:
        assert icon == REFUSED
        assert WRITTEN[case][1] in words
    else:
        # this version would answer with memory of others, and is not asked to
        assert icon == REFUSED
        assert "reads memory beyond the tensor" in words
    (sent,) = session.stages
    assert sent["payload"]["steps"]


@pytest.mark.parametrize("with_directml", [False, True])
def test_the_show_case(session, directml, with_directml):
    if with_directml:
        directml()
    session.open("engines").set(case="reflection-large")
    assert (
        lines(session)["ONNX Runtime"][1]
        .split("  \n")[1]
        .startswith("CPUExecutionProvider: Gather; lowered; ")
    )
    choose(session, "form", "native").drawn()
    icon, words = lines(session)["ONNX Runtime"]
    assert icon == REFUSED
    refusal = "refused: [ONNXRuntimeError]" if VERSION >= (1, 25) else "reads memory beyond"
    assert refusal in words
    (watch,) = [g for g in session.at.button_group if g.key == "engines_watch"]
    # DirectML reflects as far as anybody likes
    directml_too = dmlviz.engines()[-1].available
    assert watch.options == (["NumPy", "DirectML"] if directml_too else ["NumPy"])
    choose(session, "form", "lowered")
    assert lines(session)["ONNX Runtime"][0] == EQUAL


def test_the_run_of_any_engine_can_be_watched(session):
    session.open("engines").set(case="tile")
    choose(session, "watch", "ONNX Runtime").drawn()
    (sent,) = session.stages
    assert sent["payload"]["check"] == "ONNX Runtime: 54 elements, each equal to its source."
    assert sent["payload"]["differing"] == []


def test_an_engine_that_refuses_while_it_is_watched(session):
    session.open("engines").set(case="symmetric")
    choose(session, "watch", "ONNX Runtime")
    choose(session, "form", "native").drawn()
    assert lines(session)["ONNX Runtime"][0] == REFUSED
    assert session.stages[0]["payload"]["check"].startswith("NumPy: ")


class Wrong(NumpyEngine):
    """Another value at [0], and a source that is nowhere: memory of others, as old versions give."""

    def __init__(self, source, value=99):
        self.source, self.wrong = source, value

    def status(self):
        return replace(super().status(), name="onnxruntime", title="ONNX Runtime")

    def run(self, operator, inputs, form=""):
        ran = super().run(operator, inputs)
        (x,) = inputs.values()
        output = ran.output.copy()
        output.ravel()[0] = self.source if x.dtype == np.float64 else self.wrong
        return replace(ran, outputs={"OutputTensor": output})

    def index_type(self, operator, x, form=""):
        return "FLOAT64"


@pytest.mark.parametrize("source", [0.0, 1e-310, -7.0, 1e9, 1e300, float("nan"), float("inf")])
def test_memory_of_others_is_shown_as_different(session, replaced, source):
    replaced("onnxruntime", Wrong(source))
    session.open("engines").set(case="reflection-large")
    choose(session, "watch", "ONNX Runtime").drawn()
    icon, words = lines(session)["ONNX Runtime"]
    assert icon == DIFFERENT
    assert words.startswith("ONNX Runtime: 1 of 9 elements differ from their source, first at [0].")
    assert session.stages[0]["payload"]["differing"] == [0]


def test_another_value_is_told_with_both(session, replaced):
    # value and source agree with each other, but not with NumPy
    replaced("onnxruntime", Wrong(source=0.0, value=1))
    session.open("engines").set(case="reflection-large").drawn()
    icon, words = lines(session)["ONNX Runtime"]
    assert icon == DIFFERENT
    assert words.startswith(
        "1 of 9 elements differ from NumPy, first out[0]\\: 1 where NumPy has 2."
    )


@pytest.mark.parametrize("page", EXPLORERS)
def test_onnxruntime_on_every_explorer(explorer, page):
    shown = explorer(page)
    before = shown.check
    drawn = shown.output
    shown.set(engine="onnxruntime")
    shown.drawn()
    assert shown.check == before.replace("NumPy: ", "ONNX Runtime: ")
    assert shown.output == drawn
    assert shown.stages[0]["payload"]["check"] == shown.check


@pytest.mark.parametrize("page", EXPLORERS)
def test_the_strip_on_every_explorer(explorer, page):
    shown = explorer(page)
    example = next(c for c in OPERATORS if c.key.replace("-", "_") == page).examples()[0]
    trace = dmlviz.run(example.operator, example.inputs)
    known = recorded(example.operator, example.inputs) is not None
    strip(shown, sum(output.size for output in trace.outputs.values()), recorded=known)
    assert [b.proto.label for b in shown.at.get("download_button")] == FILES


def test_recorded_answers_belong_to_their_state(explorer):
    shown = explorer("padding")
    strip(shown, 80, recorded=True)
    shown.set(padding_mode="SYMMETRIC")
    strip(shown, 80, recorded=True)
    shown.set(start_padding_3=3)
    strip(shown, 88)


def test_a_negative_zero_is_not_taken_for_zero(explorer):
    shown = explorer("padding", data_type="FLOAT32", values="count-0").set(padding_value="0")
    assert "-0" not in shown.output
    shown.set(padding_value="-0", engine="onnxruntime")
    assert shown.output.count("-0") == 64
    strip(shown, 80)
    shown.set(padding_value="0")
    assert "-0" not in shown.output


@pytest.mark.parametrize("page", EXPLORERS)
def test_the_model_of_what_is_shown(page):
    cls = next(c for c in OPERATORS if c.key.replace("-", "_") == page)
    for example in cls.examples():
        # ONNX Runtime has a native graph of these
        given = {
            name: x.astype(np.float32) if cls.role(name) == VALUES else x
            for name, x in example.inputs.items()
        }
        trace = dmlviz.run(example.operator, given)
        session = onnxruntime.InferenceSession(
            result.data_of_run(dmlviz.scene(trace), "onnx"), providers=["CPUExecutionProvider"]
        )
        answered = session.run(None, dict(trace.inputs))
        for output, due in zip(answered, trace.outputs.values(), strict=True):
            np.testing.assert_array_equal(output, due, strict=True)


def test_directml_where_it_is(explorer, directml):
    directml()
    shown = explorer("tile")
    icon, words = lines(shown)["DirectML"]
    assert icon == EQUAL
    assert words.startswith(
        "equal to NumPy, all 54 elements, bit for bit.  \nDmlExecutionProvider: Tile; ONNX's own operator; "
    )
    assert shown.widget("engine").options == ["NumPy", "ONNX Runtime", "DirectML"]
    shown.set(engine="directml").drawn()
    assert shown.check == "DirectML: 54 elements, each equal to its source."


def test_adapters_to_choose_from(explorer, directml):
    runner = directml(devices=[adapter("Arc A770", 0), adapter("Radeon", 1)])
    shown = explorer("tile")
    assert shown.widget("engine").options[-2:] == ["DirectML on Arc A770", "DirectML on Radeon"]
    shown.set(engine="directml:1").drawn()
    assert shown.check == "DirectML: 54 elements, each equal to its source."
    chosen = [s.providers[0][1] for s in runner.installed.runtime.sessions]
    assert {"device_id": "1"} in chosen


def test_the_only_adapter_by_its_number(session, explorer, directml):
    runner = directml()
    shown = explorer("tile", engine="directml:0")
    shown.drawn()
    assert shown.warnings == []
    assert shown.value("engine") == "directml"
    assert shown.check == "DirectML: 54 elements, each equal to its source."
    assert shown.at.query_params["engine"] == "directml:0", "the address stays as it came"
    assert runner.installed.runtime.sessions
    shown = explorer("tile", engine="directml:1")
    assert "link: engine=directml:1 cannot run on this machine" in " ".join(shown.warnings)
    assert shown.check.startswith("NumPy: ")


@pytest.mark.parametrize(("number", "found"), [(0, "DirectML: "), (1, "NumPy: ")])
def test_the_only_adapter_in_an_embedded_page(session, directml, number, found):
    directml()
    session.at.context["is_embedded"] = True
    session.open("tile", sections=False, engine=f"directml:{number}")
    assert session.exceptions == []
    assert session.at.title == []
    assert session.stages[0]["payload"]["check"].startswith(found)


def test_adapters_that_cannot_be_asked_for(explorer, directml, monkeypatch):
    runner, times = directml(devices=[adapter("Arc A770", 0), adapter("Radeon", 1)]), [0]

    def adapters():
        times[0] += 1
        if times[0] < 3:
            raise dmlviz.EngineRefused("its process ended", "engine")
        return runner.adapters()

    monkeypatch.setattr(engines, "adapters", adapters)
    shown = explorer("tile")
    assert shown.exceptions == []
    assert shown.check.startswith("NumPy: ")
    monkeypatch.setattr(engines, "adapters", runner.adapters)
    assert [*engines.engines_here()][-2:] == ["directml:0", "directml:1"]


def test_a_refusal_is_shown_beside_the_others(explorer, directml):
    directml(refuse=lambda model: RuntimeError(FELL_BACK))
    shown = explorer("padding")
    shown.drawn()
    icon, words = lines(shown)["DirectML"]
    assert icon == REFUSED
    assert words.startswith("directml refused: a part of the model would have run on the CPU.")
    shown.set(engine="directml")
    shown.refused("a part of the model would have run on the CPU")


@pytest.fixture
def contained(replaced):
    """Puts an engine in a process of its own in the place of ONNX Runtime."""
    process = Process()
    yield lambda inner: replaced("onnxruntime", Contained(inner, process))
    process.close()


def test_an_engine_that_crashes(session, explorer, contained):
    engine = contained(AbortsOnTile())
    session.open("engines").set(case="tile").drawn()
    icon, words = lines(session)["ONNX Runtime"]
    assert icon == REFUSED
    assert "its process was lost (" in words
    # the next run works
    session.set(case="wrap").drawn()
    icon, words = lines(session)["ONNX Runtime"]
    assert icon == EQUAL
    assert words.startswith("equal to NumPy, all 11 elements, bit for bit.")
    assert engine.process.pid is not None
    shown = explorer("tile", engine="onnxruntime")
    shown.refused("its process was lost (")
    shown.set(engine="numpy").drawn()
    assert shown.check.startswith("NumPy: ")


def test_the_app_with_contained_engines(explorer, contained):
    contained(OnnxRuntimeEngine())
    shown = explorer("padding", engine="onnxruntime")
    shown.drawn()
    strip(shown, 80, recorded=True)
    assert [b.proto.label for b in shown.at.get("download_button")] == FILES
