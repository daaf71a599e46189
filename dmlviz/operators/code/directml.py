"""DirectML in C++: a function with all descriptions filled in."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.operators.code.base import (
    LITERAL_LIMIT,
    WIDTH,
    Case,
    NamedTensor,
    Snippet,
    commas,
    digits,
    with_file,
)
from dmlviz.tensors import DATA_TYPES, element_count


def directml_snippet(
    case: Case,
    fields: Mapping[str, str | Sequence[float]],
    note: str,
    signed: Collection[str] = (),
) -> Snippet:
    """A function that creates the operator on a device.

    Args:
        case: the tensors.
        fields: of the operator's structure after its tensors, in its order; an array of
            UINT is given as its numbers, one of FLOAT as floats.
        note: one sentence, or empty.
        signed: the fields that are arrays of INT.
    """
    lines = [
        "HRESULT CreateOperator(IDMLDevice* device, IDMLOperator** created)",
        "{",
        *(line for tensor in (*case.inputs, *case.outputs) for line in _tensor(tensor)),
        *_operator(case, fields, signed),
        "}",
    ]
    elements = "\n".join(filter(None, map(_elements, case.inputs)))
    text = f"{fields}{elements}"
    math_of = ["#include <cmath>"] if "NAN" in text or "INFINITY" in text else []
    whole_of = ["#include <cstdint>"] if "int" in elements else []
    includes = "\n".join([*math_of, *whole_of, "#include <DirectML.h>"])
    return Snippet("directml", includes, elements, "\n".join(lines), with_file(case, note))


_CPP_TYPES = {"FLOAT64": "double", "FLOAT32": "float", "FLOAT16": "uint16_t"}


def _elements(tensor: NamedTensor) -> str:
    """An array of the elements of an input, to upload; FLOAT16 as its bits."""
    values = tensor.values
    if values is None or values.size > LITERAL_LIMIT:
        return ""
    kind = _CPP_TYPES.get(tensor.data_type, f"{values.dtype}_t")
    if tensor.data_type == "FLOAT16":
        texts = [f"0x{bits:04x}" for bits in values.ravel().view(np.uint16)]
    else:
        texts = [_cpp_value(value) for value in values.flat]
    listed = textwrap.fill(
        ", ".join(texts), WIDTH - 4, initial_indent="    ", subsequent_indent="    "
    )
    return f"const {kind} {_parts(tensor)[1]}Elements[] = {{\n{listed},\n}};\n"


def _cpp_value(value: np.generic) -> str:
    number: Any = value
    if isinstance(value, np.float32):
        return float_text(float(number))
    if isinstance(value, np.floating):
        sign = "-" if math.copysign(1, number) < 0 else ""
        if np.isnan(number) or np.isinf(number):
            return f"{sign}{'NAN' if np.isnan(number) else 'INFINITY'}"
        return repr(float(number))
    text = str(int(number))
    if value.dtype == np.uint64:
        return f"{text}u" if number < 1 << 32 else f"{text}ull"
    if number == np.iinfo(np.int64).min or (value.dtype == np.int32 and number == -(1 << 31)):
        # the digits alone do not fit
        return f"{int(number) + 1}{'ll' if value.dtype == np.int64 else ''} - 1"
    return text


def buffer_bytes(sizes: Sequence[int], data_type: str) -> int:
    """Bytes of a packed buffer tensor, up to the next 4, as ``DMLCalcBufferTensorSize`` counts.

    >>> buffer_bytes((1, 3), "UINT8"), buffer_bytes((3,), "FLOAT32")
    (4, 12)
    """
    exact = element_count(sizes) * DATA_TYPES[data_type].dtype.itemsize
    return (exact + 3) // 4 * 4


def float_text(value: float) -> str:
    """A FLOAT as C++ writes it, exactly.

    >>> float_text(9), float_text(0.1), float_text(-0.0), float_text(float("-inf"))
    ('9.0f', '0.1f', '-0.0f', '-INFINITY')
    """
    sign = "-" if math.copysign(1, value) < 0 else ""
    with np.errstate(over="ignore"):
        rounded = np.float32(value)
    if np.isnan(rounded):
        return f"{sign}NAN"
    if np.isinf(rounded):
        return f"{sign}INFINITY"
    return f"{digits(rounded)}f"


def _parts(tensor: NamedTensor) -> tuple[str, str]:
    """The member of a tensor, and the name of its own descriptions.

    >>> _parts(NamedTensor("InputTensor", (1,), "INT8"))
    ('InputTensor', 'input')
    >>> _parts(NamedTensor("InputTensors[1]", (1,), "INT8"))
    ('InputTensors', 'input1')
    """
    member, _bracket, number = tensor.name.removesuffix("]").partition("[")
    stem = member.removesuffix("s").removesuffix("Tensor")
    return member, stem[0].lower() + stem[1:] + number


def _tensor(tensor: NamedTensor) -> Iterator[str]:
    name, data_type, buffer = _parts(tensor)[1], tensor.data_type, tensor.buffer
    sizes = buffer.sizes if buffer else tensor.sizes
    yield f"    const UINT {name}Sizes[] = {{{commas(sizes)}}};"
    if buffer:
        yield f"    const UINT {name}Strides[] = {{{commas(buffer.strides)}}};"
    yield f"    DML_BUFFER_TENSOR_DESC {name}Buffer = {{}};"
    fields = {
        "DataType": f"DML_TENSOR_DATA_TYPE_{data_type}",
        "Flags": "DML_TENSOR_FLAG_NONE",
        "DimensionCount": str(len(sizes)),
        "Sizes": f"{name}Sizes",
        "Strides": f"{name}Strides" if buffer else "nullptr",
        "TotalTensorSizeInBytes": str(buffer_bytes(tensor.sizes, data_type)),
        "GuaranteedBaseOffsetAlignment": "0",
    }
    for field, value in fields.items():
        yield f"    {name}Buffer.{field} = {value};"
    yield f"    const DML_TENSOR_DESC {name}Tensor = {{DML_TENSOR_TYPE_BUFFER, &{name}Buffer}};"
    yield ""


def _place(members: Sequence[str]) -> Callable[[str], int]:
    """A member's position among these; after them if it is not one of them."""
    return lambda member: members.index(member) if member in members else len(members)


