"""Bad input: a sentence beside the widget, what was typed stays, and nothing is drawn."""

from __future__ import annotations

import re

import pytest

from tests.app.conftest import HOSTILE

LONG = "7" * 100_000
# a line is as long as its widget lets one type; more is never kept
SIZES_MOST, PADDING_MOST = 200, 60

BAD_SIZES = [
    ("words", 'Sizes: "words" is not a list of whole numbers'),
    ("", 'Sizes: "" is not a list of whole numbers'),
    ("   ", "is not a list of whole numbers"),
    ("1, 0, 2", "Sizes: dimension 1 is 0, but every size is a whole number from 1"),
    ("1, 1, -2, 3", "is not a list of whole numbers"),
    ("1, 1, 2.5, 3", "is not a list of whole numbers"),
    ("1,,2", "is not a list of whole numbers"),
    ("1, 1, 1, 1, 1, 1, 1, 1, 2", "Sizes: 9 dimensions were given, but a tensor has 1 to 8."),
    ("1, 1, 1000, 1000", "1,000,000 elements; the limit is 65,536."),
    ("4294967295, 4294967295", "the limit is 65,536"),
    ("4294967296", "but every size is a whole number from 1 to 4,294,967,295"),
    ("1, 1, 2, 3)", "is not a list of whole numbers"),
    (LONG, "a number of 665 bits, but every size is a whole number from 1"),
]

BAD_VALUES = [
    ("FLOAT32", "[[1, 2, 3], [4, 5]]", "values: the list at [1] has 2 items, where the first"),
    ("FLOAT32", "1 2 3; 4 5", "values: the list at [1] has 2 items"),
    ("FLOAT32", "1 2 three 4 5 6", "is not a number"),
    ("FLOAT32", "[[1, 2, 3], [4, 5, None]]", '"None" at [1, 2] is not a number'),
    ("FLOAT32", "[[1, 2, 3], [4, 5, 6]", "is never closed"),
    ("FLOAT32", "", "values: there is no value"),
    ("FLOAT32", "1 2 3 ... 6", "means that the text was shortened"),
    ("INT8", "1 2 3 4 5 128", "values: 128 at [5] is outside INT8, which holds -128 to 127."),
    ("UINT8", "1 2 3 4 5 -1", "values: -1 at [5] is outside UINT8"),
    ("INT32", "1 2 3 4 5 NaN", "values: NaN at [5] is not a whole number, as INT32 requires."),
    ("INT32", "1 2 3 4 5 inf", "values: inf at [5] is not a whole number"),
    ("INT16", "1 2 3 4 5 6.5", "values: 6.5 at [5] is not a whole number, as INT16 requires."),
    ("FLOAT32", "1 2 3 4 5 16777217", "16777217 at [5] would lose digits: FLOAT32 would keep"),
    ("FLOAT16", "1 2 3 4 5 70000", "70000 at [5] is outside FLOAT16"),
    ("FLOAT32", "DataType: NOTHING", "values"),
]

BAD_PADDING = [
    ("FLOAT32", "nine", "nine"),
    ("FLOAT32", "", "is not a number"),
    ("FLOAT32", "1_0", "is not a number"),
    ("FLOAT32", "1e40", "PaddingValue: 1e+40 is too large; DirectML's PaddingValue is a FLOAT"),
    ("FLOAT16", "1e6", "PaddingValue: 1000000 does not fit; FLOAT16 holds -65504 to 65504."),
    ("INT8", "300", "PaddingValue: 300 does not fit; INT8 holds -128 to 127."),
    ("UINT8", "-1", "PaddingValue: -1 does not fit; UINT8 holds 0 to 255."),
    ("INT8", "NaN", "PaddingValue: NaN cannot become a whole number; INT8 holds -128 to 127."),
    ("INT32", "inf", "cannot become a whole number; INT32 holds"),
]


def test_sizes(each_input):
    for typed, sentence in BAD_SIZES:
        each_input.set(sizes=typed)
        each_input.refused(sentence)
        assert each_input.value("sizes") == typed[:SIZES_MOST]


