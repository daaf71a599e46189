"""Reading a link: the good parts are kept, and every bad one gets a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import unquote_plus

from dmlviz.errors import Error, Problem
from dmlviz.operators import OPERATORS, Operator, feature_level
from dmlviz.operators.settings import Setting, Sizes, read_whole
from dmlviz.scene import DIRECTIONS, STAGE_LIMIT
from dmlviz.states.settings import Settings, used_settings
from dmlviz.states.state import (
    COLORS,
    LANGUAGE,
    MOST_PINS,
    MOVES,
    PRESENT,
    State,
    View,
    engine_name,
    first_state,
    value_options,
)
from dmlviz.tensors import (
    DATA_TYPES,
    MAX_RANK,
    PICTURES,
    check_element_count,
    element_count,
    one_line,
    print_sizes,
    printed_own,
    read_literal,
    read_sizes,
)
from dmlviz.words import _, known, ngettext

MOST_LINK = 200_000
"""How many characters of a link are read."""

MOST_PARTS = 200
MOST_TOLD = 10
"""How many bad parts get a sentence each; further ones are counted."""

MOST_SEED = 2**31

_SOURCE = "link"
_NAME, _VALUE = 40, 60
_STEP = re.compile(r"[0-9]{1,6}(\.[0-9]{1,2})?")


@dataclass(frozen=True)
class Opened:
    """What a link says.

    Attributes:
        state: with all good parts and the page's own state for the rest; None where the
            link's page has no operator.
        problems: a sentence for each bad part.
        typed: texts that cannot be used but can stand in the widget they belong to.
    """

    state: State | None
    problems: tuple[Problem, ...] = ()
    typed: Mapping[str, str] = field(default_factory=dict)


def read_link(text: str) -> Opened:
    """The state that a link names; never an exception, whatever the text holds.

    Args:
        text: ``/tile?...``, ``tile?...`` or a whole address of any host; up to 200,000
            characters are read.

    >>> opened = read_link("/tile?sizes=2,3&repeats=2,2&data_type=FLOAT7")
    >>> opened.state.sizes, opened.state.settings, len(opened.problems)
    ((2, 3), (('repeats', '2,2'),), 1)
    """
    if len(text) > MOST_LINK:
        sentence = _("link: it has {count:,} characters, more than the {most:,} that are read.")
        sentence = sentence.format(count=len(text), most=MOST_LINK)
        text, early = text[:1_000].partition("?")[0], [Problem("link", sentence, _SOURCE)]
    else:
        early = []
    # a lone surrogate can be in no sentence
    text = text.encode("utf-8", "replace").decode()
    before, _mark, query = text.partition("#")[0].partition("?")
    key = before.rstrip("/").rpartition("/")[2]
    parts = query.split("&", MOST_PARTS)
    if len(parts) > MOST_PARTS:
        sentence = _("link: only its first {most} parts are read.").format(most=MOST_PARTS)
        early.append(Problem("link", sentence, _SOURCE))
    words = {}
    for part in parts[:MOST_PARTS]:
        name, _equals, value = part.partition("=")
        if name:
            words[unquote_plus(name)] = unquote_plus(value)
    if key not in (cls.key for cls in OPERATORS):
        sentence = _("link: {page} is none of the pages {pages}.").format(
            page=_quoted(key), pages=", ".join(cls.key for cls in OPERATORS)
        )
        return Opened(None, (*early, Problem("page", sentence, _SOURCE)))
    # where it is shown, and in which language, is no part of what is seen
    words = {
        name: text
        for name, text in words.items()
        if not name.startswith("embed")
        and (name, text) != (PRESENT, "true")
        and not (name == LANGUAGE and known(text))
    }
    opened = read_words(key, words)
    return replace(opened, problems=(*early, *opened.problems))


def read_words(key: str, words: Mapping[str, str]) -> Opened:
    """As :func:`read_link`, from the words of a link.

    Args:
        key: of the page.
        words: names and texts; names may be unknown.

    Raises:
        Error: there is no such page.
    """
    return _Reading(key, words).opened()


class _Reading:
    """One link on its way to a state."""

    def __init__(self, key: str, words: Mapping[str, str]) -> None:
        self.usual = first_state(key, words.get("values", ""))
        self.cls: type[Operator] = self.usual.cls
        self.words = {name: text[:MOST_LINK] for name, text in words.items()}
        self.unread = set(self.words)
        self.problems: list[Problem] = []
        self.typed: dict[str, str] = {}

    def opened(self) -> Opened:
        usual = self.usual
        sizes = self.part("sizes", read_sizes, usual.sizes, keep=True)
        state = replace(
            usual,
            sizes=sizes,
            data_type=self.one_of("data_type", tuple(DATA_TYPES), usual.data_type),
            values=self.one_of("values", value_options(self.cls), usual.values),
        )
        state = replace(state, settings=self.settings("", dict(usual.settings), sizes, usual.sizes))
        seed = self.part("seed", _seed, 0)
        picture = self.one_of("picture", tuple(PICTURES), next(iter(PICTURES)))
        if state.values == "random":
            state = replace(state, seed=seed)
        elif state.values == "picture":
            state = replace(state, picture=picture)
        state = self.own(state)
        state = replace(state, view=self.view(state))
        for name in self.words:
            if name in self.unread:
                self.bad(name, _("a link to this page has no such part."))
        return Opened(state, _told(self.problems), self.typed)

    def bad(self, name: str, rule: str) -> None:
        sentence = _("link: {name}={value} is not possible here and was left out: {rule}").format(
            name=one_line(name, _NAME), value=one_line(self.words.get(name, ""), _VALUE), rule=rule
        )
        self.problems.append(Problem(name[:_NAME], sentence, _SOURCE))

    def part(self, name: str, read: Callable[[str], Any], usual: Any, *, keep: bool = False) -> Any:
        """A part of the link, or the usual where it is not there or cannot be read."""
        self.unread.discard(name)
        text = self.words.get(name)
        if text is None:
            return usual
        try:
            return read(text)
        except Error as error:
            if keep:
                self.typed[name] = text
                self.problems.append(Problem(name, str(error), _SOURCE))
            else:
                self.bad(name, str(error))
            return usual

    def one_of(self, name: str, options: tuple[str, ...], usual: str) -> str:
        def read(text: str) -> str:
            if text not in options:
                raise Error(_("it is one of {options}.").format(options=", ".join(options)), name)
            return text

        found: str = self.part(name, read, usual)
        return found

    def settings(
        self, prefix: str, usual: Mapping[str, str], sizes: Sizes, usual_sizes: Sizes
    ) -> Settings:
        """An operator's settings; ``prefix`` for those of the second one."""
        known = {p.name: p.neutral(usual_sizes) for p in self.cls.parameters()}
        known |= {p.name: p.read(usual[p.name]) for p in self.cls.parameters() if p.name in usual}
        known = self.cls.fitted(known, sizes, usual_sizes)
        values: dict[str, Any] = {}
        for parameter in self.cls.parameters():
            name = prefix + parameter.name
            values[parameter.name] = self.setting(name, parameter, known[parameter.name], sizes)
        for parameter in self.cls.parameters():
            if parameter.name in self.typed and not parameter.used(values):
                # its widget is not there to show the text
                del self.typed[parameter.name]
        return used_settings(self.cls, values)

    def setting(self, name: str, parameter: Setting, known: Any, sizes: Sizes) -> Any:
        found = self.part(
            name,
            lambda text: parameter.read(text),
            known,
            keep=parameter.typed and not name.startswith("b_"),
        )
        if not parameter.ranked:
            return found
        rank = len(sizes)
        if found is not known and len(found) != rank and "sizes" not in self.typed:
            rule = ngettext(
                "it has {count} numbers where the sizes have {rank} dimension.",
                "it has {count} numbers where the sizes have {rank} dimensions.",
                rank,
            )
            self.bad(name, rule.format(count=len(found), rank=rank))
            found = known
        return parameter.fitted(found, sizes, sizes)

    def own(self, state: State) -> State:
        """Own values, written as every link writes them; what is wrong with them is said."""
        self.unread.discard("literal")
        text = self.words.get("literal", "")
        if state.values != "own":
            if text:
                self.bad("literal", _("it belongs to values=own."))
            return state
        if "sizes" in self.typed:
            # nobody can say whether they fit
            self.typed["literal"] = text
            return state
        try:
            check_element_count(state.sizes, STAGE_LIMIT, "sizes")
            limit = element_count(state.sizes)
            literal = read_literal(text, state.data_type, limit=STAGE_LIMIT)
            if literal.values.size != limit or literal.data_type != state.data_type:
                state = replace(state, literal=text)
                state.x()
            return replace(state, literal=printed_own(literal.values))
        except Error as error:
            self.typed["literal"] = text
            self.problems.append(Problem("literal", str(error), _SOURCE))
            return replace(state, literal="")

    def view(self, state: State) -> View:
        engine = self.part("engine", _engine, "numpy")
        return View(
            feature_level=self.part("feature_level", feature_level, None),
            engine=engine,
            colors=self.one_of("colors", COLORS, "value"),
            moves=self.one_of("moves", MOVES, "steps"),
            step=self.part("step", _step, 0),
            pinned=self.pinned(state),
            directions=self.directions(len(state.sizes)),
            compare=self.compare(state),
            predict=self.part("predict", _switch, False),
        )

    def compare(self, state: State) -> Settings | None:
        on = self.part("compare", _switch, False)
        names = [f"b_{parameter.name}" for parameter in self.cls.parameters()]
        if not on and not any(name in self.words for name in names):
            return None
        return self.settings("b_", dict(state.settings), state.sizes, state.sizes)

    def directions(self, rank: int) -> tuple[tuple[int, str], ...]:
        def read(text: str) -> tuple[tuple[int, str], ...]:
            found: dict[int, str] = {}
            for part in text.split(",", MAX_RANK):
                number, _colon, way = part.partition(":")
                d = read_whole(number, 0, rank - 3)
                if d is None or way not in DIRECTIONS[1:]:
                    raise Error(
                        _(
                            "it says for dimensions outside the last two, such as 0:across, "
                            "where their planes go: {ways}."
                        ).format(ways=", ".join(DIRECTIONS[1:])),
                        "directions",
                    )
                found[d] = way
            return tuple(sorted(found.items()))

        found: tuple[tuple[int, str], ...] = self.part("directions", read, ())
        return found

    def pinned(self, state: State) -> tuple[tuple[int, ...], ...]:
        sizes: tuple[int, ...] = ()
        if "pinned" in self.words:
            operator = state.operator()
            if not operator.problems(state.sizes, None):
                sizes = operator.output_sizes(state.sizes)

        def read(text: str) -> tuple[tuple[int, ...], ...]:
            found = [_index(part, sizes) for part in text.split(";", MOST_PINS)]
            if len(found) > MOST_PINS or None in found:
                raise Error(
                    _(
                        "it is up to {most} indices in an output of sizes {sizes}, such as 0,1;1,0."
                    ).format(most=MOST_PINS, sizes=print_sizes(sizes)),
                    "pinned",
                )
            return tuple(dict.fromkeys(index for index in found if index is not None))

        found: tuple[tuple[int, ...], ...] = self.part("pinned", read, ())
        return found


