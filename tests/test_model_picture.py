"""The graph of a model as a picture: blocks, what they say, and that nothing of it is cut."""

from xml.etree.ElementTree import fromstring

import pytest

from dmlviz.base.errors import Error
from dmlviz.code import read_model
from dmlviz.code.model_groups import grouped
from dmlviz.picture.shapes import Rectangle, Text
from dmlviz.picture.svg import svg_file
from dmlviz.states import model_picture as drawing
from dmlviz.states.model_picture import model_picture
from tests.code.models import MODELS, model
from tests.code.test_open_sizes import OPEN, choosing

FILES = {**MODELS, **OPEN, "branches": choosing()}


def test_parts_are_between_what_computes():
    graph = read_model(MODELS["attention"]).graph
    assert [(of.level, of.part, of.tensor, of.op_types) for of in graph.blocks] == [
        (0, None, "x", ()),
        (1, None, "", (("MatMul", 1),)),
        (2, 0, "", (("Squeeze", 3), ("Transpose", 2), ("Reshape", 1), ("Split", 1))),
        (3, None, "", (("MatMul", 2), ("Softmax", 1))),
        (4, 1, "", (("Transpose", 1), ("Reshape", 1))),
        (5, None, "y", ()),
    ]
    assert graph.edges == ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5))


def test_what_computes_before_and_after_a_part_are_two_blocks():
    nodes = [
        ("Relu", ["x"], ["a"], {}),
        ("Transpose", ["a"], ["b"], {"perm": [1, 0]}),
        ("Sigmoid", ["a"], ["c"], {}),
        ("MatMul", ["b", "c"], ["d"], {}),
        ("Flatten", ["d"], ["y"], {}),
    ]
    blocks = read_model(model(nodes, {"x": [3, 2]}, ["y"])).graph.blocks
    assert [of.op_types for of in blocks[1:-1]] == [
        (("Relu", 1), ("Sigmoid", 1)),
        (("Transpose", 1),),
        (("MatMul", 1),),
        (("Flatten", 1),),
    ]


@pytest.mark.parametrize("name", FILES)
def test_every_node_is_in_a_block_and_every_block_in_the_picture(name):
    read = read_model(FILES[name])
    blocks = read.graph.blocks
    assert sum(n for of in blocks for _op, n in of.op_types) == read.nodes - read.folded
    assert sorted(of.part for of in blocks if of.part is not None) == [*range(len(read.parts))]
    made = model_picture(read, grouped(read.parts))
    boxes = [shape for shape in made.layers[1].shapes if isinstance(shape, Rectangle)]
    assert len(boxes) == len(blocks)
    corners = {(box.x, box.y) for box in boxes}
    assert len(corners) == len(boxes)
    for box in boxes:
        assert 0 <= box.x <= box.x + box.wide <= made.width
        assert 0 <= box.y <= box.y + box.high <= made.height
    words = " ".join(shape.text for shape in made.layers[1].shapes if isinstance(shape, Text))
    for number, part in enumerate(read.parts, 1):
        assert f"{number}. " in words
        for sizes in (*part.input_sizes.values(), *part.output_sizes.values()):
            assert ", ".join(map(str, sizes)) in words
    for shape in made.layers[1].shapes:
        if isinstance(shape, Text):
            assert len(shape.text) <= 30
    assert fromstring(svg_file(made)).tag.endswith("svg")


def test_a_picture_has_a_limit_of_blocks(monkeypatch):
    monkeypatch.setattr(drawing, "BLOCK_LIMIT", 3)
    with pytest.raises(Error, match="would have 6 blocks; at most 3"):
        model_picture(read_model(MODELS["attention"]), ())
