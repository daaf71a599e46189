"""How the sizes of an output are calculated: numbers and signs, printed where they are shown.

>>> rule = calculation("·", 2, 3)
>>> print(rule, rule.value, rule.equation)
2 · 3 6 2 · 3 = 6
>>> print(calculation("/", 8, calculation("·", 2, 2)).equation)
8 / (2 · 2) = 2
>>> print(size_alone(5).equation)
5
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import add, floordiv, sub
from types import MappingProxyType

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.spelling import print_setting
from dmlviz.base.words import _


def _product(a: float, b: float) -> float:
    """Of whole numbers exactly; with a scale in single precision, as DirectML multiplies."""
    whole = isinstance(a, int) and isinstance(b, int)
    return a * b if whole else float(np.float32(a) * np.float32(b))


_SIGNS: Mapping[str, tuple[int, Callable[[float, float], float]]] = MappingProxyType(
    {
        "+": (0, add),
        "−": (0, sub),
        "·": (1, _product),
        # of sizes that it divides without a remainder
        "/": (1, floordiv),
        "div": (1, floordiv),
    }
)
"""For each sign, how strongly it binds, and what it does to two numbers."""

_FUNCTIONS: Mapping[str, Callable[..., float]] = MappingProxyType(
    {"floor": math.floor, "min": min, "max": max}
)


@dataclass(frozen=True)
class Calculation:
    """The calculation of one size.

    Attributes:
        sign: between the parts, ``+ − · / div``; or the function of them, ``floor``, ``min`` or
            ``max``; empty for a size that nothing is calculated for.
        parts: numbers, and calculations of numbers.
    """

    sign: str
    parts: tuple[float | Calculation, ...]

    @property
    def value(self) -> float:
        """Its result."""
        values = [part.value if isinstance(part, Calculation) else part for part in self.parts]
        if self.sign in _FUNCTIONS:
            return _FUNCTIONS[self.sign](*values)
        return reduce(_SIGNS[self.sign][1], values) if self.sign else values[0]

    @property
    def equation(self) -> str:
        """With its result, such as ``2 · 3 = 6``; only the size if nothing is calculated."""
        return f"{self} = {self.value}" if self.sign else str(self)

    @property
    def multiplies(self) -> bool:
        """Whether something in it is multiplied or divided."""
        within = (part for part in self.parts if isinstance(part, Calculation))
        return self.sign in ("·", "/") or any(part.multiplies for part in within)

    @property
    def scaling(self) -> tuple[int, str, int] | None:
        """Its two whole numbers and ``·`` or ``/`` between them, if that is all it does."""
        whole = self.parts[0] if self.sign == "floor" else self
        if not isinstance(whole, Calculation) or whole.sign not in ("·", "/"):
            return None
        numbers = [n for n in whole.parts if not isinstance(n, Calculation) and n == int(n)]
        if len(whole.parts) != 2 or len(numbers) != 2:
            return None
        return int(numbers[0]), whole.sign, int(numbers[1])

    def __str__(self) -> str:
        """Its numbers and signs, without the result."""
        if self.sign in _FUNCTIONS:
            return f"{self.sign}({', '.join(map(_text, self.parts))})"
        return f" {self.sign} ".join(self._part(k) for k in range(len(self.parts)))

    def _part(self, k: int) -> str:
        """A part as it is written beside the sign: in parentheses if it binds less."""
        part, text = self.parts[k], _text(self.parts[k])
        if not isinstance(part, Calculation) or part.sign not in _SIGNS:
            return text
        inner, outer = _SIGNS[part.sign][0], _SIGNS[self.sign][0]
        return f"({text})" if inner < outer or (k and inner == outer) else text


def calculation(sign: str, *parts: float | Calculation) -> Calculation:
    """A calculation of numbers, and of calculations: see :class:`Calculation`."""
    return Calculation(sign, parts)


def size_alone(size: int) -> Calculation:
    """A size that nothing is calculated for."""
    return Calculation("", (size,))


def equations(sums: Mapping[str, Sequence[Calculation]]) -> list[str]:
    """The equations of the outputs' sizes, without those that are only a number."""
    return [each.equation for own in sums.values() for each in own if each.sign]


def equations_by_dimension(sums: Sequence[Calculation], output: str = "") -> list[str]:
    """The same of one output, each with its dimension.

    Args:
        sums: the calculation of each of its sizes.
        output: its name where there are several.
    """
    words = _("{name}, dimension {d}: {sum}") if output else _("Dimension {d}: {sum}")
    calculated = ((d, each.equation) for d, each in enumerate(sums) if each.sign)
    return [words.format(name=output, d=d, sum=equation) for d, equation in calculated]


def _text(part: float | Calculation) -> str:
    return str(part) if isinstance(part, Calculation) else print_setting(part)
