"""How people misread strides."""

from __future__ import annotations

from collections.abc import Iterator

from dmlviz.operators.misreadings import Array, Candidate
from dmlviz.operators.slots import BufferDesc, packed_strides
from dmlviz.operators.strided.view import Sizes, offsets
from dmlviz.tensors import print_sizes
from dmlviz.words import _

_BYTES = 4
"""The bytes of one element, which people may use to count."""


def misread_strided(told: BufferDesc, x: Array) -> Iterator[Candidate]:
    """Wrong outputs of a tensor with strides.

    Args:
        told: the tensor.
        x: memory, numbered.
    """
    for key, words, sizes, strides in (*_orders(told), *_distances(told)):
        if BufferDesc(sizes, strides).least <= x.size:
            yield key, words, x[offsets(BufferDesc(sizes, strides))]
    found = offsets(told)
    words = _("That counts from the end of memory: the first element of the output is in[0].")
    yield "from-the-end", words, x[x.size - 1 - found]
    words = _("That takes a step first: the first element of the output is in[0].")
    step = min((s for n, s in zip(told.sizes, told.strides, strict=True) if n > 1 and s), default=1)
    if told.least + step <= x.size:
        yield "shifted", words, x[found + step]
    words = _("That keeps memory as it is: Sizes are {sizes}.")
    yield "memory", words.format(sizes=print_sizes(told.sizes)), x
    words = _("That cuts rows of {n} that do not overlap: the next one begins {stride} farther on.")
    if len(told.sizes) > 1 and told.strides[-1] == 1 and told.strides[-2] < told.sizes[-1]:
        n = told.sizes[-1]
        whole = x[: x.size // n * n].reshape(-1, n)
        yield "apart", words.format(n=n, stride=told.strides[-2]), whole


Reading = tuple[str, str, Sizes, Sizes]


def _orders(told: BufferDesc) -> Iterator[Reading]:
    """Sizes or strides in another order."""
    sizes, strides = told.sizes, told.strides
    spelt = print_sizes(strides)
    words = _(
        "That only reshapes: elements stay in the order of memory. The strides are {strides}."
    )
    yield "reshape", words.format(strides=spelt), sizes, packed_strides(sizes)
    words = _("That takes the strides in the other order: {strides} begin with dimension 0.")
    yield "other-order", words.format(strides=spelt), sizes, strides[::-1]
    words = _(
        "That makes the first index the fastest: the strides, {strides}, say how far "
        "each index goes."
    )
    yield "first-fastest", words.format(strides=spelt), sizes, packed_strides(sizes[::-1])[::-1]
    words = _("That is the transpose of it: Sizes are {sizes}, in this order.")
    yield "transpose", words.format(sizes=print_sizes(sizes)), sizes[::-1], strides[::-1]
    words = _("That packs rows of {n}, the sizes in the other order: Sizes are {sizes}.")
    told_words = words.format(n=sizes[0], sizes=print_sizes(sizes))
    yield "other-sizes", told_words, sizes[::-1], packed_strides(sizes[::-1])


def _distances(told: BufferDesc) -> Iterator[Reading]:
    """Strides that count something else."""
    sizes, strides = told.sizes, told.strides
    longest = max(strides)
    words = _("That counts bytes, {size} to an element: stride {stride} is {stride} elements.")
    if longest and all(s % _BYTES == 0 for s in strides):
        bytes_ = tuple(s // _BYTES for s in strides)
        yield "bytes", words.format(size=_BYTES, stride=longest), sizes, bytes_
    words = _(
        "That reads the stride as the gap between two elements: stride {stride} goes "
        "from one to the next."
    )
    yield "between", words.format(stride=longest), sizes, tuple(s + 1 for s in strides)
    words = _("That moves on where the stride is 0: it should stay at the same element.")
    if 0 in strides:
        yield "zero", words, sizes, tuple(s or 1 for s in strides)
    words = _("That moves by one in every dimension: the strides are {strides}.")
    yield "one-by-one", words.format(strides=print_sizes(strides)), sizes, (1,) * len(sizes)
