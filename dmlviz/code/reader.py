"""Code -> operations: Python, read on sizes and on sources.

Nothing is ever executed: names come from the tables of :mod:`dmlviz.code.libraries`, and calls
are those of their functions. Every loop, list, number and tensor is bounded.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from dmlviz.base.budget import spend
from dmlviz.base.words import _
from dmlviz.code import arithmetic, indexing, rules, writing
from dmlviz.code.arguments import (
    Named,
    as_tensor,
    fits,
    flat,
    stack,
    unbind,
    unfit_arguments,
    unnamed,
)
from dmlviz.code.builder import Builder
from dmlviz.code.calls import Call, names_of_outputs
from dmlviz.code.index_numbers import Subscripted
from dmlviz.code.libraries import (
    TABLES,
    library_with_method,
    maker_of_lists,
    without_attribute,
    without_function,
    without_method,
    without_module,
)
from dmlviz.code.library import (
    At,
    Function,
    IndexedPart,
    Later,
    MappedFunction,
    Sequential,
)
from dmlviz.code.numpy import NUMPY
from dmlviz.code.open_names import EntryPoint, default_of
from dmlviz.code.python.reader import PythonReader
from dmlviz.code.python.values import (
    Instance,
    PythonClass,
    Undecided,
    ValueMethod,
    values_within,
)
from dmlviz.code.refusals import CodeRefused, NewValues, UseDecides, unknown_name_words
from dmlviz.code.source import MODEL, Source, moves_nothing, without_random
from dmlviz.code.tensor import Tensor
from dmlviz.code.undefined import check_written
from dmlviz.tensors import print_sizes
from dmlviz.tensors.types import Array, Sizes

_TENSOR_TYPES = ("torch.Tensor", "numpy.ndarray", "tensorflow.Tensor", "jax.Array")
_OF_MODELS = ("register_buffer", "eval", "train", "to", "requires_grad_")
"""The methods that every model of PyTorch has, and that change no movement."""


class _Module(str):
    """A module by its full name."""


class CodeReader(PythonReader):
    """The state while code is read: names, and the builder of operations.

    Attributes:
        starts: the parts of the code that make an input which has no name there, with its name.
        tensor_names: the first name that the code gives each tensor, by its name in the graph.
    """

    def __init__(self, source: Source, builder: Builder) -> None:
        super().__init__(source)
        self.builder = builder
        self.calls: list[Call] = []
        self.result: Any = None
        self.result_names: list[str] = []
        self.tensor_names: dict[str, str] = {}
        self.used: set[str] = set()
        self.modules: list[str] = []
        self.starts: Mapping[ast.expr, str] = {}
        self._statements: set[ast.expr] = set()
        self._callees: set[ast.expr] = set()

    # statements

    def _statement(self, node: ast.stmt) -> None:
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
            case _:
                super()._statement(node)

    def _is_untouched(self, name: str) -> bool:
        """Whether a name is an input's that is neither used nor assigned so far."""
        value = self.names.get(name)
        return (
            isinstance(value, Tensor)
            and value in self.builder.inputs.values()
            and name not in self.used
        )

    def _assign_input(self, node: ast.Assign, name: str) -> None:
        """An input that the code makes of numbers, ``x = torch.rand(2, 3)``, stays the input."""
        made = self.made_tensor(node.value)
        if made is None:
            super()._statement(node)
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

    def top(self, node: ast.expr) -> Any:
        """The value of a whole statement, where a method may write into its tensor."""
        self._statements.add(node)
        return self.value(node)

    def note(self, value: Any, target: ast.expr | None) -> None:
        """Remember what the last statement makes, and its names."""
        if self.calling:
            return
        value = value if target is None else self.current(value, target)
        if any(True for _each in named_tensors("", value)):
            self.result = value
            elements = getattr(target, "elts", [target])
            self.result_names = [e.id for e in elements if isinstance(e, ast.Name)]

    def begin(self, entry: EntryPoint, values: Mapping[str, Any]) -> None:
        """Call the function, or the method of the class, with which code begins.

        Args:
            entry: where that is.
            values: of its parameters, by name; the others have their defaults.
        """
        definition = entry.node
        call = ast.copy_location(ast.Call(ast.Name(definition.name), [], []), definition)
        made: Any = self.names[definition.name]
        for function, parameters in entry.arguments:
            if function is entry.function and isinstance(definition, ast.ClassDef):
                if entry.start is None:
                    made = self.call(call, made, [], {})
                member = ast.copy_location(
                    ast.Attribute(call, function.name, ast.Load()), definition
                )
                if isinstance(made, Instance):
                    made = self.member_of(member, made, function.name)
            args, kwargs = list[Any](), dict[str, Any]()
            if (
                function.args.args
                and function.args.args[0].arg == MODEL
                and not isinstance(definition, ast.ClassDef)
            ):
                args.append(values.get(MODEL, Instance(MODEL)))
            for one in parameters:
                if one.arg in values:
                    kwargs[one.arg] = values[one.arg]
                elif default_of(function, one.arg) is None:
                    message = unknown_name_words(one.arg, self.builder.inputs)
                    raise self.refusal(one, "name", message)
            for one in function.args.posonlyargs:
                if one.arg in kwargs:
                    args.append(kwargs.pop(one.arg))
            made = self.call(call, made, args, kwargs)
        self.note(made, self.returned)

    def outputs(self) -> dict[str, Tensor]:
        """The tensors of the last statement by name."""
        result = list(named_tensors("", self.result))
        tensors = [tensor for _name, tensor in result]
        for tensor in tensors:
            if tensor.computed is not None:
                raise tensor.computed
        if not any(tensor.moving for tensor in tensors):
            raise moves_nothing(self.source.text, self.builder.inputs, maker_of_lists)
        names = self.result_names
        if len(set(names)) != len(tensors) or set(names) & self.builder.inputs.keys():
            names = [name for name, _tensor in result]
        if len({*names} - {""}) != len(tensors) or {*names} & self.builder.inputs.keys():
            names = names_of_outputs(len(tensors), self.builder.inputs)
        moved = [self.builder.moved(tensor) for tensor in tensors]
        check_written(self.builder, moved)
        return dict(zip(names, moved, strict=True))

    def names_now(self) -> dict[str, Any]:
        """What the names are after all writes."""
        values = writing.with_writes(self.builder, tuple(self.names.values()))
        return dict(zip(self.names, values, strict=True))

    def _import(self, alias: ast.alias) -> None:
        top = alias.name.partition(".")[0]
        self.names[alias.asname or top] = self._resolved(
            alias.name if alias.asname else top, alias, module=True
        )

    def augmented(self, before: Any, made: Any) -> bool:
        """Write what ``x += 1`` makes into memory that has another name, or a view."""
        if not isinstance(before, Tensor) or self.builder.table.instead:
            return False
        if sum(1 for _same in writing.sharing(before, list(self.every_value()))) < 2:
            return False
        writing.augment(self.builder, before, made)
        return True

    def _items(self, node: ast.expr, iterable: Any) -> list[Any]:
        """As of :class:`Expressions`; of a tensor, its parts."""
        if not isinstance(iterable, Tensor):
            return super()._items(node, iterable)
        count = iterable.sizes[0] if iterable.rank else 0
        self._check_turns(node, count)
        return [self._part(node, iterable, k) for k in range(count)]

    def _part(self, node: ast.expr, of: Tensor, k: int) -> Any:
        return self._call("[...]", node, None, lambda: indexing.get(self.builder, of, k))

    def assign(self, target: ast.expr, value: Any) -> None:
        """As of :class:`PythonReader`; the first name of a tensor is remembered."""
        super().assign(target, value)
        if isinstance(target, ast.Name) and isinstance(value, Tensor) and value.moving:
            self.tensor_names.setdefault(value.name, target.id)

    def write(self, target: ast.Subscript, of: Any, value: Any) -> None:
        """``x[key] = value``, where x may be a view of a tensor that has a name."""
        if not isinstance(of, Tensor):
            super().write(target, of, value)
        name = next((name for name, one in self.names.items() if writing.shares(one, of)), "")
        name = target.value.id if isinstance(target.value, ast.Name) else name
        if not name and of.writable and not writing.shares(list(self.every_value()), of):
            raise self.not_a_target(target)
        library = self.builder.table
        if library.instead:
            raise self.refusal(
                target,
                "name",
                _("{library} tensors cannot be changed; use {instead}.").format(
                    library=library.title, instead=library.instead
                ),
            )
        key = self._key(target.slice)
        self._call("[...] =", target, None, lambda: writing.write(self.builder, of, key, value))
        if name in self.names:
            self.note(self.names[name], ast.copy_location(ast.Name(name), target))

    def current(self, value: Any, node: ast.expr) -> Any:
        """A value as it is after the writes so far: a view is read again where it is used."""
        if not writing.is_stale(value):
            return writing.with_writes(self.builder, value)
        name = ast.unparse(node)
        return self._call(name, node, None, lambda: writing.with_writes(self.builder, value))

    # expressions

    def _value(self, node: ast.expr) -> Any:
        if node in self.starts:
            return self._started(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            return self.matrix_product(node)
        return super()._value(node)

    def matrix_product(self, node: ast.BinOp) -> Any:
        """The value of ``x @ y``.

        Raises:
            CodeRefused: always, because it computes.
        """
        message = _("{name} computes new values; only movements are shown.")
        raise self.refusal(node, "computes", message.format(name="@"))

    def _started(self, node: ast.expr) -> Tensor:
        """The input that a part of the code makes."""
        name, made = self.starts[node], self.made_tensor(node)
        if made is not None:
            self._check_made(node, name, made[0])
        return self.builder.inputs[name]

    # what a tensor is in Python

    def truth_of(self, node: ast.expr, value: Any) -> bool:
        """As of :class:`Expressions`."""
        return super().truth_of(node, self.plain(value))

    def plain(self, value: Any) -> Any:
        """The number of a tensor with one element that does not move."""
        if isinstance(value, Tensor):
            return self.builder.control_values(value).item()
        return super().plain(value)

    def length(self, node: ast.expr, of: Any) -> int:
        """The size of a tensor's first dimension, or the number of items."""
        if isinstance(of, Undecided):
            raise of.use(is_number=False)
        return of.sizes[0] if isinstance(of, Tensor) else len(of)

    def is_of_type(self, node: ast.expr, of: Any, kind: Any) -> bool:
        """As of :class:`Calls`; tensors have the types of their libraries."""
        if isinstance(kind, Named) and kind in _TENSOR_TYPES:
            if isinstance(of, Undecided):
                raise of.use(is_number=False)
            return isinstance(of, Tensor)
        return super().is_of_type(node, self._decided(of), kind)

    def _decided(self, value: Any, beside: Any = None) -> Any:
        """A value whose name must be decided: a number, unless a tensor is beside it."""
        if isinstance(value, Undecided):
            raise value.use(is_number=not isinstance(beside, Tensor))
        return value

    def signed(self, node: ast.UnaryOp, value: Any) -> Any:
        """As of :class:`Expressions`."""
        if isinstance(value, Tensor):
            return self._placed(node, arithmetic.signed(self.builder, node.op, value))
        return super().signed(node, self._decided(value))

    def calculated(self, node: ast.expr, op: ast.operator, left: Any, right: ast.expr) -> Any:
        """As of :class:`Expressions`."""
        return self.arithmetic(node, op, left, self.value(right))

    def arithmetic(self, node: ast.expr, op: ast.operator, left: Any, right: Any) -> Any:
        """Arithmetic on two values, at a place of the code."""
        if isinstance(left, Undecided) and isinstance(right, Undecided):
            return Undecided(tuple(dict.fromkeys(left.names + right.names)))
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Undecided) and isinstance(other, int | float):
                # a later use decides
                return one
        pair = self._decided(left, right), self._decided(right, left)
        return self._placed(node, arithmetic.binary(self.builder, op, *pair))

    def compared(self, node: ast.Compare, comparison: ast.cmpop, left: Any, right: Any) -> Any:
        """As of :class:`Expressions`."""
        pair = self._decided(left, right), self._decided(right, left)
        if any(isinstance(one, Tensor) for one in pair):
            return self._placed(node, arithmetic.compared(self.builder, comparison, *pair))
        return super().compared(node, comparison, *pair)

    def _contained(self, item: Any, of: Any) -> bool:
        if any(isinstance(one, Tensor | Undecided) for one in flat([item, of])):
            raise CodeRefused("values", _("in is read with numbers and texts, not with tensors."))
        return super()._contained(item, of)

    def lookup(self, name: str) -> Any:
        """As of :class:`Expressions`; the name counts as used."""
        self.used.add(name)
        return super().lookup(name)

    def unknown(self, node: ast.Name) -> Any:
        """A library, or the model that the code is a part of."""
        for library in TABLES:
            if node.id in library.names:
                return self._resolved(library.names[node.id], node)
        if node.id == MODEL:
            return self.scopes[0].names.setdefault(MODEL, Instance(MODEL))
        raise self.refusal(node, "name", unknown_name_words(node.id, self.builder.inputs))

    def _resolved(self, full: str, node: ast.AST, module: bool = False) -> Any:
        """What a full name means: a module, a constant, or a function."""
        for library in TABLES:
            if full in library.modules:
                self.modules.append(full)
                return _Module(library.modules[full])
            if full in library.constants:
                return library.constants[full]
        inside = {full.partition(".")[0], full.rpartition(".")[0]}
        if module or not any(inside & library.modules.keys() for library in TABLES):
            raise self.refusal(node, "name", without_module(full))
        return Named(full)

    def _placed(self, node: ast.expr, evaluated: Any) -> Any:
        """A result whose refusal, if it becomes a part of the output, has this place."""
        if isinstance(evaluated, Tensor) and evaluated.computed is not None:
            evaluated.computed.place = evaluated.computed.place or self.source.place(node)
        return evaluated

    def member(self, node: ast.Attribute, of: Any, name: str) -> Any:
        """A module's name, or a tensor's attribute or method."""
        if isinstance(of, Undecided):
            raise of.use(is_number=False)
        if isinstance(of, _Module | Named):
            return self._resolved(f"{of}.{name}", node)
        if name in self.builder.table.members.get(type(of), ()):
            return ValueMethod(of, name)
        if not isinstance(of, Tensor):
            raise self.refusal(node, "syntax", _(".{name} is not read here.").format(name=name))
        attribute = self.builder.table.attributes.get(name)
        if attribute is not None:
            return self._call(name, node, node.value, lambda: attribute(self.builder, of))
        if node not in self._callees:
            message = without_attribute(self.builder.table, name)
            raise CodeRefused("name", message, self.source.place(node, node.value))
        return ValueMethod(of, name)

    def open_member(self, node: ast.Attribute, of: Instance | PythonClass, name: str) -> Any:
        """A number of a model that the code leaves open, or what every model has."""
        opened = self.scopes[0].names.get(of.name)
        if isinstance(opened, Instance) and name in opened.attributes:
            return opened.attributes[name]
        if of.name == MODEL and name in self.builder.inputs:
            # self.table, whose name the code has nowhere else
            return self.builder.inputs[name]
        if name == "training":
            # a model is read as in evaluation
            return False
        if name in _OF_MODELS and isinstance(of, Instance):
            return ValueMethod(of, name)
        raise self.refusal(node, "name", self.source.member_of_model(f"{of.name}.{name}"))

    def subscripted(self, node: ast.Subscript, of: Any, key: Any) -> Any:
        """A part of a tensor."""
        for one in (of, *(key if isinstance(key, tuple) else (key,))):
            if isinstance(one, Undecided):
                raise one.use(is_number=isinstance(of, list | tuple | dict))
        if isinstance(of, Tensor):
            return self._call(
                "[...]", node, node.value, lambda: indexing.get(self.builder, of, key)
            )
        if isinstance(of, list | tuple) and isinstance(key, Tensor):
            return self.current(of[self.plain(key)], node)
        if isinstance(of, At):
            return IndexedPart(of.tensor, key)
        if isinstance(of, Subscripted):
            return self._call("[...]", node, node.value, lambda: of.take(self.builder, key))
        raise self.refusal(node, "syntax", _("Only tensors, lists and texts have subscripts."))

    # calls

    def _called(self, node: ast.Call) -> Any:
        self._callees.add(node.func)
        builder, before = self.builder, (self.builder.library, self.builder.table)
        if getattr(node.func, "attr", "") == "from_numpy":
            # what it takes is NumPy's, and what it gives is not
            builder.library, builder.table = NUMPY.key, NUMPY
        try:
            return super()._called(node)
        finally:
            builder.library, builder.table = before

    def call(
        self, node: ast.Call, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Any:
        """As of :class:`Calls`; what every model has changes no movement."""
        if isinstance(function, ValueMethod) and isinstance(function.of, Instance):
            return self._of_model(node, function, args)
        return super().call(node, function, args, kwargs)

    def call_of_library(
        self, node: ast.Call, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Any:
        """A function, a method or a layer of a library."""
        match function:
            case ValueMethod():
                return self._method(node, function, args, kwargs)
            case Named():
                return self._function(node, function, args, kwargs)
            case Sequential():
                (x,) = args
                for each in function.layers:
                    x = self.call(node, each, [x], {})
                return x
            case MappedFunction():
                return self._mapped(node, function, args)
            case Later():
                keywords = {**function.kwargs, **kwargs}
                taken = (*args[:1], *function.args, *args[1:])
                return self._bound(node, function.name, function.function, taken, keywords)
        raise self.refusal(node, "syntax", _("This cannot be called."))

    def _mapped(self, node: ast.Call, mapped: MappedFunction, args: Sequence[Any]) -> Any:
        """A function called with each part of its tensors, and its results stacked."""
        axes = mapped.in_axes
        every = axes if isinstance(axes, list | tuple) else [axes] * len(args)
        columns = [
            None if axis is None else self._parts(node, x, axis)
            for x, axis in zip(args, every, strict=True)
        ]
        counts = {len(column) for column in columns if column is not None}
        if len(counts) != 1:
            message = _("vmap needs tensors of one size along its axes.")
            raise self.refusal(node, "sizes", message)
        made = []
        for k in range(counts.pop()):
            taken = zip(args, columns, strict=True)
            parts = [x if column is None else column[k] for x, column in taken]
            made.append(self.call(node, mapped.function, parts, {}))
        if isinstance(made[0], tuple):
            several = zip(*made, strict=True)
            return tuple(self._stacked(node, list(each), mapped) for each in several)
        return self._stacked(node, made, mapped)

    def _parts(self, node: ast.Call, x: Any, axis: int) -> list[Tensor]:
        """The parts of a tensor along a dimension."""
        tensor = as_tensor(self.builder, x)
        self._check_turns(node, max(tensor.sizes, default=0))
        return list(self._call("vmap", node, None, lambda: unbind(self.builder, tensor, axis)))

    def _stacked(self, node: ast.Call, parts: list[Any], mapped: MappedFunction) -> Any:
        return self._call("vmap", node, None, lambda: stack(self.builder, parts, mapped.out_axes))

    def _of_model(self, node: ast.Call, method: ValueMethod, args: Sequence[Any]) -> Any:
        """What every model of PyTorch has: it is not trained here, and is where it is."""
        if method.name != "register_buffer":
            return method.of
        name, value = args[:2]
        method.of.attributes[name] = value
        return None

    def _function(self, node: ast.Call, name: Named, args: Any, kwargs: Any) -> Any:
        for library in TABLES:
            if name in library.functions:
                written, function = ast.unparse(node.func), library.functions[name]
                returned = self._bound(node, written, function, args, kwargs)
                return self.calls[-1].of_function(name, args, kwargs, returned)
        raise self.refusal(node.func, "name", without_function(str(name)))

    def _method(self, node: ast.Call, method: ValueMethod, args: Any, kwargs: Any) -> Any:
        library = self.builder.table
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
            return self._write_in_place(node, method, returned, [*args, *kwargs.values()])
        return returned

    def _write_in_place(
        self, node: ast.Call, method: ValueMethod, returned: Any, args: Sequence[Any]
    ) -> Any:
        """What a method such as ``masked_fill_`` returns: its tensor, as it has become.

        The tensor is written to, or has the sizes and strides of what the method returned.
        """
        old = method.of
        values = list(self.every_value())
        if not writing.shares(values, old):
            return returned
        if node not in self._statements:
            raise self.refusal(
                node,
                "view",
                _("{name} writes into its tensor; use it on a line of its own.").format(
                    name=method.name
                ),
            )
        if writing.shares(returned, old):
            if any(item is old for item in values_within(v for v in values if v is not old)):
                message = _("{name} is not read here, because a list has the tensor, too.")
                raise self.refusal(node, "view", message.format(name=method.name))
            for scope in self.scopes:
                scope.names = {
                    name: returned if self.current(value, node) is old else value
                    for name, value in scope.names.items()
                }
            return returned
        self._call(
            method.name, node, None, lambda: writing.rewrite(self.builder, old, returned, args)
        )
        return self.current(old, node.func)

    def _bound(self, node: ast.Call, name: str, function: Function, args: Any, kwargs: Any) -> Any:
        """The result of a function of a table, for arguments that fit its parameters."""
        args, kwargs = unnamed(function, args, kwargs)
        if not fits(function, (self.builder, *args), kwargs):
            raise self.refusal(node, "argument", unfit_arguments(name, function, kwargs))
        after = _owner(node.func) if self._is_method(node) else None

        def made() -> Any:
            try:
                returned = function(self.builder, *args, **kwargs)
            except NewValues:
                raise NewValues(name) from None
            if isinstance(returned, Tensor) and returned.computed and not returned.computed.place:
                # it was computed here, and must not become a part of the output
                returned.computed = NewValues(name)
                returned.computed.place = self.source.place(node, after)
            return returned

        try:
            return self._call(name, node, after, made)
        except UseDecides:
            raise
        except CodeRefused as refused:
            undecided = (x for x in flat([*args, *kwargs.values()]) if isinstance(x, Undecided))
            one = next(undecided, None)
            if one is None or refused.kind != "argument":
                raise
            # what fits no tensor is a number
            raise one.use(is_number=True) from None

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


def named_tensors(name: str, value: Any) -> Iterator[tuple[str, Tensor]]:
    """The tensors of lists and dicts, each with the names of its keys, or an empty text."""
    if isinstance(value, Tensor):
        yield name, value
    elif isinstance(value, list | tuple):
        spend("items", len(value))
        for item in value:
            yield from named_tensors("", item)
    elif isinstance(value, dict):
        spend("items", len(value))
        for key, item in value.items():
            word = re.sub(r"\W+", "_", f"{name}_{key}" if name else str(key), flags=re.ASCII)
            yield from named_tensors(word if word.isidentifier() else "", item)


def _owner(function: ast.expr) -> ast.expr:
    """What a method belongs to: of ``x.at[0].set``, ``x``."""
    assert isinstance(function, ast.Attribute)
    match function.value:
        case ast.Subscript(value=ast.Attribute(attr="at", value=whole)):
            return whole
    return function.value
