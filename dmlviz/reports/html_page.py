"""The report as one HTML file that needs no network: results, pictures, and movements to play."""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from dmlviz.documents import RECORDED, Verdict
from dmlviz.documents.report import status_word, unchecked_lines
from dmlviz.documents.verifier import MATCH, SKIPPED
from dmlviz.engines import ENGINES
from dmlviz.errors import Error
from dmlviz.exports import tensor_svg
from dmlviz.player.files import page_script, style
from dmlviz.player.page import json_safe, plotly_element
from dmlviz.player.payload import payload
from dmlviz.player.policy import policy, script_hash
from dmlviz.reports.page import PageReport, Problem
from dmlviz.reports.shown import (
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
from dmlviz.scene import scene
from dmlviz.tensors import data_type_of, one_line, print_sizes
from dmlviz.trace import run
from dmlviz.words import _, language, ngettext

Array = np.ndarray[Any, Any]

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
    entries: list[str] = []
    sections: list[str] = []
    for page, examples in collected.pages:
        # a page about other things has no part in it
        if not page.cases and not page.problems:
            continue
        key = f"page-{len(sections) + 1}"
        drawn = [_example(example, next(numbers), pictures, movements) for example in examples]
        entries.append(_entry(page, key))
        sections.append(_section(page, key, drawn))
    plotly, sources = plotly_element("packed") if movements else ("", "")
    scripts = f"{sources} {script_hash(page_script())}" if movements else "'none'"
    return Template(_read("report.html")).substitute(
        language=language(),
        policy=html.escape(policy(scripts), quote=True),
        title=_text(_("Examples of documentation pages")),
        style=style() + _read("report.css"),
        summary="\n".join(
            f"<p>{_text(line)}</p>"
            for line in (*summary, *_left_out(collected, len(pictures), len(movements)))
        ),
        contents=_text(_("Pages")),
        entries="\n".join(entries),
        pages="\n".join(sections),
        plotly=plotly,
        script=f"<script>{page_script()}</script>" if movements else "",
    )


def _left_out(collected: Collected, pictures: int, movements: int) -> list[str]:
    """What ran, and is not drawn because there is too much of it.

    Args:
        collected: the pages of the run.
        pictures, movements: how many examples have them.
    """
    ran = [e for _page, examples in collected.pages for e in examples if e.ran]
    told = []
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
        told.append(
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
        told.append(
            message.format(
                n=f"{lacking:,}",
                players=PLAYERS,
                megabytes=PLAYED // 1_000_000,
                most=f"{ELEMENTS:,}",
            )
        )
    return told


def _entry(page: PageReport, key: str) -> str:
    """A line of the table of contents."""
    return f'<li><a href="#{key}">{_name(page)}</a> {_result(page)}</li>'


def _name(page: PageReport) -> str:
    return _text(page.file or _("page"))


def _section(page: PageReport, key: str, examples: Sequence[str]) -> str:
    remarks = [p for p in page.problems if not p.rule.example or not page.cases]
    listed = "".join(f"<li>{_problem(problem)}</li>" for problem in remarks)
    listed += "".join(f"<li>{_text(line)}</li>" for line in unchecked_lines(page.tally))
    operator = f"<p><code>{_text(page.operator)}</code></p>" if page.operator else ""
    return (
        f'<section id="{key}" aria-labelledby="{key}-title">\n'
        f'<h2 id="{key}-title">{_name(page)}</h2>\n'
        f"{operator}<p>{_result(page)}</p>\n"
        + (f'<ul class="remarks">{listed}</ul>\n' if listed else "")
        + "\n".join(examples)
        + "\n</section>"
    )


def _result(page: PageReport) -> str:
    outcome = page.outcome
    told = ngettext(
        "{matching} of {n} run matches", "{matching} of {n} runs match", outcome.runs
    ).format(matching=f"{outcome.matching:,}", n=f"{outcome.runs:,}")
    return _marked(told, good=not outcome.code)


def _marked(words: str, *, good: bool) -> str:
    """Words with a sign: nobody has to tell colours apart."""
    kind, sign = ("good", "✓") if good else ("bad", "✗")
    return f'<span class="{kind}"><span aria-hidden="true">{sign} </span>{_text(words)}</span>'


def _problem(problem: Problem) -> str:
    told = _("line {line}: {message}").format(line=problem.line, message=problem.message)
    return f"<code>{problem.rule.code}</code> {_text(told)}"


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
) -> str:
    wrong = any(status not in (MATCH, SKIPPED) for _engine, status, _message in example.results)
    line = _text(_("line {line}").format(line=example.line))
    lines = [
        f'<article{" class=wrong" if wrong else ""} aria-labelledby="example-{number}">',
        f'<h3 id="example-{number}">{_text(example.title)} <small>{line}</small></h3>',
    ]
    for engine, status, message in example.results:
        told = _marked(status_word(status), good=status in (MATCH, SKIPPED))
        lines.append(f"<p>{told} <small>{_text(engine)}</small> {_text(message)}</p>")
    lines += [drawn[number] for drawn in (pictures, movements) if number in drawn]
    return "\n".join([*lines, "</article>"])


def _pictures(verdict: Verdict) -> str:
    """Each output as the page has it and as the engine gave it."""
    found = []
    for pair in pairs(verdict):
        name = f"{pair.label}: " if len(verdict.outputs) > 1 else ""
        says, gives = name + _("The page says"), name + _gives(verdict.engine)
        left = _picture(says, pair.expected, pair.actual, pair.wrong[0])
        right = _picture(gives, pair.actual, pair.expected, pair.wrong[1])
        found.append(f'<div class="pictures">{left}{right}</div>')
    return "".join(found)


def _picture(title: str, values: Array, other: Array, wrong: Sequence[int]) -> str:
    light, dark = (
        _address(tensor_svg(values, "", dark=dark, width=_WIDTH, marked=wrong, beside=other))
        for dark in (False, True)
    )
    sizes = f"{print_sizes(values.shape)} {data_type_of(values.dtype)}"
    told = _("{title}: a tensor of sizes {sizes}, {marked} cells marked as different.").format(
        title=title, sizes=print_sizes(values.shape), marked=len(wrong)
    )
    return (
        f"<figure><figcaption>{_text(title)} <small>{_text(sizes)}</small></figcaption><picture>"
        f'<source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        f'<img src="{light}" alt="{_text(told)}"></picture></figure>'
    )


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
    told = json_safe({**sent, "differing": differing(verdict)})
    summary = _text(_("Watch the elements move"))
    return (
        f'<details class="dmlviz-movement"><summary>{summary}</summary>'
        f'<div></div><script type="application/json">{told}</script></details>'
    )


def _gives(engine: str) -> str:
    if engine == RECORDED:
        return _("DirectML, recorded, gives")
    return _("{engine} gives").format(engine=ENGINES[engine].status().title)


def _address(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode('ascii')}"


def _text(text: str) -> str:
    return html.escape(one_line(text, _LONGEST))


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
