"""The same operation on every engine: whether the results agree, and what ran."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import EngineRefused, EngineUnavailable
from dmlviz.base.words import _
from dmlviz.engines import engines
from dmlviz.engines.recorded import recorded
from dmlviz.engines.trace import Trace
from dmlviz.operators import Operator
from dmlviz.tensors import print_value
from dmlviz.tensors.numbering import differing_elements, located, print_cell
from dmlviz.tensors.types import Array

REFUSED, EQUAL, DIFFERENT, ABSENT = "refused", "equal", "different", "absent"


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


def engine_answers(
    operator: Operator, inputs: Mapping[str, Array], traced: Callable[[str], Trace]
) -> list[EngineAnswer]:
    """Every engine's result, compared bit for bit with NumPy's; DirectML's recorded one is last.

    Args:
        operator: that ran.
        inputs: its tensors by name.
        traced: runs it on the engine of a name.
    """
    reference = traced("numpy")
    answers = []
    for status in engines():
        if not status.available:
            answers.append(EngineAnswer(status.title, ABSENT, status.reason, "", None))
            continue
        try:
            trace = traced(status.name)
        except (EngineRefused, EngineUnavailable) as error:
            answers.append(EngineAnswer(status.title, REFUSED, str(error), "", None))
            continue
        answers.append(_compared(status.title, trace, reference.outputs, _what_ran(trace)))
    known = recorded(operator, inputs)
    if known is not None and known.outputs:
        title = _("DirectML {version}, recorded").format(version=known.version)
        differing, words = compare(known.outputs, reference.outputs)
        kind = DIFFERENT if differing else EQUAL
        answers.append(EngineAnswer(title, kind, words, "", None, differing))
    return answers


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
    form = _("ONNX's own operator") if ran.form == "native" else _("lowered")
    if trace.engine == "numpy":
        form = _("NumPy's own idiom")
    return _("{provider}: {nodes}; {form}; {ms:.2f} ms").format(
        provider=ran.provider, nodes=" → ".join(ran.nodes), form=form, ms=ran.seconds * 1000
    )