def _index(text: str, sizes: tuple[int, ...]) -> tuple[int, ...] | None:
    words = text.split(",", MAX_RANK)
    if not sizes or len(words) != len(sizes):
        return None
    found = [read_whole(word, 0, size - 1) for word, size in zip(words, sizes, strict=True)]
    index = tuple(i for i in found if i is not None)
    return index if len(index) == len(sizes) else None


def _seed(text: str) -> int:
    found = read_whole(text, 0, MOST_SEED)
    if found is None:
        raise Error(_("it is a whole number from 0 to {most:,}.").format(most=MOST_SEED), "seed")
    return found


def _engine(text: str) -> str:
    if not engine_name(text):
        raise Error(_("it is the name of an engine, such as numpy or directml:1."), "engine")
    return text


def _step(text: str) -> float:
    if not _STEP.fullmatch(text):
        raise Error(_("it is the number of steps that are done, such as 3 or 2.5."), "step")
    return float(text)


def _switch(text: str) -> bool:
    if text not in ("true", "false"):
        raise Error(_("it is true or false."), "link")
    return text == "true"


def _quoted(text: str) -> str:
    return f'"{one_line(text, _NAME)}"'


def _told(problems: list[Problem]) -> tuple[Problem, ...]:
    if len(problems) <= MOST_TOLD:
        return tuple(problems)
    rest = len(problems) - MOST_TOLD
    sentence = ngettext(
        "link: {n} further part was left out.", "link: {n} further parts were left out.", rest
    ).format(n=rest)
    return (*problems[:MOST_TOLD], Problem("link", sentence, _SOURCE))
