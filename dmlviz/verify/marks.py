"""What is said of a page, at its lines: problems, and what holds, is skipped or was not checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dmlviz.verify.examples import PageExample
from dmlviz.verify.findings import Rule
from dmlviz.verify.page import ERROR, WARNING, PageReport
from dmlviz.verify.report import Report
from dmlviz.verify.verifier import MATCH, SKIPPED, Verdict
from dmlviz.words import _

GOOD, SKIP, UNCHECKED = "good", "skip", "unchecked"


@dataclass(frozen=True)
class Mark:
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


def marks(report: Report, page: PageReport) -> tuple[Mark, ...]:
    """Every remark, by line; engines that say the same share one.

    Args:
        report: of the page.
        page: what reports say of it.
    """
    found = dict.fromkeys([*_problems(report, page), *_others(report, page)])
    return tuple(sorted(found, key=lambda mark: (mark.line, not mark.is_problem)))


def extent(example: PageExample) -> range:
    """The lines of an example, from its first parameter or tensor to its last value."""
    lines = [example.line, *example.places.values(), *(b.line for b in example.blocks.values())]
    lines += [max(values) for values in example.lines.values() if values]
    return range(min(lines), max(lines) + 1)


def _problems(report: Report, page: PageReport) -> Iterator[Mark]:
    examples = report.document.examples
    numbers = {id(example): n for n, example in enumerate(examples)}
    failed = {(v.line, v.message): numbers[id(v.example)] for v in report.verdicts}
    extents = [extent(example) for example in examples]
    for problem in page.problems:
        within = (n for n, lines in enumerate(extents) if problem.line in lines)
        yield Mark(
            problem.line,
            problem.column,
            problem.end_column,
            problem.severity,
            problem.rule,
            _without_line(problem.line, problem.message),
            failed.get((problem.line, problem.message), next(within, -1)),
        )


def _others(report: Report, page: PageReport) -> Iterator[Mark]:
    by_example: dict[int, list[Verdict]] = {}
    for verdict in report.verdicts:
        by_example.setdefault(id(verdict.example), []).append(verdict)
    for number, example in enumerate(report.document.examples):
        found = by_example.get(id(example), [])
        for status, kind in ((MATCH, GOOD), (SKIPPED, SKIP)):
            if found and all(verdict.status == status for verdict in found):
                told = _("{title}: {message}").format(title=example.title, message=found[0].message)
                yield Mark(example.line, 0, 0, kind, None, told, number)
    for said in report.document.statements:
        if said.agrees:
            yield Mark(said.line, 0, 0, GOOD, None, said.message)
    for message, lines in (
        (_("This feature-level table was not checked."), page.tally.tables.unchecked),
        (_("This formula was not checked."), page.tally.formulas.unchecked),
        (_("This sentence was not checked."), page.tally.introductions.unchecked),
    ):
        for line in lines:
            yield Mark(line, 0, 0, UNCHECKED, None, message)


def _without_line(line: int, message: str) -> str:
    """The message without the line that stands beside it anyway."""
    return message.removeprefix(_("line {line}: {message}").format(line=line, message=""))
