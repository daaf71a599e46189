"""A state as an address and back; whatever else an address may hold."""

import random
import re
import tracemalloc
from dataclasses import fields, replace
from urllib.parse import quote_plus

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz.base.addresses import MOST_LINK
from dmlviz.operators import FEATURE_LEVELS, OPERATORS
from dmlviz.operators.base import alternative_on
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states import (
    COLORS,
    MOVES,
    Opened,
    View,
    first_state,
    print_compact,
    read_link,
    read_parameters,
    settings_of,
    value_options,
)
from dmlviz.states.inputs import InputState, Tensors, example_of
from dmlviz.states.state import State
from dmlviz.states.view import VIEW_FIELDS
from dmlviz.tensors import DATA_TYPES, PICTURES, data_type_of
from tests.one_input import applied
from tests.strategies import MODES, bits, named, runs
from tests.thorough import tries

ENGINES = ("numpy", "onnxruntime", "directml", "directml:3")


@st.composite
def views(draw, operator, x):
    """Any way to look at an operation."""
    sizes = x.shape
    compare = draw(st.none() | st.sampled_from(seconds(operator, x)))
    out = operator.output_sizes(sizes)
    index = st.tuples(*(st.integers(0, n - 1) for n in out))
    if compare is not None:
        # which of the two comes first
        other = st.tuples(*(st.integers(0, n - 1) for n in compare.output_sizes(sizes)))
        index = st.tuples(st.just(0), index) | st.tuples(st.just(1), other)
        index = index.map(lambda pin: (pin[0], *pin[1]))
    ways = st.sampled_from((None, "across", "down"))
    directions = [(d, draw(ways)) for d in range(len(sizes) - 2)]
    return View(
        feature_level=draw(st.none() | st.sampled_from(FEATURE_LEVELS)),
        engine=draw(st.sampled_from(ENGINES)),
        colors=draw(st.sampled_from(COLORS)),
        moves=draw(st.sampled_from(MOVES)),
        step=draw(st.integers(0, 99_999_999)) / 100,
        pinned=tuple(draw(st.lists(index, max_size=6, unique=True))),
        directions=tuple((d, way) for d, way in directions if way),
        compare=None if compare is None else settings_of(compare),
        predict=draw(st.booleans()),
    )


def seconds(operator, x):
    """Operators of the same kind that take the same input, such as a page compares with."""
    # an operator's own alternative is not always one
    others = [operator, alternative_on(operator, named(x))]
    if "padding_mode" in operator.settings:
        others += [replace(operator, padding_mode=mode, padding_value=-0.5) for mode in MODES]
    return others


@st.composite
def states(draw):
    """Any state that the widgets of a page can describe."""
    operator, x = draw(runs())
    if "padding_value" in operator.settings and operator.padding_mode == "CONSTANT":
        value = draw(st.floats(width=32) | st.sampled_from([-0.0, 1e30, float("nan")]))
        operator = replace(operator, padding_value=value)
    values = draw(st.sampled_from(value_options(type(operator))))
    example = example_of(type(operator), values)
    if example is not None:
        x = example.x
        operator = draw(st.sampled_from(seconds(example.operator, x)))
    data_type = draw(st.sampled_from(tuple(DATA_TYPES)))
    tensor = InputState(
        x.shape,
        data_type_of(x.dtype) if values == "own" else data_type,
        values,
        literal=print_compact(x) if values == "own" else "",
        seed=draw(st.integers(0, 2**31)) if values == "random" else 0,
        picture=draw(st.sampled_from(tuple(PICTURES))) if values == "picture" else "",
    )
    tensors = Tensors(((operator.first_input(), tensor),))
    state = State(operator.key, tensors, settings_of(operator))
    return replace(state, view=draw(views(operator, x)))


@given(states(), st.booleans())
def test_any_state_comes_back_from_its_address(state, whole):
    address = state.address(whole=whole)
    opened = read_link(address)
    assert opened == Opened(state)
    assert opened.state.address(whole=whole) == address
    for prefix in ("http://localhost:8501", "https://host.invalid/base", "", "x://[::1"):
        assert read_link(prefix + address).state == state
    assert read_link(address.removeprefix("/") + "#there").state == state


