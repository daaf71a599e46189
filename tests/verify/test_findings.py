from dmlviz.verify import Finding
from dmlviz.verify.findings import print_lines


def test_a_finding_says_its_line():
    assert str(Finding(41, "the second InputTensor is the output.")) == (
        "line 41: the second InputTensor is the output."
    )
    assert str(Finding(0, "the page is empty.")) == "the page is empty."


def test_findings_are_in_the_order_of_the_page():
    assert sorted([Finding(9, "a"), Finding(2, "b")])[0].line == 2


def test_lines():
    assert print_lines([]) == ""
    assert print_lines([9, 3, 4, 4, 5]) == "3-5, 9"
    assert print_lines((7,)) == "7"
