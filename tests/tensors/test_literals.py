import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dmlviz.base.errors import Error, LiteralError
from dmlviz.tensors import DATA_TYPES, read_literal
from tests.thorough import tries

SIX = [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize(
    "text",
    [
        "[[1, 2, 3], [4, 5, 6]]",
        "((1, 2, 3), (4, 5, 6))",
        "{{1, 2, 3}, {4, 5, 6}}",
        "{{1.f, 2.0f, 3.f}, {4.f, 5.f, 6.f}};",
        "[[1 2 3]\n [4 5 6]]",
        "[[1. 2. 3.]\n [4. 5. 6.]]",
        "[ [ 1,2 ,3 ] ,\r\n\t[4, 5, 6, ], ]",
        "array([[1., 2., 3.],\n       [4., 5., 6.]], dtype=float32)",
        "np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32)",
        "torch.tensor([[1, 2, 3], [4, 5, 6]])",
        "array([[1, 2, 3], [4, 5, 6]], dtype='<f4')",
        "[array([1, 2, 3]), array([4, 5, 6])]",
        "[[np.float32(1.0), np.float32(2.0), np.float32(3.0)], [4, 5, 6]]",
        "1 2 3; 4 5 6",
        "[1 2 3; 4 5 6]",
        "[1, 2, 3; 4, 5, 6;]",
        "1 2 3\n4 5 6\n",
        "\n\n1, 2, 3,\n\n4, 5, 6",
        "1\t2\t3\r\n4\t5\t6",
    ],
)
def test_what_people_have(text):
    literal = read_literal(text, "FLOAT32")
    assert literal.values.tolist() == SIX
    assert literal.sizes == (2, 3)
    assert literal.data_type == "FLOAT32"
    assert literal.values.dtype == np.float32
    assert not literal.values.flags.writeable
    assert literal.findings == ()


@pytest.mark.parametrize(
    ("text", "sizes"),
    [("7", (1,)), ("[7]", (1,)), ("array(7)", (1,)), ("np.float32(7)", (1,)), ("[[[7]]]", (1, 1, 1)),
     ("1 2 3", (3,)), ("1, 2, 3,", (3,)), ("[1; 2; 3]", (3, 1)), ("1\n2\n3", (3, 1)),
     ("[[[[[[[[7]]]]]]]]", (1,) * 8)],
)  # fmt: skip
def test_sizes_follow_the_brackets(text, sizes):
    assert read_literal(text, "INT8").sizes == sizes


def test_documentation_without_commas_between_rows():
    text = (
        "InputTensor: (Sizes:{1, 1, 3, 2}, DataType:FLOAT32)\n[[[[1, 2]\n   [3, 4] \n   [5, 6]]]]"
    )
    literal = read_literal(text, "INT8")
    assert literal.values.tolist() == [[[[1, 2], [3, 4], [5, 6]]]]
    assert literal.data_type == "FLOAT32"
    assert len(literal.findings) == 2
    assert "2 missing commas were added" in literal.findings[0]
    assert "FLOAT32" in literal.findings[1]
    assert "INT8" in literal.findings[1]


def test_documentation_with_blanks_in_brackets():
    text = "OutputTensor: (Sizes:{1, 2, 2, 3}, DataType:UINT32)\n [[[[ 0, 18,  1],\n    [36, 54, 37]],\n"
    literal = read_literal(text + "   [[ 9, 27, 10],\n    [45, 63, 46]]]]\n\n", "UINT32")
    assert literal.values.tolist() == [[[[0, 18, 1], [36, 54, 37]], [[9, 27, 10], [45, 63, 46]]]]
    assert literal.findings == ()


@pytest.mark.parametrize("values", ["1 2 3 4 5 6", "[1, 2, 3, 4, 5, 6]", "1 2 3\n4 5 6"])
def test_a_list_without_structure_takes_the_headers_sizes(values):
    literal = read_literal(f"(Sizes:{{3, 1, 2}})\n{values}", "INT16")
    assert literal.values.tolist() == [[[1, 2]], [[3, 4]], [[5, 6]]]
    assert "{3, 1, 2}" in literal.findings[0]


def test_dtype_and_argument():
    literal = read_literal("array([300, 2], dtype=int16)", "UINT8")
    assert literal.data_type == "INT16"
    assert literal.findings


def test_integers_stay_exact():
    text = "[18446744073709551615, 0, 9007199254740993]"
    assert read_literal(text, "UINT64").values.tolist() == [2**64 - 1, 0, 2**53 + 1]
    text = "[-9223372036854775808, 9223372036854775807]"
    assert read_literal(text, "INT64").values.tolist() == [-(2**63), 2**63 - 1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no value"),
        (" \n ", "no value"),
        ("[]", "no value"),
        ("array()", "no value"),
        ("[[1, 2], []]", "list at [1] is empty"),
        ("[[], []]", "list at [0] is empty"),
        ("[1, 2", "[ is never closed (line 1, column 1)"),
        ("[[1, 2],\n [3, 4]", "[ is never closed (line 1, column 1)"),
        ("[1, 2]]", "] has no opening bracket (line 1, column 7)"),
        ("[1,\n 2}", "} does not match [ in line 1, column 1 (line 2, column 3)"),
        ("[1,, 2]", "comma without a value before it (line 1, column 4)"),
        ("[, 1]", "comma without a value"),
        (", 1", "comma without a value"),
        ("[1, 2] 3", '"3" comes after the end of the tensor (line 1, column 8)'),
        ("[[1]], [[2]]", "comes after the end"),
        ("x = [1, 2]", "appears among values without brackets (line 1, column 5)"),
        ("1 2)", "appears among values without brackets"),
        ("[[1; 2]]", "semicolon"),
        ("[[1, 2]; [3, 4]]", "semicolon"),
        ("[1;; 2]", "list at [1] is empty"),
        ("[1, 2, dtype=int8]", "outside array"),
        ("array([1, 2], dtype=bool)", "bool"),
        ("array([1], dtype=object)", "object"),
        ("(DataType:INT8) array([1], dtype=int16)", "int16"),
        ("[[[[[[[[[1]]]]]]]]]", "deeper than the 8 dimensions"),
        ("[[1, 2], [3]]", "list at [1] has 1 item, where the first list at that depth has 2"),
        ("1 2 3\n4 5", "list at [1] has 2 items"),
        ("[1 2 3; 4 5]", "list at [1] has 2 items"),
        ("[[1], 2]", "single value at [1], where a list should be"),
        ("[1, [2]]", "list at [1], where a single value should be"),
        ("[1, 2, ..., 9]", '"..." at [2] means that the text was shortened'),
        ("[[1 2 ... 8 9]\n ...\n [3 4]]", "shortened"),
        ("[[1, 2],\n ...,\n [3, 4]]", "shortened"),
        ("[1, true]", '"true" at [1] is a Boolean'),
        ("[1, null]", '"null" at [1] is not a number'),
        ("hello world", '"hello" at [0] is not a number'),
        ("[[1, 2, 3], [4, 5.5, 6]]", "5.5 at [1, 1] is not a whole number"),
        ("[1, 128]", "128 at [1] is outside INT8, which holds -128 to 127"),
        ("(Sizes:{1, 3}) [[1, 2]]", "Sizes:{1, 3}, but the values have sizes {1, 2}"),
        ("(Sizes:{2, 3}) [1, 2, 3, 4, 5]", "Sizes:{2, 3}"),
        ("(Sizes:{1, 0}) [1]", "dimension 1 is 0"),
        ("(DataType:FLOAT31) [1]", "FLOAT31"),
        ("(Sizes:{1, 2}, DataTyp\n[[1, 2]]", 'header "(Sizes:{1, 2}, DataTyp" has no closing'),
        ("(Sizes:{2, 1} [[1], [2]]", "has no closing parenthesis"),
        (
            "(Sizes:{1, 2}) [ors[2]: (Sizes:{1, 3}, DataType:INT8) [[1, 2, 3]]",
            'another header, "(Sizes:{1, 3}, DataType:INT8", begins before the end of the tensor '
            "(line 1, column 25)",
        ),
    ],
)
def test_refusals(text, words):
    with pytest.raises(LiteralError) as caught:
        read_literal(text, "INT8")
    assert words in str(caught.value)
    assert caught.value.field == "values"


