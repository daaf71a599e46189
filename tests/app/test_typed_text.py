"""The boxes whose text the browser keeps: every text area, and the titles."""

from __future__ import annotations

import ast
import json
from pathlib import Path

from dmlviz.app import class_draft, typed_text
from dmlviz.base.errors import Error
from dmlviz.teaching.sets import SET, ClassSet, SetPart, StateQuestion, write_set

APP = Path(typed_text.__file__).parent
CODE = "/code?code=x.T&sizes=x:2,3"
BY_THEIR_ROWS = {("form_widgets.py", "_lines")}
"""The rows of a form are kept by their kind."""


def called(function, name):
    """Whether a function calls what has this name."""
    return any(
        isinstance(part, ast.Call) and ast.unparse(part.func).rpartition(".")[2] == name
        for part in ast.walk(function)
    )


def test_every_text_area_of_the_app_keeps_its_text():
    functions = {
        (path.name, part.name): part
        for path in APP.glob("*.py")
        for part in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(part, ast.FunctionDef)
    }
    areas = {place for place, function in functions.items() if called(function, "text_area")}
    assert len(areas) >= 7
    assert {place for place in areas if not called(functions[place], "kept_text")} == BY_THEIR_ROWS


def saved(session):
    """What the browser is told: by the names of the boxes on the page, the texts that are saved."""
    components = [one.proto for one in session.at.get("bidi_component")]
    sent = [json.loads(one.json) for one in components if one.component_name.endswith("typed_text")]
    boxes = sent[0]["boxes"] if sent else {}
    assert {area.key for area in session.at.text_area} <= boxes.keys()
    return {box["name"]: set(box["saved"]) for box in boxes.values()}


def test_lines_of_a_form_are_saved_when_the_address_has_them(session):
    page = session.open("code", code="x[i]", sizes="x:6;i:2", compare="x.T")
    assert saved(page) == {"code": {"x[i]"}, "compare": {"x.T"}, "i.literal": {"1,0"}}
    page.set(i_literal="[ 1, 2 ]")
    assert saved(page)["i.literal"] == {"[ 1, 2 ]"}
    # while something is refused the page has no address
    page.set(i_literal="1, two")
    page.set(code="x[i][::-1]")
    assert not any(saved(page).values())


def test_only_the_fragment_follows_code_that_is_drawn(session):
    page = session.open("code", code="x.T", sizes="x:2,3")
    page.widget("code").set_value("x.flatten()").run()
    # the box itself is not drawn again
    assert not page.at.text_area
    assert saved(page)["code"] == {"x.flatten()"}


def test_a_class_saves_what_its_fields_have(session):
    question = SetPart(StateQuestion(CODE, "choice"), 3)
    page = session.open("my_class", **{SET: write_set(ClassSet("Layouts", (question,)))})
    of_part = ("notes", "prompt", "choices", "reveal", "following")
    assert saved(page) == {"title": set(), **{f"{name} 0": set() for name in of_part}}
    (title,) = (box for box in page.at.text_input if box.label == "Title")
    title.set_value("  My  class ").run()
    (notes,) = (box for box in page.at.text_area if box.label == "Notes for yourself")
    notes.set_value("Ask first.").run()
    told = saved(page)
    assert [told["title"], told["notes 0"]] == [{"  My  class "}, {"Ask first."}]


def test_a_class_that_no_address_holds_saves_nothing(session, monkeypatch):
    def refuse(_chosen):
        raise Error("The class is too long for an address.")

    page = session.open("my_class", **{SET: write_set(ClassSet("Layouts"))})
    (title,) = (box for box in page.at.text_input if box.label == "Title")
    monkeypatch.setattr(class_draft, "write_set", refuse)
    title.set_value("Other").run()
    assert saved(page)["title"] == set()


def test_an_operators_page_has_a_box_for_values_alone(session):
    assert saved(session.open("tile")) == {}
    assert saved(session.open("tile", sizes="1,1,1,2", values="own", literal="[[[[1,2]]]]")) == {
        "literal": {"[[[[1, 2]]]]"}
    }
