"""What a refusal says of a library is true of the library, and what a library refuses is refused."""

import numpy as np
import pytest

from dmlviz.code import LIBRARIES, CodeRefused, read, run_chain
from tests.code import signatures
from tests.code.answers import by_library, modules, numbers

REFUSED_BY_THE_LIBRARY = [
    ("numpy", "np.choose([-1, 0], [x, y])", [(2,), (2,)], "There is no choice -1"),
    ("numpy", "np.choose([0, 2], [x, y])", [(2,), (2,)], "choices are 0 to 1"),
    ("numpy", "np.choose([0, 1], [x, y], mode='mirror')", [(2,), (2,)], "raise, wrap, clip"),
    (
        "numpy",
        "np.pad(x, 1, mode='reflect', constant_values=3)",
        [(4,)],
        "takes no constant_values",
    ),
    ("numpy", "np.pad(x, 1, reflect_type='even')", [(4,)], "takes no reflect_type"),
    ("numpy", "np.pad(x, 1, mode='mirror')", [(4,)], "is not one of constant"),
    (
        "numpy",
        "np.roll(x, 1, axes=0)",
        [(4,)],
        "np.roll is not read with axes=...; it is read with a",
    ),
    ("numpy", "np.reshape(x.T, (6,), copy=False)", [(2, 3)], "this result needs a copy"),
    ("numpy", "np.meshgrid(x, y, indexing='yx')", [(2,), (3,)], "not one of xy and ij"),
    ("numpy", "x.permute(1, 0)", [(2, 3)], "NumPy tensors have no .permute()"),
    ("torch", "x.index_fill(0, [-1], 0)", [(3, 2)], "takes no list for index"),
    ("torch", "torch.gather(x, 0, [[0, 1]])", [(3, 2)], "takes no list for index"),
    ("torch", "x.index_copy(0, torch.tensor([-1]), y)", [(3, 2), (1, 2)], "no negative indices"),
    ("torch", "torch.broadcast_to(x, 2, 3)", [(3,)], "takes input, size"),
    ("torch", "torch.permute(x, 1, 0)", [(3, 2)], "takes input, dims"),
    ("torch", "F.interpolate(x, size=4, recompute_scale_factor=True)", [(1, 1, 3)], "and no size"),
    (
        "torch",
        "F.interpolate(x, size=4, align_corners=True)",
        [(1, 1, 3)],
        "takes no align_corners",
    ),
    ("torch", "F.interpolate(x, size=4, antialias=True)", [(1, 1, 3)], "takes no antialias"),
    ("torch", "x.repeat_interleave(2, output_size=5)", [(3,)], "output_size=5 is not 6"),
    ("jax", "jnp.split(x, [-2])", [(5,)], "at places from 0 to its size, 5, ascending"),
    ("jax", "jnp.split(x, [3, 1])", [(5,)], "at places from 0 to its size, 5, ascending"),
    ("jax", "jnp.hsplit(x, [-1])", [(2, 4)], "at places from 0 to its size, 4, ascending"),
    ("jax", "jnp.take(x, jnp.array([0]), mode='raise')", [(3,)], "is not one of fill, wrap, clip"),
    ("tensorflow", "tf.unstack(x, num=2)", [(3, 2)], "num=2 is not 3"),
]
"""The library, code that it refuses, the sizes of x and y, and a part of the sentence here."""


@pytest.mark.parametrize(("library", "code", "sizes", "said"), REFUSED_BY_THE_LIBRARY)
def test_what_a_library_refuses_is_refused_with_its_reason(library, code, sizes, said):
    values = numbers(sizes)
    with pytest.raises(CodeRefused) as refused:
        read(code, {n: x.shape for n, x in values.items()}, library=library)
    assert said in str(refused.value)
    pytest.importorskip(library)
    with pytest.raises((ValueError, TypeError, IndexError, AttributeError, RuntimeError)):
        by_library(library, code, values, modules(library))


