"""Extreme models, run and compared: ``python -m tests.engines.extreme``, for a process of its own.

Its last line on the error stream names the model that it was at; the output says how many ran.
"""

import itertools
import json
import sys

import numpy as np

import dmlviz
from dmlviz.engines.onnxruntime import OnnxRuntimeEngine
from dmlviz.tensors import DATA_TYPES
from tests.one_input import applied
from tests.strategies import MODES, ORDERS, bits, named

# primes and ones, so that no two dimensions are mistaken for each other
SIZES = (3, 1, 2, 5, 1, 2, 1, 3)
ONES = (1,) * 8
MUCH = 1 << 20


def tiles():
    for rank in range(1, 9):
        yield dmlviz.Tile((1,) * rank), SIZES[:rank]
        for d in range(rank):
            repeats = [1] * rank
            repeats[d] = 41
            yield dmlviz.Tile(repeats), SIZES[:rank]
        yield dmlviz.Tile((2, 3, 1, 2, 1, 3, 2, 1)[:rank]), SIZES[:rank]
        yield dmlviz.Tile((1,) * (rank - 1) + (999,)), ONES[:rank]


def extents(sizes):
    """Padding by each extent in every dimension, then by much at one end of one dimension."""
    for start, end in (
        *((lambda n: 0, lambda n: 0), (lambda n: 1, lambda n: 0), (lambda n: 0, lambda n: 1)),
        *((lambda n: n - 1, lambda n: n - 1), (lambda n: n, lambda n: n - 1)),
        (lambda n: 0, lambda n: n),
    ):
        yield [start(n) for n in sizes], [end(n) for n in sizes]
    for d in {0, len(sizes) - 1}:
        much = [0] * len(sizes)
        much[d] = 7 * sizes[d] + 2
        yield much, [0] * len(sizes)
        yield [0] * len(sizes), much


def paddings():
    for rank, mode in itertools.product(range(1, 9), MODES):
        for start, end in extents(SIZES[:rank]):
            yield dmlviz.Padding(mode, start, end, 3), SIZES[:rank]
        yield dmlviz.Padding(mode, (2,) * rank, (0,) * rank, 3), ONES[:rank]


def blocks():
    for block, order in itertools.product((1, 2, 3, 7, 16), ORDERS):
        for n, c, h, w in ((1, 1, 1, 1), (2, 3, 1, 2), (1, 1, 5, 1)):
            yield dmlviz.DepthToSpace(block, order), (n, c * block * block, h, w)
            yield dmlviz.SpaceToDepth(block, order), (n, c, h * block, w * block)


def large():
    """Tens of thousands of elements and more, in the smallest type and in a largest."""
    yield dmlviz.Tile((MUCH,)), (1,)
    yield dmlviz.Tile((1, MUCH)), (1, 1)
    yield dmlviz.Tile((MUCH, 1)), (1, 3)
    for mode in MODES:
        yield dmlviz.Padding(mode, (20_000,), (9_999,), 3), (7,)
        yield dmlviz.Padding(mode, (0, 0, 500), (999, 0, 0), 3), (1, 3, 2)
    for order in ORDERS:
        yield dmlviz.DepthToSpace(256, order), (1, 1 << 16, 2, 3)
        yield dmlviz.SpaceToDepth(256, order), (1, 2, 512, 256)


def check(engine, told, operator, x, form):
    """Run one model; it gives what NumPy gives, or refuses what was insisted on."""
    try:
        output = engine.run(operator, named(x), form).output
    except dmlviz.EngineRefused:
        assert form == "native"
        told["refused"] += 1
        return
    told["ran"] += 1
    due = applied(operator, x)
    if form == "native" and x.dtype == np.float16:
        # kernels by casts quiet NaNs
        np.testing.assert_array_equal(output, due, strict=True)
    else:
        np.testing.assert_array_equal(bits(output), bits(due), strict=True)


def main():
    """Every case in four types, types and forms in turn; then the large ones in both forms."""
    told = {"ran": 0, "refused": 0}
    engine = OnnxRuntimeEngine()
    random = np.random.default_rng(5)
    # 11 types and 3 forms: turns of four meet all of them in every kind of case
    turns = zip(
        itertools.cycle(DATA_TYPES), itertools.cycle(("", "native", "lowered")), strict=False
    )
    small = (case for case in (*tiles(), *paddings(), *blocks()) for _turn in range(4))
    every = ((case, *turn) for case, turn in zip(small, turns, strict=False))
    big = itertools.product(large(), ("UINT8", "FLOAT64"), ("", "lowered"))
    for (operator, sizes), name, form in itertools.chain(every, big):
        sys.stderr.write(f"{operator} {sizes} {name} {form}\n")
        dtype = DATA_TYPES[name].dtype
        x = np.frombuffer(random.bytes(int(np.prod(sizes)) * dtype.itemsize), dtype)
        check(engine, told, operator, x.reshape(sizes), form)
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
