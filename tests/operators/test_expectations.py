"""Every state of ``expectations/`` gives what is written there: steps, formulas, code, misreadings."""

import re

import numpy as np
import pytest

import dmlviz
from dmlviz.code.dialects import snippets_of
from dmlviz.operators.slots import descs_of
from dmlviz.tensors import print_sizes
from tests.operators.expectations import CLASSES, assert_lines, assert_list, says, states

STATES = states()


def output(state, due):
    """The elements of the output, or of each output by name, in each engine that is here."""
    available = {engine.name for engine in dmlviz.engines() if engine.available}
    for engine, form in (("numpy", ""), ("onnxruntime", ""), ("onnxruntime", "lowered")):
        if engine not in available:
            continue
        trace = dmlviz.run(state.operator, state.inputs, engine, form)
        assert trace.agrees
        if isinstance(due, dict):
            assert {name: array.tolist() for name, array in trace.outputs.items()} == due
        else:
            assert trace.output.tolist() == due


def output_sizes(state, due):
    """The sizes of the output, or of each output by name."""
    sizes = {name: array.shape for name, array in state.inputs.items()}
    outputs = {name: list(of) for name, of in state.operator.outputs_after(sizes).items()}
    assert outputs == due if isinstance(due, dict) else list(outputs.values()) == [due]


def sums(state, due):
    """The calculations of the output's sizes."""
    sizes = {name: array.shape for name, array in state.inputs.items()}
    (calculations,) = state.operator.sums(sizes).values()
    assert [each.equation for each in calculations] == due


def source(state, due):
    """The flat index of each element's source, or -1, of all outputs one after the other."""
    first, *others = dmlviz.run(state.operator, state.inputs).sources.values()
    flat = np.concatenate([one.ravel() for one in (first, *others)])
    assert_list(flat if others else first, due)


def drivers(state, due):
    """The control element that chooses each element, or -1."""
    (of_output,) = dmlviz.run(state.operator, state.inputs).drivers.values()
    assert of_output.tolist() == due


def formula(state, due):
    """The rule of the first output."""
    rules = next(iter(state.operator.formulas(state.inputs).values()))
    assert says(rules[0].symbolic(), due)


def explain(state, due):
    """What is said of an element, by its index; before it a colon and the output, if of another."""
    for place, text in due.items():
        name, _colon, at = place.rpartition(": ")
        index = tuple(int(i) for i in at.split(","))
        assert says(state.operator.explain(state.inputs, index, name), text.strip("\n"))


def steps(state, due):
    """Title and caption of each step, or the title alone."""
    every = state.operator.moves(state.inputs).steps
    both = " | " in due
    assert_lines([f"{s.title} | {s.caption}" if both else s.title for s in every], due)


def step_of(state, due):
    """The step of each output element."""
    assert_list(state.operator.moves(state.inputs).step_of, due)


def landed(state, due):
    """How many elements land in each step."""
    assert np.bincount(state.operator.moves(state.inputs).step_of).tolist() == due


def before(state, due):
    """The input element that lands at each place first and is covered later, or -1."""
    assert_list(state.operator.moves(state.inputs).before, due)


def contested(state, due):
    """The output elements at which several input elements land."""
    assert state.operator.moves(state.inputs).contested.tolist() == due


def marks(state, due):
    """The input cells that each step frames beside those that move."""
    assert [list(step.marks) for step in state.operator.moves(state.inputs).steps] == due


def parts(state, due):
    """Title, sizes and caption of each part of the rule; none for an empty text."""
    every = state.operator.rule_parts(state.inputs)
    assert_lines([f"{p.title} | {print_sizes(p.sizes)} | {p.caption}" for p in every], due)


