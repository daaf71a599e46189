"""Whatever comes from outside is a value of its struct, or one sentence names the first fault."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Meta, Struct, UnsetType, field

from dmlviz.base.decoding import InvalidValue, decode
from dmlviz.base.errors import Error


class Inner(Struct, frozen=True, forbid_unknown_fields=True):
    size: Annotated[int, Meta(ge=1)]
    mode: Literal["", "near", "far"] = ""
    names: tuple[str, ...] = ()

    def __post_init__(self):
        if self.size == 13:
            raise Error("it must be another one.", "size")


class Outer(Struct, frozen=True, forbid_unknown_fields=True):
    parts: Annotated[tuple[Inner, ...], Meta(min_length=1)]
    following: str = field(name="next", default="")
    pairs: tuple[tuple[str, int], ...] = ()
    counts: dict[str, int] = {}
    on: bool | UnsetType = UNSET
    anything: Any = None


GOOD = {
    "parts": [{"size": 2, "mode": "far", "names": ["a", "b"]}, {"size": 1}],
    "next": "n",
    "pairs": [["a", 1]],
    "counts": {"a": 1},
    "on": True,
    "anything": [None],
}


def test_what_is_right_is_taken_as_it_is():
    value = decode(GOOD, Outer)
    assert value.parts == (Inner(2, "far", ("a", "b")), Inner(1))
    assert (value.following, value.pairs, value.counts) == ("n", (("a", 1),), {"a": 1})
    assert decode({"parts": [{"size": 1}]}, Outer).on is UNSET


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"parts": []}, "parts: it must be a list of at least one table."),
        ({"parts": {}}, "parts: it must be a list of at least one table."),
        ({"parts": [3]}, "parts[0]: it must be a table."),
        ({"parts": [{}]}, "parts[0].size: it is missing."),
        ({"parts": [{"size": 0}]}, "parts[0].size: it must be a whole number of 1 or more."),
        ({"parts": [{"size": True}]}, "parts[0].size: it must be a whole number of 1 or more."),
        ({"parts": [{"size": 13}]}, "parts[0].size: it must be another one."),
        (
            {"parts": [{"size": 1, "mode": "x"}]},
            "parts[0].mode: it must be one of far, near.",
        ),
        ({"parts": [{"size": 1, "names": ["a", 3]}]}, "parts[0].names[1]: it must be a text."),
        # a misspelled key that has to be there is missing
        ({"parts": [{"sise": 1}]}, "parts[0].size: it is missing."),
        (
            {"parts": [{"size": 1, "colour": 1}]},
            "parts[0].colour: unknown key; use mode, names, size.",
        ),
        ({"following": "x"}, "following: unknown key; use anything, counts, next, on, pa"),
        # a key can be anything
        ({"x` - at `$.parts[9].y": 1}, "x` - at `$.parts[9].y: unknown key; use "),
        ({"\ud800": 1}, "\ud800: unknown key; use "),
        ({"next": 3}, "next: it must be a text."),
        ({"pairs": [["a"]]}, "pairs[0]: it must be a list."),
        ({"pairs": [["a", "1"]]}, "pairs[0][1]: it must be a whole number."),
        ({"counts": {"b": 1.0}}, "counts.b: it must be a whole number."),
    ],
)
def test_the_first_fault_is_named(change, sentence):
    with pytest.raises(InvalidValue) as refused:
        decode({**GOOD, **change}, Outer)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize("value", [None, [], "parts", 3])
def test_what_is_no_table_at_all(value):
    with pytest.raises(InvalidValue, match=r"^it must be a table\.$"):
        decode(value, Outer)


def test_what_is_deep_is_taken_or_refused():
    deep = json.loads("[" * 900 + "]" * 900)
    with pytest.raises(InvalidValue):
        decode({**GOOD, "next": deep}, Outer)
    try:
        decode({**GOOD, "anything": deep}, Outer)
    except InvalidValue as error:
        assert error.place == "anything"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*GOOD, "size"]), inner)
    ),
)


@given(st.dictionaries(st.sampled_from([*GOOD, "x"]), VALUES))
def test_anything_is_a_value_or_refused(changes):
    try:
        decode({**GOOD, **changes}, Outer)
    except InvalidValue as error:
        assert str(error).endswith(error.rule)
        assert error.place.split(".")[0].split("[")[0] in {*changes, ""}
