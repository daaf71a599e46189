"""One example of a page as a picture: the page's output beside an engine's, or the movement."""

from __future__ import annotations

import streamlit as st

from dmlviz.app.address import open_link
from dmlviz.app.stage import picture, show
from dmlviz.app.state import KEEP
from dmlviz.app.text import plain
from dmlviz.app.theme import is_dark
from dmlviz.code import run_chain
from dmlviz.code.operator import CodeOperator
from dmlviz.engines import ENGINES
from dmlviz.errors import Error
from dmlviz.picture.scale import value_range
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.picture.tensor_figure import tensor_figure
from dmlviz.states.links import link
from dmlviz.tensors import print_sizes, print_value
from dmlviz.tensors.types import Array
from dmlviz.verify import Verdict
from dmlviz.verify.verifier import RECORDED, wrong_elements, wrong_numbers
from dmlviz.words import _

COMPARED, MOVEMENT = "compared", "movement"

_CONFIG = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False}


def view_of(verdict: Verdict) -> str:
    """Draw the choice of what is shown of an example; empty where nothing can be.

    Where page and engine differ they are compared first, and elsewhere the elements move; the
    reader's choice holds for all examples of the kind.
    """
    if not _can_be_drawn(verdict):
        return ""
    differs = bool(verdict.differing_count)
    ways = {COMPARED: _("Page and engine"), MOVEMENT: _("The movement")}
    return str(
        st.segmented_control(
            _("What is shown of the example"),
            list(ways),
            key=f"verify_view_{'differs' if differs else 'same'}",
            default=COMPARED if differs else MOVEMENT,
            required=True,
            format_func=lambda key: ways[key],
            label_visibility="collapsed",
            persist_state=KEEP,
        )
    )


def show_verdict(verdict: Verdict, way: str) -> None:
    """Draw what the page says beside what the engine gives, or the movement.

    Args:
        verdict: of an example that can be drawn.
        way: from :func:`view_of`.
    """
    expected, actual = verdict.example.outputs, verdict.outputs
    most = max(sum(array.size for array in side.values()) for side in (expected, actual))
    if most > STAGE_LIMIT:
        st.caption(
            _("{n} elements are too many to draw; the limit is {most}.").format(
                n=f"{most:,}", most=f"{STAGE_LIMIT:,}"
            )
        )
        return
    if way == MOVEMENT:
        _movement(verdict)
        return
    for name, array in actual.items():
        # an output that the page does not have is not compared
        if name in expected:
            wrong = wrong_elements(expected[name], array).tolist()
            title = f"{name}: " if len(actual) > 1 else ""
            _side_by_side(verdict.engine, title, expected[name], array, wrong, f"verify-{title}")


def explorer_link(verdict: Verdict) -> None:
    """Draw the link to the example in its explorer, where an address can hold it."""
    operator, inputs = verdict.example.operator, verdict.example.inputs
    if operator is None:
        return
    try:
        if isinstance(operator, CodeOperator):
            address = link(run_chain(operator.chain, inputs))
        else:
            address = link(operator, inputs)
    except Error:
        return
    open_link(address, _("Open this example in its explorer"))


def _can_be_drawn(verdict: Verdict) -> bool:
    example = verdict.example
    return bool(example.operator and example.outputs and verdict.outputs)


def _side_by_side(
    engine: str, name: str, expected: Array, actual: Array, differing: list[int], key: str
) -> None:
    scale = value_range(expected, actual)
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


def _movement(verdict: Verdict) -> None:
    operator = verdict.example.operator
    assert operator is not None
    # a recorded result did not run here
    engine = "numpy" if verdict.engine == RECORDED else verdict.engine
    try:
        drawn = picture(operator, verdict.example.inputs, engine=engine)
    except Error as error:
        st.caption(str(error))
        return
    show(drawn, key="verify-stage", differing=wrong_numbers(verdict))


def _gives(engine: str) -> str:
    if engine == RECORDED:
        return _("DirectML, recorded, gives")
    return _("{engine} gives").format(engine=ENGINES[engine].status().title)
