"""The kinds of practice questions: sizes, the source or value of a cell, a setting, a refusal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, product
from types import MappingProxyType

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.base.words import _, ngettext
from dmlviz.engines.trace import Trace
from dmlviz.operators import FEATURE_LEVELS, Operator
from dmlviz.operators.calculations import Calculation, equations
from dmlviz.operators.directions import SIMPLE
from dmlviz.operators.misreadings import Misreading
from dmlviz.operators.per_dimension import moved
from dmlviz.operators.settings import Dice
from dmlviz.teaching.answers import MOST_WRONG, Answer, evened, places, weighed
from dmlviz.teaching.fact_texts import operator_name
from dmlviz.teaching.misread import (
    indices_of,
    misread_sizes,
    misread_sources,
    sources_of,
)
from dmlviz.teaching.questions import (
    Question,
    question_input,
    settings_text,
    setup,
    sizes_explanation,
    source_text,
    travelling,
    value_text,
)
from dmlviz.teaching.subjects import TRIES, Subject, ran, subject_values, subjects
from dmlviz.tensors import DATA_TYPES, print_value
from dmlviz.tensors.numbering import (
    differing_elements,
    located,
    print_all_sizes,
    print_cell,
    sizes_by_name,
)
from dmlviz.tensors.types import NamedSizes, Sizes, Tensors

_CELLS = 6
_NEAR = 3


def ask_sizes(subject: Subject, level: int, dice: Dice) -> Question | None:
    """What sizes the output has, or each of several outputs."""
    operator, sizes = subject.operator, subject.all_sizes
    trace = ran(subject, level, dice)
    out = sizes_by_name(trace.outputs)
    wrong: dict[str, Answer] = {}
    right = Answer(print_all_sizes(out))
    for misread, misreading in dice.shuffled(list(misread_sizes(trace))):
        other = print_all_sizes(misread)
        if other != right.text:
            wrong.setdefault(other, Answer(other, misreading.words))
    for mixed, why in _mixed_sizes(operator, sizes, out, [s for s, _m in misread_sizes(trace)]):
        other = print_all_sizes(mixed)
        if other != right.text and min(min(each) for each in mixed.values()) > 0:
            wrong.setdefault(other, Answer(other, why))
    if len(wrong) < 2:
        return None
    ordered = dice.shuffled([right, *evened(right, [*wrong.values()], dice)])
    prompt = _("What are the sizes of the output?")
    if len(out) > 1:
        prompt = _("What are the sizes of the outputs?")
    return Question(
        "sizes",
        level,
        operator,
        question_input(trace),
        prompt,
        tuple(ordered),
        ordered.index(right),
        None,
        sizes_explanation(operator, sizes, out),
        "input",
        stated=setup(operator, sizes, operator.same_sizes),
        quiet=operator.same_sizes,
        rule=operator.size_rule(),
    )


def _mixed_sizes(
    operator: Operator, sizes: NamedSizes, out: NamedSizes, misread: list[NamedSizes]
) -> Iterator[tuple[NamedSizes, str]]:
    """Sizes with one misread dimension more or fewer than a misreading has."""
    name, right = next(iter(out.items()))
    before = next(iter(sizes.values()))
    beliefs = [each[name] for each in misread if len(each.get(name, ())) == len(right)]
    places = list(range(len(right)))
    if len(before) == len(right):
        # the input's own sizes, and the change applied once or twice more
        changes = [(b, n - b) for b, n in zip(before, right, strict=True)]
        beliefs += [tuple(b + times * n for b, n in changes) for times in (0, 2, 3)]
        # nobody expects another size if nothing changes
        places = [d for d in places if right[d] != before[d]]
    beliefs += [each for each in sizes.values() if len(each) == len(right) and each != before]
    sums = operator.sums(sizes)[name]
    # a reader who multiplies or divides is not off by one
    near = tuple(0 if each.multiplies else 1 for each in sums)
    ends = [tuple(n + by * e for n, e in zip(right, near, strict=True)) for by in (1, -1)]
    for first, second in (*product([right, *beliefs], repeat=2), *product([right], ends)):
        for d in places:
            mixed = (*first[:d], second[d], *first[d + 1 :])
            wrong = [k for k in range(len(right)) if mixed[k] != right[k]]
            if wrong:
                d = wrong[0]
                why = _why_not_size(before, right, d, sums[d], mixed[d])
                yield {**out, name: mixed}, why


def _why_not_size(before: Sizes, sizes: Sizes, d: int, rule: Calculation, n: int) -> str:
    """The right size of one dimension, and how it is calculated, or that it is the input's."""
    words = _("The size of dimension {d} is {sum}, not {n}.")
    if len(sizes) <= SIMPLE:
        ways = _("Rows: {sum}, not {n}."), _("Columns: {sum}, not {n}.")
        words = ways[d] if len(sizes) == SIMPLE else _("Elements: {sum}, not {n}.")
    equation = rule.equation
    if not rule.sign and len(before) == len(sizes) and before[d] == sizes[d]:
        equation = _("{size} as in the input").format(size=equation)
    return words.format(d=d, sum=equation, n=n)


