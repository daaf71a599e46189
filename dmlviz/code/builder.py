"""Operations on tensors while code is read: each is ONNX nodes, run at once on sources.

The rules of sizes are ONNX's (onnx.ai/onnx/operators); libraries' own are in their tables.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlviz.base.budget import spend
from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.code.memory import ELEMENTS, VIEWS, packed
from dmlviz.code.refusals import CodeRefused, computes_values, depends_on_values, index_outside
from dmlviz.code.tensor import Memory, Tensor, Typed, control, undefined_places
from dmlviz.movement.graphs import Constant, Node
from dmlviz.movement.nodes import KERNELS, fold
from dmlviz.tensors import print_sizes, short_text
from dmlviz.tensors.numbering import print_flat_index
from dmlviz.tensors.sizes import READ_LIMIT
from dmlviz.tensors.types import Array, Sizes

LIST_LIMIT = 65_536
"""The limit of numbers in a list of code, and in a constant of a model's file."""

OPERATION_LIMIT = 96
"""The limit of nodes in a chain."""

TENSOR_LIMIT = 4 * OPERATION_LIMIT
"""The limit of tensors, those of indices included."""

RANK_LIMIT = 8
"""DirectML's limit of dimensions, for inputs and results of a call."""

INNER_RANK_LIMIT = 16
"""The limit of dimensions between two nodes of a call."""

NUMBERS = np.int32
"""The type of the numbers of sources: half of what INT64 takes, and with room for all of them."""

OWN_COST = 2
"""What an element of the code's own numbers costs: they are INT64."""

PAD_MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


@dataclass(eq=False)
class Made:
    """A node, and which call made it.

    Attributes:
        node: its inputs and outputs are names; constants of the values' type are names, too.
        call: the number of the call.
    """

    node: Node
    call: int


