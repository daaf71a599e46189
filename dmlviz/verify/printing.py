"""Reports for people: text, Markdown, and the last lines of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any
from unicodedata import east_asian_width

import numpy as np

from dmlviz.base.words import _, listed, ngettext
from dmlviz.engines import ENGINES
from dmlviz.tensors import one_line, print_sizes, print_value, visible
from dmlviz.tensors.numbering import print_index
from dmlviz.tensors.types import Array
from dmlviz.verify.findings import at_line, print_lines
from dmlviz.verify.reader import CheckedCount, Coverage
from dmlviz.verify.report import KNOWN, Report
from dmlviz.verify.verifier import (
    MATCH,
    MISMATCH,
    RECORDED,
    REFUSED,
    SKIPPED,
    UNREADABLE,
    Verdict,
    wrong_elements,
)

ROWS, COLUMNS = 12, 16
"""The largest plane that is drawn."""

_RED, _GREEN, _END = "\x1b[1;31m", "\x1b[1;32m", "\x1b[0m"
_MARGIN = "             "


def as_lines(report: Report, *, planes: bool = False, colored: bool = False) -> list[str]:
    """A page for people: its examples, its findings, its statements.

    Args:
        report: of the page.
        planes: whether what differs is drawn under an example.
        colored: whether the terminal shows colors.
    """
    document = report.document
    operator = ", ".join(filter(None, (document.structure, *document.others))) or _("no operator")
    name = one_line(document.name) or _("page")
    problem = _marked(report, 1, document.problem)
    if document.names_unknown_operator:
        return [f"{name}: {problem}"]
    lines = [f"{name}  {operator}"]
    if problem:
        lines.append(f"  {problem}")
    for verdict in report.verdicts:
        status = report.status(verdict)
        lines.append(
            f"  {_wide(status_word(status), 10)} {verdict.engine:17}"
            f" {verdict.example.title}: {verdict.message}"
        )
        lines += plane_lines(verdict, colored=colored) if planes and status != KNOWN else []
    for finding in document.all_findings:
        remark = _("found: {finding}").format(finding=finding)
        lines.append(f"  {_marked(report, finding.line, str(finding), remark)}")
    for statement in document.statements:
        kind = _("stated: {statement}") if statement.agrees else _("wrong: {statement}")
        sentence = at_line(statement.line, statement.message)
        remark = kind.format(statement=sentence)
        lines.append(f"  {_marked(report, statement.line, sentence, remark)}")
    return [*lines, *(f"  {line}" for line in unchecked_lines(document.coverage))]


def as_markdown(report: Report) -> str:
    """The same as a Markdown table and lists, to paste into an issue or a review."""
    document = report.document
    name = document.name or document.structure or _("Page")
    lines = [f"## {_cell(name)}", ""]
    if document.problem:
        return "\n".join([*lines, _cell(_marked(report, 1, document.problem)), ""])
    heads = (_("Example"), _("Engine"), _("Result"), _("Details"))
    lines += [f"| {' | '.join(heads)} |", "| --- | --- | --- | --- |"]
    lines += [
        f"| {_cell(v.example.title)} | {v.engine} | {status_word(report.status(v))} "
        f"| {_cell(v.message)} |"
        for v in report.verdicts
    ]
    remarks = [(finding.line, str(finding)) for finding in document.all_findings]
    remarks += [(s.line, at_line(s.line, s.message)) for s in document.statements if not s.agrees]
    sentences = as_list([_marked(report, *remark) for remark in remarks])
    return "\n".join([*lines, "", *sentences, *as_list(unchecked_lines(document.coverage)), ""])


def _marked(report: Report, line: int, sentence: str, remark: str = "") -> str:
    """What is told of a sentence at a line, itself by default; as known if the baseline has it."""
    return baseline_sentence(sentence) if report.in_baseline(line, sentence) else remark or sentence


def baseline_sentence(problem: str) -> str:
    """A problem's sentence, of one that the baseline has."""
    return _("known: {problem}").format(problem=problem)


def as_list(lines: Sequence[str]) -> list[str]:
    """Sentences as a Markdown list."""
    return [f"- {_cell(line)}" for line in lines]