Wrong = dict[int, Misreading]
"""For each wrong source of a cell, the first misreading that leads to it."""


def ask_source(subject: Subject, level: int, dice: Dice) -> Question | None:
    """Which input element lands in a cell."""
    trace = ran(subject, level, dice)
    travels = travelling(trace)

    def text_of(taken: int) -> str:
        return source_text(taken, travels)

    def choices(number: int, wrong: Wrong) -> list[Answer]:
        right = Answer(source_text(int(sources_of(trace)[number]), travels))
        others = [Answer(source_text(taken, travels), m.words) for taken, m in wrong.items()]
        return [right, *others]

    prompt = _("Which input element lands at {cell}?")
    return _cell_question("source", level, subject, trace, choices, text_of, prompt, dice)


def ask_value(subject: Subject, level: int, dice: Dice) -> Question | None:
    """What a cell holds."""
    trace = ran(subject, level, dice)
    travels, padding = travelling(trace), subject.operator.padding(trace.data_type)

    def text_of(taken: int) -> str:
        return value_text(taken, travels, padding)

    def choices(number: int, wrong: Wrong) -> list[Answer]:
        right = Answer(value_text(int(sources_of(trace)[number]), travels, padding))
        answers = [right]
        for taken, misreading in wrong.items():
            text = value_text(taken, travels, padding)
            words = _("{words} {source} is {value}.")
            if taken < 0:
                words = _("{words} {value} is the padding value.")
            source = source_text(taken, travels)
            why = words.format(words=misreading.words, value=text, source=source)
            answers.append(Answer(text, why))
        return answers

    prompt = _("Which value does {cell} hold?")
    return _cell_question("value", level, subject, trace, choices, text_of, prompt, dice)


def _cell_question(
    kind: str,
    level: int,
    subject: Subject,
    trace: Trace,
    choices: Callable[[int, Wrong], list[Answer]],
    text_of: Callable[[int], str],
    prompt: str,
    dice: Dice,
) -> Question | None:
    number, answers = _cell_to_ask(trace, choices, dice)
    if not answers:
        return None
    right = answers[0]
    cell = print_cell(number, trace.outputs, "out")
    output, index = located(number, trace.outputs)
    explanation = trace.operator.explain(
        trace.inputs, index, output, letters=level > 1, looked=True
    )
    if kind == "value":
        explanation += "\n" + _("So {cell} holds {value}.").format(cell=cell, value=right.text)
    ordered = dice.shuffled(answers)
    taken = (int(misreading.source.ravel()[number]) for misreading in misread_sources(trace))
    reads = {text_of(source): source for source in taken}
    reads[right.text] = int(sources_of(trace)[number])
    return Question(
        kind,
        level,
        trace.operator,
        question_input(trace),
        prompt.format(cell=cell),
        tuple(ordered),
        ordered.index(right),
        index,
        explanation,
        "input",
        output,
        tuple(reads[answer.text] for answer in ordered),
        stated=setup(subject.operator, subject.all_sizes),
        rule=trace.operator.rule_words(trace.inputs),
    )