class Builder:
    """The nodes of a chain, in order.

    The elements of all inputs are numbered one tensor after the other. Constants are numbered
    downward from -1: number ``-1 - k`` is element ``k`` of all constants.

    Args:
        library: whose rules hold: ``numpy``, ``torch`` and so on.
        data_type: of the elements that move; it says how many bytes one has.

    Attributes:
        takes_undefined: whether tensors are read that ``empty`` makes, and that code fills later.
    """

    def __init__(self, library: str, data_type: str = ELEMENTS) -> None:
        # the functions of libraries take a builder
        from dmlviz.code.libraries import table_of

        self.library, self.data_type, self.table = library, data_type, table_of(library)
        self.nodes: list[Made] = []
        self.inputs: dict[str, Tensor] = {}
        self.controls: set[str] = set()
        self.constants: dict[str, Array] = {}
        self.sizes: dict[str, Sizes] = {}
        self.call = 0
        self.reread: dict[Tensor, Tensor] = {}
        self.takes_undefined = True
        self._count = self._constant_count = self._tensors = 0

    def input(self, name: str, sizes: Sizes, values: Array | None = None) -> Tensor:
        """A tensor whose elements move."""
        tensor = self.inputs[name] = self.numbered(name, sizes)
        tensor.values = values
        return tensor

    def numbered(self, name: str, sizes: Sizes) -> Tensor:
        """A tensor whose elements are the source of others: an input, or new values."""
        self.check(sizes)
        first, self._count = self._count, self._count + math.prod(sizes)
        numbers = np.arange(first, self._count, dtype=NUMBERS).reshape(sizes)
        self.sizes[name] = numbers.shape
        return Tensor(numbers, True, name)

    def check(self, sizes: Sequence[int], most: int = READ_LIMIT, *, cost: int = 1) -> None:
        """Refuse a tensor of these sizes before it is made.

        Args:
            sizes: of the tensor.
            most: the limit of its elements.
            cost: of each element: 0 if it is the memory of another tensor.

        Raises:
            CodeRefused: it would have no elements, or too many, or too many dimensions.
            BudgetSpent: all tensors together have too many.
        """
        count = math.prod(int(n) for n in sizes)
        text = print_sizes([int(n) for n in sizes[: 2 * INNER_RANK_LIMIT]])
        if min(sizes, default=1) < 1:
            raise CodeRefused(
                "sizes",
                _(
                    "A tensor of sizes {sizes} has no elements; every size must be 1 or more."
                ).format(sizes=text),
            )
        if len(sizes) > INNER_RANK_LIMIT:
            raise CodeRefused(
                "limit",
                _("A tensor has {rank} dimensions here; at most {most} are allowed.").format(
                    rank=len(sizes), most=INNER_RANK_LIMIT
                ),
            )
        if count > most:
            raise CodeRefused(
                "limit",
                _(
                    "A tensor of sizes {sizes} has {count} elements; at most {most} are allowed: "
                    "try smaller sizes."
                ).format(sizes=text, count=f"{count:,}", most=f"{most:,}"),
            )
        spend("elements", cost * count)

    def moved(self, tensor: Tensor) -> Tensor:
        """The tensor as part of a result: numbers of the code become constants.

        Raises:
            BudgetSpent: those that are not all alike are more than a list may have.
        """
        if tensor.moving:
            return tensor
        if tensor.computed is not None:
            raise tensor.computed
        if (tensor.array != tensor.array.flat[0]).any():
            spend("items", tensor.array.size)
        start = -1 - self._constant_count
        numbers = start - np.arange(tensor.array.size, dtype=NUMBERS).reshape(tensor.sizes)
        self._constant_count += tensor.array.size
        name = f"_c{len(self.constants)}"
        self.constants[name] = np.asarray(tensor.array)
        self.sizes[name] = tensor.sizes
        return Tensor(numbers, True, name, np.asarray(tensor.array))

    def control_values(self, tensor: Tensor) -> Array:
        """The values of a tensor that decides where elements go.

        Raises:
            CodeRefused: they are those of an input of which only the sizes are known.
        """
        if not tensor.moving:
            if undefined_places(tensor.array).any():
                raise depends_on_values()
            return tensor.array
        if tensor.values is None:
            raise depends_on_values()
        numbers = tensor.array
        start = 0
        for name, of in self.inputs.items():
            if ((numbers >= start) & (numbers < start + of.array.size)).any():
                self.controls.add(name)
            start += of.array.size
        return tensor.values

    def derived(self, array: Any, *operands: Tensor) -> Tensor:
        """Numbers calculated from others: they choose elements, but become no part of a result
        if one of the operands moves."""
        computed = next((t.computed for t in operands if t.computed is not None), None)
        if computed is None and any(t.moving for t in operands):
            computed = computes_values()
        return Tensor(np.asarray(array), False, computed=computed)

    def node(
        self,
        op_type: str,
        inputs: Sequence[Tensor | Constant],
        sizes: Sequence[int] | None = None,
        **attributes: Any,
    ) -> tuple[Tensor, ...]:
        """Run a node on sources, and keep it if one of its inputs moves.

        Args:
            op_type: one of :data:`dmlviz.movement.nodes.KERNELS`.
            inputs: in ONNX's order.
            sizes: of the result, to refuse it before it is made; None if it has as many elements
                as the first tensor.
            attributes: by ONNX's names.
        """
        tensors = [item for item in inputs if isinstance(item, Tensor)]
        due = tensors[0].sizes if sizes is None else sizes
        self.check(due, cost=0 if op_type in ("Identity", "Reshape") else 1)
        self._tensors += 1
        moving = any(tensor.moving for tensor in tensors)
        if self._tensors > TENSOR_LIMIT or (moving and len(self.nodes) >= OPERATION_LIMIT):
            raise CodeRefused(
                "limit",
                _("The code needs more than {most} operations: try a part of it.").format(
                    most=OPERATION_LIMIT
                ),
            )
        made = _run(op_type, [_array(item) for item in inputs], attributes)
        values: Sequence[Array | None] = [None] * len(made)
        if moving and all(t.values is not None for t in tensors):
            values = _run(op_type, [_values(item) for item in inputs], attributes)
        names = [f"_{len(self.nodes)}_{k}" if moving else "" for k in range(len(made))]
        if moving:
            wired = tuple(t.name if isinstance(t, Tensor) else t for t in inputs)
            self.nodes.append(Made(Node(op_type, wired, attributes, tuple(names)), self.call))
            self.sizes |= zip(names, (array.shape for array in made), strict=True)
        computed = next((t.computed for t in tensors if t.computed is not None), None)
        results = tuple(
            Tensor(array, moving, name, own, computed)
            for array, name, own in zip(made, names, values, strict=True)
        )
        if op_type in VIEWS and isinstance(inputs[0], Tensor):
            self._place_views(op_type, inputs[0], inputs[1:], attributes, results)
        return results

    def _place_views(
        self, op_type: str, x: Tensor, more: Sequence[Any], attributes: Any, results: Any
    ) -> None:
        """Give the results of a node the memory of its first input, unless it copies."""
        named: Mapping[str, Any] = attributes | {item.name: item.values for item in more}
        conventions = self.table.conventions
        if op_type == "Slice" and conventions.flip_copies and named["steps"].min() < 0:
            return
        for k, result in enumerate(results):
            strides = VIEWS[op_type](x.sizes, x.strides, result.sizes, named)

            def again(b: Builder, of: Tensor, k: int = k, sizes: Sizes = result.sizes) -> Tensor:
                return b.node(op_type, [of, *more], sizes, **attributes)[k]

            if strides is not None:
                self.as_view(result, x, strides, again)
                result.writable &= op_type != "Expand" or conventions.repeats_writable

    def as_view(
        self, made: Tensor, of: Tensor, strides: Sizes, again: Callable[[Builder, Tensor], Tensor]
    ) -> Tensor:
        """A new tensor, which lies in the memory of another.

        Args:
            made, strides: the tensor, and its strides there, in elements.
            of: the other tensor.
            again: makes the view once more, of what ``of`` is after a write.
        """
        if not self.table.conventions.has_views:
            return made
        made.memory, made.strides, made.version = of.memory, strides, of.version
        made.of, made.again, made.writable = of, again, of.writable
        return made

    def axis(self, axis: Any, rank: int) -> int:
        """The number of a dimension, counted from the front.

        Raises:
            CodeRefused: it is no whole number, or there is no such dimension.
        """
        if isinstance(axis, bool) or not isinstance(axis, int | np.integer):
            raise CodeRefused(
                "argument",
                _("{axis} is not an axis; an axis is a whole number.").format(
                    axis=short_text(axis)
                ),
            )
        if not -rank <= axis < rank:
            raise CodeRefused(
                "argument",
                _("There is no axis {axis}; the tensor has {rank} dimensions.").format(
                    axis=axis, rank=rank
                ),
            )
        return int(axis) % rank

    def axes(self, axes: Sequence[Any], rank: int) -> list[int]:
        """The numbers of several dimensions, none of them twice."""
        dimensions = [self.axis(axis, rank) for axis in axes]
        if len(set(dimensions)) != len(dimensions):
            raise CodeRefused("argument", _("An axis is named twice; name each axis once."))
        return dimensions

    def reshape(self, x: Tensor, sizes: Sequence[int]) -> Tensor:
        """The same elements in the same order with other sizes; one of them can be -1."""
        new = self.whole_sizes(x, sizes)
        if new == x.sizes:
            return x
        return self.node("Reshape", [x, _whole("shape", new)], new)[0]

    def whole_sizes(self, x: Tensor, sizes: Sequence[int]) -> Sizes:
        """The sizes of a reshape, with a number in place of -1.

        Raises:
            CodeRefused: the elements do not fit.
        """
        new = [int(n) for n in sizes]
        rest = math.prod(n for n in new if n != -1)
        if new.count(-1) == 1 and rest > 0 and x.array.size % rest == 0:
            new[new.index(-1)] = x.array.size // rest
        if min(new, default=1) < 1 or math.prod(new) != x.array.size:
            message = _(
                "{count} elements of sizes {sizes} do not fit sizes {new}; the product of the "
                "sizes must stay the same, and one size can be -1."
            )
            if min(new, default=1) > 0:
                message = _("Sizes {new} have {due} elements, but sizes {sizes} have {count}.")
            raise CodeRefused(
                "sizes",
                message.format(
                    count=f"{x.array.size:,}",
                    sizes=print_sizes(x.sizes),
                    new=print_sizes([int(n) for n in sizes]),
                    due=f"{math.prod(new):,}",
                ),
            )
        return tuple(new)

    def transpose(self, x: Tensor, order: Sequence[int]) -> Tensor:
        """Dimension ``order[d]`` becomes dimension d."""
        perm = self.axes(order, x.rank)
        if len(perm) != x.rank:
            raise CodeRefused(
                "argument",
                _(
                    "A tensor of rank {rank} is transposed by {rank} axes, each once, not {count}."
                ).format(count=len(perm), rank=x.rank),
            )
        if perm == list(range(x.rank)):
            return x
        return self.node("Transpose", [x], perm=perm)[0]

    def expand(self, x: Tensor, sizes: Sequence[int]) -> Tensor:
        """Copies along dimensions of size 1, and along new dimensions in front."""
        new = tuple(int(n) for n in sizes)
        if new == x.sizes:
            return x
        fits = len(new) >= x.rank and all(
            n in (1, m) for n, m in zip(x.sizes, new[len(new) - x.rank :], strict=True)
        )
        if not fits:
            raise CodeRefused(
                "sizes",
                _(
                    "Sizes {sizes} do not expand to {new}; only a dimension of size 1, or a new "
                    "leading one, can."
                ).format(sizes=print_sizes(x.sizes), new=print_sizes(new)),
            )
        return self.node("Expand", [x, _whole("shape", new)], new)[0]

    def tile(self, x: Tensor, repeats: Sequence[int]) -> Tensor:
        """The whole tensor repeated ``repeats[d]`` times along dimension d."""
        counts = tuple(int(n) for n in repeats)
        if len(counts) != x.rank:
            raise CodeRefused(
                "argument",
                _("{count} repeats do not fit {rank} dimensions.").format(
                    count=len(counts), rank=x.rank
                ),
            )
        if not counts or set(counts) == {1}:
            return x
        sizes = [n * count for n, count in zip(x.sizes, counts, strict=True)]
        return self.node("Tile", [x, _whole("repeats", counts)], sizes)[0]

    def slice(self, x: Tensor, parts: Sequence[tuple[int, int, int, int]]) -> Tensor:
        """Parts of dimensions.

        Args:
            x: the tensor.
            parts: axis, start, stop and step, as :meth:`slice.indices` gives them.
        """
        sizes = list(x.sizes)
        for axis, start, stop, step in parts:
            sizes[axis] = len(range(start, stop, step))
        if not parts or all(
            part[1:] == (0, x.sizes[part[0]], 1) or x.sizes[part[0]] == sizes[part[0]] == 1
            for part in parts
        ):
            return x
        # ONNX: an end below -n of a negative step means through index 0
        ends = [-x.sizes[d] - 1 if step < 0 and stop < 0 else stop for d, _s, stop, step in parts]
        columns = ([p[1] for p in parts], ends, [p[0] for p in parts], [p[3] for p in parts])
        names = ("starts", "ends", "axes", "steps")
        constants = [_whole(name, column) for name, column in zip(names, columns, strict=True)]
        return self.node("Slice", [x, *constants], sizes)[0]

    def flip(self, x: Tensor, axes: Sequence[int]) -> Tensor:
        """Dimensions in reverse."""
        dimensions = self.axes(axes, x.rank)
        return self.slice(x, [(d, x.sizes[d] - 1, -1, -1) for d in dimensions])

    def pad(
        self,
        x: Tensor,
        before: Sequence[int],
        after: Sequence[int],
        mode: str = "constant",
        value: Any = 0,
    ) -> Tensor:
        """More elements on both sides of each dimension; a negative count crops.

        Args:
            x: the tensor.
            before, after: for each dimension.
            mode: one of :data:`PAD_MODES`, by NumPy's names.
            value: of new elements in the mode ``constant``.
        """
        sizes = [n + b + a for n, b, a in zip(x.sizes, before, after, strict=True)]
        self.check(sizes)
        crop = zip(x.sizes, before, after, strict=True)
        x = self.slice(
            x,
            [
                (d, max(0, -b), n - max(0, -a), 1)
                for d, (n, b, a) in enumerate(crop)
                if b < 0 or a < 0
            ],
        )
        widths = [(max(0, b), max(0, a)) for b, a in zip(before, after, strict=True)]
        if not any(map(any, widths)):
            return x
        reach = all(max(pair) < n for n, pair in zip(x.sizes, widths, strict=True))
        if mode in ("constant", "edge") or (mode == "reflect" and reach):
            pads = _whole("pads", [pair[side] for side in (0, 1) for pair in widths])
            inputs: list[Tensor | Constant] = [self.moved(x), pads]
            if mode == "constant":
                inputs.append(self.moved(control(value)))
            return self.node("Pad", inputs, sizes, mode=mode)[0]
        for d, (b, a) in enumerate(widths):
            if b or a:
                places = fold(np.arange(-b, x.sizes[d] + a), x.sizes[d], mode)
                x = self.gather(x, d, control(places))
        return x

    def index(self, indices: Tensor, size: int, *, taken: bool = False) -> Tensor:
        """Whole numbers that choose places of a dimension of a size; none is negative afterwards.

        Args:
            taken: as :func:`dmlviz.code.refusals.index_outside` has it.

        Raises:
            CodeRefused: they are no whole numbers, or there is no such place.
        """
        array = self.control_values(indices)
        if array.dtype.kind not in "iub":
            raise CodeRefused("argument", _("Indices must be whole numbers."))
        whole = array.astype(np.int64)
        outside = (whole < -size) | (whole >= size)
        if outside.any():
            raise index_outside(int(whole[outside][0]), size, self.table.conventions, taken=taken)
        return control(np.where(whole < 0, whole + size, whole))

    def gather(self, x: Tensor, axis: int, indices: Tensor, typed: Typed = False) -> Tensor:
        """The places of one dimension that indices choose; their dimensions take its place.

        Args:
            x, axis, indices: as ONNX's Gather takes them.
            typed: see :data:`Typed`; as below.
        """
        axis = self.axis(axis, x.rank)
        places = self.index(indices, x.sizes[axis])
        sizes = x.sizes[:axis] + places.sizes + x.sizes[axis + 1 :]
        return self.node("Gather", [x, _indices(places, typed, indices)], sizes, axis=axis)[0]

    def gather_elements(self, x: Tensor, axis: int, indices: Tensor, typed: bool = False) -> Tensor:
        """For each index, the element whose index in one dimension it is."""
        axis = self.axis(axis, x.rank)
        places = self.index(indices, x.sizes[axis])
        self._fits(places.sizes, x.sizes, axis)
        constant = _indices(places, typed, indices)
        return self.node("GatherElements", [x, constant], places.sizes, axis=axis)[0]

    def _fits(self, indices: Sizes, sizes: Sizes, axis: int) -> None:
        pairs = enumerate(zip(indices, sizes, strict=False))
        if len(indices) != len(sizes) or any(n > m for d, (n, m) in pairs if d != axis):
            raise CodeRefused(
                "sizes",
                _(
                    "Indices of sizes {indices} do not fit a tensor of sizes {sizes}: the ranks "
                    "must be equal, and no size larger except along axis {axis}."
                ).format(indices=print_sizes(indices), sizes=print_sizes(sizes), axis=axis),
            )

    def _tuples(self, x: Tensor, indices: Tensor, first: int = 0) -> Tensor:
        """Indices of several dimensions each, checked column by column."""
        array = self.control_values(indices)
        count = array.shape[-1] if array.ndim else 0
        if not 0 < count <= x.rank - first:
            raise CodeRefused(
                "sizes",
                _("Tuples of {count} indices do not fit {rank} dimensions.").format(
                    count=count, rank=x.rank - first
                ),
            )
        columns = [self.index(control(array[..., k]), x.sizes[first + k]) for k in range(count)]
        return control(np.stack([column.array for column in columns], -1))

    def gather_nd(
        self, x: Tensor, indices: Tensor, batch_dims: int = 0, typed: Typed = False
    ) -> Tensor:
        """The elements or parts whose first indices a tuple holds."""
        places = self._tuples(x, indices, batch_dims)
        sizes = places.sizes[:-1] + x.sizes[batch_dims + places.sizes[-1] :]
        attributes = {"batch_dims": batch_dims} if batch_dims else {}
        return self.node("GatherND", [x, _indices(places, typed, indices)], sizes, **attributes)[0]

    def scatter_elements(self, x: Tensor, axis: int, indices: Tensor, updates: Tensor) -> Tensor:
        """The tensor with each update at the index in one dimension that belongs to it."""
        axis = self.axis(axis, x.rank)
        places = self.index(indices, x.sizes[axis])
        self._fits(places.sizes, x.sizes, axis)
        self._fits(places.sizes, updates.sizes, -1)
        at = list(np.indices(places.sizes, sparse=True))
        at[axis] = places.array
        check_once(np.ravel_multi_index(np.broadcast_arrays(*at), x.sizes), x.sizes)
        updates = self.slice(updates, [(d, 0, n, 1) for d, n in enumerate(places.sizes)])
        inputs: list[Tensor | Constant] = [self.moved(x), _indices(places), self.moved(updates)]
        return self.node("ScatterElements", inputs, axis=axis)[0]

    def scatter_nd(self, x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
        """The tensor with each update at the place whose first indices a tuple holds."""
        places = self._tuples(x, indices)
        count = places.sizes[-1]
        due = places.sizes[:-1] + x.sizes[count:]
        if updates.sizes != due:
            raise CodeRefused(
                "sizes",
                _("Updates of sizes {sizes} must have sizes {due}.").format(
                    sizes=print_sizes(updates.sizes), due=print_sizes(due)
                ),
            )
        into = x.sizes[:count]
        check_once(np.ravel_multi_index(tuple(np.moveaxis(places.array, -1, 0)), into), into)
        return self.node("ScatterND", [self.moved(x), _indices(places), self.moved(updates)])[0]

    def concat(self, parts: Sequence[Tensor], axis: int) -> Tensor:
        """Tensors one after the other along a dimension."""
        if not parts:
            raise CodeRefused("argument", _("There is nothing to join; name one tensor or more."))
        axis = self.axis(axis, parts[0].rank)
        first = parts[0].sizes
        for part in dict.fromkeys(parts):
            if _without(part.sizes, axis) != _without(first, axis) or part.rank != len(first):
                raise CodeRefused(
                    "sizes",
                    _(
                        "Sizes {one} and {two} do not join along axis {axis}: all other sizes must "
                        "be equal."
                    ).format(one=print_sizes(first), two=print_sizes(part.sizes), axis=axis),
                )
        if len(parts) == 1:
            return parts[0]
        total = sum(part.sizes[axis] for part in parts)
        if any(part.moving for part in parts):
            parts = [self.moved(part) for part in parts]
        return self.node("Concat", parts, (*first[:axis], total, *first[axis + 1 :]), axis=axis)[0]

    def split(self, x: Tensor, parts: Sequence[int], axis: int) -> tuple[Tensor, ...]:
        """Parts of these sizes along a dimension."""
        axis = self.axis(axis, x.rank)
        if min(parts, default=0) < 1 or sum(parts) != x.sizes[axis]:
            raise CodeRefused(
                "sizes",
                _(
                    "Parts of {parts} do not divide a dimension of size {size}: each must be 1 or "
                    "more, and their sum the size."
                ).format(parts=print_sizes([int(n) for n in parts]), size=x.sizes[axis]),
            )
        if len(parts) == 1:
            return (x,)
        return self.node("Split", [x, _whole("split", parts)], axis=axis)

    def unsqueeze(self, x: Tensor, axes: Sequence[int]) -> Tensor:
        """New dimensions of size 1 at these numbers."""
        dimensions = self.axes(axes, x.rank + len(axes))
        rest = iter(x.sizes)
        return self.reshape(
            x, [1 if d in dimensions else next(rest) for d in range(x.rank + len(dimensions))]
        )

    def squeeze(self, x: Tensor, axes: Sequence[int]) -> Tensor:
        """Without these dimensions, which have size 1."""
        return self.reshape(x, [n for d, n in enumerate(x.sizes) if d not in axes])

    def where(self, condition: Tensor, a: Tensor, b: Tensor) -> Tensor:
        """Elements of ``a`` where the condition holds, of ``b`` elsewhere, after broadcasting."""
        mask = self.control_values(condition).astype(bool)
        sizes = self.broadcast_sizes([condition, a, b])
        if a.moving or b.moving:
            a, b = self.moved(a), self.moved(b)
        return self.node("Where", [Constant("condition", mask), a, b], sizes)[0]

    def broadcast_sizes(self, tensors: Sequence[Tensor]) -> Sizes:
        """The sizes that tensors have after broadcasting.

        Raises:
            CodeRefused: they cannot be broadcast.
        """
        try:
            sizes = np.broadcast_shapes(*(tensor.sizes for tensor in tensors))
        except ValueError:
            raise CodeRefused(
                "sizes",
                _(
                    "Sizes {sizes} cannot be broadcast together: counted from the last dimension, "
                    "sizes must be equal or 1."
                ).format(sizes=", ".join(print_sizes(tensor.sizes) for tensor in tensors)),
            ) from None
        self.check(sizes)
        return sizes

    def copy(self, x: Tensor, strides: Sizes | None = None) -> Tensor:
        """The same elements in memory of their own: another tensor than an earlier call's."""
        here = any(x.name in made.node.outputs for made in self.nodes if made.call == self.call)
        if x.moving and not here:
            (x,) = self.node("Identity", [x])
        return self.apart(x, strides or packed(x.sizes))

    def apart(self, x: Tensor, strides: Sizes) -> Tensor:
        """The same tensor in memory of its own, with these strides."""
        new = replace(x, strides=strides, memory=Memory(x.array.size), version=0)
        new.of, new.again, new.writable = None, None, True
        return new


def _array(item: Tensor | Constant) -> Array:
    return item.array if isinstance(item, Tensor) else item.values


def _values(item: Tensor | Constant) -> Array:
    if isinstance(item, Constant):
        return item.values
    return item.array if item.values is None else item.values


def _run(op_type: str, arrays: Sequence[Array], attributes: Any) -> list[Array]:
    made = KERNELS[op_type](*arrays, **attributes)
    return [np.asarray(array, order="C") for array in (made if isinstance(made, tuple) else [made])]


def _whole(name: str, numbers: Sequence[int]) -> Constant:
    return Constant(name, np.asarray(tuple(numbers), np.int64))


def _indices(places: Tensor, typed: Typed = False, indices: Tensor | None = None) -> Constant:
    """Places as a node takes them, and the tensors of indices that the code says."""
    if typed is True and indices is not None:
        typed = (indices.array if indices.values is None else indices.values,)
    return Constant("indices", places.array, typed if isinstance(typed, tuple) else ())


def _without(sizes: Sizes, axis: int) -> Sizes:
    return sizes[:axis] + sizes[axis + 1 :]


def check_once(places: Array, sizes: Sizes) -> None:
    """Refuse to write two elements to one place, flat indices of a tensor of these sizes."""
    numbers, counts = np.unique(places, return_counts=True)
    if (twice := numbers[counts > 1]).size:
        message = _("Two elements are written to {place}; which one stays is undefined.")
        raise CodeRefused("order", message.format(place=print_flat_index(int(twice[0]), sizes)))
