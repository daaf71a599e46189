"""How an operation is looked at: the parameters of a link that change no number.

:data:`VIEW_FIELDS` declares, once for each attribute of :class:`View`, how a link writes it, how
Python takes it, and which control sets it; the links of all pages, :func:`dmlviz.link`, the widgets
of the app, the form of live pages and the options of the command line are derived from that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any, Protocol, get_args

import numpy as np

from dmlviz.base.addresses import Reading
from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.base.spelling import read_whole
from dmlviz.base.words import _
from dmlviz.engines import ENGINES
from dmlviz.operators import FEATURE_LEVELS, feature_level
from dmlviz.picture.coloring import Mode
from dmlviz.picture.layouts import DIRECTIONS
from dmlviz.states.controls import FormControl, FormField
from dmlviz.states.settings import Settings
from dmlviz.tensors import MAX_RANK, element_count, print_sizes, short_text
from dmlviz.tensors.types import DrawnSizes, Sizes

COLORS: tuple[str, ...] = get_args(Mode)
"""What a cell's color can show."""

MOVES = ("steps", "all", "stages")
"""What can move together."""

MOST_PINS = 6
"""How many output elements can be pinned at once."""

_ONLY = "0"
"""The index of the only element of a tensor without dimensions, as a link has it."""

TOOLS, LIMITS = "tools", "limits"
"""The places of controls: beside the page's title, and below the operator's settings."""

ARRANGE = "arrange"
"""The parameter of a change that arranges planes, such as ``1:across``; no link has it."""

Directions = tuple[tuple[int, str], ...]
"""For outer dimensions, ``"across"`` or ``"down"``."""

_STEP = regex(r"[0-9]{1,6}(\.[0-9]{1,2})?")


class OnStage(Protocol):
    """A :class:`dmlviz.states.page.PageState`, as far as its view depends on it."""

    @property
    def view(self) -> View: ...  # noqa: D102

    @property
    def lacks(self) -> frozenset[str]: ...  # noqa: D102

    @property
    def compares(self) -> bool: ...  # noqa: D102

    @property
    def rank(self) -> int: ...  # noqa: D102

    @property
    def several(self) -> bool: ...  # noqa: D102

    def stage_sizes(self) -> list[Sizes]: ...  # noqa: D102


@dataclass(frozen=True)
class Control:
    """What sets an attribute of a view on a page.

    Attributes:
        title, help: for people, in their language.
        kind: ``menu`` or ``switch``.
        options: of a menu, the texts that a link writes; the default is an empty text.
        default_title: what people read for an empty text.
        place: where pages draw it, :data:`TOOLS` or :data:`LIMITS`.
        alone: whether it has no effect while two results are compared.
        in_form: whether live pages have it, too.
    """

    title: Callable[[], str]
    help: Callable[[], str]
    kind: str = "switch"
    options: tuple[str, ...] = ()
    default_title: Callable[[], str] = str
    place: str = LIMITS
    alone: bool = False
    in_form: bool = True

    def form_control(self) -> FormControl:
        """What a form draws."""
        titles = tuple(text or self.default_title() for text in self.options)
        return FormControl(self.kind, self.options, titles)


@dataclass(frozen=True)
class ViewField:
    """Everything that depends on which attribute of a view it is.

    Attributes:
        read: the value that a link's text has on a stage; raises an error with the rule that the
            text breaks.
        text: what a link writes for a value, and whether there can be several outputs.
        convert: the value of an argument in Python; raises TypeError or ValueError.
        control: what sets it on a page, or None.
        option: the help of its option on the command line, or None if it has none.
        by_player: whether the player keeps it by itself, without the server.
    """

    read: Callable[[str, OnStage], Any]
    text: Callable[[Any, bool], str] = lambda value, several: str(value)
    convert: Callable[[Any], Any] = str
    control: Control | None = None
    option: Callable[[], str] | None = None
    by_player: bool = False


def _one_of(name: str, options: tuple[str, ...]) -> Callable[[str, OnStage], str]:
    def read(text: str, stage: OnStage) -> str:
        if text not in options:
            raise Error(_("it must be one of {options}.").format(options=", ".join(options)), name)
        return text

    return read


def _switch(name: str, **more: Any) -> ViewField:
    read = _one_of(name, ("true", "false"))
    return ViewField(
        lambda text, stage: read(text, stage) == "true",
        lambda value, several: "true" if value else "",
        bool,
        **more,
    )


