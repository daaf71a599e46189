"""Calls as values, and their text in a library: what a recognized movement is written with."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

import einops
import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.code.libraries import table_of
from dmlviz.tensors.types import Array, Sizes

Group = tuple[str, ...]
Slice = tuple[int, int, int]
"""The first index, the number after the last one in the direction of the step, and the step."""


@dataclass(frozen=True)
class Slicing:
    """Slices of all dimensions; None leaves one as it is."""

    slices: tuple[Slice | None, ...]


@dataclass(frozen=True)
class Reshape:
    """Other sizes; with ``order`` F, the first index runs fastest."""

    sizes: Sizes
    order: str = "C"


@dataclass(frozen=True)
class Pattern:
    """einops' ``rearrange``, or ``repeat`` if there are new axes.

    Attributes:
        left, right: for each dimension, the names of its axes.
        lengths: of axes that do not follow from the sizes, new ones included.
        new: the names of new axes.
    """

    left: tuple[Group, ...]
    right: tuple[Group, ...]
    lengths: tuple[tuple[str, int], ...] = ()
    new: Group = ()


@dataclass(frozen=True)
class Flip:
    """Dimensions in reverse."""

    axes: tuple[int, ...]


@dataclass(frozen=True)
class Roll:
    """Elements moved by ``shift`` along an axis; along all of them, in row-major order, if None."""

    shift: int
    axis: int | None


@dataclass(frozen=True)
class Pad:
    """More elements before and after, by a mode of NumPy's ``pad``; values for ``constant``."""

    widths: tuple[tuple[int, int], ...]
    mode: str = "constant"
    values: tuple[tuple[Any, Any], ...] = ()


@dataclass(frozen=True)
class Repeat:
    """Each element of an axis several times."""

    count: int
    axis: int


@dataclass(frozen=True)
class Copies:
    """The tensor several times along each dimension."""

    counts: tuple[int, ...]


@dataclass(frozen=True)
class Take:
    """Places of an axis, by a table."""

    places: tuple[int, ...]
    axis: int


@dataclass(frozen=True)
class Insert:
    """A constant before places of an axis."""

    places: tuple[int, ...]
    value: Any
    axis: int


@dataclass(frozen=True)
class Triangle:
    """``tril`` or ``triu``: 0 above or below a diagonal."""

    name: str
    diagonal: int


@dataclass(frozen=True)
class Diagonal:
    """The diagonal of two axes, which becomes the last one."""

    offset: int
    axes: tuple[int, int]


