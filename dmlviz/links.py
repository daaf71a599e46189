"""A state of an explorer as an address, from an operator and an array.

The words of the address are those of Python and DirectML: ``/tile?sizes=2,3&
data_type=FLOAT32&values=count-1&repeats=1,3``.  :func:`dmlviz.states.read_link` reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from dmlviz.errors import Error
from dmlviz.operators import Operator
from dmlviz.scene import STAGE_LIMIT
from dmlviz.states import (
    LANGUAGE,
    State,
    View,
    first_state,
    printed_own,
    read_words,
    settings_of,
    value_options,
)
from dmlviz.states.state import as_address
from dmlviz.tensors import PICTURES, check_element_count, data_type_of, shown
from dmlviz.trace import as_input
from dmlviz.words import _, languages

Array = np.ndarray[Any, Any]

LINK_LIMIT = 4_096
"""The most elements whose own values fit an address: browsers and servers cut longer ones."""


def link(operator: Operator, x: Any, **view: Any) -> str:
    """The address, from the app's root on, that opens ``operator`` on ``x``.

    Where ``x`` is exactly one of the page's starting values, its name stands for it; else the
    values themselves are written.

    Args:
        operator: with its settings.
        x: the input; at most 4,096 elements, or 16,384 where a name stands for them.
        view: any of

            * ``feature_level``, ``engine``: their names;
            * ``colors``: ``value``, ``channel``, ``position`` or ``picture``;
            * ``moves``: ``steps``, ``all`` or ``stages``;
            * ``step``: how many steps are done;
            * ``pinned``: one index in the output, or several;
            * ``directions``: for outer dimensions, ``{0: "across"}`` or ``{0: "down"}``;
            * ``compare``: a second operator of the same kind;
            * ``predict``: True to hide the output until it was predicted;
            * ``lang``: the language to read it in, one that has a catalogue, such as ``ko``.

    Raises:
        TooLarge: ``x`` has more elements than an address carries.
        Error: ``x`` is not a tensor, or a word of ``view`` is unknown or has no such value.

    >>> import numpy as np
    >>> from dmlviz.operators import Tile
    >>> link(Tile((2,)), np.array([1, 2, 3], np.uint8), step=2)
    '/tile?sizes=3&data_type=UINT8&values=count-1&repeats=2&step=2'
    >>> link(Tile((2,)), np.array([7, 8], np.uint8))
    '/tile?sizes=2&data_type=UINT8&values=own&repeats=2&literal=7,8'
    """
    x = as_input(x)
    state = State(
        operator.key,
        x.shape,
        data_type_of(x.dtype),
        "own",
        settings=settings_of(operator),
    )
    state = _named(state, x)
    if state.values == "own":
        check_element_count(x.shape, LINK_LIMIT, "x")
        state = replace(state, literal=printed_own(x))
    spoken = _language(view.pop(LANGUAGE, None))
    words = {**state.words(whole=True), **_view_words(view, state)}
    # what is not possible is refused here with the sentence that the page would show
    for problem in read_words(operator.key, words).problems:
        raise Error(problem.message, problem.field)
    return as_address(operator.key, {**words, **spoken})


def _language(asked: Any) -> dict[str, str]:
    """The word of the link that says in which language it is read; none where none was asked."""
    if asked is None:
        return {}
    if asked not in languages():
        raise Error(
            _("{name}: {value} is not one of {names}.").format(
                name=LANGUAGE, value=shown(asked), names=", ".join(languages())
            ),
            LANGUAGE,
        )
    return {LANGUAGE: str(asked)}


def _named(state: State, x: Array) -> State:
    """The state with the name of starting values that are exactly ``x``, if there are such."""
    if x.size <= STAGE_LIMIT:
        for candidate in _candidates(state):
            found = candidate.x()
            if found.tobytes() == x.tobytes():
                return candidate
    return state


def _candidates(state: State) -> Iterator[State]:
    """The page's starting values of these sizes, plain ones first."""
    names = [name for name in value_options(state.cls) if name != "own"]
    for name in sorted(names, key=lambda name: name.startswith("example-")):
        if name == "picture":
            yield from (replace(state, values=name, picture=picture) for picture in PICTURES)
        elif not name.startswith("example-") or first_state(state.key, name).sizes == state.sizes:
            yield replace(state, values=name)


def _view_words(view: Mapping[str, Any], state: State) -> dict[str, str]:
    names = [part.name for part in fields(View)]
    for name in view:
        if name not in names:
            raise Error(
                _("{name} is not a part of a view; those are {names}.").format(
                    name=shown(name), names=", ".join([*names, LANGUAGE])
                ),
                name,
            )
    parts = {name: value for name, value in view.items() if value is not None}
    readers: dict[str, Callable[[Any], Any]] = {
        "compare": lambda value: _second(value, state),
        "directions": lambda value: tuple(sorted(dict(value).items())),
        "pinned": _indices,
        "predict": bool,
        "step": float,
    }
    for name, read in readers.items():
        if name in parts:
            try:
                parts[name] = read(parts[name])
            except (TypeError, ValueError, OverflowError) as error:
                if isinstance(error, Error):
                    raise
                raise Error(
                    _("{name}: {value} is not possible here.").format(
                        name=name, value=shown(parts[name])
                    ),
                    name,
                ) from None
    for name in ("feature_level", "engine", "colors", "moves"):
        if name in parts:
            parts[name] = str(parts[name])
    return View(**parts).words(state.settings)


def _second(operator: Operator, state: State) -> Any:
    if getattr(operator, "key", None) != state.key:
        raise TypeError
    return settings_of(operator)


def _indices(value: Any) -> tuple[tuple[int, ...], ...]:
    """One index or several, as several."""
    found = tuple(value)
    if found and not hasattr(found[0], "__len__"):
        found = (found,)
    return tuple(tuple(int(i) for i in index) for index in found)
