"""Jupyter notebooks as pages: what people read in their cells and outputs, and where it stands."""

from __future__ import annotations

import json
import json.scanner
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.verify.naming import INPUTS, OUTPUTS
from dmlviz.verify.printed import PrintedRow
from dmlviz.verify.snippets import RESULT_LANGUAGE

_BEGINS = regex(r"\s{0,99}\{\s{0,99}\"(?:cells|metadata|nbformat|nbformat_minor)\"")
# what makes a cell one that may hold an example of DirectML's
_OURS = regex(rf"_OPERATOR_DESC|{'|'.join({*INPUTS, *OUTPUTS})}", re.IGNORECASE)
# commands of IPython and of the shell, which are no Python
_COMMAND = regex(r"\s*[%!]")
_HEADING = regex(r"#{1,6}\s")
_ENDS = regex(r"\r\n|\r|\n")
_FENCE = "~" * 12


class _Placed(str):
    """A string of a JSON file, and the offset of its first character."""

    start = 0


@dataclass(frozen=True, eq=False)
class NotebookCell:
    """A cell.

    Attributes:
        kind: ``code``, ``markdown`` or another.
        source: its text in pieces.
        printed: what its calls of ``print`` have written, in pieces.
        result: its last expression as text, in pieces.
    """

    kind: str
    source: Sequence[str]
    printed: Sequence[str]
    result: Sequence[str]


def is_notebook(page: str, name: str) -> bool:
    """Whether a page is a notebook, by its file's name or by how it begins."""
    return name.lower().endswith(".ipynb") or (
        _BEGINS.match(page) is not None and '"nbformat"' in page
    )


class Notebook:
    """A notebook, read once: its cells, and where they stand in the file."""

    def __init__(self, cells: Sequence[NotebookCell], places: _Places) -> None:
        self._cells, self._places = cells, places

    def text(self) -> str:
        """The lines of all cells, with blank lines for what else the file holds.

        Raises:
            Error: a cell that may hold an example of DirectML has several lines on one of the file
                (field ``page``), which Jupyter does not write.

        >>> page = '{"nbformat": 4, "cells": [{\\n"source": [\\n"a\\\\n",\\n"b"\\n]}]}'
        >>> read_notebook(page).text()
        '\\n\\na\\nb\\n'
        """
        placed = [""] * self._places.count
        first = 0
        for cell in self._cells:
            taken = 0
            for piece in cell.source:
                line = self._places.line(piece)
                text = piece.rstrip("\r\n")
                if (taken == line or "\n" in text) and not first:
                    first = line
                taken = line
                placed[line - 1] = text.replace("\r", " ")
        if not first:
            return "\n".join(placed)
        if not any(_OURS.search("".join(cell.source)) for cell in self._cells):
            return ""
        message = _(
            "page: line {line} of this notebook holds several lines of a cell; save it with "
            "Jupyter, which writes each on a line of its own."
        )
        raise Error(message.format(line=first), "page")

    def rows(self) -> list[PrintedRow]:
        """It as lines of Markdown: cells of code as blocks, with what they have printed below."""
        rows: list[PrintedRow] = []
        for cell in self._cells:
            source = list(_rows(cell.source, self._places))
            if cell.kind != "code":
                # names are those of the whole notebook, whatever heading comes
                rows += [row for row in source if not _HEADING.match(row.text)]
                continue
            code = [
                PrintedRow(row.line, row.column, "") if _COMMAND.match(row.text) else row
                for row in source
            ]
            rows += _block("python", code)
            rows += _block("output", list(_rows(cell.printed, self._places)))
            rows += _block(RESULT_LANGUAGE, list(_rows(cell.result, self._places)))
        return rows


def read_notebook(page: str) -> Notebook:
    """A notebook.

    Args:
        page: JSON of any version of the format.

    Raises:
        Error: it is no notebook (field ``page``).
    """
    return Notebook(_cells(page), _Places(page))


def _block(language: str, rows: Sequence[PrintedRow]) -> list[PrintedRow]:
    if not rows:
        return []
    line = rows[0].line
    return [PrintedRow(line, 0, _FENCE + language), *rows, PrintedRow(line, 0, _FENCE)]


def _rows(pieces: Sequence[str], places: _Places) -> Iterator[PrintedRow]:
    """The lines of a text in pieces, each where it stands in the file."""
    row: PrintedRow | None = None
    for piece in pieces:
        for text in piece.splitlines(keepends=True):
            line, column = places.line(piece), places.column(piece, text)
            new = text.rstrip("\r\n")
            row = PrintedRow(line, column, new) if row is None else _joined(row, new)
            if text != new:
                yield row
                row = None
    if row is not None:
        yield row


def _joined(row: PrintedRow, text: str) -> PrintedRow:
    return PrintedRow(row.line, row.column, row.text + text)


class _Places:
    """Lines and columns of a file's strings."""

    def __init__(self, page: str) -> None:
        self.page = page
        self.starts = [0, *(end.end() for end in _ENDS.finditer(page))]
        self.count = len(self.starts)

    def line(self, piece: str) -> int:
        """The line of the file, from 1."""
        return bisect_right(self.starts, getattr(piece, "start", 0))

    def column(self, piece: str, text: str) -> int:
        """The column of a line that is all of a string of the file, else one that is beyond it."""
        start = getattr(piece, "start", 0)
        if text == piece and self.page.startswith(text.rstrip("\r\n"), start):
            return start - self.starts[self.line(piece) - 1]
        return len(self.page)


def _cells(page: str) -> list[NotebookCell]:
    """The cells of every version of the format.

    Raises:
        Error: it is no notebook (field ``page``).
    """
    try:
        read = _with_places(page)
        sheets = [read] if "cells" in read else read["worksheets"]
        return [_cell(cell) for sheet in sheets for cell in sheet["cells"]]
    except (ValueError, LookupError, RecursionError, AttributeError, TypeError):
        message = _("page: this is not a Jupyter notebook: its JSON cannot be read.")
        raise Error(message, "page") from None


def _cell(cell: Any) -> NotebookCell:
    outputs = cell.get("outputs", ())
    results = [_pieces(each.get("data", {}).get("text/plain", ())) for each in outputs]
    printed = [
        piece
        for each in outputs
        if each.get("output_type") == "stream" and each.get("name", "stdout") == "stdout"
        for piece in _pieces(each.get("text", ()))
    ]
    kind = str(cell.get("cell_type", ""))
    source = cell.get("source", cell.get("input", ()))
    result = next((pieces for pieces in results[::-1] if pieces), [])
    return NotebookCell(kind, _pieces(source), printed, result)


def _pieces(value: Any) -> list[str]:
    """A string, or the strings of a list."""
    texts = [value] if isinstance(value, str) else list(value)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError
    return texts


def _with_places(page: str) -> Any:
    """JSON in which every string that is a value knows its place."""

    reader: Any = json.decoder
    scanner: Any = json.scanner

    def placed(text: str, start: int, strict: bool) -> tuple[str, int]:
        value, end = reader.scanstring(text, start, strict)
        made = _Placed(value)
        made.start = start
        return made, end

    decoder: Any = json.JSONDecoder()
    decoder.parse_string = placed
    # the scanner that is written in C takes no other reader of strings
    decoder.scan_once = scanner.py_make_scanner(decoder)
    return decoder.decode(page)
