"""One example of a page as a picture: the page's output beside an engine's output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from dmlviz.documents import Verdict
from dmlviz.documents.verifier import RECORDED, differing_elements
from dmlviz.drawing.scale import value_range
from dmlviz.engines import ENGINES
from dmlviz.errors import Error
from dmlviz.links import link
from dmlviz.operators import Operator
from dmlviz.player.tensor_figure import tensor_figure
from dmlviz.scene import STAGE_LIMIT
from dmlviz.tensors import print_sizes, print_value
from dmlviz.ui.address import open_link
from dmlviz.ui.stage import picture, show
from dmlviz.ui.text import plain
from dmlviz.ui.theme import is_dark
from dmlviz.words import _

Array = np.ndarray[Any, Any]

_CONFIG = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False}


def show_verdict(verdict: Verdict, key: str) -> None:
    """Draw expected and actual side by side, the movement on request, and the explorer's link."""
    operator, inputs = verdict.example.operator, verdict.example.inputs
    expected, actual = verdict.example.outputs, verdict.outputs
    if operator is None or not inputs or not expected or not actual:
        return
    most = max(sum(array.size for array in side.values()) for side in (expected, actual))
    if most > STAGE_LIMIT:
        st.caption(
            _("{n} elements are too many to draw; the limit is {most}.").format(
                n=f"{most:,}", most=f"{STAGE_LIMIT:,}"
            )
        )
        return
    differing: list[int] = []
    before = 0
    for name, array in actual.items():
        # an output that the page does not have is not compared
        wrong = differing_elements(expected.get(name, array), array).tolist()
        differing += [before + number for number in wrong]
        before += array.size
        if name in expected:
            title = f"{name}: " if len(actual) > 1 else ""
            _side_by_side(verdict.engine, title, expected[name], array, wrong, f"{key}{title}")
    left, right = st.columns(2)
    with left:
        # a recorded result did not run here
        if verdict.engine != RECORDED:
            st.toggle(_("Watch the elements move"), key=f"{key}-watch")
    with right:
        _to_explorer(operator, inputs)
    if st.session_state.get(f"{key}-watch"):
        _movement(operator, inputs, verdict.engine, differing, key)


def _side_by_side(
    engine: str, name: str, expected: Array, actual: Array, differing: list[int], key: str
) -> None:
    scale = value_range(np.concatenate([expected.ravel(), actual.ravel()]))
    same_sizes = expected.shape == actual.shape
    sides = (
        (name + _("The page says"), expected, actual, f"{key}-page"),
        (name + _gives(engine), actual, expected, f"{key}-run"),
    )
    for column, (title, mine, theirs, place) in zip(
        st.columns(2, gap="medium"), sides, strict=True
    ):
        marked = differing if same_sizes or mine is actual else []
        other = {i: print_value(theirs.flat[i]) for i in marked} if same_sizes else {}
        with column:
            st.markdown(f"**{plain(title)}** \u2002 {print_sizes(mine.shape)}")
            st.plotly_chart(
                tensor_figure(mine, set(marked), scale=scale, other=other, dark=is_dark()),
                theme=None,
                key=place,
                config=_CONFIG,
                alt=_alt(title, mine, len(marked)),
            )


def _alt(title: str, values: Array, marked: int) -> str:
    return _("{title}: a tensor of sizes {sizes}, {marked} cells marked as different.").format(
        title=title, sizes=print_sizes(values.shape), marked=marked
    )


def _movement(
    operator: Operator,
    inputs: Mapping[str, Array],
    engine: str,
    differing: list[int],
    key: str,
) -> None:
    try:
        drawn = picture(operator, inputs, engine=engine)
    except Error as error:
        st.caption(str(error))
        return
    show(drawn, key=f"{key}-stage", tall=520, differing=differing)


def _to_explorer(operator: Operator, inputs: Mapping[str, Array]) -> None:
    try:
        address = link(operator, inputs)
    except Error:
        return
    open_link(address, _("Open this example in its explorer"))


def _gives(engine: str) -> str:
    if engine == RECORDED:
        return _("DirectML, recorded, gives")
    return _("{engine} gives").format(engine=ENGINES[engine].status().title)