def _read_engine(text: str, stage: OnStage) -> str:
    name, colon, adapter = text.partition(":")
    numbered = name == "directml" and len(adapter) < 7 and adapter.isascii() and adapter.isdigit()
    if not (numbered if colon else name in ENGINES):
        raise Error(_("it must be the name of an engine, such as numpy or directml:1."), "engine")
    return text


def read_step(text: str) -> float:
    """How many steps are completed, as an address says it.

    Raises:
        Error: that is no number; the field is ``step``.
    """
    if not _STEP.fullmatch(text):
        raise Error(_("it must be a number of completed steps, such as 3 or 2.5."), "step")
    return float(text)


def _read_directions(text: str, stage: OnStage) -> Directions:
    """Where the planes of outer dimensions go, such as ``0:across``."""
    ways: dict[int, str] = {}
    rank = stage.rank
    for part in text.split(",", MAX_RANK):
        number, _colon, way = part.partition(":")
        d = read_whole(number, 0, rank - 3)
        if d is None or way not in DIRECTIONS[1:]:
            raise Error(
                _(
                    "it must say where the planes of a dimension before the last two go, such as "
                    "0:across: {ways}."
                ).format(ways=", ".join(DIRECTIONS[1:])),
                "directions",
            )
        ways[d] = way
    return tuple(sorted(ways.items()))


def _read_pins(text: str, stage: OnStage) -> tuple[tuple[int, ...], ...]:
    outputs = stage.stage_sizes()
    pins = [_read_pin(part, outputs, stage.several) for part in text.split(";", MOST_PINS)]
    if len(pins) > MOST_PINS or None in pins:
        rule = _("it must be up to {most} indices in an output of sizes {sizes}, such as 0,1;1,0.")
        if stage.several:
            rule = _(
                "it must be up to {most} indices in outputs of sizes {sizes}, each after "
                "the output's number, such as 0:0,1;1:1,0."
            )
        sizes = ", ".join(map(print_sizes, outputs)) or print_sizes(())
        raise Error(rule.format(most=MOST_PINS, sizes=sizes), "pinned")
    return tuple(dict.fromkeys(index for index in pins if index is not None))


def _read_pin(text: str, outputs: list[Sizes], several: bool) -> tuple[int, ...] | None:
    """An element's index, after the number of its output if there can be several."""
    if not several:
        return _index(text, outputs[0]) if outputs else None
    before, _colon, index = text.partition(":") if ":" in text else ("0", ":", text)
    number = read_whole(before, 0, len(outputs) - 1)
    at = None if number is None else _index(index, outputs[number])
    return None if at is None or number is None else (number, *at)


def _index(text: str, sizes: Sizes) -> tuple[int, ...] | None:
    if not sizes:
        return () if text == _ONLY else None
    parts = text.split(",", MAX_RANK)
    if len(parts) != len(sizes):
        return None
    numbers = [read_whole(part, 0, size - 1) for part, size in zip(parts, sizes, strict=True)]
    index = tuple(i for i in numbers if i is not None)
    return index if len(index) == len(sizes) else None


def _print_pins(pins: tuple[tuple[int, ...], ...], several: bool) -> str:
    numbers = (f"{pin[0]}:" if several else "" for pin in pins)
    indices = (",".join(map(str, pin[1:] if several else pin)) or _ONLY for pin in pins)
    return ";".join(map("".join, zip(numbers, indices, strict=True)))


def _as_indices(value: Any) -> tuple[tuple[int, ...], ...]:
    """One index or several, as a tuple of indices."""
    indices = tuple(value)
    if indices and not hasattr(indices[0], "__len__"):
        indices = (indices,)
    return tuple(tuple(int(i) for i in index) for index in indices)


