"""An explorer inside another page: the stage with its controls, as the link says."""

from __future__ import annotations

import streamlit as st

from dmlviz.errors import Error
from dmlviz.operators import Operator
from dmlviz.scene import Scene
from dmlviz.states import PLAYER_WORDS, State, read_words
from dmlviz.ui.compare import show_both
from dmlviz.ui.engines import engines_here, statuses
from dmlviz.ui.stage import link_of, picture, show
from dmlviz.ui.state import PageState
from dmlviz.ui.text import plain
from dmlviz.words import _


def embedded(page: PageState) -> None:
    """Draw what the address says; what is wrong with it is said in its place."""
    query = st.query_params.to_dict()
    words = {name: text for name, text in query.items() if name not in PLAYER_WORDS}
    if page.get("link") != words:
        page.set("link", words)
        page.set("opened", page.get("opened", 0) + 1)
    opened = read_words(page.cls.key, query)
    state = opened.state
    assert state is not None  # the page is there
    for problem in opened.problems:
        st.warning(plain(problem.message), icon=":material/link_off:")
    second = state.second()
    try:
        drawn = _picture(state, state.operator())
        other = None if second is None else _picture(state, second)
    except Error as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    link = link_of(page.cls.key, page.get("opened"), state.view, drawn.trace.output.shape)
    key = f"{page.cls.key}-stage"
    # an address inside another page is nobody's to copy: there is no button for it
    link["shares"] = False
    if other is None:
        show(drawn, key=key, link=link, predict=state.view.predict)
    else:
        show_both(drawn, other, key, link)


def _picture(state: State, operator: Operator) -> Scene:
    """The scene of the state's input.

    Raises:
        Error: the operator refuses it, or its values do not go with its sizes.
    """
    for problem in operator.problems(state.sizes, state.data_type, state.view.feature_level):
        raise Error(problem.message, problem.field)
    engine = state.view.engine
    if engine not in engines_here():
        engine = statuses()[0].name
        st.caption(
            _("engine: {name} cannot run on this machine; {ours} runs instead.").format(
                name=state.view.engine, ours=statuses()[0].title
            )
        )
    return picture(operator, state.x(), state.view.directions, engine)
