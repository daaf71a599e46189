"""The names that code leaves open: what it takes, and the function where it begins."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from dmlviz.base.deferred import dataclass
from dmlviz.code.libraries import TABLES
from dmlviz.code.python.expressions import BUILTINS
from dmlviz.code.python.values import assigned_names
from dmlviz.code.source import MODEL

ATTRIBUTES = frozenset(name for of in TABLES for name in of.attributes)
"""The attributes that tensors have in some library; a method is called."""

_CALLED = ("forward", "call", "__call__")


@dataclass(frozen=True)
class OpenName:
    """A name that code leaves open.

    Attributes:
        name: in the code; of a model's number with the model, such as ``self.heads``, but of its
            tensor ``self.table`` without it.
        number: the default of a parameter that is a whole number.
        is_number: whether it is a number, whatever uses it.
        is_tensor: whether the code takes a part, an attribute or a method of it.
    """

    name: str
    number: int | None = None
    is_number: bool = False
    is_tensor: bool = False


@dataclass(frozen=True)
class EntryPoint:
    """The function or class with which code begins that defines some and calls none.

    Attributes:
        node: its definition.
        start: of a class, ``__init__``, if it has one.
        function: the function, or the method that is called.
    """

    node: ast.FunctionDef | ast.ClassDef
    start: ast.FunctionDef | None
    function: ast.FunctionDef

    @property
    def arguments(self) -> list[tuple[ast.FunctionDef, list[ast.arg]]]:
        """The parameters that take one argument each, without the instance."""
        every = [] if self.start is None else [(self.start, taken(self.start, is_method=True))]
        is_method = isinstance(self.node, ast.ClassDef) and not _is_static(self.function)
        return [*every, (self.function, taken(self.function, is_method))]


def taken(function: ast.FunctionDef, is_method: bool = False) -> list[ast.arg]:
    """The parameters of a function that take one argument each, without the instance."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args]
    if every and (is_method or every[0].arg == MODEL):
        every = every[1:]
    return [*every, *arguments.kwonlyargs]


