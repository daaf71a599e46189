"""The numbers themselves, as NumPy writes them."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from dmlviz.errors import Error
from dmlviz.trace import Trace
from dmlviz.words import _

Array = np.ndarray[Any, Any]


def npz(trace: Trace) -> bytes:
    """A compressed NPZ file of the arrays ``input``, ``output`` and ``source``.

    ``input`` and ``output`` are of the run's data type; ``source`` is int64, of the output's
    sizes, and says for each element the flat index of its source, or -1.  No pickle:
    ``numpy.load`` reads it with ``allow_pickle=False``.
    """
    file = io.BytesIO()
    np.savez_compressed(file, input=trace.x, output=trace.output, source=trace.source)
    return file.getvalue()


def npy(array: Array) -> bytes:
    """An NPY file of one array, without pickle.

    Raises:
        Error: the array holds Python objects.
    """
    if array.dtype.hasobject:
        raise Error(_("array: Python objects are no numbers and are not written."), "array")
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()
