"""Presets: useful states of the explorers, each with one question; and runs for the engines page.

Each operator's TOML file has its own. Answers are filled in by the engine, so that their numbers
are correct.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

from dmlviz.base.cache import cached
from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace, run
from dmlviz.operators import OPERATORS, Operator, operator_class
from dmlviz.operators.texts import translated
from dmlviz.states import State, View
from dmlviz.teaching.fact_texts import Answers, fields, filled, runs_on
from dmlviz.teaching.facts import facts_on, operator_state_of
from dmlviz.tensors import short_text
from dmlviz.tensors.numbering import sizes_by_name
from dmlviz.tensors.types import Array, Sizes

MOST_CELLS = 6
"""The limit of pinned elements, as of :class:`dmlviz.states.View`."""

_INDEX = r"\[\s*([0-9:]+(?:\s*,\s*[0-9:]+)*)\s*\]"

_OUT = regex(rf"(?:[a-z]+(?:\[[0-9]\])? of )?(\w+(?:\[[0-9]+\])?){_INDEX}")

_COPY = regex(r"(?:copy(?:\[[0-9]\])?|copies) of (.+)")


@dataclass(frozen=True)
class Preset:
    """A useful state, and the one question that its picture answers.

    Attributes:
        key: its name among all presets, such as ``padding-size-1``.
        title: a few words, for menus.
        question: one question.
        template: the answer, with placeholders for :class:`dmlviz.teaching.state_facts.StateFacts`.
        state: what the explorer opens.
        pictured: whether Home shows it as a card.
    """

    key: str
    title: str
    question: str
    template: str
    state: State
    pictured: bool = False

    @property
    def name(self) -> str:
        """Its name among the presets of all pages."""
        return self.key

    @property
    def group(self) -> str:
        """What presets have in common that stand together in the page's menu; nothing here."""
        return ""

    @property
    def runs_on(self) -> str:
        """The operator and its inputs in a sentence."""
        return runs_on(self.operator, sizes_by_name(self.inputs))

    @property
    def operator(self) -> Operator:
        """The operator."""
        return self.state.operator()

    @property
    def second(self) -> Operator | None:
        """The operator to compare it with, if there is one."""
        second = self.state.second()
        return None if second is None else second.operator()

    @property
    def x(self) -> Array:
        """The input, if there is only one."""
        return self.state.x()

    @property
    def inputs(self) -> dict[str, Array]:
        """Every input by DirectML's name."""
        return self.state.inputs()

    @property
    def link(self) -> str:
        """Its address, relative to the app's root."""
        return self.state.address(whole=True)

    @property
    def refusal(self) -> str:
        """Why the operator refuses this input, if the preset shows that; otherwise empty."""
        problems = replace(self.state, view=View()).problems()
        return problems[0].message if problems else ""

    @property
    def opens(self) -> bool:
        """Whether there is a picture; if not, the refusal is the answer."""
        return not self.refusal

    @property
    def answer(self) -> str:
        """One or two sentences with the numbers on screen; this runs the operator."""
        return filled(self.template, facts_on(self.state))

    def cells(self, outputs: Mapping[str, Sizes]) -> tuple[tuple[int, ...], ...]:
        """The output elements that the answer names, as :class:`dmlviz.states.View` pins them.

        Args:
            outputs: the sizes of every output on the stage, by its name there.
        """
        compared = self.state.view.compare is not None
        return answer_cells(self.template, facts_on(self.state), outputs, compared=compared)

    def trace(self) -> Trace:
        """The operator's run on the reference engine.

        Raises:
            Refused: the preset shows a refusal.
        """
        return run(self.operator, self.inputs)

    def second_trace(self) -> Trace:
        """The run of the operator to compare it with; of the first operator if there is none.

        Raises:
            Refused: the preset shows a refusal.
        """
        return run(self.second or self.operator, self.inputs)

    def matches(self, state: State) -> bool:
        """Whether a page in this state asks this question: engine and layout do not matter."""
        own = self.state
        # most states differ here; a page compares its own with every preset at each change
        if state.settings != own.settings:
            return False
        asked, here = ((v.feature_level, v.compare) for v in (own.view, state.view))
        return asked == here and replace(state, view=own.view) == own


