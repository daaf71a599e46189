"""One page's examples and problems, without its tensors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from dmlviz.verify.findings import (
    OUTPUT_DIFFERS,
    PAGE,
    REFUSED,
    STATEMENT,
    UNREADABLE,
    Finding,
    Rule,
    rule_named,
)
from dmlviz.verify.options import Options
from dmlviz.verify.reader import Document, Tally
from dmlviz.verify.report import Report
from dmlviz.verify.text import with_newlines
from dmlviz.verify.verifier import MATCH, MISMATCH, SKIPPED, Verdict
from dmlviz.verify.verifier import REFUSED as REFUSED_STATUS

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
        status: match, mismatch, refused, unreadable or skipped.
        message: one sentence.
    """

    title: str
    engine: str
    line: int
    status: str
    message: str


@dataclass(frozen=True)
class Outcome:
    """What a page adds to the end of a run.

    Attributes:
        code: 0 where every example matches, 1 where some differ or are refused, 2 where one, or
            the page, cannot be read; None where the page does not count.
        runs: how many examples ran, each engine for itself.
        matching: how many of them match.
        remarks: findings and wrong statements beside the examples' own failures.
        skipped: how many examples the page itself leaves out.
    """

    code: int | None
    runs: int
    matching: int
    remarks: int
    skipped: int = 0


@dataclass(frozen=True)
class PageReport:
    """What reports say of a page.

    Attributes:
        file: as in :class:`Problem`.
        operator: such as ``DML_OPERATOR_TILE``; empty where the page names none.
        outcome: what it adds to the exit code.
        cases: its examples.
        problems: by line.
        tally: how much of the page was checked.
    """

    file: str
    operator: str
    outcome: Outcome
    cases: tuple[Case, ...]
    problems: tuple[Problem, ...]
    tally: Tally = field(default_factory=Tally)


def page_report(
    report: Report, text: str, asked: Sequence[str] = (), *, strict: bool = False
) -> PageReport:
    """What reports say of a page.

    Args:
        report: of the page.
        text: the page as its file has it, for columns.
        asked: names of pages that were asked for one by one: each of them has to hold an
            example, while a folder may hold pages about other things.
        strict: whether remarks fail the run.
    """
    document = report.document
    file = relative(document.name)
    lines = with_newlines(text).split("\n")
    found = []
    for rule, line, message in _found(report, asked):
        severity = ERROR if rule.example or strict else WARNING
        at = max(1, line)
        row = lines[at - 1] if at <= len(lines) else ""
        first = len(row) - len(row.lstrip()) + 1
        found.append(Problem(rule, severity, file, at, first, len(row) + 1, message))
    cases = tuple(
        Case(v.example.title, v.engine, v.example.line, v.status, v.message)
        for v in report.verdicts
    )
    ordered = sorted(found, key=lambda problem: (problem.line, problem.rule.code))
    page = PageReport(
        file, document.operator_type, Outcome(None, 0, 0, 0), cases, (), document.tally
    )
    return with_problems(page, tuple(ordered))


def with_problems(page: PageReport, problems: tuple[Problem, ...]) -> PageReport:
    """The page with these problems, and the outcome that they make."""
    rules = {problem.rule for problem in problems}
    code: int | None = 0 if page.cases else None
    if rules & {PAGE, UNREADABLE}:
        code = 2
    elif any(problem.severity == ERROR for problem in problems):
        code = 1
    matching = sum(case.status == MATCH for case in page.cases)
    remarks = sum(not problem.rule.example for problem in problems)
    skipped = sum(case.status == SKIPPED for case in page.cases)
    found = Outcome(code, len(page.cases) - skipped, matching, remarks, skipped)
    return replace(page, outcome=found, problems=problems)


def worst(outcomes: Iterable[Outcome], nothing: int = 2) -> int:
    """The exit code of several pages; ``nothing`` where none of them counts."""
    return max((found.code for found in outcomes if found.code is not None), default=nothing)


def without_ignored(document: Document, options: Options) -> Document:
    """The page without the remarks that are not to be reported."""
    if not options.ignore:
        return document

    def left(findings: Iterable[Finding]) -> tuple[Finding, ...]:
        return tuple(f for f in findings if not options.ignores(rule_named(f.rule).code))

    return replace(
        document,
        findings=left(document.findings),
        examples=tuple(replace(e, findings=left(e.findings)) for e in document.examples),
        statements=() if options.ignores(STATEMENT.code) else document.statements,
    )


def relative(name: str | Path) -> str:
    """A file's name relative to the current folder where it is inside it, with forward slashes."""
    path = Path(name)
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    # before Python 3.13, a link that leads to itself is a RuntimeError
    except (OSError, ValueError, RuntimeError):
        return path.as_posix()


def _found(report: Report, asked: Sequence[str]) -> Iterator[tuple[Rule, int, str]]:
    document = report.document
    missed = not report.verdicts and document.name in asked
    if document.unreadable or document.lacks_examples or missed:
        yield PAGE, 1, document.problem
    for verdict in report.verdicts:
        if verdict.status not in (MATCH, SKIPPED):
            yield _rule(verdict), verdict.line, verdict.message
    told = _told(document, report.verdicts)
    for finding in document.all_findings:
        if finding not in told:
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
