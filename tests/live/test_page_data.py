"""The types of ``picture/js/page_data.js`` have what Python sends, and nothing else."""

import re
from dataclasses import fields

import pytest

from dmlviz.live.page import view_of_state
from dmlviz.picture.files import module
from dmlviz.states import first_state
from dmlviz.states.controls import FormControl, FormField, FormGroup

CONTROL = FormControl("menu", ("a",), ("A",), True, 0, 2, 1, 9, (2,))
ROW = FormField("a", "A", "", (CONTROL,), values=("1",), leads=True, unavailable="Not now.")
PLAIN_CONTROL = FormControl("switch")
PLAIN_ROW = FormField("a", "A", "", (PLAIN_CONTROL,), values=("1",))


def properties(name):
    """The properties of a type: whether each is optional, by name."""
    text = module("page_data").read_text(encoding="utf-8")
    (body,) = re.findall(rf"@typedef {{object}} {name}\b(.*?)\*/", text, re.DOTALL)
    found = re.findall(r"@property {.*} (\[?)(\w+)", body)
    return {prop: bracket == "[" for bracket, prop in found}


@pytest.mark.parametrize(
    ("name", "full", "least"),
    [
        ("Control", CONTROL.data(), PLAIN_CONTROL.data()),
        ("Row", ROW.data(), PLAIN_ROW.data()),
        ("Group", FormGroup("A", (ROW,)).data(), FormGroup("", (PLAIN_ROW,)).data()),
        ("Page", view_of_state(first_state("tile")), view_of_state(first_state("tile"))),
    ],
)
def test_a_type_has_the_names_that_python_sends(name, full, least):
    declared = properties(name)
    assert declared.keys() == full.keys()
    assert {one for one, optional in declared.items() if not optional} == least.keys()


def test_the_rows_above_have_everything_that_can_be_declared():
    assert CONTROL.data().keys() == {one.name for one in fields(FormControl)}
    # a grid's texts are sent as values; what a row says of its tensor and of its problems is for
    # Python, which makes the whole form again after each change
    for_python = {"later", "title", "tensor", "problems_of", "is_sizes", "is_number", "picture"}
    assert ROW.data().keys() == {one.name for one in fields(FormField)} - for_python
