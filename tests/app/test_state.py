"""What is set stays set: over reruns, over visits to other pages, over changes of the sizes."""

from __future__ import annotations

import pytest

from tests.app.conftest import takes

CHANGES = {
    "tile": {
        "sizes": "2, 3",
        "data_type": "INT16",
        "feature_level": "5_0",
        "repeats_0": 2,
        "repeats_1": 4,
    },
    "depth_to_space": {
        "sizes": "1, 9, 2, 2",
        "data_type": "UINT8",
        "feature_level": "6_4",
        "block_size": 3,
        "order": "COLUMN_ROW_DEPTH",
        "plane": 5,
    },
    "space_to_depth": {
        "sizes": "1, 2, 6, 6",
        "data_type": "INT8",
        "feature_level": "2_1",
        "block_size": 3,
        "order": "COLUMN_ROW_DEPTH",
        "plane": 1,
    },
    "padding": {
        "sizes": "5, 3",
        "data_type": "FLOAT16",
        "feature_level": "3_1",
        "padding_value": "-1.5",
        "start_padding_0": 2,
        "end_padding_1": 3,
    },
}
ELSEWHERE = {"tile": "padding"}


@pytest.mark.parametrize("page", CHANGES)
@pytest.mark.parametrize("values", ["count-0", "random", "picture", "own"])
def test_state_survives_a_visit_to_other_pages(explorer, page, values):
    shown = explorer(page).set(**CHANGES[page]).set(values=values)
    if values == "random":
        shown.set(seed=42)
    elif values == "picture":
        shown.set(picture="rocket")
    elif values == "own":
        shown.set(literal=shown.value("literal").replace("1", "7", 1))
    shown.drawn()
    before, drawn = shown.state(), shown.stages[0]["identity"]
    assert before.items() >= CHANGES[page].items()
    shown.open("home").open(ELSEWHERE.get(page, "tile")).open(page)
    shown.drawn()
    assert shown.state() == before
    assert shown.stages[0]["identity"] == drawn


@pytest.mark.parametrize("page", CHANGES)
def test_bad_input_survives_a_visit_too(explorer, page):
    shown = explorer(page).set(values="own").set(literal="no values", sizes="no sizes")
    errors = shown.refused("no sizes")
    shown.open("home").open(page)
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


def test_hidden_seed_and_picture_come_back(each_input):
    each_input.set(values="random").set(seed=99).set(values="picture").set(picture="key")
    each_input.set(values="random")
    assert each_input.value("seed") == 99
    each_input.set(values="picture")
    assert each_input.value("picture") == "key"


def test_settings_of_dimensions_that_went_away_and_came_back(explorer):
    shown = explorer("tile").set(sizes="2, 3").set(sizes="1, 1, 2, 3")
    shown.drawn()
    repeats = [shown.value(f"repeats_{d}") for d in range(4)]
    assert repeats[:2] == [1, 1]
    assert all(n >= 1 for n in repeats)


def test_pages_do_not_share_their_settings(explorer):
    shown = explorer("depth_to_space").set(sizes="1, 4, 3, 3", data_type="INT8")
    shown.open("space_to_depth")
    assert (shown.value("sizes"), shown.value("data_type")) == ("1, 2, 4, 6", "UINT32")


def test_sessions_do_not_share_anything(explorer):
    explorer("tile").set(sizes="5", data_type="INT8")
    second = explorer("tile")
    assert (second.value("sizes"), second.value("data_type")) == ("1, 1, 2, 3", "FLOAT32")


def test_other_sizes_than_the_examples_go_on_with_counting(each_input):
    first = each_input.stages[0]["payload"]["input"]["tensors"][0]["labels"]
    zero = "0" in first
    if not takes(each_input.page, "1, 4, 4, 2"):
        return
    each_input.set(sizes="1, 4, 4, 2")
    each_input.drawn()
    assert each_input.value("values") == ("count-0" if zero else "count-1")
    assert each_input.stages[0]["payload"]["input"]["tensors"][0]["labels"][:2] == (
        ["0", "1"] if zero else ["1", "2"]
    )


def test_the_same_sizes_in_other_words_keep_the_example(each_input):
    each_input.set(sizes="{" + each_input.value("sizes").replace(", ", " x ") + "}")
    each_input.drawn()
    assert each_input.value("values") == "example-0"


def test_bad_sizes_do_not_change_the_values(each_input):
    each_input.set(sizes="words")
    assert each_input.value("values") == "example-0"


def test_own_values_begin_with_the_current_ones(each_input):
    each_input.set(values="random")
    before = each_input.stages[0]["identity"]
    each_input.set(values="own")
    each_input.drawn()
    assert each_input.stages[0]["identity"] == before
    assert each_input.value("literal").startswith("[")


@pytest.mark.parametrize("name", ["FLOAT64", "FLOAT16", "INT64", "UINT64", "INT8"])
def test_own_values_begin_exactly_in_every_type(explorer, name):
    shown = explorer("tile").set(data_type=name, sizes="3, 5", values="random", seed=3)
    before = shown.stages[0]["identity"]
    shown.set(values="own")
    shown.drawn()
    assert shown.stages[0]["identity"] == before


@pytest.mark.parametrize(
    ("page", "typed", "sizes"),
    [
        ("tile", "1 2 3 4; 5 6 7 8; 9 10 11 12", "3, 4"),
        ("tile", "[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]", "2, 2, 2"),
        ("tile", "5", "1"),
        ("padding", "[[1 2 3]\n [4 5 6]]", "2, 3"),
        (
            "tile",
            "InputTensor: (Sizes:{1, 1, 2, 2}, DataType:FLOAT32)\n[[[[1, 2],\n [3, 4]]]]",
            "1, 1, 2, 2",
        ),
        ("space_to_depth", "[[1, 2, 3, 4], [5, 6, 7, 8]]", "1, 1, 2, 4"),
        ("depth_to_space", "[[[1]], [[2]], [[3]], [[4]]]", "1, 4, 1, 1"),
    ],
)
def test_a_pasted_tensor_brings_its_sizes(explorer, page, typed, sizes):
    shown = explorer(page).set(values="own").set(literal=typed)
    shown.drawn()
    assert shown.value("sizes") == sizes
    assert shown.value("literal") == typed


def test_a_pasted_tensor_of_the_same_count_brings_its_sizes(explorer):
    # [[1, 2], [3, 4], [5, 6]] must not turn into two rows of three without a word
    shown = explorer("tile").set(values="own").set(literal="[[1, 2], [3, 4], [5, 6]]")
    shown.drawn()
    assert shown.value("sizes").endswith("3, 2")


def test_plain_numbers_of_the_same_count_keep_the_sizes(explorer):
    shown = explorer("tile").set(values="own").set(literal="6 5 4 3 2 1")
    shown.drawn()
    assert shown.value("sizes") == "1, 1, 2, 3"


def test_a_pasted_tensor_brings_its_type(explorer):
    shown = explorer("tile").set(values="own").set(literal="np.array([[1, 2]], dtype=np.int8)")
    shown.drawn()
    assert (shown.value("sizes"), shown.value("data_type")) == ("1, 2", "INT8")


def test_a_bad_paste_changes_nothing_else(explorer):
    shown = explorer("tile").set(values="own")
    before = {**shown.state(), "literal": "1 2; 3"}
    shown.set(literal="1 2; 3")
    assert shown.state() == before


def test_mending_brings_the_picture_back(explorer):
    shown = explorer("tile").set(values="own").set(literal="1 2; 3")
    shown.refused()
    shown.set(literal="1 2; 3 4")
    shown.drawn()
    assert shown.value("sizes") == "2, 2"