@dataclass(frozen=True)
class View:
    """How an operation is looked at; the attributes are in the order of a link.

    Attributes:
        feature_level: such as ``"5_0"``, or None for DirectML's newest.
        engine: whose run is drawn, such as ``"numpy"`` or ``"directml:1"``.
        compare: the second operator's settings, or None where nothing is compared; it is read
            with the operator's class, see :mod:`dmlviz.states.reading`.
        predict: whether the output is hidden until the learner predicts it.
        directions: for outer dimensions, ``"across"`` or ``"down"``; the others go by themselves.
        colors: one of :data:`COLORS`.
        moves: one of :data:`MOVES`; empty for call by call where code has several, and for steps
            elsewhere or if a step is given.
        step: the moment: how many steps are done, with up to two decimals.
        pinned: indices of up to six output elements; if there can be several outputs, each
            after the number of its output. Those of what it is compared with come after its own.
        memory: whether every tensor is shown as it is in memory, too: all its elements in a row.
    """

    feature_level: str | None = None
    engine: str = "numpy"
    compare: Settings | None = None
    predict: bool = False
    directions: Directions = ()
    colors: str = "value"
    moves: str = ""
    step: float = 0
    pinned: tuple[tuple[int, ...], ...] = ()
    memory: bool = False

    def look(self, outputs: Sizes | Mapping[str, DrawnSizes]) -> dict[str, Any]:
        """The player's initial values: its own attributes, with pins as cell numbers.

        Args:
            outputs: the sizes of the output, or of each by name, in which pinned elements are
                found; those outside are left out. Of a part, a dimension is its indices.
        """
        named = outputs if isinstance(outputs, Mapping) else {"": outputs}
        dimensions = [[range(n) if isinstance(n, int) else n for n in of] for of in named.values()]
        sizes = [tuple(map(len, of)) for of in dimensions]
        several = len(named) > 1 or "[" in next(iter(named)) or self.compare is not None
        # cells are numbered through all outputs one after the other
        first = [sum(map(element_count, sizes[:k])) for k in range(len(sizes))]
        pinned = []
        for index in self.pinned:
            k, at = (index[0], index[1:]) if several else (0, index)
            if (
                k < len(sizes)
                and len(at) == len(sizes[k])
                and all(i in own for i, own in zip(at, dimensions[k], strict=True))
            ):
                place = [own.index(i) for i, own in zip(at, dimensions[k], strict=True)]
                pinned.append(first[k] + int(np.ravel_multi_index(place, sizes[k])))
        return {**{name: getattr(self, name) for name in PLAYER_PARAMETERS}, "pinned": pinned}

    def without_player(self) -> View:
        """The view as far as the server keeps it."""
        usual = View()
        return replace(self, **{name: getattr(usual, name) for name in PLAYER_PARAMETERS})

    def parameters(self, settings: Settings, *, several: bool = False) -> dict[str, str]:
        """The parameters of a link, without defaults.

        Args:
            settings: of the first operator; the second's are written where they differ.
            several: whether there may be several outputs, so that a pinned index begins with the
                number of its own.
        """
        usual = View()
        several = several or self.compare is not None
        parameters: dict[str, str] = {}
        for part in fields(self):
            value = getattr(self, part.name)
            if part.name == "compare":
                parameters |= _compared(dict(settings), value)
            elif value != getattr(usual, part.name):
                parameters[part.name] = VIEW_FIELDS[part.name].text(value, several)
        return {name: text for name, text in parameters.items() if text}


def _compared(settings: Mapping[str, str], second: Settings | None) -> dict[str, str]:
    """The parameters for the second operator's settings."""
    if second is None:
        return {}
    differing = {f"b_{name}": text for name, text in second if settings.get(name) != text}
    return {"compare": "true", **differing}


VIEW_FIELDS: Mapping[str, ViewField] = {
    "feature_level": ViewField(
        lambda text, stage: feature_level(text),
        control=Control(
            lambda: _("Feature level"),
            lambda: _(
                "Check ranks, data types and modes against what a device of this level supports."
            ),
            "menu",
            ("", *reversed(FEATURE_LEVELS)),
            lambda: _("Newest: no limit"),
        ),
        option=lambda: _("feature level to check against, such as 3_1"),
    ),
    "engine": ViewField(
        _read_engine,
        control=Control(
            lambda: _("Engine"),
            lambda: _("What you see is this engine's own run, on the values and on their indices."),
            "menu",
            in_form=False,
        ),
        option=lambda: _("engine: numpy, onnxruntime or directml"),
    ),
    "predict": _switch(
        "predict",
        control=Control(
            lambda: _("Predict first"),
            lambda: _(
                "Hides the output and asks you for its sizes, then where some of its elements "
                "come from. Not available while you compare."
            ),
            place=TOOLS,
            alone=True,
        ),
    ),
    "directions": ViewField(
        _read_directions,
        lambda ways, several: ",".join(f"{d}:{way}" for d, way in ways),
        lambda value: tuple(sorted(dict(value).items())),
    ),
    "colors": ViewField(_one_of("colors", COLORS), by_player=True),
    "moves": ViewField(_one_of("moves", MOVES), by_player=True),
    "step": ViewField(
        lambda text, stage: read_step(text),
        lambda step, several: f"{step:.2f}".rstrip("0").rstrip("."),
        float,
        by_player=True,
    ),
    "pinned": ViewField(_read_pins, _print_pins, _as_indices, by_player=True),
    "memory": _switch("memory", by_player=True),
}
"""Everything that depends on which attribute of a view it is, but for ``compare``: that is read,
printed and set like the settings of the operator that it compares with."""

