"""Python's expressions, evaluated on numbers, texts and lists, and on what a subclass knows."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import EllipsisType
from typing import Any

from dmlviz.base.budget import BudgetSpent, spend
from dmlviz.base.words import _
from dmlviz.code.python import numbers
from dmlviz.code.python.numbers import LIST_LIMIT, LISTS, NUMBER_LIMIT, NUMBERS
from dmlviz.code.python.values import (
    BoundMethod,
    Builtin,
    Composite,
    Instance,
    Parent,
    PythonClass,
    Scope,
    Undecided,
    ValueMethod,
)
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.source import Source
from dmlviz.tensors import one_line

TURNS_LIMIT = 256
"""The limit of turns of a loop."""

DEPTH_LIMIT = 60
"""The limit of expressions within each other, those of functions that call each other included."""

BUILTINS = frozenset(
    (
        *(*NUMBERS, *LISTS, "len", "dict", "str", "isinstance", "map", "filter", "super"),
        *("staticmethod", "classmethod", "property", "object"),
    )
)
"""The names that Python has without an import, of those that are read."""

METHODS: Mapping[type, frozenset[str]] = {
    list: frozenset(("append", "extend", "insert", "pop", "reverse", "index", "copy")),
    dict: frozenset(("get", "items", "keys", "values", "update", "pop")),
    str: frozenset(("lower", "upper", "strip", "startswith", "endswith", "split", "join")),
    tuple: frozenset(("index", "count")),
}
"""The methods of Python's own values that are read."""

_ERRORS = (TypeError, ValueError, IndexError, KeyError, AttributeError, ArithmeticError)
_MISSING = object()


