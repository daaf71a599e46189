"""The pinned formula in the browser is ``operator.explain``, and its source the engine's."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dmlviz
from dmlviz.code.running import run_code
from dmlviz.operators import OPERATORS, operator_class
from dmlviz.picture.compared import compared
from dmlviz.picture.payload import payload
from dmlviz.picture.sections import element_lines, rule_lines
from tests.several import chained, cut, picked
from tests.strategies import MODES, runs

CHECK = Path(__file__).resolve().parents[1] / "js" / "check_formulas.mjs"
MOST_EXPLAINED = 400
NHWC = "tf.nn.depth_to_space(x, 2)", "tensorflow"
NCHW = "tf.nn.depth_to_space(x, 2, data_format='NCHW')", "tensorflow"
"""Elements of one output whose lines are compared; their sources are compared all."""


def assert_agree(node, cases):
    """One process for all cases."""
    scenes, asked = [], []
    for operator, x in cases:
        with np.errstate(invalid="ignore"):
            scene = dmlviz.scene(dmlviz.run(operator, x))
            sent = payload(scene)
        scenes.append(scene)
        asked.append({name: sent[name] for name in ("formula", "input", "output")})
    answers = json.loads(node(CHECK, text=json.dumps(asked)))
    for scene, answer in zip(scenes, answers, strict=True):
        operator, inputs = scene.trace.operator, scene.trace.inputs
        if any(operator.formulas(inputs).values()):
            # an output of indices has none
            due = [
                None if index else source
                for source, index in zip(scene.source.tolist(), scene.naming, strict=True)
            ]
            assert answer["source"] == due, operator
        count = scene.output.count
        assert len(answer["lines"]) == count
        for cell in range(0, count, -(-count // MOST_EXPLAINED)):
            tensor, index = scene.output.at(cell)
            due = operator.explain(inputs, index, tensor.name)
            assert answer["lines"][cell] == due, operator


# each example is a batch: a process takes a tenth of a second to start
@settings(max_examples=6)
@given(cases=st.lists(runs(), min_size=4, max_size=10))
def test_the_player_says_what_python_says(node, cases):
    assert_agree(node, cases)


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_documentation_examples(node, cls):
    assert_agree(node, [(example.operator, example.inputs) for example in cls.examples()])


@pytest.mark.parametrize("mode", MODES)
def test_folds_and_sides_of_padding(node, mode):
    """Far beyond both ends, in sizes that fold at every place (1) and at every other (2)."""
    cases = [
        (dmlviz.Padding(mode, (5, 0, 7), (0, 6, 9), value), np.zeros(sizes, np.float32))
        for sizes in [(1, 1, 1), (2, 3, 2), (3, 1, 4)]
        for value in (9, -0.5, float("nan"), float("inf"))
    ]
    assert_agree(node, cases)


def test_padding_values_are_told_with_their_value(node):
    operator = dmlviz.Padding("CONSTANT", (1,), (2,), 9)
    x = np.array([5, 6, 7], np.int32)
    sent = payload(dmlviz.scene(dmlviz.run(operator, x)))
    asked = [{name: sent[name] for name in ("formula", "input", "output")}]
    (answer,) = json.loads(node(CHECK, text=json.dumps(asked)))
    assert answer["source"] == [-1, 0, 1, 2, -1, -1]
    assert answer["lines"][5] == (
        "out[w] = in[w − 1]\nout[5]: index 5 − 1 = 4 is past the last index, 2, so it is the "
        "padding value 9; no input element is its source.\n"
        "Along the row: 2 after the end."
    )


def test_a_formula_for_every_rank(node):
    assert_agree(
        node,
        [
            (dmlviz.Tile((1,) * (rank - 1) + (3,)), np.zeros((2,) * rank, np.int8))
            for rank in range(1, 9)
        ],
    )


def test_several_tensors(node):
    traces = [picked((2, 3, 4), (2, 0, 1, 1), 1), chained((2, 3), (2, 1), axis=1), cut()]
    assert_agree(node, [(trace.operator, trace.inputs) for trace in traces])


@pytest.mark.parametrize(
    ("key", "rule", "second"),
    [
        (
            "scatter",
            "out[h, w] = InputTensor[h, w]; then out[IndicesTensor[i, w], w] = UpdatesTensor[i, w]",
            "out[0, 1] = UpdatesTensor[0, 1]",
        ),
        (
            "scatter-nd",
            "out[h, w] = InputTensor[h, w]; then out[0, IndicesTensor[i, 0]] = UpdatesTensor[0, i]",
            "out[0, 1] = UpdatesTensor[0, 2]",
        ),
        (
            "max-unpooling",
            "out[n, c, h, w] = 0; then flatten(out)[IndicesTensor[n, c, h, w]] = in[n, c, h, w]",
            "out[0, 0, 0, 1] = 0:",
        ),
        ("fill-value-constant", "out[n, c, h, w] = 13", "out[0, 0, 0, 1] = 13"),
        ("fill-value-sequence", "out[n, c, h, w] = 3 + w · 2", "out[0, 0, 0, 1] = 3 + 1 · 2 = 5"),
    ],
)
def test_a_rule_that_gives_no_source_is_written_in_letters(key, rule, second):
    first = operator_class(key).examples()[0]
    trace = dmlviz.run(first.operator, first.inputs)
    assert "; ".join(rule_lines(trace)) == rule
    assert element_lines(trace, 1)[0].startswith(second)


def test_every_operator_has_a_rule_and_the_numbers_of_the_pinned_element():
    for cls in OPERATORS:
        first = cls.examples()[0]
        trace = dmlviz.run(first.operator, first.inputs)
        assert rule_lines(trace)[0].startswith(("out[", *trace.outputs)), cls
        (line, *_others) = element_lines(trace, 0)
        zeros = ", ".join("0" * next(iter(trace.outputs.values())).ndim)
        # a place outside has no element of the input to name
        assert f"[{zeros}] = " in line or f"[{zeros}]: " in line, cls


@pytest.mark.parametrize(
    ("codes", "sizes", "letters"),
    [
        ((NHWC, ("x.reshape(1, 8, 2, 1)", "numpy")), (1, 4, 1, 4), ["ijkl", "ijkl"]),
        ((NHWC, NCHW), (1, 4, 4, 4), ["ijkl", "ijkl"]),
        ((NCHW, NHWC), (1, 4, 4, 4), ["ijkl", "ijkl"]),
        ((NHWC, ("np.transpose(x, (0, 3, 1, 2))[0]", "numpy")), (1, 4, 4, 4), ["ijkl", "jkl"]),
        ((NHWC, NHWC), (1, 4, 4, 4), ["nhwc", "nhwc"]),
        ((NCHW, ("x.T", "numpy")), (1, 4, 4, 4), ["nchw", "nchw"]),
        ((("x[None]", "numpy"), ("x[0]", "numpy")), (1, 4, 4, 4), ["ncdhw", "chw"]),
    ],
)
def test_a_letter_is_one_dimension_on_both_sides(codes, sizes, letters):
    scenes = [dmlviz.scene(run_code(code, {"x": sizes}, library)) for code, library in codes]
    sent = payload(compared(*scenes))["formula"]["of"]
    assert ["".join(one["names"]) for name in "AB" for one in sent[name]] == letters


def test_no_letter_of_a_comparison_is_the_name_of_a_tensor():
    tensors = {"x": (1, 2, 2, 4), "i": np.array([1, 0, 1, 0])}
    codes = ("tf.nn.depth_to_space(x, 2)", "tf.gather(x, i, axis=1)")
    scenes = [dmlviz.scene(run_code(code, tensors, "tensorflow")) for code in codes]
    sent = payload(compared(*scenes))["formula"]["of"]
    assert ["".join(one["names"]) for name in "AB" for one in sent[name]] == ["jklm"] * 2
