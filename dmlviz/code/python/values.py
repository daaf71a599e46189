"""What Python's own names can be besides numbers and lists: functions, classes, their instances."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from inspect import Parameter, Signature
from typing import Any

from dmlviz.base.budget import spend
from dmlviz.base.deferred import dataclass
from dmlviz.code.refusals import UseDecides


class Composite:
    """A value that has others in it, as a list has."""

    def parts(self) -> Sequence[Any]:
        """The values in it."""
        raise NotImplementedError


def values_within(items: Iterable[Any]) -> Iterator[Any]:
    """The values of nested lists, tuples, dicts and composites, each as often as it is there.

    Raises:
        BudgetSpent: a list is within others so often that there are too many.
    """
    due = list(items)
    while due:
        item = due.pop()
        parts: Sequence[Any] | None = None
        if isinstance(item, list | tuple):
            parts = item
        elif isinstance(item, dict):
            parts = list(item.values())
        elif isinstance(item, Composite):
            parts = item.parts()
        if parts is None:
            yield item
        else:
            spend("items", len(parts))
            due += parts


@dataclass(eq=False, repr=False)
class Scope:
    """The names of a module, of a call of a function, or of a comprehension.

    Attributes:
        names: what they are.
        outer: where a name is looked up that is not here; None for the module.
        assigned: the names that the function gives a value somewhere, which are not looked up
            further out.
        is_comprehension: whether a name that ``:=`` gives is one of ``outer``.
        kept: whether a function that was made in it can use its names later.
    """

    names: dict[str, Any] = field(default_factory=dict)
    outer: Scope | None = None
    assigned: frozenset[str] = frozenset()
    is_comprehension: bool = False
    kept: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class PythonFunction(Composite):
    """A function that the code defines.

    Attributes:
        name: its name; ``lambda`` for one without.
        node: its definition.
        scope: where it is defined.
        signature: its parameters, with their defaults' values.
        kind: ``static``, ``class`` or ``property`` of a method, or empty.
        owner: the class whose method it is.
    """

    name: str
    node: ast.FunctionDef | ast.Lambda
    scope: Scope
    signature: Signature
    kind: str = ""
    owner: PythonClass | None = None

    def parts(self) -> Sequence[Any]:
        """The defaults of its parameters."""
        return [parameter.default for parameter in self.signature.parameters.values()]

    def bound(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The names of a call.

        Raises:
            TypeError: the arguments do not fit, with Python's sentence.
        """
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return dict(bound.arguments)


def signature_of(arguments: ast.arguments, defaults: Mapping[ast.expr, Any]) -> Signature:
    """The signature of a function.

    Args:
        arguments: its parameters.
        defaults: what the expressions of their defaults are.
    """
    plain = [*arguments.posonlyargs, *arguments.args]
    rest = len(plain) - len(arguments.defaults)
    values = [Parameter.empty] * rest + [defaults[each] for each in arguments.defaults]
    before = len(arguments.posonlyargs)
    parameters = [
        Parameter(
            one.arg,
            Parameter.POSITIONAL_ONLY if k < before else Parameter.POSITIONAL_OR_KEYWORD,
            default=value,
        )
        for k, (one, value) in enumerate(zip(plain, values, strict=True))
    ]
    if arguments.vararg is not None:
        parameters.append(Parameter(arguments.vararg.arg, Parameter.VAR_POSITIONAL))
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        value = Parameter.empty if default is None else defaults[default]
        parameters.append(Parameter(one.arg, Parameter.KEYWORD_ONLY, default=value))
    if arguments.kwarg is not None:
        parameters.append(Parameter(arguments.kwarg.arg, Parameter.VAR_KEYWORD))
    return Signature(parameters)


