"""Examples written as JSON or YAML's objects: without the braces round names and values."""

from __future__ import annotations

import re

from dmlviz.verify.spellings import NAME

_KEY = re.compile(
    rf"\{{\s{{0,40}}[\"'](?:(?P<header>Sizes|DataType|Strides)|{NAME})[\"'][ \t]{{0,9}}:"
)
_BRACE = re.compile(r"[{}]")
_VALUES = re.compile(r"[\"'](?i:Values|Data)[\"'][ \t]{0,9}:")


def without_objects(text: str) -> str:
    """The text with blanks for the braces of objects that have a parameter's or tensor's name.

    An object with a tensor's sizes becomes its header, which ends where its values begin.

    >>> without_objects('{"Repeats": [2]}')
    ' "Repeats": [2] '
    >>> without_objects('{"Sizes": [1], "Values": [7]}')
    '("Sizes": [1], )         [7] '
    """
    headers = {found.start(): bool(found["header"]) for found in _KEY.finditer(text)}
    if not headers:
        return text
    signs = list(text)
    opened: list[int] = []
    for brace in _BRACE.finditer(text):
        if brace[0] == "{":
            opened.append(brace.start())
            continue
        start = opened.pop() if opened else -1
        if start not in headers:
            continue
        # a header is short
        until = min(start + 700, brace.start())
        values = _VALUES.search(text, start, until) if headers[start] else None
        if values:
            signs[start] = "("
            signs[values.start() : values.end()] = ")".ljust(len(values[0]))
            signs[brace.start()] = " "
        elif not headers[start]:
            signs[start] = signs[brace.start()] = " "
    return "".join(signs)
