"""Facts as text: filled in, calculated, and named by an index."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, mul, sub
from typing import Any

from dmlviz.base.deferred import regex
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.base.words.particles import fill_in
from dmlviz.operators import Operator
from dmlviz.tensors import print_sizes, print_value
from dmlviz.tensors.numbering import print_all_sizes
from dmlviz.tensors.types import Array, Sizes

Answers = Callable[[str], str]
"""The answer to a fact, as text; an :class:`dmlviz.base.errors.Error` if there is none."""

CALCULATION = regex(r"(.+) ([+−·]) (.+)")
"""The sum, difference or product of two facts or whole numbers."""

_CALCULATED = {"+": add, "−": sub, "·": mul}
_TEMPLATE = regex(r"\{([A-Za-z][^{}]*)\}")

_LONGEST = 300
"""Characters of a fact, so that a calculation has few numbers."""


def check_length(fact: str) -> None:
    """Refuse a fact that is too long.

    Raises:
        Error: it is.
    """
    if len(fact) > _LONGEST:
        raise unknown_fact(f"{fact[:60]}…")


def calculated(fact: str, facts: Answers) -> str:
    """What a :data:`CALCULATION` gives.

    Args:
        fact: the calculation; of several signs, the last one is calculated last.
        facts: answers its parts.

    Raises:
        Error: a part of it is not a whole number.
    """
    match = CALCULATION.fullmatch(fact)
    assert match is not None
    return str(_CALCULATED[match[2]](_whole(match[1], facts), _whole(match[3], facts)))


def _whole(fact: str, facts: Answers) -> int:
    answer = fact if fact.isdecimal() else facts(fact)
    if not answer.removeprefix("-").isdecimal():
        raise unknown_fact(fact)
    return int(answer)


def filled(text: str, facts: Answers) -> str:
    """The same with facts that are at hand; a Korean text keeps the particles that fit.

    Raises:
        Error: the state has no answer for a field.
    """
    return fill_in(text, lambda part: _TEMPLATE.sub(lambda match: facts(match[1]), part))


def fields(text: str) -> list[str]:
    """The facts that a text is filled in with, in their order."""
    return _TEMPLATE.findall(text)


def element_index(index: str, array: Array) -> tuple[Any, ...]:
    """The index of one element, or of several if it contains a colon.

    Raises:
        Error: it is not in the array.
    """
    parts = [part.strip() for part in index.split(",")]
    at = tuple(slice(None) if part == ":" else int(part) for part in parts)
    inside = all(part == ":" or int(part) < n for part, n in zip(parts, array.shape, strict=False))
    if len(at) != array.ndim or not inside:
        raise Error(
            _("index: [{index}] is not in a tensor of sizes {sizes}.").format(
                index=index, sizes=print_sizes(array.shape)
            ),
            "index",
        )
    return at


def print_values(array: Array) -> str:
    """Every value of an array, one after another."""
    return ", ".join(print_value(value) for value in array.flat)


def unknown_fact(fact: str) -> Error:
    """There is no such fact, or the state does not have it."""
    return Error(_("{asked} is not a fact about a state.").format(asked=fact))


def operator_name(operator: Operator) -> str:
    """The operator's name in sentences, such as ``DepthToSpace``."""
    return type(operator).__name__


def runs_on(operator: Operator, sizes: Mapping[str, Sizes]) -> str:
    """The operator and its input in a sentence, without settings."""
    words = _("{operator} runs on {sizes}.")
    if len(sizes) == 1:
        words = _("{operator} runs on an input of sizes {sizes}.")
    return words.format(operator=operator_name(operator), sizes=print_all_sizes(sizes))
