"""What pages say of sizes, in their own notation, with the numbers of their examples."""

import pytest

from dmlviz.verify import read_document
from dmlviz.verify.sums import Sum

TILE = """DML_TILE_OPERATOR_DESC
{statement}
Example 1
Repeats: {{1, 3}}
InputTensor: (Sizes:{{2, 1}}, DataType:INT8) [[1], [2]]
OutputTensor: (Sizes:{{2, 3}}, DataType:INT8) [[1, 1, 1], [2, 2, 2]]
Example 2
Repeats: {{2, 1}}
InputTensor: (Sizes:{{1, 1}}, DataType:INT8) [[1]]
OutputTensor: (Sizes:{{2, 1}}, DataType:INT8) [[1], [1]]
"""
DEPTH = """DML_DEPTH_TO_SPACE1_OPERATOR_DESC
InputTensor {{ BatchCount, InputChannelCount, InputHeight, InputWidth }}
OutputTensor {{ BatchCount, OutputChannelCount, OutputHeight, OutputWidth }}
{statement}
Example 1
BlockSize: 2
Order: DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH
InputTensor: (Sizes:{{1, 4, 1, 3}}, DataType:INT8)
[[[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]], [[0, 0, 0]]]]
OutputTensor: (Sizes:{{1, 1, 2, 6}}, DataType:INT8)
[[[[1, 4, 2, 5, 3, 6], [7, 0, 8, 0, 9, 0]]]]
"""


def told(page, statement):
    document = read_document(page.format(statement=statement))
    assert [e.unreadable for e in document.examples] == [None] * len(document.examples)
    return [(said.line, said.agrees, said.message) for said in document.statements]


def test_a_right_equation():
    assert told(TILE, "OutputTensor.Sizes[i] = InputTensor.Sizes[i] * Repeats[i].") == [
        (
            2,
            True,
            "OutputTensor.Sizes[i] = InputTensor.Sizes[i] * Repeats[i]: 1 * 3 = 3, as in Example 1.",
        )
    ]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "OutputTensor.Sizes[i] = InputTensor.Sizes[i] + Repeats[i]",
            "2 + 1 = 3, but in Example 1 OutputTensor.Sizes[0] is 2.",
        ),
        (
            "Repeats[i] = InputTensor.Sizes[i] / OutputTensor.Sizes[i]",
            "1 / 3 = 1/3, but in Example 1 Repeats[1] is 3.",
        ),
        # right for the first example, and not for the second
        (
            "OutputTensor.Sizes[i] = InputTensor.Sizes[i] * (Repeats[i] + 2) - 2 * Repeats[i]"
            " * InputTensor.Sizes[i] + Repeats[i] * InputTensor.Sizes[i]",
            "",
        ),
        (
            "OutputTensor.Sizes[i] = InputTensor.Sizes[i] / (Repeats[i] - Repeats[i])",
            "2 / (1 - 1) = nothing, but in Example 1 OutputTensor.Sizes[0] is 2.",
        ),
    ],
)
def test_a_wrong_equation(statement, message):
    ((line, agrees, found),) = told(TILE, statement)
    assert (line, agrees) == (2, False)
    assert found.endswith(message)
    assert found.startswith(statement.partition(" =")[0] + " = ")


def test_one_example_is_enough_to_belie_it():
    """It holds in the first, by its numbers."""
    ((_, agrees, message),) = told(TILE, "OutputTensor.Sizes[i] = 3 - InputTensor.Sizes[i] + 1")
    assert not agrees
    assert "in Example 2 OutputTensor.Sizes[0] is 2" in message or "Example 1" in message


@pytest.mark.parametrize(
    "statement",
    [
        "OutputTensor.Sizes[i] = whatever you like",
        "OutputTensor.Sizes[i] = InputTensor.Sizes[i] * Factor[i]",
        "OutputTensor.Sizes[i] = InputTensor.Sizes[i] * BlockSize[i]",
        "Sizes = 2 * 3",
        "OutputTensor.Sizes[i] = StartPadding[i] + InputTensor.Sizes[i]",
    ],
)
def test_what_is_not_understood_is_not_judged(statement):
    assert told(TILE, statement) == []


@pytest.mark.parametrize(
    "statement",
    [
        "- OutputHeight is computed as InputHeight * BlockSize",
        "* OutputHeight est calculé en tant que InputHeight * `BlockSize`",
        "OutputHeight は InputHeight × BlockSize です。",
        "<li>OutputHeight berechnet sich als <b>InputHeight * BlockSize</b></li>",
    ],
)
def test_sentences_in_any_language(statement):
    assert told(DEPTH, statement) == [
        (4, True, "OutputHeight = InputHeight * BlockSize: 1 * 2 = 2, as in Example 1.")
    ]


def test_a_wrong_sentence():
    assert told(DEPTH, "OutputWidth is InputWidth / BlockSize") == [
        (
            4,
            False,
            "OutputWidth = InputWidth / BlockSize: 3 / 2 = 3/2, but in Example 1 OutputWidth is 6.",
        )
    ]


