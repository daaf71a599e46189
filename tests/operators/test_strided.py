"""Strided: DirectML's answers, layouts, what lies beyond memory, documents, laws."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Strided, operator_from_desc
from dmlviz.documents import read_document, verify
from dmlviz.operators.slots import BufferDesc, packed_strides
from dmlviz.operators.strided import dense, offsets
from dmlviz.tensors import DATA_TYPES
from tests.one_input import moves, native, snippets
from tests.operators import recordings
from tests.strategies import bits, drawn, sizes, tensors

KIND = Strided.operator_type


def out(operator, x, engine="numpy", form=""):
    trace = dmlviz.run(operator, x, engine, form)
    assert trace.agrees
    return trace.output


def test_documentation_examples():
    due = ([[1, 2, 3], [4, 5, 6]], [[1, 4], [2, 5], [3, 6]])
    for example, rows in zip(Strided.examples(), due, strict=True):
        found = out(example.operator, example.x)
        np.testing.assert_array_equal(found, np.float32(rows), strict=True)


def test_every_type_is_exact_natively():
    for known in DATA_TYPES.values():
        x = np.arange(6).astype(known.dtype)
        for operator in (Strided((3, 2), (1, 3)), Strided((2, 6), (0, 1)), Strided((6,), (1,))):
            found = dmlviz.run(operator, x, "onnxruntime")
            assert found.ran.form == "native"
            np.testing.assert_array_equal(found.output, out(operator, x), strict=True)
            assert dmlviz.run(operator, x, "onnxruntime", "lowered").agrees
    with pytest.raises(dmlviz.EngineRefused, match="ONNX has no operator"):
        dmlviz.run(Strided((2,), (2,)), x, "onnxruntime", "native")


@given(tensors(), st.data())
def test_strides_in_another_order_transpose(x, data):
    perm = data.draw(st.permutations(range(x.ndim)))
    packed = packed_strides(x.shape)
    operator = Strided([x.shape[d] for d in perm], [packed[d] for d in perm])
    for engine in recordings.ENGINES:
        found = out(operator, x.ravel(), engine)
        np.testing.assert_array_equal(bits(found), bits(x.transpose(perm)), strict=True)


@given(sizes((2, 2)), st.data())
def test_transposed_twice_is_what_it_was(shape, data):
    x = data.draw(tensors(shape))
    there = out(Strided(shape[::-1], (1, shape[1])), x.ravel())
    back = out(Strided(shape, (1, shape[0])), there.ravel())
    np.testing.assert_array_equal(bits(back), bits(x), strict=True)


@given(tensors(), st.data())
def test_stride_0_broadcasts(x, data):
    times = [data.draw(st.integers(1, 3)) if n == 1 else n for n in x.shape]
    strides = [s if n > 1 else 0 for n, s in zip(x.shape, packed_strides(x.shape), strict=True)]
    operator = Strided(times, strides)
    for engine in recordings.ENGINES:
        found = out(operator, x.ravel(), engine)
        np.testing.assert_array_equal(bits(found), bits(np.broadcast_to(x, times)), strict=True)


@given(tensors((11,)), st.integers(1, 11), st.integers(1, 4))
def test_windows_are_numpys(x, window, step):
    due = np.lib.stride_tricks.sliding_window_view(x, window)[::step]
    found = out(Strided(due.shape, (step, 1)), x)
    np.testing.assert_array_equal(bits(found), bits(due), strict=True)


@given(drawn(Strided))
def test_what_is_dense_is_a_transpose_that_repeats(run):
    operator, x = run
    found = dense(operator.buffer, x.size)
    if found is None:
        assert native(operator, x.shape, "INT8") is None
        return
    turned = np.broadcast_to(x.reshape(found.memory).transpose(found.perm), found.sizes)
    np.testing.assert_array_equal(bits(turned), bits(out(operator, x)), strict=True)
    assert np.unique(offsets(operator.buffer)).size == x.size


@pytest.mark.parametrize(
    ("shape", "strides", "field", "words"),
    [
        ((3, 3), (4, 1), "input_tensor_strides", r"element 2 · 4 \+ 2 · 1 = 10 of memory, which ends with element 9\."),
        ((11,), (1,), "input_tensor_strides", r"would be element 10 · 1 = 10 of memory"),
        ((2, 2), (2**32 - 1, 0), "input_tensor_strides", r"= 4294967295 of memory"),
        ((3, 3), (1,), "input_tensor_strides", "there are 1; the tensor has 2 dimensions"),
        ((3, 3), (-1, 1), "input_tensor_strides", "-1 in dimension 0 is invalid; .* never goes backward"),
        ((3,), (2**32,), "input_tensor_strides", "4294967296 in dimension 0"),
        ((3, 0), (1, 1), "input_tensor_sizes", "0 in dimension 1 is invalid"),
        ((), (), "input_tensor_sizes", "there are 0; a tensor has 1 to 8 dimensions"),
        ((1,) * 9, (1,) * 9, "input_tensor_sizes", "there are 9"),
        ((10**5000,), (0,), "input_tensor_sizes", "is invalid"),
    ],
)  # fmt: skip
def test_refusals(shape, strides, field, words):
    found = Strided(shape, strides).problems((10,), "INT8")
    assert [problem.field for problem in found] == [field]
    assert found[0].message.startswith(f"{field}: ")
    with pytest.raises(dmlviz.Refused, match=words):
        Strided(shape, strides).output_sizes((10,))


def test_memory_has_one_dimension():
    with pytest.raises(dmlviz.Refused, match=r"\{2, 5\} has 2 dimensions; memory has one"):
        Strided((2,), (1,)).output_sizes((2, 5))
    assert Strided((2**32 - 1,), (0,)).output_sizes((1,)) == (2**32 - 1,)
    with pytest.raises(dmlviz.TooLarge, match="output_sizes"):
        dmlviz.run(Strided((2**32 - 1,), (0,)), np.zeros(1))


def test_feature_levels_count_the_dimensions_of_the_tensor():
    def fields(rank, kind, level):
        operator = Strided((2,) * rank, (1,) * rank)
        return [p.field for p in operator.problems((9,), kind, level)]

    assert fields(4, "FLOAT16", "1_0") == []
    assert fields(3, "FLOAT32", "2_1") == ["sizes"]
    assert fields(4, "INT8", "2_0") == ["data_type"]
    assert fields(1, "INT8", "3_0") == []
    assert fields(8, "INT64", "4_0") == ["data_type"]
    assert fields(8, "FLOAT64", "4_1") == []


def test_a_description_gives_sizes_and_strides():
    given = {"InputTensor": {"Sizes": [2, 3], "Strides": [1, 2]}}
    assert operator_from_desc(KIND, given) == Strided((2, 3), (1, 2))
    assert Strided((2, 3), (1, 2)).desc == given
    whole = {**given, "OutputTensor": {"Sizes": [2, 3]}, "ScaleBias": None}
    assert operator_from_desc(Strided.structure, whole) == Strided((2, 3), (1, 2))
    packed = {"InputTensor": {"Sizes": [2, 3]}}
    assert operator_from_desc(KIND, packed) == Strided((2, 3), (3, 1))


@pytest.mark.parametrize(
    ("desc", "words"),
    [
        ({}, "needs the field InputTensor"),
        ({"InputTensor": [2, 3]}, r'it must look like \{"Sizes": \[2, 3\], "Strides": \[1, 2\]\}'),
        ({"InputTensor": {"Strides": [1]}}, "desc: InputTensor is"),
        ({"InputTensor": {"Sizes": [2], "Strides": [1], "Flags": 0}}, "desc: InputTensor is"),
        ({"InputTensor": {"Sizes": [2], "Strides": "1"}}, "InputTensor.Strides: .* not a list"),
        ({"InputTensor": {"Sizes": [2], "Strides": [1, 2]}}, "there are 2"),
        ({"InputTensor": {"Sizes": [2]}, "ScaleBias": [1, 0]}, "that would change values"),
        (
            {"InputTensor": {"Sizes": [2, 3]}, "OutputTensor": {"Sizes": [3, 2]}},
            r"OutputTensor of \S+ has Sizes \[3, 2\], not \{2, 3\}",
        ),
        (
            {"InputTensor": {"Sizes": [2]}, "OutputTensor": {"Sizes": [2], "Strides": [1]}},
            "desc: OutputTensor is",
        ),
    ],
)
def test_descriptions_that_are_refused(desc, words):
    with pytest.raises(dmlviz.Error, match=words):
        operator_from_desc(KIND, desc)


def test_strides_are_read_for_tensors_that_may_have_them():
    desc = {"Repeats": [2], "InputTensor": {"Sizes": [2], "Strides": [1]}}
    with pytest.raises(dmlviz.Error, match=r'must look like \{"Sizes": '):
        operator_from_desc("DML_OPERATOR_TILE", desc)


PAGE = """{}
InputTensor: (Sizes:{{2, 3}}, {}DataType:INT32) {}
OutputTensor: (Sizes:{{2, 3}}, DataType:INT32) [[1, 2, 3], [4, 5, 6]]"""


@pytest.mark.parametrize(
    ("strides", "memory", "told"),
    [
        ("Strides:{1, 2}, ", "[1, 4, 2, 5, 3, 6]", (1, 2)),
        ("Strides:{3, 1}, ", "[1, 2, 3, 4, 5, 6, 7]", (3, 1)),
        ("Strides = {4,1}, ", "[1, 2, 3, 0, 4, 5, 6]", (4, 1)),
        ("", "[[1, 2, 3], [4, 5, 6]]", (3, 1)),
    ],
)
def test_pages_give_strides_and_memory(strides, memory, told):
    for name in (Strided.structure, "")[: 2 if strides else 1]:
        document = read_document(PAGE.format(name, strides, memory))
        [example] = document.examples
        assert example.unreadable is None
        assert example.operator == Strided((2, 3), told)
        [verdict] = verify(document)
        assert verdict.status == "match"


@pytest.mark.parametrize(
    ("strides", "memory", "status", "words"),
    [
        ("Strides:{1, 2}, ", "[1, 4, 2, 5, 6, 3]", "mismatch", r"out\[0, 2\] is 3 on the page"),
        (
            "Strides:{1, 2}, ",
            "[[1, 4, 2], [5, 3, 6]]",
            "mismatch",
            "so its values must be memory, one row",
        ),
        ("Strides:{1, 3}, ", "[1, 4, 2, 5, 3, 6]", "refused", "= 7 of memory"),
        ("Strides:{1}, ", "[1, 4, 2, 5, 3, 6]", "refused", "there are 1; the tensor has 2"),
        ("Strides:{1, -2}, ", "[1, 4, 2, 5, 3, 6]", "unreadable", 'Strides "1, -2" are not'),
        ("Strides:{1, 4294967296}, ", "[1]", "unreadable", "are not 1 to 8 whole numbers"),
    ],
)
def test_pages_whose_strides_are_wrong(strides, memory, status, words):
    [verdict] = verify(read_document(PAGE.format(Strided.structure, strides, memory)))
    assert verdict.status == status
    assert re.search(words, verdict.message), verdict.message


def test_other_pages_have_no_strides():
    page = """DML_TILE_OPERATOR_DESC
    Repeats: {1}
    InputTensor: (Sizes:{2}, Strides:{1}, DataType:INT32) [1, 2]
    OutputTensor: (Sizes:{2}, DataType:INT32) [1, 2]"""
    [verdict] = verify(read_document(page))
    assert verdict.message.endswith("InputTensor has Strides, which are ignored for this tensor.")


def test_a_literal_with_strides_is_memory():
    text = "InputTensor: (Sizes:{2, 3}, Strides:{1, 2}, DataType:INT8) [1, 4, 2, 5, 3, 6]"
    literal = dmlviz.tensors.read_literal(text, "INT8")
    assert literal.sizes == (6,)
    assert literal.findings == (
        "The header gives Strides, so the values were read as memory, in their order.",
    )


def test_the_formula_is_the_offset():
    assert Strided((2, 2, 3), (0, 4, 1)).explain((9,), (1, 1, 2)) == (
        "out[c, h, w] = in[h · 4 + w]\nout[1, 1, 2] = in[1 · 4 + 2] = in[6]"
    )
    assert Strided((2,), (0,)).explain((9,), (1,)) == "out[w] = in[0]\nout[1] = in[0]"


def test_steps_go_row_by_row():
    def told(operator, count):
        return [(step.title, step.caption) for step in moves(operator, (count,)).steps]

    assert told(Strided((1, 3, 2), (9, 1, 3)), 6)[1:] == [
        (
            "out[0, 1, :]",
            "out[0, 1, :] begins at element 1 · 1 = 1 of memory and moves by 3: elements 1, 4.",
        ),
        (
            "out[0, 2, :]",
            "out[0, 2, :] begins at element 2 · 1 = 2 of memory and moves by 3: elements 2, 5.",
        ),
    ]
    assert told(Strided((2, 4), (1, 0)), 3)[1][1] == (
        "out[1, :] is element 1 · 1 = 1 of memory, 4 times: stride 0 stays where it is."
    )
    assert told(Strided((3,), (2,)), 5)[2] == ("out[2]", "out[2] is element 2 · 2 = 4 of memory.")
    assert told(Strided((1, 1), (7, 7)), 1) == [("out[0, 0]", "out[0, 0] is element 0 of memory.")]
    many = moves(Strided((50, 2), (1, 1)), (51,))
    assert np.bincount(many.step_of).tolist() == [2] * 7 + [43 * 2]
    assert many.steps[-1].caption == (
        "The other 43 work the same way; out[49, :] begins at element 49 · 1 = 49."
    )


def test_misreadings():
    found = {m.key: m for m in Strided((3, 2), (1, 3)).misreadings((6,))}
    assert found["reshape"].source.tolist() == [0, 1, 2, 3, 4, 5]
    assert "{1, 3}" in found["reshape"].words
    assert found["from-the-end"].source.tolist() == [5, 2, 4, 1, 3, 0]
    assert found["transpose"].output_sizes == (2, 3)
    assert found["memory"].output_sizes == (6,)
    found = {m.key: m for m in Strided((2, 3), (8, 4)).misreadings((30,))}
    assert found["bytes"].source.tolist() == [0, 1, 2, 2, 3, 4]
    assert "stride 8 is 8 elements" in found["bytes"].words
    assert found["other-order"].source.tolist() == [0, 8, 16, 4, 12, 20]
    assert found["between"].source.tolist() == [0, 5, 10, 9, 14, 19]
    found = {m.key: m for m in Strided((5, 3), (1, 1)).misreadings((7,))}
    assert found["apart"].source.tolist() == [0, 1, 2, 3, 4, 5]
    assert found["apart"].output_sizes == (2, 3)


def test_code():
    def bodies(operator, count):
        return {s.dialect: s.body for s in snippets(operator, (count,), "FLOAT32")}

    found = bodies(Strided((1, 2, 3, 2), (12, 3, 1, 6)), 12)
    assert found["numpy"] == "y = x.reshape(1, 2, 2, 3).transpose(0, 2, 3, 1)"
    assert found["pytorch"] == "y = x.reshape(1, 2, 2, 3).permute(0, 2, 3, 1)"
    assert found["einops"] == 'y = rearrange(x, "(w c h) -> 1 c h w", c=2, h=3)'
    assert '"Transpose", ["y0"], ["y"], perm=[0, 2, 3, 1]' in found["onnx"]
    assert "const UINT inputStrides[] = {12, 3, 1, 6};" in found["directml"]
    assert "inputBuffer.TotalTensorSizeInBytes = 48;" in found["directml"]
    found = bodies(Strided((4, 3), (0, 1)), 3)
    assert found["numpy"] == "y = np.broadcast_to(x.reshape(1, 3), (4, 3))"
    assert found["einops"] == 'y = repeat(x, "w -> h w", h=4)'
    assert bodies(Strided((4,), (2,)), 8)["numpy"] == "y = x[::2]"
    assert bodies(Strided((5, 3), (1, 1)), 7)["numpy"].endswith("sliding_window_view(x, 3)")
    assert bodies(Strided((3, 3), (4, 1)), 13)["numpy"] == "y = x[:12].reshape(3, 4)[:, :3]"
    found = bodies(Strided((2, 2, 2), (1, 1, 1)), 9)
    assert "as_strided(" in found["numpy"]
    assert "s * x.itemsize for s in (1, 1, 1)" in found["numpy"]
    assert found["pytorch"] == "y = torch.as_strided(x, (2, 2, 2), (1, 1, 1))"
    assert '"Gather"' in found["onnx"]
    assert found["einops"] == ""
    assert dense(BufferDesc((2, 2), (1, 2)), 5) is None
