"""A tensor's sizes: checking, counting, reading and printing them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from operator import index

import numpy as np

from dmlviz.base.deferred import regex
from dmlviz.base.errors import Error, TooLarge
from dmlviz.base.excerpts import excerpt, short_text
from dmlviz.base.words import _, ngettext

MAX_RANK = 8
"""DirectML's DML_TENSOR_DIMENSION_COUNT_MAX1."""

DIMENSION_MAX = 2**32 - 1
"""The largest size of one dimension: DirectML's sizes are UINT32."""

READ_LIMIT = 4_194_304
"""The limit of elements of a tensor that is read: of code, a model, a function, or one of two
arrays. What is drawn or listed has at most 65,536."""

_LONGEST_TEXT = 1_000
_LABEL = regex(r"sizes\s*[:=]\s*", re.IGNORECASE)
_SEPARATOR = regex(r"\s*[,;x×*]\s*|\s+", re.IGNORECASE)
_BRACKETS = {"{": "}", "[": "]", "(": ")"}


def element_count(sizes: Sequence[int]) -> int:
    """How many elements a tensor of these sizes has, exactly.

    >>> element_count((1, 1, 2, 3)), element_count((2**32 - 1, 2**32 - 1))
    (6, 18446744065119617025)
    """
    return math.prod(int(size) for size in sizes)


def sizes_of(values: Iterable[object]) -> tuple[int, ...]:
    """The values, checked, as a tensor's sizes.

    Args:
        values: 1 to 8 whole numbers of Python or NumPy, each from 1 to 4,294,967,295.

    Raises:
        Error: they are invalid (field ``sizes``).

    >>> sizes_of([1, np.int64(2), 3])
    (1, 2, 3)
    """
    try:
        # Reading one more than the limit is enough: an iterator may never end.
        sizes = list(islice(iter(values), MAX_RANK + 1))
    except TypeError:
        message = _("sizes: {value} is not a list of whole numbers.").format(
            value=excerpt(repr(values))
        )
        raise Error(message, field="sizes") from None
    _check_rank(sizes, len(values) if isinstance(values, Sequence) else len(sizes))
    return tuple(_size(value, dimension) for dimension, value in enumerate(sizes))


def read_sizes(text: str, least_rank: int = 1) -> tuple[int, ...]:
    """Sizes from text.

    Args:
        text: whole numbers with commas, blanks, ``x`` or ``×`` between them, with or without
            one pair of brackets of any kind, with or without ``Sizes:`` in front.
        least_rank: 0 if a pair of brackets alone is that of a result without dimensions.

    Raises:
        Error: the text or its numbers are invalid (field ``sizes``).

    >>> read_sizes("Sizes:{1, 1, 2, 3}"), read_sizes("5 x 7"), read_sizes("(3,)")
    ((1, 1, 2, 3), (5, 7), (3,))
    >>> read_sizes("{}", least_rank=0)
    ()
    """
    body = text[:_LONGEST_TEXT].strip()
    body = _LABEL.sub("", body, count=1) if _LABEL.match(body) else body
    if body[:1] in _BRACKETS and body[-1:] == _BRACKETS[body[0]]:
        body = body[1:-1].strip()
        if not body and not least_rank:
            return ()
    words = _SEPARATOR.split(body.removesuffix(",").rstrip())
    if len(text) > _LONGEST_TEXT or not all(re.fullmatch(r"[0-9]+", word) for word in words):
        message = _(
            "sizes: {text} is not a list of whole numbers from 1 to {highest:,}, "
            "such as 1, 1, 2, 3."
        ).format(text=excerpt(text), highest=DIMENSION_MAX)
        raise Error(message, field="sizes")
    return sizes_of([int(word) for word in words])


def print_sizes(sizes: Iterable[int]) -> str:
    """Sizes as DirectML's documentation prints them.

    >>> print_sizes((1, 1, 2, 3))
    '{1, 1, 2, 3}'
    """
    return "{" + ", ".join(str(int(size)) for size in sizes) + "}"


def check_element_count(sizes: Sequence[int], limit: int, field: str = "sizes") -> None:
    """Refuse sizes that have more than ``limit`` elements, before anything is allocated.

    Raises:
        TooLarge: there are more; the message has both numbers.

    >>> check_element_count((2, 3), limit=6)
    """
    count = element_count(sizes)
    if count > limit:
        message = _("{field}: {sizes} has {count:,} elements; the limit is {limit:,}.").format(
            field=field, sizes=print_sizes(sizes), count=count, limit=limit
        )
        raise TooLarge(message, field=field)


def _check_rank(sizes: Sequence[object], count: int) -> None:
    if 1 <= len(sizes) <= MAX_RANK:
        return
    message = ngettext(
        "sizes: {count:,} dimension was given, but a tensor has 1 to {most}.",
        "sizes: {count:,} dimensions were given, but a tensor has 1 to {most}.",
        count,
    ).format(count=count, most=MAX_RANK)
    raise Error(message, field="sizes")


def _size(value: object, dimension: int) -> int:
    try:
        # index() takes True as 1, which nobody means as a size.
        size = 0 if isinstance(value, bool | np.bool_) else index(value)  # type: ignore[arg-type]
    except TypeError:
        size = 0
    if not 1 <= size <= DIMENSION_MAX:
        message = _(
            "sizes: dimension {dimension} is {value}, but every size is a whole number "
            "from 1 to {highest:,}."
        ).format(dimension=dimension, value=short_text(value), highest=DIMENSION_MAX)
        raise Error(message, field="sizes")
    return size
