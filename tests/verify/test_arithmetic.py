from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlviz.verify.sums import read_sum

NUMBERS = {"A": 2, "B": 3, "C": 5, "Repeats[i]": 7, "InputTensor.Sizes[i]": 11}


def total(text):
    return read_sum(text, 0, NUMBERS.__contains__)


@pytest.mark.parametrize(
    ("text", "value", "shown"),
    [
        ("A", 2, "2"),
        ("A + B*C", 17, "2 + 3 * 5"),
        ("(A + B) * C", 25, "(2 + 3) * 5"),
        ("A - B - C", -6, "2 - 3 - 5"),
        ("C / (A * A)", Fraction(5, 4), "5 / (2 * 2)"),
        ("C / A / A", Fraction(5, 4), "5 / 2 / 2"),
        ("A × B", 6, "2 * 3"),
        ("InputTensor.Sizes[i] * Repeats[i]", 77, "11 * 7"),
        ("10 * A and more words", 20, "10 * 2"),
        ("A * B.", 6, "2 * 3"),
        ("(A)", 2, "(2)"),
    ],
)
def test_sums(text, value, shown):
    found = total(text)
    assert found.value(NUMBERS) == value
    assert found.show(NUMBERS) == shown


@pytest.mark.parametrize("text", ["", "*A", "D", "(A", "A * D", "A * ", ")", "A[0]", "1.5", "A.x"])
def test_no_sum(text):
    found = total(text)
    assert found is None or found.tokens == ("A",)
    if text not in ("A * ",):
        assert found is None


def test_nothing_by_zero():
    assert total("A / (B - 3)").value(NUMBERS) is None


def test_a_dash_before_the_next_name():
    def ends(sign):
        return sign == len("A * B ")

    assert read_sum("A * B - C is", 0, NUMBERS.__contains__, ends).value(NUMBERS) == 6
    assert read_sum("A * B - C is", 0, NUMBERS.__contains__).value(NUMBERS) == 1
    # words after a dash are none of the sum's; another name may be
    assert total("A * B - the block").value(NUMBERS) == 6
    assert total("A * B - D") is None


@pytest.mark.parametrize("text", ["A // B", "A ** B", "A % B", "A ^ B", "A * B / x(2)", "A + f(B)"])
def test_signs_that_are_not_understood_hide_nothing(text):
    assert total(text) is None


@pytest.mark.parametrize(("text", "value"), [("A^2 * B", 12), ("C * A²", 20), ("A³ + 1", 9)])
def test_powers(text, value):
    assert total(text).value(NUMBERS) == value


@pytest.mark.parametrize("text", ["A ^ 2 ^ 3", "(A + B) ^ 2", "A ^ 9", "^A", "A ^ B", "A³³"])
def test_powers_are_small(text):
    assert total(text) is None or "^" not in total(text).tokens[-1:]
    assert total(text) is None or total(text).value(NUMBERS) <= 8


def test_depth_and_length_are_bounded():
    assert total("(" * 19 + "A" + ")" * 19).value(NUMBERS) == 2
    assert total("(" * 21 + "A" + ")" * 21) is None
    assert total("A + " * 1000 + "A") is None


@given(st.text(st.sampled_from("ABC0123456789+-*/() "), max_size=30))
def test_like_python(text):
    found = total(text)
    if found is None:
        return
    words = " ".join(
        f"Fraction({t.lstrip('0') or 0})" if t[0].isalnum() else t for t in found.tokens
    )
    try:
        due = eval(words, {"Fraction": Fraction, **NUMBERS})
    except ZeroDivisionError:
        due = None
    assert found.value(NUMBERS) == due
