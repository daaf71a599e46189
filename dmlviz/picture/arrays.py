"""The numbers themselves, as NumPy writes them."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.tensors.types import Array


def npz(trace: Trace) -> bytes:
    """A compressed NPZ file of every array of a run, by DirectML's names.

    For each output there is also ``OutputTensor.source``, int64, of its sizes: the flat index of
    each element's source, counted through all inputs whose elements travel (of an output of
    indices the elements that they are of), or -1; and, where a control tensor chose its elements,
    ``OutputTensor.driver``, the flat index in that tensor. The arrays of one input and one output
    are also there as ``input``, ``output`` and ``source``.  No pickle: ``numpy.load`` reads the
    file with ``allow_pickle=False``.
    """
    arrays = {
        **trace.inputs,
        **trace.outputs,
        **{f"{name}.source": array for name, array in trace.sources.items()},
        **{f"{name}.driver": array for name, array in trace.drivers.items()},
    }
    if len(trace.inputs) == len(trace.outputs) == 1:
        # their names before those of DirectML were there
        arrays |= {"input": trace.x, "output": trace.output, "source": trace.source}
    file = io.BytesIO()
    # NumPy 2.0 types any extra keyword as an array
    save: Any = np.savez_compressed
    save(file, **arrays)
    return file.getvalue()


def npy(array: Array) -> bytes:
    """An NPY file of one array, without pickle.

    Raises:
        Error: the array holds Python objects.
    """
    if array.dtype.hasobject:
        raise Error(_("array: Python objects are not numbers and cannot be written."), "array")
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()
