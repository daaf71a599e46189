"""Under the stage: what ran, whether it agrees, and the same as formula, text and table."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dmlviz.documents import write_example
from dmlviz.scene import Scene
from dmlviz.tensors import print_sizes, print_value
from dmlviz.trace import Trace
from dmlviz.ui.engines import answers, show_answers
from dmlviz.ui.state import KEEP
from dmlviz.ui.take_away import take_away
from dmlviz.ui.text import plain
from dmlviz.words import _

_MOST_ROWS = 256


def result(drawn: Scene) -> None:
    """The check in words, then what can be opened."""
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
    with st.expander(_("Through every engine"), icon=":material/memory:"):
        show_answers(answers(trace.operator, trace.x))
    with st.expander(_("Take it away"), icon=":material/download:"):
        take_away(drawn)
    with st.expander(_("The rule as a formula"), icon=":material/function:"):
        formula = trace.operator.formula(sizes)
        last = tuple(n - 1 for n in output_sizes)
        st.code(f"{formula.symbolic()}\n{formula.numbers(last)}", language=None, wrap_lines=True)
    with st.expander(_("As a documentation example"), icon=":material/data_array:"):
        st.caption(_("In the style of DirectML's pages; the page Verify a page reads it back."))
        st.code(write_example(trace.operator, trace.x, trace.output), language=None)
    with st.expander(_("As code"), icon=":material/code:"):
        _code(trace)
    with st.expander(_("The movement as a table"), icon=":material/table:"):
        if trace.output.size > _MOST_ROWS:
            st.caption(
                _("The first {shown} of {n} elements.").format(
                    shown=_MOST_ROWS, n=f"{trace.output.size:,}"
                )
            )
        st.table(_rows(trace))


def _code(trace: Trace) -> None:
    """The same operation in other dialects, one at a time."""
    snippets = {s.dialect: s for s in trace.operator.snippets(trace.x.shape, trace.data_type)}
    key = f"{trace.operator.key.replace('-', '_')}_dialect"
    dialect = st.segmented_control(
        _("Dialect"),
        list(snippets),
        key=key,
        default=next(iter(snippets)),
        required=True,
        format_func=lambda name: snippets[name].title,
        persist_state=KEEP,
    )
    chosen = snippets[dialect]
    if chosen.note:
        st.caption(plain(chosen.note))
    if chosen.text:
        st.code(chosen.text, language=chosen.language)


def _rows(trace: Trace) -> list[dict[str, str]]:
    """Output elements with where they come from, for those who cannot see the picture."""
    rows = []
    for flat in range(min(trace.output.size, _MOST_ROWS)):
        index = np.unravel_index(flat, trace.output.shape)
        source = int(trace.source[index])
        at = np.unravel_index(source, trace.x.shape) if source >= 0 else None
        rows.append(
            {
                _("Output element"): _plain_index(index),
                _("Value"): print_value(trace.output[index]),
                _("Comes from"): _("padding value") if at is None else _plain_index(at),
            }
        )
    return rows


def _plain_index(index: tuple[np.intp, ...]) -> str:
    return f"[{', '.join(str(int(i)) for i in index)}]"
