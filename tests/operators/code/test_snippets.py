"""What a page is given: one piece per dialect, complete, of checked numbers only."""

import ast
import dataclasses
import math
import re
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.code import LIBRARIES
from dmlviz.code.dialects import DIALECTS, snippets_of
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.operators.code.base import WIDTH, call, value_text
from dmlviz.operators.code.onnx import nodes_of
from dmlviz.operators.slots import TensorDesc, descs_of
from dmlviz.states.same import code_of_snippet
from dmlviz.tensors import data_type_of
from tests.one_input import snippets
from tests.operators.code import running
from tests.strategies import MODES, each_operator

TILE = dmlviz.Tile((1, 1, 3, 3))
INDEXED, PICKING = {"InputTensor": (5, 3)}, {"InputTensor": "FLOAT32", "IndicesTensor": "INT64"}
HOT = {"ValuesTensor": "FLOAT32", "IndicesTensor": "INT64"}


def pieces(operator, sizes, data_type="FLOAT32"):
    return {piece.dialect: piece for piece in snippets(operator, sizes, data_type)}


@each_operator(8)
def test_one_piece_per_dialect(run):
    operator, inputs = run
    found = snippets_of(operator, descs_of(inputs))
    assert [piece.dialect for piece in found] == list(DIALECTS)
    for piece in found:
        assert piece.title == DIALECTS[piece.dialect]
        assert piece.text or piece.note
        assert "{" not in piece.note
        assert not piece.note or piece.note.endswith(".")
        if not piece.text:
            continue
        assert piece.text.startswith(f"{piece.imports}\n")
        assert piece.text.removesuffix("print(y)\n").endswith(f"{piece.body}\n")
        if piece.language == "python":
            ast.parse(piece.text)
            if inputs:
                assert f"\n{piece.make_x}\n" in piece.text
                assert piece.make_x.startswith(("x = ", "x0 = ", "values = "))
            else:
                assert piece.make_x == ""
            assert piece.body.splitlines()[-1].startswith(("y = ", "y[", ")"))


@each_operator(8)
def test_jax_never_writes_into_an_array(run):
    operator, inputs = run
    numpy, jax = (
        next(piece for piece in snippets_of(operator, descs_of(inputs)) if piece.dialect == dialect)
        for dialect in ("numpy", "jax")
    )
    if not jax.body:
        (missing,) = re.fullmatch(r"JAX has no (\w+)\.", jax.note).groups()
        assert f"np.lib.stride_tricks.{missing}(" in numpy.body
        return
    assert "NumPy" not in jax.note
    for line in ast.parse(jax.body).body:
        assert isinstance(line, ast.Assign), "its result would be lost"
        assert not isinstance(line.targets[0], ast.Subscript), "JAX refuses it"
    assert "np" not in {
        part.id for part in ast.walk(ast.parse(jax.body)) if isinstance(part, ast.Name)
    }


def test_the_reader_of_jax_finds_the_same_movement():
    read = 0
    for operator, inputs in running.examples():
        trace = dmlviz.run(operator, inputs)
        found = {s.dialect: s for s in snippets_of(operator, descs_of(trace.inputs, values=True))}
        numpy, jax = (code_of_snippet(found[name], trace) for name in ("numpy", "jax"))
        assert (jax is None) == (numpy is None or not found["jax"].body), operator
        read += jax is not None
    assert read > 30


@pytest.mark.parametrize("dialect", ["mlx", "keras"])
def test_what_a_library_writes_by_its_forms_is_read_as_the_operator(dialect):
    read, unread = 0, set()
    for operator, inputs in running.examples():
        trace = dmlviz.run(operator, inputs)
        descs = descs_of(trace.inputs, values=True)
        (piece,) = [s for s in snippets_of(operator, descs) if s.dialect == dialect]
        if not piece.body or not trace.inputs:
            continue
        if code_of_snippet(piece, trace) is None:
            unread.add(type(operator).__name__)
        read += 1
    assert read > 30
    # two updates of one place, and masks that are computed
    assert unread <= {"Scatter", "OneHot"}


def test_types_of_64_bits_keep_them_in_jax():
    wide, narrow = (pieces(TILE, (1, 1, 2, 3), name)["jax"] for name in ("INT64", "INT32"))
    line = 'jax.config.update("jax_enable_x64", True)'
    assert line in wide.imports
    assert line not in narrow.text


def test_titles_and_languages():
    found = pieces(TILE, (1, 1, 2, 3))
    assert [piece.title for piece in found.values()] == [
        *("DirectML (C++)", "ONNX"),
        *(library.title for library in LIBRARIES.values() if library.has_dialect),
    ]
    assert {name: piece.language for name, piece in found.items() if name == "directml"} == {
        "directml": "cpp"
    }
    assert {piece.language for name, piece in found.items() if name != "directml"} == {"python"}
    with pytest.raises(dataclasses.FrozenInstanceError):
        found["numpy"].body = ""


def test_what_is_said_to_be_tested_is_installed_for_the_tests():
    root = Path(__file__).resolve().parents[3]
    files = ("requirements.txt", "requirements-dev.txt", ".ci/run")
    installed = "".join((root / name).read_text(encoding="utf-8") for name in files)
    for piece in pieces(TILE, (1, 1, 2, 3)).values():
        module = {"pytorch": "torch", "directml": "g++"}.get(piece.dialect, piece.dialect)
        if module != "g++":
            assert bool(re.search(rf"\b{module}\b[~=>]=", installed)) == piece.tested, module


