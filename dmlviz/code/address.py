"""Code and its tensors as the parameters of a link: ``/code?code=x.T&sizes=x:2,3&library=numpy``.

``sizes`` has every tensor that the code takes; ``values`` has the elements of those that move and
are not counted from 1, in ``data_type``, or the name of starting values: ``x:random:7``,
``x:picture:gradient``, ``y:count-on``; ``controls`` has those of indices, ``i:0,2,1``, and masks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from dmlviz.base.errors import Error
from dmlviz.base.spelling import read_whole
from dmlviz.base.words import _
from dmlviz.code.builder import ELEMENT_LIMIT
from dmlviz.tensors import (
    DATA_TYPES,
    GO_ON,
    MOST_SEED,
    STARTING_VALUES,
    check_element_count,
    data_type,
    print_compact,
    read_literal,
    read_sizes,
    short_text,
    start,
)
from dmlviz.tensors.types import Array

DATA_TYPE = "FLOAT32"
"""The data type of tensors of which only the sizes are given."""

START = "count-1"
"""The starting values of tensors of which only the sizes are given."""

VALUES_LIMIT = 4_096
"""The limit of elements whose values fit in a link."""

LIST_LENGTH = 100_000
"""The limit of characters in which a list is searched for words."""


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
    sizes = {name: read_sizes(of) for name, of in named_parts(parameters, "sizes").items()}
    tensors: dict[str, Any] = {}
    for name, of in sizes.items():
        check_element_count(of, ELEMENT_LIMIT, "sizes")
        tensors[name] = of if kind == DATA_TYPE else start(START, of, kind)
    controls = named_parts(parameters, "controls")
    for field in ("values", "controls"):
        for name, literal in named_parts(parameters, field).items():
            if name not in sizes:
                raise Error(
                    _("{field}: {name} has no sizes; add them, such as sizes={name}:2,3.").format(
                        field=field, name=name
                    ),
                    field,
                )
            before = (math.prod(sizes[n]) for n in _before(name, sizes) if n not in controls)
            if field == "controls":
                line = control_values(literal).ravel()
            elif starting := starting_values(literal, sizes[name], kind, sum(before)):
                line = starting[0].ravel()
            else:
                line = read_literal(literal, kind, VALUES_LIMIT).values.ravel()
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
    return (
        ",".join(map(str, array.ravel().tolist())) if array.dtype == bool else print_compact(array)
    )


def _before(name: str, names: Iterable[str]) -> Iterator[str]:
    return takewhile(lambda other: other != name, names)


def starting_values(text: str, sizes: Sequence[int], kind: str, before: int) -> tuple[Array, ...]:
    """The tensor of starting values with a name, such as ``random:7``; none if it is no name.

    Args:
        text: the name; after a colon, the seed or the picture.
        sizes: at most 65,536 elements.
        kind: the data type.
        before: how many elements the tensors before it have, for counting on.

    Raises:
        Error: there is no such seed or picture.
    """
    name, _colon, more = text.partition(":")
    if name == GO_ON:
        count = math.prod(sizes)
        return (start(START, (before + count,), kind)[before:].reshape(tuple(sizes)),)
    if name not in STARTING_VALUES:
        return ()
    seed = read_whole(more or "0", 0, MOST_SEED) if name == "random" else 0
    if seed is None:
        raise Error(
            _("values: {seed} is not a seed; it must be a whole number from 0 to {most:,}.").format(
                seed=short_text(more), most=MOST_SEED
            ),
            "values",
        )
    return (start(name, sizes, kind, seed=seed, picture=more if name == "picture" else ""),)


def control_values(text: str) -> Array:
    """Indices or a mask from text in any common notation: ``[[0, 2], [1, 1]]``, ``True, False``.

    Returns:
        INT64, or bool where each element is ``True`` or ``False``.

    Raises:
        Error: it is neither.
    """
    words = re.findall(r"[A-Za-z]+", text[:LIST_LENGTH])
    mask = bool(words) and {*words} <= {"True", "False"}
    numbers = text.replace("True", "1").replace("False", "0") if mask else text
    values: Array = read_literal(numbers, "INT64", VALUES_LIMIT).values
    return values.astype(bool) if mask else values


def named_parts(parameters: Mapping[str, str], field: str) -> dict[str, str]:
    """The parts of a parameter by the names of tensors."""
    parts = {}
    for part in filter(None, parameters.get(field, "").split(";", 64)):
        name, colon, rest = part.partition(":")
        if not colon or not name.isidentifier():
            raise Error(
                _("{field}: {part} is not a name and numbers, such as x:2,3.").format(
                    field=field, part=short_text(part)
                ),
                field,
            )
        parts[name] = rest
    return parts
