"""Where tensors lie in memory: as the library itself says of each line."""

import numpy as np
import pytest

import dmlviz
from dmlviz.code import CodeRefused, read
from tests.code.answers import made_by_library, modules, numbers
from tests.code.lines import LINES
from tests.every import every

CASES = [
    pytest.param(library, code, sizes, id=f"{library}: {code}")
    for library in ("numpy", "torch")
    for code, sizes, kind in LINES[library]
    if not kind
]
# a write in place makes a new tensor here
WRITES = ("x.scatter_(0, torch.tensor([[1, 0]]), 7)",)


def read_numpy(of, inputs):
    base = next((name for name, x in inputs.items() if np.may_share_memory(x, of)), None)
    return base, tuple(step // of.itemsize for step in of.strides)


def read_torch(of, inputs):
    memory = of.untyped_storage().data_ptr()
    names = (name for name, x in inputs.items() if x.untyped_storage().data_ptr() == memory)
    return next(names, None), of.stride()


@pytest.mark.parametrize(("library", "code", "sizes"), CASES)
def test_a_view_lies_where_the_library_puts_it(library, code, sizes):
    if library == "torch":
        pytest.importorskip("torch")
    if code in WRITES:
        pytest.skip("it writes in place")
    values = numbers(sizes)
    chain = read(code, {name: x.shape for name, x in values.items()}, library=library)
    inputs, made = made_by_library(library, code, values, modules(library))
    for name, of in zip(chain.outputs, made, strict=True):
        layout = chain.layouts[name]
        base, strides = (read_torch if library == "torch" else read_numpy)(of, inputs)
        assert (layout.base if layout.base in inputs else None) == base
        steps = zip(layout.strides, strides, of.shape, strict=True)
        assert base is None or all(a == b or n == 1 for a, b, n in steps)


def test_a_copy_without_a_node_is_new_memory():
    chain = read("t = x.T\ny = t.contiguous()\nt, y", {"x": (2, 3)}, library="torch")
    assert [chain.layouts[name].base for name in chain.outputs] == ["x", "y"]
    assert [chain.layouts[name].strides for name in chain.outputs] == [(1, 3), (2, 1)]


def test_places_of_memory_that_are_read():
    of = {"x": (4,)}
    for code, places in (("x.expand(3, 4)", 4), ("x.repeat(3, 1)", 12), ("x[::2]", 2)):
        chain = read(code, of, library="torch")
        assert chain.layouts["out"].places(chain.sizes["out"]) == places


def test_which_calls_copy():
    code = "x.T.contiguous().view(6)[::2].contiguous().contiguous()"
    chain = read(code, {"x": (2, 3)}, library="torch")
    copying = [operation.name for operation in chain.operations if operation.copies]
    assert copying == ["contiguous", "contiguous"]
    assert [operation.copies for operation in chain.operations][-2:] == [True, False]


WINDOWS = "np.lib.stride_tricks.as_strided(x, (3, 4), {strides})"


@pytest.mark.parametrize(
    ("dtype", "strides"),
    [(np.float32, (8, 4)), (np.int16, (4, 2)), (np.float64, (16, 8)), (np.uint8, (2, 1))],
)
def test_strides_in_bytes_are_those_of_the_data_type(dtype, strides):
    x = np.arange(8, dtype=dtype)
    due = np.lib.stride_tricks.as_strided(x, (3, 4), strides)
    for code in (strides, "(2 * x.itemsize, x.itemsize)"):
        trace = dmlviz.code(WINDOWS.format(strides=code), x=x)
        np.testing.assert_array_equal(trace.output, due)
        assert trace.agrees


def test_strides_that_are_no_elements_name_the_type():
    with pytest.raises(dmlviz.CodeRefused, match="an element of FLOAT32 has 4"):
        dmlviz.code(WINDOWS.format(strides=(6, 3)), x=(8,))
    with pytest.raises(dmlviz.CodeRefused, match="beyond the 8 elements"):
        dmlviz.code(WINDOWS.format(strides=(16, 8)), x=(8,))


@pytest.mark.parametrize("code", ["x[jnp.array([0, 7, -1])]", "x.at[jnp.array([1, 7])].set(10)"])
def test_what_jax_does_with_an_index_outside_is_said(code):
    with pytest.raises(dmlviz.CodeRefused, match=r"size 5: -5 to 4\. JAX does not refuse it"):
        dmlviz.code(code, x=(5,), library="jax")


@pytest.mark.parametrize(
    "code", ["jnp.take(x, jnp.array([9]))", "jnp.take_along_axis(x, jnp.array([9]), 0)"]
)
def test_jax_fills_where_a_call_takes_from_outside(code):
    with pytest.raises(dmlviz.CodeRefused, match=r'mode="fill", this call puts NaN'):
        dmlviz.code(code, x=(5,), library="jax")


def test_sizes_that_indices_do_not_fit_are_those_on_screen():
    code = "np.take_along_axis(x, np.array([[2, 0], [1, 1]]), axis=0)"
    with pytest.raises(dmlviz.CodeRefused, match=r"\{3, 4\}, the indices \{2, 2\}: 4 and 2 in dim"):
        dmlviz.code(code, x=(3, 4))


LAYOUTS = (
    *("x", "x.T", "np.asfortranarray(x)", "np.asfortranarray(x).T", "x[::-1]", "x[:, ::2]"),
    *("np.asfortranarray(x)[1:]", "x.copy(order='F')", "np.array(x, order='F')", "x.T[1:]"),
    *("x.reshape(3, 2, order='F')", "np.ascontiguousarray(x.T)", "np.asfortranarray(x)[:, ::-1]"),
)
IN_ORDER = (
    *("{}.ravel('A')", "{}.ravel('K')", "{}.ravel('F')", "{}.flatten('A')", "{}.flatten('F')"),
    *("{}.reshape(-1, order='A')", "{}.reshape(2, 3, order='A')", "np.copy({}).ravel('A')"),
    *("{}.copy(order='A').ravel('A')", "np.array({}, order='A').ravel('A')"),
)


@every("line", [order.format(layout) for layout in LAYOUTS for order in IN_ORDER])
def test_an_order_is_that_of_the_memory(line):
    x = np.arange(6).reshape(2, 3)
    try:
        due = eval(line, {"np": np, "x": x})
    except ValueError:
        return
    try:
        chain = read(line, {"x": x.shape}, library="numpy")
    except CodeRefused:
        # what the layout does not say is refused, and never guessed
        assert "'K'" in line or ".T[1:]" in line or "::" in line, line
        return
    np.testing.assert_array_equal(chain.source(chain.outputs["out"]), due)
