"""The same operation on every engine: whether the results agree, and what ran."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cache

import numpy as np
import streamlit as st

from dmlviz.app.text import plain
from dmlviz.base.cache import cached
from dmlviz.base.errors import EngineRefused, Error
from dmlviz.base.words import _
from dmlviz.engines import Engine, adapters, engines
from dmlviz.engines.agreement import (
    ABSENT,
    DIFFERENT,
    EQUAL,
    REFUSED,
    EngineAnswer,
    engine_answers,
)
from dmlviz.engines.directml import Adapter
from dmlviz.engines.recorded import recorded
from dmlviz.engines.trace import Trace, run
from dmlviz.operators import Operator
from dmlviz.states.pages import AnyState, operator_state
from dmlviz.tensors import print_tensor
from dmlviz.tensors.types import Array

_ICONS = {
    EQUAL: ":material/check_circle:",
    DIFFERENT: ":material/error:",
    REFUSED: ":material/block:",
    ABSENT: ":material/cloud_off:",
}


def engines_here() -> dict[str, str]:
    """Name and title of every engine that can run here, including adapters."""
    here = {engine.name: engine.title for engine in statuses() if engine.available}
    adapters = _adapters_here(here)
    if len(adapters) > 1:
        for adapter in adapters:
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
    """As :func:`dmlviz.engines.agreement.engine_answers`, each run kept for the next visitor."""
    input_bytes = tuple((name, x.tobytes(), x.dtype.str, x.shape) for name, x in inputs.items())

    def traced(engine: str) -> Trace:
        asked = "" if engine == "numpy" else form
        return _traced(operator, repr(operator), input_bytes, engine, asked)

    return engine_answers(operator, inputs, traced)


def show_answers(per_engine: list[EngineAnswer]) -> None:
    """Draw one line for each engine."""
    for answer in per_engine:
        line = f"{_ICONS[answer.kind]} **{answer.title}**: {plain(answer.words)}"
        if answer.ran:
            line += f"  \n{answer.ran}"
        st.markdown(line)


def show_recorded(state: AnyState) -> None:
    """Draw DirectML's recorded outputs for a state that the operator refuses, if there are some."""
    try:
        operator, inputs = operator_state(state).operator(), state.inputs()
        known = recorded(operator, inputs) if operator.refusals(inputs) else None
    except Error:
        return
    if known is None or not known.outputs:
        return
    sentence = _("DirectML {version}, given exactly this input, returned:")
    st.markdown(sentence.format(version=known.version))
    printed = (print_tensor(name, output) for name, output in known.outputs.items())
    st.code("\n\n".join(printed), language=None)


@cached(megabytes=16, words=False)
def _traced(
    operator: Operator,
    operator_text: str,
    input_bytes: tuple[tuple[str, bytes, str, tuple[int, ...]], ...],
    engine: str,
    form: str,
) -> Trace:
    inputs = {
        name: np.frombuffer(values, dtype).reshape(sizes)
        for name, values, dtype, sizes in input_bytes
    }
    return run(operator, inputs, engine, form)
