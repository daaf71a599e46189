"""What sizes the output has, or each of several outputs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code.operator import CodeOperator
from dmlviz.operators import Operator
from dmlviz.operators.calculations import Calculation
from dmlviz.operators.directions import SIMPLE
from dmlviz.operators.settings import Dice
from dmlviz.picture.scene import Scene
from dmlviz.teaching.answer_inputs import SIZES_TYPED
from dmlviz.teaching.answers import Answer, evened
from dmlviz.teaching.kinds.kind import QuestionKind, WorkedOut
from dmlviz.teaching.misread import misread_sizes
from dmlviz.teaching.plain import AskPlain, ask_count
from dmlviz.teaching.predict import predictions
from dmlviz.teaching.questions import Question, question_input, setup, sizes_explanation
from dmlviz.teaching.subjects import Subject, ran
from dmlviz.tensors import print_sizes
from dmlviz.tensors.numbering import print_all_sizes, sizes_by_name
from dmlviz.tensors.types import NamedSizes, Sizes


class SizesKind(QuestionKind):
    """The sizes of every output."""

    key = "sizes"
    place = 10
    input = SIZES_TYPED
    facts = "sizes"
    of_states = True
    after_presets = True

    def title(self) -> str:
        return _("Sizes of the output")

    def plain(self) -> AskPlain:
        return ask_count

    def ask(self, subject: Subject, level: int, dice: Dice) -> Question | None:
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
        return Question(
            self.key,
            level,
            operator,
            question_input(trace),
            _prompt(len(out)),
            tuple(ordered),
            ordered.index(right),
            None,
            sizes_explanation(operator, sizes, out),
            "input",
            stated=setup(operator, sizes, operator.same_sizes),
            quiet=operator.same_sizes,
            rule=operator.size_rule(),
        )

    def on_state(self, scene: Scene, cell: str) -> WorkedOut:
        choices = tuple(Answer(guess.text, guess.why) for guess in predictions(scene).sizes)
        if len(choices) < 2:
            rule = _("no wrong sizes are likely here; write the choices yourself.")
            raise Error(rule, "asks")
        return WorkedOut(_prompt(len(scene.trace.outputs)), choices, _sizes_reason(scene))


def _prompt(outputs: int) -> str:
    if outputs > 1:
        return _("What are the sizes of the outputs?")
    return _("What are the sizes of the output?")


def _sizes_reason(scene: Scene) -> str:
    """What the sizes were before, and what each call of a code or the operator makes of them."""
    trace, strip = scene.trace, scene.strip
    before, after = sizes_by_name(trace.inputs), sizes_by_name(trace.outputs)
    if not isinstance(trace.operator, CodeOperator):
        return sizes_explanation(trace.operator, before, after)
    if strip is None:
        inputs = ", ".join(f"{name} {print_sizes(sizes)}" for name, sizes in before.items())
        return f"{inputs}\n{trace.operator.on_one_line()} \u2192 {print_all_sizes(after)}"
    by_call: dict[int, list[str]] = {}
    texts: dict[int, str] = {}
    for tensor in strip.tensors:
        name = "" if tensor.call else f"{tensor.name} "
        by_call.setdefault(tensor.call, []).append(name + print_sizes(tensor.sizes))
        texts[tensor.call] = f"{tensor.text} \u2192 " if tensor.call else ""
    return "\n".join(texts[call] + ", ".join(sizes) for call, sizes in by_call.items())


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
