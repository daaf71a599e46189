"""Questions about which setting gives an output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dmlviz.operators import Operator
from dmlviz.questions.dice import Dice
from dmlviz.questions.evening import evened
from dmlviz.questions.question import Choice, Question
from dmlviz.questions.subjects import Subject, ran
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
from dmlviz.tensors.types import Array, Sizes
from dmlviz.trace import Trace
from dmlviz.words import _

_NEAR = 3


def ask_setting(subject: Subject, level: int, dice: Dice) -> Question | None:
    """Which setting makes this output from this input."""
    operator, sizes = subject.operator, subject.all_sizes
    if not operator.parameters():
        return None
    trace = ran(subject, level, dice)
    right = Choice(settings(operator))
    wrong = _wrong(trace, right, dice)
    if not wrong:
        return None
    ordered = dice.shuffled([right, *wrong])
    prompt = _(
        "{operator} made the output of sizes {out} from the input of sizes {sizes}. "
        "Which setting does that?"
    )
    if not trace.inputs:
        prompt = _(
            "{operator} made the output of sizes {out} without an input. Which setting does that?"
        )
    elif len(trace.inputs) > 1 or len(trace.outputs) > 1:
        prompt = _("{operator} turned {sizes} into {out}. Which setting does that?")
    prompt = prompt.format(
        operator=name(operator),
        out=print_all_sizes(sizes_by_name(trace.outputs)),
        sizes=print_all_sizes(sizes),
    )
    # the last cell says more about a rule than the first
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


def _wrong(trace: Trace, right: Choice, dice: Dice) -> list[Choice]:
    """Up to three settings that give other outputs of the same sizes.

    Settings that change nothing are excluded: nobody mistakes a copy of the input for the output.
    """
    found: list[Choice] = []
    seen = {_mark(trace.outputs), _mark(trace.inputs)}
    sizes, due = sizes_by_name(trace.inputs), sizes_by_name(trace.outputs)
    first = next(iter(sizes.values()), ())

    def near(operator: Operator, most: int) -> Iterator[Operator]:
        likeliest, *rest = variants(operator, first)
        for other in [likeliest, *dice.shuffled(rest)]:
            # different sizes alone would show that it is wrong
            if most == 0 or other.refusals(trace.inputs) or other.outputs_after(sizes) != due:
                continue
            outputs = other.evaluate(trace.inputs)
            if _mark(outputs) not in seen:
                seen.add(_mark(outputs))
                found.append(Choice(settings(other), _why(trace, outputs)))
                most -= 1
                yield other

    # the right setting is the middle of its variants, so add variants of another setting
    for other in list(near(trace.operator, _NEAR)):
        list(near(other, _NEAR - 1))
    return evened(right, found, dice)


def _mark(outputs: Mapping[str, Array]) -> tuple[tuple[Sizes, bytes], ...]:
    return tuple((output.shape, output.tobytes()) for output in outputs.values())


def _why(trace: Trace, outputs: Mapping[str, Array]) -> str:
    number = differing_elements(outputs, trace.outputs)[0]
    name, index = located(number, outputs)
    return _("That would make {cell} = {wrong}; the output holds {right} there.").format(
        cell=print_cell(number, outputs, "out"),
        wrong=print_value(outputs[name][index]),
        right=print_value(trace.outputs[name][index]),
    )
