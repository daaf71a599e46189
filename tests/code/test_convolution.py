"""Convolution: the windows move, the sums are what two engines compute, and all say which is which."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dmlviz.base.errors import Error
from dmlviz.code import CodeRefused, operator, read, run_chain
from dmlviz.code.convolution import check_exact, products
from dmlviz.code.running import run_code
from dmlviz.movement import COMPUTED, CONTROL, VALUES
from dmlviz.picture.payload import payload
from dmlviz.teaching.code_presets import code_named
from dmlviz.teaching.facts import facts_of, state_of

SHUFFLED = "t = F.conv2d(x, w)\ny = F.pixel_shuffle(t, 2)"
LINK = "/code?code=y+%3D+F.conv2d(x,+w)&sizes=x:1,1,3,3;w:2,1,2,2&values=w:1,0,-1,2,0,1,0,0"
# code, sizes of x and w
CASES = [
    ("F.conv2d(x, w)", (1, 1, 4, 5), (1, 1, 2, 3)),
    ("F.conv2d(x, w, padding=1)", (2, 3, 4, 5), (2, 3, 3, 3)),
    ("F.conv2d(x, w, stride=(2, 1), dilation=(1, 2))", (1, 2, 5, 7), (3, 2, 2, 3)),
    ("F.conv1d(x, w, stride=2, padding=2)", (2, 2, 7), (3, 2, 3)),
    ("torch.conv2d(F.pad(x, (0, 1, 0, 1)), w.flip(2, 3))", (1, 1, 3, 3), (1, 1, 2, 2)),
    ("F.conv2d(F.conv2d(x, w), w)", (1, 2, 5, 5), (2, 2, 2, 2)),
    (SHUFFLED, (1, 1, 3, 4), (4, 1, 2, 2)),
]
each_case = pytest.mark.parametrize(("code", "x", "w"), CASES, ids=[code for code, *_ in CASES])


def tensors(x, w):
    """Whole numbers, some of them below 0."""
    return {
        name: (np.arange(np.prod(sizes)) * 7 % 11 - 3).astype(np.float32).reshape(sizes)
        for name, sizes in (("x", x), ("w", w))
    }


def by_hand(columns, weights):
    """Weights times column, in Python's own whole numbers."""
    flat = weights.reshape(len(weights), -1).astype(int).tolist()
    return [
        [
            [sum(a * b for a, b in zip(row, column, strict=True)) for column in batch.T]
            for row in flat
        ]
        for batch in columns.astype(int)
    ]


@each_case
@pytest.mark.parametrize("engine", ["numpy", "onnxruntime"])
def test_an_engines_own_result_is_the_sum_of_the_products(code, x, w, engine):
    trace = run_code(code, tensors(x, w), engine=engine)
    assert trace.agrees
    for run in trace.computed.values():
        columns, result = run.outputs.values()
        weights = run.inputs[list(run.inputs)[1]]
        assert result.ravel().tolist() == np.ravel(by_hand(columns, weights)).tolist()
        assert engine != "onnxruntime" or run.ran.nodes[-1] == "Conv"
    other = run_code(code, tensors(x, w), engine="numpy")
    assert trace.output.tobytes() == other.output.tobytes()


@each_case
def test_pytorch_gives_the_same(code, x, w):
    torch = pytest.importorskip("torch")
    names = {n: torch.tensor(array) for n, array in tensors(x, w).items()}
    names |= {"torch": torch, "F": torch.nn.functional}
    # the case's own code, which this file wrote
    *lines, last = code.split("\n")
    exec("\n".join([*lines, f"made = {last.partition(' = ')[2] or last}"]), names)
    assert np.array_equal(names["made"].numpy(), run_code(code, tensors(x, w)).output)


