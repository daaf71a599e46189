"""What the text of code says about the sizes of its tensors, so that nobody has to type them.

Comments, docstrings and annotations say them outright, in numbers or in letters such as
``# x: (B, T, C)``; reshapes, subscripts and unpacked shapes say how many dimensions or elements
there are, and divisions which numbers divide.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from dmlviz.base.deferred import dataclass, regex
from dmlviz.code.builder import RANK_LIMIT
from dmlviz.code.libraries import TABLES
from dmlviz.code.session import literal_array
from dmlviz.tensors.sizes import READ_LIMIT
from dmlviz.tensors.types import Sizes

_BEFORE = r"(?:[\s:=.]|shape|sizes?|is|has|of|tensor|Tensor){0,12}?"
_SIZES_WRITTEN = regex(
    _BEFORE + r"[(\[{]?\s*(\d{1,6}(?:\s*,\s*\d{1,6}){0,7})\s*[)\]},]?",
)
_LETTERS_WRITTEN = regex(
    _BEFORE + r"[(\[{]\s*([A-Za-z_]\w{0,19}|\d{1,6})((?:\s*,\s*(?:[A-Za-z_]\w{0,19}|\d{1,6})){1,7})"
    r"\s*[)\]}]",
)
_ALONE = regex(r"\s*#\s*[(\[]((?:\s*\w{1,20}\s*,){1,7}\s*\w{1,20})\s*,?\s*[)\]]\s*")

_RESHAPED = ("reshape", "view")
_MODULES = frozenset(name for of in TABLES for name in of.names)
_OF_NUMBERS = (*_RESHAPED, "expand", "repeat", "unflatten", "tile", "new_zeros", "new_empty")
"""The methods whose arguments, if there are several, are numbers."""

_IN_FRONT = (2, 3, 4, 2, 2, 2, 2)
"""The sizes of dimensions that a reshape keeps in front."""

LETTERS: tuple[Sizes, ...] = ((2, 3, 4, 6, 8, 5, 7, 9), (2, 4, 4, 8, 2, 4, 2, 4), (2,) * 8)
"""The sizes that letters have, in the order in which the text has them."""

_ARITHMETIC: Mapping[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}
_LARGEST = 1 << 20


def sizes_in_comment(lines: Sequence[str], name: str) -> Sizes | None:
    """The sizes of a tensor in a comment: ``# x: (2, 12)``, ``# x.shape == [2, 12]``."""
    for line in lines:
        _code, hash_sign, comment = line.partition("#")
        for place in re.finditer(rf"\b{re.escape(name)}\b", comment) if hash_sign else ():
            numbers = _SIZES_WRITTEN.match(comment, place.end())
            if numbers is None:
                continue
            sizes = tuple(int(n) for n in numbers[1].split(","))
            if len(sizes) <= RANK_LIMIT and 0 < math.prod(sizes) <= READ_LIMIT:
                return sizes
    return None


@dataclass(frozen=True, eq=False)
class SizesInText:
    """What a text says about sizes.

    Attributes:
        axes: for each tensor with sizes in letters, or in letters and numbers, these.
        ranks: of tensors, by name, from their subscripts and the methods that take every axis.
        ones: for tensors that are expanded at once, where their sizes are 1.
        multiples: numbers that divide without a rest, by name.
        numbers: the names that are numbers, because of what uses them.
    """

    axes: Mapping[str, tuple[str, ...]]
    ranks: Mapping[str, int]
    ones: Mapping[str, tuple[bool, ...]]
    multiples: Mapping[str, int]
    numbers: frozenset[str]

    def lettered(self, sizes: Sizes) -> tuple[dict[str, Sizes], dict[str, int]]:
        """Sizes of the tensors that are written in letters, and what each letter is.

        Args:
            sizes: of the letters, in their order.
        """
        letters: dict[str, int] = {}
        made: dict[str, Sizes] = {}
        for name, axes in self.axes.items():
            for axis in axes:
                if not axis.isdecimal() and axis not in letters:
                    letters[axis] = sizes[len(letters) % len(sizes)]
            of = tuple(int(axis) if axis.isdecimal() else letters[axis] for axis in axes)
            if 0 < math.prod(of) <= READ_LIMIT:
                made[name] = of
        return made, letters


def sizes_in_text(tree: ast.Module, lines: Sequence[str], names: Sequence[str]) -> SizesInText:
    """What a text says about the sizes of tensors.

    Args:
        tree, lines: the text.
        names: of the tensors and numbers that it takes.
    """
    axes = {name: of for name in names if (of := _written_axes(tree, lines, name))}
    if not axes and len(names) == 1:
        alone = next(filter(None, map(_ALONE.fullmatch, lines[:3])), None)
        axes = {} if alone is None else {names[0]: _axes(alone[1])}
    ranks: dict[str, int] = {}
    ones: dict[str, tuple[bool, ...]] = {}
    multiples: dict[str, int] = {}
    numbers: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=keys)):
                used = [key for key in keys if not _is_new_axis(key)]
                if not any(_is_ellipsis(key) for key in used):
                    ranks[name] = max(ranks.get(name, 0), len(used))
            case ast.Call(func=ast.Attribute(attr=method, value=owner), args=args) if len(args) > 1:
                if method in _OF_NUMBERS and _last_name(owner) not in _MODULES:
                    numbers |= {arg.id for arg in args if isinstance(arg, ast.Name)}
                if isinstance(owner, ast.Name) and method == "permute":
                    ranks[owner.id] = len(args)
                name = _last_name(owner)
                if name in names and method == "expand":
                    ones[name] = tuple(_constant(arg) != -1 for arg in args)
                    ranks.setdefault(name, len(args))
            case ast.BinOp(op=ast.FloorDiv() | ast.Mod(), left=left):
                divided = _divided(node)
                if divided is not None and divided[0] in names:
                    name, by = divided
                    multiples[name] = math.lcm(multiples.get(name, 1), by)
                    numbers.add(name)
                numbers |= set(_operands(left))
    multiples = {name: by if by > 1 else 2 for name, by in multiples.items()}
    return SizesInText(axes, ranks, ones, multiples, frozenset(numbers & {*names}))


