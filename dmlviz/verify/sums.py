"""Sums of names and numbers, read from a page's text and worked out exactly."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import add, mul, sub, truediv

from dmlviz.base.deferred import dataclass, regex

_DEEPEST = 20
_LONGEST = 40
# a sign may begin the next line, but not the next paragraph
_BLANK = r"[^\S\n]*+(?:\n[^\S\n]*+)?"
_TOKEN = regex(
    rf"{_BLANK}"
    r"(?:(?P<name>[A-Za-z][A-Za-z0-9_]{0,60}(?:\.Sizes)?"
    r"(?:\[(?:[a-z]|-?\d)\](?![0-9_\[(]|\.[A-Za-z])|(?![A-Za-z0-9_\[(]|\.[A-Za-z])))"
    r"|(?P<number>[0-9]{1,10})(?![A-Za-z0-9_]|\.[0-9])"
    r"|(?P<sign>[-+*/×·()^²³]))"
)
# what goes on after a sum on the same line was not understood
_MORE = regex(
    r"[ \t]*(?P<sign>\*\*|//|[-+*/%×·^]|x(?=[ \t]))[ \t]*"
    r"(?P<next>[A-Za-z][A-Za-z0-9_]{0,60}[(\[]?|[0-9(])"
)
_POWERS = {"²": "2", "³": "3"}
_MULTIPLIED = "×·x"

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
        return " ".join(words).replace("( ", "(").replace(" )", ")").replace(" ^ ", "^")

    def value(self, names: Names) -> Fraction | None:
        """The result; None where something is divided by zero."""
        numbers = [
            f"({names[t]})" if t[0].isalpha() else "**" if t == "^" else t.lstrip("0") or t[:1]
            for t in self.tokens
        ]
        try:
            return _worked_out(ast.parse(" ".join(numbers), mode="eval").body)
        except ZeroDivisionError:
            return None


def read_sum(
    text: str,
    start: int,
    is_name: Callable[[str], bool],
    ends: Callable[[int], bool] = lambda at: False,
) -> Sum | None:
    """The sum that begins at ``start``; None where there is none, or one that goes on unread.

    Args:
        text: of a page.
        start: an offset.
        is_name: whether a name may be a part of it.
        ends: whether the sign at an offset does not belong to the sum: it is a dash, or the bullet
            of a list item.
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
        if tokens[-1:] == ["^"] and word not in ("2", "3"):
            break
        if is_sign and word not in "()":
            if wants_value or ends(token.end() - 1):
                break
            # a power of one name or number, so that no result is large
            if word in "^²³" and (tokens[-1] == ")" or tokens[-2:-1] == ["^"]):
                break
            wants_value = word not in _POWERS
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
        if word in _POWERS:
            tokens += ["^", _POWERS[word]]
        else:
            tokens.append("*" if is_sign and word in _MULTIPLIED else word)
        at = token.end()
        if not wants_value and depth == 0:
            best = Sum(tuple(tokens), at)
    return None if best is None or _goes_on(text, best.end, ends) else best


def _goes_on(text: str, end: int, ends: Callable[[int], bool]) -> bool:
    """Whether a sign and a value follow that are not a part of what was read."""
    more = _MORE.match(text, end)
    if more is None or ends(more.start("sign")):
        return False
    # a dash or a comment, and words
    return not (more["sign"] in ("-", "//") and more["next"].islower() and more["next"][-1] != "(")


def _raised(base: Fraction, power: Fraction) -> Fraction:
    # the parser takes no power but the second and the third
    return base ** int(power)


_SIGNS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Pow: _raised,
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: truediv,
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
