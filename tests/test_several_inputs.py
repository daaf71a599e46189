"""States and links of operators with several inputs: indices, and lists of tensors."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz.movement import VALUES
from dmlviz.operators import OPERATORS
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states import InputState, first_state, print_compact, read_link
from dmlviz.states.inputs import Tensors, input_names, list_slot, types_of, value_options
from dmlviz.tensors import DATA_TYPES, PICTURES, element_count

SEVERAL = [
    cls
    for cls in OPERATORS
    if len(cls.input_slots) > 1 or any(slot.most for slot in cls.input_slots)
]
SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)


@st.composite
def givens(draw, cls, name, data_type):
    """One input as widgets can describe it."""
    values = draw(st.sampled_from(value_options(cls, name)))
    if cls.role(name) != VALUES:
        data_type = draw(st.sampled_from(types_of(cls, name)))
    sizes = draw(SIZES)
    literal = ""
    if values == "own":
        numbers = draw(st.lists(st.integers(0, 9), min_size=1, max_size=1)) * element_count(sizes)
        literal = print_compact(np.array(numbers, DATA_TYPES[data_type].dtype))
    return InputState(
        sizes,
        data_type,
        values,
        literal,
        draw(st.integers(0, 99)) if values == "random" else 0,
        draw(st.sampled_from(tuple(PICTURES))) if values == "picture" else "",
    )


@st.composite
def states(draw):
    """Any inputs of an operator that takes several; it may refuse them."""
    cls = draw(st.sampled_from(SEVERAL))
    slot = list_slot(cls)
    names = input_names(cls, draw(st.integers(1, min(slot.most, 5))) if slot else 1)
    data_type = draw(st.sampled_from(tuple(DATA_TYPES)))
    first, *more = ((name, draw(givens(cls, name, data_type))) for name in names)
    usual = first_state(cls.key, first[1].values)
    if any(p.ranked for p in cls.parameters()):
        # settings that have a number for each dimension have as many as the link's sizes
        first = (first[0], replace(first[1], sizes=usual.sizes))
    return replace(usual, tensors=Tensors((first, *more)))


@pytest.mark.skipif(not SEVERAL, reason="every operator has one input")
@given(st.data(), st.booleans())
def test_any_inputs_come_back_from_their_address(data, whole):
    state = data.draw(states())
    address = state.address(whole=whole)
    opened = read_link(address)
    assert opened.problems == ()
    assert opened.state.tensors == state.tensors
    assert opened.state.address(whole=whole) == address


@pytest.mark.parametrize("cls", SEVERAL, ids=lambda cls: cls.key)
def test_every_example_comes_back_from_its_own_values(cls):
    for example in cls.examples():
        link = dmlviz.link(example.operator, example.inputs)
        state = read_link(link).state
        assert state.operator() == example.operator
        for name, array in state.inputs().items():
            np.testing.assert_array_equal(array, example.inputs[name], strict=True)
        # values of one's own, but for the shape
        own = {name: x[::-1].copy() + x.dtype.type(1) for name, x in example.inputs.items()}
        again = read_link(dmlviz.link(example.operator, own)).state.inputs()
        for name, array in again.items():
            np.testing.assert_array_equal(array, own[name], strict=True)


def test_a_link_says_what_differs():
    assert first_state("gather").address() == "/gather"
    x, i = np.float32([[1, 2], [3, 5]]), np.int64([[1, 1]])
    link = dmlviz.link(dmlviz.Gather(0, 1), {"InputTensor": x, "IndicesTensor": i})
    assert link == (
        "/gather?sizes=2,2&data_type=FLOAT32&values=own&axis=0&index_dimensions=1&literal=1,2,3,5"
        "&IndicesTensor.sizes=1,2&IndicesTensor.values=own&IndicesTensor.literal=1,1"
        "&IndicesTensor.data_type=INT64"
    )
    indices = InputState((1, 2), "INT64", "own", "1,1", control=True)
    assert read_link(link).state.tensors["IndicesTensor"] == indices


def test_a_literal_brings_its_sizes():
    opened = read_link("/gather?InputTensor=[[1,2],[3,4]]&IndicesTensor=[[1,+0,1]]")
    assert opened.problems == ()
    assert opened.state.sizes == (2, 2)
    assert opened.state.tensors.sizes["IndicesTensor"] == (1, 3)
    assert opened.state.inputs()["IndicesTensor"].tolist() == [[1, 0, 1]]
    assert read_link("/tile?InputTensor=[7,8]&repeats=2").state.x().tolist() == [7, 8]


def test_a_list_has_as_many_tensors_as_are_named():
    def names(link):
        return list(read_link(link).state.tensors)

    usual = len(first_state("join").tensors)
    assert len(names("/join")) == usual
    assert names("/join?InputTensors[0].sizes=2,2") == ["InputTensors[0]"]
    assert len(names("/join?sizes=2,2&InputTensors[1].sizes=2,2&InputTensors[2].sizes=2,2")) == 3
    one = first_state("join")
    one = replace(one, tensors=Tensors(one.tensors.named[:1]))
    assert read_link(one.address()).state == one


def test_further_values_follow_the_first_and_count_on():
    state = read_link("/join?sizes=2,3&values=count-1&axis=1&InputTensors[1].values=count-on").state
    first, *others = state.inputs().values()
    assert first.ndim == others[0].ndim == 2
    state = read_link(
        "/join?sizes=2,2&values=count-1&axis=0&InputTensors[1].sizes=1,2"
        "&InputTensors[1].values=count-on"
    ).state
    assert [x.tolist() for x in state.inputs().values()] == [[[1, 2], [3, 4]], [[5, 6]]]


@pytest.mark.parametrize(
    ("link", "fields"),
    [
        ("/gather?IndicesTensor.sizes=x", ["IndicesTensor.sizes"]),
        ("/gather?IndicesTensor.data_type=FLOAT32", ["IndicesTensor.data_type"]),
        ("/gather?IndicesTensor.values=picture", ["IndicesTensor.values"]),
        ("/gather?IndicesTensor.literal=1", ["IndicesTensor.literal"]),
        ("/gather?IndicesTensor=[[1,", ["IndicesTensor.literal"]),
        ("/gather?IndicesTensor=[[1],[2,3]]", ["IndicesTensor.literal"]),
        ("/gather?IndicesTensor.nonsense=1", ["IndicesTensor.nonsense"]),
        (
            "/gather?Indices.sizes=1&IndicesTensor[0].sizes=2",
            ["Indices.sizes", "IndicesTensor[0].sizes"],
        ),
        (
            "/tile?IndicesTensor.sizes=1&InputTensor.repeats=2",
            ["IndicesTensor.sizes", "InputTensor.repeats"],
        ),
        ("/join?InputTensors[3].sizes=1,2", ["InputTensors[3].sizes"]),
        ("/join?InputTensors[1].data_type=INT8", ["InputTensors[1].data_type"]),
        ("/join?InputTensors[01].sizes=1", ["InputTensors[01].sizes"]),
        ("/join?InputTensors[99999999999].sizes=1", ["InputTensors[99999999999].sizes"]),
        (
            "/join?InputTensors[-1].sizes=1&InputTensors.sizes=2",
            ["InputTensors[-1].sizes", "InputTensors.sizes"],
        ),
        (
            "/gather?IndicesTensor.sizes=65536,65536&IndicesTensor.values=own&IndicesTensor.literal=1",
            ["IndicesTensor.literal"],
        ),
        ("/split?pinned=9:0,0,0,0", ["pinned"]),
        ("/split?pinned=0:0,0,9,0", ["pinned"]),
    ],
)
def test_each_bad_part_has_its_sentence(link, fields):
    opened = read_link(link)
    assert [problem.field for problem in opened.problems] == [field[:40] for field in fields]
    for problem in opened.problems:
        tensor = problem.field.rpartition(".")[0]
        assert tensor in problem.message
        assert problem.message.endswith(".")


def test_a_gap_is_said():
    (problem,) = read_link("/join?InputTensors[1].sizes=1,1,2,4&InputTensors[3].sizes=1").problems
    assert "it needs InputTensors[2] before it." in problem.message


def test_the_sum_is_what_counts():
    link = "/join?sizes=200,200&axis=0&InputTensors[1].sizes=200,200"
    state = read_link(link).state
    with pytest.raises(dmlviz.TooLarge, match="80,000 elements together") as caught:
        state.inputs()
    assert caught.value.field == "InputTensors[1].sizes"
    assert STAGE_LIMIT < 80_000
    many = {f"InputTensors[{k}]": np.full((50, 50), 0.5) for k in range(2)}
    with pytest.raises(dmlviz.TooLarge):
        dmlviz.link(dmlviz.Join(0), many)


def test_pins_say_which_output():
    state = read_link("/split?pinned=0:0,0,1,1;1:0,0,0,0").state
    assert state.view.pinned == ((0, 0, 0, 1, 1), (1, 0, 0, 0, 0))
    assert read_link(state.address()).state == state
    outputs = state.operator().outputs_after(state.tensors.sizes)
    first = element_count(next(iter(outputs.values())))
    assert state.view.look(outputs)["pinned"] == [3, first]


def test_hostile_parts_of_several_tensors():
    chance = random.Random(3)
    names = ["sizes", "values", "literal", "data_type", "seed", "picture", "", "x"]
    texts = [
        "own",
        "1",
        "[[1,0]]",
        "9" * 3_000,
        "[" * 3_000,
        "4294967295,4294967295",
        "count-on",
        "\0",
    ]
    for _ in range(1_500):
        page = chance.choice(["gather", "join", "split", "tile"])
        parts = []
        for _each in range(chance.randrange(10)):
            tensor = chance.choice(
                [
                    "IndicesTensor",
                    f"InputTensors[{chance.choice([0, 1, 2, 7, 64, 10**9])}]",
                    "InputTensor",
                ]
            )
            name = chance.choice(names)
            parts.append(f"{tensor}{'.' * bool(name)}{name}={chance.choice(texts)}")
        opened = read_link(f"/{page}?{'&'.join(parts)}")
        assert opened.state is not None
        for problem in opened.problems:
            assert len(problem.message) < 600
        try:
            opened.state.inputs()
        except dmlviz.Error as error:
            assert len(str(error)) < 600
