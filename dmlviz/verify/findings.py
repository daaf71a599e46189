"""What can be wrong with a page: where, and of which kind, by codes that stay."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _


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
        return at_line(self.line, self.message) if self.line else self.message


def at_line(line: int, message: str) -> str:
    """A sentence with the line of the page that it is about.

    >>> at_line(3, "a comma is missing.")
    'line 3: a comma is missing.'
    """
    return _("line {line}: {message}").format(line=line, message=message)


def without_line(line: int, message: str) -> str:
    """The sentence of :func:`at_line` alone, where the line stands beside it anyway."""
    return message.removeprefix(at_line(line, ""))


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


@dataclass(frozen=True)
class Rule:
    """One kind of problem.

    Attributes:
        code: such as ``DOC101``; it never changes its meaning.
        name: a few words with hyphens, such as ``output-differs``.
        summary: gives one sentence for people.
        example: whether it is about an example's own result; all others are remarks, which do not
            fail a run unless that is strict.
    """

    code: str
    name: str
    summary: Callable[[], str]
    example: bool = False

    def __reduce__(self) -> tuple[Callable[[str], Rule], tuple[str]]:
        # another process has the same rules, and functions without a name cannot be sent
        return rule_named, (self.name,)


OUTPUT_DIFFERS = Rule(
    "DOC101",
    "output-differs",
    lambda: _("The output on the page is not what the engine computes."),
    example=True,
)
REFUSED = Rule(
    "DOC102",
    "example-refused",
    lambda: _("The operator or the engine refuses the example."),
    example=True,
)
UNREADABLE = Rule(
    "DOC103",
    "example-unreadable",
    lambda: _("The example cannot be read."),
    example=True,
)
PAGE = Rule(
    "DOC104",
    "page-unreadable",
    lambda: _("The page cannot be read, or has no example."),
    example=True,
)
STATEMENT = Rule(
    "DOC201",
    "wrong-formula",
    lambda: _("A formula for sizes does not hold."),
)
REMARK = Rule(
    "DOC300",
    "remark",
    lambda: _("Something on the page was corrected or contradicts itself."),
)
OF_FINDINGS = (
    Rule("DOC301", "tensor-text", lambda: _("The text of a tensor is incomplete or irregular.")),
    Rule("DOC302", "tensor-name", lambda: _("A tensor's name is missing, repeated or wrong.")),
    Rule("DOC303", "parameter", lambda: _("A parameter is missing, repeated or misspelled.")),
    Rule("DOC304", "contradiction", lambda: _("The page says two different things.")),
    Rule("DOC305", "structure", lambda: _("The structure is not the one in DirectML.h.")),
    Rule("DOC306", "feature-levels", lambda: _("A feature-level table is wrong.")),
    Rule("DOC307", "other-form", lambda: _("The page is about another form of the operator.")),
    Rule("DOC308", "reference", lambda: _("A heading or a reference names something else.")),
)
RULES = (OUTPUT_DIFFERS, REFUSED, UNREADABLE, PAGE, STATEMENT, REMARK, *OF_FINDINGS)
"""Every rule, by code."""

_NAMED = {rule.name: rule for rule in RULES}


def rule_named(name: str) -> Rule:
    """The rule of a finding; :data:`REMARK` where it names none."""
    return _NAMED.get(name, REMARK)