def unchecked_lines(coverage: Coverage) -> list[str]:
    """What was seen and could not be checked, with its lines; examples are told elsewhere."""
    tables, formulas, introductions, python = (
        kind.unchecked
        for kind in (
            coverage.tables,
            coverage.formulas,
            coverage.introductions,
            coverage.python,
        )
    )
    kinds = (
        (
            tables,
            ngettext(
                "not checked: the feature-level table below line {lines}",
                "not checked: the feature-level tables below lines {lines}",
                len(tables),
            ),
        ),
        (
            formulas,
            ngettext(
                "not checked: the formula on line {lines}",
                "not checked: the formulas on lines {lines}",
                len(formulas),
            ),
        ),
        (
            introductions,
            ngettext(
                "not checked: line {lines}, which level introduced the operator",
                "not checked: lines {lines}, which level introduced the operator",
                len(introductions),
            ),
        ),
        (
            python,
            ngettext(
                "not checked: the Python example on line {lines}",
                "not checked: the Python examples on lines {lines}",
                len(python),
            ),
        ),
    )
    return [message.format(lines=print_lines(lines)) for lines, message in kinds if lines]


def _cell(text: str) -> str:
    """Text that stays in its cell, and is no markup."""
    for sign in "\\`*_[]<>|#!~&":
        text = text.replace(sign, f"\\{sign}")
    # bare addresses are links, too
    text = text.replace("://", "\\://").replace("www.", "www\\.")
    return visible(" ".join(text.split()))


def status_word(status: str) -> str:
    """A verdict's status in the reader's language."""
    status_words = {
        MATCH: _("match"),
        MISMATCH: _("mismatch"),
        REFUSED: _("refused"),
        UNREADABLE: _("unreadable"),
        SKIPPED: _("skipped"),
        KNOWN: _("known"),
    }
    return status_words[status]


def engine_gives(engine: str) -> str:
    """The title of what an engine gave, beside what the page says."""
    if engine == RECORDED:
        return _("DirectML, recorded, gives")
    return _("{engine} gives").format(engine=ENGINES[engine].status().title)


def picture_words(title: str, values: Array, marked: int) -> str:
    """A picture of a tensor in words.

    Args:
        title: above the picture.
        values: the tensor.
        marked: how many cells are marked as different.
    """
    return _("{title}: a tensor of sizes {sizes}, {marked} cells marked as different.").format(
        title=title, sizes=print_sizes(values.shape), marked=marked
    )


def _wide(text: str, width: int) -> str:
    """A text filled up to so many columns of a terminal, where Korean letters take two each."""
    columns = sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
    return text + " " * (width - columns)


def plane_lines(verdict: Verdict, *, colored: bool = False) -> list[str]:
    """The plane of an output in which the first difference is; what differs has brackets.

    Args:
        verdict: of an example.
        colored: whether the terminal shows colors.

    Returns:
        Lines; none where nothing differs, the sizes do, or the plane has more than 12 rows or 16
        columns.
    """
    first = verdict.first_difference
    if first is None or first.tensor not in verdict.outputs:
        return []
    actual, expected = verdict.outputs[first.tensor], verdict.example.outputs.get(first.tensor)
    if expected is None or expected.shape != actual.shape:
        return []
    plane = first.index[:-2]
    ours, theirs = (np.atleast_2d(np.asarray(side[plane])) for side in (expected, actual))
    if ours.shape[0] > ROWS or ours.shape[1] > COLUMNS:
        return []
    wrong = np.zeros(actual.size, bool)
    wrong[wrong_elements(expected, actual)] = True
    marked = np.atleast_2d(wrong.reshape(actual.shape)[plane])
    left, wide = _rows(_("page"), ours, marked, _RED * colored)
    right, _wide = _rows(verdict.engine, theirs, marked, _GREEN * colored)
    lines = [f"{_MARGIN}{print_index((*plane, ':', ':'))}"] if plane else []
    for (a, letters), (b, _letters) in zip(left, right, strict=True):
        lines.append(f"{_MARGIN}{a}{' ' * (wide - letters)}   {b}".rstrip())
    return lines


def _rows(
    title: str, plane: Array, marked: Array, color: str
) -> tuple[Sequence[tuple[str, int]], int]:
    """A heading and the rows, each with the letters that it takes; and the most of those."""
    texts = [[print_value(value) for value in row] for row in plane]
    width = max(len(text) for row in texts for text in row)
    rows = [(title, len(title))]
    for row, marks in zip(texts, marked, strict=True):
        plain = [
            f"[{text:>{width}}]" if mark else f" {text:>{width}} "
            for text, mark in zip(row, marks, strict=True)
        ]
        printed = [
            f"{color}{text}{_END}" if mark and color else text
            for text, mark in zip(plain, marks, strict=True)
        ]
        rows.append(("".join(printed), sum(map(len, plain))))
    return rows, max(letters for _text, letters in rows)


