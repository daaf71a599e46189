"""The report as one HTML file that needs no network: results, pictures, and movements to play."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, groupby
from pathlib import Path
from typing import Any

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.templates import render, trusted
from dmlviz.base.words import _, language, ngettext
from dmlviz.engines.trace import run
from dmlviz.picture.coloring import value_range
from dmlviz.picture.exports import tensor_svg
from dmlviz.picture.files import page_script, style
from dmlviz.picture.page import json_safe, plotly_element
from dmlviz.picture.payload import payload
from dmlviz.picture.policy import policy, script_hash
from dmlviz.picture.scene import scene
from dmlviz.tensors import data_type_of, one_line, print_sizes
from dmlviz.tensors.types import Array, Tensors
from dmlviz.verify.findings import at_line
from dmlviz.verify.printing import (
    baseline_sentence,
    engine_gives,
    picture_words,
    status_word,
    unchecked_lines,
)
from dmlviz.verify.report import KNOWN, Report
from dmlviz.verify.verifier import (
    MATCH,
    MISMATCH,
    SKIPPED,
    Verdict,
    wrong_elements,
    wrong_numbers,
)

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

_HERE = Path(__file__).resolve().parent
_WIDTH, _LONGEST = 480, 1_000


@dataclass(frozen=True, eq=False)
class ReportExample:
    """One example of a report, without the tensors that are too many to draw.

    Attributes:
        title: the page's.
        line: where it begins.
        results: engine, status (or ``known``) and message of each run.
        drawn: the run that is drawn; None where none can be, or it was left out.
        ran: whether there was one that could have been.
    """

    title: str
    line: int
    results: tuple[tuple[str, str, str], ...]
    drawn: Verdict | None
    ran: bool

    @property
    def fails(self) -> bool:
        """Whether one of its runs does not match, and is not known for it."""
        return any(status not in (MATCH, KNOWN) for _engine, status, _message in self.results)


class ReportPages:
    """The pages of a run, added one after the other.

    Attributes:
        pages: the report on each without its tensors, and its examples.
    """

    def __init__(self) -> None:
        self.pages: list[tuple[Report, tuple[ReportExample, ...]]] = []
        # how many examples that fail, and of others, have tensors here
        self._with_tensors = {True: 0, False: 0}

    def add(self, report: Report) -> None:
        """The next page."""
        self.pages.append((report.without_tensors(), tuple(self._examples(report))))

    @property
    def examples(self) -> list[ReportExample]:
        """Those of all pages."""
        return [example for _report, examples in self.pages for example in examples]

    def drawn(self) -> tuple[list[int], list[int]]:
        """The numbers of examples, through all pages, that have pictures, and movements to play.

        They are in the order of choice: those that fail first.
        """
        examples = self.examples
        pictured: list[int] = []
        played: list[int] = []
        pictures = elements = 0
        for number in sorted(range(len(examples)), key=lambda n: (not examples[n].fails, n)):
            verdict = examples[number].drawn
            if verdict is None:
                continue
            sides = [side for pair in _pairs(verdict) for side in (pair.expected, pair.actual)]
            size = sum(side.size for side in sides)
            if pictures + len(sides) <= PICTURES and elements + size <= PICTURED:
                pictures += len(sides)
                elements += size
                pictured.append(number)
            if len(played) < PLAYERS:
                played.append(number)
        return pictured, played

    def _examples(self, report: Report) -> Iterator[ReportExample]:
        for _key, runs in groupby(report.verdicts, lambda verdict: id(verdict.example)):
            verdicts = list(runs)
            results = tuple((v.engine, report.status(v), v.message) for v in verdicts)
            drawable = sorted(filter(_is_drawable, verdicts), key=lambda v: v.status == MATCH)
            source = verdicts[0].example
            example = ReportExample(source.title, source.line, results, None, bool(drawable))
            # what can never be among those that are drawn is not kept
            if (
                drawable
                and _size(drawable[0]) <= ELEMENTS
                and self._with_tensors[example.fails] < PICTURES
            ):
                self._with_tensors[example.fails] += 1
                example = replace(example, drawn=drawable[0])
            yield example


def html_report(pages: ReportPages, summary: Sequence[str]) -> str:
    """The report.

    Nothing that a page says is markup in it, and its content security policy permits no script
    but the player's. Plotly is in it once, compressed to 2 MB, and only where a movement is.

    Args:
        pages: of the run.
        summary: sentences for its beginning.
    """
    pictured, played = pages.drawn()
    pictures = _drawn(pages, pictured, _pictures, DRAWN)
    movements = _drawn(pages, played, _movement, PLAYED)
    numbers = count()
    # a page about other things has no part in it
    sections = [
        _section(report, [_example(each, next(numbers), pictures, movements) for each in examples])
        for report, examples in pages.pages
        if report.verdicts or report.problems
    ]
    plotly, sources = plotly_element("packed") if movements else ("", "")
    scripts = f"{sources} {script_hash(page_script())}" if movements else "'none'"
    return render(
        _HERE,
        "report.html",
        language=language(),
        policy=policy(scripts),
        title=_("Examples of documentation pages"),
        style=trusted(style() + (_HERE / "report.css").read_text(encoding="utf-8")),
        summary=[*summary, *_left_out(pages, len(pictures), len(movements))],
        contents=_("Pages"),
        sections=sections,
        plotly=trusted(plotly),
        script=trusted(page_script()) if movements else "",
        short=_short,
    )


def _left_out(pages: ReportPages, pictures: int, movements: int) -> list[str]:
    """What ran, and is not drawn because there is too much of it.

    Args:
        pages: of the run.
        pictures, movements: how many examples have them.
    """
    ran = [example for example in pages.examples if example.ran]
    lines = []
    if lacking := len(ran) - pictures:
        message = ngettext(
            "{n} example has no pictures: a report has at most {pictures} pictures with {cells} "
            "elements and {megabytes} MB in all, of examples with at most {most} elements; those "
            "that fail come first.",
            "{n} examples have no pictures: a report has at most {pictures} pictures with {cells} "
            "elements and {megabytes} MB in all, of examples with at most {most} elements; those "
            "that fail come first.",
            lacking,
        )
        lines.append(
            message.format(
                n=f"{lacking:,}",
                pictures=PICTURES,
                cells=f"{PICTURED:,}",
                megabytes=DRAWN // 1_000_000,
                most=f"{ELEMENTS:,}",
            )
        )
    if lacking := len(ran) - movements:
        message = ngettext(
            "{n} example has no movement to play: a report has at most {players} movements, of "
            "{megabytes} MB in all and of examples with at most {most} elements; those that fail "
            "come first.",
            "{n} examples have no movement to play: a report has at most {players} movements, of "
            "{megabytes} MB in all and of examples with at most {most} elements; those that fail "
            "come first.",
            lacking,
        )
        lines.append(
            message.format(
                n=f"{lacking:,}",
                players=PLAYERS,
                megabytes=PLAYED // 1_000_000,
                most=f"{ELEMENTS:,}",
            )
        )
    return lines


def _section(report: Report, examples: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """What the template says of a page."""
    outcome = report.outcome
    result = ngettext(
        "{matching} of {n} example matches", "{matching} of {n} examples match", outcome.examples
    ).format(matching=f"{outcome.matching_examples:,}", n=f"{outcome.examples:,}")
    return {
        "name": report.file or _("page"),
        "operator": report.document.operator_type,
        "result": result,
        "good": not outcome.code,
        "remarks": [
            (
                problem.rule.code,
                baseline_sentence(at_line(problem.line, problem.message))
                if problem.severity == KNOWN
                else at_line(problem.line, problem.message),
            )
            for problem in report.problems
            if not problem.rule.example or not report.verdicts
        ],
        "unchecked": unchecked_lines(report.document.coverage),
        "examples": examples,
    }


def _drawn(
    pages: ReportPages, numbers: Sequence[int], draw: Callable[[Verdict], str], room: int
) -> dict[int, str]:
    """What is drawn of examples by their numbers, as long as all of it fits.

    Args:
        pages: of the run.
        numbers: of the examples, in the order of choice.
        draw: makes the markup of one; empty where it cannot be drawn.
        room: bytes for all of them.
    """
    examples = pages.examples
    drawn: dict[int, str] = {}
    for number in numbers:
        verdict = examples[number].drawn
        markup = draw(verdict) if verdict else ""
        size = len(markup.encode("utf-8", "replace"))
        if 0 < size <= room:
            drawn[number] = markup
            room -= size
    return drawn


def _example(
    example: ReportExample, number: int, pictures: Mapping[int, str], movements: Mapping[int, str]
) -> Mapping[str, Any]:
    """What the template says of an example."""
    good = (MATCH, SKIPPED, KNOWN)
    return {
        "number": number,
        "title": example.title,
        "line": _("line {line}").format(line=example.line),
        "good": all(status in good for _engine, status, _message in example.results),
        "results": [
            (status_word(status), status in good, engine, message)
            for engine, status, message in example.results
        ],
        "drawn": [drawn[number] for drawn in (pictures, movements) if number in drawn],
    }


def _pictures(verdict: Verdict) -> str:
    """Each output as the page has it and as the engine gave it."""
    rows = []
    for pair in _pairs(verdict):
        name = f"{pair.label}: " if len(verdict.outputs) > 1 else ""
        says, gives = name + _("The page says"), name + engine_gives(verdict.engine)
        rows.append(
            (
                _picture(says, pair.expected, pair.actual, pair.wrong[0]),
                _picture(gives, pair.actual, pair.expected, pair.wrong[1]),
            )
        )
    return render(_HERE, "pictures.html", rows=rows, short=_short)


def _picture(title: str, values: Array, other: Array, wrong: Sequence[int]) -> Mapping[str, str]:
    span = value_range(values, other)
    light, dark = (
        _address(tensor_svg(values, "", dark=dark, width=_WIDTH, marked=wrong, span=span))
        for dark in (False, True)
    )
    words = picture_words(title, values, len(wrong))
    about = f"{print_sizes(values.shape)} {data_type_of(values.dtype)}"
    return {"title": title, "sizes": about, "light": light, "dark": dark, "words": words}


def _movement(verdict: Verdict) -> str:
    """A fold whose player starts when it is opened; nothing where it cannot be drawn."""
    example = verdict.example
    assert example.operator is not None
    try:
        trace = run(example.operator, example.inputs, verdict.engine_of_movement)
        sent = payload(scene(trace))
    except Error:
        return ""
    data = trusted(json_safe({**sent, "differing": wrong_numbers(verdict)}))
    summary = _("Watch the elements move")
    return render(_HERE, "movement.html", summary=summary, payload=data)


def _address(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode('ascii')}"


def _short(text: str) -> str:
    return one_line(text, _LONGEST)


@dataclass(frozen=True, eq=False)
class _Pair:
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


def _pairs(verdict: Verdict) -> list[_Pair]:
    """The outputs that both the page and the engine have."""
    expected: Tensors = verdict.example.outputs
    return [
        _Pair(
            label,
            expected[label],
            actual,
            (
                wrong_elements(actual, expected[label]).tolist(),
                wrong_elements(expected[label], actual).tolist(),
            ),
        )
        for label, actual in verdict.outputs.items()
        if label in expected
    ]


def _is_drawable(verdict: Verdict) -> bool:
    return verdict.status in (MATCH, MISMATCH) and bool(verdict.outputs)


def _size(verdict: Verdict) -> int:
    """The elements of an example's inputs and outputs."""
    example = verdict.example
    tensors = (*example.inputs.values(), *example.outputs.values(), *verdict.outputs.values())
    return sum(tensor.size for tensor in tensors)
