"""Statements read one after the other, and what one expression after them moves.

Documentation prints a result after every few lines. A session keeps what the names are, and gives
for an expression the shortest chain that makes it of the tensors that the lines begin with. What
the reader refuses makes the names unknown that it may have changed, so that nothing is read with
another value than Python would have.
"""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain as joined
from typing import Any

import numpy as np

from dmlviz.base.budget import spend
from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.code.arguments import flat, lists_in
from dmlviz.code.builder import Builder
from dmlviz.code.chain import Chain, read
from dmlviz.code.libraries import TABLES, TENSOR_MAKERS, tensors_of
from dmlviz.code.python.values import Composite
from dmlviz.code.reader import CodeReader
from dmlviz.code.refusals import CodeRefused, computes_values, depends_on_values, reading
from dmlviz.code.source import Source, is_random, without_random
from dmlviz.code.tensor import Tensor, control
from dmlviz.tensors import DATA_TYPES, data_type_of
from dmlviz.tensors.types import Array

ELEMENTS_LIMIT = 1 << 20
"""The limit of elements of all tensors that a session keeps: 8 MB."""

STATEMENTS_LIMIT = 500
"""The limit of statements of a session."""

# fmt: off
# what changes a tensor or a list without a sign of equality
_WRITERS = frozenset((
    "append", "byteswap", "clear", "copyto", "delete", "extend", "fill", "fill_diagonal", "insert",
    "itemset", "partition", "place", "pop", "put", "put_along_axis", "putmask", "remove", "resize",
    "reverse", "setflags", "setfield", "shuffle", "sort", "update",
))
# data types that do not have every number of the code
_NARROW = frozenset((
    "int8", "uint8", "int16", "uint16", "uint32", "uint64", "float16", "bfloat16", "half", "byte",
    "short", "char", "bool", "u1", "i1",
))
# Python's functions that change nothing
_PURE = frozenset((
    "abs", "all", "any", "bool", "dict", "divmod", "enumerate", "float", "int", "isinstance", "len",
    "list", "max", "min", "print", "range", "repr", "reversed", "round", "slice", "sorted", "str",
    "sum", "tuple", "type", "zip",
))
# fmt: on


@dataclass(frozen=True, eq=False)
class Moved:
    """What an expression moves.

    Attributes:
        chain: from the tensors that the code begins with to those of the expression.
        values: of the chain's inputs, by name; of one data type.
        truth: whether they are truth values, which are 0 and 1 here.
    """

    chain: Chain
    values: Mapping[str, Array]
    truth: bool

    def arrived(self, name: str) -> Array:
        """The values of an output, from their sources.

        Raises:
            Error: a constant of the code is no number of the values' data type.
        """
        line = np.concatenate([array.ravel() for array in self.values.values()])
        tensor = self.chain.outputs[name]
        source = self.chain.source(tensor)
        constants = self.chain.constants_of(tensor, data_type_of(line.dtype))
        arrived: Array = np.asarray(line[np.maximum(source, 0)])
        return arrived if constants is None else np.where(source < 0, constants, arrived)


@dataclass(frozen=True, eq=False)
class _Step:
    """A statement that was read.

    Attributes:
        node: its syntax tree; None for a tensor whose values came from elsewhere.
        reads, writes: names.
        ends: whether the names that it writes have nothing of their earlier values.
        made: what it makes of numbers alone, if it gives that to one name.
    """

    node: ast.stmt | None
    reads: frozenset[str]
    writes: frozenset[str]
    ends: bool
    made: Array | None


