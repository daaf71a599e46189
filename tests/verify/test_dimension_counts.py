"""Counts of dimensions that an example lacks are found where its sizes allow only one number."""

import re

import pytest

from dmlviz.operators import OPERATORS
from dmlviz.verify import built_in, check, document_data, read_document, verify
from dmlviz.verify.examples import Structure
from dmlviz.verify.naming import dimension_counts
from dmlviz.verify.values import TRIALS_LIMIT

COUNTING = tuple(cls for cls in OPERATORS if dimension_counts(cls))
PAGES = {page.key: page.text for page in built_in()}


def test_these_operators_count_dimensions():
    assert {cls.key for cls in COUNTING} == {"gather", "gather-nd", "scatter-nd"}


def lines_of(cls):
    """Where the page of an operator gives one of its counts."""
    names = "|".join(dimension_counts(cls))
    return [*re.finditer(rf"^({names}): [0-9]+\n", PAGES[cls.key], re.MULTILINE)]


@pytest.mark.parametrize("cls", COUNTING, ids=lambda cls: cls.key)
def test_a_count_that_is_found_is_the_one_that_was_lost(cls):
    page, found = PAGES[cls.key], 0
    operators = [example.operator for example in read_document(page).examples]
    for lost in lines_of(cls):
        examples = read_document(page[: lost.start()] + page[lost.end() :]).examples
        unreadable = [example for example in examples if example.unreadable]
        for example in unreadable:
            assert example.unreadable.message == f"{cls.structure} needs the field {lost[1]}."
        if unreadable:
            continue
        found += 1
        assert [example.operator for example in examples] == operators
        message = f"{lost[1]} is missing; it was read as {lost[0].split()[1]}, the only number"
        assert sum(f.message.startswith(message) for e in examples for f in e.findings) == 1
    assert found >= 2


GATHER = """DML_GATHER_ND_OPERATOR_DESC
InputTensor: (Sizes:{2, 2}, DataType:INT8) [[1, 2], [3, 4]]
IndicesTensor: (Sizes:{2, 1}, DataType:UINT32) [[1], [0]]
OutputTensor: (Sizes:{2, 2}, DataType:INT8) [[3, 4], [1, 2]]
"""


def test_all_counts_of_an_older_form_are_found_and_reported():
    document = read_document(GATHER)
    assert [v.status for v in verify(document)] == ["match"]
    told = [f["message"] for f in document_data(check(document, GATHER))["findings"]]
    for name in ("InputDimensionCount", "IndicesDimensionCount"):
        assert f"{name} is missing; it was read as 2, the only number that the sizes allow." in told


def test_what_the_values_are_is_still_compared():
    assert [
        v.status
        for v in verify(read_document(GATHER.replace("[3, 4], [1, 2]]\n", "[3, 4], [1, 5]]\n")))
    ] == ["mismatch"]


def test_sizes_that_no_count_gives_leave_it_open():
    page = GATHER.replace(
        "{2, 2}, DataType:INT8) [[3, 4], [1, 2]]", "{3}, DataType:INT8) [3, 4, 1]"
    )
    (example,) = read_document(page).examples
    assert example.unreadable.message == (
        "DML_GATHER_ND_OPERATOR_DESC needs the field InputDimensionCount."
    )


def test_the_numbers_that_are_tried_are_bounded(monkeypatch):
    ones = "{1, 1, 1, 1, 1, 1, 2, 2}"
    row = "[[[[[[[[1, 2], [3, 4]]]]]]]]"
    example = (
        f"InputTensor: (Sizes:{ones}, DataType:INT8) {row}\n"
        f"IndicesTensor: (Sizes:{ones}, DataType:UINT32) [[[[[[[[0, 0], [1, 1]]]]]]]]\n"
        "OutputTensor: (Sizes:{1, 1, 1, 1, 1, 1, 1, 2}, DataType:INT8) [[[[[[[[1, 4]]]]]]]]\n"
    )
    assert 9**3 < TRIALS_LIMIT < 9**3 * 100
    tried = []
    operator = Structure.operator
    monkeypatch.setattr(Structure, "operator", lambda *given: tried.append(1) or operator(*given))
    document = read_document("DML_GATHER_ND1_OPERATOR_DESC\n" + example * 400)
    assert len(document.examples) == 400
    assert 9**3 <= len(tried) <= TRIALS_LIMIT + 400
