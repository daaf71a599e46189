"""A formula as people copy it, evaluated as Python for every element of an output."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

import dmlviz
from dmlviz.code import read
from dmlviz.movement.expressions import as_python
from dmlviz.picture.sections import element_lines
from tests.code.answers import numbers
from tests.code.lines import LINES
from tests.every import every

DIFFERENT = object()
"""Where constants are too many for the formula."""


class Tensor:
    """A tensor that is read as Python reads it, but refuses indices that count from the end."""

    def __init__(self, array):
        self.array = np.asarray(array)

    def __getitem__(self, at):
        at = at if isinstance(at, tuple) else (at,)
        assert len(at) == self.array.ndim
        assert all(0 <= i < n for i, n in zip(at, self.array.shape, strict=True)), at
        return self.array[at].item()


def evaluated(formula, values):
    """The value that the text of a formula gives each output element for which it holds."""
    text = replace(formula, where=(), values_of=()).symbolic()
    left, _equals, text = text.partition(" = ")
    tables = {name: Tensor(table) for name, table in formula.tables.items()}
    for name in formula.unnamed:
        # what stands behind the formula is what it looks up
        behind = f", {name} = {formula.tables[name].tolist()}"
        assert behind in text or f"{name}[" not in text, text
        text = text.replace(behind, "")
    for name in sorted(tables, key=len, reverse=True):
        text = text.replace(f"{name}[", f"tables[{name!r}][")
    names = [as_python(name) for name in formula.names]
    text = as_python(text).replace("a constant if", "different if")
    assert left == f"{formula.output}[{', '.join(formula.names)}]"
    known = {"tables": tables, "different": DIFFERENT, "min": min, "max": max, "math": math}
    known |= {"inf": math.inf, "nan": math.nan}
    rule = eval(f"lambda {', '.join(['tensors', *names])}: {_of(text, formula)}", known)
    at = [i for i in np.ndindex(formula.output_sizes) if formula.holds(i)]
    return {i: rule({formula.tensor: Tensor(values)}, *i) for i in at}


def _of(text, formula):
    return re.sub(
        rf"(?<!\w){re.escape(formula.tensor)}\[(?=[^\[]*)", f"tensors[{formula.tensor!r}][", text
    )


def check(code, library, tensors):
    arrays = {name: np.asarray(x) for name, x in tensors.items()}
    trace = dmlviz.code(code, library=library, **arrays)
    for name, formulas in trace.operator.formulas(trace.inputs).items():
        for formula in formulas:
            if any("position" in str(each.value) for each in formula.where):
                continue
            for at, value in evaluated(formula, trace.inputs[formula.tensor]).items():
                if value is not DIFFERENT:
                    due = trace.outputs[name][at].item()
                    assert value == due, (code, formula.symbolic(), at)
            assert "-1 if" not in formula.symbolic().replace("= -1 if", "")
    return trace.formula


X = np.arange(24).reshape(4, 6) + 1
MASK = X % 5 == 0
CASES = {
    "torch: y = x.clone()\ny[1:3, ::2] = 0\ny": "0 if w mod 2 == 0 and 1 <= h <= 2 else x[h, w]",
    "torch: y = x.clone()\ny[-1] = -1\ny": "-1 if h == 3 else x[h, w]",
    "jax: x.at[jnp.array([0, 2]), jnp.array([1, 3])].set(-1)": (
        "-1 if h == 0 and w == 1 or h == 2 and w == 3 else x[h, w]"
    ),
    "jax: x.at[jnp.array([0, 1, 2, 3, 0]), jnp.array([0, 2, 1, 5, 4])].set(9)": None,
    "torch: F.pad(x, (1, 1))": "0 if w == 0 or w == 7 else x[h, w − 1]",
    "torch: F.pad(x, (1, 2, 1, 0), value=5)[1:]": "5 if w == 0 or w >= 7 else x[h, w − 1]",
    "numpy: np.pad(np.pad(x, 1), 1, constant_values=7)": (
        "7 if h == 0 or h == 7 or w == 0 or w == 9 else 0 if h == 1 or h == 6 or w == 1 or w == 8 "
        "else x[h − 2, w − 2]"
    ),
    "numpy: y = np.pad(x, 1)\ny[0, 1] = 9\ny": None,
    "numpy: y = x.copy()\ny[1] = [5, 6, 7, 8, 9, 3]\ny": (
        "[5, 6, 7, 8, 9, 3][w] if h == 1 else x[h, w]"
    ),
    "numpy: np.tril(x)": "0 if w − h >= 1 else x[h, w]",
    "numpy: np.diag(x[0])": "0 if w − h < 0 or w − h >= 1 else x[0, w]",
    "numpy: np.where(x % 2 == 0, x, 0)": ("0 if w mod 2 == 0 else x[h, w], for these values of x"),
    "numpy: y = x.copy()\ny[x > 3] = 0\ny": None,
    "numpy: np.where(m, x, 0)": "0 if m[h, w] == 0 else x[h, w]",
    "torch: x.masked_fill(m, 7)": "7 if m[h, w] == 1 else x[h, w]",
    "numpy: np.concatenate([x, np.pad(x, 1)[:, :6]])": None,
    "torch: F.unfold(x.reshape(1, 1, 4, 6), 2, padding=1)": None,
    "torch: F.unfold(x.reshape(1, 1, 4, 6), 2)": (
        "x[(r div 2) + (p div 5), (r mod 2) + (p mod 5)]"
    ),
}


@every("case", CASES)
def test_a_copied_formula_gives_every_element(case):
    library, _colon, code = case.partition(": ")
    if library == "torch":
        pytest.importorskip("torch")
    tensors = {"x": X, "m": MASK} if re.search(r"\bm\b", code) else {"x": X}
    text = check(code, library, tensors)
    assert text
    if CASES[case] is not None:
        assert text.partition(" = ")[2] == CASES[case]


@every("form", ["", ", data_format='NCHW'"])
def test_an_image_of_tensorflow_has_the_letters_of_its_order(form):
    chain = read(
        f"y = tf.nn.depth_to_space(x, 2{form})", {"x": (1, 2, 2, 8) if not form else (1, 8, 2, 2)}
    )
    order = "n, c, h, w" if form else "n, h, w, c"
    assert chain.formula.startswith(f"y[{order}] = x[0, ")
    assert "(h mod 2) · 4 + (w mod 2) · 2 + c" in chain.formula


@every("library", LINES)
def test_a_copied_formula_of_any_line_gives_every_element(library):
    for code, sizes, kind in LINES[library]:
        if not kind:
            check(code, library, numbers(sizes))


def test_what_holds_for_some_values_says_so():
    values = np.array([[1, 2], [3, 4]])
    assert read("x[::-1]", {"x": (2, 2)}).formula == "out[h, w] = x[1 − h, w]"
    trace = dmlviz.code("x[(i + 1) % 2]", x=values, i=np.array([0, 0, 1]))
    assert trace.formula.endswith(", for these values of i")


def test_an_example_shows_a_constant():
    trace = dmlviz.code("y = x.copy()\ny[0] = 5\ny", x=(2, 3))
    assert element_lines(trace) == [
        "y[1, 2] = x[1, 2]",
        "y[0, 2] = 5: it is a constant of the code; no input element is its source.",
    ]


@pytest.mark.parametrize(
    ("code", "sizes", "due"),
    [
        ("w.transpose(0, 2, 1, 3)", {"w": (2, 3, 4, 5)}, "out[n, c, h, a] = w[n, h, c, a]"),
        ("h = x[::-1]\nh", {"x": (2, 3)}, "h[a, w] = x[1 − a, w]"),
        ("x.T[:, a]", {"x": (2, 3), "a": (2,)}, "out[h, w] = x[a[w], h]"),
    ],
)
def test_no_index_has_the_name_of_a_tensor(code, sizes, due):
    arrays = {"a": np.array([0, 1])} if "a" in sizes else None
    assert read(code, sizes, arrays, "numpy").formula == due
