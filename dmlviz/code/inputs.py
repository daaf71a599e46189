"""The tensors that code takes: their names, and sizes that the code says or can be read with."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from dmlviz.base.budget import budget
from dmlviz.base.deferred import dataclass, regex
from dmlviz.code.builder import RANK_LIMIT
from dmlviz.code.chain import Chain, read
from dmlviz.code.layout_text import layout_of
from dmlviz.code.libraries import table_of
from dmlviz.code.open_names import OpenName, open_names
from dmlviz.code.reading import named_tensors, unnamed_tensors
from dmlviz.code.refusals import READING, CodeRefused, UseDecides, reading
from dmlviz.code.source import parsed
from dmlviz.code.written_sizes import (
    LETTERS,
    SizesInText,
    reshaped_sizes,
    sizes_in_comment,
    sizes_in_text,
)
from dmlviz.tensors import data_type_of
from dmlviz.tensors.types import Array, Sizes

SEARCH = {"items": 131_072, "expressions": 12_000, "elements": READING["elements"]}
"""What finding sizes that fit may cost, as of :data:`dmlviz.code.reader.READING`."""

AROUND_LIMIT = 32
"""The limit of sizes that are tried for code that computes."""

NUMBERS_TRIED = (2, 1, 4, 3, 0)
"""What all numbers are that the code leaves open: the first with which it is read."""

_PLAIN: tuple[Sizes, ...] = (
    *((2, 3), (2, 3, 4), (6,), (4, 6), (2, 12), (1, 2, 4, 6), (12,), (24,), (3, 4), (4, 4)),
    *((2, 4, 6), (2, 2, 12), (2, 4, 4, 3), (2, 3, 4, 5), (1, 4, 2, 3), (1, 8, 2, 3), (8,)),
    *((1, 3, 4, 4), (1, 3, 6, 6), (1, 6, 2, 2), (1, 9, 2, 2), (1, 8, 8, 2), (1, 1, 5, 5), (16,)),
    *((3, 3), (1, 6), (2, 1, 3), (2, 2, 3, 4, 2), (1, 2, 2, 2, 2, 2), (3,), (4,), (2, 2)),
)
"""Sizes to try, small ones first."""

_INDICES = regex(
    r"[ijk]|.*(ind(ex|ices)?|(idx|order|perm|label|token|target|pos|position|length|id|where|beam"
    r"|row|col)s?)",
    re.I,
)
_MASK = regex(r"m|.*(mask|keep|cond|valid|bool)", re.I)
_CONVOLUTIONS: Mapping[str, Sizes] = {"conv1d": (1, 2), "conv2d": (1, 2, 2)}
"""The calls that take weights, and sizes of a filter for one channel."""
_CONVOLVED: tuple[Sizes, ...] = ((1, 1, 4, 4), (1, 1, 5))
"""Sizes to try for what a convolution takes."""


@dataclass(frozen=True, eq=False)
class CodeInput:
    """A tensor or a number that code takes.

    Attributes:
        name: in the code.
        sizes: as the code says them, in a comment such as ``# x: (2, 12)`` or by making the
            tensor; None if it does not.
        values: of a tensor that the code makes, such as ``x = np.arange(6)``; None if they are
            random, or if the code does not make it.
        open: what is known of a name without them.
    """

    name: str
    sizes: Sizes | None = None
    values: Array | None = None
    open: OpenName | None = None


@dataclass(frozen=True, eq=False)
class Suggestion:
    """What an input can be so that the code is read.

    Attributes:
        sizes: of the tensor; none for a number, which is what it ``chooses``.
        chooses: the values of a tensor that only chooses elements, as indices or as a mask; None
            for one whose elements move.
        multiplies: whether the tensor is the weights of a convolution.
    """

    sizes: Sizes
    chooses: Array | None = None
    multiplies: bool = False


class NothingFits(CodeRefused):
    """Code that is not read, whatever the sizes of its tensors are.

    Attributes:
        sizes: those with which it is read farthest, by name; none for a number.
        numbers: those with which it is, by name.
    """

    def __init__(
        self, refused: CodeRefused, sizes: Mapping[str, Sizes], numbers: Mapping[str, int]
    ) -> None:
        # a new exception, without the frames, which hold tensors
        super().__init__(refused.kind, str(refused), refused.place)
        self.sizes = {**sizes, **dict.fromkeys(numbers, ())}
        self.numbers = numbers


def code_inputs(text: str, library: str) -> tuple[CodeInput, ...]:
    """The tensors and numbers that code takes, in the order of their first use.

    They are the names that it uses and does not assign; of code that ends with a function, first
    its parameters. Code that assigns all of its names takes
    the tensors that it makes first, such as ``x`` of ``x = torch.rand(2, 3)``; if they have no
    name, as in ``np.arange(6)[::-1]``, they get one that is free.

    Args:
        text: at most 4,000 characters of Python.
        library: a key of :data:`dmlviz.code.libraries.LIBRARIES`.

    Raises:
        CodeRefused: it is no Python, or too long.

    >>> [(x.name, x.sizes) for x in code_inputs("# x: (2, 6)\\nnp.take(x, i, axis=1)", "numpy")]
    [('x', (2, 6)), ('i', None)]
    """
    tree, source = parsed(text)
    names = open_names(tree)
    if names:
        return tuple(
            CodeInput(one.name, sizes_in_comment(source.lines, one.name), open=one) for one in names
        )
    with reading():
        made = list(named_tensors(tree, text, library))
    loads = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    used = {node.id for node in loads if isinstance(node.ctx, ast.Load)}
    if not used & {one.name for one in made}:
        with reading():
            made = unnamed_tensors(tree, text, library) or made
    return tuple(CodeInput(one.name, one.sizes, one.values) for one in made)


def made_tensors(
    text: str, library: str, numbers: Mapping[str, int] = MappingProxyType({})
) -> dict[str, Any]:
    """The tensors that code takes and describes itself, by name: their values, or else sizes.

    Empty if it leaves one open.

    Args:
        text: as of :func:`code_inputs`.
        library: as of :func:`code_inputs`.
        numbers: of names that the code leaves open, such as ``n`` of ``x = torch.rand(2, n)``.

    >>> made_tensors("x = torch.rand(2, 3)\\nx.T", "torch")
    {'x': (2, 3)}
    """
    with suppress(CodeRefused):
        inputs = [x for x in code_inputs(text, library) if x.name not in numbers]
        if numbers and not inputs:
            tree, _source = parsed(text)
            with reading():
                made = named_tensors(tree, text, library, numbers)
                inputs = [CodeInput(one.name, one.sizes, one.values) for one in made]
        if all(one.sizes for one in inputs):
            return {one.name: one.sizes if one.values is None else one.values for one in inputs}
    return {}


def made_data_type(inputs: Collection[CodeInput], library: str) -> str:
    """The data type of the tensors that code makes; empty if it does not make all their values.

    Args:
        inputs: of the code.
        library: as of :func:`code_inputs`; most make FLOAT32 of numbers with a point.

    >>> made_data_type(code_inputs("x = torch.arange(6)\\nx.flip(0)", "torch"), "torch")
    'INT64'
    """
    arrays = [x.values for x in inputs if x.values is not None]
    if not arrays or len(arrays) < len(inputs) or all(x.dtype == bool for x in arrays):
        return ""
    kind = data_type_of(np.result_type(*arrays))
    narrow = table_of(library).conventions.float_bits == 32
    return "FLOAT32" if kind == "FLOAT64" and narrow else kind


def suggested(
    text: str,
    library: str,
    known: Mapping[str, Sizes],
    data_type: str = "",
    numbers: Mapping[str, int] = MappingProxyType({}),
) -> dict[str, Suggestion]:
    """Sizes and numbers that code takes with which it is read: the first that fit.

    What a name is that the code leaves open, a tensor or a number, its first use decides.

    Args:
        text, library: as of :func:`code_inputs`.
        known: sizes that stay, by name.
        data_type: of the elements that move, as :func:`dmlviz.code.chain.read` takes it.
        numbers: that are tried before others, by name.

    Raises:
        NothingFits: it is not read with any of some thirty sizes; the refusal is the first of those
            that come last in the code.
        CodeRefused: it is no Python, or too long.
    """
    with budget(**SEARCH):
        return _Search(text, library, known, data_type, numbers).first_fit()


class Assumption(NamedTuple):
    """What names are while sizes are tried.

    Attributes:
        first: numbers, by name.
        other: what all other numbers are.
        sizes: of tensors, by name.
    """

    first: Mapping[str, int]
    other: int
    sizes: Mapping[str, Sizes]


class _Search:
    """The search for sizes and numbers with which code is read."""

    def __init__(
        self,
        text: str,
        library: str,
        known: Mapping[str, Sizes],
        data_type: str,
        numbers: Mapping[str, int],
    ) -> None:
        self.text, self.library, self.data_type = text, library, data_type
        self.inputs = code_inputs(text, library)
        self.values = {x.name: x.values for x in self.inputs if x.values is not None}
        sizes = {x.name: x.sizes for x in self.inputs if x.sizes is not None}
        self.fixed = {**{n: of for n, of in known.items() if of}, **sizes}
        opened = {x.name: x.open for x in self.inputs if x.open is not None}
        tree, source = parsed(text)
        self.written = sizes_in_text(tree, source.lines, list(opened))
        usual = {n: one.number for n, one in opened.items() if one.number is not None}
        multiples = self.written.multiples
        self.choices = [
            Assumption({**multiples, **usual, **letters, **numbers}, NUMBERS_TRIED[0], sizes)
            for sizes, letters in map(self.written.lettered, LETTERS)
            if sizes
        ]
        self.choices.append(Assumption({**multiples, **usual, **numbers}, NUMBERS_TRIED[0], {}))
        self.choices += [Assumption(numbers, number, {}) for number in NUMBERS_TRIED[not usual :]]
        self.numbers = {n for n, one in opened.items() if one.is_number}
        self.numbers |= self.written.numbers & opened.keys() - self.fixed.keys()
        self.numbers |= numbers.keys() & opened.keys() - self.fixed.keys()
        self.undecided = {
            n for n, one in opened.items() if not one.is_tensor and n not in self.fixed
        } - self.numbers
        self.farthest: NothingFits | None = None

    def first_fit(self) -> dict[str, Suggestion]:
        """The first that fit."""
        try:
            return self._first_fit()
        except NothingFits as refused:
            raise self._around(refused) from None

    def _around(self, refused: NothingFits) -> NothingFits:
        """The same refusal, of the first sizes with which the code is read that computes."""
        # that module needs this one
        from dmlviz.code.code_parts import computes_in

        likely = refused.kind in ("computes", "values")
        if refused.kind in ("syntax", "limit") or not (likely or computes_in(self.text)):
            return refused
        names = [x.name for x in self.inputs]
        with suppress(CodeRefused), budget(**SEARCH):
            for choice in self._choices():
                for trial in islice(self._trials(names, choice), AROUND_LIMIT):
                    fits = self._fits_around(trial, choice.first, choice.other)
                    if fits is not None:
                        return NothingFits(refused, *fits)
        return refused

    def _fits_around(
        self, trial: Mapping[str, Array], first: Mapping[str, int], other: int
    ) -> tuple[dict[str, Sizes], dict[str, int]] | None:
        """Sizes and numbers, if the code is read with them around what computes."""
        from dmlviz.code.code_parts import parts_of

        arrays = {name: self.values.get(name, array) for name, array in trial.items()}
        while True:
            numbers = {n: first.get(n, other) for n in arrays if n in self.numbers}
            undecided = {n: first.get(n, other) for n in arrays if n in self.undecided}
            opened = numbers.keys() | undecided.keys()
            shapes = {n: x.shape for n, x in arrays.items() if n not in opened}
            try:
                made = parts_of(self.text, shapes, {}, self.library, numbers, decides=False)
            except UseDecides as use:
                self.undecided -= {*use.names}
                if use.is_number:
                    self.numbers |= {*use.names}
                elif not {*use.names} & undecided.keys():
                    return None
            else:
                return (shapes, numbers | undecided) if made.whole else None

    def _choices(self) -> Iterator[Assumption]:
        """What numbers are tried; once, if there are none."""
        for k, choice in enumerate(self.choices):
            if k and not self.numbers and not self.choices[k - 1].sizes:
                return
            yield choice

    def _trials(self, names: list[str], choice: Assumption) -> Iterator[dict[str, Array]]:
        numbers = {n: choice.first.get(n, choice.other) for n in self.numbers}
        fixed = {**choice.sizes, **self.fixed}
        return _trials(self.text, names, fixed, numbers, self.written)

    def _first_fit(self) -> dict[str, Suggestion]:
        names = [x.name for x in self.inputs]
        for choice in self._choices():
            for trial in self._trials(names, choice):
                fits = self._tried(trial, choice.first, choice.other)
                if fits is not None:
                    return fits
                assert self.farthest is not None
                if self.farthest.kind in ("syntax", "name", "limit"):
                    raise self.farthest
        assert self.farthest is not None
        raise self.farthest

    def _tried(
        self, trial: Mapping[str, Array], first: Mapping[str, int], other: int
    ) -> dict[str, Suggestion] | None:
        """What fits, if the code is read with these tensors and numbers."""
        arrays = {name: self.values.get(name, array) for name, array in trial.items()}
        while True:
            numbers = {n: first.get(n, other) for n in arrays if n in self.numbers}
            tensors = {
                n: x for n, x in arrays.items() if n not in self.numbers and n not in self.undecided
            }
            shapes = {name: x.shape for name, x in tensors.items()}
            undecided = self.undecided & arrays.keys()
            try:
                chain = read(
                    self.text,
                    shapes,
                    tensors,
                    self.library,
                    self.data_type,
                    numbers,
                    undecided,
                )
            except UseDecides as use:
                self.undecided -= {*use.names}
                if use.is_number:
                    self.numbers |= {*use.names}
            except CodeRefused as refused:
                if refused.kind == "nothing" and undecided:
                    # what is calculated of them alone is no number
                    self.undecided.clear()
                    continue
                if self.farthest is None or refused.line > self.farthest.line:
                    shapes = {n: x.shape for n, x in arrays.items() if n not in numbers}
                    self.farthest = NothingFits(refused, shapes, numbers)
                return None
            else:
                # a name that is not used with these sizes is a number
                numbers |= {n: first.get(n, other) for n in undecided}
                weights = _weights(self.text)
                return {
                    name: Suggestion((), np.array(numbers[name]))
                    if name in numbers
                    else _suggestion(chain, name, arrays[name], weights)
                    for name in arrays
                }


def _suggestion(chain: Chain, name: str, array: Array, weights: Mapping[str, Sizes]) -> Suggestion:
    chooses = array if name in chain.controls else None
    return Suggestion(array.shape, chooses, name in weights)


def _weights(text: str) -> dict[str, Sizes]:
    """The tensors that code names as weights of a convolution, with sizes to try."""
    tree, _source = parsed(text)
    sizes: dict[str, Sizes] = {}
    for node in ast.walk(tree):
        called = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
        if called not in _CONVOLUTIONS or not isinstance(node, ast.Call):
            continue
        arguments = [*node.args[1:2], *(k.value for k in node.keywords if k.arg == "weight")]
        names = [argument.id for argument in arguments if isinstance(argument, ast.Name)]
        # a shuffle by 2 needs a filter for each of 4 places
        filters = 4 if "shuffle" in text.lower() else 1
        sizes |= dict.fromkeys(names, (filters, *_CONVOLUTIONS[called]))
    return sizes


def _trials(
    text: str,
    names: list[str],
    known: Mapping[str, Sizes],
    numbers: Mapping[str, int],
    written: SizesInText,
) -> Iterator[dict[str, Array]]:
    """Tensors to read code with: alike in sizes, or short lists of indices beside them.

    Args:
        text: the code.
        names: of all tensors and numbers.
        known: sizes that stay, by name.
        numbers: those of the names that are no tensors, as far as that is decided.
        written: what the text says about sizes.
    """
    tree, _source = parsed(text)
    weights = _weights(text)
    known = {name: of for name, of in weights.items() if name in names} | dict(known)
    sized = [name for name in names if name not in known and name not in numbers]
    convolved = _CONVOLVED if weights else ()
    layout = layout_of(text)
    named = [] if layout is None else [layout.sizes()]
    reshaped = reshaped_sizes(tree, numbers)
    ranks = {*_ranks(tree), *(written.ranks[name] for name in sized if name in written.ranks)}
    twos = [(NUMBERS_TRIED[0],) * rank for rank in ranks if 0 < rank <= RANK_LIMIT]
    first = [*convolved, *known.values(), *named, *reshaped, *_PLAIN, *twos]
    first.sort(key=lambda sizes: bool(ranks) and len(sizes) not in ranks)
    places = [name for name in sized if name not in written.ones]
    listed = [name for name in places if _INDICES.fullmatch(name)] if len(names) > 1 else []
    masks = [name for name in names if _MASK.fullmatch(name)] if len(names) > 1 else []
    for sizes in first if sized else [()]:
        for short in ((2,), sizes) if listed else (sizes,):
            # a mask can have one dimension of the tensor's
            for mask in dict.fromkeys((sizes, sizes[:1], sizes[-1:]) if masks else (sizes,)):
                shapes = {
                    name: known.get(
                        name, short if name in listed else mask if name in masks else sizes
                    )
                    for name in names
                }
                for name in written.ones.keys() & shapes.keys() - known.keys():
                    shapes[name] = _with_ones(shapes[name], written.ones[name])
                yield {
                    name: _pattern(of, name in masks, counted=len(names) == 1)
                    for name, of in shapes.items()
                }


def _with_ones(sizes: Sizes, ones: tuple[bool, ...]) -> Sizes:
    """Sizes that expand to others: 1 in these dimensions."""
    if len(sizes) != len(ones):
        return sizes
    return tuple(1 if one else n for n, one in zip(sizes, ones, strict=True))


def _pattern(sizes: Sizes, mask: bool, counted: bool) -> Array:
    """Numbers that are valid indices wherever a dimension has two elements, a mask, or 1, 2, 3."""
    count = math.prod(sizes)
    if counted:
        return np.arange(1, count + 1, dtype=np.int64).reshape(sizes)
    line = np.arange(count - 1, -1, -1, dtype=np.int64) % 2
    return (line == (count - 1) % 2 if mask else line).reshape(sizes)


def _ranks(tree: ast.Module) -> Iterator[int]:
    """How many dimensions tensors have that the code takes apart: ``b, c = x.shape``."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value) if not any(
                isinstance(one, ast.Starred) for one in targets
            ):
                words = ast.unparse(value)
                if words.endswith((".shape", ".size()", ".get_shape()")) or "shape(" in words:
                    yield len(targets)
