"""Wren, a library that there is not: what it needs to be in every room."""

from __future__ import annotations

from typing import Any

from dmlviz.base.deferred import regex
from dmlviz.code import numpy_copies, rules
from dmlviz.code.arguments import as_tensor, ints, one_int
from dmlviz.code.builder import Builder
from dmlviz.code.conventions import Conventions
from dmlviz.code.library import Library
from dmlviz.code.tensor import Tensor
from dmlviz.operators.code.base import TensorForms


def _grid(b: Builder, rows: Any) -> Tensor:
    return numpy_copies.array(b, rows)


def _mirror(b: Builder, x: Any, along: Any = 0) -> Tensor:
    return b.flip(as_tensor(b, x), [one_int(b, along)])


def _copies(b: Builder, x: Any, counts: Any) -> Tensor:
    return rules.tiled(b, as_tensor(b, x), ints(b, counts))


def _pick(b: Builder, x: Any, places: Any, along: Any = 0) -> Tensor:
    return rules.taken(b, as_tensor(b, x), places, along)


def _sized(b: Builder, x: Any, sizes: Any) -> Tensor:
    return b.reshape(as_tensor(b, x), ints(b, sizes))


WREN = Library(
    "wren",
    "Wren",
    names={"wr": "wren"},
    modules={"wren": "wren"},
    functions={
        "wren.grid": _grid,
        "wren.mirror": _mirror,
        "wren.copies": _copies,
        "wren.pick": _pick,
        "wren.sized": _sized,
    },
    methods={"mirror": _mirror},
    attributes={"shape": lambda b, x: x.sizes},
    instead="wr.put",
    other_names=("wr",),
    signs=regex(r"\bwr\."),
    imports="import wren as wr",
    of_list="wr.grid",
    prints=("grid",),
    conventions=Conventions(list_indices="none"),
    tensors=TensorForms(
        "wr.count",
        "{counted}.to({sizes})",
        "wr.grid({array})",
        "wr.grid({elements})",
        "wr.grid({elements}).to({sizes})",
    ),
    forms={
        "Tile": "wr.copies({x}, {repeats})",
        "Gather": "wr.pick({x}, {indices}, along={axis})",
        "Reshape": "wr.sized({x}, {sizes})",
        "Cast": "{x}",
    },
    tested=False,
)
