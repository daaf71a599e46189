"""Code of which some calls compute: they are boundaries, and what they give is a new tensor.

What moves before and after a boundary is read as always. How many elements a call computes is a
rule of :mod:`dmlviz.code.computed_sizes`; where none is known, the first sizes are taken with which
the code after it is read.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Place
from dmlviz.code.arguments import Named, flat
from dmlviz.code.builder import Builder
from dmlviz.code.calls import Call
from dmlviz.code.computed_sizes import (
    Computed,
    ComputingLayer,
    computed_sizes,
    computes,
    layer_sizes,
    product,
)
from dmlviz.code.library import At, IndexedPart, Later, MappedFunction, Sequential
from dmlviz.code.python.values import Instance, Parent, PythonClass, Undecided, ValueMethod
from dmlviz.code.reader import CodeReader
from dmlviz.code.refusals import CodeRefused, NewValues, UseDecides
from dmlviz.code.source import Source
from dmlviz.code.tensor import Tensor
from dmlviz.tensors.types import Sizes

_KINDS = ("computes", "values")
"""The kinds of refusals whose call is a boundary."""

# fmt: off
_SYMBOLS: Mapping[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<",
    ast.RShift: ">>", ast.USub: "-", ast.Invert: "~", ast.UAdd: "+", ast.Eq: "==", ast.NotEq: "!=",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}
# fmt: on

FACTORS = (1, 3, 2, 4)
"""How many times the last dimension of what an unknown layer takes its result's may be."""


@dataclass(frozen=True, eq=False)
class Boundary:
    """A call that computes.

    Attributes:
        name: of the call, such as ``@``, ``softmax`` or ``self.qkv``.
        text: that part of the code.
        place: where that is.
        takes: the tensors that it computes from, as far as they move.
        gives: the tensors that it computes.
        has_sizes: whether the code and the call's rule say their sizes.
    """

    name: str
    text: str
    place: Place
    takes: tuple[Tensor, ...]
    gives: tuple[Tensor, ...]
    has_sizes: bool


@dataclass(frozen=True, eq=False)
class ReadCall:
    """A call that moves, as it was read.

    Attributes:
        node: its part of the code.
        function: what is called; ``.`` for an attribute, ``[`` for a subscript.
        args, kwargs: its arguments, of a method without its tensor.
        returned: what it gives.
    """

    node: ast.expr
    function: Any
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    returned: Any


class _Builder(Builder):
    """The builder of a text that computes: what was calculated from an input is a new tensor."""

    def __init__(self, library: str, data_type: str) -> None:
        super().__init__(library, data_type)
        self.reader: BoundaryReader | None = None

    def moved(self, tensor: Tensor) -> Tensor:
        if tensor.moving or tensor.computed is None or self.reader is None:
            return super().moved(tensor)
        return self.reader.crossed(tensor)


