"""Bad input: a sentence beside the widget, what was typed stays, and nothing is drawn."""

from __future__ import annotations

import re

import pytest

from dmlviz.states import read_link
from tests.app.conftest import address

# a line is as long as its widget lets one type; more is never kept
SIZES_MOST, PADDING_MOST = 200, 60


def test_values_of_the_wrong_count(explorer):
    shown = explorer("tile").set(values="own", literal="1 2 3 4 5 6").set(sizes="2, 4")
    shown.refused("values: you typed 6 numbers; sizes {2, 4} need 8.")
    assert shown.value("literal") == "1 2 3 4 5 6"
    assert shown.value("sizes") == "2, 4"


def test_more_values_than_the_stage_takes(explorer):
    typed = "1 " * 65_537
    shown = explorer("tile").set(values="own", literal=typed)
    shown.refused("65,536")
    assert shown.value("literal") == typed


def test_values_that_a_later_type_cannot_hold(explorer):
    shown = explorer("tile").set(values="own", literal="1.5 2 3 4 5 300")
    shown.drawn()
    shown.set(data_type="INT8")
    shown.refused("values: 1.5 at [0] is not a whole number, as INT8 requires.")
    assert shown.value("literal") == "1.5 2 3 4 5 300"


def test_a_number_that_a_box_may_not_hold_is_refused_in_words_and_stays(explorer):
    shown = explorer("padding", values="random", seed="3")
    for name, number, sentence in (
        ("start_padding_2", -1, "StartPadding: -1 in dimension 2 is invalid;"),
        ("end_padding_3", 70_000, "EndPadding: 70000 in dimension 3 is invalid;"),
        ("seed", -2, 'Seed: "-2" is not a whole number from 0 to 2,147,483,648.'),
    ):
        before = shown.value(name)
        shown.set(**{name: number})
        shown.refused(sentence)
        assert shown.value(name) == number
        # an address holds what a link can open
        assert read_link(address(shown)).problems == ()
        shown.set(**{name: before})
        shown.drawn()
    shown.at.toggle(key="padding_compare").set_value(True).run()
    shown.set(b_start_padding_3=-5)
    assert any("StartPadding: -5 in dimension 3" in error for error in shown.errors)
    assert read_link(address(shown)).problems == ()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("3", "the 8 channels must be divisible by 3 · 3 = 9."),
        ("three", 'BlockSize: "three" is not a whole number from 1 to 65,536.'),
    ],
)
def test_a_number_that_a_menu_does_not_offer_is_refused_with_the_rule(explorer, typed, sentence):
    shown = explorer("depth_to_space", sizes="1,8,2,2", values="count-0")
    menu = shown.widget("block_size")
    # AppTest chooses from what a menu offers; a person can type something else
    menu.options.append(typed)
    menu.set_value(typed).run()
    shown.refused(sentence)
    assert str(shown.at.session_state["depth_to_space_block_size"]) == typed


def test_output_at_the_limit_of_the_stage(explorer):
    shown = explorer("tile").set(sizes="1, 1, 256, 1", repeats_2=1, repeats_3=256)
    shown.drawn()
    assert "65,536 elements" in shown.check


def test_every_problem_is_listed_where_the_picture_would_be(explorer):
    shown = explorer("padding").set(padding_value="nine", sizes="words")
    errors = shown.refused("words", "nine")
    assert len(errors) == 2
    (head,) = (found.value for found in shown.at.info)
    assert head.startswith("This picture is of your last valid settings. Fix 2 problems")
    assert any(all(error in text for error in errors) for text in shown.texts)
    # the last picture stays, marked as such, until there is another
    (last,) = shown.outdated
    assert last["output"]["tensors"][0]["sizes"] == [1, 1, 8, 10]
    shown.set(padding_value="7", sizes="1, 1, 2, 3")
    shown.drawn()
    assert shown.outdated == []


def test_a_link_to_what_is_refused_has_no_picture(explorer):
    shown = explorer("padding", padding_value="nine")
    shown.refused()
    assert shown.outdated == []
    (head,) = (found.value for found in shown.at.info)
    assert head.startswith("Fix ")


def test_hostile_text_in_sizes_and_values(explorer, hostile):
    shown = explorer("tile").set(sizes=hostile)
    shown.refused("Sizes: ")
    assert_plain(shown)
    assert shown.value("sizes") == hostile[:SIZES_MOST]
    shown.reset().set(values="own").set(literal=hostile)
    shown.refused("values: ")
    assert_plain(shown)
    assert shown.value("literal") == hostile


def test_hostile_text_as_a_tensors_element(explorer, hostile):
    shown = explorer("tile").set(values="own").set(literal=f"[[1, 2, {hostile}], [4, 5, 6]]")
    shown.refused("values: ")
    assert_plain(shown)


def test_hostile_text_as_padding_value(explorer, hostile):
    shown = explorer("padding").set(padding_value=hostile)
    shown.refused("PaddingValue: ")
    assert_plain(shown)
    assert shown.value("padding_value") == hostile[:PADDING_MOST]


@pytest.mark.parametrize("name", ["sizes", "literal", "repeats", "data_type", "unknown", "<b>"])
def test_hostile_text_in_a_link(explorer, hostile, name):
    shown = explorer("tile", **{name: hostile, "values": "own"})
    assert shown.exceptions == []
    assert shown.errors or shown.warnings
    assert_plain(shown)


def test_hostile_name_in_a_link(explorer, hostile):
    shown = explorer("tile", **{hostile: "1"})
    shown.drawn()
    assert len(shown.warnings) == 1
    assert_plain(shown)


def assert_plain(shown):
    """No message holds anything that Streamlit's Markdown would take for more than text."""
    for message in (*shown.errors, *shown.warnings, *shown.texts[-1:]):
        assert len(message) < 1_000
        # a link or picture, a formula, a colour or an icon, an address that becomes a link
        taken = r"\]\(|(?<!\\)\$|(?<!\\):red\[|:material/home|:smile:|http://"
        assert not re.search(taken, message), message
