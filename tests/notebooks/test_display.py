"""What a notebook shows of a value at the end of a cell."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import dmlviz
from dmlviz.base.display import Displayed
from dmlviz.code import compared
from dmlviz.picture.svg import svg
from dmlviz.tensors import one_line
from tests.code.models import MODELS

X = np.arange(1, 7, dtype=np.float32).reshape(2, 3)


def displayed(value):
    """What IPython's own formatter makes of it: data by type."""
    formatters = pytest.importorskip("IPython.core.formatters", reason="pip install ipython")
    data, _metadata = formatters.DisplayFormatter().format(value)
    return data


@pytest.fixture
def run():
    return dmlviz.code("x.T.reshape(6)", x=(2, 3))


def test_a_run_is_its_picture(run):
    for trace in (dmlviz.run(dmlviz.Tile((1, 2)), X), run):
        data = displayed(trace)
        assert data.keys() == {"image/svg+xml", "text/plain"}
        assert data["image/svg+xml"] == svg(dmlviz.scene(trace))
        ElementTree.fromstring(data["image/svg+xml"])
    assert data["text/plain"].splitlines() == [
        "x.T.reshape(6)",
        "x {2, 3}  ->  out {6}",
        "NumPy: 6 elements, each equal to its source.",
        run.formula,
    ]


def test_a_chain_is_the_picture_of_its_run_on_values_that_count(run):
    assert displayed(run.chain)["image/svg+xml"] == displayed(run)["image/svg+xml"]
    assert displayed(run.chain)["text/plain"] == f"x.T.reshape(6)\n{run.formula}"
    # the tensors of the first call, not those of the whole code
    first = displayed(run.steps[0])
    assert first["image/svg+xml"] == svg(dmlviz.scene(run.steps[0].trace))
    assert "x {2, 3}  ->  t1 {3, 2}" in first["text/plain"]


def test_a_comparison_is_both_pictures(run):
    other = dmlviz.code("x.T[::-1].reshape(6)", x=(2, 3))
    data = displayed(compared(run.chain, other.chain))
    assert data.keys() == {"text/html", "text/plain"}
    assert re.findall("<figcaption>(.): <code>(.*?)</code>", data["text/html"]) == [
        ("A", "x.T.reshape(6)"),
        ("B", "x.T[::-1].reshape(6)"),
    ]
    assert data["text/html"].count('" src="data:image/svg+xml;base64,') == 2
    assert data["text/plain"].splitlines() == [
        "A: x.T.reshape(6)",
        "B: x.T[::-1].reshape(6)",
        "The first call gives the same tensor in both.",
    ]
    same = displayed(compared(run.chain, run.chain))
    assert same["text/plain"].endswith("\nA and B give the same output, all 6 elements.")


def test_code_in_a_picture_of_a_comparison_is_no_markup():
    one, two = (dmlviz.code(f"x.T  # <b>{n}", x=(2, 3)) for n in (1, 2))
    html = displayed(compared(one.chain, two.chain))["text/html"]
    assert "&lt;b&gt;1" in html
    assert "<b>" not in html


def test_what_cannot_be_drawn_is_text_that_says_why():
    for trace, words in (
        (dmlviz.run(dmlviz.Tile((200, 300)), X), "the limit is 65,536."),
        (dmlviz.code("x.T", x=(250, 250)), "The picture is too large for a notebook;"),
    ):
        data = displayed(trace)
        assert data.keys() == {"text/plain"}
        assert words in data["text/plain"].splitlines()[-1]
        assert len(data["text/plain"]) < 400


def test_a_model_is_a_list_of_its_parts_and_a_part_is_a_picture():
    read = dmlviz.code(MODELS["constants"])
    assert displayed(read) == {"text/plain": f"1. {one_line(read.parts[0].text)}"}
    data = displayed(read.parts[0])
    assert data["image/svg+xml"] == svg(dmlviz.scene(read.parts[0].run()))
    assert data["text/plain"] == read.parts[0].text


def _kinds(kind=Displayed):
    return {kind, *(each for below in kind.__subclasses__() for each in _kinds(below))}


def test_a_prompt_shows_one_line_of_everything_that_a_notebook_shows(run):
    large = dmlviz.run(dmlviz.Tile((200, 100)), X)
    other = dmlviz.code("x.T[::-1].reshape(6)", x=(2, 3))
    model = dmlviz.code(MODELS["constants"])
    both = dmlviz.between(X, X.T)
    moved = dmlviz.observed(np.transpose, x=(2, 3))
    lines = {
        "<Trace: TILE: Repeats=[200, 100]; OutputTensor {400, 300}; numpy>": large,
        '<ChainTrace: "x.T.reshape(6)"; out {6}; numpy>': run,
        '<Chain: "x.T.reshape(6)"; out {6}>': run.chain,
        '<CodeStep: ".T"; t1 {3, 2}; numpy>': run.steps[0],
        '<Comparison: "x.T.reshape(6)" == "x.T.reshape(6)">': compared(run.chain, run.chain),
        '<Comparison: "x.T.reshape(6)" != "x.T[::-1].reshape(6)">': compared(
            run.chain, other.chain
        ),
        f'<Between: x {{2, 3}}  ->  {{3, 2}}; "{both.same_as[0]}"; missing=0, ambiguous=0>': both,
        f'<Observed: out {{3, 2}}; "{moved.same_as[0]}">': moved,
    }
    assert [repr(value) for value in lines.values()] == list(lines)
    # those that are not shown above, too
    assert all(kind.__repr__ is Displayed.__repr__ for kind in _kinds())
    assert repr(dmlviz.scene(run)) == f"<Scene: {run!r}>"
    for value in (model, *model.parts):
        assert "\n" not in repr(value)
        assert len(repr(value)) < 250
    many = repr(dmlviz.run(dmlviz.Split(axis=1, parts=(1,) * 8), np.zeros((2, 8))))
    assert many.endswith("…>")
    assert len(many) < 250
