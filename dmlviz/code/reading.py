"""A whole text of code, read; and the tensors that it makes of numbers to begin with."""

from __future__ import annotations

import ast
import contextlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.code.address import is_number_name
from dmlviz.code.builder import RANK_LIMIT, Builder
from dmlviz.code.calls import CodeReading
from dmlviz.code.libraries import TENSOR_MAKERS, tensors_of
from dmlviz.code.memory import ELEMENTS
from dmlviz.code.open_names import entry_of
from dmlviz.code.python.numbers import NUMBER_LIMIT
from dmlviz.code.python.values import Instance, Undecided
from dmlviz.code.reader import CodeReader
from dmlviz.code.refusals import CodeRefused, reading
from dmlviz.code.source import Source, is_random, parsed
from dmlviz.tensors import short_text
from dmlviz.tensors.numbering import distinct
from dmlviz.tensors.types import Array, Sizes

MADE_LIMIT = 8
"""The limit of parts of the code that are tried as its beginning."""

_NAMES = "xabcdefgh"
"""Names for tensors that have none in the code."""

_RESHAPED = ("reshape", "view")
"""What gives new numbers their sizes: ``np.arange(6).reshape(2, 3)`` is one tensor."""


@dataclass(frozen=True, eq=False)
class MadeTensor:
    """A tensor that code makes of numbers.

    Attributes:
        node: the part of the code.
        name: its name there, or one that is free.
        sizes: the tensor's.
        values: None if they are random.
    """

    node: ast.expr
    name: str
    sizes: Sizes
    values: Array | None


def input_sizes(name: str, sizes: Sequence[int], least: int = 1) -> Sizes:
    """The sizes of an input, checked with its name; the rank is ``least`` to 8.

    Raises:
        CodeRefused: the name is none, or there are too few dimensions or too many.
    """
    if not name.isidentifier() or name.startswith("_"):
        raise CodeRefused(
            "argument",
            _("{name} is not a name for an input; use letters and digits, such as x1.").format(
                name=short_text(name)
            ),
        )
    new = tuple(int(n) for n in sizes)
    if not least <= len(new) <= RANK_LIMIT:
        raise CodeRefused(
            "sizes",
            _("{name}: an input has {least} to {most} dimensions, not {rank}.").format(
                name=name, least=least, most=RANK_LIMIT, rank=len(new)
            ),
        )
    return new


def number_of(name: str, number: int) -> int:
    """A number of a name that code leaves open, checked with its name.

    Raises:
        CodeRefused: the name is none, or it is no whole number below 2 to the power of 31.
    """
    if not is_number_name(name):
        message = _("{name} is not a name for a number; use one such as n or self.heads.")
        raise CodeRefused("argument", message.format(name=short_text(name)))
    if not -NUMBER_LIMIT <= int(number) <= NUMBER_LIMIT:
        message = _("{name}: {number} is too large.")
        raise CodeRefused("limit", message.format(name=name, number=short_text(number)))
    return int(number)


def read_code(
    text: str,
    sizes: Mapping[str, Sizes],
    arrays: Mapping[str, Array],
    library: str,
    data_type: str,
    numbers: Mapping[str, int] = MappingProxyType({}),
    undecided: Iterable[str] = (),
) -> CodeReading:
    """Read code.

    Code that ends with a function, or a class, and calls none is read from its first parameter on:
    the inputs and numbers are its arguments, by name.

    Args:
        text: at most 4,000 characters of Python.
        sizes: of every input, by name.
        arrays: the values of those inputs that have some.
        library: a key of :data:`dmlviz.code.libraries.LIBRARIES`.
        data_type: of the elements that move.
        numbers: what names are that the code leaves open, those of a model such as ``self.heads``
            included.
        undecided: further names, of which the first use decides what they are.

    Raises:
        UseDecides: an undecided name is used.
        CodeRefused: it is not Python, not a movement of elements, or too large.
    """
    tree, source = parsed(text)
    with reading():
        reader = CodeReader(source, Builder(tensors_of(library, text).key, data_type))
        read_statements(reader, tree, sizes, arrays, library, numbers, undecided)
        with reader.at(tree.body[-1]) if tree.body else contextlib.nullcontext():
            outputs = reader.outputs()
        return CodeReading(
            reader.builder,
            tuple(reader.calls),
            outputs,
            reader.tensor_names,
            tuple(reader.modules),
        )


