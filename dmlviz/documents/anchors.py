"""The parts of a page that are examples: DirectML's field names with a value after them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dmlviz.documents.naming import FIELDS, MEMBERS
from dmlviz.documents.strays import Stray, Taken, strays
from dmlviz.documents.text import Source
from dmlviz.tensors import one_line

_NAMES = "|".join(sorted(FIELDS, key=len, reverse=True))
# translators write Outputtensor, Output Tensor and OutputTensors
_ANCHOR = re.compile(
    r"(?<![A-Za-z0-9.>])(?:(?P<side>(?i:input|output))[ \t_-]?(?i:tensors?)"
    rf"|(?P<field>{_NAMES}))"
    r"[*_]{0,3}[ \t]{0,20}:[*_]{0,3}\s{0,20}"
)
# what may begin a tensor: its header, or the values themselves; names in braces are dimensions,
# and a word in brackets may be a link
_TENSOR = re.compile(
    r"\(\s{0,9}\w{1,20}\s{0,3}[:=]|\[(?![^\[\]\n]{1,200}\]\()|\{(?!\s{0,9}(?!nan|inf)[a-z])",
    re.IGNORECASE,
)
# what may be a value: a number, a list, a member of an enumeration; the name of an enumeration
# itself is a type, and anything else is prose
_NUMBER = r"[+-]?(?:0[xX][0-9a-fA-F]{1,20}|\.?[0-9][0-9._]{0,400}(?:[eE][+-]?[0-9]{1,20})?[fF]?)"
_VALUE = re.compile(
    r"(?P<link>\[\s?DML_\w{1,80}\s?\]\([^()\s]{0,400}\))"
    r"|(?P<list>[\[{(][^\[\]{}()]{0,2000}[\]})])"
    rf"|(?P<name>DML_(?:PADDING_MODE|DEPTH_SPACE_ORDER)_[A-Z_]{{1,60}}|(?-i:{'|'.join(MEMBERS)}))\b"
    rf"|(?P<number>(?>{_NUMBER})(?!(?:st|nd|rd|th|-?d)\b)|[+-]?(?:nan|inf|infinity)(?![\w(]))"
    # a sign before a number makes another one of it
    r"|(?P<sign>[^\w\s\[\]{}()|*#`.-]{1,3}[ \t]?[0-9.]{1,400})"
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
        rest: what stands after the value on its line.
    """

    name: str
    value: str
    line: int
    title: str
    rest: str = ""


@dataclass(frozen=True)
class Block:
    """A tensor, as text.

    Attributes:
        label: ``InputTensor`` or ``OutputTensor``, however the page spells it.
        start, end: the header and the values, as offsets in the source's text.
        line: of the label.
        title: the heading right before it, if there is one.
    """

    label: str
    start: int
    end: int
    line: int
    title: str


Anchor = Field | Block | Stray


def anchors(source: Source) -> tuple[Anchor, ...]:
    """Every parameter and tensor that has a value, and what could be one, in order."""
    parts = list(_parts(source))
    taken = [
        Taken(start, end, isinstance(part, Block), getattr(part, "label", "") == "OutputTensor")
        for start, end, part in parts
    ]
    found: list[Anchor] = []
    at = 0
    for start, end, part in sorted([*parts, *strays(source, taken)], key=lambda part: part[0]):
        found.append(replace(part, title=_title(source.text, at, start)))
        at = end
    return tuple(found)


def _parts(source: Source) -> Iterator[tuple[int, int, Field | Block]]:
    """What is understood, with its offsets; the title is not yet known."""
    text = source.text
    at = 0
    while anchor := _ANCHOR.search(text, at):
        at = anchor.end()
        line = source.line(anchor.start())
        if anchor["side"] and _TENSOR.match(text, at):
            label = f"{anchor['side'].capitalize()}Tensor"
            start, at = at, _values_end(text, at)
            yield anchor.start(), at, Block(label, start, at, line, "")
        elif anchor["field"] and (value := _value(text, at)):
            at = _line_end(text, value.end())
            rest = text[value.end() : min(at, value.end() + 200)]
            yield anchor.start(), at, Field(anchor["field"], value[0], line, "", rest)


def _line_end(text: str, start: int) -> int:
    """Where the line ends, or the next field or tensor begins on it."""
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    following = _ANCHOR.search(text, start, end)
    return following.start() if following else end


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
    # what follows a tensor on its line is a title where all lines are run together
    if start == since > 0 and not re.match(r"\s*[#*_]*\w", lines[0]):
        lines = ["", *lines[1:]]
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
