"""DML_SLICE: positive strides, and the sizes of the output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dmlviz.errors import Error
from dmlviz.operators.checks import agreeing_count, desc_fields, tensor_sizes, whole_numbers
from dmlviz.operators.slots import OUTPUT
from dmlviz.tensors import shown
from dmlviz.words import _

_STRUCTURE = "DML_SLICE_OPERATOR_DESC"
_COUNT, *_ARRAYS = ("DimensionCount", "Offsets", "Sizes", "Strides")

OLDER = ("DML_OPERATOR_SLICE", _STRUCTURE, (_COUNT, *_ARRAYS))
"""Operator type, structure and members."""


def read_older(desc: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the Slice that does what DML_SLICE's fields describe.

    Raises:
        Error: a field is missing, unknown or invalid.

    >>> read_older({"Offsets": [1], "Sizes": [3], "Strides": [2]})["input_window_sizes"]
    (5,)
    """
    desc_fields(_STRUCTURE, desc, _ARRAYS, (_COUNT, OUTPUT[0].name))
    arrays = {name: whole_numbers(name, desc[name]) for name in _ARRAYS}
    agreeing_count(_STRUCTURE, desc, _COUNT, arrays)
    offsets, counts, strides = arrays.values()
    for name in ("Sizes", "Strides"):
        if min(arrays[name], default=1) < 1:
            raise Error(
                _("desc: {name} of {structure} is {values}; each number must be 1 or more.").format(
                    name=name, structure=_STRUCTURE, values=shown(list(arrays[name]))
                ),
                name,
            )
    if len({len(numbers) for numbers in arrays.values()}) > 1:
        raise Error(
            _("desc: {names} of {structure} have one number for each dimension.").format(
                names=", ".join(_ARRAYS), structure=_STRUCTURE
            ),
            _ARRAYS[1],
        )
    output = tensor_sizes(desc, OUTPUT[0].name)
    if output not in ((), counts):
        raise Error(
            _("desc: OutputTensor of {structure} has Sizes {output}, not {due}.").format(
                structure=_STRUCTURE, output=shown(list(output)), due=shown(list(counts))
            ),
            OUTPUT[0].name,
        )
    # the last element that is copied is the window's last
    window = tuple(1 + (n - 1) * s for n, s in zip(counts, strides, strict=True))
    return {
        "input_window_offsets": offsets,
        "input_window_sizes": window,
        "input_window_strides": strides,
    }


def write_older(operator: Any, _data_type: str) -> dict[str, Any]:
    """The fields for a Slice; with a stride below 1 they describe nothing.

    >>> from dmlviz.operators import Slice
    >>> write_older(Slice((1,), (6,), (2,)), "INT8")
    {'Offsets': [1], 'Sizes': [3], 'Strides': [2]}
    """
    counts = [walk.count for walk in operator.walks]
    strides = operator.input_window_strides
    return dict(
        zip(_ARRAYS, (list(operator.input_window_offsets), counts, list(strides)), strict=True)
    )
