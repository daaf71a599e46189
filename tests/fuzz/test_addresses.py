"""Links and the words of every page's address: 22,000, each a state and sentences about the rest."""

from random import Random

import pytest

from dmlviz.base.addresses import MOST_LINK
from dmlviz.operators import OPERATORS
from dmlviz.states import first_state
from tests.fuzz import corpus, doors
from tests.fuzz.mutations import mutations
from tests.thorough import tries


def drawn_words(seed, count):
    """Words of addresses: names that there are, and mutated values."""
    dice = Random(seed)
    values = mutations(seed, corpus.VALUES, corpus.NUMBER_WORDS, count * 4)
    for _each in range(count):
        names = dice.choices(corpus.WORD_NAMES, k=dice.randint(1, 4))
        yield {name: next(values) for name in names}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_links(seed, bounded):
    read = 0
    for text in mutations(seed, corpus.links(), corpus.LINK_WORDS, tries(4_000)):
        bounded()
        read += doors.link(text)
    assert tries(1_000) < read < tries(3_500)


def test_words_of_explorers(bounded):
    read = 0
    for turn, words in enumerate(drawn_words(0, tries(5_000))):
        bounded()
        read += doors.parameters(OPERATORS[turn % len(OPERATORS)].key, words)
    assert tries(2_000) < read < tries(5_000)


def test_words_of_worksheets(bounded):
    for words in drawn_words(1, tries(4_000)):
        bounded()
        doors.sheet(words)


def test_words_of_practice(bounded):
    for words in drawn_words(2, tries(4_000)):
        bounded()
        doors.practice(words)


def test_what_a_browser_says_its_address_holds(bounded):
    states = [first_state(cls.key) for cls in OPERATORS]
    words = (*corpus.LINK_WORDS, "&colors=", "&moves=", "&step=", "&pinned=")
    for turn, text in enumerate(mutations(3, corpus.links(), words, tries(1_000))):
        bounded()
        doors.player(text.partition("?")[2], states[turn % 4])


@pytest.mark.parametrize(
    "piece",
    ["[", "1,", "0,0;", "&", "&sizes=1", "&a=b", "?", "%", "%5B", "%00", "=", "&repeats=9,9", "/",
     "0:across,", "9", "\ud800", "&literal=[[1", "+", "é", "&b_repeats=2"],
)  # fmt: skip
def test_the_longest_link_of_one_piece(piece, bounded):
    for before in (
        "",
        "/tile?sizes=",
        "/tile?pinned=",
        "/tile?values=own&literal=",
        "/tile?directions=",
    ):
        for length in (MOST_LINK - len(before), 3 * MOST_LINK):
            bounded()
            doors.link(before + piece * (length // len(piece)))
