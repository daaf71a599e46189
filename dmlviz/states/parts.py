"""Reading single parameters of a link; an error names the rule that the text breaks."""

from __future__ import annotations

import re
from typing import Any

from dmlviz.errors import Error
from dmlviz.operators import Operator
from dmlviz.operators.spelling import print_setting, read_whole
from dmlviz.picture.scene import DIRECTIONS
from dmlviz.states.state import engine_name
from dmlviz.tensors import MAX_RANK
from dmlviz.words import _

_STEP = re.compile(r"[0-9]{1,6}(\.[0-9]{1,2})?")


def read_pin(text: str, outputs: list[tuple[int, ...]], several: bool) -> tuple[int, ...] | None:
    """An element's index, after the number of its output if there can be several."""
    if not several:
        return _index(text, outputs[0]) if outputs else None
    before, _colon, index = text.partition(":") if ":" in text else ("0", ":", text)
    number = read_whole(before, 0, len(outputs) - 1)
    at = None if number is None else _index(index, outputs[number])
    return None if at is None or number is None else (number, *at)


def _index(text: str, sizes: tuple[int, ...]) -> tuple[int, ...] | None:
    words = text.split(",", MAX_RANK)
    if not sizes or len(words) != len(sizes):
        return None
    found = [read_whole(word, 0, size - 1) for word, size in zip(words, sizes, strict=True)]
    index = tuple(i for i in found if i is not None)
    return index if len(index) == len(sizes) else None


def read_engine(text: str) -> str:
    """An engine's name."""
    if not engine_name(text):
        raise Error(_("it must be the name of an engine, such as numpy or directml:1."), "engine")
    return text


def read_step(text: str) -> float:
    """The number of completed steps."""
    if not _STEP.fullmatch(text):
        raise Error(_("it must be a number of completed steps, such as 3 or 2.5."), "step")
    return float(text)


def readable(cls: type[Operator], name: str, value: Any) -> bool:
    """Whether a link can say a setting: huge sizes may call for one that nobody can set."""
    parameter = next(p for p in cls.parameters() if p.name == name)
    try:
        parameter.read(print_setting(value))
    except Error:
        return False
    return True


def read_directions(text: str, rank: int) -> tuple[tuple[int, str], ...]:
    """Where the planes of outer dimensions go, such as ``0:across``.

    Args:
        text: one part for each dimension, after a comma.
        rank: of the tensor with the most dimensions.

    Raises:
        Error: a dimension is not before the last two, or a direction is unknown.
    """
    ways: dict[int, str] = {}
    for part in text.split(",", MAX_RANK):
        number, _colon, way = part.partition(":")
        d = read_whole(number, 0, rank - 3)
        if d is None or way not in DIRECTIONS[1:]:
            raise Error(
                _(
                    "it must say where the planes of a dimension before the last two go, such as "
                    "0:across: {ways}."
                ).format(ways=", ".join(DIRECTIONS[1:])),
                "directions",
            )
        ways[d] = way
    return tuple(sorted(ways.items()))