class Session:
    """The names of a text, read one statement after the other; nothing is executed.

    Attributes:
        names: what they are.
        unknown: names whose values are not known.
        fresh: those of them that share memory with nothing else, such as random numbers.

    Args:
        library: whose tensors the text has, a key of :data:`dmlviz.code.libraries.LIBRARIES`.
        stand_ins: whether other numbers, each different, may stand for random ones.
    """

    def __init__(self, library: str, *, stand_ins: bool = False) -> None:
        self.library, self.stand_ins = library, stand_ins
        self.names: dict[str, Any] = {}
        self.unknown: set[str] = set()
        self.fresh: set[str] = set()
        self._steps: list[_Step] = []
        self._bodies: dict[str, set[str]] = {}

    def read(self, text: str, node: ast.stmt) -> None:
        """Read the next statement.

        Args:
            text: that the node's places are in.
            node: a statement of it.

        Raises:
            CodeRefused: it is not read; all names that it may have changed are unknown now.
        """
        # every statement looks at what all names are
        spend("items", len(self.names) + len(self.unknown))
        random = self.stand_ins and any(map(is_random, ast.walk(node)))
        try:
            if random and isinstance(node, ast.Assign):
                text = f"{ast.unparse(node.targets[0])} = {without_random(node.value)[0]}"
                node = ast.parse(text).body[0]
            self._check(node)
            reader, before = self._reader(text), self._versions()
            with reading():
                reader.statement(node)
            if random:
                self._stand_in(reader.names, node)
            self._keep(reader.names_now())
        except (CodeRefused, RecursionError) as refused:
            self._forget(node)
            if isinstance(refused, RecursionError):
                raise _too_deep() from None
            raise refused.with_traceback(None) from None
        # others see a write to memory that they share
        now = self._versions()
        seen = {name for name, version in before.items() if now[name] != version}
        writes = frozenset(_written(node)) | seen
        self.unknown -= writes
        self.fresh -= writes
        reads = frozenset(_loaded(node)) | seen
        made = None
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]):
                value = self.names[name]
                alone = writes == {name} and not any(map(self.is_tensor, reads))
                if isinstance(value, Tensor) and alone:
                    made = value.array
        ends = isinstance(node, ast.Assign | ast.Import | ast.ImportFrom) and not any(
            isinstance(target, ast.Subscript) for target in getattr(node, "targets", ())
        )
        self._steps.append(_Step(node, reads, writes, ends, made))

    def _versions(self) -> dict[str, int]:
        """For each name, how many writes there were to the memory of its tensors."""
        return {
            name: sum(tensor.memory.version for tensor in _tensors(value))
            for name, value in self.names.items()
        }

    def _stand_in(self, names: dict[str, Any], node: ast.stmt) -> None:
        """Put numbers that are all different in the place of random ones."""
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if isinstance(names[name], Tensor):
                array = names[name].array
                line = np.arange(1, array.size + 1).reshape(array.shape)
                if array.dtype == bool or not any(map(self.is_tensor, _loaded(node))):
                    names[name] = control(line.astype(array.dtype))
                    return
        raise CodeRefused("values", _("Random numbers are different in every run."))

    def arrays(self, node: ast.expr) -> list[Array]:
        """The values of the tensors that an expression has; none if it is not read."""
        try:
            return [tensor.array for tensor in _tensors(_settled(self.value(node)))]
        except CodeRefused:
            return []

    def pass_over(self, node: ast.stmt) -> None:
        """Leave out the next statement: what it may change is unknown."""
        self._forget(node)
        self.fresh -= {*_written(node)}

    def missing(self, node: ast.expr) -> bool:
        """Whether an expression uses a name that is unknown."""
        return any(name in self.unknown for name in _loaded(node))

    def learn(self, name: str, values: Array) -> None:
        """Give a name a tensor that the text states and does not calculate."""
        self.names[name] = control(values)
        self.unknown.discard(name)
        self.fresh.discard(name)
        self._steps.append(_Step(None, frozenset(), frozenset([name]), True, values))

    def moved(self, node: ast.expr) -> Moved:
        """What an expression moves, after the statements that were read.

        Raises:
            CodeRefused: it is not read, or moves nothing.
        """
        try:
            self._check(node)
            try:
                return self._moved(node, lists=False)
            except CodeRefused as refused:
                if refused.kind != "nothing":
                    raise
                return self._moved(node, lists=True)
        except RecursionError:
            raise _too_deep() from None

    def value(self, node: ast.expr) -> Any:
        """What an expression is; None if it is not read."""
        text = ast.unparse(node)
        try:
            with reading():
                return self._reader(text).value(ast.parse(text, mode="eval").body)
        except CodeRefused:
            return None

    def _reader(self, text: str) -> CodeReader:
        reader = CodeReader(Source(text), Builder(tensors_of(self.library, text).key))
        # what a page prints of them is different in every run
        reader.builder.takes_undefined = False
        reader.names = dict(self.names)
        return reader

    def _check(self, node: ast.AST) -> None:
        """Refuse what is unknown, or would be too much to keep."""
        if len(self._steps) >= STATEMENTS_LIMIT:
            message = _("The code has more than {most} statements: try a part of it.")
            raise CodeRefused("limit", message.format(most=STATEMENTS_LIMIT))
        for name in _loaded(node):
            if name in self.unknown:
                message = _("The value of {name} is unknown, because an earlier line is not read.")
                raise CodeRefused("values", message.format(name=name))
        if any(map(is_random, ast.walk(node))):
            raise CodeRefused("values", _("Random numbers are different in every run."))

    def _keep(self, names: dict[str, Any]) -> None:
        with reading():
            # Python makes lists in lists of few letters
            parts = [part for items in lists_in([*names.values()]) for part in items]
        # the names that it uses may have other values later
        if any(isinstance(part, Composite | dict) for part in parts):
            raise CodeRefused("syntax", _("Functions, classes and dicts are not read here."))
        names = {name: _settled(value) for name, value in names.items()}
        arrays = {id(t.array): t.array for value in names.values() for t in _tensors(value)}
        if sum(array.size for array in arrays.values()) > ELEMENTS_LIMIT:
            message = _("All tensors together have more than {most} elements: try smaller sizes.")
            raise CodeRefused("limit", message.format(most=f"{ELEMENTS_LIMIT:,}"))
        self.names = names

    def is_tensor(self, name: str) -> bool:
        """Whether a name is a tensor, or holds some."""
        return any(True for _tensor in _tensors(self.names.get(name)))

    def _forget(self, node: ast.stmt) -> None:
        """Make unknown what a statement may have changed that is not read."""
        written = {*_written(node)}
        loaded = self._reached(node)
        changed = set(written)
        if self._may_write(node):
            shared = {id(t.memory) for name in loaded for t in _tensors(self.names.get(name))}
            # what is unknown may be a view of anything
            wild = bool(self.unknown & (written | {*_outputs(node)}))
            changed |= {name for name in loaded if not isinstance(self.names.get(name), str)}
            changed |= {
                name
                for name, value in self.names.items()
                if any(wild or id(tensor.memory) in shared for tensor in _tensors(value))
            }
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            self._bodies[node.name] = {*_loaded(node)}
        for name in changed:
            self.names.pop(name, None)
        self.unknown |= changed
        self.fresh -= changed
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if not loaded:
                self.fresh.add(name)

    def _reached(self, node: ast.AST) -> set[str]:
        """The names that a statement uses, and those in the functions that it calls."""
        reached: set[str] = set()
        due = {name for name in _loaded(node) if self._has_name(name)}
        while due:
            reached |= due
            bodies = (self._bodies.get(name, ()) for name in due)
            due = {name for body in bodies for name in body if self._has_name(name)} - reached
        return reached

    def _has_name(self, name: str) -> bool:
        """Whether a statement has assigned to a name, even what is unknown."""
        return name in self.names or name in self.unknown

    def _may_write(self, node: ast.stmt) -> bool:
        """Whether a statement may change a tensor that it uses, unless it is sure not to."""
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
            # what calls it may write
            return False
        if not isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr | ast.Return):
            return True
        for part in ast.walk(node):
            match part:
                case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                    return True
                case ast.keyword(arg="out" | "inplace" | None) | ast.NamedExpr() | ast.Lambda():
                    return True
                case ast.Call() if self._call_may_write(part):
                    return True
        return False

    def _call_may_write(self, node: ast.Call) -> bool:
        match node.func:
            case ast.Name(id=name):
                known = name in _PURE or any(f"{of.key}.{name}" in of.functions for of in TABLES)
                return not known or name in self.unknown
            case ast.Attribute(value=ast.Name(id="np" | "numpy"), attr=name):
                return _has_output(name, len(node.args))
            case ast.Attribute(value=owner, attr=name):
                root = next(_base(owner, libraries=True), "")
                library = any(root in of.names for of in TABLES)
                library = library or isinstance(self.names.get(root), str)
                known = not root or library or self.is_tensor(root)
                return not known or name in _WRITERS or name.endswith("_")
        return True

    def _moved(self, node: ast.expr, *, lists: bool) -> Moved:
        arrays: dict[str, Array] = {}
        used = {name for step in self._steps for name in (*step.reads, *step.writes)}
        makers = _Makers(self, arrays, used | {*_loaded(node)}, lists=lists)
        lines = []
        for step in self._needed(node):
            if step.made is not None or (lists and _is_list(step.node)):
                (name,) = step.writes
                if name in arrays:
                    message = _("{name} is given two tensors, which are two inputs.")
                    raise CodeRefused("name", message.format(name=name))
                made = step.made
                arrays[name] = np.asarray(_listed(step.node)) if made is None else made
            else:
                assert step.node is not None
                lines.append(ast.unparse(makers.visit(copy.deepcopy(step.node))))
        lines.append(ast.unparse(makers.visit(copy.deepcopy(node))))
        sizes = {name: tuple(array.shape) for name, array in arrays.items()}
        if any(_is_narrow(ast.parse(line)) for line in lines) and not all(
            np.isin(array, np.arange(128)).all() for array in arrays.values()
        ):
            raise computes_values()
        chain = read("\n".join(lines), sizes, arrays, self.library)
        if not chain.inputs:
            raise CodeRefused("nothing", _("No element of an input reaches the result."))
        moved = _valued(chain, arrays)
        self._check_values(node, moved)
        return moved

    def _check_values(self, node: ast.expr, moved: Moved) -> None:
        """Compare what moves with what the code is for its own numbers.

        They differ where the code rounds or cuts numbers to another data type.
        """
        tensors = list(_tensors(_settled(self.value(node))))
        arrived = [moved.arrived(name) for name in moved.chain.outputs]
        if len(tensors) != len(arrived) or not all(
            tensor.sizes == array.shape
            and np.array_equal(tensor.array, array, equal_nan=array.dtype.kind == "f")
            for tensor, array in zip(tensors, arrived, strict=True)
        ):
            raise computes_values()

    def _needed(self, node: ast.expr) -> list[_Step]:
        """The statements that an expression depends on, in order."""
        due, needed = {*_loaded(node)}, []
        for step in reversed(self._steps):
            if step.writes & due:
                needed.append(step)
                if step.ends:
                    due -= step.writes
                due |= step.reads
        return needed[::-1]


