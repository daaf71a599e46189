"""Code -> operations: parts of Python's syntax tree, evaluated on sizes and on sources.

Nothing is ever executed: names come from the tables of :mod:`dmlviz.code.libraries`, and calls
are those of their functions. Every loop, list, number and tensor is bounded.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import EllipsisType
from typing import Any

from dmlviz.base.budget import BudgetSpent, spend
from dmlviz.base.words import _
from dmlviz.code import arithmetic, indexing, rules, writing
from dmlviz.code.arguments import (
    Named,
    fits,
    flat,
    lists_in,
    needs_number,
    unfit_arguments,
    unnamed,
)
from dmlviz.code.builder import Builder
from dmlviz.code.calls import Call, names_of_outputs
from dmlviz.code.libraries import (
    TABLES,
    library_with_method,
    without_attribute,
    without_function,
    without_method,
    without_module,
)
from dmlviz.code.library import At, Function, IndexedPart, Later, Library
from dmlviz.code.refusals import CodeRefused, computes_values, unknown_name_words
from dmlviz.code.source import MODEL, Source, moves_nothing, without_random
from dmlviz.code.tensor import Tensor
from dmlviz.tensors import one_line, print_sizes
from dmlviz.tensors.types import Array, Sizes

TURNS_LIMIT = 256
"""The limit of turns of a loop."""

DEPTH_LIMIT = 60
"""The limit of expressions within each other."""

_ERRORS = (TypeError, ValueError, IndexError, KeyError, AttributeError, ArithmeticError)


class _Module(str):
    """A module by its full name."""


@dataclass(frozen=True)
class _Builtin:
    """A function of Python itself."""

    name: str


@dataclass(frozen=True)
class _Method:
    """A method of a tensor or of a part of it, or ``append`` of a list."""

    of: Any
    name: str


class CodeReader:
    """The state while code is read: names, and the builder of operations.

    Attributes:
        starts: the parts of the code that make an input which has no name there, with its name.
        tensor_names: the first name that the code gives each tensor, by its name in the graph.
    """

    def __init__(self, source: Source, builder: Builder) -> None:
        self.source, self.builder = source, builder
        self.names: dict[str, Any] = {}
        self.calls: list[Call] = []
        self.result: Any = None
        self.result_names: list[str] = []
        self.tensor_names: dict[str, str] = {}
        self.depth = 0
        self.used: set[str] = set()
        self.modules: list[str] = []
        self.starts: Mapping[ast.expr, str] = {}
        self._alone: ast.expr | None = None
        self._callee: ast.expr | None = None

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

    # statements

    def statement(self, node: ast.stmt) -> None:
        """Read a statement."""
        with self.at(node):
            spend("expressions")
            match node:
                case ast.Import():
                    for alias in node.names:
                        self._import(alias)
                case ast.ImportFrom(module=module, level=0):
                    for alias in node.names:
                        self.names[alias.asname or alias.name] = self._resolved(
                            f"{module}.{alias.name}", node
                        )
                case ast.Assign(targets=[ast.Name(id=name)]) if self._is_untouched(name):
                    self._assign_input(node, name)
                case ast.Assign():
                    value = self._top(node.value)
                    for target in node.targets:
                        self._note(value, target)
                        self._assign(target, value)
                case ast.AnnAssign(value=ast.expr()):
                    assert node.value is not None
                    value = self._top(node.value)
                    self._assign(node.target, value)
                    self._note(value, node.target)
                case ast.AugAssign():
                    self._augment(node)
                case ast.Expr(value=ast.Constant(value=str())) | ast.Pass() | ast.Assert():
                    pass
                case ast.Expr() | ast.Return(value=ast.expr()):
                    assert node.value is not None
                    self._note(self._top(node.value), node.value)
                case ast.For(orelse=[]):
                    self._loop(node)
                case _:
                    raise self.refusal(node, "syntax", self.source.unread(node))

    def _is_untouched(self, name: str) -> bool:
        """Whether a name is an input's that is neither used nor assigned so far."""
        return self.names.get(name) in self.builder.inputs.values() and name not in self.used

    def _assign_input(self, node: ast.Assign, name: str) -> None:
        """An input that the code makes of numbers, ``x = torch.rand(2, 3)``, stays the input."""
        made = self.made_tensor(node.value)
        if made is None:
            value = self._top(node.value)
            self._assign(node.targets[0], value)
            self._note(value, node.targets[0])
            return
        self._check_made(node, name, made[0])

    def _check_made(self, node: ast.AST, name: str, made: Sizes) -> None:
        """Refuse an input of other sizes than those that the code makes."""
        sizes = self.builder.inputs[name].sizes
        if made != sizes:
            raise self.refusal(
                node,
                "sizes",
                _("The code makes {name} of sizes {made}, not {sizes}.").format(
                    name=name, made=print_sizes(made), sizes=print_sizes(sizes)
                ),
            )

    def made_tensor(self, node: ast.expr) -> tuple[Sizes, Array | None] | None:
        """The sizes of a tensor that code makes of numbers, and its values unless they are random.

        Args:
            node: an expression, such as ``np.arange(6).reshape(2, n)`` or ``torch.rand(2, 3)``,
                or a list; names that are no tensors have the values that they have now.

        Returns:
            None if it is something else.
        """
        try:
            text, random = without_random(node)
            text = f"np.array({text})" if isinstance(node, ast.List) else text
            reader = CodeReader(Source(text), Builder(self.builder.library))
            body = ast.parse(text, mode="eval").body
            used = {part.id for part in ast.walk(body) if isinstance(part, ast.Name)}
            reader.names = {
                name: self.names[name]
                for name in used & self.names.keys()
                if not any(isinstance(item, Tensor) for item in flat([self.names[name]]))
            }
            value = reader.value(body)
        except (CodeRefused, RecursionError):
            return None
        if not isinstance(value, Tensor) or not value.sizes or value.array.dtype.kind not in "iubf":
            return None
        return value.sizes, None if random else value.array

    def _top(self, node: ast.expr) -> Any:
        """The value of a whole statement, where a method may write into its tensor."""
        self._alone = node
        return self.value(node)

    def _note(self, value: Any, target: ast.expr | None) -> None:
        """Remember what the last statement makes, and its names."""
        value = value if target is None else self._current(value, target)
        if any(isinstance(item, Tensor) for item in flat([value])):
            self.result = value
            elements = getattr(target, "elts", [target])
            self.result_names = [e.id for e in elements if isinstance(e, ast.Name)]

    def outputs(self) -> dict[str, Tensor]:
        """The tensors of the last statement by name."""
        last = self.result
        tensors = (
            [last]
            if isinstance(last, Tensor)
            else [item for item in flat(last or ()) if isinstance(item, Tensor)]
        )
        for tensor in tensors:
            if tensor.computed is not None:
                raise tensor.computed
        if not any(tensor.moving for tensor in tensors):
            raise moves_nothing(self.source.text, self.builder.inputs)
        names = self.result_names
        if len(set(names)) != len(tensors) or set(names) & self.builder.inputs.keys():
            names = names_of_outputs(len(tensors), self.builder.inputs)
        return dict(zip(names, map(self.builder.moved, tensors), strict=True))

    def names_now(self) -> dict[str, Any]:
        """What the names are after all writes."""
        values = writing.with_writes(self.builder, tuple(self.names.values()))
        return dict(zip(self.names, values, strict=True))

    def _import(self, alias: ast.alias) -> None:
        top = alias.name.partition(".")[0]
        self.names[alias.asname or top] = self._resolved(
            alias.name if alias.asname else top, alias, module=True
        )

    def _augment(self, node: ast.AugAssign) -> None:
        target = node.target
        if not isinstance(target, ast.Name) or target.id not in self.names:
            raise computes_values()
        old, more = self._current(self.names[target.id], target), self.value(node.value)
        if isinstance(old, list) and isinstance(node.op, ast.Add):
            self._extend(node, old, self._items(node.value, more))
            return
        made = arithmetic.binary(self.builder, node.op, old, more)
        others = [value for name, value in self.names.items() if name != target.id]
        if isinstance(old, Tensor) and not self._table().instead and writing.shares(others, old):
            writing.augment(self.builder, old, made)
        else:
            self.names[target.id] = made

    def _extend(self, node: ast.AST, of: list[Any], items: Sequence[Any]) -> None:
        """Put items at the end of a list, none of which may hold the list itself."""
        if any(part is of for item in items for part in lists_in(item)):
            raise self.refusal(node, "argument", _("A list that holds itself is not read."))
        of += items

    def _loop(self, node: ast.For) -> None:
        for item in self._items(node.iter, self.value(node.iter)):
            self._assign(node.target, item)
            for inner in node.body:
                self.statement(inner)

    def _items(self, node: ast.expr, iterable: Any) -> list[Any]:
        """What can be repeated over, as a list; of a tensor, its parts."""
        if isinstance(iterable, Tensor):
            count = iterable.sizes[0] if iterable.rank else 0
            items: Sequence[Any] = range(count)
        elif isinstance(iterable, range | list | tuple):
            items = iterable
        else:
            raise self.refusal(
                node, "syntax", _("A loop must go over a range, a list, a tuple or a tensor.")
            )
        if len(items) > TURNS_LIMIT:
            raise self.refusal(
                node,
                "limit",
                _("A loop repeats {count} times; at most {most} are read.").format(
                    count=f"{len(items):,}", most=TURNS_LIMIT
                ),
            )
        spend("items", len(items))
        if isinstance(iterable, Tensor):
            return [self._part(node, iterable, k) for k in items]
        return list(items)

    def _part(self, node: ast.expr, of: Tensor, k: int) -> Any:
        return self._call("[...]", node, None, lambda: indexing.get(self.builder, of, k))

    def _assign(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name(id=name):
                self.names[name] = value
                if isinstance(value, Tensor) and value.moving:
                    self.tensor_names.setdefault(value.name, name)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self._unpack(target, targets, value)
            case ast.Subscript():
                self._write(target, value)
            case _:
                raise self._not_a_target(target)

    def _not_a_target(self, target: ast.expr) -> CodeRefused:
        return self.refusal(
            target,
            "syntax",
            _("Only names and parts of named tensors can be assigned to, as in x[1, 0] = 5."),
        )

    def _unpack(self, node: ast.expr, targets: Sequence[ast.expr], value: Any) -> None:
        items = self._items(node, value)
        stars = [k for k, target in enumerate(targets) if isinstance(target, ast.Starred)]
        if len(stars) == 1 and len(items) >= len(targets) - 1:
            (k,), after = stars, len(targets) - stars[0] - 1
            items = [*items[:k], items[k : len(items) - after], *items[len(items) - after :]]
        if len(items) != len(targets):
            raise self.refusal(
                node,
                "argument",
                _("{count} values do not fit {names} names.").format(
                    count=len(items), names=len(targets)
                ),
            )
        for target, item in zip(targets, items, strict=True):
            self._assign(target.value if isinstance(target, ast.Starred) else target, item)

    def _write(self, target: ast.Subscript, value: Any) -> None:
        """``x[key] = value``, where x may be a view of a tensor that has a name."""
        old = self.value(target.value)
        if not isinstance(old, Tensor):
            raise self.refusal(target, "syntax", _("Only parts of tensors can be assigned to."))
        name = next((name for name, of in self.names.items() if writing.shares(of, old)), "")
        name = target.value.id if isinstance(target.value, ast.Name) else name
        if not name and old.writable:
            raise self._not_a_target(target)
        library = self._table()
        if library.instead:
            raise self.refusal(
                target,
                "name",
                _("{library} tensors cannot be changed; use {instead}.").format(
                    library=library.title, instead=library.instead
                ),
            )
        key = self._key(target.slice)
        self._call("[...] =", target, None, lambda: writing.write(self.builder, old, key, value))
        self._note(self.names[name], ast.copy_location(ast.Name(name), target))

    def _current(self, value: Any, node: ast.expr) -> Any:
        """A value as it is after the writes so far: a view is read again where it is used."""
        if not writing.is_stale(value):
            return writing.with_writes(self.builder, value)
        name = ast.unparse(node)
        return self._call(name, node, None, lambda: writing.with_writes(self.builder, value))

    # expressions

    def value(self, node: ast.expr) -> Any:
        """The value of an expression."""
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise self.refusal(node, "limit", _("The code is nested too deeply."))
        try:
            with self.at(node):
                spend("expressions")
                if node in self.starts:
                    return self._started(node)
                return self._bounded(node, self._value(node))
        finally:
            self.depth -= 1

    def _started(self, node: ast.expr) -> Tensor:
        """The input that a part of the code makes."""
        name, made = self.starts[node], self.made_tensor(node)
        if made is not None:
            self._check_made(node, name, made[0])
        return self.builder.inputs[name]

    def _bounded(self, node: ast.expr, evaluated: Any) -> Any:
        if isinstance(evaluated, int) and abs(evaluated) > arithmetic.NUMBER_LIMIT:
            raise self.refusal(node, "limit", _("A number is too large."))
        if isinstance(evaluated, list | tuple | str) and len(evaluated) > arithmetic.LIST_LIMIT:
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
            case ast.ListComp() | ast.GeneratorExp():
                return self._comprehension(node)
            case ast.UnaryOp():
                return self._placed(
                    node, arithmetic.signed(self.builder, node.op, self.value(node.operand))
                )
            case ast.BinOp(op=ast.MatMult()):
                message = _("{name} computes new values; only movements are shown.")
                raise self.refusal(node, "computes", message.format(name="@"))
            case ast.BinOp():
                pair = self.value(node.left), self.value(node.right)
                return self._placed(node, arithmetic.binary(self.builder, node.op, *pair))
            case ast.Compare(ops=[comparison], comparators=[right]):
                pair = self.value(node.left), self.value(right)
                return self._placed(node, arithmetic.compared(self.builder, comparison, *pair))
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

    def _name(self, node: ast.Name) -> Any:
        if node.id in self.names:
            self.used.add(node.id)
            return self._current(self.names[node.id], node)
        for library in TABLES:
            if node.id in library.names:
                return self._resolved(library.names[node.id], node)
        if node.id in arithmetic.NUMBERS or node.id in arithmetic.LISTS or node.id == "len":
            return _Builtin(node.id)
        raise self.refusal(node, "name", unknown_name_words(node.id, self.builder.inputs))

    def _resolved(self, full: str, node: ast.AST, module: bool = False) -> Any:
        """What a full name means: a module, a constant, or a function."""
        for library in TABLES:
            if full in library.modules:
                self.modules.append(full)
                return _Module(library.modules[full])
            if full in library.constants:
                return library.constants[full]
        top = full.partition(".")[0]
        if module or not any(top in library.modules for library in TABLES):
            raise self.refusal(node, "name", without_module(full))
        return Named(full)

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> list[Any]:
        outer = dict(self.names)
        elements: list[Any] = []

        def run(generators: Sequence[ast.comprehension]) -> None:
            if not generators:
                elements.append(self.value(node.elt))
                return
            first, *rest = generators
            if first.is_async:
                raise self.refusal(node, "syntax", _("async is not read."))
            for item in self._items(first.iter, self.value(first.iter)):
                self._assign(first.target, item)
                if all(self.value(condition) for condition in first.ifs):
                    run(rest)

        run(node.generators)
        self.names = outer
        return elements

    def _placed(self, node: ast.expr, evaluated: Any) -> Any:
        """A result whose refusal, if it becomes a part of the output, has this place."""
        if isinstance(evaluated, Tensor) and evaluated.computed is not None:
            evaluated.computed.place = evaluated.computed.place or self.source.place(node)
        return evaluated

    def _member(self, node: ast.Attribute) -> Any:
        name, called = node.attr, node is self._callee
        if isinstance(node.value, ast.Name) and node.value.id == MODEL:
            raise self.refusal(node, "name", self.source.member_of_model(name))
        of = self.value(node.value)
        if name.startswith("_"):
            raise self.refusal(
                node, "syntax", _("Names that begin with _ are not read: {name}.").format(name=name)
            )
        if isinstance(of, _Module | Named):
            return self._resolved(f"{of}.{name}", node)
        if isinstance(of, list) or name in self._table().members.get(type(of), ()):
            return _Method(of, name)
        if not isinstance(of, Tensor):
            raise self.refusal(node, "syntax", _(".{name} is not read here.").format(name=name))
        attribute = self._table().attributes.get(name)
        if attribute is not None:
            return self._call(name, node, node.value, lambda: attribute(self.builder, of))
        if not called:
            message = without_attribute(self._table(), name)
            raise CodeRefused("name", message, self.source.place(node, node.value))
        return _Method(of, name)

    def _table(self) -> Library:
        return next(of for of in TABLES if of.key == self.builder.library)

    def _subscript(self, node: ast.Subscript) -> Any:
        of, key = self.value(node.value), self._key(node.slice)
        if isinstance(of, Tensor):
            return self._call(
                "[...]", node, node.value, lambda: indexing.get(self.builder, of, key)
            )
        if isinstance(of, At):
            return IndexedPart(of.tensor, key)
        if isinstance(of, Named) and of in ("numpy.s_", "numpy.index_exp"):
            return key
        if isinstance(of, list | tuple | range | str) and isinstance(key, int | slice):
            return of[key]
        raise self.refusal(node, "syntax", _("Only tensors, lists and texts have subscripts."))

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
        edge = self.value(node)
        if isinstance(edge, Tensor) and edge.rank == 0 and not edge.moving:
            edge = edge.array.item()
        if isinstance(edge, Tensor) and edge.moving:
            raise needs_number(edge)
        if edge is not None and (isinstance(edge, bool) or not isinstance(edge, int)):
            raise self.refusal(node, "argument", _("A slice needs whole numbers."))
        return edge

    # calls

    def _called(self, node: ast.Call) -> Any:
        alone, self._alone = self._alone, None
        self._callee = node.func
        function = self.value(node.func)
        args = self._listed(node.args, self.value)
        kwargs = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self.refusal(node, "syntax", _("** is not read; write the arguments out."))
            kwargs[keyword.arg] = self.value(keyword.value)
        match function:
            case _Builtin():
                return self._builtin(node, function.name, args, kwargs)
            case _Method(of=list()):
                return self._append(node, function, args)
            case _Method():
                return self._method(node, function, args, kwargs, alone is node)
            case Named():
                return self._function(node, function, args, kwargs)
            case Later():
                keywords = {**function.kwargs, **kwargs}
                taken = (*args[:1], *function.args, *args[1:])
                return self._bound(node, function.name, function.function, taken, keywords)
        raise self.refusal(node, "syntax", _("This cannot be called."))

    def _append(self, node: ast.Call, method: _Method, args: Sequence[Any]) -> None:
        if method.name != "append" or len(args) != 1 or len(method.of) >= arithmetic.LIST_LIMIT:
            raise self.refusal(node, "syntax", _("Lists have only append here."))
        self._extend(node, method.of, args)

    def _function(self, node: ast.Call, name: Named, args: Any, kwargs: Any) -> Any:
        for library in TABLES:
            if name in library.functions:
                written, function = ast.unparse(node.func), library.functions[name]
                returned = self._bound(node, written, function, args, kwargs)
                return self.calls[-1].of_function(name, args, kwargs, returned)
        raise self.refusal(node.func, "name", without_function(str(name)))

    def _method(self, node: ast.Call, method: _Method, args: Any, kwargs: Any, alone: bool) -> Any:
        library = self._table()
        function = library.members.get(type(method.of), library.methods).get(method.name)
        other = library_with_method(method.name)
        if function is None and other is not None:
            # what computes in another library is not called missing here
            meant = other.methods[method.name]
            function = meant if meant in (rules.computes, rules.by_values) else None
        if function is None:
            message = without_method(library, method.name)
            raise CodeRefused("name", message, self.source.place(node.func, _owner(node.func)))
        returned = self._bound(node, method.name, function, (method.of, *args), kwargs)
        if method.name.endswith("_") and returned is not method.of:
            return self._write_in_place(node, method, returned, [*args, *kwargs.values()], alone)
        return returned

    def _write_in_place(
        self, node: ast.Call, method: _Method, returned: Any, args: Sequence[Any], alone: bool
    ) -> Any:
        """What a method such as ``masked_fill_`` returns: its tensor, as it has become.

        The tensor is written to, or has the sizes and strides of what the method returned.
        """
        old = method.of
        if not writing.shares([*self.names.values()], old):
            return returned
        if not alone:
            raise self.refusal(
                node,
                "view",
                _("{name} writes into its tensor; use it on a line of its own.").format(
                    name=method.name
                ),
            )
        if writing.shares(returned, old):
            self.names = {
                name: returned if self._current(value, node) is old else value
                for name, value in self.names.items()
            }
            return returned
        self._call(
            method.name, node, None, lambda: writing.rewrite(self.builder, old, returned, args)
        )
        return self._current(old, node.func)

    def _builtin(self, node: ast.Call, name: str, args: Sequence[Any], kwargs: Any) -> Any:
        if name == "len":
            (of,) = args
            return of.sizes[0] if isinstance(of, Tensor) else len(of)
        if name in arithmetic.LISTS:
            lists = [
                self._items(node, arg) if name == "zip" or k == 0 else arg
                for k, arg in enumerate(args)
            ]
            return arithmetic.LISTS[name](*lists, **kwargs)
        return arithmetic.called(self.builder, name, args, kwargs)

    def _bound(self, node: ast.Call, name: str, function: Function, args: Any, kwargs: Any) -> Any:
        """The result of a function of a table, for arguments that fit its parameters."""
        args, kwargs = unnamed(function, args, kwargs)
        if not fits(function, (self.builder, *args), kwargs):
            raise self.refusal(node, "argument", unfit_arguments(name, function, kwargs))
        after = _owner(node.func) if self._is_method(node) else None
        if function is rules.computes:
            message = _("{name} computes new values; only movements are shown.").format(name=name)
            raise CodeRefused("computes", message, self.source.place(node, after))
        return self._call(name, node, after, lambda: function(self.builder, *args, **kwargs))

    def _is_method(self, node: ast.Call) -> bool:
        """Whether a call belongs to a tensor that is written before it."""
        if not isinstance(node.func, ast.Attribute):
            return False
        first: ast.expr = node.func.value
        while isinstance(first, ast.Attribute):
            first = first.value
        named = self.names.get(first.id, _Module("")) if isinstance(first, ast.Name) else None
        return not isinstance(named, _Module)

    def _call(
        self, name: str, node: ast.AST, after: ast.AST | None, make: Callable[[], Any]
    ) -> Any:
        """Run a part of the code, whose nodes belong to it."""
        place = self.source.place(node, after)
        call = Call(name, self.source.piece(place), place)
        outer, self.builder.call = self.builder.call, len(self.calls)
        self.calls.append(call)
        try:
            with self.at(node, after):
                returned = make()
        finally:
            self.builder.call = outer
        call.tensors = tuple(
            item for item in flat([returned]) if isinstance(item, Tensor) and item.moving
        )
        return returned


def _owner(function: ast.expr) -> ast.expr:
    """What a method belongs to: of ``x.at[0].set``, ``x``."""
    assert isinstance(function, ast.Attribute)
    match function.value:
        case ast.Subscript(value=ast.Attribute(attr="at", value=whole)):
            return whole
    return function.value
