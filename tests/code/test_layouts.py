"""Layouts in memory by their names, beside what their definitions say of each element."""

import itertools
import math
import random
import re

import numpy as np
import pytest

import dmlviz
from dmlviz.base.errors import Error
from dmlviz.code.inputs import suggested
from dmlviz.code.layout_text import layout_of
from dmlviz.teaching.code_presets import code_named


def blocked(tag, x):
    """What oneDNN has in memory for a format tag, element for element; zeros where it fills up.

    The index of an axis is split by its blocks, the rightmost of which has the lowest places.
    """
    outer = re.match("[A-Za-z]+", tag)[0].lower()
    inner = [(letter, int(n)) for n, letter in re.findall(r"(\d+)([a-z])", tag)]
    letters = sorted(outer, key="ngoicdhw".index) if "n" in outer or "o" in outer else sorted(outer)
    block = {a: math.prod(n for letter, n in inner if letter == a) for a in letters}
    sizes = dict(zip(letters, x.shape, strict=True))
    out = np.zeros([-(-sizes[a] // block[a]) for a in outer] + [n for _a, n in inner], x.dtype)
    for index in np.ndindex(x.shape):
        of = dict(zip(letters, index, strict=True))
        rest = dict(of)
        low = []
        for letter, n in reversed(inner):
            low.insert(0, rest[letter] % n)
            rest[letter] //= n
        out[tuple(rest[a] for a in outer) + tuple(low)] = x[index]
    return out


def numbered(sizes):
    return np.arange(1, math.prod(sizes) + 1, dtype=np.float32).reshape(sizes)


def random_tag(dice):
    letters = dice.choice(["ncw", "nchw", "ncdhw", "oihw", "goihw", "oiw", "abcd", "ab"])
    inner = [
        (dice.choice(letters), dice.choice([2, 3, 4]))
        for _k in range(dice.randint(1, min(3, 8 - len(letters))))
    ]
    outer = "".join(dice.sample(letters, len(letters)))
    capitals = {letter for letter, _n in inner}
    head = "".join(a.upper() if a in capitals else a for a in outer)
    return head + "".join(f"{n}{letter}" for letter, n in inner), letters


@pytest.mark.parametrize("seed", range(40))
def test_blocks_are_where_the_tag_says(seed):
    dice = random.Random(seed)
    tag, letters = random_tag(dice)
    sizes = tuple(dice.choice([1, 2, 3, 5]) for _a in letters)
    x = numbered(sizes)
    assert np.array_equal(dmlviz.code(tag, x=x).output, blocked(tag, x)), tag


@pytest.mark.parametrize("seed", range(20))
def test_the_inverse_of_an_order_brings_everything_back(seed):
    dice = random.Random(seed)
    tag, letters = random_tag(dice)
    block = {
        a: math.prod(int(n) for n, b in re.findall(r"(\d+)([a-z])", tag) if b == a) for a in letters
    }
    x = numbered([block[a] * dice.choice([1, 2]) for a in letters])
    memory = np.ascontiguousarray(dmlviz.code(tag, x=x).output)
    assert np.array_equal(dmlviz.code(f"{tag} -> {letters}", x=memory).output, x), tag


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("NC/32HW32", "nChw32c"),
        ("NC4HW4", "nChw4c"),
        ("NCHW16c", "nChw16c"),
        ("aBcd8b", "nChw8c"),
        ("OIHW -> OIhw4i16o4i", "OIhw4i16o4i"),
    ],
)
def test_libraries_that_name_one_layout_mean_one(text, same):
    x = numbered((2, 16, 2, 3))
    one, two = (dmlviz.code(each, x=x) for each in (text, same))
    assert np.array_equal(one.output, two.output)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("channels_last", (0, 2, 3, 1)),
        ("torch.channels_last", (0, 2, 3, 1)),
        ("NHWC", (0, 2, 3, 1)),
        ("nhwc", (0, 2, 3, 1)),
        ("NCHW→NHWC", (0, 2, 3, 1)),
        ("NHWC -> NCHW", (0, 3, 1, 2)),
        ("OIHW->HWIO", (2, 3, 1, 0)),
        ("HWIO => OIHW", (3, 2, 0, 1)),
        ("hwc", (1, 2, 0)),
        ("channels_last_3d", (0, 2, 3, 4, 1)),
    ],
)
def test_orders_of_axes(text, order):
    x = numbered((2, 3, 4, 5, 2)[: len(order)])
    assert np.array_equal(dmlviz.code(text, x=x).output, x.transpose(order))


