"""Code and its tensors as the parameters of a link: ``/code?code=x.T&sizes=x:2,3&library=numpy``.

``sizes`` has every tensor that the code takes; ``values`` has the elements of those that move and
are not counted from 1, in ``data_type``; ``controls`` has those of indices, ``i:0,2,1``, and masks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from dmlviz.code.builder import ELEMENT_LIMIT
from dmlviz.errors import Error
from dmlviz.tensors import (
    DATA_TYPES,
    check_element_count,
    data_type,
    printed_own,
    read_literal,
    read_sizes,
    shown,
    start,
)
from dmlviz.tensors.types import Array
from dmlviz.words import _

DATA_TYPE = "FLOAT32"
"""The data type of tensors of which only the sizes are given."""

START = "count-1"
"""The starting values of tensors of which only the sizes are given."""

VALUES_LIMIT = 4_096
"""The limit of elements whose values fit in a link."""


def code_parameters(
    text: str, library: str, inputs: Mapping[str, Array], controls: Mapping[str, Array]
) -> dict[str, str]:
    """The parameters of a link to code.

    Args:
        text: the code.
        library: its key.
        inputs: the tensors whose elements move, of one data type, by name.
        controls: the tensors that only choose elements, by name.

    Raises:
        TooLarge: the values of the tensors have more than 4,096 elements together.
    """
    kind = next(name for name, of in DATA_TYPES.items() if of.dtype == _dtype(inputs))
    values = {
        name: array
        for name, array in inputs.items()
        if array.tobytes() != start(START, array.shape, kind).tobytes()
    }
    count = sum(array.size for array in (*values.values(), *controls.values()))
    check_element_count((max(1, count),), VALUES_LIMIT, "values")
    tensors = {**inputs, **controls}
    parameters = {
        "code": text,
        "library": library,
        "sizes": ";".join(f"{n}:{','.join(map(str, x.shape))}" for n, x in tensors.items()),
        "data_type": "" if kind == DATA_TYPE else kind,
        "values": ";".join(f"{name}:{_printed(x)}" for name, x in values.items()),
        "controls": ";".join(f"{name}:{_printed(x)}" for name, x in controls.items()),
    }
    return {name: text for name, text in parameters.items() if text}


def code_tensors(parameters: Mapping[str, str]) -> dict[str, Any]:
    """The tensors of a link, as :func:`dmlviz.code.run_code` takes them.

    Args:
        parameters: of a link, by name; those that are missing are empty.

    Raises:
        Error: a part of them is not possible; the field is the parameter's name.
    """
    kind = data_type(parameters.get("data_type", DATA_TYPE)).name
    sizes = {name: read_sizes(of) for name, of in _named(parameters, "sizes").items()}
    tensors: dict[str, Any] = {}
    for name, of in sizes.items():
        check_element_count(of, ELEMENT_LIMIT, "sizes")
        tensors[name] = of if kind == DATA_TYPE else start(START, of, kind)
    for field in ("values", "controls"):
        for name, literal in _named(parameters, field).items():
            if name not in sizes:
                raise Error(
                    _("{field}: {name} has no sizes; add them, such as sizes={name}:2,3.").format(
                        field=field, name=name
                    ),
                    field,
                )
            line = _read(literal, kind if field == "values" else "")
            if line.size != math.prod(sizes[name]):
                raise Error(
                    _("{field}: {name} has {count} values, which do not fit its sizes.").format(
                        field=field, name=name, count=f"{line.size:,}"
                    ),
                    field,
                )
            tensors[name] = line.reshape(sizes[name])
    return tensors


def _dtype(inputs: Mapping[str, Array]) -> Any:
    return next(iter(inputs.values())).dtype


def _printed(array: Array) -> str:
    return ",".join(map(str, array.ravel().tolist())) if array.dtype == bool else printed_own(array)


def _read(literal: str, kind: str) -> Array:
    """Elements one after the other: of a data type, or, without one, indices or a mask."""
    if not kind and {*literal.split(",", VALUES_LIMIT)} <= {"True", "False"}:
        return np.asarray([word == "True" for word in literal.split(",")])
    numbers: Array = read_literal(literal, kind or "INT64", VALUES_LIMIT).values
    return numbers.ravel()


def _named(parameters: Mapping[str, str], field: str) -> dict[str, str]:
    """The parts of a parameter by the names of tensors."""
    found = {}
    for part in filter(None, parameters.get(field, "").split(";", 64)):
        name, colon, rest = part.partition(":")
        if not colon or not name.isidentifier():
            raise Error(
                _("{field}: {part} is not a name and numbers, such as x:2,3.").format(
                    field=field, part=shown(part)
                ),
                field,
            )
        found[name] = rest
    return found
