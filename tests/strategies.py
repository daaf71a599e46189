"""Operators with inputs that they take, for property tests."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import dmlviz
from dmlviz.movement import CONTROL
from dmlviz.operators import OPERATORS
from dmlviz.operators.declaration import types_ever
from dmlviz.operators.settings import Dice
from dmlviz.tensors import DATA_TYPES
from tests.thorough import tries

MODES = ("CONSTANT", "EDGE", "REFLECTION", "SYMMETRIC", "WRAP")
ORDERS = ("DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH")
MOST = 2_000
"""Elements of an output here: enough to go wrong in, few enough for many examples."""

_SIDE = {1: 17, 2: 7, 3: 5, 4: 4, 5: 3, 6: 3, 7: 2, 8: 2}
_INFINITY = {2: 0x7C00, 4: 0x7F800000, 8: 0x7FF0000000000000}


def named(x):
    """What an engine takes, where an operator has one input."""
    return {"InputTensor": x}


def one_nan(array):
    """The bits of an array in which every NaN is the same: what some kernels keep of NaNs."""
    if array.dtype.kind != "f":
        return array
    found = bits(array).copy()
    found[np.isnan(array)] = bits(np.array(np.nan, array.dtype))
    return found


def bits(array):
    """The elements as whole numbers, so that NaN equals itself and 0 differs from -0."""
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


@st.composite
def sizes(draw, ranks=(1, 8)):
    rank = draw(st.integers(*ranks))
    return tuple(draw(st.lists(st.integers(1, _SIDE[rank]), min_size=rank, max_size=rank)))


@st.composite
def tensors(draw, shape=None, data_types=tuple(DATA_TYPES)):
    """Random bit patterns; in floats a third are infinities and NaNs of any payload."""
    shape = draw(sizes()) if shape is None else shape
    dtype = DATA_TYPES[draw(st.sampled_from(data_types))].dtype
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = math.prod(shape)
    x = np.frombuffer(random.bytes(count * dtype.itemsize), f"u{dtype.itemsize}").copy()
    if dtype.kind == "f":
        x[random.random(count) < 0.3] |= np.array(_INFINITY[dtype.itemsize], x.dtype)
    return x.view(dtype).reshape(shape)


@st.composite
def tiles(draw):
    x = draw(tensors())
    room = MOST // x.size
    repeats = [1] * x.ndim
    for d in draw(st.permutations(range(x.ndim))):
        repeats[d] = draw(st.integers(1, max(1, min(11, room))))
        room //= repeats[d]
    return dmlviz.Tile(repeats), x


@st.composite
def depth_to_spaces(draw):
    block = draw(st.integers(1, 4))
    n, c, h, w = (draw(st.integers(1, most)) for most in (2, 3, 4, 5))
    x = draw(tensors((n, c * block * block, h, w)))
    return dmlviz.DepthToSpace(block, draw(st.sampled_from(ORDERS))), x


@st.composite
def space_to_depths(draw):
    block = draw(st.integers(1, 4))
    n, c, h, w = (draw(st.integers(1, most)) for most in (2, 3, 4, 5))
    x = draw(tensors((n, c, h * block, w * block)))
    return dmlviz.SpaceToDepth(block, draw(st.sampled_from(ORDERS))), x


@st.composite
def paddings(draw, modes=MODES):
    """Padding of many times the size, in as many dimensions as there is room for."""
    x = draw(tensors())
    start, end = [0] * x.ndim, [0] * x.ndim
    room = MOST // x.size
    for d in draw(st.permutations(range(x.ndim))):
        n = x.shape[d]
        start[d] = draw(st.integers(0, min((room - 1) * n, 7 * n + 2)))
        end[d] = draw(st.integers(0, min((room - 1) * n - start[d], 7 * n + 2)))
        room //= math.ceil((start[d] + n + end[d]) / n)
        room = max(room, 1)
    # 3 is a value in all eleven types
    return dmlviz.Padding(draw(st.sampled_from(modes)), start, end, 3), x


def settled(cls, shape, dice, least=0):
    """An operator whose settings drew themselves, its inputs' sizes, and its other inputs.

    ``shape`` is of the first input; the settings have an effect in at least ``least`` dimensions.
    None if they do not fit together, or make too much.
    """
    active = dice.shuffled(range(len(shape)))[: dice.between(least, len(shape))]
    settings = {p.name: p.drawn(shape, active, lambda n: n, dice) for p in cls.parameters()}
    if None in settings.values():
        return None
    operator = cls(**settings)
    beside = operator.beside(shape, dice)
    given = {cls.first_input(): shape} if cls.input_slots else {}
    given |= {name: array.shape for name, array in beside.items()}
    if operator.problems(given, None):
        return None
    outputs = operator.outputs_after(given).values()
    return (operator, given, beside) if sum(map(math.prod, outputs)) <= MOST else None


@st.composite
def drawn(draw, cls):
    """What questions are asked about: settings that draw themselves, of one input."""
    dice = Dice(str(draw(st.integers(0, 2**32))))
    ranks = cls.ranks_ever()
    x = draw(tensors(draw(sizes((min(ranks), max(ranks)))), types_ever(cls)))
    for _try in range(50):
        found = settled(cls, x.shape, dice)
        if found is not None:
            return found[0], x
    return reject()


def sampled(cls, rank):
    """An operator and inputs that count, whose first has that rank: the same in every run."""
    dice = Dice(f"{cls.key} {rank}")
    for _try in range(1_000):
        found = settled(cls, tuple(dice.between(1, _SIDE[rank]) for _d in range(rank)), dice, 1)
        if found is None:
            continue
        operator, given, beside = found
        counted = {
            name: beside[name]
            if cls.role(name) == CONTROL
            else np.arange(1, 1 + math.prod(of)).reshape(of)
            for name, of in given.items()
        }
        if math.prod(next(iter(given.values()), ())) <= 100 and not operator.control_problems(
            counted
        ):
            return operator, counted
    raise AssertionError(f"no state of {cls.key} in rank {rank}")


def typed(operator, data_type):
    """An operator without inputs, with an output of another type; another operator itself."""
    names = [n for n, kind in operator.declared.items() if kind.label.endswith("DataType")]
    return operator if operator.input_slots else replace(operator, **{names[0]: data_type})


_OWN = {
    dmlviz.Tile: tiles,
    dmlviz.DepthToSpace: depth_to_spaces,
    dmlviz.SpaceToDepth: space_to_depths,
    dmlviz.Padding: paddings,
}
"""Strategies that reach further than what settings draw themselves."""


ONE_TENSOR = tuple(
    cls
    for cls in OPERATORS
    if [slot.most for slot in (*cls.input_slots, *cls.output_slots)] == [0, 0]
)
SEVERAL = tuple(cls for cls in OPERATORS if cls not in ONE_TENSOR)


def runs():
    """Any operator of one input and one output, with an input that it takes."""
    return st.one_of([_OWN[cls]() if cls in _OWN else drawn(cls) for cls in ONE_TENSOR])


@st.composite
def several(draw, cls):
    """An operator of several tensors, with inputs by name that it takes."""
    dice = Dice(str(draw(st.integers(0, 2**32))))
    kinds = (draw(st.sampled_from(types_ever(cls))),)
    for _try in range(50):
        rank = dice.choice(cls.ranks_ever())
        found = settled(cls, tuple(dice.between(1, _SIDE[rank]) for _d in range(rank)), dice, 1)
        if found is None:
            continue
        operator, given, beside = found
        inputs = {
            name: beside[name] if cls.role(name) == CONTROL else draw(tensors(of, kinds))
            for name, of in given.items()
        }
        if any(problem.field == "values" for problem in operator.control_problems(inputs)):
            # where their order matters, no NaN is among them
            inputs = {
                name: np.where(np.isnan(x), x.dtype.type(np.inf), x) if x.dtype.kind == "f" else x
                for name, x in inputs.items()
            }
        if not operator.refusals(inputs):
            return operator, inputs
    return reject()


def states(cls):
    """An operator of this class with inputs by name that it takes."""
    if cls in SEVERAL:
        return several(cls)
    one = _OWN[cls]() if cls in _OWN else drawn(cls)
    return one.map(lambda run: (run[0], run[0].named_inputs(run[1], "x")))


def any_runs():
    """Any operator with inputs by name that it takes."""
    return st.one_of([states(cls) for cls in OPERATORS])


EACH = pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
"""A test of each operator."""


def hold(law, cls, count):
    """Holds ``law(run)`` of so many runs of a class: an operator, and inputs by name that it takes."""
    settings(max_examples=tries(count))(given(run=states(cls))(law))()


def each_operator(count):
    """Makes of ``law(run)`` a test of each operator, with so many of its runs."""

    def tests(law):
        @EACH
        def test(cls):
            hold(law, cls, count)

        test.__name__, test.__doc__ = law.__name__, law.__doc__
        return test

    return tests


def json_like():
    """Whatever a JSON file may hold, and a little more."""
    scalars = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=8)
        | st.sampled_from([2**32, -(2**63), 10**400, "EDGE", "DML_PADDING_MODE_WRAP", b"x", 1j])
    )
    return st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.tuples(inner)
            | st.dictionaries(st.text(max_size=4), inner, max_size=3)
        ),
        max_leaves=8,
    )
