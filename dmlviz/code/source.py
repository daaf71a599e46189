"""The text of code: parsed, and places in it."""

from __future__ import annotations

import ast
import builtins
import copy
import re
import textwrap
import warnings
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from dmlviz.base.errors import Place
from dmlviz.base.words import _
from dmlviz.code.layout_text import layout_of
from dmlviz.code.refusals import CodeRefused
from dmlviz.tensors import one_line, short_text

TEXT_LIMIT = 4_000
"""The limit of characters of code."""

PARTS_LIMIT = 2_000
"""The limit of nodes of the syntax tree."""

MODEL = "self"
"""The name of a model inside its own code, whose layers and numbers are not there."""

# fmt: off
MAKERS = frozenset((
    "array", "asarray", "asanyarray", "arange", "ones", "zeros", "full", "eye", "identity",
    "linspace", "tri", "tensor", "as_tensor", "Tensor", "FloatTensor", "LongTensor", "IntTensor",
    "DoubleTensor", "BoolTensor", "constant", "range",
))
"""Functions of the libraries that make a tensor of numbers, or of lists of numbers.

The tensor is an input, and not a step of the movement.
"""
# fmt: on


LAYOUT_CALL = "laid_out"
"""The function of a text that is only the name of a layout, such as ``nChw16c``."""

LAYOUT_TENSOR = "x"
"""The tensor of such a text."""


class Source:
    """A text without the indentation that all of its lines share, and places in the original.

    Attributes:
        names: that the code has, if it is :func:`parsed`.
    """

    names: frozenset[str] = frozenset()

    def __init__(self, text: str) -> None:
        self.text = textwrap.dedent(text.replace("\r\n", "\n")).rstrip()
        self.lines = self.text.split("\n")
        first = next((k for k, line in enumerate(self.lines) if line.strip()), 0)
        original = text.replace("\r\n", "\n").split("\n")[first]
        self.indent = len(original.rstrip()) - len(self.lines[first].rstrip())

    def at(self, line: int, column: int) -> Place:
        """A place without length."""
        column += self.indent
        return Place(line, column, line, column)

    def place(self, node: Any, after: Any = None) -> Place:
        """The place of a part of the tree, or of what of it comes after another part."""
        line, column = node.lineno, node.col_offset
        if after is not None:
            line, column = after.end_lineno, after.end_col_offset
        end = node.end_lineno, node.end_col_offset
        return Place(line, self._column(line, column), end[0], self._column(*end))

    def piece(self, place: Place) -> str:
        """The text at a place."""
        lines = self.lines[place.line - 1 : place.end_line]
        lines[-1] = lines[-1][: place.end_column - 1 - self.indent]
        lines[0] = lines[0][place.column - 1 - self.indent :]
        return "\n".join(lines)

    def unread(self, node: ast.stmt) -> str:
        """A sentence about a statement that is not read, with what would work."""
        word = self.piece(self.place(node)).split(maxsplit=1)[0].rstrip(":")
        words = _("{word} is not read; use assignments, expressions, functions and loops.")
        return words.format(word=word)

    @staticmethod
    def member_of_model(name: str) -> str:
        """A sentence about a layer or a number of a model, with what would work."""
        return _(
            "{name} belongs to a model, which is not here; write its number, or leave out its call."
        ).format(name=name)

    def _column(self, line: int, offset: int) -> int:
        """A column in characters, from an offset in bytes."""
        text = self.lines[line - 1].encode()[:offset].decode(errors="ignore")
        return len(text) + 1 + self.indent


@lru_cache(maxsize=8)
def parsed(text: str) -> tuple[ast.Module, Source]:
    """The syntax tree of code, and its text for places in it; nobody changes them.

    The last few are kept: a search reads a line again and again, with other sizes.

    Raises:
        CodeRefused: it is no Python, or too long.
    """
    if len(text) > TEXT_LIMIT:
        raise CodeRefused(
            "limit",
            _("The code has {count} characters; at most {most} are read.").format(
                count=f"{len(text):,}", most=f"{TEXT_LIMIT:,}"
            ),
        )
    source = Source(text)
    try:
        with warnings.catch_warnings():
            # Python warns of texts such as "2x"
            warnings.simplefilter("ignore")
            tree = _named_layout(source.text) or _Simplified().visit(ast.parse(source.text))
    except SyntaxError as error:
        message = _("Python cannot read this: {reason}.").format(reason=_reason(error.msg or ""))
        line, column = error.lineno or 1, max(1, error.offset or 1)
        raise CodeRefused("syntax", message, source.at(line, column)) from None
    except (ValueError, RecursionError, MemoryError, OverflowError):
        raise CodeRefused("syntax", _("Python cannot read this text.")) from None
    parts = [*ast.walk(tree)]
    source.names = frozenset(part.id for part in parts if isinstance(part, ast.Name))
    if len(parts) > PARTS_LIMIT:
        raise CodeRefused(
            "limit",
            _("The code has more than {most} parts: try a part of it.").format(
                most=f"{PARTS_LIMIT:,}"
            ),
        )
    return tree, source


def _named_layout(text: str) -> ast.Module | None:
    """The name of a layout as a call of its function; None if a text is none."""
    if layout_of(text) is None:
        return None
    tree = ast.parse(f"{LAYOUT_CALL}({LAYOUT_TENSOR}, {text.strip()!r})")
    end = len(text.rstrip().encode())
    for node in ast.walk(tree):
        if isinstance(node, ast.expr | ast.stmt):
            node.col_offset, node.end_col_offset = 0, end
    return tree


