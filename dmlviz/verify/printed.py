"""Results as libraries print them: ``array([[0, 2], [1, 3]])``, ``tensor([1.])``, ``[0 1]``,
``<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>``.

Only what is understood from its first character to its last is a result. What is shortened with
``...`` or holds text or complex numbers is none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

import numpy as np

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.words import _
from dmlviz.code.libraries import LIBRARIES
from dmlviz.tensors.types import Array, Sizes

LENGTH_LIMIT = 1 << 16
"""The limit of characters of a result."""

DEPTH_LIMIT = 16
"""The limit of brackets within each other."""

_MODULES = "|".join(name for of in LIBRARIES.values() if of.prints for name in of.names)
_TYPES = "|".join(dict.fromkeys(name for of in LIBRARIES.values() for name in of.prints))
_NAMES = rf"(?:(?:{_MODULES})\.)?(?:{_TYPES})\("
_TOKEN = regex(
    rf"(?P<space>\s+)|(?P<call>{_NAMES})|(?P<size>(?:torch\.)?Size\(|TensorShape\()"
    r"|(?P<open><tf\.(?:Tensor|Variable)\b[^:<>=\n]{0,60}:?)|(?P<numpy>numpy=)"
    r"|(?P<scalar>(?:np|numpy)\.(?:u?int|float|bool)\w{0,3}\()"
    r"|(?P<number>[+-]?(?:\d[\d_]{0,30}\.?\d{0,30}|\.\d{1,30})(?:[eE][+-]?\d{1,3})?(?![\w.])"
    r"|[+-]?(?:nan|inf)\b|True\b|False\b)"
    r"|(?P<option>[a-z_]{1,20}=(?:<[^<>\n]{0,80}>|\((?:[^()]{0,80})\)|'[^'\n]{0,40}'|[\w.]{1,40}))"
    r"|(?P<sign>[\[\](),>])"
)
_BEFORE = regex(
    r"(?:(?:=>|-+>|>>>|==?|Out\[\d{1,4}\]:|(?:[Oo]utput|[Oo]ut|[Rr]esult|[Rr]eturns|[Pp]rints|"
    r"[Gg]ives)\b:?|(?P<sizes>(?:torch\.)?(?:[Ss]hape|[Ss]ize|[Ss]izes)\b[ ]?(?:is|=|:)?)(?!\())"
    r"\s{0,9})+"
)


@dataclass(frozen=True)
class PrintedToken:
    """A printed number, and where it stands.

    Attributes:
        text: as it is printed.
        line: of the page, from 1.
        column: of its first character, from 0.
    """

    text: str
    line: int
    column: int

    @property
    def is_truth(self) -> bool:
        """Whether it is True or False."""
        return self.text in ("True", "False")

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole number without a point."""
        return self.text.lstrip("+-").replace("_", "").isdigit()

    @property
    def value(self) -> float | int:
        """Its value."""
        if self.is_truth:
            return int(self.text == "True")
        return int(self.text) if self.is_whole else float(self.text)

    def like(self, value: np.generic) -> str:
        """Another value as this one is printed, with as many digits."""
        if np.issubdtype(value.dtype, np.integer):
            return str(value)
        mantissa, e, _exponent = self.text.lower().partition("e")
        digits = len(mantissa.partition(".")[2])
        if e:
            return f"{value:.{digits}e}"
        return f"{value:.{digits}f}" + ("." if self.text.endswith(".") else "")

    @property
    def half_unit(self) -> float:
        """How far the number that was printed may be from the printed one, rounding included.

        A number that ends with its point had nothing but zeros behind it.
        """
        mantissa, _e, exponent = self.text.lower().partition("e")
        if self.is_truth or self.is_whole or not math.isfinite(self.value):
            return 0.0
        digits = len(mantissa.partition(".")[2])
        # PyTorch prints four digits, and drops them where they are all zero
        unit = 10.0 ** (int(exponent or 0) - (digits or 4))
        return 0.5001 * unit + 1e-7 * abs(self.value)


