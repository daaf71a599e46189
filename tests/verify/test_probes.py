"""Sizes and settings that tell formulas apart."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dmlviz.operators import OPERATORS as ALL
from dmlviz.verify.naming import is_derived
from dmlviz.verify.statements import probes
from dmlviz.verify.sums import read_sum
from tests.thorough import tries

# of several tensors no formula is read, nor of an output of another rank, and of memory none
OPERATORS = tuple(
    cls for cls in ALL if is_derived(cls) and not any(slot.support for slot in cls.output_slots)
)


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_all_are_possible_and_different(cls):
    for rank in cls.ranks_ever():
        found = probes(cls, rank)
        assert len(found) >= 4
        assert len(set(found)) == len(found)
        for operator, sizes in found:
            assert len(set(sizes)) == len(sizes) == rank
            assert operator.problems(sizes, None) == []


def numbers(operator, sizes):
    """By letters: the sizes of the input in order, then the settings that are numbers."""
    desc = operator.desc.values()
    lists = [number for value in desc if isinstance(value, list) for number in value]
    single = [value for value in desc if isinstance(value, int)]
    letters = "ABCDEFGHIJKLM"
    return dict.fromkeys(letters, 0) | dict(zip(letters, [*sizes, *lists, *single], strict=False))


def other_states(cls, count):
    """Possible states that have nothing to do with the probes; few where settings rarely fit."""
    draw = random.Random(1)
    states = []
    for _try in range(1_000):
        if len(states) == count:
            break
        sizes = tuple(draw.choice([1, 6, 12, 36, 50, 72]) * draw.randint(1, 9) for _ in range(4))
        (operator, _), *_rest = draw.sample(probes(cls, 4), 1)
        now = operator.settings
        settings = {
            p.name: now[p.name] if p.unspoken(now[p.name]) else _other(now[p.name], draw)
            for p in cls.parameters()
        }
        operator = cls(**settings)
        if not operator.problems(sizes, None):
            states.append((operator, sizes))
    return states


def _other(value, draw):
    if isinstance(value, tuple):
        return tuple(draw.randint(1, 30) for _ in value)
    return draw.randint(1, 6) if type(value) is int else value


STATES = {cls: other_states(cls, 12) for cls in OPERATORS}
SUMS = st.recursive(
    st.sampled_from("ABCDEFGHI123"),
    lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(
        lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
    ),
    max_leaves=5,
)


@settings(max_examples=tries(300))
@given(st.sampled_from(OPERATORS), st.integers(0, 3), SUMS)
def test_a_formula_that_holds_in_the_probes_holds_everywhere(cls, dimension, text):
    def holds(state):
        operator, sizes = state
        value = read_sum(text, 0, lambda name: True).value(numbers(operator, sizes))
        return value == operator.output_sizes(sizes)[dimension]

    assert all(map(holds, probes(cls, 4))) == all(map(holds, (*probes(cls, 4), *STATES[cls])))


RIGHT = {
    "tile": ("A * E", "B * F", "C * G", "D * H"),
    "depth-to-space": ("A", "B / (E * E)", "C * E", "D * E"),
    "space-to-depth": ("A", "B * E * E", "C / E", "D / E"),
    "padding": ("A + E + I", "B + F + J", "C + G + K", "D + H + L"),
}


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_right_formulas_hold_in_all_probes(cls):
    for operator, sizes in probes(cls, 4):
        due = operator.output_sizes(sizes)
        worked = [
            read_sum(text, 0, lambda name: True).value(numbers(operator, sizes))
            for text in RIGHT.get(cls.key, ())
        ]
        assert not worked or tuple(worked) == due
        assert math.prod(due) < 1 << 62
