"""Two settings of one operator on the same input, side by side, stepping together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from dmlviz.errors import Error, Problem
from dmlviz.operators import Operator
from dmlviz.scene import Scene
from dmlviz.states import settings_of
from dmlviz.tensors import print_sizes, print_value
from dmlviz.tensors.bits import differing_bits
from dmlviz.ui.parameter_widgets import parameter_widgets
from dmlviz.ui.problems import Board
from dmlviz.ui.stage import Hall, picture, show
from dmlviz.ui.state import KEEP, PageState
from dmlviz.words import _


def second_operator(
    state: PageState, board: Board, sizes: tuple[int, ...] | None, first: Operator | None
) -> Operator | None:
    """The switch, and the second operator's widgets where it is on."""
    on = st.toggle(
        _("Compare with another setting"),
        key=state.key("compare"),
        help=_("A second stage with the same input; both step together."),
        persist_state=KEEP,
    )
    if not on:
        return None
    other = state.second()
    if first is not None and not other.get("begun"):
        other.apply(settings_of(first.alternative()))
        other.set("begun", True)
    st.markdown(_("**B, the other setting**"))
    return parameter_widgets(other, board, sizes)


def second_picture(
    board: Board, operator: Operator, drawn: Scene, directions: tuple[tuple[int, str], ...]
) -> Scene | None:
    """The second operator's picture on the first one's input, or None with sentences."""
    x = drawn.trace.x
    problems = operator.problems(x.shape, drawn.trace.data_type)
    board.add(problems)
    if problems:
        return None
    try:
        return picture(operator, x, directions, drawn.trace.engine)
    except Error as error:
        board.add([Problem(error.field, str(error), "dmlviz")])
        return None


def show_both(
    a: Scene, b: Scene, key: str, link: Mapping[str, Any], hall: Hall | None = None
) -> str | None:
    """Two stages, cells that differ marked, the first difference named.

    The first keeps the address; what it answers is as of :func:`dmlviz.ui.stage.show`.
    """
    asked = None
    differing, sentence = difference(a, b)
    if hall is None:  # a room is to find it
        st.markdown(sentence)
    for column, name, drawn in zip(st.columns(2, gap="medium"), "AB", (a, b), strict=True):
        with column:
            heading = "**{name}** \u2002 {told}" if hall is None else "### {name} \u2002 {told}"
            st.markdown(heading.format(name=name, told=settings_apart(drawn, a, b)))
            search = show(
                drawn,
                key=f"{key}-{name}",
                tall=480,
                group=key,
                differing=differing,
                link={
                    **link,
                    "writes": name == "A" and link["writes"],
                    "plays": name == "A" and link.get("plays", False),
                },
                hall=hall,
            )
            asked = asked or search
    return asked


def difference(a: Scene, b: Scene) -> tuple[list[int], str]:
    """Which output elements differ, flat, and what to say of it."""
    first, second = a.trace.output, b.trace.output
    if first.shape != second.shape:
        return [], _("The outputs have different sizes: A {a}, B {b}.").format(
            a=print_sizes(first.shape), b=print_sizes(second.shape)
        )
    where = differing_bits(first, second)
    if not where.size:
        return [], _("A and B give the same output, all {n} elements.").format(n=first.size)
    index = tuple(int(i) for i in np.unravel_index(int(where[0]), first.shape))
    sentence = _(
        "{wrong} of {n} elements differ, first at out{index}: A has {a}, B has {b}."
    ).format(
        wrong=where.size,
        n=first.size,
        index=list(index),
        a=print_value(first[index]),
        b=print_value(second[index]),
    )
    return [int(i) for i in where], sentence


def settings_apart(drawn: Scene, a: Scene, b: Scene) -> str:
    """The settings in which the two differ, of one of them."""
    mine, one, two = (_settings(s.trace.operator) for s in (drawn, a, b))
    told = [name for name in mine if one.get(name) != two.get(name)] or list(mine)
    return ", ".join(f"{name}: {mine[name]}" for name in told)


def _settings(operator: Operator) -> dict[str, Any]:
    """The settings that matter, as DirectML calls them and writes them."""
    desc, now = operator.desc, operator.settings
    return {
        p.label: desc.get(p.label, now[p.name])
        for p in operator.parameters()
        if p.used(now) and not p.unspoken(now[p.name])
    }