class _Makers(ast.NodeTransformer):
    """Names in place of the parts of code that make a tensor of numbers.

    Args:
        session: what the names are.
        arrays: of the inputs, by name; the new ones are added.
        used: names that are taken.
        lists: whether lists of numbers that a function takes first are tensors, too.
    """

    def __init__(
        self, session: Session, arrays: dict[str, Array], used: set[str], *, lists: bool
    ) -> None:
        self.session, self.arrays, self.used, self.lists = session, arrays, used, lists

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in TENSOR_MAKERS and not any(map(self.session.is_tensor, _loaded(node))):
            made = self.session.value(node)
            if isinstance(made, Tensor) and made.rank:
                return self._input(made.array)
        if self.lists and node.args:
            node.args[0] = self._of_list(node.args[0])
        return self.generic_visit(node)

    # a name is another tensor in every turn of a loop
    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        return node

    def _of_list(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.List | ast.Tuple):
            array = _numbers(node)
            several = any(isinstance(item, ast.List | ast.Tuple | ast.Name) for item in node.elts)
            if isinstance(node, ast.Tuple) and several:
                node.elts = [self._of_list(item) for item in node.elts]
            elif array is not None and array.ndim:
                return self._input(array)
        return node

    def _input(self, array: Array) -> ast.Name:
        free = joined(("x", "y", "z"), (f"x{n}" for n in range(1, 1_000)))
        name = next(name for name in free if name not in self.used)
        self.used.add(name)
        self.arrays[name] = array
        return ast.Name(name, ast.Load())


