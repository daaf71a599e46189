"""Jupyter notebooks: read by the lines of their file, or said to be on one line."""

import json

import pytest

from dmlviz.verify import read_document, verify
from tests.verify.pages import TILE


def notebook(*sources, indent=1):
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}
        for text in sources
    ]
    outputs = {"cell_type": "code", "outputs": [{"text": ["Repeats: {9}\n"]}], "source": []}
    return json.dumps({"cells": [outputs, *cells], "metadata": {}, "nbformat": 4}, indent=indent)


@pytest.mark.parametrize("name", ["a.ipynb", "A.IPYNB", ""])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_the_lines_are_those_of_the_file(name, ending):
    wrong = TILE.replace(" 4, 5, 6]]", " 4, 5, 7]]")
    page = notebook("# Tile\n\nText.", wrong).replace("\n", ending)
    (verdict,) = verify(read_document(page, name))
    assert "4, 5, 7]]" in page.split(ending)[verdict.first_difference.line - 1]
    right = notebook(*TILE.split("Output", 1)).replace('"Tensor', '"OutputTensor')
    assert [v.status for v in verify(read_document(right, name))] == ["match"]


ONE_LINE = {
    "all of it": notebook(TILE, indent=None),
    "a cell as one string": '{\n"nbformat": 4,\n"cells": [{\n"source": '
    + json.dumps(TILE)
    + "\n}]}",
    "a cell's list": '{"nbformat": 4,\n"cells": [{\n"source": '
    + json.dumps(TILE.splitlines(keepends=True))
    + "\n}]}",
}


@pytest.mark.parametrize("name", ONE_LINE)
def test_several_lines_on_one(name):
    document = read_document(ONE_LINE[name], "a.ipynb")
    assert document.unreadable
    assert "of this notebook holds several lines of a cell" in document.problem
    line = (
        1
        if name == "all of it"
        else ONE_LINE[name][: ONE_LINE[name].index('"source')].count("\n") + 1
    )
    assert f"line {line} " in document.problem


def test_one_that_is_about_something_else():
    document = read_document(notebook("a\nb", indent=None), "a.ipynb")
    assert (document.examples, document.unreadable, document.lacks_examples) == ((), False, False)


@pytest.mark.parametrize(
    "page",
    [
        *("", "{", "[]", "1", '{"cells": 3}', '{"cells": [3]}', '{"worksheets": [{}]}'),
        *('{"cells": [{"source": [1]}]}', "[" * 99_999, TILE),
    ],
)
def test_what_is_no_notebook(page):
    document = read_document(page, "a.ipynb")
    assert document.unreadable
    assert document.problem == "page: this is not a Jupyter notebook: its JSON cannot be read."


def test_an_older_version():
    page = '{"nbformat": 3, "worksheets": [{"cells": [{\n"source": [\n' + ",\n".join(
        json.dumps(line) for line in TILE.splitlines(keepends=True)
    )
    document = read_document(page + "\n]}]}]}", "a.ipynb")
    assert [(v.status, v.example.line) for v in verify(document)] == [("match", 4)]
