"""One reachable state of an explorer: what is computed, and how it is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

import numpy as np

from dmlviz.engines import ENGINES
from dmlviz.errors import Error
from dmlviz.operators import Example, Operator, operator_class
from dmlviz.scene import STAGE_LIMIT
from dmlviz.states.settings import Settings, settings_of
from dmlviz.tensors import (
    PICTURES,
    STARTING_VALUES,
    check_element_count,
    data_type,
    data_type_of,
    draw,
    element_count,
    print_sizes,
    read_literal,
    start,
)
from dmlviz.words import _

Array = np.ndarray[Any, Any]

COLORS = ("value", "channel", "position", "picture")
"""What a cell's colour can say."""

MOVES = ("steps", "all", "stages")
"""What can move together."""

MOST_PINS = 6
"""How many output elements can be pinned at once."""

PLAYER_WORDS = ("colors", "moves", "step", "pinned")
"""The words of a link that the player keeps by itself, without the server."""


LANGUAGE = "lang"
"""The word of every page's address that says in which language it is read."""

PRESENT = "present"
"""The word of a link that shows its state to a room: ``present=true``."""


@dataclass(frozen=True)
class View:
    """How an operation is looked at.

    Attributes:
        feature_level: such as ``"5_0"``, or None for DirectML's newest.
        engine: whose run is drawn, such as ``"numpy"`` or ``"directml:1"``.
        colors: one of :data:`COLORS`.
        moves: one of :data:`MOVES`.
        step: the moment: how many steps are done, with up to two decimals.
        pinned: indices of up to six output elements.
        directions: for outer dimensions, ``"across"`` or ``"down"``; the others go by themselves.
        compare: the second operator's settings, or None where nothing is compared.
        predict: whether the output is hidden until it was predicted.
    """

    feature_level: str | None = None
    engine: str = "numpy"
    colors: str = "value"
    moves: str = "steps"
    step: float = 0
    pinned: tuple[tuple[int, ...], ...] = ()
    directions: tuple[tuple[int, str], ...] = ()
    compare: Settings | None = None
    predict: bool = False

    def look(self, output_sizes: tuple[int, ...]) -> dict[str, Any]:
        """What a player starts with: colours, moves, step, and pinned elements as flat indices.

        Args:
            output_sizes: in which pinned elements are found; those outside are left out.
        """
        pinned = [
            int(np.ravel_multi_index(index, output_sizes))
            for index in self.pinned
            if len(index) == len(output_sizes)
            and all(0 <= i < n for i, n in zip(index, output_sizes, strict=True))
        ]
        return {"colors": self.colors, "moves": self.moves, "step": self.step, "pinned": pinned}

    def words(self, settings: Settings) -> dict[str, str]:
        """The words of a link; what is as on a new page is left out.

        Args:
            settings: of the first operator; the second's are written where they differ.
        """
        first = dict(settings)
        second = self.compare or ()
        words = {
            "feature_level": self.feature_level or "",
            "engine": "" if self.engine == "numpy" else self.engine,
            "compare": "" if self.compare is None else "true",
            **{f"b_{name}": text for name, text in second if first.get(name) != text},
            "predict": "true" if self.predict else "",
            "directions": ",".join(f"{d}:{way}" for d, way in self.directions),
            "colors": "" if self.colors == "value" else self.colors,
            "moves": "" if self.moves == "steps" else self.moves,
            "step": f"{self.step:.2f}".rstrip("0").rstrip(".") if self.step else "",
            "pinned": ";".join(",".join(map(str, index)) for index in self.pinned),
        }
        return {name: text for name, text in words.items() if text}


