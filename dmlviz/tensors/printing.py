"""Values and tensors as text: exactly, as a short label, and as documentation prints them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlviz.tensors.data_types import data_type_of
from dmlviz.tensors.sizes import print_sizes, sizes_of
from dmlviz.tensors.types import Array

# FLOAT32 and FLOAT64 hold every whole number up to this; all of FLOAT16 is below it.
# (The shortest text that tells FLOAT16's 65504 from its neighbors is 65500: valid, but odd.)
_WHOLE = 2**24


def print_value(value: np.generic | float) -> str:
    """The shortest text that reads back as exactly this value.

    Args:
        value: a scalar of one of the eleven data types, or a boolean.

    Returns:
        ``True`` and ``False``; integers in full; floats with as few digits as their type needs,
        without ``.0``; ``NaN``, ``Infinity`` and ``-Infinity``; ``-0`` with its sign.

    >>> [print_value(v) for v in (np.float32(0.1), np.float16(3), np.float64(-0.0))]
    ['0.1', '3', '-0']
    """
    if isinstance(value, np.bool_):
        return str(bool(value))
    if isinstance(value, int | np.integer):
        return str(int(value))
    number = float(value)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "-0" if math.copysign(1, number) < 0 else "0"
    if abs(number) <= _WHOLE and number.is_integer():
        return str(int(number))
    # not str(): the size from which it writes exponents differs between versions of NumPy
    plain = 1e-4 <= abs(number) < (1e16 if np.asarray(value).dtype.itemsize == 8 else _WHOLE)
    exact: Any = value
    if plain:
        return np.format_float_positional(exact, unique=True, trim="-")
    return np.format_float_scientific(exact, unique=True, trim="-")


def print_label(value: np.generic | float, width: int = 6) -> str:
    """A short text for a cell.

    Args:
        value: a scalar of one of the eleven data types.
        width: how many characters fit.

    Returns:
        The exact text if it fits; otherwise the value rounded to as many digits as fit,
        or to one digit if not even that fits.

    >>> print_label(np.float32(1 / 3)), print_label(np.uint64(2**64 - 1)), print_label(np.int8(-7))
    ('0.3333', '1.8e19', '-7')
    """
    exact = print_value(value)
    if len(exact) <= width:
        return exact
    number = float(value)
    if math.isinf(number):
        return "∞" if number > 0 else "-∞"
    rounded = ""
    for digits in range(width, 0, -1):
        rounded = _short_exponent(f"{number:.{digits}g}")
        if len(rounded) <= width:
            break
    return rounded if len(rounded) < len(exact) else exact


def print_literal(array: Array) -> str:
    """A tensor as DirectML's documentation prints it, one row per line.

    Args:
        array: up to 8 dimensions, no size 0, one of the eleven data types.

    Returns:
        Text that :func:`dmlviz.tensors.read_literal` reads back bit for bit; without dimensions
        it is a number, as NumPy prints it.

    Raises:
        Error: the array has other sizes or another type.

    >>> print(print_literal(np.arange(1, 7).reshape(1, 1, 2, 3)))
    [[[[1, 2, 3],
       [4, 5, 6]]]]
    """
    data_type_of(array)
    texts = [print_value(value) for value in array.flat]
    if not array.ndim:
        return texts[0]
    sizes = sizes_of(array.shape)
    widest = max(len(text) for text in texts)
    columns = sizes[-1]
    lines = []
    for number, indices in enumerate(np.ndindex(*sizes[:-1])):
        row = texts[number * columns : (number + 1) * columns]
        opened = 1 + _agreeing(indices, (0,) * len(indices))
        closed = 1 + _agreeing(indices, tuple(size - 1 for size in sizes[:-1]))
        indent = " " * (len(sizes) - opened)
        values = ", ".join(text.rjust(widest) for text in row)
        lines.append(f"{indent}{'[' * opened}{values}{']' * closed}")
    return ",\n".join(lines)


def print_tensor(
    name: str, array: Array, sizes: Sequence[int] = (), strides: Sequence[int] = ()
) -> str:
    """A tensor after the header that the documentation puts before it.

    Args:
        name: the tensor's name.
        array: its values; with ``strides`` its memory, one element after another.
        sizes, strides: the tensor's own, if the array is its memory.

    Raises:
        Error: the array is not a DirectML tensor.

    >>> print(print_tensor("InputTensor", np.float32([[1, 2.5]])))
    InputTensor: (Sizes:{1, 2}, DataType:FLOAT32)
    [[  1, 2.5]]
    """
    header = [f"Sizes:{print_sizes(sizes or array.shape)}"]
    header += [f"Strides:{print_sizes(strides)}"] if strides else []
    header.append(f"DataType:{data_type_of(array)}")
    return f"{name}: ({', '.join(header)})\n{print_literal(array)}"


def _agreeing(indices: tuple[int, ...], edge: tuple[int, ...]) -> int:
    """How many of the last indices are at the edge: brackets open or close there."""
    count = 0
    for here, there in zip(reversed(indices), reversed(edge), strict=True):
        if here != there:
            break
        count += 1
    return count


def _short_exponent(text: str) -> str:
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if e else mantissa


def print_compact(x: Array) -> str:
    """Own values as compact, exact text, one after the other; the sizes arrange them.

    >>> print_compact(np.float32([[1, 2.5], [-0.0, 4]]))
    '1,2.5,-0,4'
    """
    return ",".join(print_value(value) for value in x.flat)
