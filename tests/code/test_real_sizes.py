"""Code at the sizes that people have: up to 4,194,304 elements a tensor, within one budget."""

import json
import math
import time

import numpy as np
import pytest

import dmlviz
from dmlviz.__main__ import main
from dmlviz.code import CodeRefused, read
from dmlviz.code.other_sizes import smaller_sizes
from dmlviz.engines.trace import differing
from dmlviz.movement.composing import verified
from dmlviz.movement.expressions import index
from dmlviz.movement.formulas import Formula
from tests.memory import at_most

SECONDS = 5
"""Of the processor's time: the slowest needs 1."""

MEMORY = 300 << 20

PATCHES = (
    "b, c, h, w = x.shape\n"
    "x = x.reshape(b, c, h // 16, 16, w // 16, 16)\n"
    "x.permute(0, 2, 4, 3, 5, 1).reshape(b, (h // 16) * (w // 16), -1)"
)

REAL = (
    (
        PATCHES,
        (1, 3, 224, 224),
        lambda x: x.reshape(3, 14, 16, 14, 16).transpose(1, 3, 2, 4, 0).reshape(1, 196, 768),
        "rearrange(x, 'n c (h1 h2) (w1 w2) -> n (h1 w1) (h2 w2 c)'",
    ),
    (
        "x.view(1, 128, 12, 64).transpose(1, 2)",
        (1, 128, 768),
        lambda x: x.reshape(1, 128, 12, 64).swapaxes(1, 2),
        "rearrange(x, '1 h (w1 w2)",
    ),
    (
        "F.pad(x, (3, 3, 3, 3))",
        (1, 3, 224, 224),
        lambda x: np.pad(x, ((0, 0), (0, 0), (3, 3), (3, 3))),
        "Padding(",
    ),
    ("x[:, [2, 1, 0]]", (1, 3, 224, 224), lambda x: x[:, ::-1], "x[:, 2::-1]"),
    (
        "torch.roll(x, (-3, -3), (1, 2))",
        (1, 56, 56, 96),
        lambda x: np.roll(x, (-3, -3), (1, 2)),
        "",
    ),
    ("x.permute(0, 2, 3, 1)", (1, 3, 224, 224), lambda x: np.moveaxis(x, 1, 3), "x.permute("),
    (
        "F.pixel_shuffle(x, 2)",
        (1, 12, 112, 112),
        lambda x: (
            x.reshape(1, 3, 2, 2, 112, 112).transpose(0, 1, 4, 2, 5, 3).reshape(1, 3, 224, 224)
        ),
        "DepthToSpace(",
    ),
    (
        "torch.cat([x, x.new_zeros(1, 197, 1024)], 1)",
        (1, 197, 1024),
        lambda x: np.concatenate([x, np.zeros_like(x)], 1),
        "",
    ),
)
"""Code of PyTorch, the sizes of ``x``, the same in NumPy, and how a line that is the same begins."""


@pytest.mark.parametrize(("text", "sizes", "due", "same"), REAL, ids=range(len(REAL)))
def test_code_moves_every_element_to_its_place(text, sizes, due, same):
    trace = dmlviz.code(text, "torch", x=sizes)
    numbers = np.arange(1, math.prod(sizes) + 1).reshape(sizes)
    np.testing.assert_array_equal(trace.source, due(numbers) - 1)
    assert trace.source.dtype == np.int64
    assert trace.agrees
    assert trace.formula
    for step in trace.steps:
        assert step.trace.agrees
    lines = [one.text for one in trace.same_as]
    assert any(line.startswith(same) for line in lines) or not same, lines


LARGEST = (
    (PATCHES, (1, 4, 1024, 1024)),
    ("x.view(1, 4096, 16, 64).transpose(1, 2)", (1, 4096, 1024)),
    ("F.pad(x, (1, 1))", (2048, 2046)),
    ("x[torch.arange(2048) % 7]", (2048, 2048)),
)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "sizes"), LARGEST, ids=lambda part: str(part)[-30:])
def test_the_largest_tensors_cost_little(text, sizes):
    dmlviz.code("x.T", "torch", x=(2, 3))
    start = time.process_time()
    with at_most(MEMORY):
        trace = dmlviz.code(text, "torch", x=sizes)
        assert trace.formula
        assert trace.agrees
    assert time.process_time() - start < SECONDS


