"""What has a structure but no sense: nested lists, descriptions of operators, words of links."""

from hypothesis import given, settings
from hypothesis import strategies as st

from dmlviz.operators import OPERATORS
from tests.fuzz import corpus, doors
from tests.strategies import json_like
from tests.thorough import tries

NAMES = sorted({member for cls in OPERATORS for member in cls.members})
TEXTS = st.text(max_size=30) | st.sampled_from(corpus.VALUES)
NUMBERS = (
    st.integers().map(str)
    | st.floats().map(str)
    | st.floats(width=16).map(repr)
    | st.integers(0, 2**70).map(hex)
    | st.sampled_from(("nan", "-inf", "1e999999999", "2f", "", "x"))
)


def lists(inner):
    brackets = st.sampled_from(("[]", "{}", "()", "[ }"))
    between = st.sampled_from((", ", " ", ",\n", "; ", ",,"))
    return st.builds(
        lambda items, around, sign: around[0] + sign.join(items) + around[-1],
        st.lists(inner, max_size=4),
        brackets,
        between,
    )


@settings(max_examples=tries(300))
@given(st.recursive(NUMBERS, lists, max_leaves=20), st.sampled_from(doors.TYPES))
def test_nested_lists(text, name):
    doors.literal(text, name)


@settings(max_examples=tries(150))
@given(
    st.sampled_from([cls.operator_type for cls in OPERATORS]) | json_like(),
    st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=5), json_like(), max_size=6)
    | json_like(),
)
def test_descriptions_of_operators(name, members):
    doors.desc(name, members)


@settings(max_examples=tries(150))
@given(
    st.sampled_from([cls.key for cls in OPERATORS]),
    st.dictionaries(st.sampled_from(corpus.WORD_NAMES) | st.text(max_size=5), TEXTS, max_size=6),
)
def test_words_of_links(key, words):
    doors.parameters(key, words)
