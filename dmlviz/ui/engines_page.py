"""The page about engines: which run here, and where they part ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import streamlit as st

from dmlviz.operators import DepthToSpace, Operator, Padding, SpaceToDepth, Tile
from dmlviz.scene import scene
from dmlviz.ui.engines import Answer, answers, show_answers, statuses
from dmlviz.ui.stage import show
from dmlviz.ui.state import KEEP
from dmlviz.words import _

Array = np.ndarray[Any, Any]


def _row(*values: float) -> Array:
    return np.array(values, np.float32)


CASES: Mapping[str, tuple[Callable[[], str], Operator, Array]] = MappingProxyType(
    {
        "reflection-large": (
            lambda: _("REFLECTION as large as the axis: [1, 2, 3], 3 before and 3 behind"),
            Padding("REFLECTION", (3,), (3,)),
            _row(1, 2, 3),
        ),
        "reflection-one": (
            lambda: _("REFLECTION of one element: [7], 1 before and 1 behind"),
            Padding("REFLECTION", (1,), (1,)),
            _row(7),
        ),
        "symmetric": (
            lambda: _("SYMMETRIC, which ONNX does not have: [1, 2, 3], 4 before"),
            Padding("SYMMETRIC", (4,), (0,)),
            _row(1, 2, 3),
        ),
        "wrap": (
            lambda: _("WRAP far beyond the size: [1, 2, 3], 8 before"),
            Padding("WRAP", (8,), (0,)),
            _row(1, 2, 3),
        ),
        "space-to-depth": (
            lambda: _("Space to depth in COLUMN_ROW_DEPTH, which ONNX 13 to 27 does not have"),
            SpaceToDepth(2, "COLUMN_ROW_DEPTH"),
            SpaceToDepth.examples()[1].x,
        ),
        "depth-to-space": (
            lambda: _("Depth to space with block size 3, in COLUMN_ROW_DEPTH"),
            DepthToSpace(3, "COLUMN_ROW_DEPTH"),
            np.arange(18 * 4, dtype=np.float32).reshape(1, 18, 2, 2),
        ),
        "tile": (
            lambda: _("Tile, the documentation's example"),
            Tile((1, 1, 3, 3)),
            Tile.examples()[0].x,
        ),
    }
)
"""Where engines agree, refuse, or need another way."""

FORMS: Mapping[str, Callable[[], str]] = MappingProxyType(
    {
        "": lambda: _("As is exact"),
        "native": lambda: _("As the ONNX model is written"),
        "lowered": lambda: _("Lowered"),
    }
)


def engines_page() -> None:
    """Draw the page."""
    st.title(_("Engines"), anchor=False)
    st.markdown(
        _(
            "An engine executes the operator. dmlviz runs it on your values and again on their "
            "indices, and what you see is the engine's second answer. Here every engine does "
            "the same, and you see where they agree."
        )
    )
    for engine in statuses():
        icon = ":material/check_circle:" if engine.available else ":material/cloud_off:"
        st.markdown(f"{icon} **{engine.title}**: {engine.detail or engine.reason}")
    st.subheader(_("The same operator through each"), anchor=False)
    case = st.selectbox(
        _("Case"),
        list(CASES),
        key="engines_case",
        format_func=lambda name: CASES[name][0](),
        persist_state=KEEP,
    )
    form = st.segmented_control(
        _("The ONNX model"),
        list(FORMS),
        key="engines_form",
        default="",
        required=True,
        format_func=lambda name: FORMS[name](),
        help=_(
            "A lowering does the same with ONNX's plainest operators, where the operator as "
            "written is missing, refused or not exact."
        ),
        persist_state=KEEP,
    )
    _title, operator, x = CASES[case]
    found = answers(operator, x, form or "")
    show_answers(found)
    _stage(found)


def _stage(found: list[Answer]) -> None:
    ran = [answer for answer in found if answer.trace is not None]
    titles = [answer.title for answer in ran]
    chosen = st.segmented_control(
        _("Watch the run of"), titles, default=titles[0], required=True, key="engines_watch"
    )
    answer = ran[titles.index(chosen)] if chosen in titles else ran[0]
    assert answer.trace is not None
    show(scene(answer.trace), key="engines-stage", differing=answer.differing)