def _reason(message: str) -> str:
    """What Python says of a syntax error, translated where it is one of the frequent messages."""
    reasons = {
        r"'(.)' was never closed": _("'{0}' is not closed"),
        r"unmatched '(.)'": _("'{0}' closes nothing"),
        r"closing parenthesis '(.)' does not match opening parenthesis '(.)'.*": _(
            "'{0}' does not close '{1}'"
        ),
        r"unterminated .*string literal.*": _("a quotation mark is missing"),
        r"invalid syntax\. Perhaps you forgot a comma\?": _("perhaps a comma is missing"),
        r"invalid syntax.*": _("this is not Python's syntax"),
        r"invalid character '(.+)' \(.*\)": _("Python does not use the character '{0}'"),
        r"invalid (?:decimal|hexadecimal|octal|binary|imaginary) literal": _(
            "a name cannot begin with a digit"
        ),
        r"expected ':'": _("a colon is missing"),
        r"expected '(.)'": _("'{0}' is missing"),
        r"unexpected indent": _("this line is indented too far"),
        r"(?:unindent does not match.*|expected an indented block.*)": _(
            "this line is not indented as it should be"
        ),
        r"positional argument follows keyword argument.*": _(
            "an argument without a name follows one with a name"
        ),
    }
    for pattern, reason in reasons.items():
        if matched := re.fullmatch(pattern, message, re.DOTALL):
            return reason.format(*map(one_line, matched.groups()))
    return one_line(message).rstrip(".")


class _Simplified(ast.NodeTransformer):
    """``print(y)`` as ``y``, and nothing of ``if __name__ == "__main__"``."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        self.generic_visit(node)
        match node.test:
            case ast.Compare(left=ast.Name(id="__name__")):
                return None
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        match node.value:
            case ast.Call(func=ast.Name(id="print"), args=args):
                shown = [one for one in args if not isinstance(one, ast.Constant | ast.JoinedStr)]
                if not shown:
                    return ast.copy_location(ast.Pass(), node)
                several = ast.copy_location(ast.Tuple(shown, ast.Load()), node)
                return ast.copy_location(ast.Expr(shown[0] if len(shown) == 1 else several), node)
        return node


def without_random(node: ast.expr) -> tuple[str, bool]:
    """The text of an expression with ones for random numbers, and whether it has any.

    >>> without_random(ast.parse("torch.rand(2, 3).T", mode="eval").body)
    ('np.ones((2, 3)).T', True)
    """
    random = any(is_random(part) for part in ast.walk(node))
    return ast.unparse(_WithoutRandom().visit(copy.deepcopy(node)) if random else node), random


_RANDOM = ("rand", "randn", "random", "random_sample", "standard_normal", "empty")
"""Functions that make a tensor of random numbers from its sizes."""

_RANDOM_WITHIN = ("randint", "integers", "normal", "uniform")
"""Functions that make one from limits or a mean, and then from its sizes."""


def is_random(node: ast.AST) -> bool:
    """Whether a part of code is a call that makes a tensor of random numbers from its sizes."""
    return isinstance(node, ast.Call) and _random_sizes(node) is not None


def _random_sizes(node: ast.Call) -> ast.expr | None:
    """The sizes of a tensor of random numbers; None if a call makes none."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if name not in (*_RANDOM, *_RANDOM_WITHIN):
        return None
    said = [keyword.value for keyword in node.keywords if keyword.arg in ("size", "shape")]
    if said:
        return said[0]
    if name in _RANDOM:
        return node.args[0] if len(node.args) == 1 else ast.Tuple(node.args, ast.Load())
    last = node.args[-1] if node.args else None
    return last if isinstance(last, ast.Tuple | ast.List) or len(node.args) == 3 else None


class _WithoutRandom(ast.NodeTransformer):
    """Ones in place of random numbers."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        sizes = _random_sizes(node)
        if sizes is None:
            return node
        ones = ast.Attribute(ast.Name("np", ast.Load()), "ones", ast.Load())
        made = ast.Call(ones, [sizes], [])
        return ast.fix_missing_locations(ast.copy_location(made, node))


def moves_nothing(text: str, inputs: Iterable[str], of_list: Callable[[str], str]) -> CodeRefused:
    """The refusal of a result that holds no element of an input.

    Args:
        text: the code, which Python can parse.
        inputs: the names of its inputs.
        of_list: what makes a tensor of a list, from the name of the module that code calls.
    """
    names = list(inputs)
    message = _("No element of an input reaches the result.")
    if re.search(r"\b(eye|identity)\(", text):
        message = _(
            "Numbers that code makes, such as eye(4), are constants here, and no element of an "
            "input reaches the result. Make the matrix an input by naming it: table[labels]."
        )
    made = "" if names else _first_made(ast.parse(text), of_list)
    if made:
        message = _(
            "The code names no tensor: begin with a line such as {line}, and write x for "
            "the tensor."
        ).format(line=short_text(f"x = {made}"))
    elif names and not any(re.search(rf"\b{name}\b", text) for name in names):
        message = _(
            "This code has no input {name}: begin with it, as in {name}.reshape(2, 3)."
        ).format(name=names[0])
    return CodeRefused("nothing", message)


def _first_made(tree: ast.Module, of_list: Callable[[str], str]) -> str:
    """The first call that makes a tensor, or one for the first list that a call takes."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset, node.end_col_offset)):
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if name in MAKERS or is_random(call):
            return ast.unparse(call)
        numbers = call.args[0] if call.args else None
        # Python's own functions take no tensor
        if hasattr(builtins, name):
            continue
        if isinstance(numbers, ast.List) and not any(
            isinstance(node, ast.Call) for node in ast.walk(numbers)
        ):
            module = ast.unparse(call.func).partition(".")[0]
            return f"{of_list(module)}({ast.unparse(numbers)})"
    return ""