# one example, in which 2 * 2 is 2 + 2
SQUARE = """DML_DEPTH_TO_SPACE1_OPERATOR_DESC
InputTensor {{ BatchCount, InputChannelCount, InputHeight, InputWidth }}
OutputTensor {{ BatchCount, OutputChannelCount, OutputHeight, OutputWidth }}
{statement}
Example 1
BlockSize: 2
Order: DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH
InputTensor: (Sizes:{{1, 4, 2, 2}}, DataType:INT8)
[[[[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]]]]
OutputTensor: (Sizes:{{1, 1, 4, 4}}, DataType:INT8)
[[[[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4], [3, 3, 4, 4]]]]
"""
COINCIDENCES = [
    (
        "OutputHeight is InputHeight + BlockSize",
        "OutputHeight = InputHeight + BlockSize: 20 + 2 = 22, but for Sizes {8, 12, 20, 28} and "
        "BlockSize 2, OutputHeight is 40.",
    ),
    ("OutputHeight is InputWidth * BlockSize", "28 * 2 = 56, but"),
    ("OutputHeight is BlockSize * BlockSize", "2 * 2 = 4, but"),
    ("OutputHeight is InputChannelCount * BatchCount", "12 * 8 = 96, but"),
    ("OutputHeight is InputHeight + 2", "20 + 2 = 22, but"),
    (
        "OutputHeight is InputHeight * 2",
        "20 * 2 = 40, but for Sizes {8, 12, 20, 28} and BlockSize 1",
    ),
    ("OutputChannelCount is InputChannelCount / (BlockSize + 2)", "12 / (1 + 2) = 4, but"),
]


@pytest.mark.parametrize(("statement", "message"), COINCIDENCES)
def test_what_holds_for_the_examples_numbers_by_coincidence(statement, message):
    ((line, agrees, found),) = told(SQUARE, statement)
    assert (line, agrees) == (4, False)
    assert message in found


def test_a_coincidence_in_every_dimension():
    page = """DML_TILE_OPERATOR_DESC
{statement}
Repeats: {{2, 2}}
InputTensor: (Sizes:{{2, 2}}, DataType:INT8) [[1, 2], [3, 4]]
OutputTensor: (Sizes:{{4, 4}}, DataType:INT8) [[1, 2, 1, 2], [3, 4, 3, 4], [1, 2, 1, 2], [3, 4, 3, 4]]
"""
    ((_, agrees, found),) = told(page, "OutputTensor.Sizes[i] = InputTensor.Sizes[i] + Repeats[i]")
    assert not agrees
    assert found == (
        "OutputTensor.Sizes[i] = InputTensor.Sizes[i] + Repeats[i]: 8 + 5 = 13, but for Sizes "
        "{8, 12} and Repeats {5, 7}, OutputTensor.Sizes[0] is 40."
    )


@pytest.mark.parametrize(
    "statement",
    [
        "OutputHeight is BlockSize * InputHeight",
        "OutputWidth is InputWidth * (BlockSize + BlockSize) / 2",
        "OutputChannelCount is InputChannelCount / BlockSize / BlockSize",
        # the number is the setting's that stands nearby
        "Where BlockSize is 2, OutputHeight is InputHeight * 2",
    ],
)
def test_what_is_right_is_never_belied(statement):
    assert [agrees for _, agrees, _ in told(SQUARE, statement)] == [True]


def test_a_number_of_an_example_is_right_beside_it():
    page = SQUARE + "Here OutputHeight is InputHeight * 2.\n"
    assert [agrees for _, agrees, _ in told(page, "")] == [True]


def test_two_sentences_on_one_line():
    statement = "OutputHeight is InputHeight * BlockSize - OutputWidth is InputWidth * BlockSize"
    assert [agrees for _, agrees, _ in told(DEPTH, statement)] == [True, True]


def test_lists_of_sizes():
    page = DEPTH.replace("OutputTensor {{ BatchCount, OutputChannelCount", "{statement}\n(", 1)
    page = page.replace("OutputHeight, OutputWidth }}\n{statement}", "")
    right = (
        (
            "OutputTensor: {{ BatchCount, InputChannelCount / (BlockSize * BlockSize), "
            "InputHeight * BlockSize, InputWidth * BlockSize }}"
        )
        .replace("{{", "{")
        .replace("}}", "}")
    )
    assert [agrees for _, agrees, _ in told(page, right)] == [True, True, True]
    wrong = right.replace("InputWidth * BlockSize", "InputWidth + BlockSize")
    assert [agrees for _, agrees, _ in told(page, wrong)] == [True, True, False]
    assert told(page, wrong)[2][2] == (
        "OutputTensor.Sizes[3] = InputWidth + BlockSize: 3 + 2 = 5, but in Example 1 "
        "OutputTensor.Sizes[3] is 6."
    )


def test_at_most_a_hundred():
    many = "OutputTensor.Sizes[i] = InputTensor.Sizes[i] * Repeats[i]\n" * 150
    assert len(told(TILE, many)) == 100


def test_work_is_bounded_where_many_statements_meet_many_examples(monkeypatch):
    worked = []
    value = Sum.value
    monkeypatch.setattr(Sum, "value", lambda *given: worked.append(1) or value(*given))
    many = "OutputTensor.Sizes[i] = InputTensor.Sizes[i] * Repeats[i]\n" * 100
    examples = "".join(
        f"Repeats: {{{n}}}\nInputTensor: (Sizes:{{1}}, DataType:INT8) [1]\n"
        f"OutputTensor: (Sizes:{{{n}}}, DataType:INT8) [{', '.join('1' * n)}]\n"
        for n in range(1, 100)
    )
    document = read_document("DML_TILE_OPERATOR_DESC\n" + many + examples)
    assert len(document.examples) == 99
    assert document.statements[0].example == "Example 1"
    assert len(worked) < 100 * 30


def test_unreadable_examples_say_nothing():
    page = TILE.format(statement="OutputTensor.Sizes[i] = InputTensor.Sizes[i] * Repeats[i]")
    document = read_document(page.replace("Repeats: {", "Repeats: {x, "))
    assert document.statements == ()