def test_the_limit_stops_the_reading():
    assert read_literal("[1, 2, 3]", "INT8", limit=3).sizes == (3,)
    for text in ("[1, 2, 3, 4]", "1 2 3 4", "[[1], [2], [3], [4"):
        with pytest.raises(LiteralError, match="more values than the limit of 3"):
            read_literal(text, "INT8", limit=3)


def test_an_unknown_data_type_is_about_the_data_type():
    with pytest.raises(Error) as caught:
        read_literal("[1]", "FLOAT8")
    assert caught.value.field == "data_type"


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    ["[", "(", "array(", "1", "[1,", "1;", ";", "\n", " ", "(Sizes", "dtype ", "dtype=", "a:",
     "x.y", "1 ", "[]", "Tensor", "-", "'", "1e9", "0x"],
)  # fmt: skip
def test_a_million_hostile_characters(piece):
    text = piece * (1_000_000 // len(piece))
    begun = time.perf_counter()
    for prefix in ("", "[", "InputTensor: "):
        with pytest.raises(LiteralError):
            read_literal((prefix + text)[:1_000_000], "INT8")
    assert time.perf_counter() - begun < 300  # Quadratic time would be hours.


def test_longer_texts_are_not_even_scanned():
    with pytest.raises(LiteralError, match="1,000,001 characters"):
        read_literal("1" * 1_000_001, "INT8")


@given(
    st.text(max_size=60)
    | st.text("[](){},;. \n0123456789-+eExX_fFuUlLnNaAiI", max_size=60)
    | st.lists(
        st.sampled_from(
            ["[", "]", "{", "}", "(", ")", ",", ";", "\n", " ", "1", "2.5", "nan", "...",
             "array(", "np.float32(", "dtype=int8", "InputTensor:", "(Sizes:{1, 2}", "DataType:",
             "1e999", "True", "-0"]
        )
    ).map("".join),
    st.sampled_from(list(DATA_TYPES)),
)  # fmt: skip
@settings(max_examples=tries(400))
def test_hostile_text_is_read_or_refused_in_one_sentence(text, data_type):
    try:
        literal = read_literal(text, data_type)
    except Error as error:
        assert str(error).endswith(".")
        assert len(str(error)) < 700
        return
    assert literal.values.shape == literal.sizes
    assert literal.values.dtype == DATA_TYPES[literal.data_type].dtype


@given(st.data(), st.sampled_from([(2, 3), (3, 5), (2, 3, 5), (3, 2, 5, 2)]))
def test_a_ragged_row_is_found_where_it_is(data, sizes):
    rows = [index for index in np.ndindex(*sizes[:-1]) if any(index)]
    bad = data.draw(st.sampled_from(rows))
    wrong = data.draw(st.integers(1, 9).filter(lambda count: count != sizes[-1]))

    def nested(index):
        if len(index) == len(sizes) - 1:
            return [0] * (wrong if index == bad else sizes[-1])
        return [nested((*index, i)) for i in range(sizes[len(index)])]

    with pytest.raises(LiteralError) as caught:
        read_literal(str(nested(())), "FLOAT32")
    assert f"list at {list(bad)} has {wrong} item" in str(caught.value)
    assert f"has {sizes[-1]}." in str(caught.value)


@given(st.data(), st.sampled_from([(7,), (2, 3), (2, 3, 5)]))
def test_a_bad_value_is_found_where_it_is(data, sizes):
    bad = tuple(data.draw(st.integers(0, size - 1)) for size in sizes)
    values = np.zeros(sizes, object)
    values[bad] = 1.5
    with pytest.raises(LiteralError) as caught:
        read_literal(str(values.tolist()), "UINT8")
    assert f"1.5 at {list(bad)}" in str(caught.value)
