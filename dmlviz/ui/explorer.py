"""An operator's page: build the input, set the operator, watch it, check it."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from dmlviz.errors import Error, Problem
from dmlviz.operators import Operator
from dmlviz.states import State, View, settings_of
from dmlviz.ui.compare import second_operator, second_picture
from dmlviz.ui.embedded import embedded
from dmlviz.ui.engines import engine_widget, mend_engine
from dmlviz.ui.grid import take_edits
from dmlviz.ui.input_widgets import data_type_widget, sizes_widget, values_widget
from dmlviz.ui.parameter_widgets import feature_level_widget, parameter_widgets
from dmlviz.ui.present import present
from dmlviz.ui.presenting import ADDRESSED, presenting
from dmlviz.ui.problems import Board
from dmlviz.ui.questions import question
from dmlviz.ui.result import result
from dmlviz.ui.seen import Seen, changed, remember, stage
from dmlviz.ui.stage import picture
from dmlviz.ui.state import PageState
from dmlviz.ui.text import plain
from dmlviz.ui.view_widgets import direction_widgets, predict_switch
from dmlviz.words import _, ngettext

Array = np.ndarray[Any, Any]


def explorer(cls: type[Operator]) -> None:
    """The whole page of an operator; the stage alone where the page is embedded.

    Args:
        cls: the operator.
    """
    state = PageState(cls)
    if presenting():
        present(state)
        return
    if st.context.is_embedded:
        embedded(state)
        return
    state.begin()
    mend_engine(state)
    take_edits(state)
    st.title(cls.teaching().title(), anchor=False)
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
    ):
        st.markdown(cls.teaching().sentence(), width="content")
        predict = predict_switch(state)
    questions = st.container()
    board, second_board = Board(), Board()
    for sentence in state.get("link_problems", ()):
        st.warning(plain(sentence), icon=":material/link_off:")
    seen = _settings(state, board, second_board)
    with questions:
        question(state, seen.state)
    st.session_state[ADDRESSED] = seen.state is not None
    if seen.state is not None:
        state.follow(seen.state)
    remember(state, seen)
    if seen.drawn is None:
        _waiting(board)
        return
    stage(state)
    if predict:
        st.markdown(
            _("Values, code and table of the output come back when Predict first is switched off.")
        )
    else:
        result(state, seen.drawn)


def _settings(state: PageState, board: Board, second_board: Board) -> Seen:
    """All widgets, in the sidebar; what they describe."""
    with st.sidebar:
        st.subheader(_("Input"), anchor=False)
        sizes = sizes_widget(state, board)
        name = data_type_widget(state, board)
        values_place = st.container()
        st.subheader(_("Operator"), anchor=False)
        operator = parameter_widgets(state, board, sizes, changed)
        second = second_operator(state, second_board, sizes, operator)
        level = feature_level_widget(state, board)
        engine = engine_widget(state)
        with values_place:
            x = values_widget(state, board, sizes, name, operator)
        view_place = st.container()
        st.button(
            _("Back to the documentation's example"),
            icon=":material/restart_alt:",
            key=state.key("reset"),
            on_click=state.reset,
            width="stretch",
        )
        if operator is None or sizes is None:
            return Seen()
        described = _state(state, operator, sizes, x, second, level, engine)
        board.add(operator.problems(sizes, name, level))
        if not board.clear or x is None:
            return Seen(state=described)
        state.set("last", x)
        with view_place:
            directions = direction_widgets(state, sizes, operator.output_sizes(sizes))
        try:
            drawn = picture(operator, x, directions, engine)
        except Error as error:
            board.add([Problem(error.field, str(error), "dmlviz")])
            return Seen(state=described)
        if second is None:
            return Seen(drawn, None, described)
        return Seen(drawn, second_picture(second_board, second, drawn, directions), described)


def _state(
    state: PageState,
    operator: Operator,
    sizes: tuple[int, ...],
    x: Array | None,
    second: Operator | None,
    level: str | None,
    engine: str,
) -> State | None:
    """What an address can hold of the page, or None."""
    if state.get("compare") and second is None:
        return None
    view = View(
        feature_level=level,
        engine=engine,
        directions=state.directions(len(sizes)),
        compare=None if second is None else settings_of(second),
        predict=bool(state.get("predict")),
    )
    return state.now(operator, sizes, x, view)


def _waiting(board: Board) -> None:
    count = len(board.found)
    st.info(
        ngettext(
            "There is {n} thing to mend before there is a picture:",
            "There are {n} things to mend before there is a picture:",
            count,
        ).format(n=count),
        icon=":material/front_hand:",
    )
    st.markdown("\n".join(f"- {plain(problem.message)}" for problem in board.found))