def test_the_windows_move_and_the_result_is_no_copy():
    trace = run_code("y = F.conv2d(x, w)", tensors((1, 1, 3, 3), (2, 1, 2, 2)))
    (run,) = trace.computed.values()
    assert run.roles == {"x": VALUES, "w": CONTROL, "columns": VALUES, "y": COMPUTED}
    assert run.sources["columns"][0, :, 3].tolist() == [4, 5, 7, 8]
    assert (run.sources["y"] == -1).all()
    assert (
        run.inputs["x"].ravel()[run.sources["columns"]].tolist() == run.outputs["columns"].tolist()
    )
    assert "8 sums, each equal to weights times column" in run.check()
    # each window, then each filter
    titles = [step.title for step in run.moves.steps]
    assert titles[:4] == [
        "Window 0 moves",
        "y[0, 0, 0, 0] is computed",
        "y[0, 1, 0, 0] is computed",
        "Window 1 moves",
    ]
    assert run.moves.step_of.tolist()[-8:] == [1, 4, 7, 10, 2, 5, 8, 11]
    # the window, the filter and the column of a sum are framed
    step = run.moves.steps[5]
    assert step.marks == (1, 2, 4, 5, 13, 14, 15, 16)
    assert step.used == (1, 5, 9, 13)


def test_a_wrong_sum_is_reported(monkeypatch):
    right = operator.added
    monkeypatch.setattr(operator, "added", lambda *tensors: 1 + right(*tensors))
    trace = run_code("y = F.conv2d(x, w)", tensors((1, 1, 3, 3), (1, 1, 2, 2)))
    (run,) = trace.computed.values()
    assert not trace.agrees
    assert "4 of 4 elements of y are not the sum of their products" in run.check()


def test_what_follows_moves_from_the_result_on():
    trace = run_code(SHUFFLED, tensors((1, 1, 3, 3), (4, 1, 2, 2)))
    assert dict(trace.chain.taken) == {"x": (1, 1, 3, 3), "w": (4, 1, 2, 2)}
    assert list(trace.inputs) == ["x", "w", "t"]
    assert trace.parameters().keys() >= {"code", "sizes"}
    assert not any(name.startswith("t:") for name in trace.parameters().values())
    assert trace.output.tolist() == trace.inputs["t"].ravel()[trace.steps[1].source].tolist()
    # w is the name of the weights
    assert trace.formula.startswith("y[n, c, h, a] = t[0,")
    assert trace.same_as == ()


def test_the_stage_shows_the_call_that_computes():
    state = state_of(LINK)
    picture = state.scene()
    assert list(picture.trace.outputs) == ["columns", "y"] == list(state.outputs())
    # both tensors of the only call are on it
    assert picture.strip is None
    sent = payload(picture)
    assert sent["formula"]["remarks"]["y"]["0,0,1,1"] == (
        "y[0, 0, 1, 1] = 1·5 + 0·6 + (-1)·8 + 2·9 = 15"
    )
    roles = [tensor["role"] for tensor in sent["output"]["tensors"]]
    assert roles == ["values", "computed"]
    # a question's still picture has no colors for them either
    assert state.controls() == {"w"}
    assert picture.computed.tolist() == [False] * 16 + [True] * 8


def test_facts_of_windows_and_sums():
    facts = facts_of(LINK)
    assert facts("columns[0, :, 3]") == "5, 6, 8, 9"
    assert facts("products of y[0, 0, 0, 1]") == "1·2 + 0·3 + (-1)·5 + 2·6 = 9"
    assert facts("sizes of columns") == "{1, 4, 4}"
    assert facts("copies of x[0, 0, 1, 1] in columns") == "4"
    assert facts("input elements") == "17"
    with pytest.raises(Error, match="products of x"):
        facts("products of x[0, 0, 0, 0]")


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("F.conv2d(x, w, bias=w)", "computes"),
        ("F.conv2d(x, w, groups=2)", "computes"),
        ("F.conv2d(x, w, padding=-1)", "argument"),
        ("F.conv2d(x, w, stride=(1, 2, 3))", "argument"),
        ("F.conv2d(x, w, dilation=9)", "sizes"),
        ("F.conv1d(x, w)", "sizes"),
        ("F.conv2d(x, w[:, :, 0])", "sizes"),
        ("F.conv2d(x.repeat(1, 2, 1, 1), w)", "sizes"),
        ("x[F.conv2d(x, w)]", "values"),
        ("for k in range(5):\n    x = F.conv2d(x, w, padding=1)[:, :, :4, :4]\nx", "limit"),
    ],
)
def test_what_is_not_read_is_refused(code, kind):
    with pytest.raises(CodeRefused) as refused:
        read(code, {"x": (1, 1, 4, 4), "w": (1, 1, 2, 2)})
    assert refused.value.kind == kind


