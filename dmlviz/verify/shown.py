"""Which examples of a run an HTML report draws: those that fail first, and never too many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from dmlviz.tensors.types import Array
from dmlviz.verify.page import PageReport
from dmlviz.verify.report import Report
from dmlviz.verify.verifier import MATCH, MISMATCH, Verdict, differing_elements

ELEMENTS = 1_024
"""The most elements of an example's inputs and outputs in all that is drawn."""

PLAYERS = 50
"""The most movements of a report."""

PLAYED = 6_000_000
"""The most bytes of all movements of a report."""

PICTURES = 200
"""The most pictures of a report."""

PICTURED = 1 << 15
"""The most elements in all pictures of a report."""

DRAWN = 8_000_000
"""The most bytes of all pictures of a report."""


@dataclass(frozen=True, eq=False)
class Pair:
    """One output: what the page says beside what the engine gave.

    Attributes:
        label: DirectML's name.
        expected: the page's.
        actual: the engine's.
        wrong: flat indices of the elements of each that the other has otherwise.
    """

    label: str
    expected: Array
    actual: Array
    wrong: tuple[Sequence[int], Sequence[int]]


@dataclass(frozen=True, eq=False)
class Shown:
    """One example.

    Attributes:
        title: the page's.
        line: where it begins.
        results: engine, status and message of each run.
        drawn: the run that is drawn; None where none can be, or it was left out.
        ran: whether there was one that could have been.
    """

    title: str
    line: int
    results: tuple[tuple[str, str, str], ...]
    drawn: Verdict | None
    ran: bool


@dataclass(frozen=True)
class Chosen:
    """What is drawn of a report.

    Attributes:
        pictured: numbers of examples, through all pages, in the order of choice.
        played: likewise.
    """

    pictured: tuple[int, ...]
    played: tuple[int, ...]


class Collected:
    """The pages of a run, one after the other, without the tensors that are too many to draw."""

    def __init__(self) -> None:
        self.pages: list[tuple[PageReport, tuple[Shown, ...]]] = []
        self._held = {True: 0, False: 0}

    def add(self, report: Report, page: PageReport) -> None:
        """The next page, and what reports say of it."""
        self.pages.append((page, tuple(self._examples(report))))

    def chosen(self) -> Chosen:
        """What is drawn: examples that fail first, then in order."""
        examples = [example for _page, examples in self.pages for example in examples]
        pictured: list[int] = []
        played: list[int] = []
        pictures = elements = 0
        for number in sorted(range(len(examples)), key=lambda n: (not _fails(examples[n]), n)):
            verdict = examples[number].drawn
            if verdict is None:
                continue
            sides = [side for pair in pairs(verdict) for side in (pair.expected, pair.actual)]
            size = sum(side.size for side in sides)
            if pictures + len(sides) <= PICTURES and elements + size <= PICTURED:
                pictures += len(sides)
                elements += size
                pictured.append(number)
            if len(played) < PLAYERS:
                played.append(number)
        return Chosen(tuple(pictured), tuple(played))

    def _examples(self, report: Report) -> Iterator[Shown]:
        for _key, runs in groupby(report.verdicts, lambda verdict: id(verdict.example)):
            verdicts = list(runs)
            results = tuple((v.engine, v.status, v.message) for v in verdicts)
            could = sorted(filter(_could, verdicts), key=lambda v: v.status == MATCH)
            example = verdicts[0].example
            shown = Shown(example.title, example.line, results, None, bool(could))
            fails = _fails(shown)
            # what can never be among those that are drawn is not kept
            if could and _size(could[0]) <= ELEMENTS and self._held[fails] < PICTURES:
                self._held[fails] += 1
                shown = replace(shown, drawn=could[0])
            yield shown


def pairs(verdict: Verdict) -> list[Pair]:
    """The outputs that both the page and the engine have."""
    expected: Mapping[str, Array] = verdict.example.outputs
    return [
        Pair(
            label,
            expected[label],
            actual,
            (
                differing_elements(actual, expected[label]).tolist(),
                differing_elements(expected[label], actual).tolist(),
            ),
        )
        for label, actual in verdict.outputs.items()
        if label in expected
    ]


def differing(verdict: Verdict) -> list[int]:
    """The numbers, through all outputs, of elements that the page has otherwise."""
    found: list[int] = []
    before = 0
    for label, actual in verdict.outputs.items():
        expected = verdict.example.outputs.get(label, actual)
        found += [before + n for n in differing_elements(expected, actual).tolist()]
        before += actual.size
    return found


def _could(verdict: Verdict) -> bool:
    return verdict.status in (MATCH, MISMATCH) and bool(verdict.outputs)


def _size(verdict: Verdict) -> int:
    example = verdict.example
    given = (*example.inputs.values(), *example.outputs.values(), *verdict.outputs.values())
    return sum(tensor.size for tensor in given)


def _fails(example: Shown) -> bool:
    return any(status != MATCH for _engine, status, _message in example.results)
