"""The line before a tensor's values in DirectML's documentation."""

from __future__ import annotations

import re

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error, LiteralError
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _
from dmlviz.tensors.data_types import data_type
from dmlviz.tensors.sizes import DIMENSION_MAX, MAX_RANK, read_sizes

# Other words before a colon are not a header; the reader reports that they are not values.
_NAMED = regex(
    r"\s*(?:\w{0,50}Tensor[ \t]{0,9}:|\w{1,50}[ \t]{0,9}:(?=\s{0,9}\(\s{0,9}(?:Sizes|DataType)\b))",
    re.IGNORECASE,
)
_BRACKET = regex(r"\s*\((?=\s{0,9}(?:Sizes|DataType)\b)([^()]{0,400})\)", re.IGNORECASE)
BEGINNING = regex(r"\(\s{0,9}(?:Sizes|DataType)\s{0,9}[:=][^\n)]{0,100}", re.IGNORECASE)
"""What begins a header in brackets, whether or not it ends."""
_LIST = r"[{\[][^{}\[\]]{0,300}[}\]]"
_PART = (
    rf"(?:(?:Sizes|Strides)\s{{0,9}}[:=]\s{{0,9}}{_LIST}|DataType\s{{0,9}}[:=]\s{{0,9}}\w{{1,80}})"
)
BARE_HEADER = rf"{_PART}(?:[ \t]{{0,9}}[,;]?[ \t]{{0,9}}{_PART}){{0,2}}[,;.]?"
"""A pattern of a header without the brackets round it."""
_BARE = regex(rf"\s*({BARE_HEADER})", re.IGNORECASE)
_SIZES = regex(r"Sizes\s{0,9}[:=]\s{0,9}[{\[]([^{}\[\]]*)[}\]]", re.IGNORECASE)
_STRIDES = regex(r"Strides\s{0,9}[:=]\s{0,9}[{\[]([^{}\[\]]*)[}\]]", re.IGNORECASE)
_STRIDE = regex(r"[0-9]{1,10}")
_TYPE = regex(r"DataType\s{0,9}[:=]\s{0,9}(\w+)", re.IGNORECASE)


@dataclass(frozen=True)
class Header:
    """The contents of a header; missing parts are None.

    Attributes:
        sizes: the sizes.
        data_type: the name of the data type.
        end: the offset at which the values begin.
        strides: if it gives them, the values are memory: one element after another.
    """

    sizes: tuple[int, ...] | None
    data_type: str | None
    end: int
    strides: tuple[int, ...] | None = None


def read_header(text: str) -> Header:
    """The header at the start of the text, if it has one.

    Raises:
        LiteralError: it does not end, or its sizes or its data type are invalid (field
            ``values``).

    >>> read_header("InputTensor: (Sizes:{1, 2}, DataType:FLOAT32) [[1, 2]]")
    Header(sizes=(1, 2), data_type='FLOAT32', end=45, strides=None)
    """
    named = _NAMED.match(text)
    end = named.end() if named else 0
    bracket = _BRACKET.match(text, end) or _BARE.match(text, end)
    if bracket is None:
        # its numbers would be read as the tensor's values
        start = end + len(text[end:]) - len(text[end:].lstrip())
        if beginning := BEGINNING.match(text, start):
            message = _("values: the header {text} has no closing parenthesis.")
            raise LiteralError(message.format(text=excerpt(beginning[0])), field="values")
        return Header(None, None, end)
    inside = bracket[1]
    sizes, name = _SIZES.search(inside), _TYPE.search(inside)
    if sizes is None and name is None:
        message = _("values: the header {text} has neither Sizes:{{...}} nor DataType:...").format(
            text=excerpt(bracket[0])
        )
        raise LiteralError(message, field="values")
    try:
        return Header(
            read_sizes(sizes[1]) if sizes else None,
            data_type(name[1]).name if name else None,
            bracket.end(),
            _strides(inside),
        )
    except Error as error:
        message = _("values: the header {text} is invalid: {reason}").format(
            text=excerpt(bracket[0]), reason=error
        )
        raise LiteralError(message, field="values") from error


def _strides(inside: str) -> tuple[int, ...] | None:
    """The strides between the brackets of a header; None if there are none.

    Raises:
        Error: they are not 32-bit whole numbers, or there are more than a tensor has dimensions.
    """
    match = _STRIDES.search(inside)
    if match is None:
        return None
    words = [word.strip() for word in match[1].split(",", MAX_RANK)]
    numbers = tuple(int(word) for word in words if _STRIDE.fullmatch(word))
    possible = len(numbers) == len(words) <= MAX_RANK
    if not possible or max(numbers) > DIMENSION_MAX:
        message = _("Strides {text} are not 1 to {most} whole numbers from 0 to {highest:,}.")
        sentence = message.format(text=excerpt(match[1]), most=MAX_RANK, highest=DIMENSION_MAX)
        raise Error(sentence, "strides")
    return numbers
