"""Writing to a tensor: to the memory in which it lies, so that every view of it sees the write.

A view is read again, by the operations that made it, when it is used after a write. Sources:
numpy.org/doc/stable/user/basics.copies.html, and NumPy 2.4, which copies first what an assignment
reads and writes at once, unless it writes one dimension in the direction in which it reads
(numpy/_core/src/multiarray/array_assign_array.c); PyTorch 2.13, which copies nothing first
(aten/src/ATen/MemoryOverlap.h).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlviz.base.budget import spend
from dmlviz.base.words import _
from dmlviz.code.builder import Builder
from dmlviz.code.indexing import get, put, written
from dmlviz.code.python.values import values_within
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor, control
from dmlviz.tensors import print_sizes
from dmlviz.tensors.numbering import distinct
from dmlviz.tensors.types import Array


def current(b: Builder, x: Tensor) -> Tensor:
    """A tensor as it is after the writes to its memory."""
    if x.version == x.memory.version:
        return x
    if x.of is None or x.again is None:
        assert x.memory.whole is not None
        return x.memory.whole
    latest = b.reread.get(x)
    if latest is None or latest.version != x.memory.version:
        latest = b.reread[x] = x.again(b, current(b, x.of))
    return latest


def is_stale(value: Any) -> bool:
    """Whether a value has a view that a write has changed since it was read."""
    return any(x.of is not None and x.version != x.memory.version for x in _tensors(value, set()))


def _tensors(value: Any, seen: set[int]) -> list[Tensor]:
    """The tensors of nested lists; each list once, however often it is there."""
    if isinstance(value, Tensor):
        return [value]
    if not isinstance(value, list | tuple) or id(value) in seen:
        return []
    seen.add(id(value))
    spend("items", len(value))
    return [x for item in value for x in _tensors(item, seen)]


def with_writes(b: Builder, value: Any, made: dict[int, Any] | None = None) -> Any:
    """A value with each of its tensors as it is now; a list stays the same list.

    Args:
        b: the builder.
        value: of any kind.
        made: what was made of lists and tuples so far, by their identity.
    """
    made = {} if made is None else made
    if isinstance(value, Tensor):
        return current(b, value)
    if id(value) not in made and isinstance(value, list | tuple):
        spend("items", len(value))
    if id(value) not in made and isinstance(value, list):
        made[id(value)] = value
        value[:] = [with_writes(b, item, made) for item in value]
    elif id(value) not in made and type(value) is tuple:
        made[id(value)] = tuple(with_writes(b, item, made) for item in value)
    return made.get(id(value), value)


def shares(value: Any, x: Tensor) -> bool:
    """Whether a value has a tensor in the memory of another."""
    return bool(sharing(x, [value]))


def _places(b: Builder, x: Tensor) -> Array:
    """For each element, its place among those of the first tensor in its memory."""
    if x.of is None or x.again is None:
        return np.arange(x.array.size).reshape(x.sizes)
    return x.again(b, control(_places(b, x.of))).array


def write(b: Builder, x: Tensor, key: Any, value: Any) -> Tensor:
    """Do ``x[key] = value``.

    Args:
        b: the builder.
        x: a tensor as it is now, perhaps a view.
        key: as :func:`dmlviz.code.indexing.get` takes it.
        value: a number or a tensor.

    Returns:
        The whole tensor in x's memory after the write.

    Raises:
        CodeRefused: the library does not allow it, or it does not fit.
    """
    value = with_writes(b, value)
    own = _writable_places(b, x)
    items = key if isinstance(key, tuple) else (key,)
    places = own if x.of is None else get(b, control(own), key).array
    if sources := sharing(x, [value]):
        if not any(isinstance(item, Tensor | list) for item in items):
            _check_copied(b, get(b, control(own), key).array, sources)
        elif not b.table.conventions.copies_first:
            _check_apart(b, own, sources)
    if x.of is None:
        return _changed(x, put(b, x, key, value))
    return _changed(*_written_at(b, x, places, value))


def rewrite(b: Builder, x: Tensor, new: Tensor, arguments: Sequence[Any] = ()) -> Tensor:
    """Write all elements of a tensor: what a method such as ``zero_`` makes of it.

    Args:
        b: the builder.
        x: a tensor as it is now, perhaps a view.
        new: of the same sizes.
        arguments: of the method.

    Raises:
        CodeRefused: the library does not allow it, or it does not fit.
    """
    own = _writable_places(b, x)
    if new.sizes != x.sizes:
        raise CodeRefused(
            "sizes",
            _("Sizes {new} cannot be written to a tensor of sizes {sizes}.").format(
                new=print_sizes(new.sizes), sizes=print_sizes(x.sizes)
            ),
        )
    _check_apart(b, own, sharing(x, arguments))
    return _changed(*((x, new) if x.of is None else _written_at(b, x, own, new)))


def augment(b: Builder, x: Tensor, new: Tensor) -> None:
    """Write what ``x += 1`` makes of a tensor with other names or views.

    Raises:
        CodeRefused: numbers would be rounded, or it cannot be written.
    """
    if not np.can_cast(new.array.dtype, x.array.dtype, "same_kind"):
        raise CodeRefused("argument", _("A tensor of whole numbers stays one where it is changed."))
    if not x.rank and b.table.conventions.scalars_apart:
        raise CodeRefused("view", _("A number of NumPy has one name where it is changed."))
    rewrite(b, x, new)


def _written_at(b: Builder, x: Tensor, places: Array, value: Any) -> tuple[Tensor, Tensor]:
    """The first tensor in a view's memory, as it is and as it will be."""
    while x.of is not None:
        x = x.of
    first = current(b, x)
    return first, written(b, first, places, value)


