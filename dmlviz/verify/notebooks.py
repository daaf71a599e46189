"""Jupyter notebooks: the lines of their cells, each on the line of the file that holds it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from dmlviz.errors import Error
from dmlviz.verify.naming import INPUTS, OUTPUTS
from dmlviz.verify.text import with_newlines
from dmlviz.words import _

_NOTEBOOK = re.compile(r"\s{0,99}\{\s{0,99}\"(?:cells|metadata|nbformat|nbformat_minor)\"")
_SOURCE = re.compile(r"\s*\"source\"\s*:\s*(?P<value>\S.*?)\s*,?\s*")
_LINE = re.compile(r"\s*(?P<value>\".*\")\s*,?\s*")
# what makes a cell one that may hold an example
_OURS = re.compile(rf"_OPERATOR_DESC|{'|'.join({*INPUTS, *OUTPUTS})}", re.IGNORECASE)


def is_notebook(page: str, name: str) -> bool:
    """Whether a page is a notebook, by its file's name or by how it begins."""
    return name.lower().endswith(".ipynb") or (
        _NOTEBOOK.match(page) is not None and '"nbformat"' in page
    )


def cells(page: str) -> str:
    """The lines of all cells, with blank lines for what else the file holds.

    Args:
        page: JSON as Jupyter writes it, with each line of a cell on a line of its own.

    Raises:
        Error: it is no notebook; or a cell that may hold an example has several lines on one of
            the file (field ``page``).

    >>> cells('{"nbformat": 4, "cells": [{\\n"source": [\\n"a\\\\n",\\n"b"\\n]}]}')
    '\\n\\na\\nb\\n'
    """
    try:
        read = json.loads(page)
        due = ["".join(cell.get("source", "")) for cell in _cells(read)]
    except (ValueError, LookupError, RecursionError, AttributeError, TypeError):
        message = _("page: this is not a Jupyter notebook: its JSON cannot be read.")
        raise Error(message, "page") from None
    lines = with_newlines(page).split("\n")
    placed, found = [""] * len(lines), []
    for source in _sources(lines):
        found.append("".join(text for _at, text in source))
        for at, text in source:
            placed[at] = text.rstrip("\r\n").replace("\r", " ")
    whole = [text for text in placed if "\n" in text]
    if [text for text in due if text] == [text for text in found if text] and not whole:
        return "\n".join(placed)
    if not any(_OURS.search(text) for text in due):
        return ""
    first = next((at for at, text in enumerate(placed, 1) if "\n" in text), 1)
    message = _(
        "page: line {line} of this notebook holds several lines of a cell; save it with Jupyter, "
        "which writes each on a line of its own."
    )
    raise Error(message.format(line=first), "page")


def _cells(read: Any) -> list[Any]:
    """The cells of every version of the format."""
    if "cells" in read:
        return list(read["cells"])
    return [cell for sheet in read["worksheets"] for cell in sheet["cells"]]


def _sources(lines: list[str]) -> Iterator[list[tuple[int, str]]]:
    """For each cell, its lines with their places in the file."""
    at = 0
    while at < len(lines):
        begin = _SOURCE.fullmatch(lines[at]) if '"source"' in lines[at] else None
        source = [(at, text) for text in _texts(begin["value"])] if begin else []
        at += 1
        if begin and begin["value"] == "[":
            while at < len(lines) and (line := _LINE.fullmatch(lines[at])):
                source += [(at, text) for text in _texts(line["value"])]
                at += 1
        if len(source) > 1 and source[0][0] == source[-1][0]:
            # several on one line of the file
            source = [(source[0][0], "".join(text for _at, text in source))]
        if source:
            yield source


def _texts(value: str) -> list[str]:
    """A string, or the strings of a list; none where it is neither."""
    try:
        read = json.loads(value)
    except ValueError:
        return []
    texts = read if isinstance(read, list) else [read]
    return [text for text in texts if isinstance(text, str)]