@dataclass(frozen=True)
class PrintedTensor:
    """One tensor of a result.

    Attributes:
        sizes: of the brackets.
        tokens: its numbers, flat.
        named: whether it says ``array`` or ``tensor``, so that it can be nothing else.
        line: where it begins.
    """

    sizes: Sizes
    tokens: tuple[PrintedToken, ...]
    named: bool
    line: int

    @property
    def array(self) -> Array:
        """Its values as printed."""
        values = np.array([token.value for token in self.tokens])
        truth = all(token.is_truth for token in self.tokens)
        return (values.astype(bool) if truth else values).reshape(self.sizes)


@dataclass(frozen=True)
class PrintedValue:
    """A result.

    Attributes:
        tensors: one, or those of a tuple or a list.
        sizes: of ``torch.Size([2, 3])``, and of a tuple of whole numbers, which may be sizes; None
            if it is neither.
        is_sizes: whether it can only be sizes.
        each: of a tuple of such, the sizes of each.
    """

    tensors: tuple[PrintedTensor, ...]
    sizes: Sizes | None = None
    is_sizes: bool = False
    each: tuple[Sizes, ...] = ()


class Unprintable(Exception):
    """A text that is no whole result; the sentence says why."""


@dataclass(frozen=True)
class PrintedRow:
    """A line of a page, or the rest of it.

    Attributes:
        line: of the page, from 1.
        column: of its first character, from 0.
        text: it.
    """

    line: int
    column: int
    text: str


def read_printed(rows: Sequence[PrintedRow], *, marked: bool = False) -> PrintedValue:
    """A result.

    Args:
        rows: of its text.
        marked: whether a word such as "Output:" or "shape:" may stand before it.

    Raises:
        Unprintable: it is none, or not a whole one.

    >>> rows = [PrintedRow(1, 0, "array([[1, 2],"), PrintedRow(2, 0, "       [3, 4]])")]
    >>> read_printed(rows).tensors[0].sizes
    (2, 2)
    >>> read_printed([PrintedRow(7, 0, "# shape: (2, 3)"[2:])], marked=True).sizes
    (2, 3)
    """
    if sum(len(row.text) + 1 for row in rows) > LENGTH_LIMIT:
        raise Unprintable(_("Its result is too long."))
    before = _BEFORE.match(rows[0].text) if marked and rows else None
    if before:
        first = rows[0]
        rest = PrintedRow(first.line, first.column + before.end(), first.text[before.end() :])
        rows = [rest, *rows[1:]]
    reader = _Reader(list(_tokens(rows)))
    printed = reader.whole()
    if before and before["sizes"]:
        if printed.sizes is None:
            raise Unprintable(_("Its result is not an array."))
        return PrintedValue((), printed.sizes, is_sizes=True)
    return printed


def _tokens(rows: Sequence[PrintedRow]) -> Iterator[tuple[str, PrintedToken]]:
    """The parts of a result: their kinds, and where they stand."""
    for row in rows:
        at = 0
        while at < len(row.text):
            match = _TOKEN.match(row.text, at)
            if match is None:
                if row.text.startswith("...", at):
                    raise Unprintable(_("Its result is shortened with ... ."))
                raise Unprintable(_("Its result is not an array."))
            kind = str(match.lastgroup)
            if kind != "space":
                yield kind, PrintedToken(match[0], row.line, row.column + at)
            at = match.end()