class BoundaryReader(CodeReader):
    """What reads code whose calls may compute.

    Attributes:
        boundaries: the calls that compute, in the order in which they run.
        read: the calls that move, by the number of the call that made the tensors.

    Args:
        source: the text.
        library: whose rules hold.
        data_type: of the elements that move.
        sizes: of what the boundaries with these numbers compute.
        choices: for each boundary of unknown sizes, which of :data:`FACTORS` it has.
    """

    def __init__(
        self,
        source: Source,
        library: str,
        data_type: str,
        sizes: Mapping[int, Sizes],
        choices: Sequence[int],
    ) -> None:
        builder = _Builder(library, data_type)
        super().__init__(source, builder)
        builder.reader = self
        self.boundaries: list[Boundary] = []
        self.read: dict[int, ReadCall] = {}
        self._sizes, self._choices = sizes, choices
        self._crossed: dict[Tensor, Tensor] = {}

    @property
    def guesses(self) -> int:
        """How many boundaries have sizes that nothing says."""
        return sum(1 for each in self.boundaries if not each.has_sizes)

    # boundaries

    def crossed(self, tensor: Tensor) -> Tensor:
        """What was calculated from the values of an input, as a new tensor."""
        if tensor not in self._crossed:
            refused = tensor.computed
            assert refused is not None
            place = refused.place or self.source.at(1, 1)
            made = self._new(tensor.sizes)
            name = refused.name if isinstance(refused, NewValues) else ""
            text = self.source.piece(place) if refused.place else ""
            self.boundaries.append(Boundary(name or text, text, place, (), (made,), True))
            self._crossed[tensor] = made
        return self._crossed[tensor]

    def _new(self, sizes: Sizes) -> Tensor:
        return self.builder.numbered(f"_b{len(self.builder.sizes)}", sizes)

    def _boundary(
        self, node: ast.expr, name: str, operands: Sequence[Any], sizes: Computed | None
    ) -> Any:
        """What a call computes: a tensor, or a tuple of them."""
        takes = tuple(x for x in _tensors(operands) if x.moving)
        chosen = self._sizes.get(len(self.boundaries))
        has_sizes = sizes is not None or chosen is not None
        if sizes is None:
            sizes = Computed((self._guess(takes),))
        if chosen is not None:
            sizes = Computed((chosen,) * len(sizes.sizes), sizes.is_several)
        with self.at(node):
            made = tuple(self._new(each) for each in sizes.sizes)
        place = self.source.place(node)
        boundary = Boundary(name, self.source.piece(place), place, takes, made, has_sizes)
        self.boundaries.append(boundary)
        return made if sizes.is_several else made[0]

    def _guess(self, takes: Sequence[Tensor]) -> Sizes:
        """The sizes of what an unknown layer computes: those of its tensor, or of a wider one."""
        number = self.guesses
        factor = FACTORS[self._choices[number]] if number < len(self._choices) else FACTORS[0]
        first = takes[0].sizes
        return (*first[:-1], first[-1] * factor) if first else ()

    def _decide(self, operands: Sequence[Any]) -> None:
        """Say of a name that is left open that it is a tensor, because a call computes from it."""
        for x in operands:
            if isinstance(x, Undecided):
                raise x.use(is_number=False)

    def _is_boundary(self, refused: CodeRefused, operands: Sequence[Any]) -> bool:
        return (
            not isinstance(refused, UseDecides)
            and refused.kind in _KINDS
            and any(x.moving for x in _tensors(operands))
        )

    # operators of Python

    def matrix_product(self, node: ast.BinOp) -> Any:
        """As of :class:`CodeReader`; what computes is a boundary."""
        pair = self.value(node.left), self.value(node.right)
        self._decide(pair)
        if not all(isinstance(x, Tensor) and x.rank for x in pair):
            return super().matrix_product(node)
        made = product(pair[0].sizes, pair[1].sizes)
        if made is None:
            # the sizes are refused as those of a product
            raise self.refusal(node, "sizes", "@")
        return self._boundary(node, "@", pair, Computed((made,)))

    def arithmetic(self, node: ast.expr, op: ast.operator, left: Any, right: Any) -> Any:
        """As of :class:`CodeReader`; what computes is a boundary."""
        pair = [x for x in (left, right) if not isinstance(x, Undecided)]
        if len(pair) == 1 and isinstance(pair[0], Tensor) and pair[0].moving:
            # a name that is left open is a number beside what is computed
            return self._elementwise(node, op, pair)
        try:
            return super().arithmetic(node, op, left, right)
        except CodeRefused as refused:
            if not self._is_boundary(refused, pair):
                raise
        return self._elementwise(node, op, pair)

    def signed(self, node: ast.UnaryOp, value: Any) -> Any:
        """As of :class:`CodeReader`; what computes is a boundary."""
        try:
            return super().signed(node, value)
        except CodeRefused as refused:
            if not self._is_boundary(refused, [value]):
                raise
        return self._elementwise(node, node.op, [value])

    def compared(self, node: ast.Compare, comparison: ast.cmpop, left: Any, right: Any) -> Any:
        """As of :class:`CodeReader`; what computes is a boundary."""
        try:
            return super().compared(node, comparison, left, right)
        except CodeRefused as refused:
            if not self._is_boundary(refused, [left, right]):
                raise
        return self._elementwise(node, comparison, [left, right])

    def augmented(self, before: Any, made: Any) -> bool:
        """As of :class:`CodeReader`; what is written belongs to a call of its own."""
        place = self.boundaries[-1].place if self.boundaries else self.source.at(1, 1)
        call = Call("+=", "", place)
        outer, self.builder.call = self.builder.call, len(self.calls)
        self.calls.append(call)
        try:
            is_written = super().augmented(before, made)
        finally:
            self.builder.call = outer
        if is_written and before.memory.whole is not None:
            call.tensors = (before.memory.whole,)
        return is_written

    def _elementwise(self, node: ast.expr, op: ast.AST, operands: Sequence[Any]) -> Tensor:
        with self.at(node):
            sizes = self.builder.broadcast_sizes([x for x in operands if isinstance(x, Tensor)])
        made: Tensor = self._boundary(node, _SYMBOLS[type(op)], operands, Computed((sizes,)))
        return made

    def subscripted(self, node: ast.Subscript, of: Any, key: Any) -> Any:
        """As of :class:`CodeReader`; what computes is a boundary."""
        number = len(self.calls)
        keys = [*flat([key])]
        try:
            made = super().subscripted(node, of, key)
        except CodeRefused as refused:
            if not self._is_boundary(refused, keys) or not isinstance(of, Tensor):
                raise
        else:
            self._keep(number, ReadCall(node, "[", (of, key), {}, made))
            return made
        sizes = Computed((key.sizes + of.sizes[1:],)) if isinstance(key, Tensor) else None
        return self._boundary(node, "[...]", [of, *keys], sizes)

    # members, functions and layers

    def member(self, node: ast.Attribute, of: Any, name: str) -> Any:
        """As of :class:`CodeReader`; what computes is a boundary."""
        if isinstance(of, tuple) and len(of) == 2 and name in ("values", "indices"):
            # what PyTorch's sort, topk and max give
            return of[name == "indices"]
        number = len(self.calls)
        made = super().member(node, of, name)
        if isinstance(of, Tensor):
            self._keep(number, ReadCall(node, ".", (of, name), {}, made))
        return made

    def member_of(self, node: ast.Attribute, of: Instance | PythonClass | Parent, name: str) -> Any:
        """As of :class:`CodeReader`; what computes is a boundary."""
        try:
            return super().member_of(node, of, name)
        except CodeRefused as refused:
            called = node in self._callees and isinstance(of, Instance)
            if isinstance(refused, UseDecides) or refused.kind not in (*_KINDS, "name"):
                raise
            if not called:
                raise
        return ComputingLayer(ast.unparse(node))

    def unknown(self, node: ast.Name) -> Any:
        """As of :class:`CodeReader`; what computes is a boundary."""
        try:
            return super().unknown(node)
        except CodeRefused:
            if node not in self._callees:
                raise
        return ComputingLayer(node.id)

    def call_of_library(
        self, node: ast.Call, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Any:
        """As of :class:`CodeReader`; what computes is a boundary."""
        library = self.builder.library
        operands = [*args, *kwargs.values()]
        if isinstance(function, ComputingLayer):
            self._decide(operands)
            if not any(x.moving for x in _tensors(operands)):
                return ComputingLayer(function.name, tuple(args), kwargs)
            sizes = layer_sizes(function, args, library)
            return self._boundary(node, function.name, operands, sizes)
        number = len(self.calls)
        try:
            made = super().call_of_library(node, function, args, kwargs)
        except CodeRefused as refused:
            made = self._computed(node, function, args, kwargs, refused)
        else:
            if not isinstance(function, Sequential | MappedFunction):
                call = ReadCall(node, function, tuple(args), kwargs, made)
                self._keep(number, call)
        return made

    def _computed(
        self,
        node: ast.Call,
        function: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        refused: CodeRefused,
    ) -> Any:
        """What a call computes that is refused.

        Raises:
            CodeRefused: it is refused for another reason.
        """
        name, every = "", list(args)
        match function:
            case ValueMethod():
                name, every = function.name, [function.of, *args]
            case Named():
                name = str(function)
            case Later():
                name = function.name
        operands = [*every, *kwargs.values()]
        # a table may not have it, or have it of numbers alone
        is_named = refused.kind in ("name", "argument") and computes(name)
        if isinstance(refused, UseDecides) or not (is_named or refused.kind in _KINDS):
            raise refused
        if not any(x.moving for x in _tensors(operands)):
            last = name.rpartition(".")[2]
            if isinstance(function, Named) and last[:1].isupper():
                return ComputingLayer(ast.unparse(node.func), tuple(args), kwargs)
            self._decide(operands)
            raise refused
        library = self.builder.library
        sizes = computed_sizes(name, every, kwargs, library)
        if isinstance(function, Later):
            layer = ComputingLayer(function.name, function.args, function.kwargs)
            sizes = layer_sizes(layer, args, library)
        written = name if isinstance(function, ValueMethod) else ast.unparse(node.func)
        return self._boundary(node, written, operands, sizes)

    def _keep(self, number: int, call: ReadCall) -> None:
        """Remember how a call was written, which made one of those from this number on."""
        if len(self.calls) == number + 1:
            self.read[number] = call


def _tensors(operands: Sequence[Any]) -> list[Tensor]:
    """The tensors of nested lists, and those whose parts are written."""
    every: list[Tensor] = []
    for x in flat(list(operands)):
        if isinstance(x, IndexedPart | At):
            every.append(x.tensor)
        elif isinstance(x, Tensor):
            every.append(x)
    return every