@pytest.mark.parametrize("data_type", ["FLOAT32", "UINT8", "UINT32", "UINT64"])
@pytest.mark.parametrize(
    ("operator", "more", "function"),
    [
        (dmlviz.Gather(0, 1), {}, "index_select"),
        (dmlviz.GatherElements(0), {}, "torch.gather"),
        (dmlviz.Scatter(0), {"UpdatesTensor": (3,)}, "torch.scatter"),
        (dmlviz.Tile((2,)), {}, ""),
    ],
)
def test_pytorch_code_says_which_types_it_may_lack(operator, more, function, data_type):
    descs = {"InputTensor": TensorDesc((5,), data_type)}
    if function:
        descs["IndicesTensor"] = TensorDesc((3,), "INT64")
    descs |= {name: TensorDesc(sizes, data_type) for name, sizes in more.items()}
    (piece,) = [s for s in snippets_of(operator, descs) if s.dialect == "pytorch"]
    told = f"Not every version of PyTorch has {function} for {data_type}."
    assert piece.note.endswith(told) == (bool(function) and data_type in ("UINT32", "UINT64"))
    assert ("Not every version" in piece.note) == piece.note.endswith(told)


@pytest.mark.parametrize("data_type", ["INT64", "UINT32"])
@pytest.mark.parametrize(
    ("operator", "sizes", "dialect"),
    [
        (dmlviz.GatherElements(0), (3,), "pytorch"),
        (dmlviz.Gather(0, 1), (3,), "pytorch"),
        (dmlviz.GatherND(2, 2, 0), (3, 1), "tensorflow"),
    ],
)
def test_mod_is_explained_where_indices_can_be_negative(operator, sizes, dialect, data_type):
    descs = {
        "InputTensor": TensorDesc((5,) * len(sizes), "FLOAT32"),
        "IndicesTensor": TensorDesc(sizes, data_type),
    }
    (piece,) = [s for s in snippets_of(operator, descs) if s.dialect == dialect]
    assert ("mod" in piece.note) == ("%" in piece.text) == (data_type == "INT64")


@pytest.mark.parametrize(
    ("operator", "sizes", "data_type"),
    [
        (dmlviz.Padding("EDGE'); import os; ('", (1,), (1,)), (3,), "FLOAT32"),
        (dmlviz.DepthToSpace(2, "x\nimport os"), (1, 4, 2, 2), "FLOAT32"),
        (dmlviz.Tile((2,)), (3,), "FLOAT32, os"),
        (dmlviz.Tile((2,)), (3, 3), "FLOAT32"),
        (dmlviz.Tile((0,)), (3,), "FLOAT32"),
        (dmlviz.Padding("CONSTANT", (1,), (1,), float("nan")), (3,), "INT8"),
        (dmlviz.Gather(2, 1), INDEXED | {"IndicesTensor": (1, 4)}, PICKING),
        (dmlviz.GatherND(2, 2, 0), INDEXED | {"IndicesTensor": (4, 3)}, PICKING),
        (dmlviz.Join(0), {"InputTensors[0]": (2, 3), "InputTensors[1]": (2, 4)}, "FLOAT32"),
        (dmlviz.OneHot(0, 4), {"ValuesTensor": (1, 2), "IndicesTensor": (3, 1)}, HOT),
    ],
)
def test_nothing_unchecked_becomes_code(operator, sizes, data_type):
    with pytest.raises(dmlviz.Error):
        snippets(operator, sizes, data_type)


def test_sizes_of_other_kinds_become_plain_numbers():
    sizes = tuple(np.array([1, 1, 2, 3]))
    assert pieces(TILE, sizes) == pieces(TILE, (1, 1, 2, 3))


@pytest.mark.parametrize("mode", MODES)
def test_huge_tensors_make_short_code(mode):
    found = snippets(dmlviz.Padding(mode, (4_000_000_000,), (0,)), (250_000_000,), "INT8")
    assert all(len(piece.text) < 3_000 for piece in found)


def test_long_calls_take_several_lines():
    line = call("y = f", "a" * WIDTH, "b")
    assert line == f"y = f(\n    {'a' * WIDTH},\n    b,\n)"


@pytest.mark.parametrize("sizes", [(), (1,), (0,), (3,), (2, 3), (3, 0), (1, 1, 2), (2, 1, 3, 1)])
@pytest.mark.parametrize("dtype", ["int64", "float32"])
def test_a_constant_that_onnx_code_prints_keeps_its_shape(sizes, dtype):
    values = np.arange(math.prod(sizes)).astype(dtype).reshape(sizes)
    [node] = nodes_of(Graph("lowered", (Node("Add", (FLOW, Constant("numbers", values))),)))
    made = eval(node.constants["numbers"], {"np": np})
    np.testing.assert_array_equal(made, values, strict=True)
    [node] = nodes_of(
        Graph("lowered", (Node("ConstantOfShape", (FLOW,), {"value": Constant("value", values)}),))
    )
    text = node.attributes["value"].removeprefix("numpy_helper.from_array(").removesuffix(")")
    np.testing.assert_array_equal(eval(text, {"np": np}), values, strict=True)


def test_values_are_exact():
    for operator, x in running.corners():
        if operator.desc.get("PaddingMode") == "CONSTANT":
            value = operator.padding(data_type_of(x.dtype))
            assert value.tobytes() == x.dtype.type(eval(value_text(value))).tobytes()
