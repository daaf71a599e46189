"""Which setting makes this output from this input."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.operators import Operator
from dmlviz.operators.calculations import equations
from dmlviz.operators.per_dimension import moved
from dmlviz.operators.settings import Dice
from dmlviz.teaching.answers import NOTHING, Answer, evened
from dmlviz.teaching.fact_texts import operator_name
from dmlviz.teaching.kinds.kind import QuestionKind
from dmlviz.teaching.questions import Question, question_input, settings_text
from dmlviz.teaching.subjects import Subject, ran
from dmlviz.tensors import print_value
from dmlviz.tensors.numbering import (
    differing_elements,
    located,
    print_all_sizes,
    print_cell,
    sizes_by_name,
)
from dmlviz.tensors.types import Sizes, Tensors

_COMPARED = 6
_NEAR = 3


class SettingKind(QuestionKind):
    """The operator's settings, of which the picture shows what they do."""

    key = "setting"
    place = 40
    hides = NOTHING

    def title(self) -> str:
        return _("Which setting")

    def ask(self, subject: Subject, level: int, dice: Dice) -> Question | None:
        operator, sizes = subject.operator, subject.all_sizes
        if not operator.parameters():
            return None
        trace = ran(subject, level, dice)
        right = Answer(settings_text(operator))
        wrong = _wrong_settings(trace, right, dice)
        if not wrong:
            return None
        ordered = dice.shuffled([right, *wrong])
        prompt = _(
            "{operator} made the output of sizes {out} from the input of sizes {sizes}. "
            "Which setting does that?"
        )
        if not trace.inputs:
            prompt = _(
                "{operator} made the output of sizes {out} without an input. "
                "Which setting does that?"
            )
        elif len(trace.inputs) > 1 or len(trace.outputs) > 1:
            prompt = _("{operator} turned {sizes} into {out}. Which setting does that?")
        prompt = prompt.format(
            operator=operator_name(operator),
            out=print_all_sizes(sizes_by_name(trace.outputs)),
            sizes=print_all_sizes(sizes),
        )
        # the last cell says more about a rule than the first
        output, last = list(trace.copies.items())[-1]
        sums = ", ".join(equations(operator.sums(sizes)))
        # only here: it would say which of the choices is right
        lines = [_("{settings}.").format(settings=right.text), operator.rule_words(trace.inputs)]
        if sums:
            lines.append(_("Sizes: {sums}.").format(sums=sums))
        at = tuple(n - 1 for n in last.shape)
        lines.append(operator.explain(trace.inputs, at, output, letters=level > 1, looked=True))
        return Question(
            self.key,
            level,
            operator,
            question_input(trace),
            prompt,
            tuple(ordered),
            ordered.index(right),
            None,
            "\n".join(filter(None, lines)),
            "both",
            quiet=tuple(setting.name for setting in operator.parameters()),
            of_settings=True,
        )


def _wrong_settings(trace: Trace, right: Answer, dice: Dice) -> list[Answer]:
    """Up to three settings that give other outputs of the same sizes.

    Settings that change nothing are excluded: nobody mistakes a copy of the input for the output.
    """
    answers: list[Answer] = []
    contents = {_contents(trace.outputs), _contents(trace.inputs)}
    sizes, sizes_out = sizes_by_name(trace.inputs), sizes_by_name(trace.outputs)
    first = next(iter(sizes.values()), ())

    def near(operator: Operator, most: int) -> Iterator[Operator]:
        likeliest, *rest = _variants(operator, first)
        for other in [likeliest, *dice.shuffled(rest)]:
            # different sizes alone would show that it is wrong
            if most == 0 or other.refusals(trace.inputs) or other.outputs_after(sizes) != sizes_out:
                continue
            if other.undecided(trace.inputs):
                continue
            outputs = other.evaluate(trace.inputs)
            if _contents(outputs) not in contents:
                contents.add(_contents(outputs))
                answers.append(
                    Answer(settings_text(other), _why_not_setting(trace, other, outputs))
                )
                most -= 1
                yield other

    # the right setting is the middle of its variants, so add variants of another setting
    for other in list(near(trace.operator, _NEAR)):
        list(near(other, _NEAR - 1))
    return evened(right, answers, dice)


