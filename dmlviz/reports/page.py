"""One page's examples and problems, without its tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dmlviz.documents import Document, Outcome, Report, Verdict
from dmlviz.documents.verifier import MATCH, MISMATCH
from dmlviz.documents.verifier import REFUSED as REFUSED_STATUS
from dmlviz.reports.rules import (
    OUTPUT_DIFFERS,
    PAGE,
    REFUSED,
    STATEMENT,
    UNREADABLE,
    Rule,
    rule_named,
)

ERROR, WARNING = "error", "warning"


@dataclass(frozen=True)
class Problem:
    """Something wrong, and where.

    Attributes:
        rule: the kind.
        severity: ``error`` where it fails the run, else ``warning``.
        file: relative to the current folder where it is inside it, with forward slashes.
        line: of the page, from 1.
        column: of the first letter of that line, from 1.
        end_column: one after its last letter.
        message: one sentence.
    """

    rule: Rule
    severity: str
    file: str
    line: int
    column: int
    end_column: int
    message: str


@dataclass(frozen=True)
class Case:
    """One example through one engine.

    Attributes:
        title: of the example.
        engine: its name.
        line: where the example begins.
        status: match, mismatch, refused or unreadable.
        message: one sentence.
    """

    title: str
    engine: str
    line: int
    status: str
    message: str


@dataclass(frozen=True)
class PageReport:
    """What reports say of a page.

    Attributes:
        file: as in :class:`Problem`.
        operator: such as ``DML_OPERATOR_TILE``; empty where the page names none.
        outcome: what it adds to the exit code.
        cases: its examples.
        problems: by line.
    """

    file: str
    operator: str
    outcome: Outcome
    cases: tuple[Case, ...]
    problems: tuple[Problem, ...]


def page_report(report: Report, outcome: Outcome, text: str, *, strict: bool) -> PageReport:
    """What reports say of a page.

    Args:
        report: of the page.
        outcome: of the same.
        text: the page as its file has it, for columns.
        strict: whether remarks fail the run.
    """
    document = report.document
    file = relative(document.name)
    lines = text.splitlines()
    found = []
    for rule, line, message in _found(report, outcome):
        severity = ERROR if rule.example or strict else WARNING
        at = max(1, line)
        row = lines[at - 1] if at <= len(lines) else ""
        first = len(row) - len(row.lstrip()) + 1
        found.append(Problem(rule, severity, file, at, first, len(row) + 1, message))
    cases = (
        Case(v.example.title, v.engine, v.example.line, v.status, v.message)
        for v in report.verdicts
    )
    ordered = sorted(found, key=lambda problem: (problem.line, problem.rule.code))
    return PageReport(file, document.operator_type, outcome, tuple(cases), tuple(ordered))


def relative(name: str) -> str:
    """A file's name relative to the current folder where it is inside it, with forward slashes."""
    path = Path(name)
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except (OSError, ValueError):
        return path.as_posix()


def _found(report: Report, outcome: Outcome) -> Iterator[tuple[Rule, int, str]]:
    document = report.document
    if document.problem and outcome.code is not None:
        yield PAGE, 1, document.problem
    for verdict in report.verdicts:
        if verdict.status != MATCH:
            yield _rule(verdict), verdict.line, verdict.message
    for finding in sorted(set(document.all_findings) - _told(document, report.verdicts)):
        yield rule_named(finding.rule), finding.line, finding.message
    for said in document.statements:
        if not said.agrees:
            yield STATEMENT, said.line, said.message


def _told(document: Document, verdicts: Sequence[Verdict]) -> set[object]:
    """The findings that are already told as an example's failure."""
    failed = {id(verdict.example) for verdict in verdicts if verdict.status != MATCH}
    told: set[object] = {e.unreadable for e in document.examples}
    return told | {
        finding
        for example in document.examples
        if id(example) in failed
        for finding in example.contradictions[:1]
    }


def _rule(verdict: Verdict) -> Rule:
    return {MISMATCH: OUTPUT_DIFFERS, REFUSED_STATUS: REFUSED}.get(verdict.status, UNREADABLE)
