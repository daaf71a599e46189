"""Layouts in memory by their names: what a tensor is in memory, or what memory is as a tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.code.arguments import as_tensor
from dmlviz.code.builder import Builder
from dmlviz.code.layout_text import ChannelsLast, Order, Reorder, ShapeAndStrides, layout_of
from dmlviz.code.library import Library
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.source import LAYOUT_CALL
from dmlviz.code.tensor import Tensor, control
from dmlviz.tensors import short_text


def _laid_out(b: Builder, tensor: Any, name: Any) -> Tensor:
    """What a layout makes of a tensor."""
    x = as_tensor(b, tensor)
    layout = layout_of(name) if isinstance(name, str) else None
    if layout is None:
        message = _("{name} is not the name of a layout, such as nChw16c.")
        raise CodeRefused("argument", message.format(name=short_text(name)))
    if isinstance(layout, ChannelsLast):
        if x.rank < 3 or layout.rank not in (None, x.rank):
            raise _rank(name, "5" if layout.rank else _("3 or more"), x.rank)
        layout = layout.reorder(x.rank)
    if isinstance(layout, Reorder):
        before = layout.before
        rank = len(before.outer) + len(before.inner)
        if x.rank != rank:
            raise _rank(name, str(rank), x.rank)
        return _written(b, _read(b, x, before), layout.after)
    line = b.reshape(x, (-1,))
    if isinstance(layout, ShapeAndStrides):
        b.check(layout.shape)
        return _from_memory(b, line, layout.offsets())
    b.check(layout.sizes())
    return b.reshape(_from_memory(b, line, layout.of(np.arange(line.sizes[0]))), x.sizes)


def _from_memory(b: Builder, line: Tensor, offsets: Any) -> Tensor:
    last = int(offsets.max())
    if last >= line.sizes[0]:
        message = _("The layout needs {count} elements of memory; the tensor has {there}.")
        raise CodeRefused(
            "sizes", message.format(count=f"{last + 1:,}", there=f"{line.sizes[0]:,}")
        )
    return b.gather(line, 0, control(offsets))


def _rank(name: str, rank: str, there: int) -> CodeRefused:
    message = _("{name} is a layout of tensors with {rank} dimensions, not {there}.")
    return CodeRefused("sizes", message.format(name=short_text(name), rank=rank, there=there))


def _read(b: Builder, x: Tensor, order: Order) -> Tensor:
    """The tensor that memory has in an order, without its blocks."""
    memory = order.parts()
    for d, (letter, size) in enumerate(order.inner, len(order.outer)):
        if x.sizes[d] != size:
            message = _("Dimension {d} has size {size}; blocks of {letter} have {due}.")
            raise CodeRefused(
                "sizes", message.format(d=d, size=x.sizes[d], letter=letter, due=size)
            )
    sizes = dict.fromkeys(order.letters, 1)
    for (letter, _k), size in zip(memory, x.sizes, strict=True):
        sizes[letter] *= size
    x = b.transpose(x, [memory.index(part) for part in order.parts_of_axes()])
    return b.reshape(x, list(sizes.values()))


def _written(b: Builder, x: Tensor, order: Order) -> Tensor:
    """A tensor as memory has it in an order: zeros fill up its last blocks."""
    blocks = {letter: order.block(letter) for letter in order.letters}
    after = [-n % block for n, block in zip(x.sizes, blocks.values(), strict=True)]
    x = b.pad(x, [0] * x.rank, after)
    memory, axes = order.parts(), order.parts_of_axes()
    sizes = {(a, 0): n // blocks[a] for a, n in zip(order.letters, x.sizes, strict=True)}
    inner = zip(memory[len(order.outer) :], order.inner, strict=True)
    sizes |= {part: size for part, (_letter, size) in inner}
    x = b.reshape(x, [sizes[part] for part in axes])
    return b.transpose(x, [axes.index(part) for part in memory])


LAYOUTS = Library(
    "layout",
    "oneDNN, CuTe",
    names={LAYOUT_CALL: "dmlviz.layouts.laid_out"},
    modules={"dmlviz.layouts": "dmlviz.layouts"},
    functions={"dmlviz.layouts.laid_out": _laid_out},
    has_dialect=False,
)