def offset(coordinate, size, stride):
    """CuTe's: a whole number counts through a tuple, whose first number moves fastest."""
    if isinstance(size, int):
        return coordinate * stride
    total = 0
    for one, step in zip(size, stride, strict=True):
        count = np.prod(one, dtype=int) if isinstance(one, int) else math.prod(flat(one))
        total += offset(coordinate % int(count), one, step)
        coordinate //= int(count)
    return total


def flat(tree):
    return [tree] if isinstance(tree, int) else [n for part in tree for n in flat(part)]


def random_tree(dice, depth=0):
    if depth == 2 or dice.random() < 0.5:
        size = dice.choice([1, 2, 3, 4])
        return size, dice.choice([0, 1, 2, 3, 5, 8])
    parts = [random_tree(dice, depth + 1) for _k in range(dice.randint(1, 3))]
    return tuple(p[0] for p in parts), tuple(p[1] for p in parts)


def written(tree):
    return str(tree) if isinstance(tree, int) else f"({','.join(map(written, tree))})"


@pytest.mark.parametrize("seed", range(40))
def test_shapes_and_strides_are_where_cute_has_them(seed):
    dice = random.Random(seed)
    modes = [random_tree(dice) for _k in range(dice.randint(1, 3))]
    text = (
        f"({','.join(written(s) for s, _t in modes)}):({','.join(written(t) for _s, t in modes)})"
    )
    shape = [math.prod(flat(size)) for size, _stride in modes]
    due = np.zeros(shape, int)
    for index in np.ndindex(*shape):
        due[index] = sum(offset(i, *mode) for i, mode in zip(index, modes, strict=True))
    x = numbered((int(due.max()) + 1,))
    assert np.array_equal(dmlviz.code(text, x=x).output, x[due]), text


@pytest.mark.parametrize("seed", range(20))
def test_swizzles_change_bits(seed):
    dice = random.Random(seed)
    bits, base = dice.randint(1, 3), dice.randint(0, 2)
    shift = dice.choice([1, -1]) * dice.randint(bits, 4)
    count = 1 << bits + base + abs(shift)
    due = []
    for i in range(count):
        read = [base + max(0, shift) + k for k in range(bits)]
        due.append(i ^ sum((i >> b & 1) << b - shift for b in read))
    name = f"Swizzle<{bits},{base},{shift}>"
    x = numbered((count,))
    assert np.array_equal(dmlviz.code(name, x=x).output, x[due]), name
    composed = dmlviz.code(f"Sw<{bits},{base},{shift}> o 0 o ({count // 2},2):(2,1)", x=x).output
    assert np.array_equal(composed.ravel(), x[due])


NAMED = {
    "x.reshape(2, 2, 16, 2, 3).transpose(0, 1, 3, 4, 2)": ((2, 32, 2, 3), "nChw16c"),
    "x.reshape(2, 4, 2, 4, 3, 3).permute(0, 2, 4, 5, 3, 1)": ((8, 8, 3, 3), "OIhw4i4o"),
    "x.permute(0, 2, 3, 1)": ((2, 3, 4, 5), "channels_last"),
    "x.permute(0, 2, 3, 4, 1)": ((2, 3, 2, 2, 3), "channels_last_3d"),
    "np.pad(x, ((0, 0), (0, 2), (0, 0))).reshape(2, 2, 4, 3).transpose(0, 1, 3, 2)": (
        (2, 6, 3),
        "nCw4c",
    ),
    "x[np.arange(8)[:, None], np.arange(8)[:, None] ^ np.arange(8)]": ((8, 8), "Swizzle<3,0,3>"),
}


@pytest.mark.parametrize("code", NAMED)
def test_code_that_is_a_layout_has_its_name(code):
    sizes, name = NAMED[code]
    chain = dmlviz.code(code, x=sizes)
    (same,) = (one for one in chain.same_as if one.kind == "layout")
    assert str(same) == name
    again = dmlviz.code(same.text, same.library, x=sizes)
    assert np.array_equal(again.source, chain.source)
    assert same.link.startswith("/code?")