def test_many_windows_are_refused_before_they_are_made():
    with pytest.raises(CodeRefused, match="65,536"):
        read("F.conv2d(x, w)", {"x": (1, 1, 200, 200), "w": (1, 1, 9, 9)})


@pytest.mark.parametrize(
    ("x", "w", "exact"),
    [
        ([1, 2], [3, 4], True),
        ([0.5, 0.25], [0.5, 4], True),
        ([0.1, 0.2], [1, 1], False),
        ([1 << 23, 1], [2, 0], True),
        ([1 << 23, 1], [2, 1], False),
        ([3e38, 1], [3, 0], False),
        ([np.nan, 1], [1, 1], False),
        ([0, 0], [0, 0], True),
    ],
)
def test_sums_that_would_be_rounded_are_refused(x, w, exact):
    columns = np.array(x, np.float32).reshape(1, 2, 1)
    weights = np.array(w, np.float32).reshape(1, 1, 2)
    if exact:
        check_exact(columns, weights)
        return
    with pytest.raises(Error, match="rounded in FLOAT32"):
        check_exact(columns, weights)


def test_a_sum_that_passes_has_no_rounding_in_any_order():
    dice = np.random.default_rng(3)
    passing = 0
    for _try in range(200):
        scale = 2.0 ** dice.integers(-6, 13)
        x, w = (np.rint(dice.normal(0, 9, 4)).astype(np.float32) * np.float32(scale) for _ in "ab")
        try:
            check_exact(x.reshape(1, 4, 1), w.reshape(1, 1, 4))
        except Error:
            continue
        passing += 1
        terms = (x * w).tolist()
        sums = set()
        for order in itertools.permutations(terms):
            total = np.float32(0)
            for term in order:
                total = np.float32(total + np.float32(term))
            sums.add(float(total))
        assert len(sums) == 1
    assert passing > 50


def test_only_float32_is_computed():
    chain = read("F.conv2d(x, w)", {"x": (1, 1, 2, 2), "w": (1, 1, 2, 2)})
    with pytest.raises(Error, match="FLOAT32 here, not in INT32"):
        run_chain(chain, {name: np.ones((1, 1, 2, 2), np.int32) for name in "xw"})


def test_many_steps_share_the_last_two():
    trace = run_code("F.conv2d(x, w)", tensors((1, 1, 20, 20), (1, 1, 3, 3)))
    (run,) = trace.computed.values()
    steps = run.moves
    assert len(steps.steps) == 96
    assert steps.steps[-2].title == "The other windows move"
    assert (np.bincount(steps.step_of) > 0).all()
    assert steps.step_of[: 9 * 324].max() == 94
    assert steps.step_of[9 * 324 :].max() == 95


def test_long_sums_name_the_first_products_and_the_last():
    ones = np.ones(12, np.float32)
    assert products(ones, 2 * ones) == " + ".join(["2·1"] * 7) + " + … + 2·1 = 24"


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("conv2d", {"x": (1, 1, 4, 4), "w": (1, 1, 2, 2)}),
        ("torch.nn.functional.conv1d", {"x": (1, 1, 5), "w": (1, 1, 2)}),
        ("F.conv2d(x, w)", {"x": (1, 1, 4, 4), "w": (1, 1, 2, 2)}),
        ("F.conv1d(x, weight=k)", {"x": (1, 1, 5), "k": (1, 1, 2)}),
        ("F.pixel_shuffle(F.conv2d(x, w), 2)", {"x": (1, 1, 4, 4), "w": (4, 1, 2, 2)}),
    ],
)
def test_a_search_opens_it_with_sizes_that_fit(text, sizes):
    state = code_named(text)
    assert state is not None
    assert state.tensors.sizes == sizes
    assert state.trace().agrees


def test_two_codes_are_not_compared():
    state = state_of(f"{LINK}&compare=x")
    with pytest.raises(CodeRefused, match="Only movements are compared"):
        state.second_scene()
