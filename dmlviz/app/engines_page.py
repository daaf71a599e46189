"""The page about engines: which ones run here, and where they differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

import streamlit as st

from dmlviz.app.engines import answers, show_answers, statuses
from dmlviz.app.page import KEEP
from dmlviz.app.stage import show
from dmlviz.base.words import _
from dmlviz.engines.agreement import EngineAnswer
from dmlviz.picture.scene import scene
from dmlviz.teaching.presets import EngineCase, engine_cases

FORMS: Mapping[str, Callable[[], str]] = MappingProxyType(
    {
        "": lambda: _("Automatic"),
        "native": lambda: _("As the ONNX model is written"),
        "lowered": lambda: _("Lowered"),
    }
)


def engines_page() -> None:
    """Draw the page."""
    with st.container(key="engines_head", horizontal=True, vertical_alignment="center"):
        st.title(_("Engines"), anchor=False)
        st.markdown(
            _(
                "An engine executes the operator. dmlviz runs it twice: on your values, and on "
                "their indices. The second result is the movement that you see. Here every "
                "engine runs the same operator, and you see where they agree."
            )
        )
    with st.container(key="engines_work"):
        cases = {case.key: case for case in engine_cases()}
        with st.container(key="engines_choice"):
            case = _case(cases)
        # above the words where there is one column
        seen = st.container(key="engines_picture")
        with st.container(key="engines_words"):
            per_engine = _answered(case)
            _here(cases.values())
        with seen:
            _stage(per_engine)


def _case(cases: Mapping[str, EngineCase]) -> EngineCase:
    chosen = st.selectbox(
        _("Case"),
        list(cases),
        key="engines_case",
        format_func=lambda name: cases[name].title,
        persist_state=KEEP,
    )
    return cases[chosen]


def _answered(case: EngineCase) -> list[EngineAnswer]:
    """Draw the form of the model, and what every engine makes of it."""
    form = st.segmented_control(
        _("The ONNX model"),
        list(FORMS),
        key="engines_form",
        default="",
        required=True,
        format_func=lambda name: FORMS[name](),
        help=_(
            "A lowering does the same with ONNX's basic operators. It is used where the "
            "operator as written is missing, refused or inexact."
        ),
        persist_state=KEEP,
    )
    if case.trap:
        st.caption(case.trap)
    per_engine = answers(case.operator, case.inputs, form or "")
    show_answers(per_engine)
    return per_engine


def _here(cases: Iterable[EngineCase]) -> None:
    """Draw which engines run here, and the errors that are avoided."""
    st.subheader(_("Engines on this machine"), anchor=False)
    # why another does not run here stands among the answers
    for engine in filter(lambda engine: engine.available, statuses()):
        st.markdown(f":material/check_circle: **{engine.title}**: {engine.detail}")
    with st.expander(_("Errors of providers that dmlviz avoids")):
        traps = (f"- **{one.title}.** {one.trap}" for one in cases if one.trap)
        st.markdown("\n".join(traps))


def _stage(per_engine: list[EngineAnswer]) -> None:
    ran = [answer for answer in per_engine if answer.trace is not None]
    titles = [answer.title for answer in ran]
    chosen = st.segmented_control(
        _("Engine to watch"), titles, default=titles[0], required=True, key="engines_watch"
    )
    answer = ran[titles.index(chosen)] if chosen in titles else ran[0]
    assert answer.trace is not None
    show(scene(answer.trace), key="engines-stage", differing=answer.differing)
