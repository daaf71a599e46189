"""The same operation through every engine: equal or not, and what ran."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import streamlit as st

from dmlviz.engines import Engine, adapters, engines
from dmlviz.engines.directml import Adapter
from dmlviz.engines.recorded import recorded
from dmlviz.errors import EngineRefused, EngineUnavailable
from dmlviz.kept import kept
from dmlviz.operators import Operator
from dmlviz.tensors import print_value
from dmlviz.tensors.bits import differing_bits
from dmlviz.trace import Trace, run
from dmlviz.ui.state import KEEP, PageState
from dmlviz.ui.text import plain
from dmlviz.words import _

Array = np.ndarray[Any, Any]

REFUSED, EQUAL, DIFFERENT, ABSENT = "refused", "equal", "different", "absent"
_ICONS = {
    EQUAL: ":material/check_circle:",
    DIFFERENT: ":material/error:",
    REFUSED: ":material/block:",
    ABSENT: ":material/cloud_off:",
}


@dataclass(frozen=True, eq=False)
class Answer:
    """What one engine had to say.

    Attributes:
        title: the engine's name for people.
        kind: equal, different, refused or absent.
        words: the comparison, the refusal, or the reason for its absence.
        ran: provider, operations and time.
        trace: its run, where it ran.
        differing: flat indices of elements that are not the reference's.
    """

    title: str
    kind: str
    words: str
    ran: str
    trace: Trace | None
    differing: tuple[int, ...] = ()


def engine_widget(state: PageState) -> str:
    """The engine whose run is drawn; only those that can run here are offered."""
    here = engines_here()
    chosen: str = st.selectbox(
        _("Engine"),
        list(here),
        key=state.key("engine"),
        format_func=lambda name: here[name],
        help=_("What you see is this engine's own run, on the values and on their indices."),
        persist_state=KEEP,
    )
    return chosen


def engines_here() -> dict[str, str]:
    """Name and title of every engine that can run here, adapters included."""
    here = {engine.name: engine.title for engine in statuses() if engine.available}
    found = _adapters_here(here)
    if len(found) > 1:
        for adapter in found:
            name = f"directml:{adapter.number}"
            here[name] = _("DirectML on {adapter}").format(adapter=adapter.name)
    return here


def name_here(asked: str) -> str | None:
    """The name under which an engine is offered here; None where it cannot run here.

    The only adapter is DirectML's own choice, so it is offered without its number.
    """
    here = engines_here()
    if asked in here:
        return asked
    alone = [f"directml:{adapter.number}" for adapter in _adapters_here(here)]
    return "directml" if alone == [asked] else None


def mend_engine(state: PageState) -> None:
    """A link may name an engine that cannot run here: say so, and take the first that can."""
    asked = state.get("engine")
    if asked is None or asked in engines_here():
        return
    ours = statuses()[0]
    runs = name_here(asked)
    if runs is None:
        runs = ours.name
        sentence = _("link: engine={name} cannot run on this machine; {ours} runs instead.").format(
            name=asked, ours=ours.title
        )
        state.set("link_problems", [*state.get("link_problems", ()), sentence])
    state.set("engine", runs)
    linked = state.get("linked")
    if linked is not None:
        # the address stays as it came: on the machine that it came from it is right
        state.set("linked", replace(linked, view=replace(linked.view, engine=runs)))


def statuses() -> tuple[Engine, ...]:
    """Every engine's status; engines remember it themselves, unless they may start another time."""
    return tuple(engines())


@cache
def directml_adapters() -> tuple[Adapter, ...]:
    """The adapters that DirectML can use here."""
    return tuple(adapters())


def _adapters_here(here: Container[str]) -> tuple[Adapter, ...]:
    try:
        return directml_adapters() if "directml" in here else ()
    except EngineRefused:
        # its process ended; may be another time
        return ()


def answers(operator: Operator, x: Array, form: str = "") -> list[Answer]:
    """Every engine's answer, compared with NumPy's, bit for bit; DirectML's recorded one last."""
    reference = _traced(operator, repr(operator), x.tobytes(), x.dtype.str, x.shape, "numpy", "")
    found = []
    for status in statuses():
        if not status.available:
            found.append(Answer(status.title, ABSENT, status.reason, "", None))
            continue
        try:
            asked = "" if status.name == "numpy" else form
            trace = _traced(
                operator, repr(operator), x.tobytes(), x.dtype.str, x.shape, status.name, asked
            )
        except (EngineRefused, EngineUnavailable) as error:
            found.append(Answer(status.title, REFUSED, str(error), "", None))
            continue
        found.append(_compared(status.title, trace, reference.output, _what_ran(trace)))
    known = recorded(operator, x)
    if known is not None and known.output is not None:
        title = _("DirectML {version}, recorded").format(version=known.version)
        differing, words = compare(known.output, reference.output)
        kind = DIFFERENT if differing else EQUAL
        found.append(Answer(title, kind, words, "", None, differing))
    return found


def show_answers(found: list[Answer]) -> None:
    """One line per engine."""
    for answer in found:
        line = f"{_ICONS[answer.kind]} **{answer.title}**: {plain(answer.words)}"
        if answer.ran:
            line += f"  \n{answer.ran}"
        st.markdown(line)


def compare(output: Array, reference: Array) -> tuple[tuple[int, ...], str]:
    """Elements that differ, flat, and the comparison in words."""
    where = differing_bits(output, reference)
    n = reference.size
    if not where.size:
        return (), _("equal to NumPy, all {n} elements, bit for bit.").format(n=f"{n:,}")
    index = tuple(int(i) for i in np.unravel_index(int(where[0]), reference.shape))
    words = _(
        "{wrong} of {n} elements differ from NumPy, first out{index}: {mine} where NumPy has "
        "{theirs}."
    ).format(
        wrong=f"{where.size:,}",
        n=f"{n:,}",
        index=list(index),
        mine=print_value(output[index]),
        theirs=print_value(reference[index]),
    )
    return tuple(int(i) for i in where), words


def _compared(title: str, trace: Trace, reference: Array, ran: str) -> Answer:
    differing, words = compare(trace.output, reference)
    if not trace.agrees:
        return Answer(title, DIFFERENT, trace.check(), ran, trace, differing)
    if trace.engine == "numpy":
        words = _("the reference, {n} elements.").format(n=f"{trace.output.size:,}")
    return Answer(title, DIFFERENT if differing else EQUAL, words, ran, trace, differing)


def _what_ran(trace: Trace) -> str:
    ran = trace.ran
    form = _("as ONNX writes it") if ran.form == "native" else _("lowered")
    if trace.engine == "numpy":
        form = _("NumPy's own idiom")
    return _("{provider}: {nodes}; {form}; {ms:.2f} ms").format(
        provider=ran.provider, nodes=" → ".join(ran.nodes), form=form, ms=ran.seconds * 1000
    )


@kept(megabytes=16, words=False)
def _traced(
    operator: Operator,
    told: str,
    values: bytes,
    dtype: str,
    sizes: tuple[int, ...],
    name: str,
    form: str,
) -> Trace:
    return run(operator, np.frombuffer(values, dtype).reshape(sizes), name, form)