def _valued(chain: Chain, arrays: Mapping[str, Array]) -> Moved:
    """The inputs' values in one of the data types that engines have.

    Raises:
        CodeRefused: there is none.
    """
    values = {name: arrays[name] for name in chain.inputs}
    truth = all(array.dtype == bool for array in values.values())
    common = np.result_type(*values.values())
    dtype = np.dtype(np.uint8) if truth else common
    cast = {name: array.astype(dtype) for name, array in values.items()}
    if not any(of.dtype == dtype for of in DATA_TYPES.values()) or not all(
        np.array_equal(cast[name], array, equal_nan=array.dtype.kind == "f")
        for name, array in values.items()
    ):
        message = _("The tensors have incompatible data types: {types}.")
        types = ", ".join(f"{name}: {array.dtype}" for name, array in values.items())
        raise CodeRefused("argument", message.format(types=types))
    return Moved(chain, cast, truth)


def _settled(value: Any) -> Any:
    """A value without the nodes that made it: the next statement has nodes of its own.

    Raises:
        CodeRefused: its numbers are unknown.
    """
    if isinstance(value, Tensor) and value.moving:
        if value.values is None:
            raise depends_on_values()
        memory, whole = value.memory, value.memory.whole
        memory.whole, of = None, _settled(value.of)
        settled = replace(value, array=value.values, moving=False, name="", values=None, of=of)
        memory.whole = settled if whole is value else _settled(whole)
        return settled
    if isinstance(value, list):
        # others may have the same list
        value[:] = map(_settled, value)
    return tuple(map(_settled, value)) if type(value) is tuple else value


