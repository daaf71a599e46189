"""The NumPy engine beside each operator's NumPy code, as the Code panel prints it.

``python -m benchmarks.rules`` prints a table for every operator; a ratio of 1.00 is as fast as the
code. Code that loops in Python over windows, batches or tuples says what to write, not how fast.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from types import CodeType
from typing import Any

import numpy as np

import dmlviz
from benchmarks.engines import side_by_side
from benchmarks.tables import table
from dmlviz.engines import ENGINES
from dmlviz.engines.trace import as_inputs
from dmlviz.operators.code.base import NamedTensor
from dmlviz.operators.slots import descs_of
from dmlviz.tensors.types import Array

State = tuple[dmlviz.Operator, Any]

BYTES = (1 << 18, 1 << 22)


def square(side: int) -> Array:
    """A FLOAT32 image of one channel."""
    return np.arange(side * side, dtype=np.float32).reshape(1, 1, side, side)


def channels(side: int) -> Array:
    """A FLOAT32 image of four channels, a quarter of the size."""
    return square(side).reshape(1, 4, side // 2, side // 2)


def rows(*counts: int) -> Array:
    """INT64 indices below the last number, of the sizes before it; the same at each run."""
    return np.random.default_rng(1).integers(0, counts[-1], counts[:-1])


def tuples(side: int) -> Array:
    """Tuples that name a row each."""
    zero = np.zeros(side, np.int64)
    return np.stack([zero, zero, rows(side, side)], 1).reshape(1, 1, side, 3)


STATES: dict[str, Callable[[int], State]] = {
    "Tile": lambda n: (dmlviz.Tile((1, 1, 2, 2)), square(n // 2)),
    "Padding": lambda n: (
        dmlviz.Padding("REFLECTION", (0, 0, n // 8, n // 8), (0, 0, n // 8, n // 8)),
        square(n - 2 * (n // 8)),
    ),
    "Slice": lambda n: (
        dmlviz.Slice((0, 0, 1, 0), (1, 1, 2 * n - 1, 2 * n), (1, 1, 2, -2)),
        square(2 * n),
    ),
    "SliceGrad": lambda n: (
        dmlviz.SliceGrad((0, 0, 1, 0), (1, 1, n - 1, n), (1, 1, 2, 2), (1, 1, n, n)),
        square(n // 2)[:, :, : (n - 1) // 2],
    ),
    "Resample": lambda n: (
        dmlviz.Resample("INCREASING", (1, 1, 2, 2), (0.5,) * 4, (-0.5,) * 4),
        square(n // 2),
    ),
    "Join": lambda n: (
        dmlviz.Join(3),
        {"InputTensors[0]": square(n)[..., : n // 2], "InputTensors[1]": square(n)[..., n // 2 :]},
    ),
    "Split": lambda n: (dmlviz.Split(3, (n // 4, n - n // 4)), square(n)),
    "DepthToSpace": lambda n: (dmlviz.DepthToSpace(2, "DEPTH_COLUMN_ROW"), channels(n)),
    "SpaceToDepth": lambda n: (dmlviz.SpaceToDepth(2, "DEPTH_COLUMN_ROW"), square(n)),
    "Gather": lambda n: (
        dmlviz.Gather(2, 1),
        {"InputTensor": square(n), "IndicesTensor": rows(1, 1, 1, n, n)},
    ),
    "GatherElements": lambda n: (
        dmlviz.GatherElements(3),
        {"InputTensor": square(n), "IndicesTensor": rows(1, 1, n, n, n)},
    ),
    "GatherND": lambda n: (
        dmlviz.GatherND(4, 4, 0),
        {"InputTensor": square(n), "IndicesTensor": tuples(n)},
    ),
    "Scatter": lambda n: (
        dmlviz.Scatter(3),
        {
            "InputTensor": square(n),
            "IndicesTensor": rows(1, 1, n, n, n),
            "UpdatesTensor": square(n),
        },
    ),
    "Unfold": lambda n: (
        dmlviz.Unfold((3, 3), (1, 1), (1, 1), (1, 1), (1, 1)),
        square(n // 3),
    ),
    "ReverseSubsequences": lambda n: (
        dmlviz.ReverseSubsequences(3),
        {
            "InputTensor": square(n).reshape(1, 1, n, n),
            "SequenceLengthsTensor": (1 + rows(1, 1, n, 1, n)).astype(np.uint32),
        },
    ),
    "Strided": lambda n: (dmlviz.Strided((n, n), (1, n)), square(n).ravel()),
    "ScatterND": lambda n: (
        dmlviz.ScatterND(4, 4),
        {
            "InputTensor": square(n),
            "IndicesTensor": tuples(n // 2),
            "UpdatesTensor": square(n)[:, :, : n // 2],
        },
    ),
    "MaxUnpooling": lambda n: (
        dmlviz.MaxUnpooling((1, 1, n, n)),
        {
            "InputTensor": square(n // 2),
            "IndicesTensor": 4 * np.arange(n * n // 4, dtype=np.uint64).reshape(1, 1, n // 2, -1),
        },
    ),
    "TopK": lambda n: (dmlviz.TopK(3, n // 2), square(n)),
    "OneHot": lambda n: (
        dmlviz.OneHot(3, n),
        {"IndicesTensor": rows(1, 1, n, 1, n), "ValuesTensor": np.array([[[[0, 1]]]], np.float32)},
    ),
    "DiagonalMatrix": lambda n: (dmlviz.DiagonalMatrix(-1, 1, 0), square(n)),
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=BYTES[-1], help="bytes of the largest output")
    parser.add_argument("--operators", nargs="*", default=list(STATES), choices=list(STATES))
    options = parser.parse_args()
    most, lines = options.most, []
    for name in options.operators:
        line: list[object] = [name]
        for size in (size for size in BYTES if size <= most):
            operator, x = STATES[name](int((size // 4) ** 0.5))
            inputs = as_inputs(operator, x)
            [code] = [s for s in operator.code(descs_of(inputs)) if s.dialect == "numpy"]
            variables: dict[str, Any] = {
                NamedTensor(n, array.shape, "").variable: array for n, array in inputs.items()
            }
            exec(code.imports, variables)
            body = compile(code.body, name, "exec")
            taken = side_by_side(
                {
                    "code": lambda body=body, variables=variables: _outputs(body, variables),
                    "numpy": lambda operator=operator, inputs=inputs: ENGINES["numpy"].run(
                        operator, inputs
                    ),
                }
            )
            line += [f"{1e6 * taken['code']:,.0f}", f"{taken['numpy'] / taken['code']:.2f}"]
        lines.append(line)
    head = [
        f"{label} {size >> 10} KB"
        for size in BYTES
        if size <= most
        for label in ("code, µs,", "numpy / code")
    ]
    print(table(["operator", *head], lines))


def _outputs(body: CodeType, variables: dict[str, Any]) -> list[Array]:
    """What the code gives, as tensors of their own: an engine's outputs are never views."""
    exec(body, variables)
    y = variables["y"]
    every = y if isinstance(y, list | tuple) else [y]
    arrays = [
        array for name, array in variables.items() if name != "y" and isinstance(array, np.ndarray)
    ]
    return [
        one.copy() if any(np.may_share_memory(one, x) for x in arrays) else one for one in every
    ]


if __name__ == "__main__":
    main()
