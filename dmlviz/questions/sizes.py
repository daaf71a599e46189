"""Questions about the sizes of the outputs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from dmlviz.operators import Operator
from dmlviz.questions.dice import Dice
from dmlviz.questions.evening import evened
from dmlviz.questions.misread import Sizes, misread_sizes
from dmlviz.questions.question import Choice, Question
from dmlviz.questions.subjects import Subject, ran
from dmlviz.questions.words import given, setup, sums
from dmlviz.tensors.numbering import print_all_sizes, sizes_by_name
from dmlviz.words import _


def ask_sizes(subject: Subject, level: int, dice: Dice) -> Question | None:
    """What sizes the output has, or each of several outputs."""
    operator, sizes = subject.operator, subject.all_sizes
    trace = ran(subject, level, dice)
    out = sizes_by_name(trace.outputs)
    wrong: dict[str, Choice] = {}
    right = Choice(print_all_sizes(out))
    for misread, misreading in dice.shuffled(list(misread_sizes(trace))):
        other = print_all_sizes(misread)
        if other != right.text:
            why = _("{words} It would make {sizes}.").format(words=misreading.words, sizes=other)
            wrong.setdefault(other, Choice(other, why))
    for mixed, why in _mixed(operator, sizes, out, [s for s, _m in misread_sizes(trace)]):
        other = print_all_sizes(mixed)
        if other != right.text and min(min(each) for each in mixed.values()) > 0:
            wrong.setdefault(other, Choice(other, why))
    if len(wrong) < 2:
        return None
    ordered = dice.shuffled([right, *evened(right, [*wrong.values()], dice)])
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


def _mixed(
    operator: Operator, sizes: Sizes, out: Sizes, misread: list[Sizes]
) -> Iterator[tuple[Sizes, str]]:
    """Sizes with one misread dimension more or fewer than a misreading has."""
    name, due = next(iter(out.items()))
    before = next(iter(sizes.values()))
    beliefs = [each[name] for each in misread if len(each.get(name, ())) == len(due)]
    places = list(range(len(due)))
    if len(before) == len(due):
        # the input's own sizes, and the change applied once or twice more
        changes = [(b, n - b) for b, n in zip(before, due, strict=True)]
        beliefs += [tuple(b + times * n for b, n in changes) for times in (0, 2, 3)]
        # nobody expects another size if nothing changes
        places = [d for d in places if due[d] != before[d]]
    beliefs += [each for each in sizes.values() if len(each) == len(due) and each != before]
    told = sums(operator, sizes)[name]
    # a reader who multiplies or divides is not off by one
    near = tuple(0 if "·" in text or "/" in text else 1 for text in told)
    ends = [tuple(n + by * e for n, e in zip(due, near, strict=True)) for by in (1, -1)]
    for first, second in (*product([due, *beliefs], repeat=2), *product([due], ends)):
        for d in places:
            found = (*first[:d], second[d], *first[d + 1 :])
            wrong = [k for k in range(len(due)) if found[k] != due[k]]
            if wrong:
                yield (
                    {**out, name: found},
                    _("The size of dimension {d} is {sum}, not {n}.").format(
                        d=wrong[0], sum=told[wrong[0]], n=found[wrong[0]]
                    ),
                )
