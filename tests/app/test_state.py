"""What a page remembers, also of what is hidden, and what it does not share."""

from __future__ import annotations


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
