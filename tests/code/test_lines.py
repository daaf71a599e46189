"""Each line of the libraries' lists does what its library does, tensor by tensor, on every engine."""

import numpy as np
import pytest

from dmlviz.code import LIBRARIES, CodeRefused, read, run_chain
from tests.code.answers import RECORDED, by_library, modules, numbers, recorded
from tests.code.lines import LINES

CASES = [
    pytest.param(library, *line, id=f"{library}: {line[0]}")
    for library, lines in LINES.items()
    for line in lines
]


def made_by(library, code, values):
    """What the library itself makes of a line, or made when it was asked."""
    if library in RECORDED:
        return recorded(library, code)
    if library == "torch":
        pytest.importorskip("torch")
    return by_library(library, code, values, modules(library))


@pytest.mark.parametrize(("library", "code", "sizes", "kind"), CASES)
def test_a_line_does_what_its_library_does(library, code, sizes, kind):
    values = numbers(sizes)
    if kind:
        with pytest.raises(CodeRefused) as refused:
            read(code, {n: x.shape for n, x in values.items()}, library=library)
        assert refused.value.kind == kind
        assert refused.value.line >= 1
        return
    chain = read(code, {n: x.shape for n, x in values.items()}, library=library)
    trace = run_chain(chain, values)
    if "layers.torch" not in code and "onnxscript" not in code:
        due = made_by(library, code, values)
        assert [x.shape for x in trace.outputs.values()] == [x.shape for x in due]
        for made, expected in zip(trace.outputs.values(), due, strict=True):
            np.testing.assert_array_equal(made, expected)
    if chain.native is not None:
        # ONNX Runtime has its own nodes for few data types
        values = {name: x.astype(np.float32) for name, x in values.items()}
    again = run_chain(chain, values, "onnxruntime")
    assert (again.native is None) == (library != "onnx")
    for ran in (trace, again):
        assert ran.agrees
        assert all(step.trace.agrees for step in ran.steps)
    for name, array in trace.every.outputs.items():
        np.testing.assert_array_equal(array, again.every.outputs[name])
        np.testing.assert_array_equal(trace.every.sources[name], again.every.sources[name])


@pytest.mark.parametrize(("library", "code", "sizes", "kind"), CASES)
def test_the_maps_between_neighbors_compose_to_the_whole(library, code, sizes, kind):
    if kind:
        pytest.skip("it is refused")
    chain = read(code, dict(zip("xy", sizes, strict=False)), library=library)
    for number, operation in enumerate(chain.operations):
        before = chain.movement(operation.inputs)
        after = before.then(chain.between(number))
        assert after.same_as(chain.movement(operation.outputs)), operation.text


@pytest.mark.parametrize("library", RECORDED)
def test_the_answers_are_still_those_of_the_library(library):
    try:
        names = modules(library)
    except ImportError:
        pytest.skip(f"{library} is not installed")
    for code, sizes, kind in LINES[library]:
        if not kind:
            made = by_library(library, code, numbers(sizes), names)
            for now, then in zip(made, recorded(library, code), strict=True):
                np.testing.assert_array_equal(now, then)


def test_every_library_has_its_lines():
    # names of layouts are beside their definitions
    assert {*LINES} == {*LIBRARIES} - {"layout"}
