"""Two settings of one operator on the same input, on one stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dmlviz.app.described import Described
from dmlviz.app.parameter_widgets import parameter_widgets
from dmlviz.app.problems import Notices
from dmlviz.app.stage import Wall, show
from dmlviz.app.state import KEEP, PageState
from dmlviz.movement import INDEX, VALUES
from dmlviz.picture.compared import compared
from dmlviz.picture.runs import sizes_on_stage
from dmlviz.picture.scene import Scene
from dmlviz.tensors import print_value
from dmlviz.tensors.numbering import (
    differing_elements,
    located,
    print_all_sizes,
    print_cell,
    sizes_by_name,
)
from dmlviz.words import _


def second_widgets(
    page: PageState, notices: Notices, described: Described, changed: Callable[[PageState], None]
) -> None:
    """Draw the switch and, if it is on, the second operator's widgets.

    Args:
        page: of the explorer.
        notices: where sentences about the second operator go.
        described: what the widgets describe.
        changed: called when the switch or one of its settings changes.
    """
    st.toggle(
        _("Compare with another setting"),
        key=page.key("compare"),
        help=_("Both results for one input, side by side, step by step."),
        on_change=changed,
        args=(page,),
        persist_state=KEEP,
    )
    if described.second is not None:
        other = page.second()
        st.markdown(_("**B, the other setting**"))
        parameter_widgets(other, notices, described.second.offered, other.fitted_sizes(), changed)


def show_both(
    a: Scene, b: Scene, key: str, link: Mapping[str, Any], wall: Wall | None = None, **room: Any
) -> str | None:
    """Draw both outputs on one stage; mark cells that differ and name the first difference below.

    The result and the limits of height are those of :func:`dmlviz.app.stage.show`.
    """
    search = show(compared(a, b), key=key, link=link, wall=wall, **room)
    if wall is None:  # people in a room find the difference themselves
        st.markdown(difference(a, b))
    return search


def outputs_shown(a: Scene, b: Scene | None) -> dict[str, tuple[int, ...]]:
    """The sizes of all outputs on the stage, by the names shown there."""
    return sizes_on_stage(a.trace, None if b is None else b.trace)


def difference(a: Scene, b: Scene) -> str:
    """A sentence: whether the outputs differ, and where first."""
    first, second = a.trace.outputs, b.trace.outputs
    if [x.shape for x in first.values()] != [x.shape for x in second.values()]:
        return _("The outputs have different sizes: A {a}, B {b}.").format(
            a=print_all_sizes(sizes_by_name(first)), b=print_all_sizes(sizes_by_name(second))
        )
    where = differing_elements(first, second)
    total = sum(output.size for output in first.values())
    if not where:
        return _("A and B give the same output, all {n} elements.").format(n=total)
    return _("{wrong} of {n} elements differ, first at {cell}: A has {a}, B has {b}.").format(
        wrong=len(where),
        n=total,
        cell=print_cell(where[0], first, "out"),
        a=_with_source(a, where[0]),
        b=_with_source(b, where[0]),
    )


def _with_source(drawn: Scene, number: int) -> str:
    """The value of an output element, and the input element that it copies, if there is one."""
    trace = drawn.trace
    name, index = located(number, trace.outputs)
    value, source = print_value(trace.outputs[name][index]), int(trace.sources[name][index])
    if source < 0 or trace.roles[name] == INDEX:
        return value
    moving = {name: x for name, x in trace.inputs.items() if trace.roles[name] == VALUES}
    return _("{value} from {cell}").format(value=value, cell=print_cell(source, moving, "in"))