def test_a_tensor_has_a_limit_and_all_together_have_one():
    assert read("x[::2]", {"x": (4_194_304,)}, library="numpy").sizes["out"] == (2_097_152,)
    with pytest.raises(CodeRefused, match="4,194,305 elements; at most 4,194,304"):
        read("x[::2]", {"x": (4_194_305,)}, library="numpy")
    # a reshape is no copy
    views = "x[::-1].reshape(3, -1).reshape(-1).reshape(3, -1)[:, :1]"
    assert read(views, {"x": (4_194_300,)}, library="numpy").sizes["out"] == (3, 1)
    with pytest.raises(CodeRefused, match="All tensors together have more than 12,582,912"):
        read("x = x[::-1]\n" * 3 + "x", {"x": (4_194_304,)}, library="numpy")


def test_many_equal_constants_are_one_value():
    trace = dmlviz.code("np.concatenate([x, np.full((512, 300), 7)], 1)", x=(512, 300))
    assert trace.formula == "out[h, w] = 7 if w >= 300 else x[h, w]"
    assert (trace.source[:, 300:] == -1).all()
    assert (trace.output[:, 300:] == 7).all()
    with pytest.raises(CodeRefused, match="Lists have more than 65,536 items"):
        dmlviz.code("np.concatenate([x, np.arange(512 * 300).reshape(512, 300)])", x=(512, 300))


def test_constants_keep_their_sign_and_their_type():
    trace = dmlviz.code("np.concatenate([x, np.array([0.0, -0.0, 0.0])])", x=(1,))
    assert np.signbit(trace.output).tolist() == [False, False, True, False]
    lists = dmlviz.code("np.concatenate([x, np.array([True, False]), np.array([3, 0])])", x=(1,))
    assert lists.output.tolist() == [1, 1, 0, 3, 0]


def test_a_difference_is_found_wherever_it_is():
    count = 700_001
    x = np.arange(count, dtype=np.float32)
    source = np.arange(count)[::-1].copy()
    assert differing(x, x[::-1].copy(), source, None).size == 0
    wrong = x[::-1].copy()
    for place in (0, 262_143, 262_144, 524_288, count - 1):
        wrong[place] += 1
    assert differing(x, wrong, source, None).tolist() == [0, 262_143, 262_144, 524_288, count - 1]
    source[300_000] = -1
    constants = np.zeros(count, np.float32)
    constants[300_000] = wrong[300_000]
    assert 300_000 not in differing(x, wrong, source, constants)
    assert 300_000 in differing(x, wrong, source, constants + 1)


@pytest.mark.parametrize("sizes", [(), (3,), (700_001,), (1, 3, 700, 400), (600, 1, 700), (2,) * 8])
def test_a_formula_is_tried_on_every_element(sizes):
    count = int(np.prod(sizes, dtype=int))
    formula = Formula(sizes, sizes, tuple(index(d) for d in range(len(sizes))))
    source = np.arange(count).reshape(sizes)
    assert verified(formula, source)
    for place in {0, count // 2, count - 1} if count > 1 else ():
        other = source.copy()
        other.flat[place] = (place + 1) % count
        assert not verified(formula, other)


@pytest.mark.parametrize(
    ("text", "sizes", "small"),
    [
        (PATCHES, (1, 3, 224, 224), (1, 3, 32, 32)),
        ("x.reshape(2, -1, 64).T", (300, 640), (67, 128)),
        ("np.rot90(x)", (500, 500), (2, 2)),
        ("x[:, :100]", (300, 300), (101, 101)),
        ("x.reshape(1, 128, 12, 64)", (1, 128, 768), None),
    ],
)
def test_small_sizes_are_those_that_the_code_accepts(text, sizes, small):
    def at(shapes):
        try:
            return read(text, shapes).sizes
        except CodeRefused:
            return None

    found = smaller_sizes({"x": sizes}, at, text)
    assert (found and found[0]["x"]) == small


def test_the_command_lists_no_large_tensor(capsys):
    arguments = ["code", "x.transpose(0, 2, 3, 1)", "--input", "x=1,3,224,224"]
    assert main(arguments) == 0
    told = capsys.readouterr().out
    assert "x {1, 3, 224, 224}: 150,528 elements; more than 65,536 are not listed." in told
    assert "150,528 elements, each equal to its source." in told
    assert len(told) < 1_000
    assert main([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["outputs"] == [{"name": "out", "sizes": [1, 224, 224, 3], "source": None}]
    assert told["agrees"] is True
