"""Verdicts as data, as a table for people, and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from unicodedata import east_asian_width

import numpy as np

from dmlviz.tensors import one_line, visible
from dmlviz.verify.findings import print_lines
from dmlviz.verify.reader import Document, Tally
from dmlviz.verify.verifier import MATCH, MISMATCH, REFUSED, SKIPPED, UNREADABLE, Verdict
from dmlviz.words import _, ngettext


@dataclass(frozen=True, eq=False)
class Report:
    """A page and what became of it."""

    document: Document
    verdicts: tuple[Verdict, ...]


def as_data(reports: Sequence[Report]) -> dict[str, Any]:
    """What ``python -m dmlviz verify --json`` prints."""
    return {"documents": [_document(report) for report in reports]}


def as_lines(
    report: Report, drawn: Callable[[Verdict], Sequence[str]] = lambda _verdict: ()
) -> list[str]:
    """A page for people: its examples, its findings, its statements.

    Args:
        report: of the page.
        drawn: gives the lines under an example.
    """
    document = report.document
    operator = ", ".join(filter(None, (document.structure, *document.others))) or _("no operator")
    name = one_line(document.name) or _("page")
    if document.names_nothing_known:
        return [f"{name}: {document.problem}"]
    lines = [f"{name}  {operator}"]
    if document.problem:
        lines.append(f"  {document.problem}")
    for verdict in report.verdicts:
        lines.append(
            f"  {_wide(status_word(verdict.status), 10)} {verdict.engine:17}"
            f" {verdict.example.title}: {verdict.message}"
        )
        lines += drawn(verdict)
    found = _("found: {finding}")
    lines += [f"  {found.format(finding=finding)}" for finding in document.all_findings]
    for said in document.statements:
        told = _("stated: {statement}") if said.agrees else _("wrong: {statement}")
        lines.append(f"  {told.format(statement=_at(said.line, said.message))}")
    return [*lines, *(f"  {told}" for told in unchecked_lines(document.tally))]


def as_markdown(report: Report) -> str:
    """The same as a Markdown table and lists, to paste into an issue or a review."""
    document = report.document
    name = document.name or document.structure or _("Page")
    lines = [f"## {_cell(name)}", ""]
    if document.problem:
        return "\n".join([*lines, _cell(document.problem), ""])
    heads = (_("Example"), _("Engine"), _("Result"), _("Details"))
    lines += [f"| {' | '.join(heads)} |", "| --- | --- | --- | --- |"]
    lines += [
        f"| {_cell(v.example.title)} | {v.engine} | {status_word(v.status)} | {_cell(v.message)} |"
        for v in report.verdicts
    ]
    said = as_list([str(finding) for finding in document.all_findings])
    said += as_list([_at(s.line, s.message) for s in document.statements if not s.agrees])
    return "\n".join([*lines, "", *said, *as_list(unchecked_lines(document.tally)), ""])


def as_list(lines: Sequence[str]) -> list[str]:
    """Sentences as a Markdown list."""
    return [f"- {_cell(line)}" for line in lines]


def unchecked_lines(tally: Tally) -> list[str]:
    """What was seen and could not be checked, with its lines; examples are told elsewhere."""
    tables, formulas, introductions = (
        kind.unchecked for kind in (tally.tables, tally.formulas, tally.introductions)
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
    )
    return [message.format(lines=print_lines(lines)) for lines, message in kinds if lines]


def _indices(flat: Sequence[int], sizes: tuple[int, ...]) -> list[list[int]]:
    found = np.unravel_index(np.array(flat, np.int64), sizes)
    indices: list[list[int]] = np.stack(found, -1).tolist()
    return indices


def _at(line: int, message: str) -> str:
    return _("line {line}: {message}").format(line=line, message=message)


def _cell(text: str) -> str:
    """Text that stays in its cell, and is no markup."""
    for sign in "\\`*_[]<>|#!~&":
        text = text.replace(sign, f"\\{sign}")
    # bare addresses are links, too
    text = text.replace("://", "\\://").replace("www.", "www\\.")
    return visible(" ".join(text.split()))


def status_word(status: str) -> str:
    """A verdict's status in the reader's language."""
    said = {
        MATCH: _("match"),
        MISMATCH: _("mismatch"),
        REFUSED: _("refused"),
        UNREADABLE: _("unreadable"),
        SKIPPED: _("skipped"),
    }
    return said[status]


def _wide(text: str, width: int) -> str:
    """A text filled up to so many columns of a terminal, where Korean letters take two each."""
    columns = sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
    return text + " " * (width - columns)


def _document(report: Report) -> dict[str, Any]:
    document = report.document
    return {
        "file": document.name,
        "operator": document.operator_type,
        "problem": document.problem,
        "examples": [_example(verdict) for verdict in report.verdicts],
        "findings": [{"line": f.line, "message": f.message} for f in document.all_findings],
        "statements": [
            {"line": s.line, "agrees": s.agrees, "message": s.message} for s in document.statements
        ],
        # how many of each kind, and the lines of those that could not be checked
        "checked": {
            kind: {"checked": count["checked"], "unchecked": [*count["unchecked"]]}
            for kind, count in asdict(document.tally).items()
        },
    }


def _example(verdict: Verdict) -> dict[str, Any]:
    first = verdict.first_difference
    return {
        "title": verdict.example.title,
        "line": verdict.example.line,
        "status": verdict.status,
        "engine": verdict.engine,
        "message": verdict.message,
        "first_difference": first
        and {
            "tensor": first.tensor,
            "index": list(first.index),
            "expected": first.expected or None,
            "actual": first.actual or None,
            "line": first.line or None,
        },
        "differing": {
            name: _indices(flat, verdict.sizes[name]) for name, flat in verdict.differing.items()
        },
        "differing_count": verdict.differing_count,
    }
