"""An address opens the app in exactly its state; invalid parts are reported and ignored."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

import dmlviz
from dmlviz.states import read_link
from dmlviz.verify import write_example
from tests.app.conftest import address


def opened(explorer, operator, x, **view):
    address = urlsplit(dmlviz.link(operator, x, **view))
    page = address.path.strip("/").replace("-", "_")
    return explorer(page, **dict(parse_qsl(address.query, keep_blank_values=True)))


def test_an_example_for_each_structure_that_does_the_same(explorer):
    x = np.int8([1, 2, 3, 4, 5])
    operator = dmlviz.Slice((1,), (4,), (2,))
    shown = opened(explorer, operator, x)
    trace = dmlviz.run(operator, x)
    (form,) = operator.older_forms
    written = write_example(operator, trace.inputs, trace.outputs, form=form)
    assert written in [block.value for block in shown.at.code]
    back = opened(explorer, dmlviz.Slice((0,), (5,), (-2,)), x)
    assert not any(form.structure in block.value for block in back.at.code)


def test_link_of_the_most_elements(explorer):
    shown = opened(explorer, dmlviz.Tile((2, 2)), np.zeros((64, 64), np.uint8))
    shown.drawn()
    assert "16,384 elements" in shown.check


BAD = [
    ("tile", "data_type", "FLOAT7"),
    ("tile", "values", "nothing"),
    ("tile", "repeats", "1,0,1,1"),
    ("tile", "nonsense", "1"),
    ("depth_to_space", "order", "SIDEWAYS"),
    ("padding", "end_padding", "0,0,1.5,0"),
]
"""How links are read is tested in ``tests/test_states.py``."""


@pytest.mark.parametrize(("page", "name", "value"), BAD)
def test_bad_part_is_said_and_the_good_ones_are_kept(explorer, page, name, value):
    shown = explorer(page, **{"values": "count-0", "data_type": "INT16", name: value})
    assert [f"{name}={value}" in warning for warning in shown.warnings] == [True]
    shown.drawn()
    state = read_link(address(shown)).state
    trace = dmlviz.run(state.operator(), state.inputs())
    assert shown.tensors == write_example(state.operator(), trace.inputs, trace.outputs)


@pytest.mark.parametrize(
    ("page", "name", "value", "part"),
    [
        ("tile", "sizes", "words", 'Sizes: "words"'),
        ("tile", "sizes", "1,0", "dimension 1 is 0"),
        ("tile", "sizes", "1000,1000", "the limit is 65,536"),
        ("depth_to_space", "sizes", "3", "takes 4."),
        ("depth_to_space", "block_size", "5", "BlockSize: 5 does not fit"),
        ("padding", "padding_value", "nine", "is not a number"),
    ],
)
def test_part_that_a_widget_can_hold_is_shown_there_with_its_sentence(
    explorer, page, name, value, part
):
    shown = explorer(page, **{name: value})
    shown.refused(part)
    assert shown.warnings == []
    assert str(shown.value(name)) == value


def test_several_bad_parts_give_a_sentence_each(explorer):
    shown = explorer("tile", a="1", b="2", data_type="x", repeats="0,0", values="count-0")
    shown.drawn()
    assert len(shown.warnings) == 4
    assert shown.value("values") == "count-0"


def test_hundred_bad_parts_do_not_bury_the_page(explorer):
    shown = explorer("tile", **{f"name{i}": "x" for i in range(100)})
    shown.drawn()
    assert 1 <= len(shown.warnings) <= 11


def test_what_is_set_after_a_link_was_opened_stays(explorer):
    shown = explorer("tile", values="count-0", repeats="1,1,2,2")
    shown.set(repeats_2=5)
    shown.drawn()
    assert shown.value("repeats_2") == 5
    shown.at.run()
    assert shown.value("repeats_2") == 5


def test_a_second_link_replaces_the_first(explorer):
    shown = explorer("tile", sizes="5", repeats="2", values="count-0")
    shown.open("tile", sizes="2,3", repeats="3,1", values="count-1")
    shown.drawn()
    assert shown.value("sizes") == "2,3"
    assert "{2, 3}** becomes **{6, 3}" in "".join(shown.texts)


def test_a_link_with_parts_only_means_the_example_for_the_rest(explorer):
    shown = explorer("padding").set(sizes="7", data_type="INT8")
    shown.open("padding", padding_mode="EDGE")
    assert shown.exceptions == []
    assert shown.value("padding_mode") == "EDGE"
