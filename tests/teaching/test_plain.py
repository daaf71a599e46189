"""Level 0 of practice: a row or a table, few numbers, plain words, and the engine's answers."""

import re
from itertools import product

import numpy as np
import pytest

import dmlviz
from dmlviz.base.words import speaking
from dmlviz.teaching.kinds import KINDS
from dmlviz.teaching.plain import PLAIN, plain_operators
from dmlviz.teaching.practice import ask
from dmlviz.tensors import print_value

pytestmark = pytest.mark.slow

KEYS = [cls.key for cls in plain_operators()]
PLAIN_KINDS = [key for key, kind in KINDS.items() if kind.plain()]
COUNT = 40


def run(question):
    return dmlviz.run(question.operator, question.x)


def place(text):
    """The index that a choice names."""
    return tuple(map(int, re.findall("[0-9]+", text)))


PLACE = "(?:place [0-9]+|row [0-9]+, column [0-9]+)"


def input_value(trace, words):
    """The number at a place of the input, such as ``place 1 of the second row``."""
    found = re.fullmatch(f"({PLACE})(?: of the (first |second |)(?:row|table))?", words)
    x = [*trace.inputs.values()][found[2] == "second "]
    return print_value(x[place(found[1])])


def reason_of_value(choice, trace, marked):
    """Each place that the reason names holds what it says, before and after."""
    output = trace.output
    for number, where in re.findall(f"([0-9]+) is at ({PLACE})", choice.why):
        assert print_value(output[place(where)]) == number
    if left := re.search("from ([^.]*), is left out[.]", choice.why):
        assert not np.argwhere(output == float(choice.text)).size
        assert input_value(trace, left[1]) == choice.text
    said = re.search(f"What is at ({PLACE}) (.*)[.]$", choice.why)
    if said is None:
        # nobody takes it for a reason: what the operator does says why
        assert len(re.findall("[.]", choice.why)) > 1
        return
    at, says = said.groups()
    assert place(at) == marked
    if says == "stays there":
        assert print_value(next(iter(trace.inputs.values()))[marked]) == print_value(output[marked])
        return
    copied = re.fullmatch("comes from (.*), not from (.*)", says)
    if copied:
        assert input_value(trace, copied[1]) == print_value(output[marked])
        assert input_value(trace, copied[2]) == choice.text
    elif new := re.fullmatch("is new, not from (.*)", says):
        assert trace.source[marked] < 0
        assert input_value(trace, new[1]) == choice.text
    else:
        own = re.fullmatch("is not new: it comes from (.*)", says)[1]
        assert input_value(trace, own) == print_value(output[marked])


def reason_of_place(choice, trace):
    """What is there instead, and its place before, are what the engine has there."""
    there = place(choice.text)
    number, own = re.search("([0-9]+) is there(: it is new|, from [^.]*)[.]", choice.why).groups()
    assert print_value(trace.output[there]) == number
    if own.startswith(":"):
        assert trace.source[there] < 0
    else:
        assert input_value(trace, own.removeprefix(", from ")) == number


def test_most_wrong_choices_are_a_mistake_with_a_name():
    named = listed = 0
    for seed, number in product(range(5), range(1, COUNT)):
        question = ask(seed, number, level=PLAIN)
        for choice in question.choices:
            if choice.why:
                listed += 1
                named += choice.why.startswith("That ") or "it does not stay there" in choice.why
    assert named > 0.8 * listed


def test_each_mistake_in_words_is_a_misreading_of_its_operator():
    for cls in plain_operators():
        named = cls.texts().plain["mistakes"]
        ever = set()
        for number, kind in product(range(1, 120), PLAIN_KINDS):
            if (cls.key, kind) == ("tile", "source"):
                continue
            trace = run(ask(2, number, level=PLAIN, operator=cls.key, kind=kind))
            for misreading in trace.operator.misreadings(trace.inputs):
                ever |= {misreading.key, re.sub("-[01]$", "", misreading.key)}
        assert set(named) <= ever


def test_six_operators_have_such_questions():
    assert len(KEYS) == 6
    assert {ask(7, number, level=PLAIN).operator.key for number in range(1, 100)} == set(KEYS)


