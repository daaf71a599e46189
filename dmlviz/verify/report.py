"""What became of a page: verdicts, problems, and what is said at its lines."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.verify.examples import PageExample
from dmlviz.verify.findings import (
    OUTPUT_DIFFERS,
    PAGE,
    REFUSED,
    STATEMENT,
    UNREADABLE,
    Finding,
    Rule,
    rule_named,
    without_line,
)
from dmlviz.verify.options import Options
from dmlviz.verify.reader import Document
from dmlviz.verify.text import with_newlines
from dmlviz.verify.verifier import MATCH, MISMATCH, SKIPPED, Verdict, verify
from dmlviz.verify.verifier import REFUSED as REFUSED_STATUS

ERROR, WARNING, KNOWN = "error", "warning", "known"
GOOD, SKIP, UNCHECKED = "good", "skip", "unchecked"


@dataclass(frozen=True)
class PageProblem:
    """Something wrong, and where.

    Attributes:
        rule: the kind.
        severity: ``error`` where it fails the run, ``known`` where the baseline has it, else
            ``warning``.
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
class Outcome:
    """What a page adds to the end of a run.

    Attributes:
        code: 0 where every example matches, 1 where some differ or are refused, 2 where one, or
            the page, cannot be read; None where the page does not count.
        runs: how many examples ran, each engine for itself.
        matching: how many of these runs match.
        remarks: findings and wrong statements beside the examples' own failures; not known ones.
        skipped: how many examples the page itself leaves out.
        examples: how many examples ran, on however many engines.
        matching_examples: how many of them match on every engine.
        in_baseline: how many problems the baseline has: they are listed and do not count.
    """

    code: int | None
    runs: int
    matching: int
    remarks: int
    skipped: int = 0
    examples: int = 0
    matching_examples: int = 0
    in_baseline: int = 0


@dataclass(frozen=True, eq=False)
class Report:
    """A page and what became of it.

    Attributes:
        document: the page.
        verdicts: of each example on each engine.
        problems: by line.
    """

    document: Document
    verdicts: tuple[Verdict, ...]
    problems: tuple[PageProblem, ...]

    @property
    def file(self) -> str:
        """The page's file, as in :class:`PageProblem`."""
        return relative(self.document.name)

    @property
    def outcome(self) -> Outcome:
        """What the page adds to the end of a run."""
        new = [problem for problem in self.problems if problem.severity != KNOWN]
        rules = {problem.rule for problem in new}
        code: int | None = 0 if self.verdicts else None
        if rules & {PAGE, UNREADABLE}:
            code = 2
        elif any(problem.severity == ERROR for problem in new):
            code = 1
        matching = sum(verdict.status == MATCH for verdict in self.verdicts)
        remarks = sum(not problem.rule.example for problem in new)
        skipped = sum(verdict.status == SKIPPED for verdict in self.verdicts)
        runs: dict[tuple[str, int], list[bool]] = {}
        for verdict in self.verdicts:
            if verdict.status != SKIPPED:
                key = verdict.example.title, verdict.example.line
                runs.setdefault(key, []).append(verdict.status == MATCH)
        counts = len(self.verdicts) - skipped, matching, remarks, skipped
        in_baseline = len(self.problems) - len(new)
        return Outcome(code, *counts, len(runs), sum(map(all, runs.values())), in_baseline)

    def status(self, verdict: Verdict) -> str:
        """A verdict's status; ``known`` where its problem is in the baseline."""
        return KNOWN if self.in_baseline(verdict.line, verdict.message) else verdict.status

    def in_baseline(self, line: int, message: str) -> bool:
        """Whether the baseline has all that this sentence says at this line."""
        return _place(line, message) in self._baseline_places

    @cached_property
    def _baseline_places(self) -> frozenset[tuple[int, str]]:
        places: dict[str, set[tuple[int, str]]] = {KNOWN: set(), ERROR: set(), WARNING: set()}
        for problem in self.problems:
            places[problem.severity].add(_place(problem.line, problem.message))
        return frozenset(places[KNOWN] - places[ERROR] - places[WARNING])

    def without_tensors(self) -> Report:
        """The same for the reports of a run: what names, counts and problems need of it.

        A run may have thousands of pages, and processes send them to each other.
        """
        verdicts = (
            Verdict(
                PageExample(v.example.title, v.example.line),
                v.engine,
                v.status,
                v.message,
                line=v.line,
            )
            for v in self.verdicts
        )
        document = replace(
            self.document, examples=(), findings=(), statements=(), support=(), unchecked=()
        )
        return Report(document, tuple(verdicts), self.problems)


