"""Every lesson and part as one person takes it: read, answer, see, go on."""

from __future__ import annotations

import json
import re
from urllib.parse import urlsplit

import pytest

from dmlviz.app.lesson_marks import read_answers
from dmlviz.app.text import plain
from dmlviz.base.words import languages
from dmlviz.teaching.facts import facts_of, operator_keys
from dmlviz.teaching.glossary import glossary
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.posed import of_part
from tests.app.conftest import HOSTILE

EVERY = {lesson.key: lesson for lesson in lessons()}


@pytest.fixture
def taking(session):
    """Open a part of a lesson: ``taking("tile", part="2")``."""

    def opened(key, **words):
        return session.open("lessons", lesson=key, **words)

    return opened


def answers(session):
    return [b for b in session.at.button if b.key.rsplit("_", 1)[-1].isdigit()]


def press(session, key):
    next(b for b in session.at.button if b.key == key).click().run()


def at(session):
    """The address's words, each as one text."""
    found = session.at.query_params
    return {name: value[0] if isinstance(value, list) else value for name, value in found.items()}


@pytest.mark.slow
@pytest.mark.parametrize("lesson", EVERY.values(), ids=EVERY)
def test_a_whole_lesson(taking, lesson):
    session = taking(lesson.key)
    for number, part in enumerate(lesson.parts, 1):
        assert session.exceptions == []
        assert session.warnings == []
        assert [title.value for title in session.at.title] == [part.title]
        check_question(session, of_part(lesson, number))
        assert part.prediction.reveal not in session.texts
        buttons = answers(session)
        assert [b.label.strip("*") for b in buttons] == [a.text for a in part.prediction.answers]
        wrong = number % 2 == 0
        chosen = next(i for i, a in enumerate(part.prediction.answers) if bool(a.why) is wrong)
        buttons[chosen].click().run()
        assert session.exceptions == []
        right = part.prediction.answers[part.prediction.right].text
        assert [text for text in session.texts if text.startswith("Right:")] == [
            f"Right: **{right}**"
        ]
        refused = facts_of(part.link).problems
        said = [f"You said: **{part.prediction.answers[chosen].text}**"] if wrong else []
        assert [text for text in session.texts if text.startswith("You said:")] == said
        assert len(session.errors) == len(refused)
        check_stage(session, part, refused, of_part(lesson, number).hides == "nothing")
        link = session.links[0]
        assert link.page == urlsplit(part.what_if.link).path.strip("/")
        press(session, "lesson_next")
    assert session.exceptions == []
    assert at(session) == {"lesson": lesson.key, "part": "end"}
    assert [title.value for title in session.at.title] == [lesson.title]
    count = len(lesson.parts)
    right = (count + 1) // 2
    assert f"**You answered {right} of {count} questions correctly.**" in session.texts
    parts = [link for link in links(session) if f"lesson={lesson.key}&" in link.query_string]
    numbers = (*range(2, count + 1, 2), *range(1, count + 1, 2))
    assert [link.query_string for link in parts] == [
        f"lesson={lesson.key}&part={number}" for number in numbers
    ]
    wrong = [link.icon for link in parts if "cancel" in link.icon]
    assert len(wrong) == count - right
    # what was missed is practised
    missed = operator_keys(part.link for part in lesson.parts[1::2])
    practised = [link.query_string for link in links(session) if link.page == "practice"]
    assert practised == [f"operator={key}" for key in missed]
    keys = list(EVERY)
    press(session, "lesson_next")
    following = keys[keys.index(lesson.key) + 1 :][:1]
    assert at(session) == ({"lesson": following[0], "part": "1"} if following else {})


def test_going_on_without_an_answer_asks_once(taking):
    session = taking("tile", part="1")
    press(session, "lesson_next")
    assert at(session) == {"lesson": "tile", "part": "1"}
    assert sum("or skip this part." in text for text in session.texts) == 1
    press(session, "lesson_next")
    assert at(session) == {"lesson": "tile", "part": "2"}
    assert not any("or skip this part." in text for text in session.texts)


@pytest.mark.parametrize(("wrong", "tick"), [(0, "tile"), (1, "tile"), (2, "")])
def test_two_of_three_right_give_a_tick(taking, wrong, tick):
    lesson = EVERY["tile"]
    session = taking("tile")
    for number, part in enumerate(lesson.parts):
        right = part.prediction.right
        answers(session)[(right + 1) % 3 if number < wrong else right].click().run()
        press(session, "lesson_next")
    assert len(lesson.parts) == 3
    assert ticked(session) == tick
    told = "To pass, answer every question, at least 2 of 3 correctly."
    assert (told in session.texts) is not bool(tick)
    # what was missed comes first; only a lesson without mistakes tells what its reader can do
    listed = [link.query_string for link in links(session) if link.page == "lessons"]
    missed = [f"lesson=tile&part={number}" for number in range(1, wrong + 1)]
    assert [at for at in listed if "part=" in at][: len(missed)] == missed
    assert ("**Look again at:**" in session.texts) is bool(wrong)
    assert ("**The other parts:**" in session.texts) is bool(wrong)
    assert any("**Now you can:**" in text for text in session.texts) is not bool(wrong)
    if not tick:
        press(session, "lesson_again")
        assert "**You answered 0 of 3 questions correctly.**" in session.texts
        assert "**Practice it:**" in session.texts
    # a lesson that was left half done gives none
    assert ticked(taking("padding-modes", part="end")) == ""