@given(states())
def test_what_is_computed_comes_back_too(state):
    again = read_link(state.address()).state
    x = state.x()
    assert x.shape == state.sizes
    assert data_type_of(x.dtype) == state.tensors.data_type
    np.testing.assert_array_equal(bits(again.x()), bits(x))
    assert repr(again.operator()) == repr(state.operator())
    seconds_of = [one.second() and one.second().operator() for one in (again, state)]
    assert repr(seconds_of[0]) == repr(seconds_of[1])


def test_one_element_read_again_and_again_comes_back():
    # without gaps, this tensor would need four elements of memory
    operator, x = dmlviz.Strided((4,), (0,)), np.array([7], np.float32)
    for second in seconds(operator, x):
        assert second.output_sizes(x.shape)
        state = State(
            operator.key,
            Tensors((("InputTensor", InputState(x.shape, "FLOAT32", "count-1")),)),
            settings_of(operator),
            view=View(compare=settings_of(second)),
        )
        opened = read_link(state.address())
        assert opened == Opened(state)
        assert opened.state.x().shape == x.shape
        assert (opened.state.operator(), opened.state.second().operator()) == (operator, second)


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_first_states_are_short(cls):
    assert first_state(cls.key).address() == f"/{cls.key}"
    assert read_link(cls.key).state == first_state(cls.key)
    for number, example in enumerate(cls.examples()):
        state = read_link(f"{cls.key}?values=example-{number}").state
        for name, array in state.inputs().items():
            np.testing.assert_array_equal(array, example.inputs[name])
        assert state.operator() == example.operator
        assert number == 0 or state.address() == f"/{cls.key}?values=example-{number}"


def test_picture_is_the_operators_own():
    picture = InputState((1, 12, 8, 8), "FLOAT32", "picture")
    state = first_state("depth-to-space").with_input("InputTensor", picture)
    by_hand = applied(dmlviz.DepthToSpace(2), state.x())
    whole = replace(picture, sizes=(1, 3, 16, 16))
    other = first_state("tile").with_input("InputTensor", whole).x()
    np.testing.assert_array_equal(by_hand, other.astype(by_hand.dtype))


@pytest.mark.parametrize(
    ("link", "fields"),
    [
        ("/tile?sizes=words", ["sizes"]),
        ("/tile?sizes=1,0&data_type=INT8", ["sizes"]),
        ("/tile?data_type=FLOAT7&values=count-0", ["data_type"]),
        ("/tile?repeats=1,2", ["repeats"]),
        ("/tile?repeats=0,0,0,0&colors=red&step=-1", ["repeats", "colors", "step"]),
        ("/tile?repeats=1,2,x,3", ["repeats"]),
        ("/tile?repeats=-1,1,1,1", ["repeats"]),
        ("/tile?repeats=1,1,1,1,1,1,1,1,1", ["repeats"]),
        ("/tile?repeats=", ["repeats"]),
        ("/tile?repeats=1,1,70000,1", ["repeats"]),
        ("/tile?repeats=1,1,99999999999,1", ["repeats"]),
        ("/tile?repeats=1,1,١,1", ["repeats"]),
        ("/tile?start_padding=1,1,1,1", ["start_padding"]),
        ("/depth-to-space?block_size=two", ["block_size"]),
        ("/depth-to-space?block_size=0", ["block_size"]),
        ("/depth-to-space?order=5", ["order"]),
        ("/space-to-depth?order=0", ["order"]),
        ("/padding?padding_mode=7", ["padding_mode"]),
        ("/padding?start_padding=0,0,-1,0", ["start_padding"]),
        ("/padding?end_padding=0,0,70000,0", ["end_padding"]),
        ("/tile?pinned=0,0,6,0", ["pinned"]),
        ("/tile?pinned=0,0,5,8", []),
        ("/tile?literal=1,2", ["literal"]),
        ("/tile?values=own&literal=1,2", ["literal"]),
        ("/tile?values=own&literal=1,2,3,4,5,6", []),
        ("/tile?values=random&seed=-1", ["seed"]),
        ("/tile?values=picture&picture=dog", ["picture"]),
        ("/tile?engine=abacus&feature_level=9_9", ["feature_level", "engine"]),
        ("/tile?compare=perhaps&b_repeats=1,1,1,x", ["compare", "b_repeats"]),
        ("/tile?directions=2:down", ["directions"]),
        ("/tile?nonsense&=1&other=2", ["nonsense", "other"]),
        ("/tile?embed=true&embed_options=dark_theme", []),
        ("/padding?padding_value=nine", ["padding_value"]),
        ("/padding?padding_value=nine&padding_mode=EDGE", ["padding_value"]),
        ("/nowhere?sizes=1", ["page"]),
        ("/?sizes=1", ["page"]),
        ("", ["page"]),
        ("\ud800/\udfff?\udead", ["page"]),
        ("/tile?sizes=5&repeats=%ED%A0%80&%00=%FF", ["repeats", "\0"]),
    ],
)
def test_each_bad_part_has_its_sentence(link, fields):
    opened = read_link(link)
    assert [problem.field for problem in opened.problems] == fields
    assert (opened.state is None) == (fields == ["page"])
    for problem in opened.problems:
        assert problem.message.endswith(".")
        # what cannot be seen has a mark in its place
        said = {"literal": "values", "page": "there is no page", "\0": "\ufffd"}
        assert said.get(problem.field, problem.field) in problem.message


