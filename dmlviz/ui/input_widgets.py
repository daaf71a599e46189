"""Building the input: sizes, data type, values."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from dmlviz.errors import Error, Problem
from dmlviz.operators import Operator
from dmlviz.operators.feature_levels import ranks_ever
from dmlviz.scene import STAGE_LIMIT
from dmlviz.tensors import (
    DATA_TYPES,
    PICTURES,
    STARTING_VALUES,
    check_element_count,
    data_type,
    draw,
    element_count,
    print_sizes,
    read_literal,
    start,
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
    seed, picture = 0, ""
    if chosen == "random":
        seed = st.number_input(
            _("Seed"),
            min_value=0,
            max_value=2**31,
            value=0,
            key=state.key("seed"),
            help=_("The same seed gives the same numbers."),
            persist_state=KEEP,
        )
    elif chosen == "picture":
        picture = st.selectbox(
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
        x = _values(state, chosen, sizes, name, seed, picture, operator)
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


def _values(
    state: PageState,
    chosen: str,
    sizes: tuple[int, ...],
    name: str,
    seed: int,
    picture: str,
    operator: Operator | None,
) -> Array:
    if chosen == "own":
        return _own(str(state.get("literal", "")), sizes, name)
    if chosen.startswith("example-"):
        x = state.cls.examples()[int(chosen.removeprefix("example-"))].x
        if x.shape != sizes:
            raise Error(
                _("values: the documentation's example has sizes {due}, not {sizes}.").format(
                    due=print_sizes(x.shape), sizes=print_sizes(sizes)
                ),
                "values",
            )
        return x.astype(data_type(name).dtype)
    if chosen == "picture" and operator is not None and not operator.problems(sizes, None):
        return operator.picture_input(sizes, lambda of: draw(picture, of, name))
    return start(chosen, sizes, name, seed=int(seed), picture=picture)


def _own(text: str, sizes: tuple[int, ...], name: str) -> Array:
    literal = read_literal(text, name, limit=STAGE_LIMIT)
    if literal.values.size != element_count(sizes):
        raise Error(
            _("values: {count} numbers were typed, sizes {sizes} need {need}.").format(
                count=literal.values.size, sizes=print_sizes(sizes), need=element_count(sizes)
            ),
            "values",
        )
    if literal.data_type != name:
        raise Error(
            _("values: the text says {theirs}, the data type chosen is {ours}.").format(
                theirs=literal.data_type, ours=name
            ),
            "values",
        )
    return literal.values.reshape(sizes)


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
    rank = min(ranks_ever(state.cls.structure))
    padded = (1,) * (rank - len(literal.sizes)) + literal.sizes
    state.set("sizes", print_sizes(padded).strip("{}"))


def _inner(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Sizes without the ones in front, which brackets are often left out for."""
    first = next((d for d, n in enumerate(sizes) if n > 1), len(sizes) - 1)
    return sizes[first:]