@pytest.mark.parametrize("page", ["tile", "depth_to_space", "space_to_depth", "padding"])
def test_bad_sizes_keep_all_other_settings(explorer, page):
    shown = explorer(page)
    if page == "tile":
        shown.set(repeats_1=2)
    before = {name: value for name, value in shown.state().items() if name != "sizes"}
    shown.set(sizes="words")
    shown.refused("words")
    after = {name: value for name, value in shown.state().items() if name != "sizes"}
    assert after == {name: value for name, value in before.items() if name in after}
    assert before.keys() - after.keys() <= {"plane"}
    shown.set(sizes=explorer(page).value("sizes"))
    shown.drawn()
    assert {name: value for name, value in shown.state().items() if name != "sizes"} == before


@pytest.mark.parametrize(("name", "typed", "sentence"), BAD_VALUES, ids=range(len(BAD_VALUES)))
def test_values(explorer, name, typed, sentence):
    shown = explorer("tile").set(data_type=name, sizes="6", values="own", literal=typed)
    shown.refused(sentence)
    assert shown.value("literal") == typed
    assert (shown.value("sizes"), shown.value("data_type")) == ("6", name)


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


@pytest.mark.parametrize(("name", "typed", "sentence"), BAD_PADDING, ids=range(len(BAD_PADDING)))
def test_padding_value(explorer, name, typed, sentence):
    shown = explorer("padding").set(data_type=name, padding_value=typed)
    shown.refused(sentence, "PaddingValue: ")
    assert shown.value("padding_value") == typed
    shown.set(padding_mode="EDGE")
    shown.drawn()


@pytest.mark.parametrize(
    ("page", "settings", "parts"),
    [
        ("depth_to_space", {"feature_level": "2_0"}, ("it was added in feature level 2_1",)),
        ("tile", {"feature_level": "2_0", "data_type": "INT32"}, ("INT32", "2_1 and above")),
        ("tile", {"feature_level": "3_0", "sizes": "2, 3"}, ("2 dimensions", "3_1 and above")),
        ("tile", {"feature_level": "6_4", "data_type": "FLOAT64"}, ("FLOAT64", "still runs it")),
        ("padding", {"feature_level": "6_3", "padding_mode": "WRAP"}, ("WRAP", "6_4")),
        ("padding", {"feature_level": "2_1", "padding_mode": "SYMMETRIC"}, ("SYMMETRIC", "3_0")),
        ("padding", {"feature_level": "4_1", "data_type": "FLOAT64"}, ("FLOAT64", "5_0 and above")),
        ("space_to_depth", {"feature_level": "4_1", "data_type": "INT64"}, ("INT64", "5_0 and")),
    ],
)
def test_feature_level_refuses_and_says_which_level_accepts(explorer, page, settings, parts):
    shown = explorer(page).set(**settings)
    shown.refused(*parts)
    assert shown.state().items() >= settings.items()
    shown.widget("feature_level").select_index(0).run()
    shown.drawn()


@pytest.mark.parametrize(
    ("page", "before", "after"),
    [
        ("depth_to_space", "1, 9, 2, 2", "1, 8, 2, 2"),
        ("space_to_depth", "1, 1, 6, 6", "1, 1, 6, 4"),
    ],
)
def test_block_size_that_no_longer_divides(explorer, page, before, after):
    shown = explorer(page).set(sizes=before).set(block_size=3)
    shown.drawn()
    shown.set(sizes=after)
    shown.refused("BlockSize: 3 does not fit {" + after + "}")
    assert shown.value("block_size") == 3
    shown.set(block_size=2)
    shown.drawn()


@pytest.mark.parametrize(
    ("page", "settings"),
    [
        ("tile", {"repeats_2": 1_000, "repeats_3": 30}),
        ("tile", {"repeats_0": 65_536, "repeats_1": 65_536}),
        ("padding", {"start_padding_3": 20_000}),
        ("padding", {"start_padding_0": 65_536, "end_padding_1": 65_536}),
    ],
)
def test_output_over_the_limit_of_the_stage(explorer, page, settings):
    shown = explorer(page).set(**settings)
    shown.refused("elements; the limit is 65,536.")
    assert shown.state().items() >= settings.items()


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


def test_hostile_text_in_sizes(each_input):
    for hostile in HOSTILE.values():
        each_input.set(sizes=hostile)
        each_input.refused("Sizes: ")
        assert_plain(each_input)
        assert each_input.value("sizes") == hostile[:SIZES_MOST]


def test_hostile_text_in_values(each_input):
    each_input.set(values="own")
    for hostile in HOSTILE.values():
        each_input.set(literal=hostile)
        each_input.refused("values: ")
        assert_plain(each_input)
        assert each_input.value("literal") == hostile


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
