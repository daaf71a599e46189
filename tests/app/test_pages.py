"""Every page opens through the entry point, in its first state: the documentation's example."""

from __future__ import annotations

import json
from base64 import b64decode

import pytest

import dmlviz
from dmlviz.operators import by_family
from dmlviz.operators.texts import family_title
from dmlviz.states import read_link
from dmlviz.teaching.presets import preset, presets_of
from dmlviz.verify import read_document

FIRST = {
    "tile": {
        "title": "Tile",
        "sizes": "1, 1, 2, 3",
        "data_type": "FLOAT32",
        "parameters": {"repeats_0": 1, "repeats_1": 1, "repeats_2": 3, "repeats_3": 3},
        "check": "NumPy: 54 elements, each equal to its source.",
        "becomes": "**{1, 1, 2, 3}** becomes **{1, 1, 6, 9}**, FLOAT32",
        "output": [[1, 2, 3] * 3, [4, 5, 6] * 3] * 3,
    },
    "depth_to_space": {
        "title": "Depth to space",
        "sizes": "1, 8, 2, 3",
        "data_type": "UINT32",
        "parameters": {"block_size": 2, "order": "DEPTH_COLUMN_ROW"},
        "check": "NumPy: 48 elements, each equal to its source.",
        "becomes": "**{1, 8, 2, 3}** becomes **{1, 2, 4, 6}**, UINT32",
        "output": [
            [0, 18, 1, 19, 2, 20],
            [36, 54, 37, 55, 38, 56],
            [3, 21, 4, 22, 5, 23],
            [39, 57, 40, 58, 41, 59],
            [9, 27, 10, 28, 11, 29],
            [45, 63, 46, 64, 47, 65],
            [12, 30, 13, 31, 14, 32],
            [48, 66, 49, 67, 50, 68],
        ],
    },
    "space_to_depth": {
        "title": "Space to depth",
        "sizes": "1, 2, 4, 6",
        "data_type": "UINT32",
        "parameters": {"block_size": 2, "order": "DEPTH_COLUMN_ROW"},
        "check": "NumPy: 48 elements, each equal to its source.",
        "becomes": "**{1, 2, 4, 6}** becomes **{1, 8, 2, 3}**, UINT32",
        "output": [
            [9 * channel + 3 * row + column for column in range(3)]
            for channel in range(8)
            for row in range(2)
        ],
    },
    "padding": {
        "title": "Padding",
        "sizes": "1, 1, 4, 4",
        "data_type": "FLOAT32",
        "parameters": {
            "padding_mode": "CONSTANT",
            "padding_value": "9",
            **{f"start_padding_{d}": n for d, n in enumerate((0, 0, 1, 2))},
            **{f"end_padding_{d}": n for d, n in enumerate((0, 0, 3, 4))},
        },
        "check": "NumPy: 80 elements, 16 equal to their source and 64 to the padding value.",
        "becomes": "**{1, 1, 4, 4}** becomes **{1, 1, 8, 10}**, FLOAT32",
        "output": [
            [9] * 10,
            [9, 9, 1, 2, 3, 4, 9, 9, 9, 9],
            [9, 9, 5, 6, 7, 8, 9, 9, 9, 9],
            [9, 9, 1, 2, 3, 4, 9, 9, 9, 9],
            [9, 9, 5, 6, 7, 8, 9, 9, 9, 9],
            [9] * 10,
            [9] * 10,
            [9] * 10,
        ],
    },
}


def test_home_opens_first(session):
    session.at.run()
    assert session.exceptions == []
    assert [title.value for title in session.at.title] == ["See where every element goes"]


def test_home_has_three_doors_and_names_what_moves(session):
    session.at.run()
    links = [(found.page, found.label) for found in session.links]
    assert links[:3] == [("lessons", "I am new"), ("code", "I know the call"), ("teach", "I teach")]
    # after the movement
    assert links[3:] == [("lessons", "Next: the lesson about Tile"), ("tile", "Build your own")]
    hero, *_cards = session.stages
    assert hero["options"]["bare"]
    assert hero["payload"]["steps"]
    assert [tensor["sizes"] for tensor in hero["payload"]["input"]["tensors"]] == [[3]]
    told = "**Tile** \u2002 Puts copies of the input side by side."
    assert any(e.value == told for e in session.at.markdown)


