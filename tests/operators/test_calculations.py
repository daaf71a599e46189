import pytest

from dmlviz.operators.calculations import calculation, size_alone


@pytest.mark.parametrize(
    ("rule", "equation", "scaling"),
    [
        (size_alone(4), "4", None),
        (calculation("·", 2, 3), "2 · 3 = 6", (2, "·", 3)),
        (calculation("/", 6, 2), "6 / 2 = 3", (6, "/", 2)),
        (calculation("floor", calculation("·", 3, 2.0)), "floor(3 · 2) = 6", (3, "·", 2)),
        # a single-precision product: in double precision it is less than 2
        (
            calculation("floor", calculation("·", 98, 0.020408163)),
            "floor(98 · 0.020408163) = 2",
            None,
        ),
        (calculation("·", 2, 3, 3), "2 · 3 · 3 = 18", None),
        (calculation("/", 8, calculation("·", 2, 2)), "8 / (2 · 2) = 2", None),
        (calculation("+", 1, 5, 1), "1 + 5 + 1 = 7", None),
        (
            calculation("min", 2, calculation("+", 1, calculation("div", 5, 2))),
            "min(2, 1 + 5 div 2) = 2",
            None,
        ),
        (calculation("−", 7, calculation("−", 3, 1)), "7 − (3 − 1) = 5", None),
    ],
)
def test_a_calculation_has_its_numbers_and_prints_them(rule, equation, scaling):
    assert rule.equation == equation
    assert rule.scaling == scaling
    assert rule.multiplies == ("·" in equation or "/" in equation)