def presets() -> tuple[Preset, ...]:
    """All presets, by operator, in display order."""
    return tuple(preset for cls in OPERATORS for preset in presets_of(cls.key))


@cached(megabytes=4)
def presets_of(key: str) -> tuple[Preset, ...]:
    """The presets of one operator's page; empty if it has none, or if there is no such page.

    >>> [preset.key for preset in presets_of("tile")][1]
    'tile-documentation'
    """
    try:
        texts = operator_class(key).texts()
    except Error:
        return ()
    return tuple(
        Preset(
            f"{key}-{text.key}",
            translated(text.title),
            translated(text.question),
            translated(text.answer),
            operator_state_of(text.link),
            text.pictured,
        )
        for text in texts.presets
    )


def preset(key: str) -> Preset:
    """The preset of that name.

    Raises:
        Error: there is none.

    >>> preset("padding-size-1").x.tolist()
    [7]
    """
    for one in presets():
        if one.key == key:
            return one
    raise Error(_("preset: there is no preset {key}.").format(key=short_text(key)), "preset")


@dataclass(frozen=True, eq=False)
class EngineCase:
    """A run on the engines page, in which engines agree, refuse, or need a lowering.

    Attributes:
        key: its name among all cases.
        title: its special feature, in a few words.
        operator: the operator.
        inputs: by DirectML's names, in the structure's order.
        trap: an error in versions of a provider, and how dmlviz avoids it; empty if there is none.
    """

    key: str
    title: str
    operator: Operator
    inputs: Mapping[str, Array]
    trap: str = ""


def engine_cases() -> tuple[EngineCase, ...]:
    """The runs on the engines page, by operator, in display order."""
    cases = []
    for text in (text for cls in OPERATORS for text in cls.texts().cases):
        state = operator_state_of(text.link)
        title, trap = translated(text.title), translated(text.trap)
        cases.append(EngineCase(text.key, title, state.operator(), state.inputs(), trap))
    return tuple(cases)


def answer_cells(
    template: str, facts: Answers, outputs: Mapping[str, Sizes], *, compared: bool
) -> tuple[tuple[int, ...], ...]:
    """The elements, as :class:`dmlviz.states.View` pins them: those named first, at most six.

    A row or plane that does not fit whole is left out.

    Args:
        template: the answer, with placeholders for facts.
        facts: of the preset's state.
        outputs: the sizes of every output on the stage, by its name there.
        compared: whether the last ones are those of what the state is compared with.
    """
    names = list(outputs)
    several = compared or len(names) > 1 or "[" in names[0]
    cells: dict[tuple[int, ...], None] = {}
    for name, index in _elements(template, facts):
        number = _number(name, names, compared=compared)
        if number is None:
            continue
        within = list(_within(index, outputs[names[number]]))
        more = {(number, *at) if several else at: None for at in within}
        if len(cells | more) <= MOST_CELLS:
            cells |= more
    return tuple(cells)


def _elements(template: str, facts: Answers) -> Iterator[tuple[str, str]]:
    """The name and the index of every part of an output that the answer names."""
    for fact in fields(template):
        if match := _COPY.fullmatch(fact):
            try:
                fact = facts(f"copy of {match[1]}")
            except Error:  # of an input element that has no copy
                continue
        if match := _OUT.fullmatch(fact):
            yield match[1], match[2]


def _number(name: str, names: list[str], *, compared: bool) -> int | None:
    """The number of the output on the stage; None for an input and for what is not named alone."""
    if compared:
        name = {"out": "A", "other": "B"}.get(name, "")
    elif name == "out" and len(names) == 1:
        name = names[0]
    return names.index(name) if name in names else None


def _within(index: str, sizes: Sizes) -> Iterator[tuple[int, ...]]:
    """The elements of an index that may have colons; none if it is not in a tensor of the sizes."""
    parts = [part.strip() for part in index.split(",")]
    if len(parts) == len(sizes):
        ranges = (
            range(n) if part == ":" else range(int(part), min(int(part) + 1, n))
            for part, n in zip(parts, sizes, strict=True)
        )
        yield from product(*ranges)
