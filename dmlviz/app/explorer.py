"""An operator's page: build the input, set the operator, watch it, check it."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dmlviz.app.address import presenting, tell
from dmlviz.app.compare import second_operator, second_picture
from dmlviz.app.embedded import embedded
from dmlviz.app.engines import correct_engine, engine_widget, show_recorded
from dmlviz.app.grid import take_edits
from dmlviz.app.input_widgets import input_arrays, input_boxes
from dmlviz.app.parameter_widgets import feature_level_widget, parameter_widgets
from dmlviz.app.present import present
from dmlviz.app.problems import Notices
from dmlviz.app.questions import open_preset, preset_picker, question
from dmlviz.app.result import result
from dmlviz.app.seen import Seen, changed, described, remember, stage
from dmlviz.app.share import ADDRESSED
from dmlviz.app.stage import picture
from dmlviz.app.state import PageState
from dmlviz.app.text import plain
from dmlviz.app.view_widgets import predict_switch
from dmlviz.errors import Error, Problem
from dmlviz.operators import Operator
from dmlviz.states import View, settings_of
from dmlviz.teaching.presets import presets_of
from dmlviz.tensors import MAX_RANK
from dmlviz.words import _, ngettext

_CHOICE = 264
"""The width of the preset picker in pixels."""


def explorer(cls: type[Operator]) -> None:
    """Draw an operator's whole page, or only the stage if the page is embedded.

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
    correct_engine(state)
    take_edits(state)
    with _row("head"):
        st.title(cls.title(), anchor=False, width="content")
        st.markdown(cls.sentence())
        with st.container(
            key="tools", horizontal=True, vertical_alignment="center", width="content"
        ):
            choice = st.container(width=_CHOICE)
            predict = predict_switch(state)
    asked = _row("asked")
    notices, second_notices = Notices(), Notices()
    tell(state.link_problems())
    seen = _settings(state, notices, second_notices)
    preset = open_preset(state, seen.state)
    with choice:
        preset_picker(state, presets_of(cls.key), preset, lambda one: state.take(one.state))
    with asked:
        question(state, preset, state.reset, own=_("Your own settings"), hidden=predict)
    st.session_state[ADDRESSED] = seen.state is not None
    if seen.state is not None:
        state.address.follow(seen.state)
    remember(state, seen)
    if seen.drawn is None:
        _waiting(notices)
        if seen.state is not None:
            show_recorded(seen.state)
        return
    stage(state)
    with st.container(key="below"):
        if predict:
            st.markdown(_("Turn off Predict first to see the output's values, code and table."))
        else:
            result(state, seen.drawn)


def _row(key: str) -> DeltaGenerator:
    """A row of the page's head; the style sheet places it."""
    return st.container(key=key, horizontal=True, vertical_alignment="center")


def _settings(state: PageState, notices: Notices, second_notices: Notices) -> Seen:
    """Draw all widgets in the sidebar; return what they describe."""
    with st.sidebar:
        boxes = input_boxes(state, notices, changed)
        first = next(iter(boxes.values())).sizes if boxes else ()
        st.subheader(_("Operator"), anchor=False)
        operator = parameter_widgets(state, notices, first, changed)
        inputs = input_arrays(state, notices, boxes, operator, changed)
        second = second_operator(state, second_notices, first, operator, inputs)
        limited = state.get("feature_level") is not None
        with st.expander(_("Engine and limits"), icon=":material/tune:", expanded=limited):
            level = feature_level_widget(state, notices, changed)
            engine = engine_widget(state, changed)
        sizes = {name: box.sizes for name, box in boxes.items() if box.sizes is not None}
        if operator is None or len(sizes) < len(boxes):
            return Seen()
        view = View(
            feature_level=level,
            engine=engine,
            compare=None if second is None else settings_of(second),
            predict=bool(state.get("predict")),
        )
        # an invalid second operator has no address
        addressed = second is not None or not state.get("compare")
        asked = described(state, operator, sizes, inputs, view)
        here = asked if addressed else None
        types = {name: box.data_type for name, box in boxes.items()}
        notices.add(operator.problems(sizes, types, level))
        if not notices.clear or len(inputs) < len(boxes):
            return Seen(state=here)
        notices.add(operator.control_problems(inputs))
        if not notices.clear:
            return Seen(state=here)
        for name, x in inputs.items():
            state.of(name).set("last", x)
        directions = state.directions(MAX_RANK)
        try:
            drawn = picture(operator, inputs, directions, engine, asked.full if asked else None)
        except Error as error:
            notices.add([Problem(error.field, str(error), "dmlviz")])
            return Seen(state=here)
        if second is None:
            return Seen(drawn, None, here)
        return Seen(drawn, second_picture(second_notices, second, drawn, directions), here)


def _waiting(notices: Notices) -> None:
    count = len(notices.found)
    st.info(
        ngettext(
            "Fix {n} problem to see the picture:",
            "Fix {n} problems to see the picture:",
            count,
        ).format(n=count),
        icon=":material/front_hand:",
    )
    st.markdown("\n".join(f"- {plain(problem.message)}" for problem in notices.found))
