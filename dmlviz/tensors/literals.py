"""Reading a tensor from text in any common notation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.errors import Error, LiteralError
from dmlviz.tensors.cells import Misfit, fit, misfit_error
from dmlviz.tensors.data_types import DATA_TYPES, DataType, data_type_of
from dmlviz.tensors.data_types import data_type as find_type
from dmlviz.tensors.excerpts import excerpt
from dmlviz.tensors.headers import BEGINNING, Header, read_header
from dmlviz.tensors.layouts import TextLayout, error_at, read_layout
from dmlviz.tensors.sizes import element_count, print_sizes
from dmlviz.words import _, ngettext

LONGEST_TEXT = 1_000_000
"""The limit of characters in a literal."""

_PYTHON_NAMES = {"float": "FLOAT64", "double": "FLOAT64", "half": "FLOAT16", "int": "INT64"}


@dataclass(frozen=True, eq=False)
class Literal:
    """A tensor read from text.

    Attributes:
        values: a read-only array of ``sizes`` and ``data_type``.
        sizes: 1 to 8 sizes.
        data_type: one of the eleven names.
        findings: one sentence for each error that was corrected.
        offsets: where each value begins in the text.
        missing_commas: where a comma is missing: offsets of the text before it.
    """

    values: np.ndarray[Any, Any]
    sizes: tuple[int, ...]
    data_type: str
    findings: tuple[str, ...]
    offsets: tuple[int, ...] = ()
    missing_commas: tuple[int, ...] = ()


def read_literal(text: str, data_type: str, limit: int = 65_536) -> Literal:
    """A tensor from text.

    Args:
        text: nested lists as Python, NumPy, JSON, C++ or DirectML's documentation write them,
            with or without commas, with or without ``array(..., dtype=...)`` around them and a
            header such as ``InputTensor: (Sizes:{1, 1, 2, 3}, DataType:FLOAT32)`` before
            them; rows as in MATLAB, ``1 2; 3 4``; or plain lines of numbers. Every pair of
            brackets is a dimension. One plain line is 1-dimensional, a number alone has
            sizes (1,).
        data_type: the data type, unless the header or ``dtype=`` names another.
        limit: the limit of values.

    Returns:
        The tensor. A list without structure takes its sizes from the header.

    Raises:
        LiteralError: the text is not a tensor, or the data type cannot hold one of its values
            as typed (field ``values``). A fraction is held as typed if each typed digit is also
            in the held value, printed with the fewest digits or with more: 0.1 and
            0.10000000149 are FLOAT32, 0.1000000001 is not.
        Error: there is no such data type (field ``data_type``).

    >>> read_literal("[[1 2 3]\\n [4 5 6]]", "UINT8").values
    array([[1, 2, 3],
           [4, 5, 6]], dtype=uint8)
    >>> read_literal("[[1, 2], [3]]", "UINT8")
    Traceback (most recent call last):
    dmlviz.errors.LiteralError: values: the list at [1] has 1 item, where the first list \
at that depth has 2.
    """
    kind = find_type(data_type)
    if len(text) > LONGEST_TEXT:
        message = _("values: the text has {count:,} characters; the limit is {most:,}.").format(
            count=len(text), most=LONGEST_TEXT
        )
        raise LiteralError(message, field="values")
    header = read_header(text)
    if another := BEGINNING.search(text, header.end):
        rule = _("another header, {text}, begins before the end of the tensor")
        raise error_at(text, another.start(), rule.format(text=excerpt(another[0])))
    layout = read_layout(text, header.end, limit)
    findings = _comma_findings(layout)
    kind = _settle_type(kind, header, layout, findings)
    sizes = _settle_sizes(header, layout, findings)
    values = np.array(_numbers(layout, kind), kind.dtype).reshape(sizes)
    values.flags.writeable = False
    return Literal(values, sizes, kind.name, tuple(findings), layout.offsets, layout.missing_commas)


def _numbers(layout: TextLayout, kind: DataType) -> list[np.generic]:
    known: dict[str, np.generic] = {}
    for flat, word in enumerate(layout.words):
        if word in known:
            continue
        try:
            known[word] = fit(word, kind)
        except Misfit as misfit:
            position = tuple(int(i) for i in np.unravel_index(flat, layout.sizes))
            error = misfit_error(word, position, misfit)
            error.offset = layout.offsets[flat]
            raise error from None
    return [known[word] for word in layout.words]


def _comma_findings(layout: TextLayout) -> list[str]:
    if not layout.missing_commas:
        return []
    message = ngettext(
        "{count:,} missing comma was added.",
        "{count:,} missing commas were added.",
        len(layout.missing_commas),
    )
    return [message.format(count=len(layout.missing_commas))]


def _settle_type(
    asked: DataType, header: Header, layout: TextLayout, findings: list[str]
) -> DataType:
    """The header's type, otherwise the one of ``dtype=``, otherwise the requested one."""
    by_dtype = type_of_dtype(layout.dtype) if layout.dtype else None
    if header.data_type and by_dtype and by_dtype != header.data_type:
        message = _("values: the header says {first}, but dtype={second} follows.").format(
            first=header.data_type, second=layout.dtype
        )
        raise LiteralError(message, field="values")
    name = header.data_type or by_dtype or asked.name
    if name != asked.name:
        message = _("The text says that its data type is {found}, so it was not read as {asked}.")
        findings.append(message.format(found=name, asked=asked.name))
    return DATA_TYPES[name]


def type_of_dtype(name: str) -> str:
    """The data type that NumPy calls so.

    Raises:
        LiteralError: none is called so (field ``values``).

    >>> type_of_dtype("float"), type_of_dtype("<i4")
    ('FLOAT64', 'INT32')
    """
    try:
        if re.fullmatch(r"[<>=|]?[iuf][1248]", name):
            return data_type_of(name)
        return find_type(_PYTHON_NAMES.get(name, name)).name
    except Error:
        message = _("values: dtype={name} is not one of DirectML's data types: {names}.").format(
            name=excerpt(name), names=", ".join(DATA_TYPES)
        )
        raise LiteralError(message, field="values") from None


def _settle_sizes(header: Header, layout: TextLayout, findings: list[str]) -> tuple[int, ...]:
    """The sizes of the brackets, unless there is no structure and the header has some."""
    if header.strides is not None:
        message = _("The header gives Strides, so the values were read as memory, in their order.")
        findings.append(message)
        return (len(layout.words),)
    if header.sizes is None or header.sizes == layout.sizes:
        return layout.sizes
    flat = len(layout.sizes) == 1 or not layout.bracketed
    if flat and element_count(header.sizes) == len(layout.words):
        message = _("The values have no brackets of their own; Sizes:{sizes} arranges them.")
        findings.append(message.format(sizes=print_sizes(header.sizes)))
        return header.sizes
    message = _("values: the header says Sizes:{said}, but the values have sizes {found}.").format(
        said=print_sizes(header.sizes), found=print_sizes(layout.sizes)
    )
    raise LiteralError(message, field="values")