def test_home_has_a_card_of_every_operator_by_family(session):
    session.at.run()
    families = {family: kin for family, kin in by_family().items() if kin}
    assert [found.value for found in session.at.header] == list(map(family_title, families))
    for kin, told in zip(families.values(), session.galleries, strict=True):
        pictured = [one for cls in kin for one in presets_of(cls.key) if one.pictured]
        assert {one.state.key for one in pictured} == {cls.key for cls in kin}
        for card, found in zip(told["cards"], pictured, strict=True):
            assert card["question"] == found.question
            assert read_link("/" + card["opens"]).state == found.state
            assert len(card["stills"]) == len(found.inputs)
            shown = json.loads(card["payload"])["output"]["tensors"]
            due = found.trace().outputs.values()
            assert [tensor["sizes"] for tensor in shown] == [list(y.shape) for y in due]


def test_a_card_shows_nothing_of_the_output_before_it_is_asked(session):
    session.at.run()
    for told in session.galleries:
        for card in told["cards"]:
            for still, x in zip(card["stills"], preset(card["key"]).inputs.values(), strict=True):
                drawing = b64decode(still["image"].partition(",")[2]).decode()
                frame = drawing.count("stroke-dasharray")  # of a tensor that says where
                assert drawing.count("<rect") == x.size + frame
                assert frame <= 1


@pytest.mark.parametrize("page", FIRST)
def test_explorer_opens_on_its_documentation_example(explorer, page):
    first = FIRST[page]
    shown = explorer(page)
    shown.drawn()
    assert [title.value for title in shown.at.title] == [first["title"]]
    assert shown.value("sizes") == first["sizes"]
    assert shown.value("data_type") == first["data_type"]
    assert shown.value("feature_level") is None
    assert shown.state().items() >= first["parameters"].items()
    assert shown.check == first["check"]
    assert shown.told[1] == first["becomes"]
    assert shown.output == [str(n) for row in first["output"] for n in row]


@pytest.mark.parametrize("page", FIRST)
def test_explorer_shows_the_formula_and_both_tensors(explorer, page):
    shown = explorer(page)
    shown.at.session_state["dialect"] = "directml"
    shown.at.run()
    shown.whole()
    formula, *_others, code = (found.value for found in shown.at.code)
    tensors = shown.tensors
    assert formula.startswith("out[n, c, h, w] = in[")
    assert formula.count("\n") >= 1
    read = tensors.split("OutputTensor:")
    assert "InputTensor: (Sizes:{" + FIRST[page]["sizes"] + "}" in read[0]
    assert len(read) == 2
    [example] = read_document(tensors).examples
    assert example.unreadable is None
    assert "DML_OPERATOR_DESC" in code


def test_code_that_no_test_runs_says_so(explorer):
    shown = explorer("tile")
    told = "Untested: dmlviz's tests do not run TensorFlow code."
    for dialect, said in (("pytorch", False), ("tensorflow", True), ("numpy", False)):
        shown.at.session_state["dialect"] = dialect
        shown.at.run()
        shown.whole()
        assert (told in [found.value for found in shown.at.caption]) == said


@pytest.mark.parametrize("page", FIRST)
def test_explorer_says_in_a_sentence_what_the_operator_does(explorer, page):
    definition = explorer(page).texts[0]
    assert definition.endswith(".")
    assert len(definition.split()) > 6


def test_pages_open_one_after_the_other_in_one_session(session):
    session.at.run()
    for page in [*FIRST, "home", *reversed(FIRST)]:
        session.open(page)
        assert session.exceptions == []
        assert session.errors == []


def test_what_is_drawn_is_what_the_engine_gave(explorer):
    shown = explorer("padding")
    trace = dmlviz.run(
        dmlviz.Padding("CONSTANT", (0, 0, 1, 2), (0, 0, 3, 4), 9),
        [[[[1, 2, 3, 4], [5, 6, 7, 8]] * 2]],
    )
    (stage,) = shown.stages
    assert shown.output == [str(v) for v in trace.output.ravel().tolist()]
    assert stage["payload"]["check"] == shown.check
    assert len(stage["payload"]["steps"]) == 5


def test_a_rerun_without_a_change_sends_the_same_picture(each):
    before = each.stages[0]["identity"]
    each.at.run()
    assert each.stages[0]["identity"] == before
