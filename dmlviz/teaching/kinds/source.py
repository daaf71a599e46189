"""Which input element lands at an output element."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.teaching.answer_inputs import CONSTANT, PLACE
from dmlviz.teaching.kinds.of_cells import CellKind
from dmlviz.teaching.misread import indices_of, misread_sources, sources_of
from dmlviz.teaching.plain import AskPlain, ask_place
from dmlviz.teaching.questions import source_text, travelling
from dmlviz.tensors.numbering import print_cell


class SourceKind(CellKind):
    """The source of an output element; in plain words, the place of an input element."""

    key = "source"
    place = 20
    input = PLACE
    facts = r"source of (?P<element>.*)"
    after_presets = True

    def title(self) -> str:
        return _("Source of a cell")

    def plain(self) -> AskPlain:
        return ask_place

    def prompt(self, cell: str) -> str:
        return _("Which input element lands at {cell}?").format(cell=cell)

    def taken(self, source: int, trace: Trace) -> str:
        return source_text(source, travelling(trace))

    def right(self, number: int, trace: Trace) -> str:
        if indices_of(trace)[number]:
            at = print_cell(number, trace.outputs, "out")
            raise Error(_("cell: {cell} is an index, which is no copy.").format(cell=at), "cell")
        return super().right(number, trace)

    def elsewhere(self, cell: str) -> str:
        return _("That lands at {cell}.").format(cell=cell)

    def places(self, trace: Trace, number: int) -> tuple[int, Iterator[tuple[int, str]]]:
        right = int(sources_of(trace)[number])
        return right, _mistaken(trace, number, right)


def _mistaken(trace: Trace, number: int, right: int) -> Iterator[tuple[int, str]]:
    """The elements that misconceptions lead to, each with the first misconception that does."""
    at, travels = print_cell(number, trace.outputs, "out"), travelling(trace)
    known: set[int] = set()
    for misreading in misread_sources(trace):
        taken = int(np.ravel(misreading.source)[number])
        if taken == right or taken in known:
            continue
        known.add(taken)
        words = _("{words} With this mistake, {cell} would hold {taken}.")
        wrong = source_text(taken, travels)
        yield taken, words.format(words=misreading.words, cell=at, taken=wrong)
    if CONSTANT not in {right, *known}:
        words = _("{cell} is not a constant: it is a copy of {source}.")
        yield CONSTANT, words.format(cell=at, source=source_text(right, travels))
