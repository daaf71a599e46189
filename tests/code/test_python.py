"""What is read of Python: names, numbers, functions, classes, and what bounds them."""

import ast
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.__main__ import main
from dmlviz.code import CodeRefused, code, library_of, read
from dmlviz.code.inputs import code_inputs, suggested
from dmlviz.code.libraries import LIBRARIES
from dmlviz.states.pages import changed, first_of, read_page
from tests.every import every

PYTHON = Path(dmlviz.__file__).parent / "code" / "python"
TENSORS = {"tensor", "builder", "library", "libraries", "arguments", "indexing", "rules", "writing"}

HEADS = """
def heads(x, h):
    b, n, d = x.shape
    return x.reshape(b, n, h, d // h).transpose(0, 2, 1, 3)
"""


def test_reading_python_knows_no_tensor():
    files = sorted(PYTHON.glob("*.py"))
    assert len(files) > 4
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dmlviz.code."):
                room = node.module.split(".")[2]
                assert room not in TENSORS | LIBRARIES.keys(), file.name


def kinds(text, library=None):
    """What names are found to be: a number, sizes, or indices."""
    found = suggested(text, library or library_of(text), {})
    return {
        name: "number" if not one.sizes else "tensor" if one.chooses is None else "indices"
        for name, one in found.items()
    }


@every(
    "case",
    [
        (HEADS, {"x": "tensor", "h": "number"}),
        ("x.view(bs, -1, d_k)", {"x": "tensor", "bs": "number", "d_k": "number"}),
        ("x.view(n * m, -1)", {"x": "tensor", "n": "number", "m": "number"}),
        ("y = x[:, :n]\ny.reshape(-1)", {"x": "tensor", "n": "number"}),
        ("torch.cat([x[:k], y])", {"x": "tensor", "k": "number", "y": "tensor"}),
        ("x.view(-1, self.h)", {"x": "tensor", "self.h": "number"}),
        ("x.view(-1, args.dim)", {"x": "tensor", "args.dim": "number"}),
        ("np.take(x, i, axis=1)", {"x": "tensor", "i": "indices"}),
        ("np.take(x, i, axis=axis)", {"x": "tensor", "i": "indices", "axis": "number"}),
        ("[x[k] for k in range(n)]", {"x": "tensor", "n": "number"}),
        ("x if flag else x.T", {"x": "tensor", "flag": "number"}),
        ("rearrange(x, 'a (b c) -> b a c', b=b)", {"x": "tensor", "b": "number"}),
        ("rearrange(x, f'a (b c) -> b (a c)', c=n)", {"x": "tensor", "n": "number"}),
        ("np.pad(x, ((p, p), (0, 0)))", {"x": "tensor", "p": "number"}),
    ],
)
def test_the_first_use_decides_what_a_name_is(case):
    text, due = case
    assert kinds(text) == due


def test_a_default_is_the_first_number_that_is_tried():
    text = "def f(x, n=3):\n    return x[:n]"
    assert suggested(text, "numpy", {})["n"].chooses == 3
    # four sizes are enough for no window of 7
    text = "def f(x, w=7):\n    assert x.shape[0] % w == 0\n    return x.reshape(w, -1)"
    found = suggested(text, "numpy", {})
    assert found["x"].sizes[0] % int(found["w"].chooses) == 0


def test_numbers_are_given_by_name():
    x = np.arange(12).reshape(2, 6)
    trace = code("x.reshape(-1, n)", x=x, n=4)
    np.testing.assert_array_equal(trace.output, x.reshape(-1, 4))
    trace = code("x.reshape(-1, self.n)", x=x, **{"self.n": 3})
    np.testing.assert_array_equal(trace.output, x.reshape(-1, 3))
    assert trace.parameters()["controls"] == "self.n:3"
    with pytest.raises(CodeRefused, match="not a name for a number"):
        read("x", {"x": (2,)}, numbers={"a b": 2})


def test_a_page_has_a_row_for_each_number():
    state = changed(first_of("code"), "code", HEADS)
    assert state.tensors["h"].is_number
    assert state.problems() == []
    again = changed(state, "h.literal", "1")
    assert again.chain().numbers == {"h": 1}
    opened = read_page("code", again.parameters())
    assert opened.problems == ()
    assert opened.state == again
    # a number that was typed stays
    other = changed(again, "code", "x[:, :h]")
    assert other.chain().numbers == {"h": 1}
    with pytest.raises(dmlviz.Error, match="abc"):
        changed(state, "h.literal", "abc")


