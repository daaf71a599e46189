"""Each line of the libraries' lists does what its library does, tensor by tensor, on every engine."""

import ast

import numpy as np
import pytest

from dmlviz.code import CodeRefused, read, run_chain
from tests.code.chains import as_library, names_of
from tests.code.lines import LINES

CASES = [
    pytest.param(library, *line, id=f"{library}: {line[0]}")
    for library, lines in LINES.items()
    for line in lines
]


def names_for(library):
    if library == "torch":
        torch = pytest.importorskip("torch")
        # PyTorch has it in torch alone
        torch.nn.functional.channel_shuffle = torch.channel_shuffle
        return names_of("torch") | {"nn": torch.nn}
    import einops

    return names_of("numpy") | {"einops": einops, "pack": einops.pack, "unpack": einops.unpack}


def by_library(code, values, names):
    """What the library itself makes of a line: one of ours, so it can be run."""
    namespace = {**names, **{name: as_library(x, names) for name, x in values.items()}}
    *before, last = ast.parse(code).body
    exec(compile(ast.Module(before, []), "line", "exec"), namespace)
    made = eval(compile(ast.Expression(last.value), "line", "eval"), namespace)
    made = made if isinstance(made, list | tuple) else [made]
    return [np.asarray(x) for x in made]


def numbers(sizes):
    dice = np.random.default_rng(1)
    return {
        name: dice.permutation(999)[: int(np.prod(of))].reshape(of) + 1
        for name, of in zip("xy", sizes, strict=False)
    }


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
    if "layers.torch" not in code:
        due = by_library(code, values, names_for(library))
        assert [x.shape for x in trace.outputs.values()] == [x.shape for x in due]
        for made, expected in zip(trace.outputs.values(), due, strict=True):
            np.testing.assert_array_equal(made, expected)
    again = run_chain(chain, values, "onnxruntime")
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
