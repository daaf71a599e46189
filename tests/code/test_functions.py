"""Functions and classes are read as their library runs them, with the sizes and numbers found."""

import ast
import inspect
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from dmlviz.code import CodeRefused, read, run_chain
from dmlviz.code.inputs import suggested
from tests.code.answers import modules, tensor
from tests.code.functions import COMPUTE, FUNCTIONS
from tests.code.python_programs import python_programs
from tests.every import every

CASES = [(library, text) for library, texts in FUNCTIONS.items() for text in texts]


def arguments_of(text, library):
    """The tensors, index tensors and numbers that are found for code, by name."""
    found = suggested(text, library, {})
    numbers = {name: int(one.chooses) for name, one in found.items() if not one.sizes}
    controls = {
        name: one.chooses for name, one in found.items() if one.sizes and one.chooses is not None
    }
    sizes = {name: one.sizes for name, one in found.items() if one.sizes}
    return sizes, controls, numbers


def by_python(text, library, values, numbers):
    """What Python itself makes of code, called as it is read: the arrays of its results."""
    names = modules(library)
    own = {name: tensor(library, x, names) for name, x in values.items()}
    if library == "torch":
        own = {n: x.long() if values[n].dtype.kind == "i" else x for n, x in own.items()}
    own |= {name: number for name, number in numbers.items() if "." not in name}
    for name, number in numbers.items():
        head, dot, rest = name.partition(".")
        if dot:
            setattr(own.setdefault(head, SimpleNamespace()), rest, number)
    body = ast.parse(text).body
    last = body[-1]
    namespace = {**names, **own}
    if not isinstance(last, ast.FunctionDef | ast.ClassDef):
        *before, last = body
        exec(compile(ast.Module(before, []), "code", "exec"), namespace)
        made = eval(compile(ast.Expression(last.value), "code", "eval"), namespace)
    else:
        exec(text, namespace)
        function = namespace[last.name]
        if isinstance(last, ast.ClassDef):
            function = called(function, own)
            function = getattr(function, "forward", function)
        made = called(function, own)
    several = made if isinstance(made, list | tuple) else [made]
    return [np.asarray(x) for x in several]


def called(function, values):
    try:
        names = [*inspect.signature(function).parameters]
    except ValueError:
        # scripted by PyTorch
        names = [one.name for one in function.schema.arguments]
    return function(**{name: values[name] for name in names if name in values})


def of_values(sizes, controls):
    dice = np.random.default_rng(3)
    values = {
        name: dice.permutation(9_999)[: np.prod(of)].reshape(of).astype(float)
        for name, of in sizes.items()
    }
    return {**values, **controls}


@pytest.mark.filterwarnings("ignore:.*torch.jit")
@pytest.mark.parametrize(("library", "text"), CASES)
def test_a_pasted_function_answers_as_its_library_does(library, text):
    sizes, controls, numbers = arguments_of(text, library)
    assert set(sizes) - set(controls)
    if library == "torch":
        pytest.importorskip("torch")
    values = of_values(sizes, controls)
    chain = read(text, sizes, controls, library, numbers=numbers)
    trace = run_chain(chain, values)
    assert trace.agrees
    due = by_python(text, library, values, numbers)
    assert [x.shape for x in trace.outputs.values()] == [x.shape for x in due]
    for made, expected in zip(trace.outputs.values(), due, strict=True):
        np.testing.assert_array_equal(made, expected)


def test_sixty_functions_are_read():
    assert len(CASES) >= 60


@every("case", COMPUTE)
def test_a_function_that_computes_is_refused_as_such(case):
    library, text = case
    with pytest.raises(CodeRefused) as refused:
        suggested(text, library, {})
    assert refused.value.kind == "computes"
    assert refused.value.line > 1


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_random_programs_are_read_as_their_library_runs_them(library):
    if library == "torch":
        pytest.importorskip("torch")
    wrong, answers, reasons = [], 0, Counter()
    for sizes, text, due in python_programs(library, 200, 7, modules(library)):
        try:
            chain = read(text, {"x": sizes}, library=library)
        except CodeRefused as refused:
            reasons[refused.kind, str(refused)] += 1
            continue
        answers += 1
        x = np.arange(1.0, np.prod(sizes) + 1).reshape(sizes)
        made = run_chain(chain, {"x": x}).output if chain.inputs else due
        if made.shape != due.shape or (made != due).any():
            wrong.append((sizes, text))
    assert not wrong
    assert answers >= 150, reasons