@every(
    "case",
    [
        ("def f(x):\n    return f(x)\nf(x)", "limit", "call each other more than 16 deep"),
        ("f = lambda x: f(f(x))\nf(x)", "limit", ""),
        ("while True:\n    y = 1\nx", "limit", "repeats more than 256 times"),
        ("k = 0\nwhile k < 10:\n    k += 0\nx", "limit", ""),
        ("s = 'a'\nfor i in range(30):\n    s = s + s\nx", "limit", "text is too long"),
        ("class A:\n    def __init__(self):\n        self.a = A()\nA()\nx", "limit", ""),
        ("1 << 10**9\nx", "limit", "too large"),
        (
            "def f(x):\n    y = z\n    z = 1\n    return x\nz = 2\nf(x)",
            "name",
            "before it has a value",
        ),
        ("def f(x, y):\n    return x\nf(x)", "argument", "missing a required argument"),
        ("def f(x):\n    yield x\nf(x)", "syntax", "yield is not read"),
        ("with open('a') as f:\n    x = x.T\nx", "name", ""),
        ("break\nx", "syntax", "inside a loop"),
        ("assert x.shape[0] == 7\nx.T", "sizes", "assert does not hold"),
        ("if x.ndim == 2:\n    raise ValueError('no')\nx.T", "sizes", "raises an error here"),
        ("if x[0, 0] > 0:\n    x = x.T\nx", "values", ""),
        ("d = {}\nd['a'] = d\nx", "argument", "holds itself"),
        ("a = [x]\na.append(x[0])\nx.unsqueeze_(0)\nx.T", "view", "a list has the tensor"),
        ("y = [n for n in range(3)]\nn\nx", "name", ""),
        ("x.view(-1, self.norm(2))", "name", "self.norm belongs to a model"),
    ],
)
def test_what_is_refused_is_told_in_one_sentence(case):
    text, kind, words = case
    library = "torch" if "_(" in text or "view" in text else "numpy"
    with pytest.raises(CodeRefused) as refused:
        read(text, {"x": (2, 3)}, library=library)
    assert (refused.value.kind, words in str(refused.value)) == (kind, True), str(refused.value)
    assert refused.value.place is not None


SAME = (
    # late binding, closures, defaults that are made once, and what a list shares
    "fs = [lambda t: t[k] for k in range(2)]\nk = 0\nx = np.stack([f(x) for f in fs])",
    "def make(n):\n    def inner(t):\n        return t[n:]\n    return inner\nx = make(1)(x)",
    "def add(v, to=[]):\n    to.append(v)\n    return to\nadd(x[0])\nx = np.stack(add(x[1]))",
    "a = b = [x[0]]\nb.append(x[1])\nx = np.stack(a)",
    "def write(t):\n    t[0] = 9\nwrite(x)",
    "def change(t):\n    t = t[::-1]\nchange(x)",
    "def f(*args, **kwargs):\n    return args[kwargs['k']]\nx = f(x, x.T, k=1)",
    "class A:\n    n = 1\n    def __init__(self):\n        self.n += 1\nx = x[:A.n] if A().n == 2 else x",
    "i = np.array([0, 1])\nd = {'i': i}\ni += 1\nx = x[:, d['i']]",
    "i = np.array([0, 1])\ndef f(j):\n    j += 1\nf(i)\nx = x[:, i]",
    "class A:\n    def __init__(self, i):\n        self.i = i\ni = np.array([0, 1])\na = A(i)\na.i += 1\nx = x[:, i]",
    "for i in range(3):\n    if i == 1:\n        break\nelse:\n    x = x.T\nx = x[i:]",
    "n = 3\nwhile n:\n    n -= 1\n    if n == 1:\n        continue\n    x = np.roll(x, n, 1)",
    "x = x[[k for k in range(4) if (j := k % 2)][:1]] if x.shape[0] > 3 else x[:, ::-1]",
    "from functools import partial, reduce\nroll = partial(np.roll, shift=1)\nx = roll(x, axis=1)",
    "import itertools\nx = x[:, list(itertools.chain([2], range(2)))]",
    "n = sum(1 << k for k in range(2)) ^ 1\nx = x[:, :n]",
    "x = x[0] if None is not None or x.ndim == 2 and not x.shape[0] > 5 else x",
    "names = sorted(['b', 'a'], key=lambda s: s)\nx = x.T if names[0] == 'a' else x",
    "class A:\n    @staticmethod\n    def s(t):\n        return t.T\n    @property\n    def two(self):\n        return 2\n"
    "    @classmethod\n    def c(cls, t):\n        return cls.s(t)\nx = A.c(x)[:A().two]",
    "*a, b = x.shape\nx = x.reshape(b, *a)",
    "parts = dict(a=x, b=x[:1])\nx = np.concatenate([v for k, v in parts.items()])",
    "x = np.stack([*map(lambda r: r[::-1], x)])",
    "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\nx = np.tile(x, (f(3), 1))",
)
"""Code whose value only Python's own rules tell."""