@pytest.mark.parametrize("seed", range(40))
def test_every_order_of_blocks_is_named(seed):
    dice = random.Random(seed)
    tag, letters = random_tag(dice)
    x = numbered(
        [
            dice.choice([2, 3])
            * math.prod(int(n) for n, b in re.findall(r"(\d+)([a-z])", tag) if b == a)
            for a in letters
        ]
    )
    chain = dmlviz.code(f"x1 = {einops_of(tag, letters)}\nx1", x=x)
    names = [one.text for one in chain.same_as if one.kind == "layout"]
    assert names, (tag, letters)
    for name in names:
        assert np.array_equal(dmlviz.code(name, x=x).output, blocked(tag, x))


def einops_of(tag, letters):
    """The same order as a pattern."""
    outer = re.match("[A-Za-z]+", tag)[0].lower()
    inner = [(letter, int(n)) for n, letter in re.findall(r"(\d+)([a-z])", tag)]
    names = [f"{letter}{k}" for k, (letter, _n) in enumerate(inner)]
    left = [
        f"({' '.join([f'{a}_', *(n for n in names if n[0] == a)])})"
        if a in tag[len(outer) :]
        else f"{a}_"
        for a in letters
    ]
    lengths = ", ".join(f"{name}={n}" for name, (_a, n) in zip(names, inner, strict=True))
    right = " ".join([*(f"{a}_" for a in outer), *names])
    # names of axes of einops do not end with an underscore
    pattern = f"{' '.join(left)} -> {right}".replace("_", "outer")
    return f"rearrange(x, '{pattern}', {lengths})"


def test_transposed_tensors_of_two_dimensions_are_no_layout():
    for code, sizes in (("x.T", (3, 4)), ("x.permute(0, 3, 1, 2)", (2, 3, 4, 5)), ("x", (2, 3, 4))):
        assert not [one for one in dmlviz.code(code, x=sizes).same_as if one.kind == "layout"]


@pytest.mark.parametrize(
    "text",
    [
        *[
            "x",
            "x1",
            "abc2d",
            "nChw",
            "channels",
            "N",
            "a2a",
            "nChw16d",
            "NC/32HW16",
            "nhwcc",
            "x:y",
        ],
        *[
            "(2,4)",
            "(2,4):(1)",
            "((2,4):(1,2)",
            "(2,(3)):((1),2)",
            "Swizzle<3,4,2>",
            "nChw1c",
            "1:1:1",
        ],
        *["Sw<3,4,3> o Sw<3,4,3>", "(0,4):(1,2)", "((" * 200, "x.T", "NCHW->NHWD", "a->b->c", ""],
    ],
)
def test_other_texts_are_no_layouts(text):
    assert layout_of(text) is None


@pytest.mark.parametrize(
    ("text", "sizes", "words"),
    [
        ("nChw16c", (2, 3), '"nChw16c" is a layout of tensors with 4 dimensions, not 2.'),
        ("channels_last_3d", (2, 3, 4, 5), "of tensors with 5 dimensions, not 4."),
        ("channels_last", (2, 3), "of tensors with 3 or more dimensions, not 2."),
        ("(8,8):(1,9)", (10,), "The layout needs 71 elements of memory; the tensor has 10."),
        ("Swizzle<3,4,3>", (1000,), "elements of memory; the tensor has 1,000."),
        ("nChw8c->nchw", (2, 2, 2, 3, 4), "Dimension 4 has size 4; blocks of c have 8."),
        ("(65536,65536):(0,0)", (1,), "elements"),
        ("aBc100000000b", (2, 2, 2), "elements"),
    ],
)
def test_what_does_not_fit_is_refused(text, sizes, words):
    with pytest.raises(Error, match=re.escape(words)):
        dmlviz.code(text, x=sizes)


@pytest.mark.parametrize(
    "text",
    ["nChw16c", "OIhw4i16o4i", "NC/32HW32", "((2,4),8):((1,16),2)", "Swizzle<2,0,3>", "nhwc"],
)
def test_first_sizes_fit_and_the_search_opens_them(text):
    (x,) = suggested(text, "layout", {}).values()
    run = dmlviz.code(text, x=x.sizes)
    assert run.source.size == math.prod(x.sizes)
    assert run.formula
    state = code_named(text)
    assert state is not None
    assert (state.code, state.reads_as) == (text, "layout")


def test_the_pairs_of_all_orders_agree():
    x = numbered((2, 2, 3, 3))
    for one, two in itertools.permutations(("nchw", "nhwc", "chwn", "hwcn"), 2):
        direct = dmlviz.code(f"{one}->{two}", x=x).output
        assert np.array_equal(direct, np.einsum(f"{one}->{two}", x))
