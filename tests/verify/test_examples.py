import pytest

from dmlviz.verify import read_document
from tests.verify.pages import TILE

PAGE = "\n\n" + TILE.replace("Repeats: {1, 2}\n", "RepeatsCount: 2\nRepeats: {1, 2}\n")


def example(page):
    (found,) = read_document(page).examples
    return found


def test_lines_of_its_parts():
    found = example(PAGE)
    assert found.line == 4
    assert [found.line_of(name) for name in ("repeats", "Repeats", "OutputTensor")] == [5, 5, 9]
    assert found.line_of("sizes") == found.line_of("") == 4


@pytest.mark.parametrize("heading", ["Example 3", "### Example 3", "Beispiel 3"])
def test_its_title_is_the_pages(heading):
    found = example(TILE.replace("Repeats", f"{heading}\n\nRepeats"))
    assert found.title == heading.strip("# ")


@pytest.mark.parametrize("heading", ["Examples", "## Examples", "## Two copies"])
def test_a_title_without_a_number_is_counted(heading):
    assert example(TILE.replace("Repeats", f"{heading}\n\nRepeats")).title == "Example 1"


def test_a_count_that_does_not_agree():
    found = example(PAGE.replace("RepeatsCount: 2", "RepeatsCount: 3"))
    assert found.operator is None
    assert found.unreadable.line == 4
    assert "RepeatsCount" in found.unreadable.message


def test_which_block_operator_it_is():
    """Parameters and sizes tell, where the page names none."""
    page = (
        "BlockSize: 2\nOrder: DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW\n"
        "InputTensor: (Sizes:{1, 1, 2, 2}, DataType:INT8) [[[[1, 2], [3, 4]]]]\n"
        "OutputTensor: (Sizes:{1, 4, 1, 1}, DataType:INT8) [[[[1]], [[2]], [[3]], [[4]]]]\n"
    )
    assert example(page).operator.key == "space-to-depth"
    assert read_document(page).structure == "DML_SPACE_TO_DEPTH1_OPERATOR_DESC"


def test_a_missing_parameter():
    found = example(TILE.replace("Repeats: {1, 2}\n", ""))
    assert found.unreadable.line == 2
    assert "Repeats" in found.unreadable.message
