"""Every model that an engine is given: its tensors have 1 to 8 dimensions, as DirectML's have."""

import math

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dmlviz
from dmlviz.engines.models import dimension_counts, model_to_run, written_or_lowered
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.operators import OPERATORS
from tests.models import model_of
from tests.strategies import bits, each_operator
from tests.thorough import tries

FORMS = ("native", "lowered")


def graphs(operator, inputs):
    for form in FORMS:
        graph = written_or_lowered(operator, inputs, form, True)
        if graph is not None:
            yield graph


def inferred(model):
    """The same counts, inferred by ONNX."""
    graph = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True).graph
    infos = (*graph.input, *graph.output, *graph.value_info)
    return {info.name: len(info.type.tensor_type.shape.dim) for info in infos}


def check(operator, inputs):
    """Nothing has more than 8 dimensions, and nothing that is computed has none."""
    for graph in graphs(operator, inputs):
        counts = dimension_counts(operator, inputs, graph)
        model = model_of(operator, inputs, graph)
        assert inferred(model).items() <= counts.items()
        made = [name for node in model.graph.node for name in node.output]
        assert set(counts) >= {*made, *(info.name for info in model.graph.input)}
        assert max(counts.values()) <= 8, [node.op_type for node in model.graph.node]
        assert min(counts[name] for name in made) >= 1, [n.op_type for n in model.graph.node]


@each_operator(24)
def test_random_cases(run):
    check(*run)


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_documentation_examples_and_presets(cls):
    for example in cls.examples():
        check(example.operator, example.inputs)


@settings(max_examples=tries(60))
@given(st.data())
def test_unfold_of_every_rank(data):
    """Rank 8 has six spatial dimensions, each of which becomes two."""
    spatial = data.draw(st.integers(1, 6))
    numbers = st.integers
    sizes, *lists = [], [], [], [], [], []
    for _d in range(spatial):
        size, start, end = (
            data.draw(numbers(1, 4)),
            data.draw(numbers(0, 2)),
            data.draw(numbers(0, 1)),
        )
        dilation = data.draw(numbers(1, 2))
        window = data.draw(numbers(1, 1 + (start + size + end - 1) // dilation))
        sizes.append(size)
        for found, number in zip(
            lists, (min(window, 2), data.draw(numbers(1, 3)), dilation, start, end), strict=True
        ):
            found.append(number)
    operator = dmlviz.Unfold(*lists)
    shape = (data.draw(numbers(1, 2)), data.draw(numbers(1, 3)), *sizes)
    x = np.arange(1, 1 + np.prod(shape), dtype=np.int64).reshape(shape)
    check(operator, {"InputTensor": x})
    trace = dmlviz.run(operator, x, "onnxruntime")
    np.testing.assert_array_equal(trace.output, operator.copied({"InputTensor": x}), strict=True)
    assert trace.agrees


@pytest.mark.parametrize("count", range(9))
@pytest.mark.parametrize("rank", range(1, 9))
def test_gather_of_every_rank(rank, count):
    """Before leading ones are dropped, its result has rank - 1 + count dimensions, up to 15."""
    if count > rank:
        return
    axis = rank - 1
    # the first count - 1 dimensions are dropped, so they have size 1
    before = tuple(1 if d < count - 1 else 2 for d in range(axis))
    x = np.arange(5 * math.prod(before), dtype=np.int8).reshape((*before, 5))
    inner = tuple(1 if axis + k < count - 1 else 3 for k in range(count))
    indices = np.arange(np.prod(inner, dtype=int), dtype=np.int64).reshape(inner) % 5
    inputs = {"InputTensor": x, "IndicesTensor": indices.reshape((1,) * (rank - count) + inner)}
    operator = dmlviz.Gather(axis, count)
    check(operator, inputs)
    for engine in ("numpy", "onnxruntime"):
        for form in ("", *FORMS):
            trace = dmlviz.run(operator, inputs, engine, form)
            due = np.take(x, indices, axis).reshape(trace.output.shape)
            np.testing.assert_array_equal(trace.output, due, strict=True)
            assert trace.agrees


@pytest.mark.parametrize("rank", range(1, 9))
def test_one_tuple_of_a_whole_element(rank):
    x = np.arange(2**rank, dtype=np.float32).reshape((2,) * rank)
    at = (1,) * rank
    indices = np.array(at, np.uint32).reshape((1,) * (rank - 1) + (rank,))
    for operator, inputs, due in (
        (
            dmlviz.GatherND(rank, 1, 0),
            {"InputTensor": x, "IndicesTensor": indices},
            x[at].reshape((1,) * rank),
        ),
        (
            dmlviz.ScatterND(rank, 1),
            {
                "InputTensor": x,
                "IndicesTensor": indices,
                "UpdatesTensor": np.full((1,) * rank, -7, np.float32),
            },
            np.where(np.arange(2**rank) == 2**rank - 1, np.float32(-7), x.ravel()).reshape(x.shape),
        ),
    ):
        assert not operator.refusals(inputs)
        check(operator, inputs)
        trace = dmlviz.run(operator, inputs, "onnxruntime")
        np.testing.assert_array_equal(bits(trace.output), bits(due), strict=True)
        assert trace.agrees


def test_too_many_dimensions_are_refused_before_a_session():
    """One of 9, made of a valid tensor, is counted; the sentence says the limit."""

    class Nine(dmlviz.Tile):
        def lowered_graph(self, inputs):
            ((name, desc),) = inputs.items()
            shapes = [Constant("shape", np.array(to, np.int64)) for to in ((1,) * 9, desc.sizes)]
            nodes = (Node("Reshape", (name, shapes[0])), Node("Reshape", (FLOW, shapes[1])))
            return Graph("lowered", nodes)

    operator, inputs = Nine((1,)), {"InputTensor": np.ones(1, np.int8)}
    with pytest.raises(dmlviz.EngineRefused, match="of 9 dimensions; directml takes at most 8 dim"):
        model_to_run("directml", operator, inputs, "lowered", True, 8)
    model_to_run("onnxruntime", operator, inputs, "lowered", True)
