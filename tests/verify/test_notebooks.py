"""Jupyter notebooks: read by the lines of their file, or said to be on one line."""

import json

import pytest

from dmlviz.verify import check, read_document, verify
from dmlviz.verify.fixes import corrected
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


def code(source, *outputs):
    cell = {"cell_type": "code", "execution_count": 1, "metadata": {}}
    return cell | {"outputs": [*outputs], "source": source.splitlines(keepends=True)}


def result(text):
    data = {"text/plain": text.splitlines(keepends=True), "image/png": "iVBORw0KGgo="}
    return {"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": 1}


def stream(text, name="stdout"):
    return {"output_type": "stream", "name": name, "text": text.splitlines(keepends=True)}


CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": ["# Part 1\n", "\n", "`x` is small."]},
    code("%matplotlib inline\n!pip install x\nimport numpy as np\nx = np.arange(6).reshape(2, 3)"),
    {"cell_type": "markdown", "metadata": {}, "source": ["## Part 2"]},
    code(
        "# both\nprint(x[:, ::-1])\nx.T",
        stream("UserWarning: [9 9]\n", "stderr"),
        stream("[[2 1 0]\n [5 4 3]]\n"),
        result("array([[0, 3],\n       [1, 4],\n       [2, 5]])"),
    ),
    code('"\\té", x.ravel()[0]\nx[1]', result("array([3, 4, 5])")),
    code("print(x.T.shape, 'of', x.shape)\nx.T.shape, x.shape", result("((3, 2), (2, 3))")),
]


def with_cells(cells, **kwargs):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, **{"indent": 1} | kwargs)


def verdicts(page):
    return [(v.example.title, v.status) for v in verify(read_document(page, "a.ipynb"))]


@pytest.mark.parametrize(
    "kwargs", [{}, {"sort_keys": True}, {"indent": None}, {"ensure_ascii": False, "indent": 4}]
)
def test_cells_of_code_are_checked_against_their_outputs(kwargs):
    page = with_cells(CELLS, **kwargs)
    assert verdicts(page) == [
        ("print(x[:, ::-1])", "match"),
        ("x.T", "match"),
        ("x[1]", "match"),
        ("(x.T.shape, x.shape)", "match"),
    ]
    assert not read_document(page, "a.ipynb").unchecked


@pytest.mark.parametrize(
    ("old", "new", "title"),
    [
        (" [5 4 3]]", " [5 4 7]]", "print(x[:, ::-1])"),
        ("[2, 5]])", "[2, 6]])", "x.T"),
        ("array([3, 4, 5])", "array([3, 4, 4])", "x[1]"),
        ("((3, 2), (2, 3))", "((3, 2), (3, 2))", "(x.T.shape, x.shape)"),
    ],
)
@pytest.mark.parametrize("sort_keys", [False, True])
def test_a_wrong_output_is_found_on_its_line(old, new, title, sort_keys):
    page = with_cells(CELLS, sort_keys=sort_keys)
    assert page.count(old) == 1
    wrong = page.replace(old, new)
    document = read_document(wrong, "a.ipynb")
    (verdict,) = (v for v in verify(document) if v.status != "match")
    assert (verdict.example.title, verdict.status) == (title, "mismatch")
    assert new in wrong.splitlines()[verdict.line - 1]
    if "shape" in title:
        return
    report = check(document, wrong)
    assert json.loads(corrected(wrong, report, ["numpy"], values=True)) == json.loads(page)
    assert corrected(wrong, report, ["numpy"], values=True) == page


def test_a_number_behind_an_escaped_sign_stays_as_it_is():
    cells = [
        code("x = np.arange(3)"),
        code("x[::-1]", {**result("array([2, 1, 1])"), "note": "\t"}),
    ]
    page = with_cells(cells).replace('"array([2', '"\\u0061rray([2')
    document = read_document(page, "a.ipynb")
    assert [v.status for v in verify(document)] == ["mismatch"]
    assert corrected(page, check(document, page), ["numpy"], values=True) is None


@pytest.mark.parametrize(
    "cells",
    [
        [7],
        [{"cell_type": "code", "source": [7]}],
        [{"cell_type": "code", "source": "x", "outputs": 3}],
        [{"cell_type": "code", "source": "x", "outputs": [{"data": []}]}],
        [{"cell_type": "code", "source": "x", "outputs": [{"data": {"text/plain": {}, "a": 1}}]}],
    ],
)
def test_cells_that_are_none_are_no_error(cells):
    document = read_document(with_cells(cells), "a.ipynb")
    assert not document.examples
    assert document.problem


def test_deep_json_is_refused():
    page = '{"nbformat": 4, "cells": ' + "[" * 100_000
    assert "cannot be read" in read_document(page, "a.ipynb").problem
