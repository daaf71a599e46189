"""A public function that gets something else than it takes says so in one sentence."""

import numpy as np
import pytest

import dmlviz
from dmlviz.code import LIBRARIES as READ

X = np.arange(6, dtype=np.float32).reshape(2, 3)
OPERATOR = dmlviz.Tile((1, 2))
RUN = dmlviz.run(OPERATOR, X)
CODE = dmlviz.code("x.T", x=(2, 3))
NO_RUN = "is not a run, which dmlviz.run and dmlviz.code return."
NO_OPERATOR = "is not an operator with its settings, such as dmlviz.Tile(repeats=(1, 2))."
NO_CODE = "is not code; it must be a text, or the path or the bytes of an ONNX model."
LIBRARIES = ", ".join(READ)


@pytest.mark.parametrize("draw", ["player", "figure", "scene", "widget"])
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (OPERATOR, "Tile(repeats=(1, 2))"),
        (None, "None"),
        ("x.T", '"x.T"'),
        (dmlviz.Tile, "<class 'dmlviz.operators.tile.Tile'>"),
    ],
)
def test_only_a_run_is_drawn(draw, value, text):
    if draw == "widget":
        pytest.importorskip("anywidget", reason="pip install -r requirements-dev.txt")
    with pytest.raises(dmlviz.Error) as raised:
        getattr(dmlviz, draw)(value)
    assert (str(raised.value), raised.value.field) == (f"trace: {text} {NO_RUN}", "trace")


CALLS = {
    "an operator alone": (lambda: dmlviz.run(OPERATOR), "x: InputTensor is missing."),
    "a link without a tensor": (lambda: dmlviz.link(OPERATOR), "x: InputTensor is missing."),
    "no operator": (lambda: dmlviz.run(None, X), f"operator: None {NO_OPERATOR}"),
    "a class": (
        lambda: dmlviz.run(dmlviz.Tile, X),
        f"operator: <class 'dmlviz.operators.tile.Tile'> {NO_OPERATOR}",
    ),
    "a link of nothing": (lambda: dmlviz.link(None, X), f"operator: None {NO_OPERATOR}"),
    "no code": (lambda: dmlviz.code(None), f"source: None {NO_CODE}"),
    "an operator as code": (
        lambda: dmlviz.code(OPERATOR),
        f"source: Tile(repeats=(1, 2)) {NO_CODE}",
    ),
    "a number for a library": (
        lambda: dmlviz.code("x.T", 5, x=(2, 3)),
        f"library: 5 is not one of {LIBRARIES}.",
    ),
    "a text for a step": (
        lambda: dmlviz.figure(RUN, "a"),
        'step: "a" is invalid; it must be from 0 to 2.',
    ),
    "a step that is no number": (
        lambda: dmlviz.figure(RUN, float("nan")),
        "step: nan is invalid; it must be from 0 to 2.",
    ),
    "a number for a look": (
        lambda: dmlviz.player(RUN, 3),
        'look: 3 is not a mapping, such as {"step": 2}.',
    ),
    "a text for directions": (
        lambda: dmlviz.player(RUN, directions="down"),
        'directions: "down" is not a mapping, such as {0: "down"}.',
    ),
    "a number for plotly.js": (
        lambda: dmlviz.player(RUN).html(3),
        "plotly is 3; it must be 'inline', 'packed', or the address of plotly.min.js, such as "
        "'plotly.min.js' or 'https://...'.",
    ),
    "nowhere to save": (
        lambda: dmlviz.player(RUN).save(None),
        "file: None is not the path of a file.",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_is_not_taken_is_one_sentence(name):
    call, sentence = CALLS[name]
    with pytest.raises(dmlviz.Error) as raised:
        call()
    assert str(raised.value) == sentence


def test_a_step_of_numpy_is_a_step():
    """Counts and positions often come from arrays."""
    from dmlviz.picture.svg import svg

    assert dmlviz.figure(CODE, np.int64(1)) == dmlviz.figure(CODE, 1)
    assert svg(dmlviz.scene(CODE), np.int64(1)) == svg(dmlviz.scene(CODE), 1)