def _operator(
    case: Case, fields: Mapping[str, str | Sequence[float]], signed: Collection[str]
) -> Iterator[str]:
    values: dict[str, str] = {}
    arrays: dict[str, list[str]] = {}
    for tensor in (*case.inputs, *case.outputs):
        member, name = _parts(tensor)
        if tensor.name == member:
            values[member] = f"&{name}Tensor"
        else:
            arrays.setdefault(member, []).append(f"{name}Tensor")
            values[member.replace("Tensors", "Count")] = str(len(arrays[member]))
            values[member] = member[0].lower() + member[1:]
    # sorting keeps the order of members at the same place
    values = {m: values[m] for m in sorted(values, key=_place(case.members))}
    for member, names in arrays.items():
        yield f"    const DML_TENSOR_DESC {values[member]}[] = {{{', '.join(names)}}};"
    for field, value in fields.items():
        if isinstance(value, str):
            values[field] = value
        else:
            values[field] = field[0].lower() + field[1:]
            kind = "INT" if field in signed else "UINT"
            elements = commas(value)
            if all(isinstance(number, float) for number in value):
                kind, elements = "FLOAT", ", ".join(map(float_text, value))
            yield f"    const {kind} {values[field]}[] = {{{elements}}};"
    yield f"    {case.structure} operatorDesc = {{}};"
    for field, value in values.items():
        yield f"    operatorDesc.{field} = {value};"
    yield ""
    yield f"    const DML_OPERATOR_DESC desc = {{{case.operator_type}, &operatorDesc}};"
    yield "    return device->CreateOperator(&desc, IID_PPV_ARGS(created));"
