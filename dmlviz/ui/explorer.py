"""An operator's page: build the input, set the operator, watch it, check it."""

from __future__ import annotations

import streamlit as st

from dmlviz.errors import Error, Problem
from dmlviz.operators import Operator
from dmlviz.scene import Scene
from dmlviz.ui.compare import second_operator, second_picture, show_both
from dmlviz.ui.engines import engine_widget
from dmlviz.ui.grid import take_edits
from dmlviz.ui.input_widgets import data_type_widget, sizes_widget, values_widget
from dmlviz.ui.parameter_widgets import feature_level_widget, parameter_widgets
from dmlviz.ui.problems import Board
from dmlviz.ui.result import result
from dmlviz.ui.stage import picture, show
from dmlviz.ui.state import PageState
from dmlviz.ui.text import plain
from dmlviz.ui.view_widgets import direction_widgets
from dmlviz.words import _, ngettext


def explorer(cls: type[Operator], title: str, definition: str) -> None:
    """The whole page of an operator.

    Args:
        cls: the operator.
        title: its name for people.
        definition: what it does, in one sentence.
    """
    state = PageState(cls)
    state.begin()
    take_edits(state)
    st.title(title, anchor=False)
    st.markdown(definition)
    board, second_board = Board(), Board()
    for sentence in state.get("link_problems", ()):
        st.warning(plain(sentence), icon=":material/link_off:")
    drawn, other = _settings(state, board, second_board)
    if drawn is None:
        _waiting(board)
        return
    if other is None:
        show(drawn, key=f"{cls.key}-stage")
    else:
        show_both(drawn, other, key=f"{cls.key}-stage")
    result(drawn)


def _settings(
    state: PageState, board: Board, second_board: Board
) -> tuple[Scene | None, Scene | None]:
    """All widgets, in the sidebar; the picture that they describe, and the one beside it."""
    nothing = (None, None)
    with st.sidebar:
        st.subheader(_("Input"), anchor=False)
        sizes = sizes_widget(state, board)
        name = data_type_widget(state, board)
        values_place = st.container()
        st.subheader(_("Operator"), anchor=False)
        operator = parameter_widgets(state, board, sizes)
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
            return nothing
        board.add(operator.problems(sizes, name, level))
        if not board.clear or x is None:
            return nothing
        state.set("last", x)
        with view_place:
            directions = direction_widgets(state, sizes, operator.output_sizes(sizes))
        try:
            drawn = picture(operator, x, directions, engine)
        except Error as error:
            board.add([Problem(error.field, str(error), "dmlviz")])
            return nothing
        if second is None:
            return drawn, None
        return drawn, second_picture(second_board, second, drawn, directions)


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
