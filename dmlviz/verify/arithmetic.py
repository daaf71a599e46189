"""Small sums as pages write them, ``InputHeight * BlockSize``, worked out exactly."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from fractions import Fraction

_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z][A-Za-z0-9_]{0,60}(?:\.Sizes)?(?:\[i\](?![0-9_\[(]|\.[A-Za-z])"
    r"|(?![A-Za-z0-9_\[(]|\.[A-Za-z])))"
    r"|(?P<number>[0-9]{1,10})(?![A-Za-z0-9_]|\.[0-9])"
    r"|(?P<sign>[-+*/×·()]))"
)
# what goes on after a sum on the same line was not understood
_MORE = re.compile(r"[ \t]*(?:[-+*/×·]|x(?=[ \t]))[ \t]*([A-Za-z][A-Za-z0-9_]{0,60}|[0-9(])")
_DEEPEST = 20
_LONGEST = 40

Names = Mapping[str, int]


@dataclass(frozen=True)
class Sum:
    """A sum of names and numbers.

    Attributes:
        tokens: as the page writes them.
        end: the offset behind it.
    """

    tokens: tuple[str, ...]
    end: int

    @property
    def names(self) -> tuple[str, ...]:
        """What has to be known to work it out."""
        return tuple(t for t in self.tokens if t[0].isalpha())

    @property
    def is_plain(self) -> bool:
        """Whether it is a single name or number, and nothing to work out."""
        return len(self.tokens) == 1

    def show(self, names: Names | None = None) -> str:
        """The sum in letters, or with numbers put in.

        >>> total = read_sum("Height*(Block + 1)", 0, lambda name: True)
        >>> numbers = {"Height": 3, "Block": 4}
        >>> total.show(), total.show(numbers), total.value(numbers)
        ('Height * (Block + 1)', '3 * (4 + 1)', Fraction(15, 1))
        """
        words = [str(names[t]) if names and t in names else t for t in self.tokens]
        return " ".join(words).replace("( ", "(").replace(" )", ")")

    def value(self, names: Names) -> Fraction | None:
        """The result; None where something is divided by zero."""
        numbers = [
            f"({names[t]})" if t[0].isalpha() else t.lstrip("0") or t[:1] for t in self.tokens
        ]
        try:
            return _worked_out(ast.parse(" ".join(numbers), mode="eval").body)
        except ZeroDivisionError:
            return None


def read_sum(
    text: str, start: int, is_name: Callable[[str], bool], beyond: Container[str] = ()
) -> Sum | None:
    """The sum that begins at ``start``; None where there is none, or one that goes on unread.

    Args:
        text: of a page.
        start: an offset.
        is_name: whether a name may be a part of it.
        beyond: names that begin something else: a sign before one of them is a dash.
    """
    tokens: list[str] = []
    best: Sum | None = None
    depth, at, wants_value = 0, start, True
    while len(tokens) < _LONGEST:
        token = _TOKEN.match(text, at)
        if token is None:
            break
        word = token[0].strip()
        # between two values, this letter is a sign
        is_sign = token["sign"] or (word == "x" and not wants_value)
        if is_sign and word not in "()":
            if wants_value:
                break
            wants_value = True
        elif word == "(":
            if not wants_value or depth == _DEEPEST:
                break
            depth += 1
        elif word == ")":
            if wants_value or depth == 0:
                break
            depth -= 1
        elif not wants_value or (token["name"] and not is_name(word)):
            break
        else:
            wants_value = False
        tokens.append("*" if is_sign and word in "×·x" else word)
        at = token.end()
        if not wants_value and depth == 0:
            best = Sum(tuple(tokens), at)
    more = _MORE.match(text, best.end) if best else None
    return None if more and more[1] not in beyond else best


_SIGNS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def _worked_out(node: ast.expr) -> Fraction:
    """The value of numbers with signs between them."""
    if isinstance(node, ast.BinOp):
        return _SIGNS[type(node.op)](_worked_out(node.left), _worked_out(node.right))
    if isinstance(node, ast.UnaryOp):
        # of a name's own value: sums have no signs in front
        return -_worked_out(node.operand)
    assert isinstance(node, ast.Constant)
    return Fraction(str(node.value))
