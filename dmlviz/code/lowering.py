"""Nodes of a chain as others that every engine runs for all 11 data types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from dmlviz.movement.graphs import Constant, Node
from dmlviz.movement.nodes import fold
from dmlviz.tensors.types import Array, Sizes


def lowered(node: Node, sizes: Mapping[str, Sizes]) -> Iterator[Node]:
    """The node itself, or others that do the same and that every engine runs for all 11 data types.

    ONNX Runtime's CPU provider has no Pad for INT16 and UINT16, and no Where for these and UINT64
    (1.32); Concat and the Gather family have all types.

    Args:
        node: with constants in the values' type.
        sizes: of every tensor, by name.
    """
    match node.op_type:
        case "Pad":
            yield from _pad(node, _sizes_of(node.inputs[0], sizes))
        case "Where":
            yield from _where(node, sizes)
        case _:
            yield node


def _sizes_of(item: str | Constant, sizes: Mapping[str, Sizes]) -> Sizes:
    return item.values.shape if isinstance(item, Constant) else sizes[item]


def _pad(node: Node, sizes: Sizes) -> Iterator[Node]:
    """For each axis, a Concat with blocks of the value, or a Gather of places."""
    (output,) = node.outputs
    pads = node.inputs[1].values.tolist()  # type: ignore[union-attr]
    mode, rank, current = node.attributes["mode"], len(sizes), node.inputs[0]
    axes = [d for d in range(rank) if pads[d] or pads[rank + d]]
    grown = list(sizes)
    for d in axes:
        before, after = pads[d], pads[rank + d]
        name = output if d == axes[-1] else f"{output}_{d}"
        if mode == "constant":
            value = node.inputs[2].values  # type: ignore[union-attr]
            sides = [
                [_block("block", value, (*grown[:d], n, *grown[d + 1 :]))] if n else []
                for n in (before, after)
            ]
            yield Node("Concat", (*sides[0], current, *sides[1]), {"axis": d}, (name,))
        else:
            places = fold(np.arange(-before, grown[d] + after), grown[d], mode)
            yield Node("Gather", (current, Constant("indices", places)), {"axis": d}, (name,))
        current, grown[d] = name, before + grown[d] + after


def _block(name: str, value: Array, sizes: Sizes) -> Constant:
    return Constant(name, np.full(sizes, value, value.dtype))


def _where(node: Node, sizes: Mapping[str, Sizes]) -> Iterator[Node]:
    """Both tensors in two rows, and for each element the row that it is taken from."""
    condition, *choices = node.inputs
    (output,) = node.outputs
    mask = condition.values  # type: ignore[union-attr]
    whole = np.broadcast_shapes(mask.shape, *(_sizes_of(item, sizes) for item in choices))
    rows = []
    for k, item in enumerate(choices):
        wide, row = f"{output}_wide{k}", f"{output}_row{k}"
        yield Node("Expand", (item, _whole("shape", whole)), {}, (wide,))
        yield Node("Reshape", (wide, _whole("shape", (1, -1))), {}, (row,))
        rows.append(row)
    yield Node("Concat", tuple(rows), {"axis": 0}, (f"{output}_rows",))
    places = np.where(np.broadcast_to(mask, whole), 0, 1).reshape(1, -1)
    indices = Constant("indices", places.astype(np.int64))
    taken = f"{output}_taken"
    yield Node("GatherElements", (f"{output}_rows", indices), {"axis": 0}, (taken,))
    yield Node("Reshape", (taken, _whole("shape", whole)), {}, (output,))


def _whole(name: str, numbers: tuple[int, ...]) -> Constant:
    return Constant(name, np.asarray(numbers, np.int64))
