"""Names and sizes of the tensors that code takes."""

import contextlib
import time

import numpy as np
import pytest

from dmlviz.code import CodeRefused, code, library_of, read
from dmlviz.code.inputs import code_inputs, suggested
from dmlviz.states.code import fitted
from dmlviz.states.inputs import InputState, Tensors
from tests.code.damage import HOSTILE, damaged
from tests.code.lines import LINES
from tests.every import every


def names(text):
    return [x.name for x in code_inputs(text, library_of(text))]


def sizes(text, known=None):
    found = suggested(text, library_of(text), known or {})
    return {name: one.sizes for name, one in found.items()}


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("x.reshape(2, 3)", ["x"]),
        ("np.concatenate([y, x])", ["y", "x"]),
        ("import torch.nn.functional as G\nG.pad(img, (1, 2))", ["img"]),
        ("h, w = x.shape\n[x[k] for k in range(h)]", ["x"]),
        ("for row in x:\n    last = row\nlast", ["x"]),
        ("y[0] = x\ny", ["x", "y"]),
        ("cache[:, pos] = new\ncache", ["new", "cache", "pos"]),
        ("rearrange(x, 'b c -> c b')", ["x"]),
        ("x = x.T\nx", ["x"]),
        ("1 + 1", []),
        ("print(foo(x))", ["x"]),
        ("map(lambda t: t.T, x)", ["x"]),
        ("self.norm(x).view(self.heads, -1)", ["x", "self.heads"]),
    ],
)
def test_inputs_are_the_names_that_the_code_does_not_make(text, due):
    assert names(text) == due


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("# x: (2, 12)\nx.T", (2, 12)),
        ("x.T  # x.shape == [4, 1, 3]", (4, 1, 3)),
        ("# the input x has sizes {5}\nx[::-1]", (5,)),
        ("# xs: (2, 12)\nx.T", None),
        ("# x: (70000, 70000)\nx.T", None),
    ],
)
def test_sizes_in_a_comment(text, due):
    (found,) = code_inputs(text, "numpy")
    assert found.sizes == due


@pytest.mark.parametrize(
    ("text", "due", "values"),
    [
        ("x = torch.rand(2, 3)\nx.T", (2, 3), None),
        ("x = np.random.standard_normal((4, 2))\nx.T", (4, 2), None),
        ("x = np.arange(6).reshape(2, 3)\nx.T", (2, 3), [[0, 1, 2], [3, 4, 5]]),
        ("import torch\nx = torch.tensor([[1, 2], [3, 4]])\nx.T", (2, 2), [[1, 2], [3, 4]]),
        ("B, T = 2, 3\nx = torch.randint(0, 9, (B, T))\nx.T", (2, 3), None),
        ("x = tf.random.normal([2, 3])\ny = tf.transpose(x)\nprint(y.shape, y)", (2, 3), None),
        (
            "x = np.arange(6).reshape(2, 3)\nprint(x)\nprint('now', x.T)",
            (2, 3),
            [[0, 1, 2], [3, 4, 5]],
        ),
    ],
)
def test_code_that_makes_its_tensors_takes_them(text, due, values):
    (found,) = code_inputs(text, library_of(text))
    assert found.sizes == due
    assert (found.values is None) == (values is None)
    if values is not None:
        np.testing.assert_array_equal(found.values, values)
    trace = code(text, x=due)
    np.testing.assert_array_equal(trace.source, np.arange(np.prod(due)).reshape(due).T)


def test_a_tensor_that_the_code_makes_has_its_sizes():
    with pytest.raises(CodeRefused, match=r"x of sizes \{2, 3\}, not \{3, 2\}") as refused:
        read("x = torch.rand(2, 3)\nx.T", {"x": (3, 2)})
    assert (refused.value.kind, refused.value.line) == ("sizes", 1)
    # made after the input was used, it is another tensor
    late = read("a = x.T\nx = np.zeros((2, 3))\na, x", {"x": (2, 3)})
    assert (late.source(late.outputs["out1"]) == -1).all()


@pytest.mark.parametrize(
    ("text", "start", "due"),
    [
        ("np.arange(6).reshape(2, 3).T", [[0, 1, 2], [3, 4, 5]], [[0, 3], [1, 4], [2, 5]]),
        ("y = np.arange(6).reshape(2, 3).T", [[0, 1, 2], [3, 4, 5]], [[0, 3], [1, 4], [2, 5]]),
        # where nothing comes after it, the reshape is the movement
        ("torch.arange(4).view(2, 2)", [0, 1, 2, 3], [[0, 1], [2, 3]]),
        ("tf.transpose(tf.reshape(tf.range(4), (2, 2)))", [[0, 1], [2, 3]], [[0, 2], [1, 3]]),
        ("jnp.array([[1, 2], [3, 4]])[::-1]", [[1, 2], [3, 4]], [[3, 4], [1, 2]]),
        ("n = 3\nnp.arange(2 * n).reshape(2, n)[1]", [[0, 1, 2], [3, 4, 5]], [3, 4, 5]),
        ("np.tile([1, 2], 2)", [1, 2], [1, 2, 1, 2]),
        ("np.ones((2, 1))[0]", [[1], [1]], [1]),
        ("np.where(np.array([True, False]), np.arange(2), 9)", [0, 1], [0, 9]),
        ("print(np.arange(3)[np.array([2, 0])])", [0, 1, 2], [2, 0]),
    ],
)
def test_code_that_makes_its_tensor_inside_a_line_begins_with_it(text, start, due):
    (x,) = code_inputs(text, library_of(text))
    assert x.name == "x"
    np.testing.assert_array_equal(x.values, start)
    np.testing.assert_array_equal(code(text, x=x.values).output, due)
    with pytest.raises(CodeRefused, match="The code makes x of sizes"):
        read(text, {"x": (7, 5)})


