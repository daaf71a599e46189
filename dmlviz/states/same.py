"""What a run is the same as, for people: whatever its sizes and indices are, or only with these.

And which of an operator's codes a page opens as code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code import ChainTrace, Same, library_of, read, same_as, same_as_run
from dmlviz.code.dialects import LIBRARY_KEYS, snippets_of
from dmlviz.code.libraries import LIBRARIES
from dmlviz.code.operator import whole_chain
from dmlviz.engines.trace import Trace
from dmlviz.movement import VALUES
from dmlviz.operators import Operator
from dmlviz.operators.code.base import Snippet
from dmlviz.operators.code.onnx import onnxscript_snippet
from dmlviz.operators.slots import descs_of
from dmlviz.picture.excerpts import Excerpt
from dmlviz.states.code import CodeState, with_values
from dmlviz.states.inputs import InputState, Tensors
from dmlviz.tensors import print_compact
from dmlviz.tensors.types import Array


def same_of(trace: Trace) -> tuple[Same, ...]:
    """Everything that gives exactly a run's outputs.

    Of code, see :func:`dmlviz.code.same_as`. Of an operator with one input and one output it is
    what :func:`dmlviz.code.same_as_run` finds; an operator with more tensors has its own calls in
    the libraries before that, of the kind ``call``: they are the same whatever its indices are.
    """
    if isinstance(trace, ChainTrace):
        return trace.same_as
    if isinstance(trace, Excerpt):
        chain = whole_chain(trace.operator)
        return () if chain is None else same_as(chain)
    return (*_calls(trace), *same_as_run(trace))


def same_by_reach(trace: Trace, every: Sequence[Same]) -> list[tuple[str, list[Same]]]:
    """What :func:`same_of` found, in its groups, each with a sentence on how far it holds.

    The group that holds farthest comes first.
    """
    role = trace.operator.role
    choosing = [name for name in trace.inputs if role(name) != VALUES]
    chain = trace.chain if isinstance(trace, ChainTrace) else whole_chain(trace.operator)
    if chain is not None:
        # masks and indices, also those that are made of the values themselves
        choosing = [*chain.arrays]
    names = ", ".join(choosing)
    sentences = dict[str, list[Same]]()
    for one in every:
        sentences.setdefault(_reach(one, names), []).append(one)
    groups = sorted(sentences.items(), key=lambda group: group[1][0].any_sizes is False)
    if names:
        groups.sort(key=lambda group: not _holds_for_any_indices(group[1][0]))
    return groups


def _holds_for_any_indices(one: Same) -> bool:
    return one.kind == "call" or one.any_indices


def _reach(one: Same, choosing: str) -> str:
    """How far something holds, in a sentence.

    Args:
        one: what is the same.
        choosing: the names of the tensors that choose elements, if any.
    """
    if choosing:
        if one.any_sizes is False:
            words = _("Only with the {tensor} on screen and with these sizes:")
        elif _holds_for_any_indices(one):
            words = _("The same for every {tensor}:")
        else:
            words = _("Only with the {tensor} on screen:")
        return words.format(tensor=choosing)
    if one.any_sizes is None:
        return _("Compared for every element, with these sizes.")
    return _("The same with other sizes too:") if one.any_sizes else _("Only with these sizes:")


def _calls(trace: Trace) -> Iterator[Same]:
    """The operator's calls in the libraries, each read and run: it gives the run's outputs."""
    movement, operator = trace.movement, trace.operator
    alone = len(trace.inputs) == len(movement.outputs) == 1 and not operator.index_slots()
    if alone or not isinstance(operator, Operator):
        return
    inputs = descs_of(trace.inputs, values=True)
    snippets = {one.dialect: one for one in snippets_of(operator, inputs)}
    graph = operator.native_graph(inputs)
    # the snippet of ONNX makes a model, and is no call
    snippets["onnx"] = (
        onnxscript_snippet(operator.case(inputs), graph) if graph else Snippet("onnx")
    )
    for library in LIBRARIES.values():
        if not library.has_tensors or library.dialect_key not in snippets:
            continue
        state = code_of_snippet(snippets[library.dialect_key], trace)
        if state is not None:
            text = state.code.removesuffix("\ny")
            if "\n" not in text:
                text = text.removeprefix("y = ")
            yield Same("call", text, state.address(), state.reads_as, len(text.splitlines()))


def code_of_snippets(snippets: Iterable[Snippet], trace: Trace) -> CodeState | None:
    """The first of an operator's codes that the page for code reads.

    Args:
        snippets: the code that is to be opened, then those in other libraries, in which it is
            opened if the page does not read it.
        trace: of the operator.
    """
    states = (code_of_snippet(snippet, trace) for snippet in snippets)
    return next((state for state in states if state is not None), None)


def nothing_the_same() -> str:
    """That nothing does the same."""
    return _("There is no operator, pattern or short line that does the same.")


def same_title(one: Same) -> str:
    """What opens, for people."""
    if one.kind == "operator":
        return _("Open the operator")
    if one.kind == "layout":
        return _("Open the layout")
    return _("Open in {library}").format(library=LIBRARIES[one.library].title)


def code_of_snippet(snippet: Snippet, trace: Trace) -> CodeState | None:
    """An operator's code with its tensors as a state of the page for code.

    Args:
        snippet: in a dialect, for the run's inputs.
        trace: of the operator.

    Returns:
        None if the code is not read, if it does not give exactly the run's outputs, or if the
        values do not fit in an address.
    """
    operator = trace.operator
    library = LIBRARY_KEYS.get(snippet.dialect)
    if library is None or not snippet.body or not isinstance(operator, Operator):
        return None
    case = operator.case(descs_of(trace.inputs, values=True))
    named = {tensor.variable: trace.inputs[tensor.name] for tensor in case.inputs}
    code = f"{snippet.body}\ny" if "y = " in snippet.body else snippet.body
    state = CodeState(code, library)
    if state.library == library_of(code):
        state = replace(state, library="")
    with suppress(Error):
        sizes = {name: x.shape for name, x in named.items()}
        chain = read(code, sizes, named, state.reads_as, trace.data_type)
        input_states = {
            name: _as_control(x) if name in chain.controls else with_values(x, trace.data_type)
            for name, x in named.items()
        }
        state = replace(state, tensors=Tensors.of(input_states))
        made = list(state.trace().outputs.values())
        due = list(trace.outputs.values())
        if len(made) == len(due) and all(map(_same, made, due)) and state.addressed() is not None:
            return state
    return None


def _as_control(array: Array) -> InputState:
    return InputState(array.shape, "", "own", print_compact(array.astype(np.int64)))


def _same(one: Array, other: Array) -> bool:
    return one.shape == other.shape and one.tobytes() == other.tobytes()
