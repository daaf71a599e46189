"""Questions about the sizes of the outputs."""

from __future__ import annotations

from dmlviz.questions.dice import Dice
from dmlviz.questions.misread import misread_sizes
from dmlviz.questions.question import Choice, Question
from dmlviz.questions.subjects import Subject, ran
from dmlviz.questions.words import given, setup, sums
from dmlviz.tensors.numbering import print_all_sizes, sizes_by_name
from dmlviz.words import _


def ask_sizes(subject: Subject, level: int, dice: Dice) -> Question | None:
    """What sizes the output has, or each of several."""
    operator, sizes = subject.operator, subject.all_sizes
    trace = ran(subject, level, dice)
    out = sizes_by_name(trace.outputs)
    wrong: dict[str, Choice] = {}
    right = Choice(print_all_sizes(out))
    for misread, misreading in dice.shuffled(list(misread_sizes(trace))):
        other = print_all_sizes(misread)
        if other != right.text and len(wrong) < 3:
            why = _("{words} It would make {sizes}.").format(words=misreading.words, sizes=other)
            wrong.setdefault(other, Choice(other, why))
    if len(wrong) < 2:
        return None
    ordered = dice.shuffled([right, *wrong.values()])
    lines = []
    for name, texts in sums(operator, sizes).items():
        told = _("Dimension {d}: {sum}")
        if len(out) > 1:
            told = _("{name}, dimension {d}: {sum}")
        lines += [
            told.format(name=name, d=d, sum=text) for d, text in enumerate(texts) if " = " in text
        ]
    lines.append(_("{sizes} becomes {out}.").format(sizes=print_all_sizes(sizes), out=right.text))
    prompt = _("{setup} What are the sizes of the output?")
    if len(out) > 1:
        prompt = _("{setup} What are the sizes of the outputs?")
    return Question(
        "sizes",
        level,
        operator,
        given(trace),
        prompt.format(setup=setup(operator, sizes)),
        tuple(ordered),
        ordered.index(right),
        None,
        "\n".join(lines),
        "input",
    )