class Expressions:
    """What evaluates expressions: names, and what a subclass makes of tensors and libraries.

    Attributes:
        source: the text.
        scope: the names where the code is.
        scopes: all names that a value can have now, the module's first.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.scope = Scope()
        self.scopes = [self.scope]
        self.depth = 0

    @property
    def names(self) -> dict[str, Any]:
        """The names where the code is."""
        return self.scope.names

    @names.setter
    def names(self, names: dict[str, Any]) -> None:
        self.scope.names = names

    def every_value(self) -> Iterator[Any]:
        """The values of all names of all scopes."""
        for scope in self.scopes:
            yield from scope.names.values()

    def refusal(self, node: ast.AST, kind: str, message: str) -> CodeRefused:
        """The refusal of a part of the code."""
        return CodeRefused(kind, message, self.source.place(node))

    @contextlib.contextmanager
    def at(self, node: ast.AST, after: ast.AST | None = None) -> Iterator[None]:
        """Give refusals this place if they have none; what Python refuses is one, too."""
        try:
            yield
        except CodeRefused as refused:
            refused.place = refused.place or self.source.place(node, after)
            raise
        except BudgetSpent as spent:
            raise CodeRefused("limit", str(spent), self.source.place(node, after)) from None
        except _ERRORS as error:
            reason = one_line(str(error).partition("\n")[0])
            message = _("This cannot be calculated: {reason}.").format(reason=reason.rstrip("."))
            raise CodeRefused("argument", message, self.source.place(node, after)) from None

    def value(self, node: ast.expr) -> Any:
        """The value of an expression."""
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise self.refusal(node, "limit", _("The code is nested too deeply."))
        try:
            with self.at(node):
                spend("expressions")
                return self._bounded(node, self._value(node))
        finally:
            self.depth -= 1

    def _bounded(self, node: ast.expr, evaluated: Any) -> Any:
        if isinstance(evaluated, int) and abs(evaluated) > NUMBER_LIMIT:
            raise self.refusal(node, "limit", _("A number is too large."))
        if isinstance(evaluated, list | tuple | str | dict) and len(evaluated) > LIST_LIMIT:
            raise self.refusal(node, "limit", _("A list is too long."))
        return evaluated

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=None | bool() | int() | float() | str() | EllipsisType()):
                return node.value
            case ast.Name():
                return self._name(node)
            case ast.Tuple() | ast.List():
                items = self._listed(node.elts, self.value)
                return tuple(items) if isinstance(node, ast.Tuple) else items
            case ast.Dict():
                return self._dict(node)
            case ast.ListComp() | ast.GeneratorExp() | ast.DictComp():
                return self._comprehension(node)
            case ast.UnaryOp():
                return self.signed(node, self.value(node.operand))
            case ast.BinOp():
                return self.calculated(node, node.op, self.value(node.left), node.right)
            case ast.BoolOp():
                return self._joined_truth(node)
            case ast.Compare():
                return self._compared(node)
            case ast.IfExp():
                return self.value(node.body if self.truth(node.test) else node.orelse)
            case ast.JoinedStr():
                return self._text(node)
            case ast.NamedExpr():
                return self._named(node)
            case ast.Lambda():
                return self.function(node)
            case ast.Attribute():
                return self._member(node)
            case ast.Subscript():
                return self._subscript(node)
            case ast.Call():
                return self._called(node)
        raise self.refusal(
            node,
            "syntax",
            _("{name} is not read; use calls, subscripts, lists and numbers.").format(
                name=type(node).__name__
            ),
        )

    def _listed(self, nodes: Sequence[ast.expr], read: Callable[[Any], Any]) -> list[Any]:
        """The values of several expressions, those with a star spread."""
        values: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                values += self._items(node.value, self.value(node.value))
            else:
                values.append(read(node))
        return values

    def _dict(self, node: ast.Dict) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, of in zip(node.keys, node.values, strict=True):
            spend("items")
            if key is None:
                made |= self.value(of)
            else:
                made[self._dict_key(key, self.value(key))] = self.value(of)
        return made

    def _dict_key(self, node: ast.expr, key: Any) -> Any:
        if key is not None and not isinstance(key, int | float | str):
            raise self.refusal(node, "argument", _("A dict has numbers and texts as keys here."))
        return key

    def _named(self, node: ast.NamedExpr) -> Any:
        made, scope = self.value(node.value), self.scope
        while scope.is_comprehension and scope.outer is not None:
            scope = scope.outer
        scope.names[node.target.id] = made
        return made

    def _text(self, node: ast.JoinedStr) -> str:
        pieces = []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                if part.format_spec is not None or part.conversion != -1:
                    message = _("An f-string is read without a format after a colon.")
                    raise self.refusal(node, "syntax", message)
                pieces.append(numbers.written(self.plain(self.value(part.value))))
            else:
                pieces.append(self.value(part))
            spend("items", 1 + len(pieces[-1]) // LIST_LIMIT)
        if sum(map(len, pieces)) > LIST_LIMIT:
            raise self.refusal(node, "limit", _("A text is too long."))
        return "".join(pieces)

    # truth

    def truth(self, node: ast.expr) -> bool:
        """Whether a condition holds."""
        return self.truth_of(node, self.value(node))

    def truth_of(self, node: ast.expr, value: Any) -> bool:
        """Whether a value counts as true, as Python's ``if`` takes it."""
        if isinstance(value, Undecided):
            raise value.use(is_number=True)
        return True if isinstance(value, Composite) else bool(value)

    def _joined_truth(self, node: ast.BoolOp) -> Any:
        value: Any = None
        for operand in node.values:
            value = self.value(operand)
            if operand is not node.values[-1]:
                holds = self.truth_of(operand, value)
                if holds is isinstance(node.op, ast.Or):
                    return value
        return value

    def _compared(self, node: ast.Compare) -> Any:
        left, made = self.value(node.left), None
        for k, (comparison, operand) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = self.value(operand)
            made = self._comparison(node, comparison, left, right)
            if k < len(node.ops) - 1 and not self.truth_of(node, made):
                return made
            left = right
        return made

    def _comparison(self, node: ast.Compare, comparison: ast.cmpop, left: Any, right: Any) -> Any:
        match comparison:
            case ast.Is() | ast.IsNot():
                if not any(one is None or isinstance(one, bool) for one in (left, right)):
                    message = _("is compares with None, True and False here.")
                    raise self.refusal(node, "syntax", message)
                return (left is right) is isinstance(comparison, ast.Is)
            case ast.In() | ast.NotIn():
                return self._contained(left, right) is isinstance(comparison, ast.In)
        return self.compared(node, comparison, left, right)

    def _contained(self, item: Any, of: Any) -> bool:
        return numbers.contained(item, of)

    # names

    def lookup(self, name: str) -> Any:
        """What a name is; :data:`_MISSING` if the code gives it no value.

        Raises:
            CodeRefused: the function gives it one later.
        """
        scope: Scope | None = self.scope
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            if name in scope.assigned:
                message = _("{name} is used before it has a value.").format(name=name)
                raise CodeRefused("name", message)
            scope = scope.outer
        return _MISSING

    def _name(self, node: ast.Name) -> Any:
        value = self.lookup(node.id)
        if value is not _MISSING:
            return self.current(value, node)
        if node.id in BUILTINS:
            return Builtin(node.id)
        return self.unknown(node)

    # loops

    def _items(self, node: ast.expr, iterable: Any) -> list[Any]:
        """What can be repeated over, as a list."""
        items = iterable
        if isinstance(iterable, Undecided):
            raise iterable.use(is_number=False)
        if isinstance(iterable, dict):
            items = list(iterable)
        elif not isinstance(iterable, range | list | tuple):
            raise self.refusal(
                node, "syntax", _("A loop must go over a range, a list, a tuple or a tensor.")
            )
        self._check_turns(node, len(items))
        return list(items)

    def _check_turns(self, node: ast.expr, count: int) -> None:
        if count > TURNS_LIMIT:
            raise self.refusal(
                node,
                "limit",
                _("A loop repeats {count} times; at most {most} are read.").format(
                    count=f"{count:,}", most=TURNS_LIMIT
                ),
            )
        spend("items", count)

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.DictComp) -> Any:
        outer, elements = self.scope, list[Any]()
        self.scope = Scope(outer=outer, is_comprehension=True)
        self.scopes.append(self.scope)
        try:
            self._turns_of(node, node.generators, elements)
        finally:
            self.leave(outer)
        return dict(elements) if isinstance(node, ast.DictComp) else elements

    def _turns_of(
        self,
        node: ast.ListComp | ast.GeneratorExp | ast.DictComp,
        generators: Sequence[ast.comprehension],
        elements: list[Any],
    ) -> None:
        """Add an element for each turn; of a dict, its key and its value.

        No function of its own: one that calls itself would hold the elements after a refusal.
        """
        if not generators:
            if isinstance(node, ast.DictComp):
                key = self._dict_key(node.key, self.value(node.key))
                elements.append((key, self.value(node.value)))
            else:
                elements.append(self.value(node.elt))
            return
        first, *rest = generators
        if first.is_async:
            raise self.refusal(node, "syntax", _("async is not read."))
        for item in self._items(first.iter, self.value(first.iter)):
            self.assign(first.target, item)
            if all(self.truth(condition) for condition in first.ifs):
                self._turns_of(node, rest, elements)

    def leave(self, outer: Scope) -> None:
        """Go back to a scope; the names of the one before live on if a function uses them."""
        if self.scope.kept:
            outer.kept = True
        else:
            self.scopes.remove(self.scope)
        self.scope = outer

    # members

    def _member(self, node: ast.Attribute) -> Any:
        of, name = self.value(node.value), node.attr
        if isinstance(of, Instance | PythonClass | Parent):
            made = self.member_of(node, of, name)
            return made if isinstance(made, BoundMethod) else self.current(made, node)
        if name.startswith("_"):
            raise self.refusal(
                node, "syntax", _("Names that begin with _ are not read: {name}.").format(name=name)
            )
        # a module or a function of a library is a text, too
        kind = next((one for one in (list, dict, tuple) if isinstance(of, one)), type(of))
        if name in METHODS.get(kind, ()):
            return ValueMethod(of, name)
        if isinstance(of, list):
            message = _("A list has no method .{name} that is read here.")
            raise self.refusal(node, "syntax", message.format(name=name))
        return self.member(node, of, name)

    def _subscript(self, node: ast.Subscript) -> Any:
        of, key = self.value(node.value), self._key(node.slice)
        if isinstance(of, list | tuple | range | str) and isinstance(key, int | slice):
            return self.current(of[key], node)
        if isinstance(of, dict):
            return self.current(of[key], node)
        return self.subscripted(node, of, key)

    def _key(self, node: ast.expr) -> Any:
        """A subscript: slices, and tuples of them."""
        if isinstance(node, ast.Slice):
            edges = (node.lower, node.upper, node.step)
            parts = [None if edge is None else self._edge(edge) for edge in edges]
            return slice(*parts)
        if isinstance(node, ast.Tuple):
            return tuple(self._listed(node.elts, self._key))
        return self.value(node)

    def _edge(self, node: ast.expr) -> Any:
        edge = self.plain(self.value(node))
        if edge is not None and (isinstance(edge, bool) or not isinstance(edge, int)):
            raise self.refusal(node, "argument", _("A slice needs whole numbers."))
        return edge

    # what a statement or a subclass adds

    def plain(self, value: Any) -> Any:
        """A number that a subclass has in another form, as a number."""
        if isinstance(value, Undecided):
            raise value.use(is_number=True)
        return value

    def current(self, value: Any, node: ast.expr) -> Any:
        """A value as it is now, where it is used."""
        return value

    def signed(self, node: ast.UnaryOp, value: Any) -> Any:
        """A value with a sign, or inverted."""
        if isinstance(node.op, ast.Not):
            return not self.truth_of(node, value)
        return numbers.SIGNS[type(node.op)](value)

    def calculated(self, node: ast.expr, op: ast.operator, left: Any, right: ast.expr) -> Any:
        """Arithmetic on a value and what an expression is."""
        return numbers.calculated(op, left, self.value(right))

    def compared(self, node: ast.Compare, comparison: ast.cmpop, left: Any, right: Any) -> Any:
        """Whether a comparison of two values holds."""
        return numbers.COMPARISONS[type(comparison)](left, right)

    def unknown(self, node: ast.Name) -> Any:
        """What a name is that the code does not define."""
        raise NotImplementedError

    def member(self, node: ast.Attribute, of: Any, name: str) -> Any:
        """A member of a value that is not Python's own."""
        raise NotImplementedError

    def subscripted(self, node: ast.Subscript, of: Any, key: Any) -> Any:
        """A part of a value that is not Python's own."""
        raise NotImplementedError

    def assign(self, target: ast.expr, value: Any) -> None:
        """Give names, or parts of what they are, a value."""
        raise NotImplementedError

    def function(self, node: ast.FunctionDef | ast.Lambda) -> Any:
        """A function that the code defines."""
        raise NotImplementedError

    def member_of(self, node: ast.Attribute, of: Instance | PythonClass | Parent, name: str) -> Any:
        """A member of an instance or a class."""
        raise NotImplementedError

    def _called(self, node: ast.Call) -> Any:
        raise NotImplementedError