def read_statements(
    reader: CodeReader,
    tree: ast.Module,
    sizes: Mapping[str, Sizes],
    arrays: Mapping[str, Array],
    library: str,
    numbers: Mapping[str, int],
    undecided: Iterable[str],
) -> None:
    """Read all statements of code, and the function with which it begins if it calls none.

    Args:
        reader: that has read nothing so far.
        tree: the code.
        sizes, arrays, library, numbers, undecided: as of :func:`read_code`.
    """
    for name, of in sizes.items():
        reader.names[name] = reader.builder.input(name, of, arrays.get(name))
    reader.names |= {name: Undecided((name,)) for name in undecided}
    _give(reader, numbers)
    if not reader.source.names & sizes.keys():
        made = unnamed_tensors(tree, reader.source.text, library)
        if [one.name for one in made] == list(sizes):
            reader.starts = {one.node: one.name for one in made}
    arguments = dict(reader.names)
    if not any(reader.statement(statement) for statement in tree.body):
        entry = entry_of(tree)
        if entry is not None:
            reader.begin(entry, arguments)


def sources_of(
    text: str, name: str, sizes: Sizes, library: str
) -> tuple[Array, tuple[Any, ...]] | None:
    """Where the elements of the only output of a line come from: what its chain says, in less time.

    Args:
        text: code without index tensors that are inputs.
        name, sizes: of the only tensor that it takes.
        library: a key of :data:`dmlviz.code.libraries.LIBRARIES`.

    Returns:
        As :func:`valued`; None, too, if the line is refused, or has several outputs.
    """
    try:
        reading = read_code(text, {name: sizes}, {}, library, ELEMENTS)
    except CodeRefused:
        return None
    if len(reading.outputs) != 1:
        return None
    (tensor,) = reading.outputs.values()
    return valued(tensor.array, constant_values(reading.builder.constants))


ConstantValues = tuple[Array, tuple[Any, ...]]
"""For each element of all constants the number of its value, and the values, each once."""


def constant_values(constants: Mapping[str, Array]) -> ConstantValues:
    """The values of all constants, in the order of their numbers."""
    numbers, values = [np.zeros(0, np.int32)], dict[tuple[str, Any], int]()
    for array in constants.values():
        # zeros of either sign are two values
        bits = array.ravel().view(f"u{array.dtype.itemsize}")
        alike = (bits == bits[0]).all()
        own = bits[:1] if alike else distinct(bits)
        places = np.zeros(bits.size, np.int32) if alike else np.searchsorted(own, bits)
        items = own.view(array.dtype).tolist()
        new = [values.setdefault((array.dtype.str, item), len(values)) for item in items]
        numbers.append(np.array(new, np.int32)[places])
    return np.concatenate(numbers), tuple(item for _type, item in values)


def valued(numbers: Array, constants: ConstantValues) -> tuple[Array, tuple[Any, ...]] | None:
    """Sources whose negative numbers mean values instead of places.

    Args:
        numbers: of elements; ``-1 - k`` is the constant k.
        constants: the values of all constants.

    Returns:
        The numbers, of which ``-1 - k`` means the value k, and the values; None if one of
        them is no finite number.
    """
    if (numbers >= 0).all():
        return numbers, ()
    of_each, every = constants
    values = dict[Any, int]()
    table = np.zeros(len(every), np.int64)
    places = np.where(numbers < 0, of_each[np.where(numbers < 0, -1 - numbers, 0)], 0)
    for k in distinct(places[numbers < 0]).tolist():
        value = every[k]
        if not math.isfinite(value):
            return None
        value = int(value) if value == int(value) else value
        table[k] = -1 - values.setdefault(value, len(values))
    return np.where(numbers < 0, table[places], numbers), (*values,)


def _give(reader: CodeReader, numbers: Mapping[str, int]) -> None:
    """Give names numbers; ``self.heads`` is an attribute of ``self``."""
    for name, number in numbers.items():
        head, _dot, rest = name.partition(".")
        if not rest:
            reader.names[head] = number
            continue
        of = reader.names.setdefault(head, Instance(head))
        if not isinstance(of, Instance):
            message = _("{name} is a number, so {head} is no tensor.")
            raise CodeRefused("argument", message.format(name=name, head=head))
        of.attributes[rest] = number


