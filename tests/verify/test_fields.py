import math

import pytest

from dmlviz.verify.anchors import Field
from dmlviz.verify.grouping import field_value


def value(text):
    return field_value(Field("Repeats", text, 7, ""))


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("{1, 1, 3, 3}", [1, 1, 3, 3]),
        ("[1,1]", [1, 1]),
        ("( 2 )", [2]),
        ("{}", []),
        ("{1, 2,}", [1, 2]),
        ("2", 2),
        ("2.", 2),
        ("2;", 2),
        ("0x10", 16),
        ("-3", -3),
        ("-0", -0.0),
        ("1.5f", 1.5),
        ("1e3", 1000.0),
        ("-inf", -math.inf),
        ("9" * 300, int("9" * 300)),
        ("DML_PADDING_MODE_EDGE", "DML_PADDING_MODE_EDGE"),
        ("EDGE", "EDGE"),
        ("1_000", "1_000"),
        ("{1, x}", [1, "x"]),
    ],
)
def test_values(text, due):
    found, finding = value(text)
    assert found == due
    assert type(found) is type(due)
    assert finding is None


def test_not_a_number():
    assert math.isnan(value("NaN")[0])


@pytest.mark.parametrize("text", ["{1 2}", "{1, 2 3}", "[ 1 2 ]"])
def test_missing_commas(text):
    found, finding = value(text)
    assert found == [int(c) for c in text if c.isdigit()]
    assert finding.line == 7
    assert finding.message == f'Repeats: commas are missing in "{text}".'
