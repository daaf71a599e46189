"""Questions about the sizes of the output."""

from __future__ import annotations

from dmlviz.operators import Operator
from dmlviz.questions.dice import Dice
from dmlviz.questions.question import Choice, Question
from dmlviz.questions.subjects import Sizes, ran
from dmlviz.questions.words import setup, sums
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def ask_sizes(operator: Operator, sizes: Sizes, level: int, dice: Dice) -> Question | None:
    """What sizes the output has."""
    trace = ran(operator, sizes, level, dice)
    out = trace.output.shape
    wrong: dict[Sizes, Choice] = {}
    for misreading in dice.shuffled(operator.misreadings(sizes)):
        other = misreading.output_sizes
        if other != out and len(wrong) < 3:
            why = _("{words} It would make {sizes}.").format(
                words=misreading.words, sizes=print_sizes(other)
            )
            wrong.setdefault(other, Choice(print_sizes(other), why))
    if len(wrong) < 2:
        return None
    right = Choice(print_sizes(out))
    ordered = dice.shuffled([right, *wrong.values()])
    lines = [
        _("Dimension {d}: {sum}").format(d=d, sum=text)
        for d, text in enumerate(sums(operator, sizes))
        if " = " in text
    ]
    lines.append(_("{sizes} becomes {out}.").format(sizes=print_sizes(sizes), out=print_sizes(out)))
    prompt = _("{setup} What are the sizes of the output?").format(setup=setup(operator, sizes))
    return Question(
        "sizes",
        level,
        operator,
        trace.x,
        prompt,
        tuple(ordered),
        ordered.index(right),
        None,
        "\n".join(lines),
        "input",
    )
