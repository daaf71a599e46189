"""Elements of several tensors, numbered through one tensor after the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.tensors.sizes import print_sizes
from dmlviz.tensors.types import Array, NamedSizes, Sizes, Tensors


def take(x: Array, places: Any, axis: int | None = None) -> Array:
    """``np.take`` with places of any integer type.

    NumPy takes places as wide as the machine counts memory: 32 bits in WebAssembly.

    Args:
        x: the array.
        places: integers.
        axis: the dimension that they count along; None for the flat array.
    """
    return np.take(x, np.asarray(places).astype(np.intp, copy=False), axis)


def distinct(*arrays: Array) -> Array:
    """The different numbers of all arrays together, in order, in a flat array.

    ``np.unique`` and ``np.union1d`` do the same, and import NumPy's masked arrays, which takes a
    third as long as to import NumPy.

    Args:
        arrays: one or more, of numbers that are not NaN.

    >>> distinct(np.array([[3, 1], [1, 3]]), np.array([2])).tolist()
    [1, 2, 3]
    """
    ordered = np.sort(np.concatenate([array.ravel() for array in arrays]))
    first = np.ones(ordered.size, np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def located(number: int, tensors: Tensors) -> tuple[str, Sizes]:
    """The tensor that holds the element of that number, and its index there.

    >>> located(4, {"a": np.zeros(3), "b": np.zeros((2, 2))})
    ('b', (0, 1))
    """
    for name, array in tensors.items():
        if number < array.size:
            return name, tuple(int(i) for i in np.unravel_index(number, array.shape))
        number -= array.size
    raise IndexError(number)


def usual_name(name: str, usual: str) -> str:
    """What the only tensor of its kind is called: code has names of its own for its tensors.

    Args:
        name: of the tensor.
        usual: the word for a tensor of an operator, such as ``in``.

    >>> usual_name("InputTensor", "in"), usual_name("InputTensors[0]", "in"), usual_name("x", "in")
    ('in', 'in', 'x')
    """
    return usual if re.search(r"Tensor(s\[\d+\])?$", name) else name


def print_cell(number: int, tensors: Tensors, alone: str) -> str:
    """An element's name in sentences, with the tensor's name if there are several tensors.

    Args:
        number: the element's number through all tensors.
        tensors: by name.
        alone: what the only tensor of an operator is called, as of :func:`usual_name`; empty for
            an index without a name.

    >>> print_cell(4, {"a": np.zeros(3), "b": np.zeros((2, 2))}, "in")
    'b[0, 1]'
    >>> [print_cell(1, {name: np.zeros(3)}, "in") for name in ("InputTensor", "x")]
    ['in[1]', 'x[1]']
    """
    name, index = located(number, tensors)
    if len(tensors) == 1:
        name = alone and usual_name(name, alone)
    return print_element(name, index)


def print_element(name: str, index: Iterable[object]) -> str:
    """An element of a tensor; the only one of a tensor without dimensions has its name.

    Args:
        name: of the tensor; empty for an index without a name.
        index: of the element, as :func:`print_index` takes it.

    >>> print_element("out", (0, 2)), print_element("out", ()), print_element("", ())
    ('out[0, 2]', 'out', '[]')
    """
    parts = tuple(index)
    return f"{name}{print_index(parts)}" if parts or not name else name


def print_index(parts: Iterable[object]) -> str:
    """The index of an element, or of a slice where a part is ``":"``.

    >>> print_index((0, 2)), print_index((0, ":"))
    ('[0, 2]', '[0, :]')
    """
    return f"[{', '.join(map(str, parts))}]"


def print_flat_index(flat: int, sizes: Sequence[int]) -> str:
    """The index that belongs to a flat index.

    >>> print_flat_index(5, (2, 3))
    '[1, 2]'
    """
    return print_index(np.unravel_index(flat, tuple(sizes)))


def print_all_sizes(sizes: Mapping[str, Sizes]) -> str:
    """Every tensor's sizes, after its name if there are several tensors.

    >>> print_all_sizes({"a": (2, 3)}), print_all_sizes({"a": (2,), "b": (3,)})
    ('{2, 3}', 'a {2}, b {3}')
    """
    if len(sizes) == 1:
        return print_sizes(next(iter(sizes.values())))
    return ", ".join(f"{name} {print_sizes(each)}" for name, each in sizes.items())


def differing_elements(a: Tensors, b: Tensors) -> list[int]:
    """The numbers of the elements in which two runs' outputs differ, bit for bit.

    They are compared in order, whatever their names. Empty if their number, sizes or types differ:
    then there is nothing to compare.
    """
    differing: list[int] = []
    first = 0
    for array, other in zip(a.values(), b.values(), strict=False):
        if (array.shape, array.dtype) != (other.shape, other.dtype):
            return []
        differing += [first + int(i) for i in differing_bits(array, other)]
        first += array.size
    return differing if len(a) == len(b) else []


def differing_bits(a: Array, b: Array) -> Array:
    """Flat indices where the bits of two arrays of the same type and sizes differ."""
    bits = f"u{a.dtype.itemsize}"
    return np.flatnonzero(a.ravel().view(bits) != b.ravel().view(bits))


def sizes_by_name(tensors: Tensors) -> NamedSizes:
    """The sizes of every tensor."""
    return {name: array.shape for name, array in tensors.items()}
