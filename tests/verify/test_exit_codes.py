"""The exit codes of single pages, and of several."""

import pytest

from dmlviz.verify import Options, check, read_document, worst
from tests.verify.pages import TILE

OUTPUT_WRONG = TILE.replace(" [4, 5, 6, 4, 5, 6]]", " [4, 5, 6, 4, 5, 7]]")
UNREADABLE = TILE.replace("[[1, 2, 3],", "[[1, 2, x],")
REFUSED = TILE.replace("{1, 2}", "{1, 0}")
FOREIGN = "struct DML_CAST_OPERATOR_DESC {\n"
STATED = "OutputTensor.Sizes[i] = InputTensor.Sizes[i] + Repeats[i]\n"


def read(page, name="page.md"):
    return read_document(page, name)


def outcome(document, required=(), strict=False):
    return check(document, "", options=Options(strict=strict), required=required).outcome


def exit_code(documents, required=(), strict=False):
    return worst([outcome(document, required, strict) for document in documents])


CODES = {
    "match": (TILE, 0),
    "mismatch": (OUTPUT_WRONG, 1),
    "refused": (REFUSED, 1),
    "unreadable": (UNREADABLE, 2),
    "empty": ("UID: NS:directml.DML_TILE_OPERATOR_DESC\nRepeats: how many copies.\n", 2),
    "foreign": (FOREIGN, None),
    "prose": ("Nothing here.", None),
    "binary": (b"\0", 2),
}


@pytest.mark.parametrize("one", CODES)
@pytest.mark.parametrize("two", CODES)
def test_exit_codes(one, two):
    """In a folder; what has no example counts only where nothing else is there."""
    codes = [code for code in (CODES[one][1], CODES[two][1]) if code is not None]
    reports = [read(CODES[one][0], "1"), read(CODES[two][0], "2")]
    assert exit_code(reports) == (max(codes) if codes else 2)


@pytest.mark.parametrize("name", CODES)
def test_exit_codes_of_pages_that_were_asked_for(name):
    page, code = CODES[name]
    reports = [read(TILE, "1"), read(page, "2")]
    assert exit_code(reports, ["1", "2"]) == (2 if code is None else code)
    assert exit_code(reports, ["folder"]) == (code or 0)


REMARKS = {
    "a finding": TILE.replace("OutputT", "InputT"),
    "a wrong formula": TILE + STATED,
    "a wrong table": f"{TILE}DML_FEATURE_LEVEL_1_0\n\nInputTensor | 4 | FLOAT32, FLOAT16\n",
}


@pytest.mark.parametrize("name", REMARKS)
def test_remarks_count_where_it_is_strict(name):
    found = read(REMARKS[name])
    assert outcome(found).remarks >= 1
    assert exit_code([found]) == 0
    assert exit_code([found], strict=True) == 1
    # what is worse stays worse
    assert exit_code([found, read(UNREADABLE)], strict=True) == 2


def test_what_is_right_is_right_where_it_is_strict():
    assert exit_code([read(TILE), read(FOREIGN)], strict=True) == 0
    assert outcome(read(TILE)).remarks == 0


def test_what_is_wrong_by_itself_is_no_remark():
    for page in (OUTPUT_WRONG, UNREADABLE, REFUSED, TILE.replace("{2, 6}", "{3, 4}")):
        assert outcome(read(page)).remarks == 0


def test_nothing_at_all():
    assert exit_code([]) == 2
