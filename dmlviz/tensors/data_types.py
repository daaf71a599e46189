"""DirectML's eleven tensor data types and what they can hold."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _

Kind = Literal["float", "signed", "unsigned"]

_PREFIX = "DML_TENSOR_DATA_TYPE_"


@dataclass(frozen=True)
class DataType:
    """One of the types that a tensor's elements can have.

    Attributes:
        name: DirectML's name without its prefix, e.g. ``"FLOAT32"``.
        dtype: NumPy's type, in this machine's byte order.
        kind: ``"float"``, ``"signed"`` or ``"unsigned"``.

    >>> data_type("INT8").lowest, data_type("INT8").highest
    (-128, 127)
    """

    name: str
    dtype: np.dtype[Any]
    kind: Kind

    @property
    def is_integer(self) -> bool:
        """Whether the type holds whole numbers only."""
        return self.kind != "float"

    @property
    def lowest(self) -> int | float:
        """The smallest finite value: an exact int for integers, a float for floats."""
        if self.is_integer:
            return int(np.iinfo(self.dtype).min)
        return float(np.finfo(self.dtype).min)

    @property
    def highest(self) -> int | float:
        """The largest finite value: an exact int for integers, a float for floats."""
        if self.is_integer:
            return int(np.iinfo(self.dtype).max)
        return float(np.finfo(self.dtype).max)

    @property
    def highest_count(self) -> int:
        """The last whole number up to which the type holds every whole number from 0.

        >>> data_type("FLOAT16").highest_count, data_type("UINT8").highest_count
        (2048, 255)
        """
        if self.is_integer:
            return int(np.iinfo(self.dtype).max)
        return int(2 ** (np.finfo(self.dtype).nmant + 1))


_TYPES = (
    DataType("FLOAT64", np.dtype(np.float64), "float"),
    DataType("FLOAT32", np.dtype(np.float32), "float"),
    DataType("FLOAT16", np.dtype(np.float16), "float"),
    DataType("INT64", np.dtype(np.int64), "signed"),
    DataType("INT32", np.dtype(np.int32), "signed"),
    DataType("INT16", np.dtype(np.int16), "signed"),
    DataType("INT8", np.dtype(np.int8), "signed"),
    DataType("UINT64", np.dtype(np.uint64), "unsigned"),
    DataType("UINT32", np.dtype(np.uint32), "unsigned"),
    DataType("UINT16", np.dtype(np.uint16), "unsigned"),
    DataType("UINT8", np.dtype(np.uint8), "unsigned"),
)

DATA_TYPES: Mapping[str, DataType] = MappingProxyType({t.name: t for t in _TYPES})
"""Name to type, in DirectML's order."""

# By kind and width rather than by dtype, so that byte order, and C's several names for
# one width (long, long long), make no difference.
_BY_LAYOUT = {(t.dtype.kind, t.dtype.itemsize): t.name for t in _TYPES}


def data_type(name: str) -> DataType:
    """The data type of that name.

    Args:
        name: as DirectML spells it, with or without ``DML_TENSOR_DATA_TYPE_``, in capitals
            or not.

    Raises:
        Error: there is no such type among the eleven (field ``data_type``).

    >>> data_type("DML_TENSOR_DATA_TYPE_FLOAT32").name
    'FLOAT32'
    """
    wanted = name.strip().upper().removeprefix(_PREFIX) if isinstance(name, str) else ""
    if wanted not in DATA_TYPES:
        message = _("data_type: {value} is not one of DirectML's data types: {names}.").format(
            value=excerpt(str(name)), names=", ".join(DATA_TYPES)
        )
        raise Error(message, field="data_type")
    return DATA_TYPES[wanted]


def data_type_of(values: Any) -> str:
    """The name of the data type of an array, a scalar or a NumPy dtype.

    Args:
        values: an array or NumPy scalar of any sizes, a dtype, or anything NumPy takes as one.
            Byte order makes no difference.

    Raises:
        Error: DirectML has no such type: bool, complex, text, object, ... (field ``data_type``).

    >>> data_type_of(np.zeros((2, 3), np.float16)), data_type_of(np.dtype(">u4"))
    ('FLOAT16', 'UINT32')
    """
    declared = getattr(values, "dtype", values)
    try:
        # NumPy takes None as FLOAT64.
        dtype = np.dtype(object if declared is None else declared)
    except (TypeError, ValueError, SyntaxError):
        dtype = np.dtype(object)
    name = _BY_LAYOUT.get((dtype.kind, dtype.itemsize))
    if name is None:
        message = _(
            "data_type: NumPy's {dtype} is not one of DirectML's data types: {names}."
        ).format(dtype=dtype.name, names=", ".join(DATA_TYPES))
        raise Error(message, field="data_type")
    return name