def summary_lines(reports: Sequence[Report], *, strict: bool) -> list[str]:
    """The last lines of a report.

    Args:
        reports: on all pages.
        strict: whether remarks fail the run.
    """
    return [
        *checked_lines(reports),
        *_remarks(reports, strict),
        *_in_baseline(reports),
        *_skipped(reports),
        _matching(reports),
    ]


def summary_data(reports: Sequence[Report]) -> dict[str, Any]:
    """The same as JSON has it: the numbers of all pages together."""
    outcomes = [report.outcome for report in reports]
    return {
        "pages": len(outcomes),
        "pages_with_examples": sum(bool(outcome.runs) for outcome in outcomes),
        "runs": sum(outcome.runs for outcome in outcomes),
        "matching": sum(outcome.matching for outcome in outcomes),
        "remarks": sum(outcome.remarks for outcome in outcomes),
        "skipped": sum(outcome.skipped for outcome in outcomes),
        "known": sum(outcome.in_baseline for outcome in outcomes),
        "checked": _checked(reports),
        "unchecked": _unchecked(reports),
    }


def checked_lines(reports: Sequence[Report]) -> list[str]:
    """What was checked on all pages, and how much was not; nothing where there was nothing."""
    lines = []
    for message, counts in (
        (_("checked: {what}."), _checked(reports).values()),
        (_("not checked: {what}."), _unchecked(reports).values()),
    ):
        if any(counts):
            lines.append(message.format(what=listed(_counted(*counts))))
    return lines


def _checked(reports: Sequence[Report]) -> dict[str, int]:
    return {name: sum(count.checked for count in counts) for name, counts in _counts(reports)}


def _unchecked(reports: Sequence[Report]) -> dict[str, int]:
    return {
        name: sum(len(count.unchecked) for count in counts) for name, counts in _counts(reports)
    }


def _counts(reports: Sequence[Report]) -> Iterator[tuple[str, list[CheckedCount]]]:
    """For each kind of thing that can be checked, the counts of all pages."""
    for kind in fields(Coverage):
        yield kind.name, [getattr(report.document.coverage, kind.name) for report in reports]


def _counted(
    examples: int, tables: int, formulas: int, introductions: int, python: int
) -> list[str]:
    kinds = (
        (examples, ngettext("{n} example", "{n} examples", examples)),
        (tables, ngettext("{n} feature-level table", "{n} feature-level tables", tables)),
        (formulas, ngettext("{n} line with formulas", "{n} lines with formulas", formulas)),
        (
            introductions,
            ngettext(
                "{n} sentence that says which level introduced the operator",
                "{n} sentences that say which level introduced the operator",
                introductions,
            ),
        ),
        (python, ngettext("{n} Python example", "{n} Python examples", python)),
    )
    return [message.format(n=f"{count:,}") for count, message in kinds if count]


def _remarks(reports: Sequence[Report], strict: bool) -> list[str]:
    """What was found beside the examples, in one line; nothing where nothing was."""
    count = sum(report.outcome.remarks for report in reports)
    if not count:
        return []
    if strict:
        message = ngettext(
            "{n} remark affects the exit code (found, wrong).",
            "{n} remarks affect the exit code (found, wrong).",
            count,
        )
    else:
        message = ngettext(
            "{n} remark does not affect the exit code (found, wrong); with --strict it does.",
            "{n} remarks do not affect the exit code (found, wrong); with --strict they do.",
            count,
        )
    return [message.format(n=f"{count:,}")]


def _in_baseline(reports: Sequence[Report]) -> list[str]:
    count = sum(report.outcome.in_baseline for report in reports)
    if not count:
        return []
    message = ngettext(
        "{n} problem is known from the baseline and does not count.",
        "{n} problems are known from the baseline and do not count.",
        count,
    )
    return [message.format(n=f"{count:,}")]


def _skipped(reports: Sequence[Report]) -> list[str]:
    count = sum(report.outcome.skipped for report in reports)
    if not count:
        return []
    message = ngettext(
        "{n} example is skipped by its page.", "{n} examples are skipped by their pages.", count
    )
    return [message.format(n=f"{count:,}")]


def _matching(reports: Sequence[Report]) -> str:
    outcomes = [report.outcome for report in reports]
    examples = sum(outcome.examples for outcome in outcomes)
    message = ngettext(
        "{matching} of {n} example matches, {pages} of {files} pages have examples.",
        "{matching} of {n} examples match, {pages} of {files} pages have examples.",
        examples,
    )
    return message.format(
        matching=sum(outcome.matching_examples for outcome in outcomes),
        n=examples,
        pages=sum(bool(outcome.runs) for outcome in outcomes),
        files=len(outcomes),
    )