@dataclass(eq=False, repr=False)
class PythonClass(Composite):
    """A class that the code defines.

    Attributes:
        name: its name.
        members: its methods and other names.
        bases: those of its bases that the code defines, too.
    """

    name: str
    members: dict[str, Any]
    bases: tuple[PythonClass, ...] = ()

    def parts(self) -> Sequence[Any]:
        """Its members."""
        return list(self.members.values())

    def lines(self) -> Iterator[PythonClass]:
        """The class and its bases, in the order in which a member is looked up."""
        yield self
        for base in self.bases:
            yield from base.lines()


@dataclass(eq=False, repr=False)
class Instance(Composite):
    """An instance of a class of the code, or what has numbers that the code leaves open.

    Attributes:
        name: what open numbers are named after, such as ``self``.
        of: the class; None for a name such as ``self`` or ``config`` without one.
        attributes: that were set.
    """

    name: str
    of: PythonClass | None = None
    attributes: dict[str, Any] = field(default_factory=dict)

    def parts(self) -> Sequence[Any]:
        """Its attributes."""
        return list(self.attributes.values())

    def member(self, name: str, after: PythonClass | None = None) -> Any:
        """A member of its class, or of the classes after one of them; None if there is none."""
        lines = list(self.of.lines()) if self.of is not None else []
        if after is not None:
            lines = lines[lines.index(after) + 1 :]
        return next((each.members[name] for each in lines if name in each.members), None)


@dataclass(frozen=True, eq=False, repr=False)
class BoundMethod(Composite):
    """A method of an instance or of a class."""

    of: Instance | PythonClass
    function: PythonFunction

    def parts(self) -> Sequence[Any]:
        """The instance."""
        return [self.of]


@dataclass(frozen=True, eq=False, repr=False)
class Parent:
    """``super()``: the members of an instance's classes after one of them."""

    of: Instance
    after: PythonClass


@dataclass(frozen=True, eq=False, repr=False)
class Partial(Composite):
    """A function with its first arguments, as ``functools.partial`` makes it."""

    function: Any
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    def parts(self) -> Sequence[Any]:
        """The arguments and the function."""
        return [self.function, *self.args, *self.kwargs.values()]


@dataclass(frozen=True, eq=False, repr=False)
class Decorator:
    """A context, or a decorator, that changes no movement, such as ``torch.no_grad()``."""

    name: str


@dataclass(frozen=True, eq=False, repr=False)
class Unread:
    """What a model's ``__init__`` makes that is refused where it is used.

    Attributes:
        kind, message: of the refusal.
    """

    kind: str
    message: str


@dataclass(frozen=True, eq=False, repr=False)
class Undecided:
    """A name that the code leaves open, of which its first use decides what it is.

    Attributes:
        names: the name, or those of what is calculated of several.
    """

    names: tuple[str, ...]

    def use(self, is_number: bool) -> UseDecides:
        """The use as a number or as a tensor."""
        return UseDecides(self.names, is_number)

    def __getattr__(self, name: str) -> Any:
        # numbers have no attributes that a rule asks for
        raise self.use(is_number=False)


@dataclass(frozen=True)
class Builtin:
    """A function of Python itself."""

    name: str


@dataclass(frozen=True)
class ValueMethod:
    """A method of a list, a dict, a text, or of a value that a library has."""

    of: Any
    name: str


class Returned(Exception):
    """The end of a function's call.

    Attributes:
        value: what it returns.
        node: the expression of it; None without one.
    """

    def __init__(self, value: Any, node: ast.expr | None) -> None:
        super().__init__()
        self.value, self.node = value, node


class LoopLeft(Exception):
    """``break``."""


class TurnEnded(Exception):
    """``continue``."""


def assigned_names(body: Sequence[ast.AST]) -> Iterator[str]:
    """The names that a function's statements give a value, without those of functions in it."""
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
                continue
            case ast.Lambda() | ast.ListComp() | ast.GeneratorExp() | ast.DictComp():
                yield from (
                    part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr)
                )
                continue
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.alias():
                yield (node.asname or node.name).partition(".")[0]
        yield from assigned_names(list(ast.iter_child_nodes(node)))
