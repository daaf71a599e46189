"""What the reader put right or could not put right, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from dmlviz.words import _


@dataclass(frozen=True, order=True)
class Finding:
    """One remark about a page.

    Attributes:
        line: of the page, from 1; 0 where it is about the whole page.
        message: one sentence.
        rule: the name of the kind, as :data:`dmlviz.verify.RULES` have it.
    """

    line: int
    message: str
    rule: str = field(default="remark", compare=False)

    def __str__(self) -> str:
        if not self.line:
            return self.message
        return _("line {line}: {message}").format(line=self.line, message=self.message)


def print_lines(lines: Iterable[int]) -> str:
    """Lines as people write them.

    >>> print_lines([3, 4, 5, 9])
    '3-5, 9'
    """
    runs: list[list[int]] = []
    for line in sorted(set(lines)):
        if runs and line == runs[-1][1] + 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


class Unreadable(Exception):
    """An example that cannot be read; the finding says where and why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding
