"""A parameter's value as a page writes it: a number, a list of numbers, a name."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from dmlviz.tensors import DATA_TYPES, shown
from dmlviz.tensors.excerpts import excerpt
from dmlviz.verify.anchors import Field
from dmlviz.verify.findings import Finding, Unreadable
from dmlviz.words import _

_WHOLE = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]{1,20}|[0-9]{1,2000})")
_MEMBER = re.compile(r"\.?(?P<name>[A-Za-z]\w{0,60})\s*[:=]\s*(?P<value>[^\s:=]{1,400})")
# C's names of the least and the greatest whole number of a type
_LIMIT = re.compile(r"(U?INT(?:8|16|32|64))_(MIN|MAX)")
_BETWEEN = re.compile(r"\s*,\s*|\s+")
_LINK = re.compile(r"\[\s*(DML_\w+)\s*\]\([^()\s]*\)")
# what closes a cell, a sentence or emphasis
_MARKS = " \t,;.|*_"
_BETWEEN_WORDS = " ,.;:!-'’"
# what such words may have beside letters: sizes, and a number that belongs to a word
_AMONG_WORDS = re.compile(r"[\[{]\d+(?:, ?\d+)*[\]}]|\d+-(?=[^\W\d])")
_SENTENCE = 6
"""So many words behind // are a sentence, whatever numbers are among them."""
_REMARK = re.compile(r"\((?P<bracket>[^()]*)\)|/\*(?P<c>.*)\*/|(?://|#)(?P<line>.*)")


def remark(field: Field) -> Finding | None:
    """What to say of the words after a value; None where there are none.

    Raises:
        Unreadable: what stands there may change the value.
    """
    rest = field.rest.strip(_MARKS)
    if not rest:
        return None
    found = _REMARK.fullmatch(rest)
    words = (found["bracket"] or found["c"] or found["line"] or "") if found else ""
    named = {"name": field.name, "value": shown(field.value), "rest": excerpt(field.rest)}
    if found and found["line"] and len(re.findall(r"\b[^\W\d_]+\b", words)) >= _SENTENCE:
        words = _AMONG_WORDS.sub("", words)
    # a number, an operator or the name of another value is no mere remark
    if not (words and all(c.isalpha() or c in _BETWEEN_WORDS for c in words)):
        message = _("{name}: {rest} after {value} could not be read.")
        raise Unreadable(Finding(field.line, message.format(**named), "parameter"))
    message = _("{name}: {rest} after {value} is read as a comment.")
    return Finding(field.line, message.format(**named), "parameter")


def field_value(field: Field) -> tuple[Any, Finding | None]:
    """The value for :func:`dmlviz.operator_from_desc`, and what had to be put right.

    Whole numbers are ints, other numbers floats, lists are lists of them, a structure is a mapping
    of its members, and everything else stays text, which the operator's own checks refuse or take.
    """
    text = field.value.strip().rstrip(",;")
    if link := _LINK.fullmatch(text):
        return link[1], None
    if text[:1] in ("{", "[", "("):
        return _numbers(field, text[1:-1].strip().strip(",").strip())
    if text.startswith("DML_"):
        return text, None
    return _number(text.rstrip(".")), None


def _numbers(field: Field, inside: str) -> tuple[Any, Finding | None]:
    named = [_MEMBER.fullmatch(word.strip()) for word in inside.split(",")]
    if all(named):
        # such as a DML_SIZE_2D
        return {found["name"]: _number(found["value"]) for found in named if found}, None
    words = _BETWEEN.split(inside) if inside else []
    finding = None
    if len(words) > 1 and inside.count(",") < len(words) - 1:
        message = _("{name}: commas are missing in {value}.")
        value = shown(field.value)
        finding = Finding(field.line, message.format(name=field.name, value=value), "parameter")
    return [_number(word) for word in words], finding


def _number(text: str) -> Any:
    if limit := _LIMIT.fullmatch(text):
        info = np.iinfo(DATA_TYPES[limit[1]].dtype)
        return int(info.min if limit[2] == "MIN" else info.max)
    if _WHOLE.fullmatch(text):
        whole = int(text, 16) if "x" in text.lower() else int(text)
        # only a float has a zero with a sign
        return whole if whole or text[0] != "-" else -0.0
    try:
        # Python takes underscores between digits, which no page writes; C's f is no letter of inf
        number = text if text.lower().endswith("inf") else text.rstrip("fF")
        return float(number.replace("_", "?"))
    except ValueError:
        return text
