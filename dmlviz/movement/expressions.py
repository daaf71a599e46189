"""Index arithmetic as values: one definition to evaluate, print, and fill with numbers.

An operator describes where an output element comes from as one expression per input
dimension.  The same expression is used for ``explain`` and on the page, and the tests
compare it with the engines' results.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.tensors import print_value
from dmlviz.tensors.numbering import print_element

T = TypeVar("T")
Tables = Mapping[str, np.ndarray[Any, Any]]
NO_TABLES: Tables = MappingProxyType({})

_SYMBOLS = {"add": "+", "sub": "−", "mul": "·", "over": "/"}
_SYMBOLS |= {"mod": "mod", "div": "div", "same": "=="}
_BINDING = {"same": 0, "add": 1, "sub": 1, "mul": 2, "over": 2, "mod": 2, "div": 2}
_LOOSE = ("mod", "div")
_ROUNDED = {"floor": math.floor, "ceil": math.ceil}


@dataclass(frozen=True)
class Expr:
    """A whole-number expression over the indices of an output element.

    It can contain real numbers, which ``floor`` and ``ceil`` turn into whole numbers.

    Attributes:
        op: ``index``, ``const``, ``add``, ``sub``, ``mul``, ``div`` (floor), ``mod``, ``min``,
            ``max``, ``same`` (1 if two are equal, otherwise 0), ``look`` or ``below``; for real
            numbers ``real``, ``over`` (divided by), ``single`` (the nearest FLOAT), ``floor`` and
            ``ceil``.
        args: the dimension for ``index``, the number for ``const``; for ``real`` the number and
            its text; for ``look`` the name of a tensor and an expression for each of its
            dimensions; for ``below`` four expressions: the third if the first is less than the
            second, else the fourth; for ``single``, ``floor`` and ``ceil`` one expression; else
            two expressions.

    >>> h = index(2)
    >>> ((h - 1) % 6).show(["n", "c", "h", "w"])
    '(h − 1) mod 6'
    >>> ((h - 1) % 6).evaluate([0, 0, 9, 0])
    2
    """

    op: str
    args: tuple[Expr | float | str, ...]

    def __add__(self, other: Expr | int | np.float32) -> Expr:
        return _make("add", self, other)

    def __sub__(self, other: Expr | int | np.float32) -> Expr:
        return _make("sub", self, other)

    def __mul__(self, other: Expr | int) -> Expr:
        return _make("mul", self, other)

    def __radd__(self, other: int) -> Expr:
        return _make("add", const(other), self)

    def __rsub__(self, other: int) -> Expr:
        return _make("sub", const(other), self)

    def __rmul__(self, other: int) -> Expr:
        return _make("mul", const(other), self)

    def __mod__(self, other: Expr | int) -> Expr:
        return _make("mod", self, other)

    def __floordiv__(self, other: Expr | int) -> Expr:
        return _make("div", self, other)

    def __truediv__(self, other: Expr | int | np.float32) -> Expr:
        return _make("over", self, other)

    def evaluate(self, indices: Sequence[int], tables: Tables = NO_TABLES) -> Any:
        """The value for the output element at ``indices``; an int for a complete expression.

        Args:
            indices: of the output element.
            tables: the tensors to look up, by name.
        """
        if self.op == "const":
            return _number(self.args[0])
        if self.op == "index":
            return indices[_number(self.args[0])]
        if self.op == "look":
            name, *at = self.args
            table = tables[str(name)]
            place = (_expr(arg).evaluate(indices, tables) for arg in at)
            pairs = zip(place, table.shape, strict=True)
            return int(table[tuple(min(max(i, 0), n - 1) for i, n in pairs)])
        if self.op == "real":
            return self.args[0]
        if self.op in ("single", "floor", "ceil"):
            return _rounded(self.op, _expr(self.args[0]).evaluate(indices, tables))
        if self.op == "below":
            # the branch that is not chosen is not evaluated
            a, b = (_expr(arg).evaluate(indices, tables) for arg in self.args[:2])
            return _expr(self.args[2 if a < b else 3]).evaluate(indices, tables)
        a, b = (_expr(arg).evaluate(indices, tables) for arg in self.args)
        match self.op:
            case "add":
                return a + b
            case "sub":
                return a - b
            case "mul":
                return a * b
            case "over":
                return a / b
            case "div":
                return a // b
            case "mod":
                return a % b
            case "min":
                return min(a, b)
            case "same":
                return int(a == b)
            case _:
                return max(a, b)

    def on(self, indices: Sequence[Any], tables: Tables = NO_TABLES) -> Any:
        """The values for many output elements at once.

        Args:
            indices: for each dimension of the output, an array that can be broadcast.
            tables: the tensors to look up, by name.

        >>> (index(0) * 3 + index(1)).on(np.indices((2, 3), sparse=True)).tolist()
        [[0, 1, 2], [3, 4, 5]]
        """
        if self.op in ("const", "real"):
            return self.args[0]
        if self.op == "index":
            return indices[_number(self.args[0])]
        parts = [arg.on(indices, tables) for arg in self.args if isinstance(arg, Expr)]
        if self.op == "look":
            table = tables[str(self.args[0])]
            pairs = zip(parts, table.shape, strict=True)
            return table[tuple(np.clip(part, 0, n - 1) for part, n in pairs)]
        return _ON_ARRAYS[self.op](*parts)

    def settled(self, indices: Sequence[int], tables: Tables = NO_TABLES) -> Expr:
        """What is left to work out for one output element.

        That is the branch that holds; and numbers for what is looked up, except where a looked-up
        number is itself the whole expression: its place says which element chose.

        Args:
            indices: of the output element.
            tables: the tensors to look up, by name.

        >>> last = look("LengthsTensor", index(0)) - 1 - index(1)
        >>> row = below(index(1), look("LengthsTensor", index(0)), last, index(1))
        >>> row.settled([0, 1], {"LengthsTensor": np.array([3])}).show(["0", "1"])
        '3 − 1 − 1'
        """
        if self.op == "below":
            a, b = (_expr(arg).evaluate(indices, tables) for arg in self.args[:2])
            return _expr(self.args[2 if a < b else 3]).settled(indices, tables)
        if self.op == "look":
            return self
        parts = [
            arg.settled(indices, tables) if isinstance(arg, Expr) else arg for arg in self.args
        ]
        looked = [
            const(arg.evaluate(indices, tables))
            if isinstance(arg, Expr) and arg.op == "look"
            else arg
            for arg in parts
        ]
        return replace(self, args=tuple(looked))

    def tree(self) -> list[Any]:
        """The expression as nested lists: ``["mod", ["index", 2], ["const", 3]]``."""
        return [self.op, *(arg.tree() if isinstance(arg, Expr) else arg for arg in self.args)]

    @property
    def looks(self) -> list[Expr]:
        """Its parts that look up an element of a tensor, those within them first."""
        parts = [look for arg in self.args if isinstance(arg, Expr) for look in arg.looks]
        return [*parts, self] if self.op == "look" else parts

    @property
    def tensors(self) -> set[str]:
        """The names of the tensors to look up."""
        return {str(look.args[0]) for look in self.looks}

    @property
    def count(self) -> int:
        """How many numbers, indices and operations it has."""
        return 1 + sum(arg.count for arg in self.args if isinstance(arg, Expr))

    def renamed(self, tensors: Mapping[str, str]) -> Expr:
        """The same expression with other names for the tensors to look up."""
        args = [arg.renamed(tensors) if isinstance(arg, Expr) else arg for arg in self.args]
        if self.op == "look":
            args[0] = tensors.get(str(args[0]), args[0])
        return replace(self, args=tuple(args))

    def show(self, names: Sequence[str]) -> str:
        """The expression with each index written as in ``names``: a letter or a number."""
        return self._show(names, 0)

    def _show(self, names: Sequence[str], outer: int) -> str:
        if self.op == "const":
            number = str(self.args[0])
            return f"({number})" if outer > 1 and number.startswith("-") else number
        if self.op == "index":
            return names[_number(self.args[0])]
        if self.op == "look":
            name, *at = self.args
            return print_element(str(name), (_expr(arg).show(names) for arg in at))
        if self.op == "real":
            return str(self.args[1])
        if self.op == "single":
            # the type of DirectML's arithmetic is not repeated in every place
            return _expr(self.args[0])._show(names, outer)
        if self.op in _ROUNDED:
            return f"{self.op}({_expr(self.args[0]).show(names)})"
        if self.op == "below":
            a, b, then, other = (_expr(arg)._show(names, 1) for arg in self.args)
            text = f"{then} if {a} < {b} else {other}"
            return f"({text})" if outer else text
        left, right = (_expr(arg) for arg in self.args)
        if self.op in ("min", "max"):
            return f"{self.op}({left.show(names)}, {right.show(names)})"
        binding = _BINDING[self.op]
        left_outer = 3 if self.op in _LOOSE else binding
        text = (
            f"{left._show(names, left_outer)} {_SYMBOLS[self.op]} {right._show(names, binding + 1)}"
        )
        # next to other arithmetic, the precedence of mod and div is ambiguous to readers
        bracketed = binding < outer or (outer > 0 and self.op in _LOOSE)
        return f"({text})" if bracketed else text


def index(dimension: int) -> Expr:
    """The output element's index in ``dimension``."""
    return Expr("index", (dimension,))