def _cell_to_ask(
    trace: Trace, choices: Callable[[int, Wrong], list[Answer]], dice: Dice
) -> tuple[int, list[Answer]]:
    """A cell that several misreadings fill differently, with its choices, the right one first.

    Args:
        trace: the run.
        choices: makes all possible choices for a cell and its wrong sources.
        dice: draws the cells to compare, and the places of the right answer.

    Returns:
        No choices if there is no such cell.
    """
    misreadings = misread_sources(trace)
    if len(misreadings) < 2:
        return 0, []
    taken = np.stack([m.source for m in misreadings])
    truth = sources_of(trace)
    ordered = np.sort(np.where(taken == truth, truth, taken), axis=0)
    different = 1 + (np.diff(ordered, axis=0) != 0).sum(axis=0) - (taken == truth).any(axis=0)
    # an index is not a copy: it has no source and holds no value
    different[indices_of(trace)] = 0
    if different.max() < 2:
        return 0, []
    rich = np.flatnonzero(different >= min(3, int(different.max())))
    wanted, nearest = places(dice), math.inf
    best: tuple[int, list[Answer]] = (0, [])
    ordered_by = _by_weight(misreadings, dice)
    for flat in dice.shuffled(rich.tolist())[:_CELLS]:
        wrong: Wrong = {}
        for misreading in ordered_by:
            element = int(misreading.source[flat])
            if element != truth[flat]:
                wrong.setdefault(element, misreading)
        right, *others = choices(flat, wrong)
        far, listed = weighed(right, others, wanted)
        if far < nearest:
            nearest, best = far, (flat, [right, *listed])
    return best


def _by_weight(misreadings: list[Misreading], dice: Dice) -> list[Misreading]:
    """The most confused one first, the others in random order."""
    return [misreadings[0], *dice.shuffled(misreadings[1:])]


def ask_setting(subject: Subject, level: int, dice: Dice) -> Question | None:
    """Which setting makes this output from this input."""
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
            "{operator} made the output of sizes {out} without an input. Which setting does that?"
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
        "setting",
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
    numbers = differing_elements(outputs, trace.outputs)[:_CELLS]
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


@dataclass(frozen=True)
class _Attempt:
    """A plausible attempt; without a data type, the type is not mentioned."""

    subject: Subject
    data_type: str | None = None
    level: str | None = None

    def problems(self) -> list[Problem]:
        # questions do not show the values of control tensors, so those must not cause a refusal
        subject = self.subject
        return subject.operator.problems(subject.all_sizes, self.data_type, self.level)

    def words(self) -> str:
        operator, sizes = self.subject.operator, print_all_sizes(self.subject.all_sizes)
        settings = settings_text(operator)
        if not self.subject.all_sizes:
            return settings
        text = _("sizes {sizes}, {settings}").format(sizes=sizes, settings=settings)
        if not settings:
            text = _("sizes {sizes}").format(sizes=sizes)
        if self.level is None:
            return text
        return _("{state}, {data_type} at feature level {level}").format(
            state=text, data_type=self.data_type, level=self.level
        )

    def why_accepted(self) -> str:
        """A sentence that says that it is valid, with its numbers."""
        if self.level is not None:
            rank = self.subject.operator.directml_rank(self.subject.sizes)
            return _(
                "That is accepted: feature level {level} accepts {data_type} with {rank} "
                "dimensions."
            ).format(level=self.level, data_type=self.data_type, rank=rank)
        operator, sizes = self.subject.operator, self.subject.all_sizes
        sums = equations(operator.sums(sizes))
        if not sizes:
            words = _("That is accepted: the output has sizes {out}.")
            return words.format(out=print_all_sizes(operator.outputs_after(sizes)))
        words = ngettext(
            "That is accepted: {sums}; {sizes} becomes {out}.",
            "That is accepted: {sums}; {sizes} become {out}.",
            len(sizes),
        )
        if not sums:
            words = ngettext(
                "That is accepted: {sizes} becomes {out}.",
                "That is accepted: {sizes} become {out}.",
                len(sizes),
            )
        return words.format(
            sums=", ".join(sums),
            sizes=print_all_sizes(sizes),
            out=print_all_sizes(operator.outputs_after(sizes)),
        )