def check(
    document: Document,
    text: str,
    engine_names: Sequence[str] = ("numpy",),
    *,
    options: Options | None = None,
    required: Sequence[str] = (),
    baseline: frozenset[str] = frozenset(),
) -> Report:
    """Run a page's examples, and report on it.

    Args:
        document: the page.
        text: the page as its file has it, for columns.
        engine_names: engines that are available here; see :func:`dmlviz.verify.verify`.
        options: what is ignored, and whether remarks fail the run; None for neither.
        required: names of pages each of which has to hold an example, while a folder may hold
            pages about other things.
        baseline: fingerprints of known problems, which are reported as such and do not count.

    Raises:
        EngineUnavailable: there is no such engine, or it cannot run here.
    """
    options = options or Options()
    document = _without_ignored(document, options)
    verdicts = verify(document, engine_names)
    lines = with_newlines(text).split("\n")
    file = relative(document.name)
    problems = []
    for rule, line, message in _problems(document, verdicts, required):
        severity = ERROR if rule.example or options.strict else WARNING
        at = max(1, line)
        row = lines[at - 1] if at <= len(lines) else ""
        first = len(row) - len(row.lstrip()) + 1
        problems.append(PageProblem(rule, severity, file, at, first, len(row) + 1, message))
    problems.sort(key=lambda problem: (problem.line, problem.rule.code))
    if baseline:
        problems = [
            replace(problem, severity=KNOWN) if key in baseline else problem
            for problem, key in fingerprints(problems)
        ]
    return Report(document, verdicts, tuple(problems))


def fingerprints(problems: Sequence[PageProblem]) -> list[tuple[PageProblem, str]]:
    """Each problem of a page with a text that stays the same when lines before it come or go."""
    counts: Counter[str] = Counter()
    pairs = []
    for problem in problems:
        message = re.sub("[0-9]+", "0", problem.message)
        kind = f"{problem.file}\n{problem.rule.code}\n{message}"
        counts[kind] += 1
        text = hashlib.sha256(f"{kind}\n{counts[kind]}".encode()).hexdigest()
        pairs.append((problem, text))
    return pairs


def _place(line: int, message: str) -> tuple[int, str]:
    """What a problem, and the verdict or the finding that it was made of, have in common."""
    return max(1, line), without_line(line, message)


def worst(outcomes: Iterable[Outcome], nothing: int = 2) -> int:
    """The exit code of several pages; ``nothing`` where none of them counts."""
    codes = (outcome.code for outcome in outcomes)
    return max((code for code in codes if code is not None), default=nothing)


def relative(name: str | Path) -> str:
    """A file's name relative to the current folder where it is inside it, with forward slashes."""
    path = Path(name)
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    # before Python 3.13, a link that leads to itself is a RuntimeError
    except (OSError, ValueError, RuntimeError):
        return path.as_posix()


def _without_ignored(document: Document, options: Options) -> Document:
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


def _problems(
    document: Document, verdicts: Sequence[Verdict], required: Sequence[str]
) -> Iterator[tuple[Rule, int, str]]:
    """Rule, line and message of each problem."""
    lacks_required = not verdicts and document.name in required
    if document.unreadable or document.lacks_examples or lacks_required:
        yield PAGE, 1, document.problem
    for verdict in verdicts:
        if verdict.status not in (MATCH, SKIPPED):
            yield _rule(verdict), verdict.line, verdict.message
    failures = _failures(document, verdicts)
    for finding in document.all_findings:
        if finding not in failures:
            yield rule_named(finding.rule), finding.line, finding.message
    for statement in document.statements:
        if not statement.agrees:
            yield STATEMENT, statement.line, statement.message


