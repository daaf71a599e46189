"""Shared checks: whole numbers, DirectML's fields, sizes, data types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import index as as_int
from typing import Any

import numpy as np

from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _, ngettext
from dmlviz.operators.slots import BufferDesc, packed_strides
from dmlviz.tensors import DATA_TYPES, DIMENSION_MAX, short_text


def whole_numbers(field: str, values: Any) -> tuple[int, ...]:
    """A tuple of ints from any sequence of whole numbers.

    Raises:
        Error: it is not one; ``problems`` checks the numbers themselves.
    """
    try:
        if isinstance(values, str | bytes) or not isinstance(values, Iterable):
            raise TypeError
        return tuple(whole_number(field, v) for v in values)
    except TypeError:
        raise Error(
            _("{field}: {value} is not a list of whole numbers.").format(
                field=field, value=short_text(values)
            ),
            field,
        ) from None


def whole_number(field: str, value: Any) -> int:
    """An int from any integer type.

    Raises:
        Error: it is not a whole number.
    """
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        return as_int(value)
    except TypeError:
        raise Error(
            _("{field}: {value} is not a whole number.").format(
                field=field, value=short_text(value)
            ),
            field,
        ) from None


def desc_fields(
    structure: str, desc: Mapping[str, Any], needed: Sequence[str], known: Sequence[str]
) -> None:
    """Refuse a description that lacks a needed field or has one that DirectML does not know."""
    if not isinstance(desc, Mapping):
        raise Error(
            _("desc: {structure} needs a mapping of its fields.").format(structure=structure)
        )
    for name in needed:
        if name not in desc:
            raise Error(
                _("desc: {structure} needs the field {field}.").format(
                    structure=structure, field=name
                ),
                name,
            )
    for name in desc:
        if name not in needed and name not in known:
            raise Error(
                _("desc: {structure} has no field {field}; it has {fields}.").format(
                    structure=structure, field=short_text(name), fields=", ".join((*needed, *known))
                ),
                str(name)[:60],
            )


def agreeing_count(
    structure: str, desc: Mapping[str, Any], name: str, arrays: Mapping[str, Sequence[float]]
) -> None:
    """Refuse a description whose count, if given, differs from the length of its arrays."""
    if name not in desc:
        return
    count = whole_number(name, desc[name])
    for array, values in arrays.items():
        if len(values) != count:
            raise Error(
                _("desc: {name} is {count}, but {array} of {structure} has {have} numbers.").format(
                    name=name,
                    count=short_text(count),
                    array=array,
                    structure=structure,
                    have=len(values),
                ),
                name,
            )


def tensor_sizes(desc: Mapping[str, Any], name: str, typed: bool = False) -> tuple[int, ...]:
    """The sizes that a description gives for a tensor; empty if it gives none.

    Args:
        desc: DirectML's fields.
        name: of the tensor.
        typed: whether it can also give a data type, with or without sizes.

    Raises:
        Error: it is not ``{"Sizes": [...]}``.

    >>> tensor_sizes({"OutputTensor": {"Sizes": [2, 3]}}, "OutputTensor")
    (2, 3)
    """
    tensor_desc = desc.get(name)
    if tensor_desc is None:
        return ()
    known = {"Sizes", "DataType"} if typed else {"Sizes"}
    if not isinstance(tensor_desc, Mapping) or not tensor_desc or not set(tensor_desc) <= known:
        words = _('desc: {name} is {value}; it must look like {{"Sizes": [2, 3]}}.')
        if typed:
            words = _('desc: {name} is {value}; it must look like {{"DataType": "UINT32"}}.')
        raise Error(words.format(name=name, value=short_text(tensor_desc)), name)
    return whole_numbers(f"{name}.Sizes", tensor_desc["Sizes"]) if "Sizes" in tensor_desc else ()


def tensor_type(desc: Mapping[str, Any], name: str, default: str) -> str:
    """The data type that a description gives for a tensor, in either spelling.

    Raises:
        Error: it is not a name.

    >>> tensor_type({"OutputTensor": {"DataType": "DML_TENSOR_DATA_TYPE_INT8"}}, "OutputTensor", "")
    'INT8'
    """
    tensor_sizes(desc, name, typed=True)
    data_type = desc.get(name, {}).get("DataType", default)
    if not isinstance(data_type, str):
        words = _('desc: {name} is {value}; it must look like {{"DataType": "UINT32"}}.')
        raise Error(words.format(name=name, value=short_text(desc[name])), name)
    return data_type.removeprefix("DML_TENSOR_DATA_TYPE_")


def buffer_desc(desc: Mapping[str, Any], name: str) -> BufferDesc:
    """The description of a tensor that can have strides; without strides it has no gaps.

    Raises:
        Error: it is not ``{"Sizes": [...]}`` with or without ``"Strides"``.

    >>> buffer_desc({"InputTensor": {"Sizes": [2, 3]}}, "InputTensor")
    BufferDesc(sizes=(2, 3), strides=(3, 1))
    """
    tensor_desc = desc.get(name)
    if not isinstance(tensor_desc, Mapping) or not {"Sizes"} <= set(tensor_desc) <= {
        "Sizes",
        "Strides",
    }:
        raise Error(
            _(
                'desc: {name} is {value}; it must look like {{"Sizes": [2, 3], "Strides": [1, 2]}}.'
            ).format(name=name, value=short_text(tensor_desc)),
            name,
        )
    sizes = whole_numbers(f"{name}.Sizes", tensor_desc["Sizes"])
    strides = tensor_desc.get("Strides")
    if strides is None:
        return BufferDesc(sizes, packed_strides(sizes))
    return BufferDesc(sizes, whole_numbers(f"{name}.Strides", strides))


def count_problem(
    field: str, values: tuple[int, ...], rank: int, structure: str, name: str, skip: int = 0
) -> Problem | None:
    """The problem if a list does not have one number per dimension after the first ``skip``."""
    if len(values) == rank - skip:
        return None
    if not skip:
        words = ngettext(
            "{field}: {values} is {count} number; the input has {rank} dimensions and needs "
            "one for each.",
            "{field}: {values} are {count} numbers; the input has {rank} dimensions and "
            "needs one for each.",
            len(values),
        )
    else:
        words = ngettext(
            "{field}: {values} is {count} number; the input has {rank} dimensions and needs "
            "one for each but the first {skip}.",
            "{field}: {values} are {count} numbers; the input has {rank} dimensions and "
            "needs one for each but the first {skip}.",
            len(values),
        )
    message = words.format(
        field=field, values=_shorten(values), count=len(values), rank=rank, skip=skip
    )
    return Problem(field, message, f"{structure}, {name}")


def axis_problem(axis: int, rank: int, structure: str) -> Problem | None:
    """The problem if an axis is not a dimension of an input of that rank."""
    if 0 <= axis < rank:
        return None
    message = _("axis: {axis} is invalid; the input's dimensions are 0 to {last}.").format(
        axis=short_text(axis), last=rank - 1
    )
    return Problem("axis", message, f"{structure}, Axis")


def _shorten(values: tuple[float, ...]) -> str:
    # 2.0 as 2, as settings are printed
    plain = (int(v) if isinstance(v, float) and v.is_integer() else v for v in values[:9])
    text = "{" + ", ".join(short_text(v, 20) for v in plain)
    return text + (", …}" if len(values) > 9 else "}")


def sizes_problems(sizes: Sequence[int], least: int = 1) -> list[Problem]:
    """Problems with an input's sizes that do not depend on the operator.

    Args:
        sizes: the input's.
        least: how many dimensions it has at least; DirectML's tensors have 1.
    """
    source = "DML_BUFFER_TENSOR_DESC, Sizes"
    try:
        checked = whole_numbers("sizes", sizes)
    except Error as error:
        return [Problem("sizes", str(error), source)]
    if not least <= len(checked) <= 8:
        message = _("sizes: {sizes} has {rank} dimensions; DirectML allows 1 to 8.").format(
            sizes=_shorten(checked), rank=len(checked)
        )
        return [Problem("sizes", message, source)]
    for d, n in enumerate(checked):
        if not 1 <= n <= DIMENSION_MAX:
            message = _(
                "sizes: dimension {d} has size {n}; each size is a whole number from 1 to {most}."
            ).format(d=d, n=short_text(n), most=f"{DIMENSION_MAX:,}")
            return [Problem("sizes", message, source)]
    return []


def data_type_problems(data_type: str | None) -> list[Problem]:
    """Problems with a data type that do not depend on the operator; None is not checked."""
    if data_type is None or (isinstance(data_type, str) and data_type in DATA_TYPES):
        return []
    message = _("data_type: {value} is not one of DirectML's types here: {names}.").format(
        value=short_text(data_type), names=", ".join(DATA_TYPES)
    )
    return [Problem("data_type", message, "DML_TENSOR_DATA_TYPE")]


def output_problems(sizes: tuple[int, ...], structure: str) -> list[Problem]:
    """Problems with the sizes that the output would have."""
    for d, n in enumerate(sizes):
        if n > DIMENSION_MAX:
            message = _(
                "sizes: dimension {d} of the output would have size {n}; DirectML allows at most "
                "{most}."
            ).format(d=d, n=f"{n:,}", most=f"{DIMENSION_MAX:,}")
            return [Problem("sizes", message, f"{structure}, OutputTensor")]
    return []
