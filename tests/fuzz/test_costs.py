"""What a link costs the server, before it is refused or while it is drawn: never much.

Memory and bytes are the same on every machine, so their limits are close to what the largest
honest pictures need. The processor's time is not; but work that grows with the square of a
tensor's elements allocates hardly anything, so time has a limit too, far above what the slowest
needs.
"""

import json
import math
import signal
import time
import tracemalloc
from contextlib import nullcontext
from functools import partial

import numpy as np
import onnx
import pytest

from dmlviz.base.errors import Error
from dmlviz.engines.trace import run
from dmlviz.operators import OPERATORS, operator_class
from dmlviz.operators.slots import descs_of
from dmlviz.picture import exports
from dmlviz.picture.compared import compared
from dmlviz.picture.exports import inputs_svg
from dmlviz.picture.payload import payload
from dmlviz.picture.scene import scene
from dmlviz.picture.staged import staged
from dmlviz.states import read_link
from dmlviz.tensors import start
from tests.fuzz import extremes
from tests.fuzz.conftest import TookTooLong
from tests.limits import LARGEST_FILE
from tests.memory import at_most
from tests.models import model_of

pytestmark = pytest.mark.slow

SECONDS = 2.5
"""Of the processor's time: the slowest needs 0.3."""

PEAK = 48_000_000
"""Bytes allocated at one moment: the largest needs 20 million."""

SENT = 8_000_000
"""Bytes of a payload: the largest has 5 million."""


def check(make, what, times=1, *, traced=True):
    """The bytes of what a payload's maker makes are few, and so are time and memory.

    Args:
        make: the maker.
        what: named in a failure.
        times: by how much more it may cost than one picture.
        traced: whether Python counts every allocation, which takes five times as long; if not,
            the system refuses twice the limit.

    Returns:
        The bytes of the payload.
    """
    if traced:
        tracemalloc.start()
    began = time.process_time()
    try:
        with nullcontext() if traced else at_most(2 * times * PEAK):
            sent = len(json.dumps(make()))
    except (MemoryError, TookTooLong):
        # what it holds is let go, so that there is room to report the failure
        sent = math.inf
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    seconds = time.process_time() - began
    if traced:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak <= times * PEAK, what
    assert sent <= times * SENT, what
    assert seconds <= times * SECONDS, what
    return sent


LINKS = (
    # tensors between the parts of a rule
    "/resample?sizes=1,16384&values=random&scales=1,1&output_tensor_sizes=4096,2"
    "&input_pixel_offsets=0.5,0.5&output_pixel_offsets=-0.5,-0.5",
    "/resample?sizes=1,1,16384&values=random&scales=1,1,1&output_tensor_sizes=16384,4,1"
    "&input_pixel_offsets=0.5,0.5,0.5&output_pixel_offsets=-0.5,-0.5,-0.5",
    # a sort for every sentence
    "/top-k?sizes=256,256&values=random&axis=1&k=4",
    "/top-k?sizes=1024,64&values=random&axis=1&k=1",
    # planes of one element
    "/split?sizes=65536,1,1,1&values=random&axis=0&parts=65536",
    "/diagonal-matrix?sizes=65536,1,1,1&values=random&value=1&diagonal_fill_begin=0"
    "&diagonal_fill_end=1",
    "/tile?sizes=65536,1,1&values=random&repeats=1,1,1&directions=0:across",
    "/slice?sizes=4,4,4,4,4,4,4,4&values=random&input_window_offsets=0,0,0,0,0,0,0,0"
    "&input_window_sizes=4,4,4,4,4,4,4,4&input_window_strides=-1,-1,-1,-1,-1,-1,-1,-1"
    "&output_tensor_sizes=0,0,0,0,0,0,0,0",
    "/depth-to-space?sizes=1,65536,1,1&values=random&block_size=64",
    # everything is padded away but one window
    "/unfold?sizes=1,1,16384,4&values=random&window_sizes=1,1&strides=65536,1&dilations=1,1"
    "&start_padding=0,60000&end_padding=0,0",
)