def _changed(x: Tensor, new: Tensor) -> Tensor:
    """The whole of a memory after a write."""
    memory = x.memory
    memory.version += 1
    memory.whole = replace(new, strides=x.strides, memory=memory, version=memory.version)
    memory.whole.of, memory.whole.again, memory.whole.writable = None, None, x.writable
    return memory.whole


def _writable_places(b: Builder, x: Tensor) -> Array:
    """The places of a tensor's elements in memory.

    Raises:
        CodeRefused: the tensor cannot be written to, or has an element of memory twice.
    """
    if not x.writable:
        message = _(
            "This is not written to here: write to the tensor of which it is made, or to a copy."
        )
        raise CodeRefused("view", message)
    places = _places(b, x)
    if distinct(places).size < places.size:
        raise CodeRefused(
            "view",
            _("Several elements of this tensor are one element in memory; write to a copy of it."),
        )
    return places


def sharing(x: Tensor, values: Sequence[Any]) -> list[Tensor]:
    """The tensors of values, and of the lists and models among them, in a tensor's memory."""
    return [y for y in values_within(values) if isinstance(y, Tensor) and y.memory is x.memory]


def _check_apart(b: Builder, places: Array, sources: Sequence[Tensor]) -> None:
    """Refuse tensors that have elements at places that are written."""
    if any(np.isin(_places(b, source), places).any() for source in sources):
        raise _reads_what_it_writes(b)


def _check_copied(b: Builder, places: Array, sources: Sequence[Tensor]) -> None:
    """Refuse to copy to places what is read there after it was written, unless all is copied first.

    Raises:
        CodeRefused: the result depends on the order in which the library copies.
    """
    for source in sources:
        read = _places(b, source)
        read = read.reshape(read.shape[max(0, read.ndim - places.ndim) :])
        read = np.broadcast_to(read, places.shape)
        changed = places[read != places]
        if np.isin(read, changed).any() and not _copies_first(b, read, places):
            raise _reads_what_it_writes(b)


def _copies_first(b: Builder, read: Array, places: Array) -> bool:
    """Whether an assignment has a result as if it copied all first."""
    if places.ndim != 1 or not b.table.conventions.copies_first:
        return b.table.conventions.copies_first
    steps = int(read[1] - read[0]), int(places[1] - places[0])
    return steps[0] == steps[1] or steps[0] * steps[1] < 0


def _reads_what_it_writes(b: Builder) -> CodeRefused:
    return CodeRefused(
        "view",
        _(
            "This reads elements that it writes, too, and {library} does not copy them first: copy "
            "what is read, with {copy}."
        ).format(library=b.table.title, copy=f".{b.table.conventions.copy_method}()"),
    )
