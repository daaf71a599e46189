"""One codec of addresses: links split and written, parameters read, new and late ones told apart."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlviz.base.addresses import (
    MOST_LINK,
    SOURCE,
    History,
    Reading,
    content_parameters,
    split_link,
    write_link,
)
from dmlviz.base.words import languages
from dmlviz.teaching.practice import MOST_NUMBER, MOST_SEED, Practice, read_practice


@given(st.dictionaries(st.text(min_size=1), st.text(), max_size=7))
def test_what_is_written_is_read(parameters):
    plain = {n.encode("utf-8", "replace").decode(): t for n, t in parameters.items()}
    plain = {n: t.encode("utf-8", "replace").decode() for n, t in plain.items()}
    link = write_link("tile", plain)
    found = split_link(f"https://example.org/a/b{link}#here")
    assert (found.page, found.parameters, found.problems) == ("tile", plain, ())
    query = link.partition("?")[2]
    assert dict(parse_qsl(query, keep_blank_values=True)) == plain


def test_a_link_is_read_in_bounded_time():
    (problem,) = split_link("/tile?a=" + "b" * MOST_LINK).problems
    assert problem.message.startswith("link: it has 200,008 characters")
    found = split_link("/tile?" + "&".join(f"a{n}=b" for n in range(500)))
    assert len(found.parameters) == 200
    assert [problem.source for problem in found.problems] == [SOURCE]


def test_where_and_in_which_language_is_no_part_of_what_is_seen():
    assert (
        content_parameters({"embed": "true", "Embed_options": "x", "present": "true", "lang": "en"})
        == {}
    )
    kept = {"present": "yes", "lang": "tlh", "step": "2"}
    assert content_parameters(kept) == kept


def test_each_bad_parameter_gets_one_sentence():
    reading = Reading({"count": "9", "kind": "x", "lang": "tlh", "other": "\x1b[31m" + "y" * 999})
    assert reading.whole("count", 1, 8, 5) == 5
    assert reading.one_of("kind", ("", "a", "b"), "a") == "a"
    assert [problem.message for problem in reading.all_problems()] == [
        "link: ignored count=9: it must be a whole number from 1 to 8.",
        "link: ignored kind=x: it must be one of a, b.",
        f"link: ignored lang=tlh: it must be one of {', '.join(languages())}.",
        f"link: ignored other=\ufffd[31m{'y' * 55}: this page has no such setting.",
    ]


def test_many_bad_parameters_are_counted():
    told = Reading({f"a{n}": "x" for n in range(33)}).all_problems()
    assert len(told) == 11
    assert told[-1].message == "link: 23 more parts were ignored."


@given(
    st.integers(0, MOST_SEED), st.integers(1, 3), st.sampled_from(["", "tile", "depth-to-space"]),
    st.integers(1, MOST_NUMBER),
)  # fmt: skip
def test_a_question_is_its_parameters(seed, level, operator, number):
    asked = Practice(seed, level, operator, number)
    assert (
        read_practice(asked.parameters(), Practice(3, 3, "gather", 3 if operator else 1))[1] == ()
    )
    assert read_practice(asked.parameters(), Practice(0))[0] == asked


FIRST, SECOND, THIRD = {"step": "1"}, {"step": "2"}, {"step": "3"}


@pytest.mark.parametrize(
    ("here", "stayed", "back", "new"),
    [
        (SECOND, True, False, False),
        (SECOND, False, True, False),
        (FIRST, True, False, False),  # on its way when the page went on
        (FIRST, False, False, True),  # opened from another page
        (FIRST, True, True, True),
        (THIRD, True, False, True),
        ({}, True, False, False),  # visited again
        ({}, False, False, False),
        ({}, True, True, True),
    ],
)
def test_new_and_late_addresses(here, stayed, back, new):
    history = History().then(FIRST, "first").then(SECOND, "second")
    assert history.is_new(here, stayed=stayed, back=back) is new


def test_the_first_address_is_new():
    assert History().is_new({}, stayed=False, back=False)


def test_twenty_addresses_are_remembered():
    history = History()
    for n in range(50):
        history = history.then({"step": str(n)}, n)
    assert len(history.past) == 20
    assert history.is_new({"step": "29"}, stayed=True, back=False)
    assert not history.is_new({"step": "30"}, stayed=True, back=False)


def test_what_is_wrong_is_told_until_somebody_goes_on():
    history = History(((FIRST),), "first", opened=FIRST, messages=("a sentence",), spoken="en")
    assert history.then(SECOND, "first").messages == ("a sentence",)
    assert history.then(SECOND, "second").messages == ()
