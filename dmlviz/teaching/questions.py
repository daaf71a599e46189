"""A question with its answers, as data; the texts that all kinds of questions share."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.words import _, ngettext
from dmlviz.engines.trace import Trace
from dmlviz.movement import VALUES
from dmlviz.operators import Operator
from dmlviz.operators.calculations import equations_by_dimension
from dmlviz.operators.feature_levels import print_ranks
from dmlviz.teaching.answer_inputs import AnswerInput
from dmlviz.teaching.answers import Answer
from dmlviz.teaching.fact_texts import operator_name, runs_on
from dmlviz.tensors import print_sizes, print_value
from dmlviz.tensors.numbering import located, print_all_sizes, print_cell
from dmlviz.tensors.types import Array, Sizes, Tensors

LEVELS = (1, 2, 3)
"""1: rows and tables first, then up to 32 elements, in order, in one or two dimensions if the
operator allows it; 2: four dimensions, as in the documentation; 3: several dimensions change,
elements in any order, and what is refused depends on feature levels."""


_OUTSIDE_BRACES = regex(r", (?![^{]*\})")


@dataclass(frozen=True, eq=False)
class Question:
    """One question; exactly one of its choices is right, by the engine.

    Attributes:
        kind: a key of :data:`dmlviz.teaching.kinds.KINDS`.
        level: one of :data:`LEVELS`.
        operator, x: the operator and its input, or inputs by name if there are several; if
            nothing is pictured, valid ones.
        asks: the question alone.
        choices: two to four, with different texts.
        right: the number of the right one.
        marked: the index of the output cell in question, or None.
        explanation: why the right one is right, with its numbers.
        shows: what can be drawn with the question: ``input``, ``both`` (input and output),
            ``support`` (the operator's table of feature levels) or ``none``.
        output: the name of the output that holds the marked cell, if there can be several.
        reads: for each choice, the number of the input element that it takes, through all inputs
            whose elements move; -1 for none. Empty where choices do not take one.
        lands: the index of the output cell to mark once there is an answer; None for ``marked``.
        words: what the operator does to these numbers in plain words; empty without such words.
        stated: the operator, its settings and its input in a sentence; empty if ``asks`` or
            ``words`` say all that is needed.
        quiet: names of settings that are in question, or that the answer does not depend on.
        rule: what decides the answer and no picture says; empty where the picture is enough.
        of_settings: whether the choices are settings.
        input: how a class answers it, if not as its kind says.
        caption: what stands above the picture once there is an answer; often empty.
    """

    kind: str
    level: int
    operator: Operator
    x: Any
    asks: str
    choices: tuple[Answer, ...]
    right: int
    marked: Sizes | None
    explanation: str
    shows: str
    output: str = ""
    reads: tuple[int, ...] = ()
    lands: Sizes | None = None
    words: str = ""
    stated: str = ""
    quiet: tuple[str, ...] = ()
    rule: str = ""
    of_settings: bool = False
    caption: str = ""
    input: AnswerInput | None = None

    @property
    def pictured(self) -> bool:
        """Whether a picture shows what the question is about."""
        return self.shows in ("input", "both")

    @property
    def prompt(self) -> str:
        """The question with all that is said before it, for paper."""
        return " ".join(filter(None, (self.words, self.stated, self.rule, self.asks)))

    @property
    def settings(self) -> tuple[str, ...]:
        """Each setting that the answer depends on, such as ``Axis 1``."""
        return settings_list(self.operator, self.quiet) if self.stated else ()

    @property
    def shared(self) -> tuple[str, ...]:
        """The settings that all choices have, to show once; empty if they are no settings."""
        if not self.of_settings:
            return ()
        first, *others = (_OUTSIDE_BRACES.split(choice.text) for choice in self.choices)
        return tuple(part for part in first if all(part in other for other in others))

    def button_text(self, choice: Answer) -> str:
        """A choice without what all of them have; all of it if nothing would be left."""
        parts = _OUTSIDE_BRACES.split(choice.text) if self.shared else []
        return ", ".join(part for part in parts if part not in self.shared) or choice.text

    @property
    def inputs(self) -> Tensors:
        """Every input by DirectML's name."""
        return self.operator.named_inputs(self.x, "x")


def settings_text(operator: Operator, but: Collection[str] = ()) -> str:
    """Its settings that matter in one line, as :func:`settings_list` has them.

    >>> from dmlviz.operators import Padding
    >>> settings_text(Padding("EDGE", (0, 2), (1, 0)))
    'PaddingMode EDGE, StartPadding {0, 2}, EndPadding {1, 0}'
    """
    return ", ".join(settings_list(operator, but))


def settings_list(operator: Operator, but: Collection[str] = ()) -> tuple[str, ...]:
    """Its settings that matter, with DirectML's names.

    Args:
        operator: with its settings.
        but: names of settings to omit.
    """
    now = operator.settings
    parts = []
    for parameter in operator.parameters():
        value = now[parameter.name]
        if parameter.name not in but and parameter.used(now) and not parameter.unspoken(value):
            printed = parameter.spell(value) if parameter.ranked else _print_setting(value)
            parts.append(f"{parameter.label} {printed}")
    return tuple(parts)


def _print_setting(value: Any) -> str:
    if isinstance(value, tuple):
        return print_sizes(value)
    if isinstance(value, float):
        return print_value(np.float32(value))
    return str(value)


def setup(operator: Operator, sizes: Mapping[str, Sizes], but: Collection[str] = ()) -> str:
    """The first sentence of a question: the operator and its input.

    Args:
        operator: with its settings.
        sizes: of its inputs.
        but: names of settings to omit.
    """
    settings = settings_text(operator, but)
    if not sizes:
        words = _("{operator} with {settings} makes a tensor without an input.")
        return words.format(operator=operator_name(operator), settings=settings)
    if not settings:
        return runs_on(operator, sizes)
    words = _("{operator} with {settings} runs on {sizes}.")
    if len(sizes) == 1:
        words = _("{operator} with {settings} runs on an input of sizes {sizes}.")
    return words.format(
        operator=operator_name(operator), settings=settings, sizes=print_all_sizes(sizes)
    )


def sizes_explanation(
    operator: Operator, sizes: Mapping[str, Sizes], out: Mapping[str, Sizes]
) -> str:
    """Why the outputs have their sizes: the calculations, then the sizes before and after.

    Args:
        operator: with its settings; not of code.
        sizes: of its inputs.
        out: of its outputs.
    """
    lines: list[str] = []
    for name, sums in operator.sums(sizes).items():
        lines += equations_by_dimension(sums, name if len(out) > 1 else "")
    if not lines and (origin := operator.size_words()):
        lines.append(origin)
    words = ngettext("{sizes} becomes {out}.", "{sizes} become {out}.", len(sizes))
    lines.append(words.format(sizes=print_all_sizes(sizes), out=print_all_sizes(out)))
    return "\n".join(lines)


def source_text(number: int, travels: Tensors) -> str:
    """The input element with that number, or words that there is none.

    Args:
        number: through all inputs whose elements move; -1 for none.
        travels: these inputs by name.
    """
    if number < 0:
        return _("no input element: the padding value")
    return print_cell(number, travels, "in")


def value_text(number: int, travels: Tensors, padding: np.generic | None) -> str:
    """The value of an input element, or the padding value."""
    if number < 0:
        return "0" if padding is None else print_value(padding)
    tensor, index = located(number, travels)
    return print_value(travels[tensor][index])


def travelling(trace: Trace) -> dict[str, Array]:
    """The inputs whose elements move, by name."""
    role = trace.operator.role
    return {name: x for name, x in trace.inputs.items() if role(name) == VALUES}


def question_input(trace: Trace) -> Any:
    """The input of a run, or all inputs by name, as :class:`Question` takes them."""
    return trace.x if len(trace.inputs) == 1 else dict(trace.inputs)


SupportRow = tuple[str, str, str]
"""A feature level, the ranks and the data types that it accepts, as texts."""


def support_head() -> SupportRow:
    """The headings of the table of feature levels, for answering questions about them.

    >>> support_head()
    ('Feature level', 'Dimensions', 'Data types')
    """
    return _("Feature level"), _("Dimensions"), _("Data types")


def support_rows(operator: Operator | type[Operator]) -> tuple[SupportRow, ...]:
    """The "Tensor support" section of the operator's page, oldest level first.

    >>> from dmlviz.operators import Padding
    >>> support_rows(Padding)[0]
    ('1_0', '4 or 5', 'FLOAT32, FLOAT16')
    """
    return tuple(
        (row.level, print_ranks(row.ranks), ", ".join(row.data_types)) for row in operator.support
    )


def support_note() -> str:
    """How to read the table."""
    return _("Each row applies from its feature level up to the next row.")


def support_text(operator: Operator | type[Operator]) -> str:
    """The table as lines of text with a tab between columns.

    >>> from dmlviz.operators import Padding
    >>> support_text(Padding).splitlines()[1]
    '1_0\\t4 or 5\\tFLOAT32, FLOAT16'
    """
    rows = (support_head(), *support_rows(operator))
    return "\n".join((*("\t".join(row) for row in rows), "", support_note()))