def _is_narrow(node: ast.AST) -> bool:
    """Whether code names a data type that does not have every number."""
    names = ("attr", "id", "value")
    return any(getattr(part, n, None) in _NARROW for part in ast.walk(node) for n in names)


def _too_deep() -> CodeRefused:
    return CodeRefused("limit", _("The code is nested too deeply."))


def _tensors(value: Any) -> Iterator[Tensor]:
    return (item for item in flat([value]) if isinstance(item, Tensor))


def _loaded(node: ast.AST) -> Iterator[str]:
    """The names that a part of code uses; one that it only changes is used, too."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            yield part.id
        elif isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name):
            yield part.target.id


def _written(node: ast.AST) -> Iterator[str]:
    """The names that a statement gives a value, or whose value it changes."""
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case (
                ast.Subscript(ctx=ast.Store() | ast.Del())
                | ast.Attribute(ctx=ast.Store() | ast.Del())
            ):
                yield from _base(part)
            case ast.Call(func=ast.Attribute(attr=name)) if name in _WRITERS or name.endswith("_"):
                yield from _base(part.func)
            case ast.alias():
                yield (part.asname or part.name).partition(".")[0]
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name


def _base(node: ast.AST, *, libraries: bool = False) -> Iterator[str]:
    """The name whose part this is; none if it is a library's, unless those count."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    if isinstance(node, ast.Name) and (libraries or not any(node.id in of.names for of in TABLES)):
        yield node.id


def _outputs(node: ast.AST) -> Iterator[str]:
    """The names that a statement hands over to be written into."""
    for part in ast.walk(node):
        if isinstance(part, ast.keyword) and part.arg == "out":
            yield from _loaded(part.value)


def _has_output(name: str, count: int) -> bool:
    """Whether a function of NumPy may write into one of so many arguments."""
    if name in _WRITERS - {"append", "delete", "insert", "partition", "resize", "sort"}:
        return True
    function = getattr(np, name, None)
    if isinstance(function, np.ufunc):
        return count > function.nin
    try:
        names = [*inspect.signature(function).parameters] if callable(function) else ["out"]
    except ValueError:
        # written in C, such as np.dot(a, b, out)
        return count > 2
    return "out" in names[:count]


def _is_list(node: ast.stmt | None) -> bool:
    return isinstance(node, ast.Assign) and _listed(node) is not None


def _listed(node: ast.stmt | None) -> Array | None:
    """The numbers of ``x = [1, 2]``; None if it is something else."""
    match node:
        case ast.Assign(targets=[ast.Name()], value=ast.List() as value):
            return _numbers(value)
    return None


def _numbers(node: ast.expr) -> Array | None:
    """The numbers of a nested list as an array; None if it holds something else."""
    array = literal_array(node)
    return array if array is not None and array.size else None


def literal_array(node: ast.expr) -> Array | None:
    """A number, or a nested list of numbers, as an array; None if it is something else."""
    try:
        array = np.asarray(_literal(node))
    except (ValueError, OverflowError, RecursionError):  # ragged, too large, or nested too deep
        return None
    return array if array.dtype.kind in "iufb" else None


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.List | ast.Tuple):
        return [_literal(element) for element in node.elts]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        number = _literal(node.operand)
        if isinstance(number, list):
            raise ValueError(ast.dump(node.op))
        return -number if isinstance(node.op, ast.USub) else number
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        return node.value
    raise ValueError(type(node).__name__)
