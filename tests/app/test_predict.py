"""The switch that hides the output, as the server sees it."""

from __future__ import annotations

import math

import pytest

import dmlviz
from dmlviz.states import read_link


def switch(shown, name="predict"):
    (found,) = [t for t in shown.at.toggle if t.key == f"{shown.page}_{name}"]
    return found


@pytest.mark.slow
def test_off_at_first_and_the_questions_when_on(each):
    (before,) = each.stages
    assert before["options"]["predict"] is None
    assert each.check
    switch(each).set_value(True).run()
    assert each.exceptions == []
    (stage,) = each.stages
    asked = stage["options"]["predict"]
    assert stage["identity"] != before["identity"], "the player has to hear of it"
    assert stage["payload"] == before["payload"]
    assert [c["why"] for c in asked["choices"]].count("") == bool(asked["choices"])
    count = sum(math.prod(t["sizes"]) for t in stage["payload"]["output"]["tensors"])
    # without an input, each value that no setting says is asked for once
    copied = bool(stage["payload"]["input"]["tensors"])
    assert len(asked["cells"]) == min(5, count) or not copied
    assert asked["cells"] or asked["choices"]
    # nothing beside the stage gives the output away
    assert [len(each.at.code), len(each.at.table)] == [0, 0]
    assert not any("** becomes **" in text for text in each.texts)
    assert each.at.query_params["predict"] == "true"
    switch(each.whole()).set_value(False).run()
    assert each.stages == [before]
    assert each.check
    assert "predict" not in each.at.query_params


def test_a_link_opens_with_questions(explorer):
    address = dmlviz.link(dmlviz.Tile((2,)), [1, 2, 3], predict=True)
    assert address.endswith("&predict=true")
    opened = read_link(address)
    assert opened.problems == ()
    assert opened.state.view.predict
    words = dict(part.split("=") for part in address.partition("?")[2].split("&"))
    shown = explorer("tile", **words)
    assert switch(shown).value is True
    (stage,) = shown.stages
    assert [q["value"] for q in stage["options"]["predict"]["cells"]]
    (problem,) = read_link("/tile?predict=perhaps").problems
    assert "predict=perhaps" in problem.message
    assert "true, false" in problem.message


def test_not_while_two_are_compared(explorer):
    shown = explorer("depth_to_space", predict="true")
    switch(shown, "compare").set_value(True).run()
    assert switch(shown).disabled
    assert [stage["options"]["predict"] for stage in shown.stages] == [None]
    switch(shown, "compare").set_value(False).run()
    assert not switch(shown).disabled
    (stage,) = shown.stages
    assert stage["options"]["predict"] is not None


def test_an_embedded_stage_asks_too(session):
    session.at.context["is_embedded"] = True
    session.open("tile", predict="true")
    assert session.exceptions == []
    (stage,) = session.stages
    assert stage["options"]["predict"]["cells"]
