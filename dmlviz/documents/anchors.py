"""The parts of a page that are examples: DirectML's field names with a value behind them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dmlviz.documents.text import Source
from dmlviz.operators import OPERATORS
from dmlviz.tensors import one_line

FIELDS = tuple(dict.fromkeys(name for cls in OPERATORS for name in cls.members))

_NAMES = "|".join(sorted(FIELDS, key=len, reverse=True))
_ANCHOR = re.compile(
    rf"(?<![A-Za-z0-9.>])(?:(?P<tensor>(?:Input|Output)Tensor)|(?P<field>{_NAMES}))"
    r"[*_]{0,3}[ \t]{0,20}:[*_]{0,3}\s{0,20}"
)
# what may begin a tensor: its header, or the values themselves; names in braces are dimensions
_TENSOR = re.compile(
    r"\(\s{0,9}(?:Sizes|DataType)\b|\[|\{(?!\s{0,9}(?!nan|inf)[a-z])", re.IGNORECASE
)
# what may be a value: a number, a list, a member of an enumeration; the name of an enumeration
# itself is a type, and anything else is prose
_NUMBER = r"[+-]?(?:0[xX][0-9a-fA-F]{1,20}|\.?[0-9][0-9._]{0,400}(?:[eE][+-]?[0-9]{1,20})?[fF]?)"
_VALUE = re.compile(
    rf"(?P<list>[\[{{(][^\[\]{{}}()]{{0,2000}}[\]}})])"
    r"|(?P<name>DML_(?:PADDING_MODE|DEPTH_SPACE_ORDER)_[A-Z_]{1,60})\b"
    rf"|(?P<number>{_NUMBER}|[+-]?(?:nan|inf|infinity))(?![\w(])"
    r"|(?P<word>[A-Z]{3,20}(?:_[A-Z]{3,20})*)\b(?=[ \t]{0,20}(?:[,;.]?[ \t]{0,20}(?:\n|$)))",
    re.IGNORECASE,
)
_TYPES = ("UINT", "INT", "FLOAT", "DOUBLE", "BOOL", "CONST")
# brackets of values: everything between the first one and its partner
_BRACKET = re.compile(r"[\[\]{}]")
# lines that nobody takes for a title
_FENCE = " \t\r\f\v~*_-"
_TITLE = re.compile(r"^\s{0,9}(?P<marks>#{0,6})\s{0,9}(?P<words>[^\n]{1,160}?)[\s#]*$")


@dataclass(frozen=True)
class Field:
    """A parameter with its value, as text.

    Attributes:
        name: such as ``Repeats``.
        value: what stands behind the colon.
        line: of the page, from 1.
        title: the heading right before it, if there is one.
    """

    name: str
    value: str
    line: int
    title: str


@dataclass(frozen=True)
class Block:
    """A tensor, as text.

    Attributes:
        label: ``InputTensor`` or ``OutputTensor``, as the page says.
        start, end: the header and the values, as offsets in the source's text.
        line: of the label.
        title: the heading right before it, if there is one.
    """

    label: str
    start: int
    end: int
    line: int
    title: str


Anchor = Field | Block


def anchors(source: Source) -> tuple[Anchor, ...]:
    """Every parameter and tensor that has a value, in the order of the page."""
    found: list[Anchor] = []
    text = source.text
    at = 0
    while anchor := _ANCHOR.search(text, at):
        line = source.line(anchor.start())
        if anchor["tensor"] and _TENSOR.match(text, anchor.end()):
            end = _values_end(text, anchor.end())
            title = _title(text, at, anchor.start())
            found.append(Block(anchor["tensor"], anchor.end(), end, line, title))
        elif anchor["field"] and (value := _value(text, anchor.end())):
            end = value.end()
            title = _title(text, at, anchor.start())
            found.append(Field(anchor["field"], value[0], line, title))
        else:
            end = anchor.end()
            # prose: what stands before it may still be a title
            at = end
            continue
        at = end
    return tuple(found)


def _value(text: str, start: int) -> re.Match[str] | None:
    value = _VALUE.match(text, start)
    if value is None or (value["word"] and value["word"].upper() in _TYPES):
        return None
    return value


def _values_end(text: str, start: int) -> int:
    """Behind the last bracket of a tensor, or where the next field or heading begins."""
    header = re.compile(r"\([^()]{0,400}\)").match(text, start)
    at = header.end() if header else start
    stop = _ANCHOR.search(text, at)
    limit = stop.start() if stop else len(text)
    depth = 0
    for bracket in _BRACKET.finditer(text, at, limit):
        depth += 1 if bracket[0] in "[{" else -1
        if depth <= 0:
            return bracket.end()
    heading = re.compile(r"\n[ \t]*(?:\n|#)").search(text, at, limit)
    return heading.start() if heading else limit


def _title(text: str, since: int, before: int) -> str:
    """The line right before an anchor, if it is a heading or a short line with a number."""
    start = max(since, before - 400)
    lines = text[start:before].split("\n")
    if len(lines) > 1 and start == before - 400:
        lines = lines[1:]
    for line in reversed(lines[:-1] if lines and not lines[-1].strip() else lines):
        if not line.strip(_FENCE):
            continue
        title = _TITLE.match(line)
        if title is None or not any(c.isalnum() for c in title["words"]):
            return ""
        words = one_line(title["words"]).strip(" *_")
        numbered = any(c.isdigit() for c in words) and words[-1] not in ":,;]}"
        return words if title["marks"] or (numbered and len(words) <= 120) else ""
    return ""
