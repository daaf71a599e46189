"""What is certain about a page's slips, put right in its text, line ends and all else kept."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.tensors import data_type_of, print_value, read_literal
from dmlviz.tensors.types import Array
from dmlviz.verify.anchors import Block
from dmlviz.verify.examples import PageExample
from dmlviz.verify.reader import Document, as_documented, page_text, read_document, take_skips
from dmlviz.verify.report import Report, check
from dmlviz.verify.text import plain
from dmlviz.verify.values import header_of, literal_of
from dmlviz.verify.verifier import (
    MATCH,
    MISMATCH,
    SKIPPED,
    UNREADABLE,
    Verdict,
    wrong_elements,
)

_ENDS = regex(r"(\r\n|\r|\n)")
_OUTPUT = "OutputTensor"
_AROUND = 3
# the label right before a tensor's header
_LABEL = regex(r"\b(Input)Tensor\W{0,20}$", re.IGNORECASE)
_TOKEN = regex(r"[^\s,;|/\[\]{}()]+")


@dataclass(frozen=True, order=True)
class Edit:
    """One change of one line.

    Attributes:
        line: of the page, from 1.
        column: of the first letter that goes, or before which the new ones come, from 0.
        length: how many letters go.
        text: what takes their place.
    """

    line: int
    column: int
    length: int
    text: str


def corrected(
    page: str, before: Report, engine_names: Sequence[str], *, values: bool = False
) -> str | None:
    """The page with its fixes; None where there are none, or it would not verify as well.

    Args:
        page: its text.
        before: the report of that text.
        engine_names: the engines of that report.
        values: whether output values that differ become the engine's.
    """
    changes = edits(page, before, values=values)
    made = changed(page, changes, before, engine_names, values=values) if changes else None
    return made[1] if made else None


def changed(
    page: str,
    changes: Sequence[Edit],
    before: Report,
    engine_names: Sequence[str],
    *,
    values: bool = False,
) -> tuple[Document, str] | None:
    """The page with these fixes, as a document and as text; None where it would not verify as well.

    Args:
        page, before, engine_names, values: as :func:`corrected` takes them.
        changes: its fixes.
    """
    new = edited(page, changes)
    document = read_document(new, before.document.name)
    after = check(document, new, engine_names)
    if edits(new, after, values=values) or not is_no_worse(before, after, values=values):
        return None
    return document, new


def edits(page: str, report: Report, *, values: bool = False) -> tuple[Edit, ...]:
    """What can be put right for certain, in order.

    That is: commas between rows, and the label of a second ``InputTensor`` that is the output.
    An example that cannot be read, contradicts itself or is skipped stays as it is, and so does a
    tensor that it shares with another; likewise a line whose letters are not those of the page's
    text, such as one with markup in it.

    Args:
        page: its text, with any line ends.
        report: of that text.
        values: whether output values that differ are to be the engine's, where all engines that
            were asked agree.
    """
    if not report.verdicts:
        return ()
    lines = _Lines(page, report.document.name)
    untouched = {
        (block.start, block.end)
        for example in report.document.examples
        if not _is_sound(example)
        for block in example.blocks.values()
    }
    changes: set[Edit] = set()
    places: set[tuple[int, int]] = set()
    for _key, runs in groupby(report.verdicts, lambda verdict: id(verdict.example)):
        verdicts = list(runs)
        example = verdicts[0].example
        if values and example.tokens and _is_sound(example):
            for name in example.tokens:
                changes |= set(_printed_values(lines, verdicts, name))
        for name, block in example.blocks.items():
            # a tensor that several examples share is read once
            place = block.start, block.end
            if place in untouched or place in places or block.absent:
                continue
            places.add(place)
            changes |= set(_label(lines, name, block))
            changes |= set(_commas(lines, example, name, block))
            if values:
                changes |= set(_values(lines, verdicts, name, block))
    return tuple(sorted(changes))


def edited(page: str, changes: Sequence[Edit]) -> str:
    """The page with changes made."""
    parts = _ENDS.split(page)
    for line, several in groupby(sorted(changes), lambda change: change.line):
        row, at = parts[2 * (line - 1)], 0
        pieces = []
        for change in several:
            pieces += [row[at : change.column], change.text]
            at = change.column + change.length
        parts[2 * (line - 1)] = "".join([*pieces, row[at:]])
    return "".join(parts)


def as_diff(before: str, after: str, name: str) -> str:
    """What :func:`edited` changed, as ``diff -u`` prints it, with three lines round each.

    Args:
        before: the page.
        after: the same with its changes; it has as many lines.
        name: of the file.
    """
    old, new = (_rows(text) for text in (before, after))
    runs: list[list[int]] = []
    for line in (n for n, (a, b) in enumerate(zip(old, new, strict=True)) if a != b):
        if runs and line - runs[-1][-1] <= 2 * _AROUND:
            runs[-1].append(line)
        else:
            runs.append([line])
    parts = [f"--- {name}\n+++ {name}\n"]
    for run in runs:
        first, last = max(0, run[0] - _AROUND), min(len(old), run[-1] + _AROUND + 1)
        span = f"{first + 1},{last - first}"
        parts.append(f"@@ -{span} +{span} @@\n")
        at = first
        for touched, rows in groupby(range(first, last), set(run).__contains__):
            count = len(list(rows))
            if touched:
                parts += [f"-{row}" for row in old[at : at + count]]
                parts += [f"+{row}" for row in new[at : at + count]]
            else:
                parts += [f" {row}" for row in old[at : at + count]]
            at += count
    return "".join(parts)


def _rows(page: str) -> list[str]:
    """Lines with their ends; one that has none says so, as ``diff`` does."""
    parts = _ENDS.split(page)
    rows = [row + end for row, end in zip(parts[::2], [*parts[1::2], ""], strict=True)]
    last = rows.pop()
    return [*rows, f"{last}\n\\ No newline at end of file\n"] if last else rows


def is_no_worse(before: Report, after: Report, *, values: bool = False) -> bool:
    """Whether a page that was changed reads as it did, and verifies at least as well.

    Args:
        before: the page as it was.
        after: as it is now.
        values: whether outputs may be the engine's now.
    """
    if len(before.verdicts) != len(after.verdicts):
        return False
    if len(after.document.all_findings) > len(before.document.all_findings):
        return False
    if _wrong(after) > _wrong(before):
        return False
    return all(
        (new.example.title, new.example.line, new.engine)
        == (old.example.title, old.example.line, old.engine)
        and (old.status == SKIPPED) == (new.status == SKIPPED)
        and _rank(new) <= _rank(old)
        and old.example.operator == new.example.operator
        and _same(old.example.inputs, new.example.inputs)
        and (
            _same(old.example.outputs, new.example.outputs)
            or (values and _same(old.outputs, new.example.outputs))
        )
        for old, new in zip(before.verdicts, after.verdicts, strict=True)
    )


class _Lines:
    """A page's lines, and where in them the letters of its plain text are.

    Attributes:
        source: the plain text.
        documented: the same as examples were read from it, each letter at the same offset.
    """

    def __init__(self, page: str, name: str) -> None:
        self.rows = _ENDS.split(page)[::2]
        self.source = plain(take_skips(page_text(page, name))[0])
        self.documented = as_documented(self.source)
        self._ends = [match.start() for match in re.finditer("\n", self.source.text)]
        self._exact: dict[tuple[int, int], bool] = {}

    def edit(self, offset: int, length: int, text: str) -> Edit | None:
        """A change at an offset of the plain text; None where it is not letter for letter."""
        text_read = self.source.text
        number = bisect_left(self._ends, offset)
        start = self._ends[number - 1] + 1 if number else 0
        end = self._ends[number] if number < len(self._ends) else len(text_read)
        line = self.source.line(offset)
        if (line, start) not in self._exact:
            row = self.rows[line - 1] if line <= len(self.rows) else ""
            # an entity, an element or a mark that is cut out makes the two differ
            same = len(row) == end - start and plain(row).text == text_read[start:end]
            self._exact[line, start] = same
        return Edit(line, offset - start, length, text) if self._exact[line, start] else None


def _is_sound(example: PageExample) -> bool:
    return (
        example.operator is not None
        and example.unreadable is None
        and not example.contradictions
        and not example.skipped
    )


def _label(lines: _Lines, name: str, block: Block) -> Iterator[Edit]:
    begin = max(0, block.start - 100)
    match = _LABEL.search(lines.source.text[begin : block.start])
    if name == _OUTPUT and match:
        word = "Output" if match[1][0] == "I" else "output"
        edit = lines.edit(begin + match.start(1), len(match[1]), word)
        if edit:
            yield edit


def _commas(lines: _Lines, example: PageExample, name: str, block: Block) -> Iterator[Edit]:
    start, offsets = _read(lines, example, name, block, missing=True)
    for offset in offsets:
        # between numbers a blank may stand for something else
        if lines.source.text[start + offset] in "]})":
            edit = lines.edit(start + offset, 0, ",")
            if edit:
                yield Edit(edit.line, edit.column + 1, 0, ",")


def _values(lines: _Lines, verdicts: Sequence[Verdict], name: str, block: Block) -> Iterator[Edit]:
    """The engine's values in the place of the page's; none where one of them is not certain."""
    example, actual = verdicts[0].example, _agreed(verdicts, name)
    if actual is None:
        return
    expected = example.outputs[name]
    start, offsets = _read(lines, example, name, block, missing=False)
    if len(offsets) != expected.size:
        return
    changes = []
    for flat in wrong_elements(expected, actual).tolist():
        place = start + offsets[flat]
        token = _TOKEN.match(lines.source.text, place)
        edit = token and lines.edit(place, len(token[0]), print_value(actual.flat[flat]))
        if not token or not edit or not _says(token[0], expected.reshape(-1)[flat : flat + 1]):
            return
        changes.append(edit)
    yield from changes


def _printed_values(lines: _Lines, verdicts: Sequence[Verdict], name: str) -> Iterator[Edit]:
    """The engine's values in the place of those that a Python example prints."""
    example = verdicts[0].example
    actual = _agreed(verdicts, name)
    if actual is None:
        return
    changes = []
    for flat in wrong_elements(example.outputs[name], actual).tolist():
        token = example.tokens[name][flat]
        row = lines.rows[token.line - 1] if token.line <= len(lines.rows) else ""
        if token.is_truth or not row.startswith(token.text, token.column):
            return
        text = token.like(actual.flat[flat]).rjust(len(token.text))
        changes.append(Edit(token.line, token.column, len(token.text), text))
    yield from changes


