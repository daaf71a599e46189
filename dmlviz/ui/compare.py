"""Two settings of one operator on the same input, side by side, stepping together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dmlviz.errors import Error, Problem
from dmlviz.operators import Operator
from dmlviz.operators.base import Array
from dmlviz.operators.comparing import alternative_on
from dmlviz.scene import Scene
from dmlviz.states import settings_of
from dmlviz.tensors import print_value
from dmlviz.tensors.numbering import (
    differing_elements,
    located,
    print_all_sizes,
    print_cell,
    sizes_by_name,
)
from dmlviz.ui.parameter_widgets import parameter_widgets
from dmlviz.ui.problems import Notices
from dmlviz.ui.stage import Hall, picture, show
from dmlviz.ui.state import KEEP, PageState
from dmlviz.words import _


def second_operator(
    state: PageState,
    notices: Notices,
    sizes: tuple[int, ...] | None,
    first: Operator | None,
    inputs: Mapping[str, Array],
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
        other.apply(settings_of(alternative_on(first, inputs)))
        other.set("begun", True)
    st.markdown(_("**B, the other setting**"))
    return parameter_widgets(other, notices, sizes)


def second_picture(
    notices: Notices, operator: Operator, drawn: Scene, directions: tuple[tuple[int, str], ...]
) -> Scene | None:
    """The second operator's picture on the first one's input, or None with sentences."""
    inputs = drawn.trace.inputs
    problems = operator.refusals(inputs)
    notices.add(problems)
    if problems:
        return None
    try:
        return picture(operator, inputs, directions, drawn.trace.engine)
    except Error as error:
        notices.add([Problem(error.field, str(error), "dmlviz")])
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
    first, second = a.trace.outputs, b.trace.outputs
    if sizes_by_name(first) != sizes_by_name(second):
        return [], _("The outputs have different sizes: A {a}, B {b}.").format(
            a=print_all_sizes(sizes_by_name(first)), b=print_all_sizes(sizes_by_name(second))
        )
    where = differing_elements(first, second)
    total = sum(output.size for output in first.values())
    if not where:
        return [], _("A and B give the same output, all {n} elements.").format(n=total)
    name, index = located(where[0], first)
    sentence = _("{wrong} of {n} elements differ, first at {cell}: A has {a}, B has {b}.").format(
        wrong=len(where),
        n=total,
        cell=print_cell(where[0], first, "out"),
        a=print_value(first[name][index]),
        b=print_value(second[name][index]),
    )
    return where, sentence


def settings_apart(drawn: Scene, a: Scene, b: Scene) -> str:
    """The settings in which the two differ, of one of them."""
    mine, one, two = (_settings(s.trace.operator) for s in (drawn, a, b))
    told = [name for name in mine if one.get(name) != two.get(name)] or list(mine)
    return ", ".join(f"{name}: {mine[name]}" for name in told)


def _settings(operator: Operator) -> dict[str, Any]:
    """The settings that matter, as DirectML calls them and writes them."""
    desc, now = operator.desc, operator.settings
    return {
        p.label: desc.get(p.label, p.spell(now[p.name]))
        for p in operator.parameters()
        if p.used(now) and not p.unspoken(now[p.name])
    }