def default_of(function: ast.FunctionDef, name: str) -> ast.expr | None:
    """The expression of a parameter's default; None if it has none."""
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
    defaults += arguments.defaults
    pairs = [
        *zip(plain, defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return next((default for one, default in pairs if one.arg == name), None)


def entry_of(tree: ast.Module) -> EntryPoint | None:
    """Where code begins that ends with a definition and calls none outside of them.

    It is the last definition that no other one uses.
    """
    definitions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    if not definitions or tree.body[-1] is not definitions[-1]:
        return None
    names = {node.name for node in definitions}
    outside = [node for node in tree.body if node not in definitions]
    if any(names & _loaded(node) for node in outside):
        return None
    free = [
        node
        for node in definitions
        if not any(node.name in _loaded(other) for other in definitions if other is not node)
    ]
    node = (free or definitions)[-1]
    if isinstance(node, ast.FunctionDef):
        return EntryPoint(node, None, node)
    methods = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
    named = [methods[name] for name in _CALLED if name in methods]
    others = [one for name, one in methods.items() if not name.startswith("_")]
    if not named and not others:
        return None
    return EntryPoint(node, methods.get("__init__"), named[0] if named else others[-1])


def _is_static(function: ast.FunctionDef) -> bool:
    return any(ast.unparse(one) == "staticmethod" for one in function.decorator_list)


def _loaded(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def open_names(tree: ast.Module) -> list[OpenName]:
    """The names that code uses and gives no value, in the order of their first use.

    The parameters of the function with which it begins come first. Names of libraries, and those
    that are only called, are not among them.
    """
    entry = entry_of(tree)
    every: dict[str, OpenName] = {}
    for function, arguments in entry.arguments if entry is not None else ():
        for one in arguments:
            match default_of(function, one.arg):
                case None:
                    every[one.arg] = OpenName(one.arg)
                case ast.Constant(value=int() as number) if not isinstance(number, bool):
                    every[one.arg] = OpenName(one.arg, number, is_number=True)
    for name in _free(tree):
        every.setdefault(name, OpenName(name))
    members, uses = _members(tree), Counter(_uses(tree))
    of_model = members.pop(MODEL, ())
    own = _tensors_of_model(tree) - uses.keys() - every.keys()
    every |= {name: OpenName(name, is_tensor=True) for name in of_model if name in own}
    numbers = dict.fromkeys(f"{MODEL}.{name}" for name in of_model if name not in own)
    for name in [name for name in every if name in members]:
        # a name of which only numbers are taken, such as config.n_head
        if uses[name] == len(members[name]) and not {*members[name]} & ATTRIBUTES:
            del every[name]
            numbers |= dict.fromkeys(f"{name}.{one}" for one in members[name])
    tensors = {
        part.value.id
        for part in ast.walk(tree)
        if isinstance(part, ast.Attribute | ast.Subscript) and isinstance(part.value, ast.Name)
    }
    return [
        *(
            OpenName(one.name, one.number, one.is_number, one.is_tensor or one.name in tensors)
            for one in every.values()
        ),
        *(OpenName(name, is_number=True) for name in numbers),
    ]


def _tensors_of_model(tree: ast.Module) -> set[str]:
    """The attributes of the model of which the code takes a part, an attribute or a method."""
    tensors = set()
    for part in ast.walk(tree):
        match part:
            case (
                ast.Attribute(value=ast.Attribute(value=ast.Name(id=of), attr=name))
                | ast.Subscript(value=ast.Attribute(value=ast.Name(id=of), attr=name))
            ) if of == MODEL:
                tensors.add(name)
    return tensors


def _uses(tree: ast.Module) -> Iterator[str]:
    for part in ast.walk(tree):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            yield part.id


def _members(tree: ast.Module) -> dict[str, list[str]]:
    """The attributes that the code only reads, by the name whose they are, in their order."""
    parts = list(ast.walk(tree))
    called = {part.func for part in parts if isinstance(part, ast.Call)}
    made, reads = {(MODEL, "training")}, list[ast.Attribute]()
    for part in parts:
        match part:
            case ast.Attribute(value=ast.Name(), ctx=ast.Load()) if part not in called:
                reads.append(part)
            case ast.Attribute(value=ast.Name(id=of), attr=name, ctx=ast.Store() | ast.Del()):
                made.add((of, name))
            case ast.ClassDef():
                made |= {(MODEL, name) for name in assigned_names(part.body)}
            case ast.Call(
                func=ast.Attribute(attr="register_buffer"),
                args=[ast.Constant(value=str() as name), *_rest],
            ):
                made.add((MODEL, name))
    members: dict[str, list[str]] = {}
    for part in sorted(reads, key=lambda one: (one.lineno, one.col_offset)):
        assert isinstance(part.value, ast.Name)
        if (part.value.id, part.attr) not in made:
            members.setdefault(part.value.id, []).append(part.attr)
    return members


def _free(tree: ast.Module) -> Iterator[str]:
    """Names that are used before they are assigned, and that are no library's or Python's."""
    known = {name for library in TABLES for name in library.names} | {*BUILTINS, MODEL}
    later: list[tuple[ast.FunctionDef | ast.Lambda, set[str]]] = []

    def visit(node: ast.AST, assigned: set[str]) -> Iterator[str]:
        parts: Sequence[ast.AST]
        match node:
            case ast.FunctionDef() | ast.Lambda():
                if isinstance(node, ast.FunctionDef):
                    assigned.add(node.name)
                later.append((node, assigned))
                parts = [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
            case ast.ClassDef():
                assigned.add(node.name)
                for member in node.body:
                    yield from visit(member, {*assigned})
                return
            case ast.Assign():
                parts = [node.value, *node.targets]
            case ast.AnnAssign():
                parts = [part for part in (node.value, node.target) if part is not None]
            case ast.For():
                parts = [node.iter, node.target, *node.body, *node.orelse]
            case ast.ListComp() | ast.GeneratorExp():
                parts = [*node.generators, node.elt]
            case ast.DictComp():
                parts = [*node.generators, node.key, node.value]
            case ast.comprehension():
                parts = [node.iter, node.target, *node.ifs]
            case ast.Call(func=ast.Name()):
                # a name that is called is no tensor
                parts = [*node.args, *node.keywords]
            case ast.alias():
                assigned.add((node.asname or node.name).partition(".")[0])
                return
            case ast.Name(ctx=ast.Store()) if node.id not in assigned:
                assigned.add(node.id)
                return
            case ast.Name(ctx=ast.Load()) if node.id not in assigned:
                yield node.id
                return
            case _:
                parts = list(ast.iter_child_nodes(node))
        for part in parts:
            yield from visit(part, assigned)

    names = {*known}
    for statement in tree.body:
        yield from visit(statement, names)
    while later:
        function, outer = later.pop(0)
        arguments = function.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        body = function.body if isinstance(function.body, list) else [function.body]
        # a name that the function gives a value is its own
        inner = {*outer, *(one.arg for one in every), *assigned_names(body)}
        for part in body:
            yield from visit(part, inner)
