"""A state of the page for two arrays: what lies between them, as a movement of the first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import partial
from typing import Any

import numpy as np

from dmlviz.base.addresses import Reading
from dmlviz.base.cache import cached
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _, ngettext
from dmlviz.code.between import Between, between_arrays
from dmlviz.code.running import ChainTrace, run_code
from dmlviz.picture.scene import STAGE_LIMIT, Scene, scene
from dmlviz.states.controls import FormControl, FormField, FormGroup
from dmlviz.states.inputs import HashableArrays, InputState, Tensors, arrays_of, hashable
from dmlviz.states.own_picture import PictureChoice
from dmlviz.states.page import PageState
from dmlviz.states.reading import Opened
from dmlviz.states.tensor_rows import typed_values_help
from dmlviz.states.view import CHANGES_OF_VIEW, View, changed_view, read_view
from dmlviz.tensors import DATA_TYPES, print_compact, print_literal, print_value, read_literal
from dmlviz.tensors.types import Array, Sizes

BETWEEN = "between"
"""The page's key."""

BEFORE, AFTER = "before", "after"

_TYPE = "FLOAT32"
"""The type of arrays whose text names none."""

_FIRST = {BEFORE: "[[1, 2, 3], [4, 5, 6]]", AFTER: "[[3, 6], [2, 5], [1, 4]]"}


@dataclass(frozen=True)
class BetweenState(PageState):
    """One state of the page for two arrays.

    Attributes:
        tensors: ``before`` and ``after``, each with its own values.
        view: how the movement is looked at.
    """

    tensors: Tensors
    view: View = field(default_factory=View)
    call: int = 0

    key: str = field(default=BETWEEN, init=False)

    def with_view(self, view: View) -> BetweenState:
        """As of :class:`PageState`."""
        return replace(self, view=view)

    def second(self) -> BetweenState | None:
        """As of :class:`PageState`: nothing is compared."""
        return None

    def values_of(self, name: str, limit: int) -> Array:
        """As of :class:`PageState`."""
        return self.tensors[name].array(None, 0, limit)

    def between(self) -> Between:
        """What lies between the two.

        Raises:
            Error: they have different types.
        """
        return _between(hashable(self.arrays()))

    def problems(self) -> list[Problem]:
        """As of :class:`PageState`: an element is missing, or the values do not say which moved."""
        try:
            both = self.between()
        except Error as error:
            return [Problem(error.field, str(error), "dmlviz")]
        sentence = _reason(both)
        return [Problem(AFTER, sentence, "dmlviz")] if sentence else []

    def trace(self) -> ChainTrace:
        """The engine's run of the first line that gives ``after``, or of its sources as indices.

        Raises:
            Error: nothing is determined, or as of :meth:`between`.
            EngineUnavailable, EngineRefused: the engine cannot run here, or reported an error.
        """
        both = self.between()
        if sentence := _reason(both):
            raise Error(sentence, AFTER)
        (x,) = both.before.values()
        line = next((one for one in both.same_as if one.library), None)
        if line is not None:
            return run_code(line.text, {"x": x}, line.library, self.view.engine)
        code = {"x": x, "places": both.source}
        return run_code("x.reshape(-1)[places]", code, "numpy", self.view.engine)

    def scene(
        self, inputs: Mapping[str, Array] | None = None, pair: PageState | None = None
    ) -> Scene:
        """As of :class:`PageState`.

        Raises:
            Error, EngineUnavailable, EngineRefused: as of :meth:`trace`.
        """
        return scene(self.trace(), dict(self.view.directions), None)

    def inputs(self, limit: int | None = None) -> dict[str, Array]:
        """As of :class:`PageState`: the first array, as lines call it."""
        return {"x": self.array(BEFORE, limit)}

    def controls(self) -> frozenset[str]:
        """As of :class:`PageState`: none."""
        return frozenset()

    def outputs(self) -> dict[str, Sizes]:
        """As of :class:`PageState`: the second array, as lines call it."""
        return {"out": self.tensors[AFTER].sizes}

    def parameters(self, *, whole: bool = False) -> dict[str, str]:
        """As of :class:`PageState`: both arrays as nested lists."""
        texts = {name: _text(self.array(name)) for name in self.tensors}
        kind = self.tensors[BEFORE].data_type
        typed = {} if kind == _TYPE and not whole else {"data_type": kind}
        return {**texts, **typed, **self.view.parameters(())}


def _reason(both: Between) -> str:
    """Why there is no movement; empty if there is one."""
    if both.missing:
        missing = both.source < 0
        first = tuple(int(i) for i in np.argwhere(missing)[0])
        return ngettext(
            "{count} element of after is not in before: {value} at {place}.",
            "{count} elements of after are not in before; the first is {value} at {place}.",
            both.missing,
        ).format(
            count=f"{both.missing:,}",
            value=print_value(both.after[first]),
            place=f"[{', '.join(map(str, first))}]",
        )
    if both.ambiguous and not both.same_as:
        return _(
            "A number that stands several times in before does not say which of its places moved: "
            "write a different number in every place."
        )
    return ""


@cached(megabytes=0.05)
def _between(arrays: HashableArrays) -> Between:
    both = arrays_of(arrays)
    return between_arrays({"x": both[BEFORE]}, both[AFTER])


def _text(array: Array) -> str:
    """Values as nested lists on one line, as a link has them."""
    texts = np.array(print_compact(array).split(","), object).reshape(array.shape)

    def nested(part: Any) -> str:
        return f"[{','.join(map(nested, part))}]" if isinstance(part, np.ndarray) else str(part)

    return nested(texts)


def first_arrays() -> BetweenState:
    """What a new page shows."""
    return BetweenState(Tensors.of({name: _read(text, _TYPE) for name, text in _FIRST.items()}))


def _read(text: str, kind: str) -> InputState:
    typed = read_literal(text, kind, limit=STAGE_LIMIT)
    values = typed.values.reshape(typed.sizes)
    return InputState(typed.sizes, typed.data_type, "own", print_compact(values))


def between_form(
    state: BetweenState, picture: PictureChoice | None = None
) -> tuple[FormGroup, ...]:
    """The form: the two arrays.

    Args:
        state: that the page shows.
        picture: of no use here.
    """
    titles = {BEFORE: _("Before"), AFTER: _("After")}
    rows = [
        FormField(
            name,
            titles[name],
            typed_values_help(),
            (FormControl("lines"),),
            values=(print_literal(state.array(name)),),
        )
        for name in state.tensors
    ]
    return (FormGroup("", tuple(rows)),)


def between_changed(state: BetweenState, name: str, text: str) -> BetweenState:
    """The state after somebody changed one row.

    Raises:
        Error: the text is no such value; the field is the row's name.
    """
    if name in CHANGES_OF_VIEW:
        return state.with_view(changed_view(state.view, name, text, state))
    other = state.tensors[AFTER if name == BEFORE else BEFORE]
    try:
        tensor = _read(text, other.data_type)
    except Error as error:
        raise Error(str(error).replace("values:", f"{name}:", 1), name) from None
    return replace(state, tensors=state.tensors.with_tensor(name, tensor))


def read_between(parameters: Mapping[str, str]) -> Opened[BetweenState]:
    """What the parameters of a link say."""
    reading = Reading(parameters)
    state = first_arrays()
    kind = reading.one_of("data_type", tuple(DATA_TYPES), _TYPE)
    for name in state.tensors:
        tensor = reading.part(name, partial(_read, kind=kind), state.tensors[name])
        state = replace(state, tensors=state.tensors.with_tensor(name, tensor))
    return Opened(state.with_view(View(**read_view(reading, state))), reading.all_problems())
