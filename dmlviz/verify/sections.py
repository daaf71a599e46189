"""A page about several operators: each one's part, with the lines of the page."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from dmlviz.verify.naming import TENSOR
from dmlviz.verify.text import Source

SECTIONS_LIMIT = 50
"""The most operators of one page that are told apart."""

_STRUCTURE = r"DML_[A-Z0-9_]{1,80}_OPERATOR_DESC"
# what begins an operator's part: its UID, its title, a heading or a line that begins with its
# name, or the declaration of its structure
_BEGINS = re.compile(
    rf"^(?:UID[ \t]{{0,20}}:[ \t]{{0,20}}NS:directml\.|title[ \t]{{0,20}}:[ \t]{{0,20}}"
    r"|#{1,6}[ \t]+[*_\[ \t]{0,3}|struct[ \t]+"
    rf"|[ \t]{{0,20}}(?={_STRUCTURE}[^\n.,;:]{{0,30}}$))"
    rf"(?P<name>{_STRUCTURE})\b",
    re.MULTILINE,
)
_TENSOR = re.compile(
    rf"{TENSOR}[\[\]\d*_ \t]{{0,9}}[:=][*_\s]{{0,20}}"
    r"(?:\(\s{0,9}\w{1,20}\s{0,3}[:=]|[\[{]{1,16}\s{0,9}[-+.\d]|Sizes|DataType)"
)


def sections(source: Source) -> tuple[tuple[str, int, Source], ...]:
    """The parts of a page that has examples of several operators.

    Each has its structure's name, and the offset at which it begins in the page's text. Empty where
    they are all of one operator: a name without examples after it, as among links, begins no part.
    """
    text = source.text
    begins = [(found.start(), found["name"]) for found in _BEGINS.finditer(text)]
    if len({name for _start, name in begins}) < 2:
        return ()
    tensors = [found.start() for found in _TENSOR.finditer(text)]
    parts: list[tuple[int, str]] = []
    for number, (start, name) in enumerate(begins):
        end = begins[number + 1][0] if number + 1 < len(begins) else len(text)
        # the last name before an example is its operator's; an output may be called an input
        if bisect_left(tensors, end) - bisect_left(tensors, start) > 1 and (
            not parts or parts[-1][1] != name
        ):
            parts.append((_first(begins, number), name))
    if not 1 < len(parts) <= SECTIONS_LIMIT:
        return ()
    edges = [0, *(start for start, _name in parts[1:]), len(text)]
    return tuple(
        (name, edges[n], _part(source, edges[n], edges[n + 1]))
        for n, (_start, name) in enumerate(parts)
    )


def _first(begins: list[tuple[int, str]], number: int) -> int:
    """Where the run of the same name begins that ends with this one."""
    while number and begins[number - 1][1] == begins[number][1]:
        number -= 1
    return begins[number][0]


def _part(source: Source, start: int, end: int) -> Source:
    first = bisect_right(source.starts, start)
    last = bisect_left(source.starts, end)
    return Source(
        source.text[start:end],
        (0, *(at - start for at in source.starts[first:last])),
        (source.line(start), *source.lines[first:last]),
    )