def _agreed(verdicts: Sequence[Verdict], name: str) -> Array | None:
    """An output of which all engines that were asked have the same other values than the page."""
    expected = verdicts[0].example.outputs.get(name)
    outputs = [verdict.outputs.get(name) for verdict in verdicts]
    actual = outputs[0]
    if expected is None or actual is None or expected.shape != actual.shape:
        return None
    if any(v.status != MISMATCH for v in verdicts) or not all(
        other is not None and _equal(actual, other) for other in outputs
    ):
        return None
    return actual


def _read(
    lines: _Lines, example: PageExample, name: str, block: Block, *, missing: bool
) -> tuple[int, tuple[int, ...]]:
    """Where a tensor's values begin, and the offsets of each, or of what lacks a comma after it."""
    tensor = example.inputs.get(name, example.outputs.get(name))
    if tensor is None:
        return 0, ()
    header = header_of(lines.documented, block)
    literal = literal_of(lines.documented, block, header, data_type_of(tensor.dtype))
    return block.start + header.end, literal.missing_commas if missing else literal.offsets


def _says(token: str, value: Array) -> bool:
    try:
        return _equal(read_literal(token, data_type_of(value.dtype)).values, value)
    except Error:
        return False


def _equal(one: Array, other: Array) -> bool:
    return one.dtype == other.dtype and (
        one.shape == other.shape and not wrong_elements(one, other).size
    )


def _same(some: Any, others: Any) -> bool:
    return some.keys() == others.keys() and all(_equal(some[n], others[n]) for n in some)


def _wrong(report: Report) -> int:
    return sum(not statement.agrees for statement in report.document.statements)


def _rank(verdict: Verdict) -> int:
    return {MATCH: 0, SKIPPED: 0, UNREADABLE: 2}.get(verdict.status, 1)