def named_tensors(
    tree: ast.Module,
    text: str,
    library: str,
    numbers: Mapping[str, int] = MappingProxyType({}),
) -> Iterator[MadeTensor]:
    """The tensors that code begins with by name, one after the other: ``x = np.arange(6)``.

    Lines that only import, or only name numbers, can be between them.

    Args:
        tree, text: the code.
        library: a key of :data:`dmlviz.code.libraries.LIBRARIES`.
        numbers: of names that the code leaves open.
    """
    reader = _reader(text, library)
    _give(reader, numbers)
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                # a list can be sizes
                made = None if isinstance(value, ast.List) else reader.made_tensor(value)
                if made is not None:
                    yield MadeTensor(value, name, *made)
                elif not _reads_numbers(reader, statement):
                    return
            case _:
                if not _reads_numbers(reader, statement):
                    return


def unnamed_tensors(tree: ast.Module, text: str, library: str) -> list[MadeTensor]:
    """The first tensor that code makes inside a line: ``np.arange(6).reshape(2, 3).T``.

    Tensors that are listed together are all of them: ``np.stack([np.zeros(3), np.ones(3)])``.

    Args:
        tree, text, library: as of :func:`named_tensors`; the code names no tensor that it takes.
    """
    taken = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    free = [name for name in _NAMES if name not in taken]
    reader = _reader(text, library)
    for statement in tree.body:
        for nodes in islice(_made_parts(statement), MADE_LIMIT):
            made = [reader.made_tensor(node) for node in nodes]
            tensors = [
                MadeTensor(node, name, *one)
                for node, name, one in zip(nodes, free, made, strict=False)
                # a mask has no data type
                if one is not None and not (one[1] is not None and one[1].dtype == bool)
            ]
            if len(tensors) == len(nodes):
                return tensors
        if not _reads_numbers(reader, statement):
            return []
    return []


def _reader(text: str, library: str) -> CodeReader:
    return CodeReader(Source(text), Builder(tensors_of(library, text).key))


def _reads_numbers(reader: CodeReader, statement: ast.stmt) -> bool:
    """Whether a statement only imports, or names numbers, which the reader then knows."""
    if isinstance(statement, ast.Assign | ast.Import | ast.ImportFrom):
        with contextlib.suppress(CodeRefused, RecursionError):
            reader.statement(statement)
            return True
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _made_parts(statement: ast.stmt) -> Iterator[list[ast.expr]]:
    """The parts of a statement that may make a tensor, in order, each with those beside it."""
    around: dict[ast.AST, ast.AST] = {}
    for node in _outside_loops(statement):
        around |= dict.fromkeys(ast.iter_child_nodes(node), node)
    calls = [node for node in around if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset, node.end_col_offset)):
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        listed = call.args[0] if call.args else None
        if name in TENSOR_MAKERS or is_random(call):
            node = _with_sizes(call, around)
        elif isinstance(listed, ast.List) and not any(
            isinstance(part, ast.Call) for part in ast.walk(listed)
        ):
            node = listed
        else:
            continue
        beside = around[node]
        if isinstance(beside, ast.stmt):
            continue
        if isinstance(beside, ast.List | ast.Tuple) and len(beside.elts) <= len(_NAMES):
            # in x[idx, 1:] there is a slice beside it
            yield [part for part in beside.elts if not isinstance(part, ast.Slice | ast.Starred)]
        yield [node]


def _with_sizes(node: ast.expr, around: Mapping[ast.AST, ast.AST]) -> ast.expr:
    """The call that reshapes new numbers, unless there is nothing after it."""
    match around[node]:
        case ast.Attribute(attr=name) as method if name in _RESHAPED:
            reshaped = around[method]
        case ast.Call(func=ast.Attribute(attr="reshape"), args=[first, *_]) as function if (
            first is node
        ):
            reshaped = function
        case _:
            return node
    if isinstance(reshaped, ast.Call) and not isinstance(around[reshaped], ast.stmt):
        return reshaped
    return node


def _outside_loops(node: ast.AST) -> Iterator[ast.AST]:
    """A part of the code and all that is in it, without loops: each turn makes another tensor."""
    if isinstance(node, ast.For | ast.ListComp | ast.GeneratorExp):
        return
    yield node
    for part in ast.iter_child_nodes(node):
        yield from _outside_loops(part)