def const(number: int) -> Expr:
    """A number."""
    return Expr("const", (number,))


def expression(value: Expr | int | np.float32) -> Expr:
    """An expression as it is, or a whole number or a FLOAT as one."""
    if isinstance(value, Expr):
        return value
    return real(value) if isinstance(value, np.float32) else const(int(value))


def real(number: float | np.float32) -> Expr:
    """The FLOAT nearest to a number that is not negative."""
    return Expr("real", (float(np.float32(number)), print_value(number)))


def single(a: Any) -> Any:
    """The FLOAT nearest to an expression, a number or each element of an array.

    Each step of DirectML's arithmetic is in FLOAT.
    """
    if isinstance(a, Expr):
        return Expr("single", (a,))
    if getattr(a, "dtype", None) == np.float32:
        return a
    with np.errstate(over="ignore"):
        return np.float32(a)


def floor(a: Any) -> Any:
    """The largest whole number that is not above an expression, a number or each of an array.

    >>> scale = np.float32(1.5)
    >>> at = floor(single(index(0) / scale))
    >>> at.show(["w"]), at.evaluate([4]), floor(np.arange(4) / scale).tolist()
    ('floor(w / 1.5)', 2, [0.0, 0.0, 1.0, 2.0])
    """
    return Expr("floor", (a,)) if isinstance(a, Expr) else np.floor(a)


