import json
import re

from dmlviz.operators import short_names
from dmlviz.verify import (
    as_lines,
    as_markdown,
    check,
    document_data,
    read_document,
)
from tests.verify.pages import TILE

OUTPUT_WRONG = TILE.replace(" [4, 5, 6, 4, 5, 6]]", " [4, 5, 6, 4, 5, 7]]")
UNREADABLE = TILE.replace("[[1, 2, 3],", "[[1, 2, x],")
REFUSED = TILE.replace("{1, 2}", "{1, 0}")
FOREIGN = "struct DML_CAST_OPERATOR_DESC {\n"
STATED = "OutputTensor.Sizes[i] = InputTensor.Sizes[i] + Repeats[i]\n"


def report(page, name="page.md", engines=("numpy",)):
    return check(read_document(page, name), page, engines)


NOTHING = {
    kind: {"checked": 0, "unchecked": []}
    for kind in ("examples", "tables", "formulas", "introductions", "python")
}


def test_data():
    """The shape that scripts depend on."""
    data = [document_data(report(OUTPUT_WRONG)), document_data(report(FOREIGN, "cast.md"))]
    assert json.loads(json.dumps(data)) == data
    assert data == [
        {
            "file": "page.md",
            "operator": "DML_OPERATOR_TILE",
            "problem": "",
            "examples": [
                {
                    "title": "Example 1",
                    "line": 2,
                    "status": "mismatch",
                    "engine": "numpy",
                    "message": (
                        "line 8: out[1, 5] is 7 on the page, but the engine gives 6; 1 of 12 elements "
                        "differ."
                    ),
                    "first_difference": {
                        "tensor": "OutputTensor",
                        "index": [1, 5],
                        "expected": "7",
                        "actual": "6",
                        "line": 8,
                    },
                    "differing": {"OutputTensor": [[1, 5]]},
                    "differing_count": 1,
                }
            ],
            "findings": [],
            "statements": [],
            "checked": {**NOTHING, "examples": {"checked": 1, "unchecked": []}},
            "unchecked": [],
            "problems": [
                {
                    "code": "DOC101",
                    "name": "output-differs",
                    "severity": "error",
                    "line": 8,
                    "column": 2,
                    "end_line": 8,
                    "end_column": 21,
                    "message": (
                        "line 8: out[1, 5] is 7 on the page, but the engine gives 6; 1 of 12 elements "
                        "differ."
                    ),
                }
            ],
        },
        {
            "file": "cast.md",
            "operator": "DML_OPERATOR_CAST",
            "problem": "DML_CAST_OPERATOR_DESC is not an operator that dmlviz knows.",
            "examples": [],
            "findings": [],
            "statements": [],
            "checked": NOTHING,
            "unchecked": [],
            "problems": [],
        },
    ]


def test_data_of_what_has_no_difference():
    for page in (TILE, UNREADABLE, REFUSED):
        (example,) = document_data(report(page))["examples"]
        assert example["first_difference"] is None
        assert example["differing"] == {}


def test_data_of_an_element_that_the_page_does_not_have():
    (example,) = document_data(report(TILE.replace("{1, 2}", "{2, 1}")))["examples"]
    assert example["first_difference"] == {
        "tensor": "OutputTensor",
        "index": [2, 0],
        "expected": None,
        "actual": "1",
        "line": None,
    }
    assert example["differing"] == {"OutputTensor": [[r, c] for r in (2, 3) for c in range(3)]}


def test_data_of_findings_and_statements():
    data = document_data(report(TILE.replace("OutputT", "InputT") + STATED))
    assert data["findings"] == [{"line": 6, "message": "the second InputTensor is the output."}]
    (said,) = data["statements"]
    assert (said["line"], said["agrees"]) == (9, False)
    assert said["message"].startswith("OutputTensor.Sizes[i] = InputTensor.Sizes[i] + Repeats[i]: ")


def test_lines():
    lines = as_lines(report(OUTPUT_WRONG.replace("OutputT", "InputT") + STATED))
    assert lines[0] == "page.md  DML_TILE_OPERATOR_DESC"
    assert lines[1].startswith("  mismatch   numpy             Example 1: line 8: out[1, 5] is 7")
    assert lines[2] == "  found: line 6: the second InputTensor is the output."
    assert lines[3].startswith("  wrong: line 9: OutputTensor.Sizes[i] = ")
    assert len(lines) == 4
    assert as_lines(report(FOREIGN)) == [
        "page.md: DML_CAST_OPERATOR_DESC is not an operator that dmlviz knows."
    ]
    misspelt = as_lines(report(FOREIGN.replace("CAST", "TLE")))
    assert misspelt[1] == (
        f"  DML_TLE_OPERATOR_DESC is not supported yet; dmlviz has {', '.join(short_names())}."
    )
    assert as_lines(report("", ""))[0] == "page  no operator"


def test_no_sign_of_a_page_commands_the_terminal():
    page = TILE.replace("Repeats", "Example 1 \x1b[2J\x1b]0;x\x07\x9b31m\u202e\n\nRepeats")
    for line in as_lines(report(page)):
        assert line.isprintable()


HOSTILE = (
    "### Example 1 <img src=x onerror=a()> [a](javascript:b) | `c` **d** ~~e~~ &lt;u&gt; http://x.y"
)


def test_markdown():
    lines = as_markdown(report(OUTPUT_WRONG)).splitlines()
    assert lines[0] == "## page.md"
    assert lines[2] == "| Example | Engine | Result | Details |"
    assert lines[4].startswith("| Example 1 | numpy | mismatch | line 8: out\\[1, 5\\] is 7 on ")
    assert as_markdown(report(FOREIGN)).splitlines()[0] == "## page.md"


def test_no_markup_of_a_page_in_markdown():
    page = OUTPUT_WRONG.replace("Repeats", f"{HOSTILE}\n\nRepeats")
    told = as_markdown(report(page, "<b>*a*</b>|.md"))
    assert "Example 1" in told
    rows = [line for line in told.splitlines() if line.startswith("| Example 1")]
    assert len(rows) == 1
    assert len(re.findall(r"(?<!\\)\|", rows[0])) == 5
    bare = re.sub(r"\\[\\`*_\[\]<>|#!~&:.]", "", told)
    bare = bare.replace("| --- | --- | --- | --- |", "").removeprefix("## ")
    assert not re.search(r"[`*_\[\]<>#!~&]|://", bare)
