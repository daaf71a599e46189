"""The same operation on every engine: whether the results agree, and what ran."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import streamlit as st

from dmlviz.app.state import PageState
from dmlviz.app.text import plain
from dmlviz.cache import cached
from dmlviz.engines import Engine, adapters, engines
from dmlviz.engines.directml import Adapter
from dmlviz.engines.recorded import recorded
from dmlviz.errors import EngineRefused, EngineUnavailable, Error
from dmlviz.operators import Operator
from dmlviz.states import State
from dmlviz.tensors import print_tensor, print_value
from dmlviz.tensors.numbering import differing_elements, located, print_cell
from dmlviz.tensors.types import Array
from dmlviz.trace import Trace, run
from dmlviz.words import _

REFUSED, EQUAL, DIFFERENT, ABSENT = "refused", "equal", "different", "absent"
_ICONS = {
    EQUAL: ":material/check_circle:",
    DIFFERENT: ":material/error:",
    REFUSED: ":material/block:",
    ABSENT: ":material/cloud_off:",
}


@dataclass(frozen=True, eq=False)
class EngineAnswer:
    """One engine's result.

    Attributes:
        title: the engine's name for people.
        kind: equal, different, refused or absent.
        words: the comparison, the refusal, or the reason for its absence.
        ran: provider, operations and time.
        trace: its run, or None if it did not run.
        differing: numbers, counted across all outputs, of elements that differ from the reference.
    """

    title: str
    kind: str
    words: str
    ran: str
    trace: Trace | None
    differing: tuple[int, ...] = ()


def engines_here() -> dict[str, str]:
    """Name and title of every engine that can run here, including adapters."""
    here = {engine.name: engine.title for engine in statuses() if engine.available}
    found = _adapters_here(here)
    if len(found) > 1:
        for adapter in found:
            name = f"directml:{adapter.number}"
            here[name] = _("DirectML on {adapter}").format(adapter=adapter.name)
    return here


def name_here(asked: str) -> str | None:
    """The name under which an engine is offered here; None if it cannot run here.

    A single adapter is DirectML's default, so it is offered without its number.
    """
    here = engines_here()
    if asked in here:
        return asked
    alone = [f"directml:{adapter.number}" for adapter in _adapters_here(here)]
    return "directml" if alone == [asked] else None


def correct_engine(state: PageState) -> None:
    """If a link names an engine that cannot run here, say so and use the first one that can."""
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
        state.address.change(messages=(*state.link_problems(), sentence))
    state.set("engine", runs)
    linked = state.address.history.meaning
    if linked is not None:
        # the address stays as it came, because it is right on the machine that it came from
        view = replace(linked.view, engine=runs)
        state.address.change(meaning=replace(linked, view=view))


def statuses() -> tuple[Engine, ...]:
    """Every engine's status; an engine caches it unless a later start may succeed."""
    return tuple(engines())


@cache
def directml_adapters() -> tuple[Adapter, ...]:
    """The adapters that DirectML can use here."""
    return tuple(adapters())


def _adapters_here(here: Container[str]) -> tuple[Adapter, ...]:
    try:
        return directml_adapters() if "directml" in here else ()
    except EngineRefused:
        # its process ended; a later call may succeed
        return ()


def answers(operator: Operator, inputs: Mapping[str, Array], form: str = "") -> list[EngineAnswer]:
    """Every engine's result, compared bit for bit with NumPy's; DirectML's recorded one is last."""
    given = tuple((name, x.tobytes(), x.dtype.str, x.shape) for name, x in inputs.items())
    reference = _traced(operator, repr(operator), given, "numpy", "")
    found = []
    for status in statuses():
        if not status.available:
            found.append(EngineAnswer(status.title, ABSENT, status.reason, "", None))
            continue
        try:
            asked = "" if status.name == "numpy" else form
            trace = _traced(operator, repr(operator), given, status.name, asked)
        except (EngineRefused, EngineUnavailable) as error:
            found.append(EngineAnswer(status.title, REFUSED, str(error), "", None))
            continue
        found.append(_compared(status.title, trace, reference.outputs, _what_ran(trace)))
    known = recorded(operator, inputs)
    if known is not None and known.outputs:
        title = _("DirectML {version}, recorded").format(version=known.version)
        differing, words = compare(known.outputs, reference.outputs)
        kind = DIFFERENT if differing else EQUAL
        found.append(EngineAnswer(title, kind, words, "", None, differing))
    return found


def show_answers(found: list[EngineAnswer]) -> None:
    """Draw one line for each engine."""
    for answer in found:
        line = f"{_ICONS[answer.kind]} **{answer.title}**: {plain(answer.words)}"
        if answer.ran:
            line += f"  \n{answer.ran}"
        st.markdown(line)


def show_recorded(state: State) -> None:
    """Draw DirectML's recorded outputs for a state that the operator refuses, if there are some."""
    try:
        operator, inputs = state.operator(), state.inputs()
        known = recorded(operator, inputs) if operator.refusals(inputs) else None
    except Error:
        return
    if known is None or not known.outputs:
        return
    told = _("DirectML {version}, given exactly this input, returned:")
    st.markdown(told.format(version=known.version))
    printed = (print_tensor(name, output) for name, output in known.outputs.items())
    st.code("\n\n".join(printed), language=None)


def compare(
    outputs: Mapping[str, Array], reference: Mapping[str, Array]
) -> tuple[tuple[int, ...], str]:
    """The numbers, across all outputs, of elements that differ, and the comparison in words."""
    where = differing_elements(outputs, reference)
    n = sum(array.size for array in reference.values())
    if not where:
        return (), _("equal to NumPy, all {n} elements, bit for bit.").format(n=f"{n:,}")
    name, index = located(where[0], reference)
    words = _(
        "{wrong} of {n} elements differ from NumPy, first {cell}: {mine} where NumPy has {theirs}."
    ).format(
        wrong=f"{len(where):,}",
        n=f"{n:,}",
        cell=print_cell(where[0], reference, "out"),
        mine=print_value(outputs[name][index]),
        theirs=print_value(reference[name][index]),
    )
    return tuple(where), words


def _compared(title: str, trace: Trace, reference: Mapping[str, Array], ran: str) -> EngineAnswer:
    differing, words = compare(trace.outputs, reference)
    if not trace.agrees:
        return EngineAnswer(title, DIFFERENT, trace.check(), ran, trace, differing)
    if trace.engine == "numpy":
        words = _("the reference, {n} elements.").format(
            n=f"{sum(output.size for output in trace.outputs.values()):,}"
        )
    return EngineAnswer(title, DIFFERENT if differing else EQUAL, words, ran, trace, differing)


def _what_ran(trace: Trace) -> str:
    ran = trace.ran
    form = _("as ONNX writes it") if ran.form == "native" else _("lowered")
    if trace.engine == "numpy":
        form = _("NumPy's own idiom")
    return _("{provider}: {nodes}; {form}; {ms:.2f} ms").format(
        provider=ran.provider, nodes=" → ".join(ran.nodes), form=form, ms=ran.seconds * 1000
    )


@cached(megabytes=16, words=False)
def _traced(
    operator: Operator,
    told: str,
    given: tuple[tuple[str, bytes, str, tuple[int, ...]], ...],
    engine: str,
    form: str,
) -> Trace:
    inputs = {
        name: np.frombuffer(values, dtype).reshape(sizes) for name, values, dtype, sizes in given
    }
    return run(operator, inputs, engine, form)