def _is_new_axis(node: ast.expr) -> bool:
    is_none = isinstance(node, ast.Constant) and node.value is None
    return is_none or (isinstance(node, ast.Attribute) and node.attr == "newaxis")


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Starred) or (
        isinstance(node, ast.Constant) and node.value is Ellipsis
    )


def _last_name(node: ast.expr) -> str:
    """The name of ``x``, or of the model's tensor ``self.x``."""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _constant(node: ast.expr) -> object:
    array = literal_array(node)
    return None if array is None else array.tolist()


def _operands(node: ast.expr) -> Iterator[str]:
    """The names that arithmetic is about, without those of which it takes a part."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.BinOp):
        yield from _operands(node.left)
        yield from _operands(node.right)


def _divided(node: ast.BinOp) -> tuple[str, int] | None:
    """What ``c // 4`` or ``d // heads // 2`` divides, and by what; each open number is 2."""
    by, left = 1, cast(ast.expr, node)
    while isinstance(left, ast.BinOp) and isinstance(left.op, ast.FloorDiv | ast.Mod):
        divisor = _number(left.right, {}, other=2)
        if divisor is None or not 1 <= divisor <= 64:
            return None
        by, left = by * divisor, left.left
    return (left.id, by) if isinstance(left, ast.Name) else None


def _number(node: ast.expr, numbers: Mapping[str, int], other: int | None = None) -> int | None:
    """The number that an expression is; None if it is none."""
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            made = _number(operand, numbers, other)
            return None if made is None else -made
        case ast.Name(id=name):
            return numbers.get(name, other)
        case ast.Attribute(attr=attribute, value=ast.Name(id=of)):
            return numbers.get(f"{of}.{attribute}", other)
        case ast.BinOp(op=op, left=left, right=right) if type(op) in _ARITHMETIC:
            one, two = _number(left, numbers, other), _number(right, numbers, other)
            if one is None or two is None or max(abs(one), abs(two)) > _LARGEST:
                return None
            if isinstance(op, ast.FloorDiv) and not two:
                return None
            return _ARITHMETIC[type(op)](one, two)
    return None


def reshaped_sizes(tree: ast.Module, numbers: Mapping[str, int]) -> Iterator[Sizes]:
    """Sizes with as many elements as the first reshape of the code, or as its parts, need.

    Args:
        tree: the code.
        numbers: what names are that it leaves open.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="split"), args=[parts, *_rest]):
                counts = _constant(parts)
                if isinstance(counts, list | tuple) and all(isinstance(n, int) for n in counts):
                    yield (2, sum(counts))
                    yield (sum(counts), 2)
            case ast.Call(func=ast.Attribute(attr=method), args=args) if method in _RESHAPED:
                first = args[0] if len(args) == 1 else None
                items = first.elts if isinstance(first, ast.List | ast.Tuple) else args
                factors = [_number(item, numbers) for item in items]
                sizes = [n for n in factors if n is not None and n > 1]
                count = math.prod(sizes[:RANK_LIMIT])
                if sizes and count <= READ_LIMIT:
                    if None not in factors and min(n for n in factors if n is not None) > 0:
                        yield from _merged(tuple(n for n in factors if n is not None))
                    kept = next((k for k, n in enumerate(factors) if n is not None), 0)
                    if kept:
                        # x.size(0) and such stay in front
                        yield (*_IN_FRONT[:kept], count)
                        yield (*_IN_FRONT[: kept + 1], count)
                    if len(sizes) > 2:
                        yield (sizes[0], count // sizes[0])
                    yield (count,)
                return


def _merged(sizes: Sizes) -> Iterator[Sizes]:
    """Sizes of which a reshape takes one dimension apart, the last ones first."""
    for d in range(len(sizes) - 2, 0, -1):
        yield (*sizes[:d], sizes[d] * sizes[d + 1], *sizes[d + 2 :])


def _written_axes(tree: ast.Module, lines: Sequence[str], name: str) -> tuple[str, ...]:
    """The axes of a tensor in a comment, a docstring or an annotation; empty if none says them."""
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=own, annotation=ast.expr() as annotation) if own == name:
                for part in ast.walk(annotation):
                    match part:
                        case ast.Constant(value=str() as words):
                            axes = tuple(word.lstrip("#") for word in words.split())
                            if axes and all(re.fullmatch(r"\w{1,20}", axis) for axis in axes):
                                return axes[:RANK_LIMIT]
    texts = [line.partition("#")[2] for line in lines]
    texts += [
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module)
        for line in (ast.get_docstring(node) or "").split("\n")
    ]
    for text in texts:
        for place in re.finditer(rf"\b{re.escape(name)}\b", text):
            if written := _LETTERS_WRITTEN.match(text, place.end()):
                return _axes(written[1] + written[2])
    return ()


def _axes(text: str) -> tuple[str, ...]:
    return tuple(axis.strip() for axis in text.split(",") if axis.strip())[:RANK_LIMIT]