@every("text", SAME)
def test_names_and_calls_are_as_python_has_them(text):
    x = np.arange(1, 13).reshape(3, 4)
    names = {"np": np, "x": x.copy()}
    exec(text, names)
    trace = code(f"{text}\nx", library="numpy", x=x)
    np.testing.assert_array_equal(trace.output, names["x"])


@every(
    "case",
    [
        ("k.repeat(1, 3, 1, 1)", "k", (1, 2, 2, 2), "torch"),
        ("q.transpose(1, 2)", "q", (2, 3, 4), "torch"),
        ("x.transpose(1, 0)", "x", (2, 3), "numpy"),
        ("np.transpose(x)", "x", (2, 3), "numpy"),
    ],
)
def test_what_one_library_refuses_is_read_as_another_that_takes_it(case):
    text, name, sizes, library = case
    assert code(text, **{name: sizes}).chain.library == library
    state = changed(first_of("code"), "code", text)
    state = changed(state, f"{name}.sizes", ",".join(map(str, sizes)))
    assert state.problems() == []
    assert state.reads_as == library or library == "numpy"
    opened = read_page("code", {"code": text, "sizes": f"{name}:{','.join(map(str, sizes))}"})
    assert opened.state.reads_as == library
    # a library that is named is the one that refuses
    if library == "torch":
        with pytest.raises(CodeRefused):
            code(text, library="numpy", **{name: sizes})


KERAS = (
    ("Permute((2, 1))", (2, 3, 4), lambda x: x.transpose(0, 2, 1)),
    ("Reshape((6, 2))", (2, 3, 4), lambda x: x.reshape(2, 6, 2)),
    ("Reshape((-1,))", (2, 3, 4), lambda x: x.reshape(2, 12)),
    ("Flatten()", (2, 3, 4), lambda x: x.reshape(2, 12)),
    ("RepeatVector(3)", (2, 4), lambda x: np.stack([x] * 3, 1)),
    ("UpSampling2D(2)", (1, 2, 3, 2), lambda x: x.repeat(2, 1).repeat(2, 2)),
    ("UpSampling2D((1, 2))", (1, 2, 3, 2), lambda x: x.repeat(2, 2)),
    ("ZeroPadding2D(1)", (1, 2, 3, 2), lambda x: np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))),
    (
        "ZeroPadding2D(((1, 0), (0, 2)))",
        (1, 2, 3, 2),
        lambda x: np.pad(x, ((0, 0), (1, 0), (0, 2), (0, 0))),
    ),
    ("Cropping2D(((1, 0), (0, 2)))", (1, 3, 4, 2), lambda x: x[:, 1:, :-2]),
    ("Cropping1D((1, 2))", (1, 5, 2), lambda x: x[:, 1:-2]),
)


@every("case", KERAS)
def test_a_layer_of_keras_moves_as_its_documentation_says(case):
    layer, sizes, due = case
    x = np.arange(np.prod(sizes)).reshape(sizes)
    for text in (
        f"tf.keras.layers.{layer}(x)",
        f"from tensorflow.keras import layers\nmodel = keras.Sequential([layers.{layer}])\nmodel(x)",
    ):
        np.testing.assert_array_equal(code(text, library="tensorflow", x=x).output, due(x))


def test_vmap_is_its_function_for_each_part():
    x = np.arange(24).reshape(2, 3, 4)
    made = code("jax.vmap(lambda t: t.T[::-1])(x)", x=x).output
    np.testing.assert_array_equal(made, np.stack([t.T[::-1] for t in x]))
    text = "jax.vmap(lambda t, n: jnp.roll(t, n, 0), in_axes=(1, None), out_axes=1)(x, 1)"
    np.testing.assert_array_equal(code(text, x=x).output, np.roll(x, 1, 0))


def test_a_parameter_is_an_input_and_what_is_inside_is_none():
    text = "def f(x, n, *, k=2, flag=None):\n    y = x[:n]\n    return y[::k]"
    assert [one.name for one in code_inputs(text, "numpy")] == ["x", "n", "k"]
    text = "def f(x):\n    return x.T\nf(y)"
    assert [one.name for one in code_inputs(text, "numpy")] == ["y"]


def test_the_command_takes_numbers_and_says_which_library_it_read(capsys):
    line = ["code", "x.reshape(self.h, -1)", "--input", "x=2,6", "--number", "self.h=3", "--json"]
    assert main(line) == 0
    assert '"sizes": [3, 4]' in capsys.readouterr().out
    assert main(["code", "q.transpose(1, 2)", "--input", "q=1,2,3"]) == 0
    assert capsys.readouterr().out.startswith("Read as code of PyTorch")
    assert main(["code", "x.T", "--input", "x=1,2", "--number", "h=a"]) == 2
    assert "number: " in capsys.readouterr().err