def ceil(a: Any) -> Any:
    """The smallest whole number that is not below it, as :func:`floor`."""
    return Expr("ceil", (a,)) if isinstance(a, Expr) else np.ceil(a)


def look(tensor: str, *at: Expr) -> Expr:
    """The element of a control tensor at these indices; outside it, the nearest element.

    An index can be outside where the element has no source.

    >>> look("IndicesTensor", index(1)).show(["i", "j"])
    'IndicesTensor[j]'
    """
    return Expr("look", (tensor, *at))


def same(a: Any, b: Any) -> Any:
    """1 if two expressions, whole numbers or elements of arrays are equal, otherwise 0.

    >>> same(index(0) + 4, index(1)).show(["h", "w"]), same(index(0), index(1)).evaluate([2, 2])
    ('h + 4 == w', 1)
    >>> same(np.arange(3), 1).tolist()
    [0, 1, 0]
    """
    return _chosen("same", (a, b), lambda a, b: np.equal(a, b).astype(np.int64))


def smaller(a: T, b: Any) -> T:
    """The smaller of two expressions or whole numbers, or of the elements of arrays.

    >>> smaller(index(0), 4).show(["w"]), smaller(np.arange(3), 1).tolist()
    ('min(w, 4)', [0, 1, 1])
    """
    chosen: T = _chosen("min", (a, b), np.minimum)
    return chosen