@dataclass(frozen=True)
class State:
    """One state of an operator's page.

    Attributes:
        key: the operator's page, such as ``depth-to-space``.
        sizes: of the input, 1 to 8.
        data_type: one of the eleven.
        values: the name of starting values, ``example-0`` and on, or ``own``.
        literal: own values one after the other, as :func:`printed_own` writes them.
        seed: for ``random``.
        picture: for ``picture``, its name.
        settings: the operator's, as text.
        view: how it is looked at.
    """

    key: str
    sizes: tuple[int, ...]
    data_type: str
    values: str
    literal: str = ""
    seed: int = 0
    picture: str = ""
    settings: Settings = ()
    view: View = field(default_factory=View)

    @property
    def cls(self) -> type[Operator]:
        """The operator's class."""
        return operator_class(self.key)

    def operator(self) -> Operator:
        """The operator; whether it takes this input, its ``problems`` say.

        Raises:
            Error: there is no such page, or a text is no setting.
        """
        return _operator(self.cls, self.settings)

    def second(self) -> Operator | None:
        """The operator that it is compared with, if there is one.

        Raises:
            Error: a text is no setting.
        """
        return None if self.view.compare is None else _operator(self.cls, self.view.compare)

    def x(self, limit: int = STAGE_LIMIT) -> Array:
        """The input: the page and the command line get the very same array.

        Raises:
            TooLarge: there are more than ``limit`` elements; nothing was allocated.
            Error: the values do not go with the sizes or the data type.
        """
        check_element_count(self.sizes, limit, "sizes")
        if self.values == "own":
            return self._own(limit)
        example = example_of(self.cls, self.values)
        if example is not None:
            if example.x.shape != self.sizes:
                raise Error(
                    _("values: the documentation's example has sizes {due}, not {sizes}.").format(
                        due=print_sizes(example.x.shape), sizes=print_sizes(self.sizes)
                    ),
                    "values",
                )
            return example.x.astype(data_type(self.data_type).dtype)
        if self.values == "picture" and self.settings:
            operator = self.operator()
            if not operator.problems(self.sizes, None):
                name = self.picture or next(iter(PICTURES))
                return operator.picture_input(self.sizes, lambda of: draw(name, of, self.data_type))
        return start(self.values, self.sizes, self.data_type, seed=self.seed, picture=self.picture)

    def _own(self, limit: int) -> Array:
        literal = read_literal(self.literal, self.data_type, limit=limit)
        if literal.values.size != element_count(self.sizes):
            raise Error(
                _("values: {count} numbers were typed, sizes {sizes} need {need}.").format(
                    count=literal.values.size,
                    sizes=print_sizes(self.sizes),
                    need=element_count(self.sizes),
                ),
                "values",
            )
        if literal.data_type != self.data_type:
            raise Error(
                _("values: the text says {theirs}, the data type chosen is {ours}.").format(
                    theirs=literal.data_type, ours=self.data_type
                ),
                "values",
            )
        return literal.values.reshape(self.sizes)

    def words(self, *, whole: bool = False) -> dict[str, str]:
        """The words of its link.

        Args:
            whole: write what is as on a new page too, so that the link explains itself.
        """
        usual = first_state(self.key, self.values)
        words = {
            "sizes": ",".join(map(str, self.sizes)),
            "data_type": self.data_type,
            "values": self.values,
            **dict(self.settings),
        }
        if not whole:
            left = {
                "sizes": ",".join(map(str, usual.sizes)),
                "data_type": usual.data_type,
                "values": "example-0",
                **dict(usual.settings),
            }
            words = {name: text for name, text in words.items() if left.get(name) != text}
        if self.values == "own":
            words["literal"] = self.literal
        elif self.values == "random" and (self.seed or whole):
            words["seed"] = str(self.seed)
        elif self.values == "picture" and (self.picture != next(iter(PICTURES)) or whole):
            words["picture"] = self.picture
        return {**words, **self.view.words(self.settings)}

    def address(self, *, whole: bool = False) -> str:
        """Its address, from the app's root on; :func:`dmlviz.states.read_link` reads it back.

        >>> first_state("tile").address()
        '/tile'
        >>> State("tile", (5,), "INT8", "count-1", settings=(("repeats", "2"),)).address()
        '/tile?sizes=5&data_type=INT8&values=count-1&repeats=2'
        """
        return as_address(self.key, self.words(whole=whole))

    def without_player(self) -> State:
        """The state as far as the server keeps it."""
        usual = View()
        kept = {name: getattr(usual, name) for name in PLAYER_WORDS}
        return replace(self, view=replace(self.view, **kept))


def as_address(key: str, words: Mapping[str, str]) -> str:
    """Words as an address; commas and colons stay readable."""
    return f"/{key}?{urlencode(words, safe=',:;')}" if words else f"/{key}"


def first_state(key: str, values: str = "example-0") -> State:
    """What a new page of an operator shows, or shows for one of its examples.

    Args:
        key: of the page.
        values: ``example-1`` for the second example; anything else means the first.

    Raises:
        Error: there is no such page.
    """
    cls = operator_class(key)
    example = example_of(cls, values)
    if example is None:
        values, example = "example-0", cls.examples()[0]
    return State(
        key,
        example.x.shape,
        data_type_of(example.x.dtype),
        values,
        settings=settings_of(example.operator),
    )


def example_of(cls: type[Operator], values: str) -> Example | None:
    """The documentation example of that name, such as ``example-0``."""
    number = values.removeprefix("example-")
    examples = cls.examples()
    if values not in (f"example-{i}" for i in range(len(examples))):
        return None
    return examples[int(number)]


def value_options(cls: type[Operator]) -> tuple[str, ...]:
    """The names of values that an operator's page offers."""
    examples = tuple(f"example-{i}" for i in range(len(cls.examples())))
    return (*examples, *STARTING_VALUES, "own")


def engine_name(text: str) -> bool:
    """Whether there is an engine of that name in this version, able to run here or not."""
    name, colon, adapter = text.partition(":")
    if colon:
        return (
            name == "directml" and 0 < len(adapter) < 7 and adapter.isascii() and adapter.isdigit()
        )
    return name in ENGINES


def _operator(cls: type[Operator], settings: Settings) -> Operator:
    texts = dict(settings)
    parameters = {p.name: p for p in cls.parameters() if p.name in texts}
    return cls(**{name: p.read(texts[name]) for name, p in parameters.items()})
