"""Building the input: sizes, data type, values."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from dmlviz.errors import Error, Problem
from dmlviz.operators import Operator
from dmlviz.scene import STAGE_LIMIT
from dmlviz.states import State, settings_of
from dmlviz.states.reading import MOST_SEED
from dmlviz.tensors import (
    DATA_TYPES,
    PICTURES,
    STARTING_VALUES,
    check_element_count,
    element_count,
    print_sizes,
    read_literal,
)
from dmlviz.ui.grid import edit_as_grid
from dmlviz.ui.problems import Board
from dmlviz.ui.state import KEEP, PageState
from dmlviz.words import _

Array = np.ndarray[Any, Any]


def sizes_widget(state: PageState, board: Board) -> tuple[int, ...] | None:
    """The sizes, or None with a sentence under them."""
    st.text_input(
        _("Sizes"),
        key=state.key("sizes"),
        help=_("One number per dimension, outermost first: 1 to 8 dimensions."),
        max_chars=200,
        on_change=_sizes_changed,
        args=(state,),
        persist_state=KEEP,
    )
    board.place("sizes", "output_sizes")
    try:
        sizes = state.sizes()
        check_element_count(sizes, STAGE_LIMIT, "sizes")
    except Error as error:
        board.add([Problem("sizes", str(error), "dmlviz")])
        return None
    return sizes


def data_type_widget(state: PageState, board: Board) -> str:
    """The data type."""
    name: str = st.selectbox(
        _("Data type"), list(DATA_TYPES), key=state.key("data_type"), persist_state=KEEP
    )
    board.place("data_type")
    return name


def values_widget(
    state: PageState,
    board: Board,
    sizes: tuple[int, ...] | None,
    name: str,
    operator: Operator | None,
) -> Array | None:
    """The input itself, or None with a sentence under the widget that is in the way."""
    st.selectbox(
        _("Values"),
        state.value_options(),
        key=state.key("values"),
        format_func=lambda option: value_title(state, option),
        on_change=_values_changed,
        args=(state,),
        persist_state=KEEP,
    )
    board.place("values", "starting_values")
    chosen = state.get("values")
    if chosen == "random":
        st.number_input(
            _("Seed"),
            min_value=0,
            max_value=MOST_SEED,
            key=state.key("seed"),
            help=_("The same seed gives the same numbers."),
            persist_state=KEEP,
        )
    elif chosen == "picture":
        st.selectbox(
            _("Picture"),
            list(PICTURES),
            key=state.key("picture"),
            format_func=lambda key: PICTURES[key](),
            persist_state=KEEP,
        )
    elif chosen == "own":
        st.text_area(
            _("Your own values"),
            key=state.key("literal"),
            height=150,
            help=_(
                "A nested list of Python, NumPy or JSON, DirectML's documentation style, or "
                "rows such as 1 2; 3 4."
            ),
            on_change=_literal_changed,
            args=(state,),
            persist_state=KEEP,
        )
        board.place("literal")
    if sizes is None:
        return None
    try:
        x = _described(state, sizes, name, operator).x()
    except Error as error:
        field = error.field if error.field in ("sizes", "data_type") else "values"
        field = "literal" if chosen == "own" and field == "values" else field
        board.add([Problem(field, str(error), "dmlviz")])
        return None
    edit_as_grid(state, board, x, name)
    return x


def value_title(state: PageState, option: str) -> str:
    """A starting value's name for people."""
    if option == "own":
        return _("My own values")
    if option.startswith("example-"):
        number = int(option.removeprefix("example-"))
        return state.cls.examples()[number].title
    return STARTING_VALUES[option]()


def _described(
    state: PageState, sizes: tuple[int, ...], name: str, operator: Operator | None
) -> State:
    """What the widgets say of the input; own values as they are typed."""
    return State(
        state.cls.key,
        sizes,
        name,
        str(state.get("values")),
        literal=str(state.get("literal", "")),
        seed=int(state.get("seed") or 0),
        picture=str(state.get("picture") or ""),
        settings=() if operator is None else settings_of(operator),
    )


def _sizes_changed(state: PageState) -> None:
    """An example has its own sizes: other sizes go on with counting."""
    if str(state.get("values")).startswith("example-"):
        number = int(str(state.get("values")).removeprefix("example-"))
        try:
            same = state.sizes() == state.cls.examples()[number].x.shape
        except Error:
            return
        if not same:
            state.set("values", "count-1" if state.cls.examples()[number].x.min() else "count-0")


def _values_changed(state: PageState) -> None:
    chosen = str(state.get("values"))
    if chosen.startswith("example-"):
        state.load(int(chosen.removeprefix("example-")))
    elif chosen == "own" and not state.get("literal"):
        last = state.get("last")
        if last is not None:
            state.fill_own(last)


def _literal_changed(state: PageState) -> None:
    """A pasted tensor brings its own sizes, and its type where it names one."""
    try:
        literal = read_literal(
            str(state.get("literal", "")), str(state.get("data_type")), limit=STAGE_LIMIT
        )
    except Error:
        return
    state.set("data_type", literal.data_type)
    try:
        sizes = state.sizes()
        fits = element_count(sizes) == literal.values.size
        if fits and (len(literal.sizes) == 1 or _inner(sizes) == _inner(literal.sizes)):
            return
    except Error:
        pass
    # fewer brackets than dimensions: the missing ones are outermost, of size 1
    rank = min(state.cls.ranks_ever())
    padded = (1,) * (rank - len(literal.sizes)) + literal.sizes
    state.set("sizes", print_sizes(padded).strip("{}"))


def _inner(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Sizes without the ones in front, which brackets are often left out for."""
    first = next((d for d, n in enumerate(sizes) if n > 1), len(sizes) - 1)
    return sizes[first:]