def test_good_parts_are_kept():
    opened = read_link("/tile?sizes=3,2&data_type=x&values=count-0&repeats=2,9999999&step=2")
    assert len(opened.problems) == 2
    x = InputState((3, 2), "FLOAT32", "count-0")
    assert opened.state == State(
        "tile", Tensors((("InputTensor", x),)), (("repeats", "1,1"),), View(step=2)
    )


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_numbers_of_a_link_stay_as_they_are_or_are_told(cls):
    first = first_state(cls.key)
    for name, text in first.settings:
        for number in "0", "1", "2", "3":
            new = re.sub(r"-?\d+(?:\.\d+)?", number, text)
            opened = read_parameters(cls.key, {name: new})
            assert opened.problems or dict(opened.state.settings).get(name, new) == new, (name, new)


def test_texts_that_a_widget_can_show():
    opened = read_link("/padding?sizes=words&padding_value=nine&values=own&literal=x")
    assert opened.typed == {"sizes": "words", "padding_value": "nine", "literal": "x"}
    assert read_link("/padding?padding_value=nine&padding_mode=EDGE").typed == {}


def test_many_bad_parts_are_counted():
    opened = read_link("/tile?" + "&".join(f"name{i}=1" for i in range(100)))
    assert len(opened.problems) == 11
    assert "90 more parts" in opened.problems[-1].message


WORDS = (
    *("sizes", "data_type", "values", "literal", "seed", "picture", "repeats", "block_size"),
    *("order", "padding_mode", "padding_value", "start_padding", "end_padding", "compare"),
    *("b_repeats", "b_order", "engine", "feature_level", "directions", "colors", "moves"),
    *("IndicesTensor", "IndicesTensor.sizes", "IndicesTensor.literal", "IndicesTensor.values"),
    *(
        "InputTensors[1]",
        "InputTensors[1].sizes",
        "InputTensors[2].values",
        "InputTensors[9].sizes",
    ),
    *("InputTensors[0].sizes", "InputTensor.sizes", "IndicesTensor.data_type", "axis", "parts"),
    *("step", "pinned", "embed", "", "sizes[]", "\N{DEVANAGARI DIGIT ONE}", "__class__", "%"),
)
TEXTS = (
    *("own", "random", "picture", "example-0", "example-99", "example--1", "INT8", "FLOAT64"),
    *("4294967295,4294967295,4294967295", "4294967295", "65536,65536,65536,65536", "1,1,1,1"),
    *("16384", "1," * 9, "[" * 5_000, "[[[[1,2,3],[4,5,6]]]]", "0" * 5_000, "9" * 5_000, "-1"),
    *("nan", "inf", "1e999999999", "0x10", "1_000", "true", "false", "EDGE", "WRAP", "\0", "\r\n"),
    *("COLUMN_ROW_DEPTH", "directml:999999999", "directml:-1", "numpy:1", "0:down,1:across"),
    *("0,0,0,0;" * 7, "0,0,0,0", ";", ":", "9" * 400 + ":down", "<script>", "\ud800", "{}", "%s"),
    *("{0.__class__}", "__import__('os')", "../../etc/passwd", "array([1], dtype=object)"),
    *("Sizes:{4294967295}, DataType:INT8", "1 2; 3", "1e-400", "99999", "0.5", "\u0661"),
)


