"""Questions about the setting that gives an output."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from dmlviz.questions.dice import Dice
from dmlviz.questions.question import Choice, Question
from dmlviz.questions.subjects import Sizes, Subject, ran
from dmlviz.questions.variants import variants
from dmlviz.questions.words import given, name, settings, worked
from dmlviz.tensors import print_value
from dmlviz.tensors.numbering import (
    differing_elements,
    located,
    print_all_sizes,
    print_cell,
    sizes_by_name,
)
from dmlviz.trace import Trace, run
from dmlviz.words import _

Array = np.ndarray[Any, Any]

_MOST = 1_024


def ask_setting(subject: Subject, level: int, dice: Dice) -> Question | None:
    """Which setting makes this output of this input."""
    operator, sizes = subject.operator, subject.all_sizes
    if not operator.parameters():
        return None
    trace = ran(subject, level, dice)
    wrong = _wrong(trace, dice)
    if len(wrong) < 2:
        return None
    right = Choice(settings(operator))
    ordered = dice.shuffled([right, *wrong])
    prompt = _(
        "{operator} made the output of sizes {out} from the input of sizes {sizes}. "
        "Which setting does that?"
    )
    if len(trace.inputs) > 1 or len(trace.outputs) > 1:
        prompt = _("{operator} made {out} from {sizes}. Which setting does that?")
    prompt = prompt.format(
        operator=name(operator),
        out=print_all_sizes(sizes_by_name(trace.outputs)),
        sizes=print_all_sizes(sizes),
    )
    # the last cell tells more of a rule than the first
    output, last = list(trace.copies.items())[-1]
    told = ", ".join(worked(operator, sizes))
    lines = [_("{settings}.").format(settings=right.text)]
    if told:
        lines.append(_("Sizes: {sums}.").format(sums=told))
    lines.append(operator.explain(trace.inputs, tuple(n - 1 for n in last.shape), output))
    return Question(
        "setting",
        level,
        operator,
        given(trace),
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
    seen = {_mark(trace.outputs)}
    texts = {settings(trace.operator)}
    sizes = sizes_by_name(trace.inputs)
    first, *rest = list(variants(trace.operator, next(iter(sizes.values()))))
    for other in [first, *dice.shuffled(rest)]:
        if len(same) == 3:
            break
        text = settings(other)
        if text in texts or other.refusals(trace.inputs):
            continue
        if sum(map(math.prod, other.outputs_after(sizes).values())) > _MOST:
            continue
        outputs = run(other, trace.inputs).outputs
        if _mark(outputs) in seen:
            continue
        texts.add(text)
        seen.add(_mark(outputs))
        alike = sizes_by_name(outputs) == sizes_by_name(trace.outputs)
        (same if alike else others).append(Choice(text, _why(trace, outputs)))
    return [*same, *others][:3]


def _mark(outputs: Mapping[str, Array]) -> tuple[tuple[Sizes, bytes], ...]:
    return tuple((output.shape, output.tobytes()) for output in outputs.values())


def _why(trace: Trace, outputs: Mapping[str, Array]) -> str:
    wrong, right = sizes_by_name(outputs), sizes_by_name(trace.outputs)
    if wrong != right:
        return _("That would make an output of sizes {wrong}, not {right}.").format(
            wrong=print_all_sizes(wrong), right=print_all_sizes(right)
        )
    number = differing_elements(outputs, trace.outputs)[0]
    name, index = located(number, outputs)
    return _("That would make {cell} = {wrong}; the output holds {right} there.").format(
        cell=print_cell(number, outputs, "out"),
        wrong=print_value(outputs[name][index]),
        right=print_value(trace.outputs[name][index]),
    )