# every number that Tile copies is there more than once
@pytest.mark.parametrize(
    ("key", "kind"), [pair for pair in product(KEYS, PLAIN_KINDS) if pair != ("tile", "source")]
)
def test_they_are_small_and_the_engine_agrees(key, kind):
    ranks = set()
    for number in range(1, COUNT):
        question = ask(5, number, level=PLAIN, operator=key, kind=kind)
        trace = run(question)
        output = trace.output
        for tensor in (*trace.inputs.values(), output):
            assert tensor.ndim <= 2
            assert tensor.size <= 12
        ranks.add(output.ndim)
        right = question.choices[question.right]
        wrong = [choice for choice in question.choices if choice is not right]
        assert len({choice.text for choice in question.choices}) == len(question.choices) >= 3
        assert not right.why
        if kind == "sizes":
            assert right.text == str(output.size)
            for choice in wrong:
                counted = [int(n) for n in re.findall("[0-9]+", choice.why)]
                assert counted[-1] == output.size or counted[-2:] == [output.size - 1, output.size]
        elif kind == "value":
            assert right.text == print_value(output[question.marked])
            for choice in wrong:
                reason_of_value(choice, trace, question.marked)
        else:
            value = float(re.search("Where is the ([0-9]+) then", question.prompt)[1])
            assert np.argwhere(output == value).tolist() == [list(place(right.text))]
            for choice in wrong:
                reason_of_place(choice, trace)
    assert ranks == {1, 2}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_no_word_is_a_name_of_a_field(language):
    with speaking(language):
        for number in range(1, COUNT):
            question = ask(9, number, level=PLAIN)
            texts = [question.prompt, question.explanation]
            texts += [part for choice in question.choices for part in (choice.text, choice.why)]
            for text in texts:
                assert not re.search("[a-z][A-Z]|[A-Z]{2}|[{}_]", text), text
            assert len(question.prompt) < 200


def described(key, sentence):
    """The row that a reader makes who knows the sentence only."""
    row, *rest = (
        [int(n) for n in part.split(", ")] for part in re.findall("[0-9]+(?:, [0-9]+)*", sentence)
    )
    match key:
        case "tile":
            return row * rest[0][0]
        case "padding":
            counts = {
                side: int(n)
                for n, side in re.findall("([0-9]+) (?:of them )?(before|after) it", sentence)
            }
            return row * counts.get("before", 0) + rest[0] + row * counts.get("after", 0)
        case "slice":
            return row[rest[0][0] :][: rest[1][0]]
        case "join":
            return row + rest[0]
        case "gather":
            return [row[i] for i in rest[0]]
    return row[: rest[0][0]][::-1] + row[rest[0][0] :]


def test_what_the_words_say_is_what_runs():
    rows = 0
    for number in range(1, 80):
        question = ask(3, number, level=PLAIN)
        output = run(question).output
        if output.ndim == 1:
            rows += 1
            assert described(question.operator.key, question.prompt) == output.tolist()
    assert rows > 20


def test_another_operator_is_refused():
    with pytest.raises(dmlviz.Error, match="level 0 has no questions about Top K, only about Tile"):
        ask(1, 1, level=PLAIN, operator="top-k")


def test_the_number_of_new_elements_does_not_follow_their_value():
    # "all 0: 1 after it" reads like a pair of numbers
    for number in range(1, 40):
        assert not re.search(r"\d: \d", ask(3, number, level=0, operator="padding").prompt)


def reason(number, text, level=PLAIN):
    """Why a choice of a question is wrong."""
    return next(c.why for c in ask(8892, number, level=level).choices if c.text == text)


def test_a_number_left_where_it_was_is_first_taken_for_that():
    assert reason(4, "30").startswith("30 was at place 2 before; it does not stay there.")
    assert reason(8, "20").startswith("20 was at place 1 before; it does not stay there.")
    assert reason(2, "place 0").startswith("10 was at place 0 before; it does not stay there.")


def test_a_count_is_explained_by_what_the_words_say():
    assert reason(7, "5").endswith("too many. 3 places are in the list, so there are 3 numbers.")


def test_other_new_numbers_are_told_with_the_row_that_they_would_give():
    assert "from the other end: 20, 10, 20, 10, 20. Every new number is 0." in reason(2, "place 3")


def test_a_list_of_places_reaches_the_last_one():
    assert "along the row, places 0, 0, 0, 1, 1, 1, …, 4; Tile" in reason(8, "in[2]", level=1)


def test_no_count_needs_a_sign_that_a_beginner_does_not_know():
    for key, number in product(KEYS, range(1, 20)):
        question = ask(5, number, level=PLAIN, operator=key, kind="sizes")
        assert not re.search("div|floor|min|max", question.explanation), question.explanation