def hostile(chance):
    """A link that nobody means well with."""
    page = chance.choice([cls.key for cls in OPERATORS] * 8 + ["", "x", "//", "http://[", "\0"])
    parts = []
    for _ in range(chance.randrange(12)):
        value = chance.choice(TEXTS)
        if chance.random() < 0.3:
            value = "".join(chr(chance.randrange(0x3000)) for _ in range(chance.randrange(40)))
        if chance.random() < 0.1:
            value *= chance.randrange(50)
        name = chance.choice(WORDS)
        if chance.random() < 0.5:
            value = quote_plus(value, errors="replace")
        parts.append(f"{name}={value}")
    return f"{chance.choice(['/', '', 'https://h.invalid/a/'])}{page}?{'&'.join(parts)}"


def test_two_thousand_hostile_links():
    chance = random.Random(20)
    read_link("/tile?values=picture&sizes=1,3,8,8").state.x()  # what is read once for all
    drawn = refused = 0
    tracemalloc.start()
    try:
        for _ in range(tries(2_000)):
            link = hostile(chance)
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            opened = read_link(link)
            assert tracemalloc.get_traced_memory()[1] - before < 4_000_000 + 60 * len(link), link
            if opened.state is None:
                assert opened.problems
                continue
            assert read_link(opened.state.address()).state == opened.state or opened.typed
            try:
                inputs = opened.state.inputs()
            except dmlviz.Error:
                refused += 1
            else:
                assert sum(x.size for x in inputs.values()) <= STAGE_LIMIT
                drawn += 1
            # 65,536 elements of 8 bytes, a few times over, and never what the link says
            assert tracemalloc.get_traced_memory()[1] - before < 4_000_000 + 60 * len(link), link
    finally:
        tracemalloc.stop()
    assert drawn > tries(500)
    assert refused > tries(2_000) / 100


@pytest.mark.parametrize(
    "link",
    [
        "/tile?values=own&literal=" + "[" * (MOST_LINK - 30),
        "/tile?values=own&literal=" + "1," * (MOST_LINK // 2 - 20),
        "/tile?values=own&literal=" + "+" * (MOST_LINK - 30),
        "/tile?sizes=" + "9" * (MOST_LINK - 20),
        "/tile?repeats=" + "9," * (MOST_LINK // 2 - 20),
        "/padding?padding_value=" + "9" * (MOST_LINK - 30),
        "/tile?pinned=" + "0,0,0,0;" * (MOST_LINK // 8 - 20),
        "/tile?" + "&" * (MOST_LINK - 20),
        "/tile?" + "a=b&" * (MOST_LINK // 4 - 20),
        "/tile?" + "%" * (MOST_LINK - 20),
        "/tile?" + "%41" * (MOST_LINK // 3 - 20),
        "/" * MOST_LINK,
        "?" * 10 * MOST_LINK,
        "/tile?x=" + "y" * 100 * MOST_LINK,
    ],
    ids=range(14),
)
def test_the_longest_links_are_refused_or_read(link):
    opened = read_link(link)
    assert opened.problems
    assert all(len(problem.message) < 1_000 for problem in opened.problems)


def test_every_attribute_of_a_view_is_declared_in_the_order_of_a_link():
    names = [part.name for part in fields(View) if part.name != "compare"]
    assert names == list(VIEW_FIELDS)
    for name, one in VIEW_FIELDS.items():
        usual = getattr(View(), name)
        assert usual is None or one.convert(usual) == usual