@dataclass(frozen=True)
class Xor:
    """Places of an axis whose bits are those of their numbers, some of them inverted by others.

    Attributes:
        size: of the axis, a power of 2.
        constant: the bits that are always inverted.
        terms: divisor, modulus and factor: the place n is inverted by ``n // divisor % modulus *
            factor``.
        axis: the axis.
    """

    size: int
    constant: int
    terms: tuple[tuple[int, int, int], ...]
    axis: int

    def places(self) -> Array:
        """The place that each one copies; int64."""
        every = np.arange(self.size)
        made = every ^ self.constant
        for divisor, modulus, factor in self.terms:
            made = made ^ (every // divisor % modulus * factor)
        return made

    def text(self, module: str) -> str:
        """The places as an expression, with the function ``arange`` of a module."""
        every = f"{module}.arange({self.size})"
        parts = [every]
        for divisor, modulus, factor in self.terms:
            part = f"{every} // {divisor}" if divisor > 1 else every
            part += f" % {modulus}" if modulus * divisor < self.size else ""
            parts.append(part + (f" * {factor}" if factor > 1 else ""))
        return " ^ ".join([*parts, *([str(self.constant)] if self.constant else [])])


@dataclass(frozen=True)
class JoinedPart:
    """What is joined: calls on one of the tensors.

    Attributes:
        tensor: its number, from 0.
        sizes: its sizes.
        calls: what is done to it.
    """

    tensor: int
    sizes: Sizes
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Concatenation:
    """Parts one after another along an axis; the first of all calls."""

    parts: tuple[JoinedPart, ...]
    axis: int


Call = (
    Slicing
    | Reshape
    | Pattern
    | Flip
    | Roll
    | Pad
    | Repeat
    | Copies
    | Take
    | Insert
    | Triangle
    | Diagonal
    | Xor
    | Concatenation
)


Calls = list[Call]
"""First to last."""


@dataclass(frozen=True)
class NumberStyle:
    """How numbers are written for which there are several ways; only some hold for other sizes.

    Attributes:
        ends: where the places of slices are counted from: ``first`` element, ``last`` one, or the
            ``near`` one of them.
        left_open: the dimension whose size a reshape leaves open, as -1; None for none.
        inferred: the axis of a pattern's dimension whose length einops infers from the others.
    """

    ends: str = "first"
    left_open: int | None = None
    inferred: str = "first"


def number_styles(calls: Calls) -> Iterator[NumberStyle]:
    """The ways to write calls, the plainest first."""
    ranks = [len(call.sizes) for call in calls if isinstance(call, Reshape)]
    slices = any(isinstance(call, Slicing) for call in calls)
    groups = [group for call in calls if isinstance(call, Pattern) for group in call.left]
    divides = any(len(group) > 1 for group in groups)
    for parts in itertools.product(
        ("first", "last") if divides else ("first",),
        (None, *range(max(ranks, default=0))),
        ("first", "near", "last") if slices else ("first",),
    ):
        inferred, left_open, ends = parts
        yield NumberStyle(ends, left_open, inferred)


@dataclass(frozen=True)
class CodeLine:
    """A line of code on a tensor.

    Attributes:
        text: the code.
        calls: how many calls and subscripts it has.
    """

    text: str
    calls: int


LINE_LIBRARIES = ("numpy", "torch")
"""The libraries in which lines are written, whatever the code's is."""


def line_libraries(library: str) -> tuple[str, ...]:
    """That of the code, if lines are written in it, and then the others.

    >>> line_libraries("numpy"), line_libraries("mlx"), line_libraries("onnx")
    (('numpy', 'torch'), ('mlx', 'numpy', 'torch'), ('numpy', 'torch'))
    """
    first = table_of(library).line_module and library not in LINE_LIBRARIES
    return (library, *LINE_LIBRARIES) if first else LINE_LIBRARIES


@dataclass(frozen=True)
class LineLimit:
    """What a line may have; a longer one is not looked at.

    Attributes:
        calls: and subscripts.
        characters: None for any number.
        libraries: in which it is written.
    """

    calls: int
    characters: int | None = None
    libraries: tuple[str, ...] = LINE_LIBRARIES

    def allows(self, line: CodeLine) -> bool:
        """Whether a line is short enough."""
        short = self.characters is None or len(line.text) <= self.characters
        return short and line.calls <= self.calls


@dataclass
class _CallsWriter:
    """The text of calls one after another, and the sizes that the tensor has then."""

    library: str
    sizes: Sizes
    text: str
    style: NumberStyle
    tensors: Sequence[str] = ()
    calls: int = 0
    torch: bool = field(init=False)
    module: str = field(init=False)

    def __post_init__(self) -> None:
        self.torch, self.module = self.library == "torch", table_of(self.library).line_module

    def method(self, text: str, sizes: Sequence[int]) -> None:
        self._set(f"{self.text}{text}", sizes)

    def function(self, name: str, arguments: str, sizes: Sequence[int]) -> None:
        self._set(f"{name}({self.text}, {arguments})", sizes)

    def _set(self, text: str, sizes: Sequence[int]) -> None:
        self.text, self.sizes, self.calls = text, tuple(sizes), self.calls + 1

    def write(self, call: Call) -> bool:
        """Add a call; False if the library has none such."""
        match call:
            case Slicing(slices):
                self._index(slices)
            case Reshape(sizes, order):
                if order != "C" and self.torch:
                    return False
                more = ", order='F'" if order != "C" else ""
                k = self.style.left_open
                written_sizes = sizes if k is None or k >= len(sizes) else put(sizes, k, -1)
                as_tuple = more or not written_sizes
                arguments = whole(written_sizes) if as_tuple else inner(written_sizes)
                self.method(f".reshape({arguments}{more})", sizes)
            case Pattern():
                self._pattern(call)
            case Flip(axes):
                self._flip(axes)
            case Roll(shift, axis):
                arguments = str(shift) if axis is None else f"{shift}, {self._axis(axis, 'dims')}"
                self.function(f"{self.module}.roll", arguments, self.sizes)
            case Pad():
                return self._pad(call)
            case Repeat(count, axis):
                sizes = put(self.sizes, axis, self.sizes[axis] * count)
                name = f"{self.module}.{'repeat_interleave' if self.torch else 'repeat'}"
                self.function(name, f"{count}, {self._axis(axis, 'dim')}", sizes)
            case Copies(counts):
                sizes = tuple(n * k for n, k in zip(self.sizes, counts, strict=True))
                self.function(f"{self.module}.tile", whole(counts), sizes)
            case Take(places, axis):
                self._take(places, axis)
            case Insert(places, value, axis):
                if self.torch:
                    return False
                at = str(places[0]) if len(places) == 1 else str(list(places))
                sizes = put(self.sizes, axis, self.sizes[axis] + len(places))
                self.function(f"{self.module}.insert", f"{at}, {value}, axis={axis}", sizes)
            case Triangle(name, diagonal):
                arguments = f"({self.text}, {diagonal})" if diagonal else f"({self.text})"
                self._set(f"{self.module}.{name}{arguments}", self.sizes)
            case Diagonal(offset, axes):
                self._diagonal(offset, axes)
            case Xor(axis=axis):
                table = call.text(self.module)
                self.method(f"[{', '.join([':'] * axis + [table])}]", self.sizes)
            case Concatenation(parts, axis):
                return self._join(parts, axis)
        return True

    def _join(self, parts: Sequence[JoinedPart], axis: int) -> bool:
        texts, along = [], 0
        for part in parts:
            name = self.tensors[part.tensor] if self.tensors else self.text
            one = _CallsWriter(self.library, part.sizes, name, self.style)
            if not all(map(one.write, plain(part.calls, part.sizes))):
                return False
            texts.append(one.text)
            along, self.sizes = along + one.sizes[axis], one.sizes
            self.calls += one.calls
        name = f"{self.module}.{'cat' if self.torch else 'concatenate'}"
        more = f", {self._axis(axis, 'dim')}" if axis else ""
        self._set(f"{name}([{', '.join(texts)}]{more})", put(self.sizes, axis, along))
        return True

    def _axis(self, axis: int, name: str) -> str:
        return f"{name}={axis}" if self.torch else f"axis={axis}"

    def _index(self, slices: Sequence[Slice | None]) -> None:
        sizes = list(self.sizes)
        backward = []
        for d, part in enumerate(slices):
            if part is not None:
                sizes[d] = len(range(*part))
                backward += [d] if part[2] < 0 else []
        if self.torch and backward:
            # PyTorch has no negative steps: the elements in order, then a flip
            turned = tuple(
                (part[0] + (sizes[d] - 1) * part[2], part[0] + 1, -part[2])
                if d in backward and part is not None
                else part
                for d, part in enumerate(slices)
            )
            self._index(turned)
            self._flip(tuple(backward))
            return
        pairs = zip(slices, self.sizes, strict=True)
        texts = [slice_text(part, n, self.style.ends) for part, n in pairs]
        texts = _without_last(texts)
        if texts:
            self.method(f"[{', '.join(texts)}]", sizes)

    def _flip(self, axes: Sequence[int]) -> None:
        if not axes:
            return
        if self.torch:
            self.method(f".flip({inner(axes)})", self.sizes)
            return
        texts = ["::-1" if d in axes else ":" for d in range(max(axes) + 1)]
        self.method(f"[{', '.join(texts)}]", self.sizes)

    def _pattern(self, call: Pattern) -> None:
        lengths, known = dict(call.lengths), {}
        for group, n in zip(call.left, self.sizes, strict=True):
            if len(group) == 1:
                known[group[0]] = n
        known |= lengths
        for group, n in zip(call.left, self.sizes, strict=True):
            for name in group:
                if name not in known:
                    rest = 1
                    for other in group:
                        rest *= known.get(other, 1)
                    known[name] = n // rest
        sizes = []
        for group in call.right:
            size = 1
            for name in group:
                size *= known[name]
            sizes.append(size)
        plain = all(len(group) == 1 for group in (*call.left, *call.right))
        if plain and not call.new and len(call.left) == len(call.right):
            order = [call.left.index(group) for group in call.right]
            if order == list(range(len(order))):
                return
            if order == list(range(len(order)))[::-1] and len(order) == 2:
                self.method(".T", sizes)
            else:
                name = "permute" if self.torch else "transpose"
                self.method(f".{name}({inner(order)})", sizes)
            return
        if call.right == (tuple(name for group in call.left for name in group),) and not call.new:
            self.method(".reshape(-1)", sizes)
            return
        ones = [group for group in call.right if group]
        if not call.new and ones == [group for group in call.left if group]:
            new = ["None" if not group else ":" for group in call.right]
            removed = [d for d, group in enumerate(call.left) if not group]
            if not removed:
                self.method(f"[{', '.join(_without_last(new))}]", sizes)
            elif len(removed) == 1 and all(call.right):
                self.method(f".squeeze({removed[0]})", sizes)
            else:
                self.method(f".reshape({inner(sizes)})", sizes)
            return
        inferred = {g[0 if self.style.inferred == "first" else -1] for g in call.left if g}
        written = [name for group in (*call.left, call.new) for name in group]
        arguments = "".join(
            f", {name}={known[name]}" for name in written if name not in inferred - {*call.new}
        )
        pattern = f"'{_side(call.left)} -> {_side(call.right)}'{arguments}"
        self.function("repeat" if call.new else "rearrange", pattern, sizes)

    def _pad(self, call: Pad) -> bool:
        pairs = zip(self.sizes, call.widths, strict=True)
        sizes = [n + before + after for n, (before, after) in pairs]
        values = {value for pair in call.values for value in pair if value is not None}
        if not self.torch:
            alike = len({*call.widths}) == 1
            arguments = str(_width(call.widths[0]) if alike else [*call.widths])
            if call.mode != "constant":
                arguments += f", mode='{call.mode}'"
            elif len(values) == 1:
                (value,) = values
                arguments += f", constant_values={value}" if value != 0 else ""
            else:
                each = [tuple(0 if v is None else v for v in pair) for pair in call.values]
                arguments += f", constant_values={each}"
            self.function(f"{self.module}.pad", arguments, sizes)
            return True
        if call.mode != "constant" or len(values) > 1:
            return False
        widths = list(call.widths)
        while widths and widths[0] == (0, 0):
            widths.pop(0)
        line = inner([n for pair in reversed(widths) for n in pair])
        (value,) = values or (0,)
        more = f", value={value}" if value != 0 else ""
        self.function("F.pad", f"({line}){more}", sizes)
        return True

    def _take(self, places: Sequence[int], axis: int) -> None:
        sizes = put(self.sizes, axis, len(places))
        text = f"[{', '.join([':'] * axis + [str(list(places))])}]"
        self.method(text, sizes)

    def _diagonal(self, offset: int, axes: tuple[int, int]) -> None:
        a, b = axes
        rest = [n for d, n in enumerate(self.sizes) if d not in axes]
        n = min(self.sizes[a] + min(offset, 0), self.sizes[b] - max(offset, 0))
        arguments = f"{offset}, {a}, {b}" if axes != (0, 1) else str(offset)
        self.method(
            f".diagonal({arguments})" if offset or axes != (0, 1) else ".diagonal()", [*rest, n]
        )


_PLAIN = NumberStyle()


def written(
    calls: Sequence[Call],
    sizes: Sizes,
    library: str,
    tensor: str = "x",
    style: NumberStyle = _PLAIN,
    tensors: Sequence[str] = (),
) -> CodeLine | None:
    """Calls as one line of a library; None if it does not have one of them.

    Args:
        calls: first to last.
        sizes: of the tensor.
        library: one whose lines have a module.
        tensor: its name.
        style: how its numbers are written.
        tensors: the names of several tensors that are joined.

    >>> written([Slicing((None, (2, -1, -1))), Roll(1, 0)], (4, 3), "numpy").text
    'np.roll(x[:, ::-1], 1, axis=0)'
    """
    writer = _CallsWriter(library, sizes, tensor, style, tensors)
    for call in calls:
        if not writer.write(call):
            return None
    return CodeLine(writer.text, writer.calls)


def plain(calls: Sequence[Call], sizes: Sizes) -> Calls:
    """The same calls with reshapes and orders of dimensions in place of a first pattern.

    Args:
        calls: first to last.
        sizes: of the tensor.
    """
    for k, call in enumerate(calls):
        if not isinstance(call, Slicing | Pattern):
            break
        if isinstance(call, Pattern) and not call.new:
            before = made(calls[:k], [np.empty(sizes, np.bool_)]).shape
            lengths = dict(call.lengths)
            factors: list[int] = []
            for group, n in zip(call.left, before, strict=True):
                known = [lengths.get(name, 0) for name in group]
                rest = n // int(np.prod([m for m in known if m]))
                factors += [m or rest for m in known]
            names = [name for group in call.left for name in group]
            order = [name for group in call.right for name in group]
            ordered = Pattern(tuple((one,) for one in names), tuple((one,) for one in order))
            after = made(calls[: k + 1], [np.empty(sizes, np.bool_)]).shape
            steps: Calls = [*calls[:k], Reshape(tuple(factors)), ordered, Reshape(after)]
            return [*_without_idle(steps, sizes), *calls[k + 1 :]]
    return [*calls]


def _without_idle(calls: Calls, sizes: Sizes) -> Calls:
    """The calls without reshapes to the sizes that there are."""
    kept: Calls = []
    tensor = np.empty(sizes, np.bool_)
    for call in calls:
        new = made([call], [tensor])
        if not isinstance(call, Reshape) or new.shape != tensor.shape:
            kept.append(call)
        tensor = new
    return kept


def made(calls: Sequence[Call], tensors: Sequence[Array]) -> Array:
    """What calls make of tensors, by NumPy.

    Args:
        calls: first to last; none of them adds constants.
        tensors: the one that they are called on, or those that the first call joins.

    >>> made([Flip((0,)), Reshape((3, 1))], [np.arange(3)]).tolist()
    [[2], [1], [0]]
    """
    x = tensors[0]
    for call in calls:
        match call:
            case Slicing(slices):
                x = x[tuple(slice(None) if one is None else _python_slice(one) for one in slices)]
            case Reshape(sizes, order):
                x = x.reshape(sizes, order="F" if order == "F" else "C")
            case Pattern(left, right, lengths, new):
                function = einops.repeat if new else einops.rearrange
                x = function(x, f"{_side(left)} -> {_side(right)}", **dict(lengths))
            case Flip(axes):
                x = np.flip(x, axes)
            case Roll(shift, axis):
                x = np.roll(x, shift, axis)
            case Pad(widths, mode):
                x = np.pad(x, widths, mode)  # type: ignore[call-overload]
            case Repeat(count, axis):
                x = np.repeat(x, count, axis)
            case Copies(counts):
                x = np.tile(x, counts)
            case Take(places, axis):
                x = np.take(x, places, axis)
            case Xor(axis=axis):
                x = np.take(x, call.places(), axis)
            case Diagonal(offset, (a, b)):
                x = np.diagonal(x, offset, a, b)
            case Concatenation(parts, axis):
                every = [made(part.calls, [tensors[part.tensor]]) for part in parts]
                x = np.concatenate(every, axis)
    return x


def _python_slice(part: Slice) -> slice:
    start, stop, step = part
    return slice(start, None if stop < 0 else stop, step)


def put(sizes: Sequence[int], d: int, n: int) -> Sizes:
    """The same sizes with another one in a dimension."""
    return (*sizes[:d], n, *sizes[d + 1 :])


def whole(numbers: Sequence[int]) -> str:
    """Numbers as a tuple."""
    return str(tuple(int(n) for n in numbers))


def inner(numbers: Sequence[int]) -> str:
    """Numbers one after another."""
    return ", ".join(str(int(n)) for n in numbers)


def _side(groups: Sequence[Group]) -> str:
    return " ".join(
        "1" if not group else group[0] if len(group) == 1 else f"({' '.join(group)})"
        for group in groups
    )


def slice_text(part: Slice | None, n: int, ends: str = "first") -> str:
    """A slice of a dimension of size ``n`` in a subscript.

    >>> slice_text((1, 4, 2), 4), slice_text((3, -1, -1), 4), slice_text((1, 3, 1), 4, "last")
    ('1::2', '::-1', '-3:-1')
    """
    if part is None:
        return ":"
    start, stop, step = part
    count = len(range(start, stop, step))
    after = start + count * step
    if step > 0:
        until = "" if after >= n else _place(after - step + 1, n, ends)
        return f"{_place(start, n, ends) if start else ''}:{until}" + (
            f":{step}" if step > 1 else ""
        )
    first = "" if start == n - 1 else _place(start, n, ends)
    return f"{first}:{_place(after, n, ends) if after >= 0 else ''}:{step}"


def _place(place: int, n: int, ends: str) -> str:
    from_last = ends == "last" or (ends == "near" and n - place < place)
    return str(place - n if from_last else place)


def _without_last(parts: Sequence[str]) -> list[str]:
    """The parts of a subscript without those at its end that take everything."""
    count = next((k for k in range(len(parts), 0, -1) if parts[k - 1] != ":"), 0)
    return [*parts[:count]]


def _width(widths: tuple[int, int]) -> int | tuple[int, int]:
    return widths[0] if widths[0] == widths[1] else widths
