"""What a live page has below its picture: the result in other forms, and files to save."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code.dialects import snippets_of
from dmlviz.engines.agreement import engine_answers
from dmlviz.engines.trace import Trace, run
from dmlviz.operators.slots import descs_of
from dmlviz.picture.coloring import modes
from dmlviz.picture.formats import DATA, PICTURES, PictureLook
from dmlviz.picture.qr import qr_image, too_long
from dmlviz.picture.sections import (
    formula_lines,
    move_rows,
    rows_note,
    section_titles,
    untested,
)
from dmlviz.states.pages import AnyState, first_of, form_of
from dmlviz.states.same import (
    code_of_snippets,
    nothing_the_same,
    same_by_reach,
    same_of,
    same_title,
)


@dataclass(frozen=True)
class SectionPart:
    """A part of a section.

    Attributes:
        key: what it is chosen by; empty if the section shows all its parts.
        title: of the link or, in a section with keys, of the choice.
        notes: sentences before the text.
        text: in a typewriter's letters, to be copied.
        link: of another state; empty for none.
        columns, rows: of a table.
    """

    key: str = ""
    title: str = ""
    notes: tuple[str, ...] = ()
    text: str = ""
    link: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def _formula(trace: Trace, pinned: int = -1) -> list[SectionPart]:
    return [SectionPart(text="\n".join(formula_lines(trace, pinned)))]


def _code(trace: Trace) -> list[SectionPart]:
    snippets = snippets_of(trace.operator, descs_of(trace.inputs, values=True))
    blocks = []
    for snippet in snippets:
        notes = [snippet.note] if snippet.note else []
        if snippet.text and not snippet.tested:
            notes.append(untested(snippet.title))
        opened = code_of_snippets((snippet, *snippets), trace)
        link = "" if opened is None else opened.address()
        blocks.append(SectionPart(snippet.dialect, snippet.title, tuple(notes), snippet.text, link))
    return blocks


def _same(trace: Trace) -> list[SectionPart]:
    blocks = []
    for words, every in same_by_reach(trace, same_of(trace)):
        blocks.append(SectionPart(notes=(words,)))
        blocks += [SectionPart(title=same_title(o), text=o.text, link=o.link) for o in every]
    return blocks or [SectionPart(notes=(nothing_the_same(),))]


def _table(trace: Trace) -> list[SectionPart]:
    rows = move_rows(trace)
    note = rows_note(trace)
    columns = tuple(rows[0]) if rows else ()
    cells = tuple(tuple(row.values()) for row in rows)
    return [SectionPart(notes=(note,) if note else (), columns=columns, rows=cells)]


def _engines(trace: Trace) -> list[SectionPart]:
    """Each engine of the page beside NumPy, and DirectML's recorded answer if there is one."""
    operator, inputs = trace.operator, trace.inputs
    answers = engine_answers(operator, inputs, partial(run, operator, inputs))
    columns = (_("Engine"), _("Result"), _("What ran"))
    rows = tuple((one.title, one.words, one.ran) for one in answers)
    return [SectionPart(columns=columns, rows=rows)]


SECTIONS: Mapping[str, Callable[[Trace], list[SectionPart]]] = {
    "formula": _formula,
    "same": _same,
    "code": _code,
    "table": _table,
    "engines": _engines,
}
"""The sections below the picture."""


def sections_of(key: str) -> dict[str, str]:
    """The titles of the sections that a page has.

    Args:
        key: of the page; one that has a row of a section's name shows that above already.
    """
    rows = {row.name for group in form_of(first_of(key)) for row in group.fields}
    return {name: title for name, title in section_titles().items() if name not in rows}


def section_of_state(state: AnyState, name: str, pinned: int = -1) -> list[dict[str, Any]]:
    """A section: its parts, in plain values; why there is none if the state is refused.

    Args:
        state: that the page shows.
        name: a key of :data:`SECTIONS`.
        pinned: the element whose numbers the formula has, as
            :func:`dmlviz.picture.sections.formula_lines` takes it.
    """
    make = partial(_formula, pinned=pinned) if name == "formula" else SECTIONS[name]
    try:
        blocks = make(state.scenes()[0].trace)
    except Error as error:
        blocks = [SectionPart(notes=(str(error),))]
    return [asdict(block) for block in blocks]


FILES = ("html", "png", "svg", *DATA)
"""The files that need no native code, by the endings of their names."""


def file_of_state(state: AnyState, ending: str, look: PictureLook) -> dict[str, str]:
    """A file of a state: its name, its bytes in base64, or why there is none.

    Args:
        state: that the page shows.
        ending: of the file's name, one of :data:`FILES`.
        look: what pictures show; a step or colors that this state does not have become the last
            step and those of values.
    """
    name = f"{state.key}.{ending}"
    try:
        drawn = state.scenes()[0]
        if ending in DATA:
            return _file(name, DATA[ending](drawn.trace))
        step = min(max(look.step or 0.0, 0.0), float(len(drawn.steps)))
        colors = look.colors if look.colors in modes(drawn) else "value"
        # the browser makes a PNG file of a drawing
        draw = PICTURES["svg" if ending == "png" else ending]
        return _file(name, draw(drawn, replace(look, step=step, colors=colors)))
    except Error as error:
        return {"name": name, "data": "", "problem": str(error)}


def _file(name: str, data: bytes) -> dict[str, str]:
    return {"name": name, "data": base64.b64encode(data).decode("ascii"), "problem": ""}


def code_of_address(address: str) -> dict[str, str]:
    """A QR code of an address as a data address, or why there is none."""
    image = qr_image(address)
    return {"address": address, "image": image, "note": "" if image else too_long(address)}