MOVED_BY_THE_LIBRARY = [
    ("numpy", "np.split(x, [3, 1])", [(5,)], "divided into parts of 3, 0, 4; a part of 0 has no"),
    ("numpy", "np.linspace(0, 1, 3, axis=0)", [(5,)], "linspace is not read with axis=..."),
]
"""As above, of code that the library takes: its parts are what the sentence says."""


@pytest.mark.parametrize(("library", "code", "sizes", "said"), MOVED_BY_THE_LIBRARY)
def test_what_is_not_shown_is_said_as_the_library_makes_it(library, code, sizes, said):
    values = numbers(sizes)
    with pytest.raises(CodeRefused) as refused:
        read(code, {n: x.shape for n, x in values.items()}, library=library)
    assert said in str(refused.value)
    made = by_library(library, code, values, modules(library))
    if "split" in code:
        assert ", ".join(str(len(part)) for part in made) in said


def test_the_parts_of_a_split_that_are_said_are_those_of_numpy():
    dice = np.random.default_rng(3)
    for _turn in range(200):
        size = int(dice.integers(1, 8))
        places = dice.integers(-9, 10, dice.integers(0, 4)).tolist()
        counts = [len(part) for part in np.array_split(np.arange(size), places)]
        try:
            chain = read(f"np.array_split(x, {places})", {"x": (size,)}, library="numpy")
        except CodeRefused as refused:
            assert f"parts of {', '.join(map(str, counts))};" in str(refused)
            assert 0 in counts
            continue
        assert [chain.sizes[name][0] for name in chain.outputs.values()] == counts


def test_values_are_inserted_where_numpy_inserts_them():
    dice = np.random.default_rng(5)
    for _turn in range(200):
        x = numbers([(int(dice.integers(1, 6)), 2)])["x"]
        count = int(dice.integers(1, 5))
        places = dice.integers(-len(x), len(x) + 1, count).tolist()
        added = (1000 + np.arange(2 * count)).reshape(count, 2).tolist()
        code = f"np.insert(x, {places}, {added}, axis=0)"
        made = run_chain(read(code, {"x": x.shape}, library="numpy"), {"x": x})
        np.testing.assert_array_equal(made.output, np.insert(x, places, added, axis=0))


@pytest.mark.parametrize("product", ["q @ k.transpose(-2, -1)", "q @ k.foo()", "(q @ k.T).T"])
@pytest.mark.parametrize("library", ["numpy", "torch", "jax", "tensorflow", None])
def test_a_matrix_product_is_what_computes_whatever_its_operands_are(product, library):
    with pytest.raises(CodeRefused) as refused:
        read(product, {"q": (2, 3, 4), "k": (2, 3, 4)}, library=library)
    assert refused.value.kind == "computes"
    assert str(refused.value) == "@ computes new values; only movements are shown."


@pytest.mark.parametrize("library", ["numpy", "torch", "jax"])
def test_a_method_that_is_said_to_be_missing_is_missing(library):
    table, theirs = LIBRARIES[library], signatures.members_of(library)
    said = set()
    for name in signatures.members() - table.methods.keys() - table.attributes.keys():
        for code in (f"x.{name}()", f"x.{name}"):
            with pytest.raises(CodeRefused) as refused:
                read(code, {"x": (2, 3)}, library=library)
            if "; those of" in str(refused.value):
                said.add(name)
    assert said
    assert not said & theirs
    assert {*table.unread} <= theirs


@pytest.mark.parametrize(
    "library", [library for library in signatures.WITH_FUNCTIONS if library != "onnx"]
)
def test_an_unknown_keyword_is_named(library):
    for name in signatures.read_functions(library):
        code = f"x{name}(strange=3)" if name.startswith(".") else f"{name}(x, strange=3)"
        code = f"import {name.partition('.')[0]}\n{code}" if not name.startswith(".") else code
        if "layers" in name or name.startswith(("torch.nn.", "einops.re")):
            continue
        with pytest.raises(CodeRefused) as refused:
            read(code, {"x": (2, 3)}, library=library)
        assert " is not read with strange=...; it is read with " in str(refused.value), code