def _contents(outputs: Tensors) -> tuple[tuple[Sizes, bytes], ...]:
    return tuple((output.shape, output.tobytes()) for output in outputs.values())


def _why_not_setting(trace: Trace, other: Operator, outputs: Tensors) -> str:
    """What another setting takes, and so holds, at an element where its outputs differ.

    An element with a source says most: of the first few, it comes before one without.
    """
    numbers = differing_elements(outputs, trace.outputs)[:_COMPARED]
    rules = {number: _rule_at(other, trace, number, outputs) for number in numbers}
    cells = {number: print_cell(number, outputs, "out") for number in numbers}
    equal = (number for number in numbers if rules[number].startswith(f"{cells[number]} = "))
    number = next(equal, numbers[0])
    name, index = located(number, outputs)
    cell, wrong = cells[number], print_value(outputs[name][index])
    rule = rules[number]
    words = _("With this setting, {rule}, which is {wrong}; the output holds {right} there.")
    if rule.endswith(f" = {wrong}"):
        words = _("With this setting, {rule}; the output holds {right} there.")
    elif not rule.startswith(f"{cell} = "):
        words = _(
            "With this setting, {cell} would be {wrong}: {rule}. The output holds {right} there."
        )
        rule = rule.removeprefix(f"{cell}: ")
    right = print_value(trace.outputs[name][index])
    why = words.format(cell=cell, wrong=wrong, rule=rule, right=right)
    mode = other.rule_words(trace.inputs)
    return why if mode in ("", trace.operator.rule_words(trace.inputs)) else f"{mode} {why}"


def _rule_at(operator: Operator, trace: Trace, number: int, outputs: Tensors) -> str:
    """The rule of an operator with the numbers of one element, in one line without a full stop."""
    name, index = located(number, outputs)
    text = operator.explain(trace.inputs, index, name, letters=False)
    return text.partition("\n")[0].rstrip(".")


def _variants(operator: Operator, sizes: Sizes) -> Iterator[Operator]:
    """Settings that people confuse with these; some of them can be invalid.

    Another choice, such as the other order or mode; swapped settings, such as start and end; the
    numbers of other dimensions; off by one.
    """
    yield operator.alternative()
    chosen = [p for p in operator.parameters() if p.enumerated]
    now = operator.settings
    ranked = [p for p in operator.parameters() if p.ranked]
    numbers = [p.name for p in ranked if not p.unspoken(now[p.name])]
    for parameter in chosen:
        for option in parameter.nearby(now[parameter.name], sizes):
            yield replace(operator, **{parameter.name: option})
    if len(chosen) > 1:
        first, second = chosen[:2]
        for option in first.options(sizes):
            for other in second.options(sizes):
                yield replace(operator, **{first.name: option, second.name: other})
    real = {p.name for p in ranked if p.real}
    for one, other in combinations(numbers, 2):
        if (one in real) != (other in real):
            continue
        yield replace(operator, **{one: now[other], other: now[one]})
        for k in range(min(len(now[one]), len(now[other]))):
            for by in (1, -1):
                if now[one][k] or now[other][k]:
                    pair = {one: moved(now[one], k, by), other: moved(now[other], k, -by)}
                    yield replace(operator, **pair)
    yield replace(operator, **{name: now[name][::-1] for name in numbers})
    yield replace(operator, **{name: now[name][1:] + now[name][:1] for name in numbers})
    single = (p for p in operator.parameters() if p.counted or p.listed or p.real)
    for each in (*ranked, *(p for p in single if not p.ranked)):
        for near in each.nearby(now[each.name], sizes):
            yield replace(operator, **{each.name: near})
