"""NumPy runs every graph that operators are written as, and answers what their rule does."""

import numpy as np
import onnx.reference
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz.movement.nodes import KERNELS, fold, run_graph
from dmlviz.operators.slots import descs_of
from dmlviz.teaching.presets import engine_cases, presets
from tests.every import every
from tests.models import model_of
from tests.strategies import each_operator, one_nan

CASES = [(case.key, case.operator, case.inputs) for case in engine_cases()]
CASES += [(p.key, p.operator, p.inputs) for p in presets() if p.opens]


def graphs(operator, inputs):
    descs = descs_of(inputs)
    found = operator.native_graph(descs), operator.lowered_graph(descs)
    return [graph for graph in found if graph is not None]


def check(operator, inputs):
    due = operator.evaluate(inputs)
    for graph in graphs(operator, inputs):
        answered = run_graph(graph, inputs, list(due))
        for name, output in due.items():
            assert answered[name].dtype == output.dtype, (graph.form, name)
            assert answered[name].shape == output.shape
            np.testing.assert_array_equal(
                one_nan(np.ascontiguousarray(answered[name])), one_nan(output), err_msg=graph.form
            )


@each_operator(8)
def test_every_graph_of_every_operator_gives_what_its_rule_gives(run):
    check(*run)


@every("case", CASES, ids=lambda case: case[0])
def test_graphs_of_presets_and_engine_cases(case):
    _key, operator, inputs = case
    check(operator, dict(inputs))


def test_every_kernel_is_used():
    used = {
        node.op_type
        for _key, operator, inputs in CASES
        for graph in graphs(operator, inputs)
        for node in graph.nodes
    }
    assert used <= KERNELS.keys()
    # code alone has the others
    assert KERNELS.keys() - used <= {"Sub", "Identity", "Conv"}


@given(st.integers(1, 6), st.sampled_from(["edge", "reflect", "wrap"]), st.integers(0, 20))
def test_folds_are_those_of_numpy(n, mode, width):
    due = np.pad(np.arange(n), width, mode)
    assert fold(np.arange(-width, n + width), n, mode).tolist() == due.tolist()


def test_a_model_is_the_graph():
    operator, x = dmlviz.Tile((2, 3)), np.arange(6).reshape(2, 3)
    inputs = {"InputTensor": x}
    (native, lowered) = graphs(operator, inputs)
    for graph in (native, lowered):
        model = model_of(operator, inputs, graph)
        (due,) = onnx.reference.ReferenceEvaluator(model).run(None, inputs)
        answered = run_graph(graph, inputs, ["OutputTensor"])["OutputTensor"]
        np.testing.assert_array_equal(answered, due)
