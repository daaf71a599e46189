"""Questions about the setting that gives an output."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dmlviz.operators import Operator
from dmlviz.questions.dice import Dice
from dmlviz.questions.question import Choice, Question
from dmlviz.questions.subjects import Sizes, ran
from dmlviz.questions.variants import variants
from dmlviz.questions.words import at, cell, name, settings, sums
from dmlviz.tensors import print_sizes, print_value
from dmlviz.trace import Trace, run
from dmlviz.words import _

Array = np.ndarray[Any, Any]

_MOST = 1_024


def ask_setting(operator: Operator, sizes: Sizes, level: int, dice: Dice) -> Question | None:
    """Which setting makes this output of this input."""
    trace = ran(operator, sizes, level, dice)
    wrong = _wrong(trace, dice)
    if len(wrong) < 2:
        return None
    right = Choice(settings(operator))
    ordered = dice.shuffled([right, *wrong])
    prompt = _(
        "{operator} made the output of sizes {out} from the input of sizes {sizes}. "
        "Which setting does that?"
    ).format(operator=name(operator), out=print_sizes(trace.output.shape), sizes=print_sizes(sizes))
    # the last cell tells more of a rule than the first
    index = tuple(n - 1 for n in trace.output.shape)
    worked = ", ".join(text for text in sums(operator, sizes) if " = " in text)
    lines = [_("{settings}.").format(settings=right.text)]
    if worked:
        lines.append(_("Sizes: {sums}.").format(sums=worked))
    lines.append(operator.explain(sizes, index))
    return Question(
        "setting",
        level,
        operator,
        trace.x,
        prompt,
        tuple(ordered),
        ordered.index(right),
        None,
        "\n".join(lines),
        "both",
    )


def _wrong(trace: Trace, dice: Dice) -> list[Choice]:
    """Up to three settings that give other outputs, those of the same sizes first."""
    same: list[Choice] = []
    others: list[Choice] = []
    seen = {_mark(trace.output)}
    texts = {settings(trace.operator)}
    first, *rest = list(variants(trace.operator, trace.x.shape))
    for other in [first, *dice.shuffled(rest)]:
        if len(same) == 3:
            break
        text = settings(other)
        if text in texts or other.problems(trace.x.shape, trace.data_type):
            continue
        if math.prod(other.output_sizes(trace.x.shape)) > _MOST:
            continue
        output = run(other, trace.x).output
        if _mark(output) in seen:
            continue
        texts.add(text)
        seen.add(_mark(output))
        (same if output.shape == trace.output.shape else others).append(
            Choice(text, _why(trace, output))
        )
    return [*same, *others][:3]


def _mark(output: Array) -> tuple[Sizes, bytes]:
    return output.shape, output.tobytes()


def _why(trace: Trace, output: Array) -> str:
    if output.shape != trace.output.shape:
        return _("That would make an output of sizes {wrong}, not {right}.").format(
            wrong=print_sizes(output.shape), right=print_sizes(trace.output.shape)
        )
    flat = int(np.flatnonzero(output != trace.output)[0])
    return _("That would make {cell} = {wrong}; the output holds {right} there.").format(
        cell=cell("out", at(flat, output.shape)),
        wrong=print_value(output.flat[flat]),
        right=print_value(trace.output.flat[flat]),
    )
