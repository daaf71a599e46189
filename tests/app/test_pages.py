"""Every page opens through the entry point, in its first state."""

from __future__ import annotations

import json
import re
from base64 import b64decode

import dmlviz
from dmlviz.movement.expressions import as_python
from dmlviz.operators import by_family, operator_class
from dmlviz.operators.slice import Slice
from dmlviz.operators.texts import family_title
from dmlviz.picture.sections import rule_lines
from dmlviz.states import read_link
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.presets import preset, presets_of
from dmlviz.verify import read_document


def test_home_opens_first(session):
    session.at.run()
    assert session.exceptions == []
    assert [title.value for title in session.at.title] == ["See where every element goes"]


def test_home_has_three_doors_and_names_what_moves(session):
    session.at.run()
    links = [(found.page, found.label) for found in session.links]
    assert links[:3] == [("lessons", "I am new"), ("code", "I know the call"), ("teach", "I teach")]
    # after the movement
    assert links[3:] == [("lessons", "Next: the first lesson"), ("slice", "Build your own")]
    hero, *_cards = session.stages
    assert hero["options"]["bare"]
    assert hero["payload"]["steps"]
    assert [tensor["sizes"] for tensor in hero["payload"]["input"]["tensors"]] == [[6]]
    told = f"**Slice** \u2002 {Slice.sentence()}"
    assert any(e.value == told for e in session.at.markdown)


def test_the_movement_of_home_is_not_that_of_the_first_lesson(session):
    session.at.run()
    shown = session.stages[0]["payload"]["input"]["tensors"]
    hero = preset("slice-first")
    assert [tensor["sizes"] for tensor in shown] == [list(x.shape) for x in hero.inputs.values()]
    assert hero.state.key not in lessons()[0].operators


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
                # cells too small for numbers are one path for each color
                alike = re.findall(r'<path d="((?:M[^Mz]*h[^Mz]*z)+)" fill="#', drawing)
                cells = drawing.count("<rect") + sum(path.count("M") for path in alike)
                assert cells == x.size + frame
                assert frame <= 1


def test_an_explorer_opens_with_its_words_its_formula_and_its_tensors(each):
    """What its picture and its widgets show is in ``test_form.py``."""
    cls = operator_class(each.page.replace("_", "-"))
    assert [title.value for title in each.at.title] == [cls.title()]
    # its terms lead to the glossary
    assert re.sub(r"\[([^]]+)\]\(glossary[^)]*\)", r"\1", each.texts[0]) == cls.sentence()
    first = cls.examples()[0]
    trace = dmlviz.run(first.operator, first.inputs)
    assert each.at.code[0].value == as_python("\n".join(rule_lines(trace)))
    [example] = read_document(each.tensors).examples
    assert example.operator == first.operator
    before = each.stages[0]["identity"]
    each.at.run()
    assert each.stages[0]["identity"] == before


def test_code_that_no_test_runs_says_so(explorer):
    shown = explorer("tile")
    told = "Untested: dmlviz's tests do not run TensorFlow code."
    for dialect, said in (("pytorch", False), ("tensorflow", True), ("numpy", False)):
        shown.at.session_state["dialect"] = dialect
        shown.at.run()
        shown.whole()
        assert (told in [found.value for found in shown.at.caption]) == said
    shown.at.session_state["dialect"] = "directml"
    shown.at.run()
    assert "DML_OPERATOR_DESC" in shown.whole().at.code[-1].value


def test_pages_open_one_after_the_other_in_one_session(session):
    session.at.run()
    for page in ["tile", "padding", "gather", "home", "padding", "tile"]:
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
