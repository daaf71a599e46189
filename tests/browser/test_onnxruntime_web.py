"""ONNX Runtime Web in Chromium gives every answer that DirectML was recorded with, bit for bit.

In each form that every engine has to run exactly, as ``tests/test_recordings.py`` has it.
"""

from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.engines.web import PROVIDER, RunNeeded, engine_of_page
from dmlviz.live.bundle import runtime_files
from dmlviz.operators.slots import descs_of
from dmlviz.tensors import DATA_TYPES
from tests.browser.chromium import chromium
from tests.browser.static import static_server
from tests.operators import recordings
from tests.strategies import bits
from tests.test_recordings import ANSWERED, FAMILY, REFUSED_WITH_REASON, operator, tensor, whole
from tests.tool_fixtures import leave_out

WORKER = Path(__file__).with_name("onnxruntime_web.js")
ASK = """models => new Promise((done) => {
  window.worker ??= new Worker("onnxruntime_web.js");
  window.worker.onmessage = ({ data }) => done(data);
  window.worker.onerror = (event) => done({ error: event.message });
  window.worker.postMessage(models);
})"""


@pytest.fixture(scope="module")
def runtime(tmp_path_factory, browser_tool, npm_tool):
    """Runs a list of models in a page that has nothing but the runtime; gives what it reports."""
    package = npm_tool / "onnxruntime-web"
    if not package.is_dir():
        leave_out(f"ONNX Runtime Web is not here: {package}", "NODE")
    folder = tmp_path_factory.mktemp("runtime")
    for name, data in runtime_files(package).items():
        (folder / name).write_bytes(data)
    (folder / WORKER.name).write_bytes(WORKER.read_bytes())
    (folder / "index.html").write_text("<!doctype html><link rel=icon href=data:,>")
    with static_server(folder) as address, chromium.browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{address}/index.html")
        yield lambda models: page.evaluate(ASK, models)


def recorded():
    """Operator, inputs and outputs of every recorded answer, with each form to run."""
    for case in ANSWERED.values():
        what, x, due = operator(case), tensor(case, "input"), tensor(case, "output")
        yield from in_forms(what, {"InputTensor": x}, {"OutputTensor": due})
    for case in FAMILY:
        if "error" not in case and case["id"] not in REFUSED_WITH_REASON:
            due = recordings.tensors(case, "outputs")
            yield from in_forms(recordings.operator_of(case), whole(case), due)


def in_forms(what, inputs, outputs):
    native = what.native_graph(descs_of(inputs))
    exact = native and not native.cpu_from and what.values_type(inputs) in native.cpu_types
    for form in ("", "lowered", *(("native",) if exact else ())):
        yield what, inputs, outputs, form


def answers_of(runtime, jobs):
    """The trace of each job, by its number; all models that can be run are run at once."""
    report = runtime([])
    traces = {}
    while len(traces) < len(jobs):
        models = {}
        for number, (what, inputs, _outputs, form) in enumerate(jobs):
            try:
                with engine_of_page(report):
                    if number not in traces:
                        traces[number] = dmlviz.run(what, inputs, "onnxruntime", form)
            except RunNeeded as needed:
                models[needed.model["key"]] = needed.model
        if models:
            told = runtime(list(models.values()))
            assert "error" not in told
            report = {**told, "answers": {**report["answers"], **told["answers"]}}
    return traces


def test_every_recorded_answer_bit_for_bit(runtime):
    jobs = list(recorded())
    traces = answers_of(runtime, jobs)
    assert len(jobs) > 1000
    for number, (what, inputs, outputs, form) in enumerate(jobs):
        trace = traces[number]
        assert trace.ran.provider == PROVIDER
        assert trace.ran.form == form or not form
        assert list(trace.outputs) == list(outputs)
        for name, output in trace.outputs.items():
            np.testing.assert_array_equal(bits(output), bits(outputs[name]), strict=True)
        # its run on indices, too
        assert trace.agrees
        for name, source in dmlviz.run(what, inputs).sources.items():
            np.testing.assert_array_equal(trace.sources[name], source)
    assert {kind for _what, x, _due, _form in jobs for kind in (a.dtype for a in x.values())} == {
        data_type.dtype for data_type in DATA_TYPES.values()
    }
