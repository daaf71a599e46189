"""What a page keeps of what is typed, of what is hidden, and what it does not share."""

from __future__ import annotations

import pytest

from dmlviz.app import form_widgets
from dmlviz.app.page import value_of
from dmlviz.states import first_state
from dmlviz.states.form import state_form
from dmlviz.tensors import OWN, OwnPicture


def test_bad_input_survives_a_visit_too(explorer):
    shown = explorer("tile").set(values="own").set(literal="no values", sizes="no sizes")
    errors = shown.refused("no sizes")
    shown.open("home").open("tile")
    assert shown.refused("no sizes") == errors
    assert (shown.value("literal"), shown.value("sizes")) == ("no values", "no sizes")


def test_hidden_padding_value_comes_back_with_its_mode(explorer):
    shown = explorer("padding").set(padding_value="7").set(padding_mode="EDGE")
    assert not shown.has("padding_value")
    shown.open("tile").open("padding").set(padding_mode="CONSTANT")
    shown.drawn()
    assert shown.value("padding_value") == "7"


def test_hidden_own_values_come_back(explorer):
    shown = explorer("tile").set(values="own").set(literal="9 8 7 6 5 4").set(values="count-0")
    shown.open("padding").open("tile").set(values="own")
    assert shown.value("literal") == "9 8 7 6 5 4"


def test_hidden_seed_and_picture_come_back(explorer):
    shown = explorer("tile").set(values="random").set(seed=99).set(values="picture")
    shown.set(picture="key").set(values="random")
    assert shown.value("seed") == 99
    shown.set(values="picture")
    assert shown.value("picture") == "key"


def test_pages_do_not_share_their_settings(explorer):
    shown = explorer("depth_to_space").set(sizes="1, 4, 3, 3", data_type="INT8")
    shown.open("space_to_depth")
    assert (shown.value("sizes"), shown.value("data_type")) == ("1, 2, 4, 6", "UINT32")


def test_sessions_do_not_share_anything(explorer):
    explorer("tile").set(sizes="5", data_type="INT8")
    second = explorer("tile")
    assert (second.value("sizes"), second.value("data_type")) == ("1, 1, 2, 3", "FLOAT32")


def switch(session, key):
    """The switch of that key."""
    return next(one for one in session.at.toggle if one.key == f"{session.page}_{key}")


def turn(session, key, on):
    switch(session, key).set_value(on).run()
    return session.whole()


def test_a_refused_text_stays_and_is_tried_again_when_another_row_changes(explorer):
    shown = explorer("tile", sizes="6", values="count-1", repeats="1").set(values="own")
    shown.set(literal="-1 2 3 4 5 6").set(data_type="UINT8")
    assert shown.refused("UINT8")
    assert shown.value("data_type") == "UINT8"
    shown.set(literal="1 2 3 4 5 6")
    shown.drawn()
    assert shown.at.query_params["data_type"] == "UINT8"


def test_a_refused_text_goes_away_with_its_row_and_comes_back(explorer):
    shown = explorer("padding").set(padding_mode="CONSTANT", padding_value="words")
    assert shown.refused("words")
    shown.set(padding_mode="EDGE")
    shown.drawn()
    shown.set(padding_mode="CONSTANT", padding_value="3")
    shown.drawn()


def test_what_is_refused_in_b_is_gone_without_b(explorer):
    shown = turn(explorer("padding"), "compare", True)
    shown.set(b_padding_mode="CONSTANT", b_padding_value="words")
    assert "words" in shown.errors[0]
    turn(shown, "compare", False).drawn()


def test_own_values_of_another_count_set_the_sizes(explorer):
    shown = explorer("tile", sizes="1,1,2,3").set(values="own").set(literal="[[1, 2, 3, 4, 5]]")
    shown.drawn()
    assert shown.value("sizes") == "1, 5"
    assert shown.at.query_params["sizes"] == "1,5"


def test_sizes_on_the_way_to_others_leave_no_trace_in_settings(explorer):
    shown = explorer("tile", sizes="1,1,2,3", repeats="1,1,2,4")
    shown.set(sizes="1, 1").set(sizes="1, 1, 4, 4")
    assert [shown.value(f"repeats_{d}") for d in range(4)] == [1, 1, 2, 4]
    # without the way, they would have lost two numbers
    shown.set(data_type="INT8", sizes="1, 1").set(data_type="INT16", sizes="1, 1, 4, 4")
    assert [shown.value(f"repeats_{d}") for d in range(2)] == [1, 1]


