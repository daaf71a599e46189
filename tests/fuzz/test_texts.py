"""Literals, sizes, numbers and settings: 76,000 texts, each a tensor or a sentence."""

import pytest

from tests.fuzz import corpus, doors
from tests.fuzz.mutations import mutations
from tests.thorough import tries


@pytest.mark.parametrize("seed", range(4))
def test_literals(seed, bounded):
    texts = mutations(seed, corpus.literals(), corpus.LITERAL_WORDS, tries(10_500))
    read = 0
    for turn, text in enumerate(texts):
        bounded()
        read += doors.literal(text, doors.TYPES[turn % 11], (65_536, 65_536, 4)[turn % 3])
    assert tries(1_000) < read < tries(5_000)


@pytest.mark.parametrize("seed", range(2))
def test_sizes_numbers_settings_and_names(seed, bounded):
    read = 0
    for turn, text in enumerate(
        mutations(seed, corpus.NUMBERS, corpus.NUMBER_WORDS, tries(17_000))
    ):
        bounded()
        read += doors.small(text, turn)
    assert tries(500) < read < tries(8_000)


LARGE = 250_000
"""Characters: what is not linear in them would never end."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    ["[", "]", "[]", "1 ", "1,", "1\n", ";", ",", "\n", " ", "9", "a", "(", "array(", "[1;", "...",
     "1_", "0x", "Sizes:{", "(Sizes:", "InputTensor:", "{{1},", "dtype=", "\0", "٣", "\ud800", "-", "e"],
)  # fmt: skip
def test_very_long_texts_of_one_piece(piece, bounded):
    for before in ("", "[[1, 2], ", "array([1], ", "(Sizes:{2, 3}, DataType:INT8) "):
        bounded()
        assert not doors.literal(before + piece * (LARGE // len(piece)), "FLOAT32", 16_384)
        assert not doors.small(before + piece * (LARGE // len(piece)), 0)