class _Reader:
    """The parts of a result, read once from the first to the last."""

    def __init__(self, parts: list[tuple[str, PrintedToken]]) -> None:
        self.parts, self.at = parts, 0

    def whole(self) -> PrintedValue:
        printed = self._value(0)
        if self.at < len(self.parts):
            # print of several: not ours
            raise Unprintable(_("Its result is not an array."))
        return printed

    def _peek(self) -> tuple[str, str]:
        if self.at < len(self.parts):
            kind, token = self.parts[self.at]
            return kind, token.text
        return "", ""

    def _take(self, text: str = "") -> PrintedToken:
        if self.at >= len(self.parts) or (text and self.parts[self.at][1].text != text):
            raise Unprintable(_("Its result is not an array."))
        self.at += 1
        return self.parts[self.at - 1][1]

    def _value(self, depth: int) -> PrintedValue:
        if depth > DEPTH_LIMIT:
            raise Unprintable(_("Its result is not an array."))
        kind, text = self._peek()
        if kind == "call":
            line = self._take().line
            inner = self._tensor(0)
            self._options()
            return PrintedValue((PrintedTensor(inner.sizes, inner.tokens, True, line),))
        if kind == "open":
            return self._of_tensorflow()
        if kind == "size":
            self._take()
            inner = self._tensor(0)
            self._take(")")
            return PrintedValue((), _as_sizes(inner), is_sizes=True)
        if kind == "scalar":
            self._take()
            inner = self._tensor(0)
            self._take(")")
            return PrintedValue((inner,))
        if text == "(":
            return self._tuple(depth)
        if text == "[" and self._holds_calls():
            return self._several("[", "]", depth)
        return PrintedValue((self._tensor(0),))

    def _of_tensorflow(self) -> PrintedValue:
        """``<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>``"""
        line, shape = self._take().line, ""
        while self._peek()[0] != "numpy":
            token = self._take("," if self._peek()[1] == "," else "")
            shape = token.text.removeprefix("shape=") if "shape=" in token.text else shape
        self._take()
        (inner,) = self._value(1).tensors or (None,)
        self._take(">")
        if inner is None:
            raise Unprintable(_("Its result is not an array."))
        sizes = tuple(int(n) for n in re.findall(r"\d+", shape))
        if shape and sizes != inner.sizes:
            raise Unprintable(_("Its shape is not that of its values."))
        return PrintedValue((PrintedTensor(inner.sizes, inner.tokens, True, line),))

    def _holds_calls(self) -> bool:
        """Whether the first thing in the brackets is a tensor by its name, or a tuple."""
        following = self.parts[self.at + 1 : self.at + 2]
        return bool(following) and (
            following[0][0] in ("call", "scalar", "open") or following[0][1].text == "("
        )

    def _tuple(self, depth: int) -> PrintedValue:
        start = self.at
        printed = self._several("(", ")", depth)
        parts = [token for kind, token in self.parts[start : self.at] if kind == "number"]
        flat = len(parts) == len(printed.tensors) and not any(t.sizes for t in printed.tensors)
        flat = flat and not printed.each
        if flat and all(token.is_whole for token in parts):
            sizes = tuple(int(token.value) for token in parts)
            return PrintedValue(printed.tensors, sizes)
        return printed

    def _several(self, opening: str, closing: str, depth: int) -> PrintedValue:
        self._take(opening)
        tensors: list[PrintedTensor] = []
        each: list[Sizes | None] = []
        while self._peek()[1] != closing:
            value = self._value(depth + 1)
            tensors += value.tensors
            each.append(value.sizes)
            if self._peek()[1] == ",":
                self._take()
            elif self._peek()[1] != closing:
                raise Unprintable(_("Its result is not an array."))
        self._take(closing)
        sizes = tuple(one for one in each if one is not None)
        return PrintedValue(tuple(tensors), each=sizes if len(sizes) == len(each) else ())

    def _options(self) -> None:
        """``, dtype=int32)``"""
        while self._peek()[1] == ",":
            self._take()
            if self._peek()[0] == "option":
                self._take()
        self._take(")")

    def _tensor(self, depth: int) -> PrintedTensor:
        """Nested brackets, or a number."""
        if depth > DEPTH_LIMIT:
            raise Unprintable(_("Its result is not an array."))
        if self._peek()[0] == "number":
            token = self._take()
            return PrintedTensor((), (token,), False, token.line)
        line = self._take("[").line
        parts: list[PrintedTensor] = []
        while self._peek()[1] != "]":
            parts.append(self._tensor(depth + 1))
            if self._peek()[1] == ",":
                self._take()
        self._take("]")
        inner = {part.sizes for part in parts}
        if len(inner) > 1:
            raise Unprintable(_("Its rows have different lengths."))
        tokens = tuple(token for part in parts for token in part.tokens)
        return PrintedTensor((len(parts), *(inner.pop() if inner else ())), tokens, False, line)


def _as_sizes(tensor: PrintedTensor) -> Sizes:
    if len(tensor.sizes) != 1 or not all(token.is_whole for token in tensor.tokens):
        raise Unprintable(_("Its result is not an array."))
    return tuple(int(token.value) for token in tensor.tokens)