def misreadings(state, due):
    """Of some by key: their sources, or sizes, source and words; of {} that there are none."""
    every = {m.key: m for m in state.operator.misreadings(state.inputs)}
    assert bool(every) == bool(due)
    for key, of in due.items():
        if isinstance(of, list):
            of = {"source": of}
        assert of.keys() <= {"source", "sizes", "words"}
        if "source" in of:
            assert_list(every[key].source, of["source"])
        if "sizes" in of:
            sizes = every[key].output_sizes
            by_name = isinstance(of["sizes"], dict)
            plain = {n: list(s) for n, s in sizes.items()} if by_name else list(sizes)
            assert plain == of["sizes"]
        assert says(every[key].words, of.get("words", "…"))


def only(state, due):
    """The keys of all misreadings, in their order."""
    assert [m.key for m in state.operator.misreadings(state.inputs)] == due


def absent(state, due):
    """Keys of misreadings that would be the truth or another one here."""
    assert not {m.key for m in state.operator.misreadings(state.inputs)} & set(due)


def pieces(state):
    return {piece.dialect: piece for piece in snippets_of(state.operator, descs_of(state.inputs))}


def code(state, due):
    """By dialect: the whole text or body of its code, or a list of what the text contains."""
    for dialect, text in due.items():
        piece = pieces(state)[dialect]
        if not text:
            assert piece.text == piece.body == piece.make_x == ""
        if isinstance(text, str):
            assert text.strip("\n") in (piece.body, piece.text.strip("\n"))
        for part in text if isinstance(text, list) else ():
            assert part in piece.text


def lacks(state, due):
    """By dialect: what its code does not contain."""
    for dialect, part in due.items():
        assert part not in pieces(state)[dialect].text


def notes(state, due):
    """By dialect: what its note says."""
    for dialect, text in due.items():
        assert says(pieces(state)[dialect].note, text)


def native(state, due):
    """The nodes of ONNX's own form; none if ONNX has no operator for it."""
    graph = state.operator.native_graph(descs_of(state.inputs))
    assert_list([node.op_type for node in graph.nodes] if graph else [], due)
    if not graph:
        pytest.importorskip("onnxruntime", exc_type=ImportError)
        with pytest.raises(dmlviz.EngineRefused, match="ONNX has no operator"):
            dmlviz.run(state.operator, state.inputs, "onnxruntime", "native")


def attributes(state, due):
    """Some attributes of the last node of ONNX's own form."""
    node = state.operator.native_graph(descs_of(state.inputs)).nodes[-1]
    assert {name: node.attributes[name] for name in due} == due


def ran(state, due):
    """Whether ONNX Runtime runs ONNX's own form or the lowered one."""
    pytest.importorskip("onnxruntime", exc_type=ImportError)
    trace = dmlviz.run(state.operator, state.inputs, "onnxruntime")
    assert trace.agrees
    assert trace.ran.form == due
    by_numpy = dmlviz.run(state.operator, state.inputs)
    np.testing.assert_array_equal(trace.output, by_numpy.output, strict=True)


def refused(state, due):
    """The sentence that refuses these elements."""
    with pytest.raises(dmlviz.Refused) as caught:
        dmlviz.run(state.operator, state.inputs)
    assert says(str(caught.value), due)
    name = re.match(r"(\w+): ", due)
    assert name is None or caught.value.field in (name[1], "values")


KINDS = {
    kind.__name__: kind
    for kind in (
        *(output, output_sizes, sums, source, drivers, formula, explain, steps, step_of, landed),
        *(
            before,
            contested,
            marks,
            parts,
            misreadings,
            only,
            absent,
            code,
            lacks,
            notes,
            native,
            attributes,
            ran,
        ),
        refused,
    )
}


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        pytest.param(state, kind, id=f"{state}-{kind}")
        for state in STATES
        for kind in state.expected or ["nothing"]
    ],
)
def test_expectation(state, kind):
    KINDS[kind](state, state.expected[kind])


def test_every_operator_has_expectations():
    kinds = {key: set() for key in CLASSES}
    for state in STATES:
        kinds[state.key] |= set(state.expected)
    for key, of in kinds.items():
        assert {"steps", "explain", "misreadings", "code"} <= of, key
