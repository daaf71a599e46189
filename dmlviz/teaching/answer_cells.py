"""The output elements that a preset's answer is about, so that its picture can mark them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product

from dmlviz.base.errors import Error
from dmlviz.teaching.fact_texts import Answers, fields
from dmlviz.tensors.types import Sizes

MOST_CELLS = 6
"""The limit of pinned elements, as of :class:`dmlviz.states.View`."""

_INDEX = r"\[\s*([0-9:]+(?:\s*,\s*[0-9:]+)*)\s*\]"
_OUT = re.compile(rf"(?:[a-z]+(?:\[[0-9]\])? of )?(\w+(?:\[[0-9]+\])?){_INDEX}")
_COPY = re.compile(r"(?:copy(?:\[[0-9]\])?|copies) of (.+)")


def answer_cells(
    template: str, facts: Answers, outputs: Mapping[str, Sizes], *, compared: bool
) -> tuple[tuple[int, ...], ...]:
    """The elements, as :class:`dmlviz.states.View` pins them: those named first, at most six.

    A row or plane that does not fit whole is left out.

    Args:
        template: the answer, with placeholders for facts.
        facts: of the preset's state.
        outputs: the sizes of every output on the stage, by its name there.
        compared: whether the last ones are those of what the state is compared with.
    """
    names = list(outputs)
    several = compared or len(names) > 1 or "[" in names[0]
    cells: dict[tuple[int, ...], None] = {}
    for name, index in _elements(template, facts):
        number = _number(name, names, compared=compared)
        if number is None:
            continue
        within = list(_within(index, outputs[names[number]]))
        more = {(number, *at) if several else at: None for at in within}
        if len(cells | more) <= MOST_CELLS:
            cells |= more
    return tuple(cells)


def _elements(template: str, facts: Answers) -> Iterator[tuple[str, str]]:
    """The name and the index of every part of an output that the answer names."""
    for fact in fields(template):
        if match := _COPY.fullmatch(fact):
            try:
                fact = facts(f"copy of {match[1]}")
            except Error:  # of an input element that has no copy
                continue
        if match := _OUT.fullmatch(fact):
            yield match[1], match[2]


def _number(name: str, names: list[str], *, compared: bool) -> int | None:
    """The number of the output on the stage; None for an input and for what is not named alone."""
    if compared:
        name = {"out": "A", "other": "B"}.get(name, "")
    elif name == "out" and len(names) == 1:
        name = names[0]
    return names.index(name) if name in names else None


def _within(index: str, sizes: Sizes) -> Iterator[tuple[int, ...]]:
    """The elements of an index that may have colons; none if it is not in a tensor of the sizes."""
    parts = [part.strip() for part in index.split(",")]
    if len(parts) == len(sizes):
        ranges = (
            range(n) if part == ":" else range(int(part), min(int(part) + 1, n))
            for part, n in zip(parts, sizes, strict=True)
        )
        yield from product(*ranges)
