"""The words of code's steps: what runs, in short, and why it moves what it moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dmlviz.base.words import _
from dmlviz.code.chain import Chain, Operation
from dmlviz.movement import Movement
from dmlviz.movement.formulas import Formula
from dmlviz.movement.reasons import Arrival, clauses_of, example, reason
from dmlviz.tensors import print_sizes

_CALL_SHOWN, _CALLS_SHOWN = 40, 5
"""The limits of letters of a call, and of calls, in a caption."""


def name_of(text: str) -> str:
    """The name of a call: ``reshape``, ``np.pad``, or the index itself, such as ``[:, ::-1]``.

    >>> name_of(".reshape(2, 3)"), name_of("np.pad(x.T, 1)"), name_of(".T"), name_of("[::-1]")
    ('reshape', 'np.pad', 'T', '[::-1]')
    """
    name = text if text.startswith("[") else text.split("(", 1)[0].removeprefix(".")
    line = " ".join(name.split())
    return line if len(line) <= _CALL_SHOWN else f"{line[: _CALL_SHOWN - 1]}…"


def calls_in_short(operations: Sequence[Operation]) -> str:
    """What runs: a call with its tensor, or its name if that is long; the names of several."""
    if len(operations) == 1:
        (operation,) = operations
        method = operation.text.startswith((".", "["))
        tensor = operation.inputs[0] if method else ""
        line = " ".join(f"{tensor}{operation.text}".split())
        return line if len(line) <= _CALL_SHOWN else name_of(operation.text)
    names = [name_of(operation.text) for operation in operations]
    return " → ".join(names[:_CALLS_SHOWN] + ["…"] * (len(names) > _CALLS_SHOWN))


def calculated_by(formulas: Mapping[str, Sequence[Formula]]) -> Callable[[Arrival], str]:
    """A function that gives where an element comes from as arithmetic; empty without a formula.

    Args:
        formulas: of each output, by name.
    """

    def calculated(arrival: Arrival) -> str:
        index = arrival.index
        return next((f.numbers(index) for f in formulas[arrival.output] if f.holds(index)), "")

    return calculated


def part_reason(chain: Chain, number: int, movement: Movement) -> str:
    """Why a call with one output moves what it moves, after the sizes before it and after it.

    Args:
        chain: that has the call.
        number: of the call, from 0.
        movement: of the call alone.
    """
    ((name, output),) = movement.outputs.items()
    ((taken, sizes),) = movement.inputs.items()
    source = output.source
    arrival = example(movement.inputs, {name: source}, name, np.arange(source.size))
    constants = chain.constants_of(name, chain.data_type)
    clauses = clauses_of(movement.inputs, source)

    def calculated(arrival: Arrival) -> str:
        return calculated_by(chain.formulas_of(number))(arrival)

    why = reason({taken: sizes}, clauses, arrival, constants, calculated)
    words = _("{before} → {after}: {told}")
    return words.format(before=print_sizes(sizes), after=print_sizes(source.shape), told=why)
