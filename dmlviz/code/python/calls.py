"""Calls of functions, classes and methods that the code or Python defines: they are inlined."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dmlviz.base.budget import spend
from dmlviz.base.words import _
from dmlviz.code.python import numbers
from dmlviz.code.python.expressions import Expressions
from dmlviz.code.python.numbers import LIST_LIMIT, LISTS, NUMBERS
from dmlviz.code.python.values import (
    BoundMethod,
    Builtin,
    Composite,
    Decorator,
    Instance,
    Parent,
    Partial,
    PythonClass,
    PythonFunction,
    Returned,
    Scope,
    Unread,
    ValueMethod,
    assigned_names,
    signature_of,
)
from dmlviz.code.source import Source

CALLS_LIMIT = 16
"""The limit of functions that call each other, one within the other."""

_KINDS = {"staticmethod": "static", "classmethod": "class", "property": "property"}
_CALLED = ("__call__", "forward", "call")
"""The methods that a call of an instance may be, in the order in which they are looked up."""


class Calls(Expressions):
    """What inlines calls.

    Attributes:
        calling: the functions of the code that call each other where the code is.
        returned: the expression that the last call returned; None if it had none.
    """

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.calling: list[PythonFunction] = []
        self.returned: ast.expr | None = None

    def _called(self, node: ast.Call) -> Any:
        function = self.value(node.func)
        args = self._listed(node.args, self.value)
        kwargs: dict[str, Any] = {}
        for keyword in node.keywords:
            made = self.value(keyword.value)
            if keyword.arg is not None:
                kwargs[keyword.arg] = made
            elif isinstance(made, dict) and all(isinstance(name, str) for name in made):
                spend("items", len(made))
                kwargs |= made
            else:
                raise self.refusal(node, "syntax", _("** needs a dict whose keys are names."))
        return self.call(node, function, args, kwargs)

    def call(
        self, node: ast.Call, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Any:
        """The result of a call."""
        match function:
            case PythonFunction():
                return self.inlined(node, function, args, kwargs)
            case BoundMethod():
                return self.inlined(node, function.function, [function.of, *args], kwargs)
            case PythonClass():
                return self._made(node, function, args, kwargs)
            case Instance() if method := self._call_method(function):
                return self.inlined(node, method, [function, *args], kwargs)
            case Partial():
                every = {**function.kwargs, **kwargs}
                return self.call(node, function.function, [*function.args, *args], every)
            case Decorator():
                return args[0] if len(args) == 1 and isinstance(args[0], Composite) else function
            case Builtin():
                return self._builtin(node, function.name, args, kwargs)
            case ValueMethod(of=list() | dict() | str() | tuple()) if hasattr(
                function.of, function.name
            ):
                return self._value_method(node, function, args, kwargs)
        return self.call_of_library(node, function, args, kwargs)

    def call_of_library(
        self, node: ast.Call, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Any:
        """The result of a call of what Python does not define."""
        raise NotImplementedError

    def body(self, node: ast.FunctionDef) -> None:
        """Read the statements of a function."""
        raise NotImplementedError

    # functions

    def function(
        self, node: ast.FunctionDef | ast.Lambda, owner: PythonClass | None = None
    ) -> PythonFunction:
        """A function that the code defines, with its defaults' values; of a class, a method."""
        arguments = node.args
        defaults = [one for one in (*arguments.defaults, *arguments.kw_defaults) if one is not None]
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node)
        ):
            raise self.refusal(node, "syntax", _("yield is not read; return a list."))
        self.scope.kept = True
        name = node.name if isinstance(node, ast.FunctionDef) else "lambda"
        signature = signature_of(arguments, {one: self.value(one) for one in defaults})
        return PythonFunction(name, node, self.scope, signature, owner=owner)

    def decorated(self, node: ast.FunctionDef | ast.ClassDef, made: Any) -> Any:
        """A function or a class after its decorators, of which the last is called first."""
        for decorator in reversed(node.decorator_list):
            call = ast.copy_location(ast.Call(decorator, [], []), decorator)
            made = self.call(call, self.value(decorator), [made], {})
        return made

    def inlined(
        self,
        node: ast.AST,
        function: PythonFunction,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> Any:
        """What a function of the code returns: its statements are read with these arguments.

        Raises:
            CodeRefused: the arguments do not fit, or the functions call each other too deeply.
        """
        if len(self.calling) >= CALLS_LIMIT:
            message = _(
                "Functions call each other more than {most} deep: give smaller numbers, or end the "
                "recursion."
            )
            raise self.refusal(node, "limit", message.format(most=CALLS_LIMIT))
        with self.at(node):
            names = function.bound(args, kwargs)
        definition, outer = function.node, self.scope
        body = [definition.body] if isinstance(definition, ast.Lambda) else definition.body
        assigned = frozenset(assigned_names(body)) | names.keys()
        self.scope = Scope(names, function.scope, assigned)
        self.scopes.append(self.scope)
        self.calling.append(function)
        try:
            if isinstance(definition, ast.Lambda):
                self.returned = definition.body
                return self.value(definition.body)
            self.returned = None
            try:
                self.body(definition)
            except Returned as end:
                self.returned = end.node
                return end.value
            self.returned = None
            return None
        finally:
            self.calling.pop()
            self.leave(outer)

    # classes

    def _made(
        self, node: ast.AST, of: PythonClass, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Instance:
        instance = Instance("self", of)
        start = instance.member("__init__")
        if isinstance(start, PythonFunction):
            self.inlined(node, start, [instance, *args], kwargs)
        elif args or kwargs:
            message = _("{name} takes no arguments, because it has no __init__.")
            raise self.refusal(node, "argument", message.format(name=of.name))
        return instance

    def _call_method(self, instance: Instance) -> PythonFunction | None:
        members = (instance.member(name) for name in _CALLED)
        return next((one for one in members if isinstance(one, PythonFunction)), None)

    def member_of(self, node: ast.Attribute, of: Instance | PythonClass | Parent, name: str) -> Any:
        """A member that the code sets, or a property's value; a method is bound."""
        if isinstance(of, PythonClass):
            members = (each.members[name] for each in of.lines() if name in each.members)
            member = next(members, None)
        elif isinstance(of, Parent):
            member = of.of.member(name, of.after)
            if member is None and name == "__init__":
                # a base of a library sets nothing that is read
                return Decorator(name)
            of = of.of
        else:
            if name in of.attributes:
                made = of.attributes[name]
                if isinstance(made, Unread):
                    raise self.refusal(node, made.kind, made.message)
                return made
            member = of.member(name)
        if isinstance(member, PythonFunction):
            if member.kind == "static" or (isinstance(of, PythonClass) and member.kind != "class"):
                return member
            if member.kind == "property":
                return self.inlined(node, member, [of], {})
            owner = of.of if member.kind == "class" and isinstance(of, Instance) else of
            return BoundMethod(owner if owner is not None else of, member)
        if member is not None:
            return member
        return self.open_member(node, of, name)

    def open_member(self, node: ast.Attribute, of: Instance | PythonClass, name: str) -> Any:
        """What a member is that the code does not set."""
        raise NotImplementedError

    def _super(self, node: ast.Call, args: Sequence[Any]) -> Parent:
        function = self.calling[-1] if self.calling else None
        if function is not None and function.owner is not None:
            instance = next(iter(self.names.values()), None)
            if isinstance(instance, Instance):
                return Parent(instance, args[0] if args else function.owner)
        raise self.refusal(node, "syntax", _("super() is read in the methods of a class."))

    # Python's own functions

    def _builtin(self, node: ast.Call, name: str, args: Sequence[Any], kwargs: Any) -> Any:
        if name in NUMBERS:
            return numbers.called(name, [self.plain(arg) for arg in args], kwargs)
        if name in LISTS:
            lists = [
                self._items(node, arg) if name == "zip" or k == 0 else arg
                for k, arg in enumerate(args)
            ]
            if key := kwargs.get("key"):
                kwargs = {**kwargs, "key": lambda item: self.call(node, key, [item], {})}
            return LISTS[name](*lists, **kwargs)
        if name in _KINDS:
            (function,) = args
            return replace(function, kind=_KINDS[name])
        match name:
            case "len":
                (of,) = args
                return self.length(node, of)
            case "dict":
                items = args[0].items() if args and isinstance(args[0], dict) else (args or [()])[0]
                spend("items", len(items) + len(kwargs))
                return {**dict(items), **kwargs}
            case "str":
                (of,) = args
                return numbers.written(self.plain(of))
            case "isinstance":
                of, kinds = args
                return self._is_instance(node, of, kinds)
            case "map" | "filter":
                function, *iterables = args
                lists = [self._items(node, one) for one in iterables]
                made = [self.call(node, function, each, {}) for each in zip(*lists, strict=False)]
                if name == "map":
                    return made
                return [
                    x for x, keep in zip(lists[0], made, strict=True) if self.truth_of(node, keep)
                ]
            case "super":
                return self._super(node, args)
        raise self.refusal(node, "syntax", _("This cannot be called."))

    def length(self, node: ast.expr, of: Any) -> int:
        """What ``len`` gives."""
        return len(of)

    def _is_instance(self, node: ast.expr, of: Any, kinds: Any) -> bool:
        every = kinds if isinstance(kinds, tuple) else (kinds,)
        return any(self.is_of_type(node, of, kind) for kind in every)

    def is_of_type(self, node: ast.expr, of: Any, kind: Any) -> bool:
        """Whether a value has a type."""
        types = {"int": int, "float": float, "bool": bool, "str": str, "list": list, "dict": dict}
        if isinstance(kind, PythonClass):
            return isinstance(of, Instance) and of.of is not None and kind in of.of.lines()
        if isinstance(kind, Builtin) and kind.name in (*types, "tuple"):
            return isinstance(of, types.get(kind.name, tuple))
        raise self.refusal(node, "syntax", _("isinstance is read with Python's own types."))

    def _value_method(
        self, node: ast.Call, method: ValueMethod, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Any:
        of, name = method.of, method.name
        if isinstance(of, list) and name in ("append", "extend", "insert"):
            items = self._items(node, args[-1]) if name == "extend" else [args[-1]]
            place = args[0] if name == "insert" else len(of)
            self.extend(node, of, items, place)
            return None
        if name == "join":
            (parts,) = args
            total = sum(map(len, parts)) + len(of) * len(parts)
            if total > LIST_LIMIT:
                raise self.refusal(node, "limit", _("A text is too long."))
        if isinstance(of, dict):
            spend("items", len(of))
            if name == "update":
                spend("items", len(args[0]) if args else 0)
            made = getattr(of, name)(*args, **kwargs)
            return list(made) if name in ("items", "keys", "values") else made
        return getattr(of, name)(*args, **kwargs)

    def extend(self, node: ast.AST, of: list[Any], items: Sequence[Any], place: int) -> None:
        """Put items into a list, none of which may hold the list itself."""
        raise NotImplementedError