def _failures(document: Document, verdicts: Sequence[Verdict]) -> set[object]:
    """The findings that are reported as an example's failure already."""
    failed = {id(verdict.example) for verdict in verdicts if verdict.status != MATCH}
    failures: set[object] = {example.unreadable for example in document.examples}
    return failures | {
        finding
        for example in document.examples
        if id(example) in failed
        for finding in example.contradictions[:1]
    }


def _rule(verdict: Verdict) -> Rule:
    return {MISMATCH: OUTPUT_DIFFERS, REFUSED_STATUS: REFUSED}.get(verdict.status, UNREADABLE)


@dataclass(frozen=True)
class PageMark:
    """One remark at a line.

    Attributes:
        line: of the page, from 1.
        column: of the first letter that is marked, from 1; 0 where none is.
        end_column: one after the last letter that is marked.
        kind: ``error``, ``warning``, ``good``, ``skip`` or ``unchecked``.
        rule: of a problem; None for the other kinds.
        message: one sentence, without the line.
        example: the number of the example that it belongs to, from 0; -1 where there is none.
    """

    line: int
    column: int
    end_column: int
    kind: str
    rule: Rule | None
    message: str
    example: int = -1

    @property
    def is_problem(self) -> bool:
        """Whether it is an error or a warning."""
        return self.kind in (ERROR, WARNING)


def marks(report: Report) -> tuple[PageMark, ...]:
    """Every remark about a page, by line; engines that say the same share one."""
    distinct = dict.fromkeys([*_problem_marks(report), *_other_marks(report)])
    return tuple(sorted(distinct, key=lambda mark: (mark.line, not mark.is_problem)))


def extent(example: PageExample) -> range:
    """The lines of an example, from its first parameter or tensor to its last value."""
    lines = [example.line, *example.places.values(), *(b.line for b in example.blocks.values())]
    lines += [max(values) for values in example.lines.values() if values]
    return range(min(lines), max(lines) + 1)


def _problem_marks(report: Report) -> Iterator[PageMark]:
    examples = report.document.examples
    numbers = {id(example): n for n, example in enumerate(examples)}
    failed = {(v.line, v.message): numbers[id(v.example)] for v in report.verdicts}
    extents = [extent(example) for example in examples]
    for problem in report.problems:
        within = (n for n, lines in enumerate(extents) if problem.line in lines)
        yield PageMark(
            problem.line,
            problem.column,
            problem.end_column,
            problem.severity,
            problem.rule,
            without_line(problem.line, problem.message),
            failed.get((problem.line, problem.message), next(within, -1)),
        )


def _other_marks(report: Report) -> Iterator[PageMark]:
    by_example: dict[int, list[Verdict]] = {}
    for verdict in report.verdicts:
        by_example.setdefault(id(verdict.example), []).append(verdict)
    for number, example in enumerate(report.document.examples):
        verdicts = by_example.get(id(example), [])
        for status, kind in ((MATCH, GOOD), (SKIPPED, SKIP)):
            if verdicts and all(verdict.status == status for verdict in verdicts):
                message = _("{title}: {message}").format(
                    title=example.title, message=verdicts[0].message
                )
                yield PageMark(example.line, 0, 0, kind, None, message, number)
    for statement in report.document.statements:
        if statement.agrees:
            yield PageMark(statement.line, 0, 0, GOOD, None, statement.message)
    for message, lines in (
        (_("This feature-level table was not checked."), report.document.coverage.tables.unchecked),
        (_("This formula was not checked."), report.document.coverage.formulas.unchecked),
        (_("This sentence was not checked."), report.document.coverage.introductions.unchecked),
    ):
        for line in lines:
            yield PageMark(line, 0, 0, UNCHECKED, None, message)
    for finding in report.document.unchecked:
        yield PageMark(finding.line, 0, 0, UNCHECKED, None, finding.message)