def test_the_operator_says_more_than_a_picture_that_is_missing(explorer):
    shown = explorer("depth_to_space", sizes="1,3,2,2", values="picture").set(picture=OWN)
    (sentence,) = shown.refused()
    assert "choose your picture" not in sentence
    shown.set(sizes="1, 4, 2, 2")
    (sentence,) = shown.refused()
    assert "choose your picture first" in sentence


def test_an_own_picture_has_an_address_whatever_its_colors(explorer):
    shown = explorer("tile", sizes="1,1,2,3", repeats="1,1,1,2", values="picture")
    shown.set(picture=OWN)
    shown.at.session_state[form_widgets._READ] = OwnPicture(4, 4, bytes(range(48)))
    shown.widget("own_picture").click().run()
    shown.at.button(key="own_picture_use").click().run()
    shown.drawn()
    (stage,) = shown.stages
    assert stage["link"]["view"]["colors"] == "planes"
    # the player writes its colors itself; a state that has them would write them again
    shown.set(repeats_3=3).drawn()
    assert "colors" not in shown.at.query_params
    assert shown.at.query_params["repeats"] == "1,1,1,3"


def test_every_row_of_a_form_is_drawn_where_there_is_no_input_too(explorer):
    shown = explorer("fill_value_sequence")
    assert len(shown.widget("values").options) == 2
    other = shown.set(values="example-1")
    other.drawn()
    assert other.at.query_params["values"] == "example-1"


def test_all_tensors_are_named_by_one_word_of_a_link_to_code(session):
    session.open("code", code="np.concatenate([sizes.T, x])", sizes="sizes:2,3;x:3,2")
    assert session.exceptions == []
    assert (session.value("sizes_sizes"), session.value("x_sizes")) == ("2, 3", "3, 2")
    session.set(x_sizes="5, 2")
    assert session.at.query_params["sizes"] == "sizes:2,3;x:5,2"
    assert len(session.output) == 16


def test_an_emptied_box_of_b_turns_the_comparison_off(session):
    session.open("code", code="x.reshape(3, 2)", sizes="x:2,3", compare="x.T")
    assert switch(session, "comparing").value
    session.set(compare="")
    assert not switch(session, "comparing").value
    assert not session.has("compare")
    assert "compare" not in session.at.query_params


def test_a_guessed_library_of_b_is_guessed_again_after_b_was_away(session):
    session.open("code", code="x.permute(1, 0)", sizes="x:2,3", compare="np.flip(x)")
    assert session.value("b_library") == "numpy"
    # B begins as A
    turn(turn(session, "comparing", False), "comparing", True)
    assert session.value("b_library") == "torch"
    assert session.errors == []


def test_a_tensor_called_as_rows_of_b_are_is_none_of_b(session):
    session.open("code", code="b_x.T", sizes="b_x:2,3")
    session.set(b_x_sizes="2, 0")
    (sentence,) = session.errors
    assert sentence.startswith("Sizes of b_x")
    # the picture is of what was valid before
    assert session.stages == []


def test_each_control_of_a_form_is_a_widget_that_offers_the_same(each):
    rows = [
        row
        for group in state_form(first_state(each.page.replace("_", "-")))
        for row in group.fields
    ]
    for row in rows:
        for number, control in enumerate(row.controls):
            if control.kind in ("grid", "file", "switch"):
                continue
            name = row.name.replace(".", "_") + (f"_{number}" if row.ranked else "")
            widget = each.widget(name)
            if control.kind == "menu":
                offered = [str(title) for title in control.titles or control.options]
                value = [str(option) for option in control.options].index(row.values[number])
                assert (widget.options, widget.index) == (offered, value)
            else:
                assert widget.value == value_of(control, row.values[number])
            assert widget.label == (f"[{number}]" if row.ranked else row.label)


@pytest.mark.parametrize("page", ["tile", "padding"])
def test_planes_of_the_grid(explorer, page):
    shown = explorer(page, sizes="1,8,4,2", values="count-0")
    assert shown.widget("plane").options == [f"[0, {c}, :, :]" for c in range(8)]
    shown.set(plane=7).open("home").open(page)
    assert shown.value("plane") == 7
    shown.set(sizes="1, 4, 4, 2")
    shown.drawn()
    assert shown.value("plane") in range(4)


def test_reset_brings_the_example_back_whatever_was_set(explorer):
    first = explorer("tile").state()
    shown = explorer("tile").set(feature_level="1_0", sizes="no sizes").reset()
    shown.drawn()
    assert shown.state() == first


def test_limits_are_folded_while_none_is_set(explorer):
    for query in ({}, {"feature_level": "5_0"}):
        (box,) = (one for one in explorer("tile", **query).at.expander if "limits" in one.label)
        assert box.proto.expanded == bool(query)
