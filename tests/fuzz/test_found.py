"""What was found by hostile input, each by its name."""

from __future__ import annotations

import pytest

from dmlviz.base.errors import Error
from dmlviz.operators import Padding
from dmlviz.states import print_setting, read_link
from dmlviz.tensors import read_literal, read_sizes
from dmlviz.verify import as_lines, check, read_document
from tests.fuzz import doors

UNSEEN = ("\u202e", "\0", "\x1b", "\ud800", "\u200b", "\x7f")


@pytest.mark.parametrize("sign", UNSEEN)
@pytest.mark.parametrize("read", [read_sizes, lambda text: read_literal(text, "INT8")])
def test_signs_that_nobody_sees_were_repeated_in_sentences(read, sign):
    with pytest.raises(Error) as refused:
        read(f"1, a{sign}b")
    doors.check_sentence(str(refused.value), "")
    assert "\ufffd" in str(refused.value)


@pytest.mark.parametrize("sign", ["%E2%80%AE", "%00", "%1B", "%0A", "\ud800"])
def test_signs_that_nobody_sees_in_a_link(sign):
    for link in (f"/{sign}", f"/tile?colors=a{sign}b", f"/tile?a{sign}b=1"):
        (problem,) = read_link(link).problems
        doors.check_sentence(problem.message, "")


def test_a_padding_value_with_more_digits_than_are_read_back():
    found = read_link("/padding?b_padding_value=-1e60&data_type=FLOAT64")
    assert found.problems == ()
    assert found.state.second().operator().padding_value == -1e60
    assert read_link(found.state.address()).state == found.state


@pytest.mark.parametrize("value", [1e15, -1e16, 1e22, 1e300, 9.0, -0.0, 2.5, float("-inf")])
def test_every_padding_value_is_read_back(value):
    (parameter,) = (p for p in Padding.parameters() if p.name == "padding_value")
    assert repr(parameter.read(print_setting(value))) == repr(value)


def test_a_title_with_a_tab_in_it():
    page = "Example\t1\u2060\nRepeats: {1}\nInputTensor: (Sizes:{1}, DataType:INT8)\n[1]\n"
    (example,) = read_document(page).examples
    assert example.title == "Example 1\ufffd"


def test_the_name_of_an_uploaded_file_with_lines_of_its_own():
    document = read_document("", "a\nb\x1b[2J.md")
    (first, _second) = as_lines(check(document, ""))
    assert first.startswith("a b\ufffd[2J.md ")