def remembered(session):
    """What the browser is told to remember."""
    sent = [json.loads(found.proto.json) for found in session.at.get("bidi_component")]
    (data,) = [data for data in sent if "passed" in data]
    return data


def ticked(session):
    return remembered(session)["passed"]


def test_the_end_says_what_is_missing(taking):
    lesson = EVERY["padding-modes"]
    session = taking(lesson.key, part="2")
    answers(session)[lesson.parts[1].prediction.right].click().run()
    assert remembered(session)["answers"] == {lesson.key: {"2": lesson.parts[1].prediction.right}}
    session = taking(lesson.key, part="end")
    rest = ", ".join(str(n) for n in range(1, len(lesson.parts) + 1) if n != 2)
    told = f"Parts {rest} are not answered yet."
    assert any(text.endswith(told) for text in session.texts)


def test_a_lesson_that_was_begun_has_its_score_in_the_list(taking):
    session = taking("tile")
    answers(session)[EVERY["tile"].parts[0].prediction.right].click().run()
    press(session, "lesson_all")
    scores = [each.value for each in session.at.caption if each.value.endswith("correct")]
    assert [score.rpartition(" \u00b7 ")[2] for score in scores] == ["1 of 3 correct"]


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ('{"tile": {"1": 2, "3": 0}}', {("tile", 1): 2, ("tile", 3): 0}),
        ('{"tile": {"1": 3, "2": -1, "3": 1.0, "4": 0, "x": 0}}', {}),
        ('{"tile": {"1": true, "2": "0", "3": null}, "none": {"1": 0}}', {}),
        ('{"tile": [0, 1, 2]}', {}),
        ("[" * 15_000, {}),
        ("[" * 3_000_000, {}),
        ('{"tile": 7}', {}),
        ("null", {}),
        ("", {}),
    ],
    ids=range(9),
)
def test_a_browser_gives_back_what_a_lesson_asks_and_nothing_else(text, answers):
    assert read_answers(text) == answers


def test_lines_of_code_are_not_wrapped(taking):
    """On a phone a wrapped line would look like a new one, without its indentation."""
    session = taking("gather", part="1")
    answers(session)[0].click().run()
    (code,) = session.at.code
    assert code.value.startswith("# NumPy\nimport numpy")
    assert not code.proto.wrap_lines


@pytest.mark.slow
@pytest.mark.parametrize("lesson", EVERY.values(), ids=EVERY)
def test_the_settings_stand_beside_every_question_and_do_not_answer_it(taking, lesson):
    for number in range(1, len(lesson.parts) + 1):
        session = taking(lesson.key, part=str(number))
        posed = of_part(lesson, number)
        if posed.runs_code:
            assert [code.value for code in session.at.code] == [posed.runs] * bool(posed.runs)
            assert bool(posed.runs) is not bool(posed.quiet)
        else:
            assert plain(posed.runs) in [caption.value for caption in session.at.caption]
        stills = [f for f in session.at.get("html") if "<img" in f.proto.body]
        assert len([*stills, *session.stages]) == (0 if posed.hides == "all" else 1)


def links(session):
    return session.links


def test_a_lesson_is_not_a_page_for_a_room(taking):
    """What asks to present an operator's page leaves a lesson, its bar and its foot as they are."""
    plain, asked = (
        len(taking("tile", **words).at.get("page_link")) for words in ({}, {"present": "true"})
    )
    assert asked == plain > 3


def check_question(session, posed):
    """The player before the answer is sent nothing that tells it."""
    refused = facts_of(posed.link).problems
    assert len(session.stages) == (not refused and posed.hides != "all")
    for stage in session.stages:
        told = stage["payload"]
        assert told["formula"]["of"] == told["formula"]["tables"] == {}
        assert [step["title"] for step in told["steps"]] == [""]
        assert stage["link"]["plays"] is False
        assert stage["link"]["view"] | {"colors": ""} == {
            "colors": "",
            "moves": "",
            "step": 0,
            "pinned": [],
            "memory": False,
        }
        if posed.hides != "nothing":
            assert {tensor["labels"] for tensor in told["output"]["tensors"]} == {None}
        if posed.hides == "sizes":
            assert [tensor["sizes"] for tensor in told["output"]["tensors"]] == [[1]]


