"""An operator's page: build the input, set the operator, watch it, check it."""

from __future__ import annotations

import streamlit as st

from dmlviz.errors import Error, Problem
from dmlviz.operators import Operator
from dmlviz.scene import Scene
from dmlviz.tensors import print_sizes, print_tensor
from dmlviz.ui.grid import take_edits
from dmlviz.ui.input_widgets import data_type_widget, sizes_widget, values_widget
from dmlviz.ui.parameter_widgets import feature_level_widget, parameter_widgets
from dmlviz.ui.problems import Board
from dmlviz.ui.stage import picture, show
from dmlviz.ui.state import PageState
from dmlviz.ui.text import plain
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
    board = Board()
    for sentence in state.get("link_problems", ()):
        st.warning(plain(sentence), icon=":material/link_off:")
    drawn = _settings(state, board)
    if drawn is None:
        _waiting(board)
        return
    show(drawn, key=f"{cls.key}-stage")
    _result(drawn)


def _settings(state: PageState, board: Board) -> Scene | None:
    """All widgets, in the sidebar; the picture that they describe, if they describe one."""
    with st.sidebar:
        st.subheader(_("Input"), anchor=False)
        sizes = sizes_widget(state, board)
        name = data_type_widget(state, board)
        values_place = st.container()
        st.subheader(_("Operator"), anchor=False)
        operator = parameter_widgets(state, board, sizes)
        level = feature_level_widget(state, board)
        with values_place:
            x = values_widget(state, board, sizes, name, operator)
        st.button(
            _("Back to the documentation's example"),
            icon=":material/restart_alt:",
            key=state.key("reset"),
            on_click=state.load,
            args=(0,),
            width="stretch",
        )
        if operator is None or sizes is None:
            return None
        board.add(operator.problems(sizes, name, level))
        if not board.clear or x is None:
            return None
        state.set("last", x)
        try:
            return picture(operator, x)
        except Error as error:
            board.add([Problem(error.field, str(error), "dmlviz")])
            return None


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


def _result(drawn: Scene) -> None:
    trace = drawn.trace
    sizes, output_sizes = trace.x.shape, trace.output.shape
    left, right = st.columns([3, 2])
    icon = ":material/verified:" if trace.agrees else ":material/error:"
    left.markdown(f"{icon} {trace.check()}")
    right.markdown(
        _("**{sizes}** becomes **{output_sizes}**, {data_type}").format(
            sizes=print_sizes(sizes),
            output_sizes=print_sizes(output_sizes),
            data_type=trace.data_type,
        )
    )
    with st.expander(_("The rule as a formula"), icon=":material/function:"):
        formula = trace.operator.formula(sizes)
        last = tuple(n - 1 for n in output_sizes)
        st.code(f"{formula.symbolic()}\n{formula.numbers(last)}", language=None, wrap_lines=True)
    with st.expander(_("Both tensors as text"), icon=":material/data_array:"):
        st.code(
            f"{print_tensor('InputTensor', trace.x)}\n\n"
            f"{print_tensor('OutputTensor', trace.output)}",
            language=None,
        )
