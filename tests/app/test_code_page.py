"""The page for code in one session."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dmlviz.teaching.code_presets import code_presets
from tests.app.conftest import HOSTILE
from tests.code.models import MODELS, model

REPEAT = "x.repeat(2, 1)"


def type_code(session, text):
    return session.set(code=text)


def address_of(session):
    found = dict(session.at.query_params)
    return {name: text[0] if isinstance(text, list) else text for name, text in found.items()}


def strip(session):
    (stage,) = session.stages
    return stage["payload"]["strip"]


def test_a_new_page_shows_the_first_preset(session):
    session.open("code")
    assert session.exceptions == []
    preset = code_presets()[0]
    assert session.value("code") == preset.state.code
    assert f"**{preset.question}**" in session.texts
    assert [tensor["text"] for tensor in strip(session)["tensors"]] == [
        "",
        ".reshape(2, 3, 4)",
        ".permute(0, 2, 1)",
    ]
    assert session.check == "NumPy: 24 elements, each equal to its source."


def test_typed_code_finds_its_tensors(session):
    session.open("code")
    type_code(session, "np.take(x, i, axis=1)")
    assert session.exceptions == []
    assert (session.value("x_sizes"), session.value("i_sizes")) == ("2, 12", "2")
    assert session.value("i_literal") == "1,0"
    assert session.output == ["2", "1", "14", "13"]
    assert address_of(session) == {
        "code": "np.take(x, i, axis=1)",
        "library": "numpy",
        "sizes": "x:2,12;i:2",
        "controls": "i:1,0",
    }
    session.set(i_literal="[11, 0]")
    assert session.output == ["12", "1", "24", "13"]
    session.set(x_sizes="1, 12", x_values="count-0")
    assert session.output == ["11", "0"]


def test_sizes_that_change_with_the_code_are_said(session):
    def notes():
        return [each.value for each in session.at.info if "to fit the code" in each.value]

    session.open("code")
    type_code(session, "x.reshape(5, 5)")
    assert notes() == ["Sizes of x: {2, 12} before, {25} now, to fit the code."]
    type_code(session, "x.reshape(5, 5).T")
    assert notes() == []
    type_code(session, "x.reshape(7, 7)")
    assert len(notes()) == 1
    session.set(x_sizes="49, 1")
    assert notes() == []


def reported_before(session, **typed):
    """A run with what a browser reports that has not received the last answer."""

    # they would be those of the session as it is when they are read
    states = session.at._tree.get_widget_states()
    for name, text in typed.items():
        (box,) = (one for one in states.widgets if one.id.endswith(f"-code_{name}"))
        box.string_value = text

    def report():
        session.at._run(states)
        session.whole()

    return report


def test_a_report_from_before_an_example_was_opened_does_not_undo_it(session):
    session.open("code", code="x.reshape(3, 2).softmax(-1)", sizes="x:2,3")
    report = reported_before(session, preset="negative-step", x_sizes="4, 5")
    session.set(preset="negative-step")
    assert session.value("x_sizes") == "3, 4"
    report()
    assert (session.value("code"), session.value("x_sizes")) == ("x[::-1, 1:]", "4, 5")
    assert session.value("library") == "numpy"
    assert address_of(session)["sizes"] == "x:4,5"
    # what was typed is no setting to change back
    session.set(code="x[:, ::-1]")
    assert session.value("x_sizes") == "4, 5"


def test_what_an_example_had_before_can_be_typed_when_its_answer_is_there(session):
    session.open("code", code="x[::-1]", sizes="x:2,3")
    session.set(preset="negative-step")
    session.set(x_sizes="2, 3")
    assert (session.value("code"), session.value("x_sizes")) == ("x[::-1, 1:]", "2, 3")


def test_a_late_report_of_the_picker_does_not_open_the_example_again(session):
    session.open("code")
    session.set(preset="negative-step")
    report = reported_before(session, x_sizes="5, 4")
    # one run alone: the next would say that its answer was received
    session.widget("x_sizes").set_value("4, 5").run()
    assert session.value("preset") is None
    report()
    assert (session.value("code"), session.value("x_sizes")) == ("x[::-1, 1:]", "5, 4")


def test_what_moves_around_what_computes_is_opened(session):
    session.open("code")
    type_code(session, "attn = (q @ k.transpose(-2, -1)) * scale\nout = attn.flatten()")
    assert "computes new values" in session.errors[0]
    assert (session.value("q_sizes"), session.value("k_sizes")) == ("2, 3", "2, 3")
    (choice,) = session.at.radio
    assert choice.options == [
        "{2, 3} → {3, 2} `k.transpose(-2, -1)`",
        "{2, 2} → {4} `out = attn.flatten()`",
    ]
    assert any("computes {2, 2} from {2, 3}, {3, 2}" in one.value for one in session.at.caption)
    choice.set_value(1).run()
    assert session.value("code") == "out = attn.flatten()"
    assert session.check == "NumPy: 4 elements, each equal to its source."
    session.set(attn_sizes="1, 2, 3")
    assert session.check == "NumPy: 6 elements, each equal to its source."
    assert not session.at.radio


def test_a_chosen_library_that_refuses_names_the_one_that_reads(session):
    session.open("code")
    type_code(session, "k.repeat(1, 3, 1, 1)")
    assert session.value("library") == "torch"
    session.set(library="numpy")
    assert "As code of PyTorch it is read: choose PyTorch for it." in session.errors[0]


def test_refused_code_stays_with_its_place(session):
    session.open("code")
    code = "y = x.reshape(3, 8)\ny.softmax(-1)"
    type_code(session, code)
    assert session.value("code") == code
    assert session.errors == [
        "Line 2, column 2: softmax computes new values; only movements are shown."
    ]
    assert session.at.code[0].value == "y.softmax(-1)\n ^^^^^^^^^^^^"
    assert session.stages == []
    assert session.value("x_sizes") == "2, 12"
    type_code(session, "x.reshape(3, 8)")
    assert session.errors == []
    assert len(session.stages) == 1


def test_invalid_sizes_and_values_have_a_sentence(session):
    session.open("code").set(x_sizes="2, 0")
    (sentence,) = session.errors
    assert sentence.startswith("Sizes of x: dimension 1 is 0")
    assert session.stages == []
    session.set(x_sizes="2, 12", x_values="own", x_literal="1 2 x")
    assert len(session.errors) == 1
    assert session.stages == []
    # typed sizes stay, whatever is typed next
    session.set(x_literal="[1, 2, 3]", x_sizes="3")
    type_code(session, "x[::-1]")
    assert session.output == ["3", "2", "1"]


def test_another_library_reads_the_same_code_otherwise(session):
    session.open("code", code=REPEAT, sizes="x:3", library="torch")
    assert session.exceptions == []
    assert session.value("library") == "torch"
    assert session.output == ["1", "2", "3", "1", "2", "3"]
    session.set(library="numpy")
    # axis 1 is not there
    assert "axis 1" in session.errors[0]
    type_code(session, "x.repeat(2)")
    assert session.output == ["1", "1", "2", "2", "3", "3"]
    assert address_of(session)["library"] == "numpy"


def test_the_library_follows_the_code_until_one_is_chosen(session):
    session.open("code")
    assert session.value("library") == "torch"
    # it stays where the code names none
    type_code(session, "x.permut(0, 1)")
    assert session.value("library") == "torch"
    assert session.errors == [
        "Line 1, column 2: PyTorch tensors have no movement .permut() that is read here. "
        "Similar names that are read: .permute(), .put(), .put\\_()."
    ]
    type_code(session, "x.transpose(0, 1)")
    assert session.value("library") == "torch"
    # but not where only another one reads it
    type_code(session, "x[::-1]")
    assert (session.value("library"), session.errors) == ("numpy", [])
    session.set(library="jax")
    type_code(session, "x.permute(1, 0)")
    assert session.value("library") == "jax"
    session.set(preset="qkv")
    assert session.value("library") == "torch"
    type_code(session, "np.flip(x, 0)")
    assert session.value("library") == "numpy"


def test_without_code_there_is_a_word_of_what_to_do(session):
    session.open("code")
    type_code(session, "  ")
    assert [found.value for found in session.at.info] == ["Type or paste a line of code."]
    assert session.errors == []


def test_a_call_of_the_link_is_on_the_stage(session):
    session.open("code", code="x.T[::-1]", sizes="x:2,3", call="1")
    assert strip(session)["call"] == 1
    assert session.output == ["1", "4", "2", "5", "3", "6"]
    assert address_of(session)["call"] == "1"
    # other code begins with all calls
    type_code(session, "x.T[::-1][1:]")
    assert strip(session)["call"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("preset", code_presets(), ids=lambda preset: preset.key)
def test_a_preset_opens_from_the_menu_and_from_its_link(session, preset):
    session.open("code", **preset.state.parameters())
    assert session.exceptions == []
    assert session.warnings == []
    assert session.value("preset") == preset.key
    assert bool(session.stages) == preset.opens
    if preset.opens:
        opened = session.output
        session.open("code").set(preset=preset.key)
        assert session.output == opened
        assert address_of(session) == preset.state.without_player().parameters()


def test_predict_first_hides_what_is_below(session):
    session.open("code", code="np.rot90(x)", sizes="x:2,3", predict="true")
    (stage,) = session.stages
    asked = stage["options"]["predict"]
    assert "{3, 2}" in [choice["text"] for choice in asked["choices"]]
    assert not any(text.startswith(":material/verified:") for text in session.texts)


def test_it_presents_to_a_room(session):
    session.open("code", code="x.T", sizes="x:2,3", present="true")
    assert session.exceptions == []
    (stage,) = session.stages
    assert stage["options"]["present"]["runs"] == "NumPy · x.T"


def test_korean(session):
    session.open("code", lang="ko", code="x.softmax(-1)")
    assert session.exceptions == []
    assert session.at.title[0].value == "내 코드"
    assert session.errors[0].startswith("1번째 줄, 2번째 글자:")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_code_is_text(session, name):
    session.open("code", code=HOSTILE[name])
    assert session.exceptions == []
    type_code(session, HOSTILE[name][:4_000])
    assert session.exceptions == []
    told = [*session.errors, *session.texts, *session.warnings]
    assert not any("![x](http://example" in text for text in told), told
    assert len(json.dumps(session.errors)) < 4_000


def test_a_search_on_home_leads_to_code(session):
    session.open("home", search="x.reshape(2,3,4).permute(0,2,1)")
    link = next(one for one in session.links if one.page == "code" and one.query_string)
    assert "code=x.reshape" in link.query_string
    assert not any("No operator is called x.reshape" in text for text in session.texts)


def code_links(session):
    return [one.query_string for one in session.links if one.label == "Open as code"]


def test_an_operator_opens_as_code(session):
    session.open("tile")
    # DirectML's C++ is not read: NumPy's code is opened
    (numpy,) = code_links(session)
    assert "np.tile" in numpy
    session.at.session_state["dialect"] = "pytorch"
    session.at.run()
    (torch,) = code_links(session)
    assert "torch.tile" in torch


def test_an_operator_that_sorts_does_not(session):
    session.open("top_k")
    assert code_links(session) == []


def switch(session, on):
    (toggle,) = [one for one in session.at.toggle if one.key == "code_comparing"]
    toggle.set_value(on).run()


def answer(session):
    next(button for button in session.at.button if button.label == "Play answer").click().run()
    # the run of the fragments alone has only their elements
    session.at.run()


def test_tensors_are_called_as_in_the_code(session):
    session.open("code", code="y = np.arange(6).reshape(2, 3).T[::-1]")
    titles = session.stages[0]["payload"]["figure"]["layout"]["meta"]
    assert [title[0]["text"][3:4] for title in titles] == ["x", "y"]
    session.open("code", code="x.T[::-1]", call="2", sizes="x:2,3")
    titles = session.stages[0]["payload"]["figure"]["layout"]["meta"]
    assert [("t1, made by T" in titles[0][0]["text"]), ("Output" in titles[1][0]["text"])] == [
        True,
        True,
    ]


def test_two_codes_on_one_stage(session):
    session.open("code", code="x.reshape(3, 2)", sizes="x:2,3")
    switch(session, True)
    # B begins as A
    assert session.value("compare") == "x.reshape(3, 2)"
    # the verdict waits for the answer, as a preset's does
    same = "A and B give the same output, all 6 elements."
    assert "**Do A and B give the same output?**" in session.texts
    assert same not in session.texts
    answer(session)
    assert session.texts.count(same) == 1
    session.set(compare="x.transpose(1, 0)")
    assert not any("elements differ" in text or "first calls" in text for text in session.texts)
    answer(session)
    assert session.exceptions == []
    assert [tensor["name"] for tensor in session.stages[0]["payload"]["output"]["tensors"]] == [
        "A",
        "B",
    ]
    assert (
        "4 of 6 elements differ, first at out[0, 1]: A has 2 from x[0, 1], B has 4 from x[1, 0]."
    ) in session.texts
    assert "The first calls already give different tensors." in session.texts
    assert "A.reshape(2, 3).T" in [block.value for block in session.at.code]
    address = address_of(session)
    assert (address["compare"], address["b_library"]) == ("x.transpose(1, 0)", "numpy")
    # the same view from its link
    session.open("code", **address)
    assert session.value("compare") == "x.transpose(1, 0)"
    switch(session, False)
    assert "compare" not in address_of(session)
    assert len(session.stages[0]["payload"]["output"]["tensors"]) == 1


def test_two_codes_are_refused_at_their_places(session):
    session.open("code", code="x.T", sizes="x:2,3", compare="y = x[0]\ny.softmax(-1)")
    assert session.errors == [
        "B: Line 2, column 2: softmax computes new values; only movements are shown."
    ]
    assert session.at.code[0].value == "y.softmax(-1)\n ^^^^^^^^^^^^"
    # A is still drawn
    assert session.output == ["1", "4", "2", "5", "3", "6"]
    type_code(session, "x @ x")
    assert [error[:2] for error in session.errors] == ["A:", "B:"]
    assert session.stages == []


def test_the_library_of_the_second_code_is_chosen_or_guessed(session):
    session.open("code", code="x.permute(1, 0)", sizes="x:2,3", compare="x.repeat(2, 1)")
    assert session.value("b_library") == "torch"
    session.set(b_library="numpy")
    answer(session)
    assert "The outputs have different sizes: A {3, 2}, B {2, 6}." in session.texts
    assert address_of(session)["b_library"] == "numpy"
    session.set(compare="np.flip(x)")
    assert session.value("b_library") == "numpy"


def test_equal_values_from_other_places_are_said(session):
    session.open("code", code="x.T", sizes="x:2,2", values="x:7,7,7,7", compare="x")
    answer(session)
    assert "A and B give the same output, all 4 elements." in session.texts
    assert any("But 2 elements come from another place" in text for text in session.texts)


def test_two_codes_for_a_room(session):
    session.open("code", code="x.T", sizes="x:2,3", compare="x.reshape(3, 2)", present="true")
    assert session.exceptions == []
    (stage,) = session.stages
    assert stage["options"]["present"]["runs"] == "A: NumPy · x.T\nB: NumPy · x.reshape(3, 2)"


def upload(session, data):
    (uploader,) = session.at.file_uploader
    uploader.set_value(("model.onnx", data, "application/octet-stream")).run()
    assert session.exceptions == []


def test_a_part_of_a_model_becomes_code(session):
    session.open("code")
    upload(session, MODELS["attention"])
    (parts,) = session.at.radio
    assert len(parts.options) == 2
    assert any(
        "2 parts only move" in text for text in [caption.value for caption in session.at.caption]
    )
    assert any("MatMul (3): " in text for text in [caption.value for caption in session.at.caption])
    (graph,) = [button for button in session.at.button if button.label == "Show the graph"]
    graph.click().run()
    assert session.exceptions == []
    parts = session.at.radio[0]
    # the part with a name first, exactly as code writes it
    assert parts.options[0].endswith("`rearrange(mixed, 'n c h w -> n h (c w)')`")
    parts.set_value(0).run()
    assert session.exceptions == []
    assert session.value("library") == "onnx"
    opset, call = session.value("code").splitlines()[:2]
    assert opset == "from onnxscript import opset17 as op"
    assert call == "back = op.Transpose(mixed, perm=[0, 2, 1, 3])"
    assert session.check.endswith("each equal to its source.")
    assert address_of(session)["code"] == session.value("code")


def test_the_page_says_where_the_engine_answers_otherwise(session):
    modes = "coordinate_transformation_mode='asymmetric', nearest_mode='round_prefer_ceil'"
    code = f"op.Resize(x, None, [0.8], {modes})"
    session.open("code", code=code, library="onnx", sizes="x:5", engine="onnxruntime")
    assert session.exceptions == []
    sentence = "1 of 4 elements differ from the rule, first out[2]: x[3] where the rule gives x[2]."
    (check,) = [text for text in session.texts if text.startswith(":material/error:")]
    assert sentence in check
    other = "op.Tile(x, [2])"
    session.open("code", code=other, library="onnx", sizes="x:5", engine="onnxruntime")
    assert session.check == "ONNX Runtime: 10 elements, each equal to its source."


def test_parts_with_indices_that_fit_in_no_link_are_counted(session):
    many = np.arange(4_097) % 2
    nodes = [
        ("Gather", ["x", "many"], ["t"], {"axis": 0}),
        ("Relu", ["t"], ["u"], {}),
        ("Transpose", ["u"], ["y"], {}),
    ]
    session.open("code")
    upload(session, model(nodes, {"x": [2, 2]}, ["y"], {"many": many}))
    assert len(session.at.radio[0].options) == 1
    told = [caption.value for caption in session.at.caption]
    sentence = "Not listed: 1 of these parts. Their indices are more than 4,096 numbers"
    assert any(sentence in text for text in told)


def test_parts_that_take_a_single_number_are_counted(session):
    nodes = [
        ("Reshape", ["s", "one"], ["a"], {}),
        ("Relu", ["x"], ["t"], {}),
        ("Transpose", ["t"], ["y"], {}),
    ]
    session.open("code")
    upload(session, model(nodes, {"s": [], "x": [2, 3]}, ["a", "y"], {"one": np.array([1])}))
    assert session.errors == []
    assert len(session.at.radio[0].options) == 1
    words = [caption.value for caption in session.at.caption]
    assert any("Not listed: 1 of these parts. They take a single number" in text for text in words)


@pytest.mark.parametrize("data", [b"x.T", b"\x3a\xff\xff", b""])
def test_what_is_no_model_has_one_sentence(session, data):
    session.open("code")
    upload(session, data)
    assert session.errors == ["This is not an ONNX model, or the file is damaged."]
    assert session.output


def test_sizes_that_a_model_leaves_open_are_typed(session):
    session.open("code")
    upload(session, MODELS["from_shape"])
    (told,) = [one.value for one in session.at.caption if "leaves open: x {batch, 6}" in one.value]
    assert "Chosen; give others in the same way: x:1,6" in told
    session.set(model_sizes="x:2,6")
    assert not any("Chosen" in one.value for one in session.at.caption)
    assert len(session.at.radio[0].options) == 1
    session.set(model_sizes="y:2")  # its sizes follow from those of x
    assert session.errors == ['"y" is not an input of the model; its inputs are "x".']


def test_refused_code_is_revealed_on_a_wall(session):
    session.open("code", code="x.softmax(-1)", sizes="x:2,3", present="true")
    assert session.exceptions == []
    (wall,) = (
        json.loads(sent["options"])["present"]
        for sent in (json.loads(found.proto.json) for found in session.at.get("bidi_component"))
        if "options" in sent
    )
    assert wall["runs"] == "NumPy \u00b7 x.softmax(-1)"
    assert "computes new values" in wall["reveal"]
    assert wall["hidden"]
