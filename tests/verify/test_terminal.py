"""A page's output beside the engine's, as text."""

import pytest

from dmlviz.verify import read_document, verify
from dmlviz.verify.printing import plane_lines
from tests.verify.pages import TILE

WRONG = TILE.replace("4, 5, 6, 4, 5, 6", "4, 5, 6, 4, -9, 6")


def lines(page, **options):
    (verdict,) = verify(read_document(page))
    return plane_lines(verdict, **options)


def test_what_differs_has_brackets():
    assert lines(WRONG) == [
        "             page                       numpy",
        "               1   2   3   1   2   3     1  2  3  1  2  3",
        "               4   5   6   4 [-9]  6     4  5  6  4 [5] 6",
    ]


def test_colors_do_not_move_anything():
    colored = lines(WRONG, colored=True)
    assert colored[2].count("\x1b") == 4
    for code in ("\x1b[1;31m", "\x1b[1;32m", "\x1b[0m"):
        colored = [line.replace(code, "") for line in colored]
    assert colored == lines(WRONG)


def test_of_more_dimensions_the_plane_with_the_first_difference():
    page = """DML_TILE_OPERATOR_DESC
Repeats: {1, 2, 1}
InputTensor: (Sizes:{2, 1, 2}, DataType:INT8)
[[[1, 2]], [[3, 4]]]
OutputTensor: (Sizes:{2, 2, 2}, DataType:INT8)
[[[1, 2], [1, 2]],
 [[3, 4], [4, 3]]]
"""
    assert lines(page) == [
        "             [1, :, :]",
        "             page     numpy",
        "              3  4     3  4",
        "             [4][3]   [3][4]",
    ]


@pytest.mark.parametrize(
    "page",
    [
        TILE,
        TILE.replace("{2, 6}", "{3, 4}"),
        TILE.replace("{1, 2}", "{1, 0}"),
        TILE.replace("{1, 2}", "{7, 1}"),
    ],
)
def test_nothing_is_drawn_where_there_is_no_place_to_show(page):
    assert lines(page) == []
