"""The report as one HTML file that needs no network: results, pictures, and movements to play."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from dmlviz.engines import ENGINES
from dmlviz.errors import Error
from dmlviz.exports import tensor_svg
from dmlviz.player.files import page_script, style
from dmlviz.player.page import json_safe, plotly_element
from dmlviz.player.payload import payload
from dmlviz.player.policy import policy, script_hash
from dmlviz.scene import scene
from dmlviz.templates import render, trusted
from dmlviz.tensors import data_type_of, one_line, print_sizes
from dmlviz.tensors.types import Array
from dmlviz.trace import run
from dmlviz.verify.page import PageReport
from dmlviz.verify.report import status_word, unchecked_lines
from dmlviz.verify.shown import (
    DRAWN,
    ELEMENTS,
    PICTURED,
    PICTURES,
    PLAYED,
    PLAYERS,
    Collected,
    Shown,
    differing,
    pairs,
)
from dmlviz.verify.verifier import MATCH, RECORDED, SKIPPED, Verdict
from dmlviz.words import _, language, ngettext

_HERE = Path(__file__).resolve().parent
_WIDTH, _LONGEST = 480, 1_000


def html_report(collected: Collected, summary: Sequence[str]) -> str:
    """The report.

    Nothing that a page says is markup in it, and its content security policy permits no script
    but the player's. Plotly is in it once, compressed to 2 MB, and only where a movement is.

    Args:
        collected: the pages of the run.
        summary: sentences for its beginning.
    """
    chosen = collected.chosen()
    pictures = _drawn(collected, chosen.pictured, _pictures, DRAWN)
    movements = _drawn(collected, chosen.played, _movement, PLAYED)
    numbers = count()
    # a page about other things has no part in it
    sections = [
        _section(page, [_example(each, next(numbers), pictures, movements) for each in examples])
        for page, examples in collected.pages
        if page.cases or page.problems
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
        summary=[*summary, *_left_out(collected, len(pictures), len(movements))],
        contents=_("Pages"),
        sections=sections,
        plotly=trusted(plotly),
        script=trusted(page_script()) if movements else "",
        short=_short,
    )


def _left_out(collected: Collected, pictures: int, movements: int) -> list[str]:
    """What ran, and is not drawn because there is too much of it.

    Args:
        collected: the pages of the run.
        pictures, movements: how many examples have them.
    """
    ran = [e for _page, examples in collected.pages for e in examples if e.ran]
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


def _section(page: PageReport, examples: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """What the template says of a page."""
    outcome = page.outcome
    result = ngettext(
        "{matching} of {n} run matches", "{matching} of {n} runs match", outcome.runs
    ).format(matching=f"{outcome.matching:,}", n=f"{outcome.runs:,}")
    return {
        "name": page.file or _("page"),
        "operator": page.operator,
        "result": result,
        "good": not outcome.code,
        "remarks": [
            (
                problem.rule.code,
                _("line {line}: {message}").format(line=problem.line, message=problem.message),
            )
            for problem in page.problems
            if not problem.rule.example or not page.cases
        ],
        "unchecked": unchecked_lines(page.tally),
        "examples": examples,
    }


def _drawn(
    collected: Collected, numbers: Sequence[int], draw: Callable[[Verdict], str], room: int
) -> dict[int, str]:
    """What is drawn of examples by their numbers, as long as all of it fits.

    Args:
        collected: the pages of the run.
        numbers: of the examples, in the order of choice.
        draw: makes the markup of one; empty where it cannot be drawn.
        room: bytes for all of them.
    """
    examples = [example for _page, every in collected.pages for example in every]
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
    example: Shown, number: int, pictures: Mapping[int, str], movements: Mapping[int, str]
) -> Mapping[str, Any]:
    """What the template says of an example."""
    good = (MATCH, SKIPPED)
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
    for pair in pairs(verdict):
        name = f"{pair.label}: " if len(verdict.outputs) > 1 else ""
        says, gives = name + _("The page says"), name + _gives(verdict.engine)
        rows.append(
            (
                _picture(says, pair.expected, pair.actual, pair.wrong[0]),
                _picture(gives, pair.actual, pair.expected, pair.wrong[1]),
            )
        )
    return render(_HERE, "pictures.html", rows=rows, short=_short)


def _picture(title: str, values: Array, other: Array, wrong: Sequence[int]) -> Mapping[str, str]:
    light, dark = (
        _address(tensor_svg(values, "", dark=dark, width=_WIDTH, marked=wrong, beside=other))
        for dark in (False, True)
    )
    sizes = print_sizes(values.shape)
    words = _("{title}: a tensor of sizes {sizes}, {marked} cells marked as different.").format(
        title=title, sizes=sizes, marked=len(wrong)
    )
    about = f"{sizes} {data_type_of(values.dtype)}"
    return {"title": title, "sizes": about, "light": light, "dark": dark, "words": words}


def _movement(verdict: Verdict) -> str:
    """A fold whose player starts when it is opened; nothing where it cannot be drawn."""
    example = verdict.example
    assert example.operator is not None
    try:
        # a recorded answer did not run here
        engine = "numpy" if verdict.engine == RECORDED else verdict.engine
        sent = payload(scene(run(example.operator, example.inputs, engine)))
    except Error:
        return ""
    data = trusted(json_safe({**sent, "differing": differing(verdict)}))
    summary = _("Watch the elements move")
    return render(_HERE, "movement.html", summary=summary, payload=data)


def _gives(engine: str) -> str:
    if engine == RECORDED:
        return _("DirectML, recorded, gives")
    return _("{engine} gives").format(engine=ENGINES[engine].status().title)


def _address(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode('ascii')}"


def _short(text: str) -> str:
    return one_line(text, _LONGEST)