@pytest.mark.parametrize("link", LINKS, ids=lambda link: link[1:40])
def test_links_that_were_or_could_be_dear(link, bounded):
    bounded()
    state = read_link(link).state
    operator, inputs = state.operator(), state.inputs()
    assert state.problems() == []
    directions = dict(state.view.directions)
    check(lambda: payload(staged(operator, inputs, directions)), link)


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_the_largest_pictures_of_every_operator(cls, bounded):
    sent = []
    runs = list(extremes.runs(cls, 1, 10))
    for operator, inputs in runs:
        bounded()
        make = partial(_payload, operator, inputs)
        sent.append(check(make, operator, traced=False))
    assert len(sent) >= 6
    # of one operator's pictures, those with the most bytes need the most memory
    for k in sorted(range(len(sent)), key=sent.__getitem__)[-2:]:
        bounded()
        check(partial(_payload, *runs[k]), runs[k][0])


def _payload(operator, inputs):
    return payload(staged(operator, inputs))


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_two_pictures_cost_twice_as_much(cls, bounded):
    for operator, inputs in extremes.runs(cls, 2, 3):
        bounded()
        try:
            other = staged(operator.alternative(), inputs)
        except Error:
            continue
        drawn = staged(operator, inputs)
        check(lambda: payload(compared(drawn, other)), operator, 2)  # noqa: B023


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_models_have_no_tensor_much_larger_than_what_they_take_and_give(cls):
    count = 0
    for operator, inputs in extremes.runs(cls, 3, 16):
        descs = descs_of(inputs)
        outside = (*descs.values(), *operator.output_descs(descs).values())
        most = 2 * sum(math.prod(desc.sizes) for desc in outside) + 64
        for graph in (operator.native_graph(descs), operator.lowered_graph(descs)):
            if graph is None:
                continue
            model = model_of(operator, inputs, graph)
            found = onnx.shape_inference.infer_shapes(model, data_prop=True).graph
            inside = [
                math.prod(d.dim_value for d in info.type.tensor_type.shape.dim)
                for info in found.value_info
            ]
            inside += [math.prod(constant.dims) for constant in found.initializer]
            assert max(inside, default=0) <= most, (operator, graph.form)
            count += 1
    assert count


@pytest.mark.parametrize(
    ("key", "sizes", "settings"),
    [
        ("resample", (1, 16384), {"output_tensor_sizes": (4096, 2), "scales": (1, 1)}),
        ("unfold", (1, 1, 4096, 4), {"strides": (4096, 1), "start_padding": (0, 8192)}),
    ],
)
def test_what_shrinks_comes_first(key, sizes, settings):
    cls = operator_class(key)
    usual = {p.name: p.neutral(sizes) for p in cls.parameters()}
    operator = cls(**{**usual, **settings})
    inputs = operator.named_inputs(start("random", sizes, "FLOAT32"), "x")
    descs = descs_of(inputs)
    model = model_of(operator, inputs, operator.lowered_graph(descs))
    found = onnx.shape_inference.infer_shapes(model, data_prop=True).graph.value_info
    inside = [math.prod(d.dim_value for d in i.type.tensor_type.shape.dim) for i in found]
    most = max(math.prod(desc.sizes) for desc in (*descs.values(),))
    most = max(most, *(math.prod(d.sizes) for d in operator.output_descs(descs).values()))
    assert max(inside) <= 2 * most
    lowered = run(operator, inputs, "onnxruntime", "lowered")
    for name, array in run(operator, inputs).outputs.items():
        np.testing.assert_array_equal(array, lowered.outputs[name])


FILES = {
    "question": lambda drawn: inputs_svg(drawn.trace.inputs, width=1280),
    "card": lambda drawn: inputs_svg(drawn.trace.inputs),
    "svg": exports.svg,
    "png": exports.png,
    "gif": exports.gif,
}


@pytest.mark.parametrize("sizes", [(65536, 1), (1, 65536), (65536, 1, 1, 1), (4,) * 8], ids=str)
@pytest.mark.parametrize("file", FILES)
def test_files_of_the_largest_pictures(file, sizes, bounded):
    operator = operator_class("tile")((1,) * len(sizes))
    drawn = scene(run(operator, {"InputTensor": start("random", sizes, "FLOAT32")}))
    if (file, sizes) == ("gif", (65536, 1)):
        with pytest.raises(Error, match="a GIF file has at most 65,535 on a side"):
            exports.gif(drawn)
        return
    try:
        made = FILES[file](drawn)
    except MemoryError:
        made = None
    assert made is not None
    assert len(made) <= LARGEST_FILE
