import pytest

from dmlviz.verify import built_in, read_document
from dmlviz.verify.consistency import table
from dmlviz.verify.text import plain

PAGES = {page.key: page for page in built_in()}
TILE, PADDING = PAGES["tile"], PAGES["padding"]
DEPTH, SPACE = PAGES["depth-to-space"], PAGES["space-to-depth"]
SMALL = "FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8"


def messages(page):
    return [(f.line, f.message) for f in read_document(page).findings]


def line(page, text):
    return page[: page.index(text)].count("\n") + 1


def altered(page, level, old, new):
    """The page with the input's row of one level changed."""
    start = page.text.index(f"### DML_FEATURE_LEVEL_{level} and")
    at = page.text.index(old, page.text.index("| InputTensor", start))
    return page.text[:at] + new + page.text[at + len(old) :], page.text.count("\n", 0, at) + 1


def test_a_tensor_whose_colon_has_a_blank_before_it_is_no_row():
    assert messages(TILE.text.replace("Tensor: (", "Tensor : (")) == messages(TILE.text)


def test_another_rank():
    page, where = altered(TILE, "2_1", "| 4 |", "| 1 to 4 |")
    assert messages(page) == [
        (where, "InputTensor at 2_1: the page says rank 1 to 4, dmlviz has rank 4.")
    ]


def test_a_type_too_few_and_one_too_many():
    page, where = altered(PADDING, "3_1", "INT16,", "FLOAT64,")
    assert messages(page) == [
        (
            where,
            "InputTensor at 3_1: the page's list of data types lacks INT16 and adds FLOAT64.",
        )
    ]


def test_a_level_of_no_change():
    page, where = altered(SPACE, "2_1", SMALL, SMALL)
    page = page.replace("LEVEL_2_1 and", "LEVEL_3_1 and")
    found = messages(page)
    assert (where, "the table has a row for 3_1; dmlviz knows of no change at that level.") in found
    assert any(
        m.startswith("the page has no table for feature level 2_1, which added") for _, m in found
    )


def test_a_level_that_there_is_not():
    page, where = altered(DEPTH, "2_1", SMALL, SMALL)
    page = page.replace("LEVEL_2_1 and", "LEVEL_9_9 and")
    assert any(
        n == where and '"9_9" is not a DirectML feature level' in m for n, m in messages(page)
    )


def test_a_missing_level():
    start = TILE.text.index("### DML_FEATURE_LEVEL_3_1")
    page = TILE.text[:start] + TILE.text[TILE.text.index("### DML_FEATURE_LEVEL_2_1") :]
    assert messages(page) == [
        (
            line(page, "| InputTensor"),
            "the page has no table for feature level 3_1, which added rank 1 to 8.",
        )
    ]


def test_a_row_missing_and_a_row_too_many():
    for page, level in ((TILE, "2_1"), (DEPTH, "5_0")):
        start = page.text.index(
            "| InputTensor", page.text.index(f"### DML_FEATURE_LEVEL_{level} and")
        )
        row = page.text[page.text.index("| OutputTensor", start) :].partition("\n")[0] + "\n"
        at = page.text.index(row, start)
        where = page.text[:start].count("\n") + 1
        assert messages(page.text[:at] + page.text[at + len(row) :]) == [
            (where, f"the table of {level} has 0 rows for OutputTensor instead of one.")
        ]
        assert messages(page.text[:at] + row + page.text[at:]) == [
            (where, f"the table of {level} has 2 rows for OutputTensor instead of one.")
        ]


HEADLESS = """DML_TILE_OPERATOR_DESC
Repeats: {1}
InputTensor: (Sizes:{1}, DataType:FLOAT32) [1]
OutputTensor: (Sizes:{1}, DataType:FLOAT32) [1]
This operator was introduced in `DML_FEATURE_LEVEL_1_0`.
## Tensor support
| InputTensor | Input | 4 | FLOAT32, FLOAT16 |
| OutputTensor | Output | 4 | FLOAT32, FLOAT16 |
"""


@pytest.mark.parametrize("level", ["3_0", "2_1", "9_9"])
@pytest.mark.parametrize(
    "sentence",
    [
        "This operator was introduced in `DML_FEATURE_LEVEL_{}`.",
        "이 연산자는 에서 DML_FEATURE_LEVEL_{}도입되었습니다.",
    ],
)
def test_a_wrong_sentence_about_the_level(level, sentence):
    right = messages(HEADLESS)
    page = HEADLESS.replace("This operator was introduced in `DML_FEATURE_LEVEL_1_0`.", sentence)
    wrong = messages(page.replace("LEVEL_{}", f"LEVEL_{level}"))
    assert (
        5,
        f"the page says that the operator was introduced in {level}; in fact it was 1_0.",
    ) in wrong
    assert not any("the table has a row for" in message for _, message in wrong)
    if level != "2_1":
        assert [found for found in wrong if found[0] != 5] == right


def test_a_right_sentence_about_the_level():
    assert not any("introduced" in message for _, message in messages(HEADLESS))
    for page in built_in():
        assert messages(page.text) == []


@pytest.mark.parametrize("page", built_in(), ids=lambda page: page.key)
def test_the_sentence_of_each_page(page):
    at = page.text.index("DML_FEATURE_LEVEL_", page.text.index("## Availability"))
    name = page.text[at : at + len("DML_FEATURE_LEVEL_1_0")]
    altered_page = page.text[:at] + "DML_FEATURE_LEVEL_4_0" + page.text[at + len(name) :]
    assert messages(altered_page) == [
        (
            page.text[:at].count("\n") + 1,
            f"the page says that the operator was introduced in 4_0; in fact it was {name[-3:]}.",
        )
    ]


def test_no_table_is_no_finding():
    assert messages(TILE.text.partition("## Tensor support")[0]) == []


@pytest.mark.parametrize(
    "row",
    [
        "| InputTensor | Input | 1 to 8 | FLOAT32, FLOAT16 |",
        "InputTensor Input 1 to 8 FLOAT32, FLOAT16",
        "InputTensor | 입력 | 1~8개 | FLOAT32, FLOAT16",
        "<tr><td>InputTensor</td><td>Entrée</td><td>1 à 8</td><td>FLOAT32, FLOAT16</td></tr>",
        "InputTensor | Input | { BatchCount, Width2 } | 1 to 8 | FLOAT32, FLOAT16",
        "InputTensor | 输入 | 1至8 | FLOAT32, FLOAT16",
        "InputTensor | 输入 | 从1到8 | FLOAT32, FLOAT16",
        "InputTensor | 入力 | １から８ | FLOAT32, FLOAT16",
    ],
)
def test_rows_in_any_form(row):
    (found,) = table(plain(f"DML_FEATURE_LEVEL_1_0\n\n{row}\n"))
    assert (found.line, found.tensor) == (3, "InputTensor")
    assert found.support.level == "1_0"
    assert found.support.ranks == tuple(range(1, 9))
    assert found.support.data_types == ("FLOAT32", "FLOAT16")


def test_rows_before_any_level_are_none():
    assert table(plain("InputTensor | 4 | FLOAT32\nDML_FEATURE_LEVEL_1_0")) == ()