def ask_refused(subject: Subject, level: int, dice: Dice) -> Question | None:
    """Which of several is refused."""
    accepted, cls = _Attempt(subject), type(subject.operator)
    # without an input, the data type is a setting
    at_levels = level == 3 and bool(cls.input_slots)
    refused = _refused_at_level(accepted, dice) if at_levels else None
    if refused is None:
        # all of them must be valid at every level
        at_levels, refused = False, _refused_everywhere(accepted, dice)
    if refused is None:
        return None
    problems = refused.problems()
    attempts = {
        Answer(attempt.words(), attempt.why_accepted()): attempt
        for attempt in _accepted(cls, level, at_levels, refused, dice)
    }
    if len(attempts) < MOST_WRONG:
        return None
    right = Answer(refused.words())
    wrong = evened(right, [*attempts], dice)
    others = [attempts[answer] for answer in wrong]
    ordered = dice.shuffled([right, *wrong])
    inputs = subject_values(others[0].subject, level, dice)
    # the table beside the question is the rule at feature levels
    rule = "" if at_levels else _("Rule: {rule}").format(rule=cls.accepts())
    prompt = _("Which of these does {operator} refuse?").format(
        operator=operator_name(subject.operator)
    )
    return Question(
        "refused",
        level,
        others[0].subject.operator,
        next(iter(inputs.values())) if len(inputs) == 1 else inputs,
        prompt,
        tuple(ordered),
        ordered.index(right),
        None,
        "\n".join(_as_labelled(problem, subject.operator) for problem in problems),
        "support" if at_levels else "none",
        rule=rule,
    )


def _as_labelled(problem: Problem, operator: Operator) -> str:
    """The message of a problem, with the setting named as the choices name it."""
    setting = operator.declared.get(problem.field)
    message = problem.message
    if setting is None or not message.startswith(f"{problem.field}:"):
        return message
    return setting.label + message.removeprefix(problem.field)


def _accepted(
    cls: type[Operator], level: int, at_levels: bool, refused: _Attempt, dice: Dice
) -> list[_Attempt]:
    """Up to six valid ones, as different as possible."""
    attempts: dict[str, _Attempt] = {}
    # the same case with another size or level is the most similar choice
    for subject in subjects(cls, level, dice):
        attempt = _Attempt(subject)
        if at_levels:
            attempt = replace(
                attempt, data_type=dice.choice(_data_types(cls)), level=dice.choice(FEATURE_LEVELS)
            )
        if not attempt.problems() and attempt.words() != refused.words():
            attempts[attempt.words()] = attempt
        if len(attempts) == 2 * MOST_WRONG:
            break
    return list(attempts.values())


def _refused_at_level(accepted: _Attempt, dice: Dice) -> _Attempt | None:
    """One that only the feature level refuses."""
    for _try in range(TRIES):
        data_type, level = (
            dice.choice(_data_types(type(accepted.subject.operator))),
            dice.choice(FEATURE_LEVELS),
        )
        attempt = replace(accepted, data_type=data_type, level=level)
        problems = attempt.problems()
        # the table beside the question must show it
        if any(problem.source.endswith("Tensor support") for problem in problems):
            return attempt
    return None


def _data_types(cls: type[Operator]) -> tuple[str, ...]:
    """Those on which the documentation and DirectML agree."""
    unlisted = cls.unlisted_types
    return tuple(name for name in DATA_TYPES if name not in unlisted)


def _refused_everywhere(accepted: _Attempt, dice: Dice) -> _Attempt | None:
    """One with a setting that is invalid at every level."""
    refused = [attempt for attempt in _spoiled(accepted) if attempt.problems()]
    return dice.choice(refused) if refused else None


def _spoiled(accepted: _Attempt) -> Iterator[_Attempt]:
    subject = accepted.subject
    operator, sizes = subject.operator, subject.sizes
    for parameter in operator.parameters():
        now = operator.settings[parameter.name]
        for other in parameter.refused(now, sizes):
            spoiled = replace(operator, **{parameter.name: other})
            yield replace(accepted, subject=replace(subject, operator=spoiled))
    if len(sizes) > 1 and operator.input_slots:
        yield replace(accepted, subject=replace(subject, sizes=sizes[1:]))


Ask = Callable[[Subject, int, Dice], Question | None]

ASK: Mapping[str, Ask] = MappingProxyType(
    {
        "sizes": ask_sizes,
        "source": ask_source,
        "value": ask_value,
        "setting": ask_setting,
        "refused": ask_refused,
    }
)
"""By kind, what makes a question about a subject at a level; None if there is none."""