def larger(a: T, b: Any) -> T:
    """The larger of two, as :func:`smaller`."""
    chosen: T = _chosen("max", (a, b), np.maximum)
    return chosen


def below(a: Any, b: Any, then: T, other: Any = -1) -> T:
    """``then`` if ``a`` is less than ``b``, otherwise ``other``; by default -1, no source.

    >>> below(index(0), 3, 2 - index(0), index(0)).show(["w"])
    '2 − w if w < 3 else w'
    >>> below(np.arange(3), 1, 9, np.arange(3)).tolist()
    [9, 1, 2]
    """
    chosen: T = _chosen(
        "below", (a, b, then, other), lambda *parts: np.where(parts[0] < parts[1], *parts[2:])
    )
    return chosen


def _chosen(op: str, parts: tuple[Any, ...], rule: Callable[..., Any]) -> Any:
    """The expression, if a part is one; otherwise what the rule gives."""
    if not any(isinstance(part, Expr) for part in parts):
        return rule(*parts)
    return Expr(op, tuple(map(expression, parts)))


def names_of(rank: int) -> tuple[str, ...]:
    """Letters for the indices of a tensor; the usual ones up to rank 5.

    >>> names_of(4)
    ('n', 'c', 'h', 'w')
    """
    if rank <= 4:
        return ("n", "c", "h", "w")[4 - rank :]
    if rank == 5:
        return ("n", "c", "d", "h", "w")
    return tuple(f"i{'₀₁₂₃₄₅₆₇₈₉'[d]}" for d in range(rank))


_PYTHON = {"−": "-", "·": "*", " mod ": " % ", " div ": " // "}
_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


def as_python(text: str) -> str:
    """A formula as it is copied: with Python's signs, and names of indices that Python has.

    >>> as_python("out[i₀] = x[(i₀ − 1) div 2 · 3]")
    'out[i0] = x[(i0 - 1) // 2 * 3]'
    """
    for sign, python in _PYTHON.items():
        text = text.replace(sign, python)
    return text.translate(_DIGITS)


ONE = "0"
"""The letter of a dimension of size 1 that means nothing."""


def index_letters(count: int) -> tuple[str, ...]:
    """Letters for the dimensions of indices; none of :func:`names_of`.

    >>> index_letters(3)
    ('i', 'j', 'k')
    """
    return tuple("ijklmpqr"[:count])


def replaced(letters: Sequence[str], dimension: int, letter: str) -> tuple[str, ...]:
    """The same letters with another one for a dimension.

    >>> replaced(names_of(2), 1, "k")
    ('h', 'k')
    """
    return (*letters[:dimension], letter, *letters[dimension + 1 :])


def _make(op: str, left: Expr, right: Expr | int | np.float32) -> Expr:
    """The expression, without parts that have no effect (``+ 0``, ``· 1``, ``mod 1``)."""
    b = expression(right)
    if b.op == "const":
        n = _number(b.args[0])
        if (op in ("add", "sub") and n == 0) or (op in ("mul", "div", "over") and n == 1):
            return left
        if (op == "mod" and n == 1) or (op == "mul" and n == 0):
            return const(0)
    if left.op == "const" and _number(left.args[0]) == 0:
        if op == "add":
            return b
        if op in ("mul", "div", "mod"):
            return left
    return Expr(op, (left, b))


def _rounded(op: str, value: float) -> float:
    if op == "single":
        with np.errstate(over="ignore"):
            return float(np.float32(value))
    # beyond every index, and not an int
    return value if math.isinf(value) else _ROUNDED[op](value)


def _number(arg: Expr | float | str) -> int:
    assert isinstance(arg, int)
    return arg


def _expr(arg: Expr | float | str) -> Expr:
    assert isinstance(arg, Expr)
    return arg


_ON_ARRAYS: Mapping[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "over": operator.truediv,
    "div": operator.floordiv,
    "mod": operator.mod,
    "min": np.minimum,
    "max": np.maximum,
    "same": same,
    "below": below,
    "single": lambda a: np.asarray(single(a), np.float64),
    "floor": np.floor,
    "ceil": np.ceil,
}
