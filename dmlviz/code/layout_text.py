"""The names that libraries give layouts in memory, read: ``nChw16c``, ``(8,4):(1,8)``.

Sources of the rules: oneDNN's format tags (a capital letter is an axis whose blocks follow at the
end, with their sizes), TVM's layouts (all outer axes are capital), the names of TensorRT and cuDNN
(``NC/32HW32``) and of MNN (``NC4HW4``), PyTorch's memory formats, and CuTe's layouts and swizzles.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from dmlviz.base.deferred import dataclass, regex
from dmlviz.tensors.types import Array, Sizes

LAYOUT_LIMIT = 200
"""The limit of characters of the name of a layout."""

BITS_LIMIT = 30
"""The limit of bits of an offset."""

PARTS_LIMIT = 32
"""The limit of numbers of a shape, and of blocks of an order."""

_FAMILIES = ("ncdhw", "goidhw", "chw", "abcdefgh")
"""Letters of axes in the order of dimensions: of activations, of weights, of an image, of any."""

_ORDER = regex(r"([A-Za-z]{1,8})((?:\d{1,9}[a-z]){0,8})")
_ONE_BLOCK = regex(r"([A-Za-z]{1,8}?)/?(\d{1,9})([A-Za-z]{0,8})(\d{1,9})")
_INNER = regex(r"(\d+)([a-z])")
_ARROW = regex(r"\s*(?:->|=>|→)\s*")
_LAST = regex(r"(?:torch\.)?channels_last(_3d)?")
_SWIZZLE = regex(r"(?:Sw|Swizzle)\s*<\s*(\d{1,2})\s*,\s*(\d{1,2})\s*,\s*(-?\d{1,2})\s*>")
_COMPOSED = regex(r"\s+o\s+(?:0\s+o\s+)?|\s*∘\s*(?:0\s*∘\s*)?")
_TOKEN = regex(r"\s*(?:(_?\d{1,10})|([(),:]))")


@dataclass(frozen=True)
class Order:
    """The axes of a tensor in the order in which memory has them, some of them in blocks.

    Attributes:
        letters: the axes in the order of the tensor's dimensions.
        outer: the axes in the order of memory.
        inner: the blocks that follow them, with the letter and the size of each.
    """

    letters: str
    outer: str
    inner: tuple[tuple[str, int], ...] = ()

    def block(self, letter: str) -> int:
        """How many places of an axis are together in its blocks."""
        return math.prod(size for axis, size in self.inner if axis == letter)

    def parts(self) -> list[tuple[str, int]]:
        """The parts of axes in the order of memory: letters, and 0 for what is not in blocks."""
        seen = Counter[str]()
        parts = [(letter, 0) for letter in self.outer]
        for letter, _size in self.inner:
            seen[letter] += 1
            parts.append((letter, seen[letter]))
        return parts

    def parts_of_axes(self) -> list[tuple[str, int]]:
        """The same, axis after axis."""
        return sorted(self.parts(), key=lambda part: (self.letters.index(part[0]), part[1]))


@dataclass(frozen=True)
class Reorder:
    """A tensor that is read in one order and written in another.

    Attributes:
        before, after: the orders, of the same letters.
    """

    before: Order
    after: Order

    def sizes(self) -> Sizes:
        """Sizes of a small tensor that shows it."""
        blocks = {letter: self._block(letter) for letter in self.before.letters}
        sizes = {x: 2 * n if n > 1 else 3 if x == "w" else 2 for x, n in blocks.items()}
        for letter in reversed(self.before.letters):
            if math.prod(sizes.values()) > 1_024 and blocks[letter] > 1:
                sizes[letter] = blocks[letter]
        outer = [sizes[x] // self.before.block(x) for x in self.before.outer]
        return (*outer, *(size for _letter, size in self.before.inner))

    def _block(self, letter: str) -> int:
        return math.lcm(self.before.block(letter), self.after.block(letter))


@dataclass(frozen=True)
class ChannelsLast:
    """Memory in which the second dimension is the last.

    Attributes:
        rank: of the tensor; None for any from 3.
    """

    rank: int | None = None

    def reorder(self, rank: int) -> Reorder:
        """It as an order of axes of a tensor with so many dimensions."""
        letters = _FAMILIES[-1][:rank]
        return Reorder(
            Order(letters, letters), Order(letters, letters[0] + letters[2:] + letters[1])
        )

    def sizes(self) -> Sizes:
        """Sizes of a small tensor that shows it."""
        return (2, 3, 2, 2, 2) if self.rank == 5 else (2, 3, 2, 4)


@dataclass(frozen=True)
class Swizzle:
    """CuTe's exclusive or of bits of an offset with higher ones: ``Swizzle<3,4,3>``.

    Attributes:
        bits: how many.
        base: the lowest bit that changes.
        shift: how far the other bits are above; below, where it is negative.
    """

    bits: int
    base: int
    shift: int

    def of(self, offsets: Array) -> Array:
        """Offsets, swizzled; INT64."""
        mask = ((1 << self.bits) - 1) << self.base + max(0, self.shift)
        chosen = offsets & mask
        moved = chosen >> self.shift if self.shift > 0 else chosen << -self.shift
        return np.asarray(offsets ^ moved)

    def sizes(self) -> Sizes:
        """Sizes of a small tensor that shows it."""
        return (1 << self.bits + self.base + abs(self.shift),)

    def __str__(self) -> str:
        return f"Swizzle<{self.bits},{self.base},{self.shift}>"


@dataclass(frozen=True)
class ShapeAndStrides:
    """CuTe's layout: where in memory each element is, in the order of its coordinates.

    The first number of a mode in parentheses moves fastest.

    Attributes:
        modes: for each dimension, the pairs of a size and a stride in elements.
        swizzle: of the offsets; None for none.
    """

    modes: tuple[tuple[tuple[int, int], ...], ...]
    swizzle: Swizzle | None = None

    @property
    def shape(self) -> Sizes:
        """The sizes of the result."""
        return tuple(math.prod(size for size, _stride in mode) for mode in self.modes)

    def offsets(self) -> Array:
        """For each element its place in memory; INT64 of the shape."""
        rank = len(self.modes)
        total = np.zeros((1,) * rank, np.int64)
        for d, mode in enumerate(self.modes):
            line = np.zeros(1, np.int64)
            for size, stride in mode:
                line = (np.arange(size)[:, None] * stride + line).ravel()
            total = total + line.reshape([-1 if e == d else 1 for e in range(rank)])
        return total if self.swizzle is None else self.swizzle.of(total)

    def sizes(self) -> Sizes:
        """Sizes of the smallest memory that has all elements."""
        last = sum((size - 1) * stride for mode in self.modes for size, stride in mode)
        whole = 1 if self.swizzle is None else self.swizzle.sizes()[0]
        return (-(-(last + 1) // whole) * whole,)


Layout = Reorder | ChannelsLast | ShapeAndStrides | Swizzle


def layout_of(text: str) -> Layout | None:
    """The layout that a text names; None if it names none.

    >>> layout_of("nChw16c").after
    Order(letters='nchw', outer='nchw', inner=(('c', 16),))
    >>> layout_of("OIHW->HWIO").after.outer, layout_of("x.T")
    ('hwio', None)
    """
    text = text.strip()
    if not text or len(text) > LAYOUT_LIMIT or "\n" in text:
        return None
    if (last := _LAST.fullmatch(text)) is not None:
        return ChannelsLast(5 if last[1] else None)
    head, *rest = _COMPOSED.split(text)
    swizzle = _swizzle(head)
    if swizzle is not None and len(rest) < 2:
        return _strided(rest[0], swizzle) if rest else swizzle
    return _reorder(text) if ":" not in text else _strided(text)


# ---- orders of axes


def _reorder(text: str) -> Reorder | None:
    sides = [_order(side) for side in _ARROW.split(text)]
    if len(sides) > 2 or None in sides:
        return None
    after = sides[-1]
    assert after is not None
    letters = _dimensions(after.outer)
    before = sides[0] if len(sides) > 1 else Order(letters, letters)
    assert before is not None
    if sorted(before.outer) != sorted(after.outer) or len(letters) < 2:
        return None
    if len(sides) == 1 and not after.inner and (len(letters) < 3 or not _is_usual(letters)):
        # a word, not an order
        return None
    letters = before.outer if len(sides) > 1 else letters
    return Reorder(
        Order(letters, before.outer, before.inner), Order(letters, after.outer, after.inner)
    )


def _order(text: str) -> Order | None:
    """The order that one name says; its letters are not decided yet."""
    match = _ORDER.fullmatch(text)
    if match is not None:
        outer = match[1]
        inner = tuple((letter, int(size)) for size, letter in _INNER.findall(match[2]))
    elif (match := _ONE_BLOCK.fullmatch(text)) is not None and match[2] == match[4]:
        # NC/32HW32: the axis before the number is the one in blocks
        outer = match[1] + match[3]
        inner = ((match[1][-1].lower(), int(match[2])),)
    else:
        return None
    blocked = {letter for letter, _size in inner}
    mixed = outer not in (outer.upper(), outer.lower())
    capitals = {letter.lower() for letter in outer if letter.isupper()}
    if (
        len({*outer.lower()}) < len(outer)
        or not blocked <= {*outer.lower()}
        or any(not 1 < size < 1 << BITS_LIMIT for _letter, size in inner)
        or (mixed and capitals != blocked)
        or (blocked and outer.islower())
    ):
        return None
    return Order("", outer.lower(), inner)


def _dimensions(outer: str) -> str:
    """The letters of an order as a tensor has its dimensions."""
    for family in _FAMILIES:
        if {*outer} <= {*family} and _is_usual(ordered := "".join(sorted(outer, key=family.index))):
            return ordered
    return outer


def _is_usual(letters: str) -> bool:
    """Whether letters are the dimensions of a tensor as the libraries have them."""
    first = _FAMILIES[-1][: len(letters)]
    if letters == first:
        return True
    usual = {head + tail for head in ("nc", "oi", "goi") for tail in ("", "w", "hw", "dhw")}
    return letters in usual | {"chw"}


# ---- shapes and strides


def _swizzle(text: str) -> Swizzle | None:
    match = _SWIZZLE.fullmatch(text)
    if match is None:
        return None
    bits, base, shift = map(int, match.groups())
    if not 1 <= bits <= abs(shift) or bits + base + abs(shift) > BITS_LIMIT:
        return None
    return Swizzle(bits, base, shift)


def _strided(text: str, swizzle: Swizzle | None = None) -> ShapeAndStrides | None:
    tokens = _tokens(text)
    if tokens.count(":") != 1:
        return None
    at = tokens.index(":")
    shape, strides = _tree(tokens[:at]), _tree(tokens[at + 1 :])
    if shape is None or strides is None:
        return None
    modes = tuple(shape) if isinstance(shape, tuple) else (shape,)
    steps = tuple(strides) if isinstance(strides, tuple) else (strides,)
    if len(modes) != len(steps) or isinstance(shape, int) is not isinstance(strides, int):
        return None
    pairs = [_pairs(mode, step) for mode, step in zip(modes, steps, strict=True)]
    if None in pairs:
        return None
    every = tuple(tuple(one) for one in pairs if one is not None)
    most = sum((size - 1) * stride for mode in every for size, stride in mode)
    if most >= 1 << BITS_LIMIT or any(size < 1 for mode in every for size, _stride in mode):
        return None
    return ShapeAndStrides(every, swizzle)


Tree = int | tuple["Tree", ...]
"""A whole number, or several in parentheses."""


def _tokens(text: str) -> list[str]:
    tokens, at = list[str](), 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or len(tokens) > 4 * PARTS_LIMIT:
            return []
        tokens.append((match[1] or match[2]).lstrip("_"))
        at = match.end()
    return tokens


def _tree(tokens: Sequence[str]) -> Tree | None:
    """The number, or the numbers in parentheses, that tokens are; None if they are neither."""
    open_ones: list[list[Tree]] = [[]]
    due = True
    for part in tokens:
        if part == "(" and due and len(open_ones) < PARTS_LIMIT:
            open_ones.append([])
        elif part.isdigit() and due:
            open_ones[-1].append(int(part))
            due = False
        elif part == "," and not due and len(open_ones) > 1:
            due = True
        elif part == ")" and not due and len(open_ones) > 1:
            closed = tuple(open_ones.pop())
            open_ones[-1].append(closed)
        else:
            return None
    whole = open_ones[0]
    return whole[0] if len(open_ones) == 1 and len(whole) == 1 and not due else None


def _pairs(size: Tree, stride: Tree) -> list[tuple[int, int]] | None:
    """The sizes and strides of one dimension, the one that moves fastest first."""
    if isinstance(size, int) and isinstance(stride, int):
        return [(size, stride)]
    if isinstance(size, int) or isinstance(stride, int) or len(size) != len(stride):
        return None
    pairs: list[tuple[int, int]] = []
    for one, step in zip(size, stride, strict=True):
        part = _pairs(one, step)
        if part is None:
            return None
        pairs += part
    return pairs if len(pairs) <= PARTS_LIMIT else None


# ---- the names of a movement


def layout_names(sizes: Sizes, source: Array) -> Iterator[str]:
    """Names of layouts that a movement could be: a proposal, of which all elements are compared.

    Args:
        sizes: of the tensor.
        source: for each element of the result its number in the tensor; negative for a constant.
    """
    if source.shape == sizes and not np.array_equal(source.ravel(), np.arange(source.size)):
        yield from _swizzle_names(source.ravel())
    if 3 <= len(sizes) == source.ndim:
        last = ChannelsLast().reorder(len(sizes))
        order = [last.before.outer.index(letter) for letter in last.after.outer]
        if source.shape == tuple(sizes[d] for d in order) and len(sizes) in (4, 5):
            yield "channels_last" if len(sizes) == 4 else "channels_last_3d"
    if len(sizes) >= 2 and source.ndim > len(sizes):
        yield from _order_names(sizes, source)


def _swizzle_names(line: Array) -> Iterator[str]:
    """The swizzle whose bits the sources of the powers of 2 show."""
    count = line.size
    if count & (count - 1) or count < 4 or (line < 0).any():
        return
    powers = 1 << np.arange(count.bit_length() - 1)
    changed = {int(bit): int(line[p] ^ p) for bit, p in enumerate(powers) if line[p] != p}
    if not changed or any(flip & (flip - 1) for flip in changed.values()):
        return
    first = min(changed)
    low = changed[first].bit_length() - 1
    shift = first - low
    yield str(Swizzle(len(changed), min(flip.bit_length() - 1 for flip in changed.values()), shift))


def _order_names(sizes: Sizes, source: Array) -> Iterator[str]:
    """The order of blocks that the steps of a movement's dimensions show."""
    rank, count = len(sizes), source.ndim
    strides = [math.prod(sizes[d + 1 :]) for d in range(rank)]
    parts = [_part(source, d, sizes, strides) for d in range(count)]
    unused = [a for a in range(rank) if a not in {one[0] for one in parts[:rank] if one}]
    outer: list[int] = []
    for part in parts[:rank]:
        if part is None:
            if not unused:
                return
            outer.append(unused.pop(0))
        else:
            outer.append(part[0])
    if sorted(outer) != [*range(rank)] or None in parts[rank:]:
        return
    inner = [(one[0], source.shape[rank + k]) for k, one in enumerate(parts[rank:]) if one]
    blocked = {axis for axis, _size in inner}
    letters = _letters(rank, blocked)
    heads = "".join(letters[a].upper() if a in blocked else letters[a] for a in outer)
    yield heads + "".join(f"{size}{letters[axis]}" for axis, size in inner)


def _part(source: Array, d: int, sizes: Sizes, strides: Sequence[int]) -> tuple[int, int] | None:
    """The axis, and how many of its places a step along a dimension goes; None for no step."""
    if source.shape[d] < 2:
        return None
    first = source.flat[0]
    step = int(source[tuple(1 if e == d else 0 for e in range(source.ndim))] - first)
    for axis, stride in enumerate(strides):
        if step >= stride and step % stride == 0 and step // stride < sizes[axis]:
            return axis, step // stride
    return None


def _letters(rank: int, blocked: set[int]) -> str:
    """Letters of dimensions: of weights where the first is in blocks, else of activations."""
    tails = {2: "", 3: "w", 4: "hw", 5: "dhw"}
    if rank in tails:
        return ("oi" if 0 in blocked else "nc") + tails[rank]
    return _FAMILIES[-1][:rank]