def check_stage(session, part, refused, in_view):
    """The player after the answer: Play runs through, and the state's cells are marked.

    An output that was in view before stays so.
    """
    stages = session.stages
    state = facts_of(part.link).state
    assert len(stages) == (0 if refused else 1)
    for number, stage in enumerate(stages):
        link = stage["link"]
        steps = len(stage["payload"]["steps"])
        assert link["view"]["step"] == steps
        assert len(link["view"]["pinned"]) == len(state.view.pinned)
        assert (link["writes"], link["shares"], link["pins"]) == (False, False, True)
        assert link["plays"] is (number == 0 and not in_view)


def test_the_address_follows_and_back_does_not_play_again(taking):
    session = taking("tile", part="2")
    assert [title.value for title in session.at.title] == [EVERY["tile"].parts[1].title]
    answers(session)[2].click().run()
    assert session.stages[0]["link"]["plays"] is True
    press(session, "lesson_next")
    assert at(session) == {"lesson": "tile", "part": "3"}
    press(session, "lesson_back")
    assert at(session) == {"lesson": "tile", "part": "2"}
    # what was answered stays answered
    assert answers(session) == []
    assert session.stages[0]["link"]["plays"] is False


@pytest.mark.parametrize("part", ["0", "4", "9" * 400, "![x](http://a)"])
def test_a_part_that_is_not_there_is_said(taking, part):
    session = taking("tile", part=part)
    assert session.exceptions == []
    assert len(session.warnings) == 1
    assert "from 1 to 3" in session.warnings[0]
    assert [title.value for title in session.at.title] == [EVERY["tile"].parts[0].title]


@pytest.mark.parametrize("kind", ["picture", "long"])
def test_a_lesson_that_is_not_there_is_said(taking, kind):
    session = taking(HOSTILE[kind])
    assert session.exceptions == []
    (sentence,) = session.warnings
    assert len(sentence) < 200
    assert "![x](" not in sentence
    assert [title.value for title in session.at.title] == ["Lessons"]


def test_the_list_offers_every_lesson(session):
    session.open("lessons")
    assert session.exceptions == []
    cards = session.links
    names = [card.label for card in cards]
    assert names == [f"{n}. {lesson.title}" for n, lesson in enumerate(EVERY.values(), 1)]
    starts = [card.query_string for card in cards]
    assert starts == [f"lesson={key}&part=1" for key in EVERY]


@pytest.mark.parametrize("spoken", languages())
def test_what_a_lesson_needs_before_it_is_a_link(session, spoken):
    session.open("lessons", lang=spoken)
    texts = " ".join(each.value for each in session.at.markdown)
    titles = {lesson.key: lesson.title for lesson in lessons(spoken)}
    for key in ("dimensions", "gather", "padding-modes", "depth-to-space-dcr"):
        assert re.search(rf"\[.{re.escape(titles[key])}.\]\(lessons\?lesson={key}&part=1\)", texts)


def test_new_words_are_explained_beside_the_text(taking):
    session = taking("padding-folding", part="1")
    fold = next(term for term in glossary() if term.key == "fold")
    (said,) = [text for text in session.texts if f"- **{fold.name}**: " in text]
    assert f"- **{fold.name}**: {fold.sentence}" in said
    assert any('[fold](glossary?term=fold "' in text for text in session.texts)


def test_the_glossary_shows_every_term(session):
    session.open("glossary")
    assert session.exceptions == []
    found = [(term.value, term.anchor) for term in session.at.subheader]
    assert found == [(term.name, term.key) for term in glossary()]
    assert [link.page for link in session.links] == [
        urlsplit(term.link).path.strip("/") for term in glossary()
    ]
    pictures = [found.proto.body for found in session.at.get("html") if "<img" in found.proto.body]
    assert len(pictures) == len(glossary())
    assert all('alt="' in picture and 'alt=""' not in picture for picture in pictures)


def test_a_lesson_leads_to_a_term_before_all_others(session):
    session.open("glossary", term="fold")
    assert session.exceptions == []
    names = [term.value for term in session.at.subheader]
    assert names == ["fold", *(term.name for term in glossary())]


def test_a_term_that_is_not_there_is_said(session):
    session.open("glossary", term="![x](http://a)" * 9)
    assert session.exceptions == []
    (sentence,) = session.warnings
    assert len(sentence) < 200
    assert "![x](" not in sentence


@pytest.mark.parametrize("lesson", lessons("en"), ids=lambda lesson: lesson.key)
def test_letters_stand_in_a_formula_only_where_a_part_is_about_them(lesson):
    """All others have the line with numbers alone: letters and ``mod`` come before their lesson."""
    for part in lesson.parts:
        assert part.letters == ("out[i]" in "\n".join(part.reading())), part.title