def test_tensors_that_are_listed_together_are_all_inputs():
    text = "x = np.stack([np.zeros(2), np.ones(2)])"
    a, b = code_inputs(text, "numpy")
    assert (a.name, b.name) == ("a", "b")
    assert code(text, a=(2,), b=(2,)).source.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    "text",
    ["np.arange(6)", "x = np.arange(6)", "[np.arange(3)[i] for i in (0, 1)]", "np.tile(3, 2)"],
)
def test_numbers_alone_and_those_of_a_loop_are_no_input(text):
    with pytest.raises(CodeRefused) as refused:
        read(text, {x.name: x.sizes for x in code_inputs(text, "numpy")})
    assert refused.value.kind == "nothing"


def test_looking_for_the_first_tensor_is_bounded():
    text = "np.vstack([" + "np.zeros(x1), " * 150 + "])"
    start = time.process_time()
    assert [x.name for x in code_inputs(text, "numpy")] == ["x1"]
    text = "[" + "np.tile([np], 9), " * 120 + "]"
    assert code_inputs(text, "numpy") == ()
    assert time.process_time() - start < 1


def test_sizes_that_fit_are_found():
    assert sizes("x.reshape(2, 3, 4).permute(0, 2, 1)") == {"x": (2, 12)}
    assert sizes("rearrange(x, 'b c (h p) (w q) -> b (h w) (p q c)', p=2, q=2)") == {
        "x": (1, 2, 4, 6)
    }
    assert sizes("x.view(8, 5, 7)")["x"] in ((8, 35), (280,))
    assert sizes("np.concatenate([x, y.T])", {"y": (4, 7)}).keys() == {"x", "y"}


def test_what_only_chooses_gets_indices_or_a_mask():
    found = suggested("np.take(x, i, axis=1)", "numpy", {})
    assert found["x"].chooses is None
    assert found["i"].chooses.dtype == np.int64
    mask = suggested("torch.where(mask, x, y)", "torch", {})
    assert mask["mask"].chooses.dtype == bool
    assert (mask["x"].chooses, mask["y"].chooses) == (None, None)


def test_a_refusal_that_no_sizes_help_is_that_of_the_first():
    with pytest.raises(CodeRefused) as refused:
        suggested("x.softmax(-1)", "torch", {})
    assert (refused.value.kind, refused.value.column) == ("computes", 2)


def test_where_nothing_fits_the_sizes_are_those_with_which_most_lines_are_read():
    text = "B, N, C = x.shape\nself.norm(x).view(B, -1)"
    with pytest.raises(CodeRefused, match=r"self\.norm belongs to a model") as refused:
        suggested(text, "torch", {})
    assert len(refused.value.sizes["x"]) == 3
    (x,) = fitted(text, "torch", Tensors((("x", InputState((6,), "FLOAT32", "count-1")),))).items()
    assert len(x[1].sizes) == 3
    # sizes that a reader has typed stay, and so do any that are refused at the same line
    (x,) = fitted(
        text, "torch", Tensors((("x", InputState((6,), "FLOAT32", "count-1")),)), {"x"}
    ).items()
    assert x[1].sizes == (6,)
    (x,) = fitted(
        "x.softmax(-1)", "torch", Tensors((("x", InputState((6,), "FLOAT32", "count-1")),))
    ).items()
    assert x[1].sizes == (6,)


def test_a_tensor_where_a_number_is_needed_is_told_what_would_work():
    with pytest.raises(CodeRefused, match="give the number on a line before: n = 2"):
        read("x.view(n, -1)", {"x": (2, 3), "n": (2, 3)}, library="torch")
    with pytest.raises(CodeRefused, match="give it on a line before: n = 2"):
        read("x.view(n, -1)", {"x": (2, 3)}, library="torch")


@every("text", HOSTILE)
def test_the_search_is_bounded(text):
    start = time.process_time()
    with contextlib.suppress(CodeRefused):
        suggested(text, library_of(text), {})
    assert time.process_time() - start < 1.5


def test_damaged_lines_have_inputs_or_are_refused():
    lines = [line for each in LINES.values() for line in each]
    for text, _sizes in damaged(lines, 3_000, seed=5):
        try:
            code_inputs(text, library_of(text))
        except CodeRefused as refused:
            assert refused.kind in ("syntax", "limit"), text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("np.arange(12).reshape(3, 4).T[:, ::-1]", "x = np.arange(12)"),
        ("np.tile([1, 2, 3], 2)", "x = np.array([1, 2, 3])"),
        ("torch.flip(torch.tensor([[1, 2]]), [1])", "x = torch.tensor([[1, 2]])"),
        ("torch.cat([torch.eye(2), torch.eye(2)])", "x = torch.eye(2)"),
    ],
)
def test_code_without_a_name_is_told_the_line_that_names_its_tensor(text, line):
    with pytest.raises(CodeRefused) as refused:
        read(text, {})
    assert refused.value.kind == "nothing"
    assert f'"{line}"' in str(refused.value)