PLAYER_PARAMETERS = tuple(name for name, one in VIEW_FIELDS.items() if one.by_player)
"""The parameters of a link that the player keeps by itself, without the server."""

PAGE_PARAMETERS = tuple(name for name, one in VIEW_FIELDS.items() if not one.by_player)
"""The parameters of a view that the server keeps; ``compare`` is kept with its settings."""

CHANGES_OF_VIEW = (*PAGE_PARAMETERS, ARRANGE)
"""The names of what :func:`changed_view` changes."""


def placed(place: str, stage: OnStage) -> tuple[str, ...]:
    """The names of the attributes whose controls are at a place, in the order of a link.

    Args:
        place: :data:`TOOLS` or :data:`LIMITS`.
        stage: the state whose view it is.
    """
    return tuple(
        name
        for name, one in VIEW_FIELDS.items()
        if one.control is not None and one.control.place == place and name not in stage.lacks
    )


def view_rows(stage: OnStage, place: str) -> tuple[FormField, ...]:
    """The rows of a form for the attributes of a view at a place.

    Args:
        stage: the state whose view the form shows.
        place: as of :func:`placed`.
    """
    rows = []
    for name in placed(place, stage):
        one, value = VIEW_FIELDS[name], getattr(stage.view, name)
        control = one.control
        if control is None or not control.in_form:
            continue
        text = "" if value == getattr(View(), name) else one.text(value, False)
        if control.kind == "switch":
            text = text or "false"
        row = FormField(
            name, control.title(), control.help(), (control.form_control(),), values=(text,)
        )
        if control.alone and stage.compares:
            why = _("Not available while you compare: turn off Compare first.")
            row = replace(row, unavailable=why)
        rows.append(row)
    return tuple(rows)


def read_view(reading: Reading, stage: OnStage) -> dict[str, Any]:
    """The attributes of a view that a link has, or their defaults.

    Args:
        reading: of the link, which gets a problem for each text that is refused.
        stage: the state that the link has without its view; what it is compared with is there.
    """
    usual = View()
    return {
        name: reading.part(name, partial(_read_on, one, stage), getattr(usual, name))
        for name, one in VIEW_FIELDS.items()
        if name not in stage.lacks
    }


def _read_on(one: ViewField, stage: OnStage, text: str) -> Any:
    return one.read(text, stage)


def convert_view(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of a view from arguments in Python, without ``compare``.

    Raises:
        Error: a value is invalid.
    """
    converted = {}
    for name, value in arguments.items():
        try:
            converted[name] = VIEW_FIELDS[name].convert(value)
        except (TypeError, ValueError, OverflowError) as error:
            if isinstance(error, Error):
                raise
            raise Error(
                _("{name}: {value} is invalid here.").format(name=name, value=short_text(value)),
                name,
            ) from None
    return converted


def changed_view(view: View, name: str, text: str, stage: OnStage) -> View:
    """The view after somebody changed one of its attributes; an empty text is the default.

    Args:
        view: before the change.
        name: one of :data:`CHANGES_OF_VIEW`.
        text: as a link writes the value.
        stage: the state whose view it is.

    Raises:
        Error: the text is no such value.
    """
    if name == ARRANGE:
        return replace(view, directions=arranged(view.directions, text))
    value = VIEW_FIELDS[name].read(text, stage) if text else getattr(View(), name)
    return replace(view, **{name: value})


def arranged(directions: Directions, text: str) -> Directions:
    """Where planes go after somebody arranged those of one dimension.

    Args:
        directions: for outer dimensions, before.
        text: such as ``1:across``; ``1:auto`` lets them go by themselves.

    Raises:
        Error: there is no such dimension or direction.
    """
    number, _colon, direction = text.partition(":")
    d = read_whole(number, 0, MAX_RANK - 3)
    if d is None or direction not in DIRECTIONS:
        raise Error(
            _("{field}: {value} is not one of {options}.").format(
                field=ARRANGE,
                value=short_text(text),
                options=", ".join(f"0:{way}" for way in DIRECTIONS),
            ),
            ARRANGE,
        )
    ways = {**dict(directions), d: direction}
    return tuple((d, way) for d, way in sorted(ways.items()) if way in DIRECTIONS[1:])
