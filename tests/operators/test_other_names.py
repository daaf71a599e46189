"""What other libraries call the operators: each name is called, and gives the same bit for bit."""

import importlib
import re
import warnings

import pytest

from dmlviz.code.dialects import DIALECTS
from dmlviz.operators import OPERATORS
from dmlviz.operators.slots import descs_of
from dmlviz.teaching import facts
from dmlviz.teaching.names import library_of, line_of, snippet_of
from tests.operators.code import running

NAMES = [(cls, name) for cls in OPERATORS for name in cls.texts().names]
EACH = pytest.mark.parametrize(
    ("cls", "name"), NAMES, ids=[f"{cls.key}: {name.name}" for cls, name in NAMES]
)
MODULES = {"pytorch": "torch"}


def needs(library):
    module = MODULES.get(library, library)
    with warnings.catch_warnings():
        # what a library thinks of its own dependencies is not ours to mend
        warnings.simplefilter("ignore")
        reason = f"{module} is not installed; its names are run where it is"
        return pytest.importorskip(module, reason=reason)


def state_of(cls, name):
    """The operator and its inputs in the state that shows a name."""
    state = facts.state_of(name.link)
    assert state.problems() == []
    return state.operator(), state.inputs()


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_every_operator_has_names_elsewhere(cls):
    found = [name.name for owner, name in NAMES if owner is cls]
    assert found
    assert len(set(found)) == len(found)


@EACH
def test_it_is_well_written(cls, name):
    assert library_of(name) in DIALECTS
    operator, inputs = state_of(cls, name)
    piece = snippet_of(name, operator, descs_of(inputs))
    assert piece.dialect == library_of(name)
    assert piece.text
    # the name is what is called
    function = re.split(r"[ (]", name.name.removeprefix("ONNX "))[0].rpartition(".")[2]
    if function.isidentifier():
        assert re.search(rf"\b{function}\b", piece.body), (
            f"operators/{cls.key.replace('-', '_')}.py: {name.name} stands under [[names]] of its "
            f"TOML file, so dialects must call {function} for {piece.dialect}"
        )
    line = line_of(name, operator, descs_of(inputs))
    assert re.sub(r"[\s,]", "", line) in re.sub(r"[\s,]", "", piece.body)
    # a cell of a table holds it
    assert not set(line) & set("|`")
    assert len(line.splitlines()) <= 6


@EACH
def test_it_does_exactly_that(cls, name):
    needs(library_of(name))
    operator, inputs = state_of(cls, name)
    piece = snippet_of(name, operator, descs_of(inputs))
    given = running.variables(operator, inputs)
    running.assert_same(operator, inputs, running.outputs(piece, given))


@pytest.mark.parametrize(
    ("cls", "name"),
    [(cls, name) for cls, name in NAMES if library_of(name) == "onnx"],
    ids=[name.name for _cls, name in NAMES if library_of(name) == "onnx"],
)
def test_onnx_runtime_does_exactly_that(cls, name):
    ort = needs("onnxruntime")
    operator, inputs = state_of(cls, name)
    given = running.variables(operator, inputs)
    model = running.run(snippet_of(name, operator, descs_of(inputs)), given)["model"]
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    running.assert_same(operator, inputs, session.run(None, given))


def test_importing_them_needs_none_of_the_libraries():
    for cls, _name in NAMES:
        module = importlib.import_module(cls.__module__)
        assert not {"torch", "tf", "einops"} & vars(module).keys()
