"""A kind of question is one declaration: an unknown one is in every room, and no page knows its name."""

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

import dmlviz
from dmlviz.__main__ import main
from dmlviz.classroom.compose import (
    as_questions,
    lesson_polls,
    pick_polls,
    practice_polls,
    preset_polls,
)
from dmlviz.classroom.phases import Class
from dmlviz.classroom.polls import Poll, read_answer, read_polls
from dmlviz.classroom.report import report
from dmlviz.classroom.showing import question_picture
from dmlviz.classroom.tally import Counts, Tally
from dmlviz.classroom.views import counted, question, row
from dmlviz.operators import OPERATORS
from dmlviz.teaching.answer_inputs import INPUTS, NUMBER
from dmlviz.teaching.answers import SIZES, Answer
from dmlviz.teaching.kinds import KINDS, QuestionKind, WorkedOut
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.posed import of_part, of_practice, posed_wall
from dmlviz.teaching.practice import Practice, ask
from dmlviz.teaching.presets import preset
from dmlviz.teaching.questions import Question, question_input, setup
from dmlviz.teaching.set_exports import as_gift, choices_csv, handout
from dmlviz.teaching.sets import (
    ClassSet,
    PracticePick,
    SetPart,
    StateQuestion,
    as_run,
    read_set,
    write_set,
)
from dmlviz.teaching.subjects import ran
from dmlviz.teaching.worksheets import (
    Sheet,
    kinds_of,
    lesson_kinds,
    read_sheet,
    titles_of_kinds,
    worksheet,
)
from tests.app.conftest import Session

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "dmlviz" / "classroom" / "pages").glob("*.js"))
READ = re.compile(
    r"(?:question|asked|row|poll)\??\.(\w+)\s*[!=]==?\s*\"(\w*)\"|\b(input) [!=]== \"(\w*)\""
)


def test_pages_of_a_class_ask_for_the_input_alone():
    names = {each.name for each in INPUTS.values()}
    read = set()
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\.kind\b", text), f"{path.name} asks for a question's kind"
        for match in READ.finditer(text):
            field, name = [part for part in match.groups() if part is not None]
            assert field == "input", f"{path.name}: {match[0]} reads more than the input"
            assert name in names, f"{path.name}: {name} is not the name of an input"
            read.add(name)
    # the number is what is typed otherwise
    assert read == names


def test_no_script_compares_with_the_name_of_a_kind():
    inputs = {each.name for each in INPUTS.values()}
    player = [ROOT / "dmlviz" / "picture" / "js" / name for name in ("quiz.js", "guess.js")]
    for paths, allowed in ((PAGES, inputs), (player, {"choice", "place"})):
        for path in paths:
            # how a vote fares is no question
            compared = set(
                re.findall(r"(?<!\bway) [!=]==? \"(\w+)\"", path.read_text(encoding="utf-8"))
            )
            names = compared & {*KINDS, *INPUTS} - allowed
            assert not names, f"{path.name} compares with {names}, names of kinds of questions"


def test_a_wall_shows_no_words_that_only_learners_know():
    poll = Poll("k", "text", "?", (), "axis 1", "/tile", misconceptions=(("axis 0", "rows"),))
    votes = Tally({"axis 1": 2, "axis 0": 1, "rude": 3}, 2)
    place = {"number": 0, "phase": "ask", "round": 1, "paused": False, "bars": True, "version": 1}
    times = dict.fromkeys(("seconds", "closes", "left", "step", "opened"), 0)
    current = Class("AAAA", "t", (poll,), **place, **times, expires=10**9)
    for teacher, shown in ((False, {"axis 1", "axis 0"}), (True, {"axis 1", "axis 0", "rude"})):
        view = counted(current, Counts(6, 0, (votes, Tally({}, 0))), 0, 100, teacher=teacher)
        assert set(view["rounds"][0]["counts"]) == shown
        assert view["votes"] == 6


TILE = "/tile?sizes=2,3&repeats=1,2&values=count-1"
PROMPT = "How many elements does the output have?"
ONE_TOO_MANY = "That is one too many."


class CountKind(QuestionKind):
    """How many elements the outputs have, which nothing in the project asks like this."""

    key = "count"
    place = 25
    input = NUMBER
    facts = "elements"
    one_in = 3
    of_states = True
    after_presets = True

    def title(self):
        return "Elements of the output"

    def answers(self, trace):
        right = sum(output.size for output in trace.outputs.values())
        return (
            Answer(str(right)),
            Answer(str(right + 1), ONE_TOO_MANY),
            Answer("0", "It is not empty."),
        )

    def ask(self, subject, level, dice):
        trace = ran(subject, level, dice)
        right, *wrong = self.answers(trace)
        choices = dice.shuffled([right, *wrong])
        stated = setup(subject.operator, subject.all_sizes)
        return Question(
            *(self.key, level, trace.operator, question_input(trace), PROMPT, tuple(choices)),
            *(choices.index(right), None, f"It has {right.text}.", "input"),
            stated=stated,
        )

    def on_state(self, scene, cell):
        right, *wrong = self.answers(scene.trace)
        return WorkedOut(PROMPT, (wrong[0], right, *wrong[1:]), f"It has {right.text}.")


@pytest.fixture
def kind(monkeypatch):
    """The unknown kind, in the table of kinds for one test."""
    kind = CountKind()
    monkeypatch.setitem(KINDS, kind.key, kind)
    return kind


def turns(level=2):
    """Numbers of practice that ask the unknown kind unbidden."""
    numbers = [n for n in range(1, 25) if ask(5, n, level=level).kind == "count"]
    assert 2 < len(numbers) < 16
    return numbers


def check_poll(poll, right):
    """A class sends, shows, counts and reports it, and its pages hear of an input alone."""
    (poll,) = read_polls(json.loads(json.dumps(as_questions((poll,)))))
    assert (poll.input, poll.answer, poll.hides) == (NUMBER, right, SIZES)
    assert read_answer(poll, f" {right}.0 ") == right
    assert poll.misconception(str(int(right) + 1)) == ONE_TOO_MANY
    assert json.loads(gzip.decompress(question_picture(poll, False, 360)))["svg"]
    place = {"number": 0, "round": 1, "paused": False, "bars": True, "version": 1}
    times = dict.fromkeys(("seconds", "closes", "left", "step", "opened"), 0)
    votes = Tally({right: 2, str(int(right) + 1): 1}, 2)
    for phase, answered in (("ask", False), ("reveal", True)):
        current = Class("AAAA", "t", (poll,), phase=phase, **place, **times, expires=10**9)
        for teacher in (False, True):
            view = question(current, 0, teacher=teacher)
            assert (view["input"], view["invitation"]) == ("number", NUMBER.invitation())
            assert view["label"] == NUMBER.label()
            assert ("answer" in view) == (answered or teacher)
            assert "count" not in json.dumps({**view, "prompt": "", "key": "", "repeat": ""})
        wall = counted(current, Counts(3, 0, (votes, Tally({}, 0))), 0, 100)
        assert wall["rounds"][0]["counts"][right] == 2
    (line,) = report((poll,), {(0, 1): votes.counts})
    shown = row(line)
    assert (shown["shown"], shown["mistaken"][0]["misconception"]) == (right, ONE_TOO_MANY)


def test_practice_asks_it_in_its_turn_and_no_other_number_changes(kind):
    mine = turns()
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(KINDS, kind.key)
        before = {n: ask(5, n, level=2) for n in range(1, 25, 2) if n not in mine}
    for number, asked in before.items():
        now = ask(5, number, level=2)
        assert (now.kind, now.asks, now.choices) == (asked.kind, asked.asks, asked.choices)
    for cls in OPERATORS:
        asked = ask(7, 1, operator=cls.key, kind=kind.key)
        assert int(asked.choices[asked.right].text) == sum(
            x.size for x in dmlviz.run(asked.operator, asked.inputs).outputs.values()
        )


@pytest.mark.parametrize("right", [True, False])
def test_the_page_of_practice_and_present_ask_it(kind, right):
    number = str(turns()[0])
    asked = ask(5, int(number), level=2)
    link = {"seed": "5", "level": "2", "number": number}
    page = Session().open("practice", **link)
    assert any(PROMPT in text for text in page.texts)
    page.widget(f"choice_{asked.right if right else (asked.right + 1) % 3}").click().run()
    assert page.exceptions == []
    assert any(asked.explanation in text for text in page.texts)
    posed = of_practice(Practice(5, 2, "", int(number)))
    wall = posed_wall(posed, hidden=True)
    assert (wall["hides"], wall["right"], len(wall["choices"])) == (SIZES, asked.right, 3)
    assert Session().open("present", **link).exceptions == []


def test_a_lesson_asks_it_on_paper_and_in_a_class(kind):
    lesson = next(each for each in lessons() if each.key == "tile")
    part = lesson.parts[0]
    answers = Answer("12"), Answer("13", ONE_TOO_MANY)
    fields = {"answers": answers, "answer": "elements", "hides": ""}
    prediction = msgspec.structs.replace(part.prediction, prompt=PROMPT, **fields)
    answers = prediction.with_claims
    prediction = msgspec.structs.replace(prediction, answers=answers)
    lesson = msgspec.structs.replace(
        lesson, parts=(msgspec.structs.replace(part, prediction=prediction),)
    )
    assert lesson_kinds(lesson) == ("count",)
    posed = of_part(lesson, 1)
    assert posed.hides == SIZES
    (poll,) = lesson_polls(lesson)
    assert (poll.prompt, poll.answer_text(poll.answer)) == (PROMPT, "A: 12")


def test_a_preset_has_it_as_its_own_question_and_after_it(kind):
    chosen = preset("tile-documentation")
    right = str(chosen.trace().output.size)
    (after,) = [poll for poll in preset_polls(chosen) if poll.prompt == PROMPT]
    check_poll(after, right)
    mine = replace(chosen, key="mine", template="{elements}: all of them.", question=PROMPT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dmlviz.teaching.preset_answers._in_english", lambda asked: asked)
        first, *others = preset_polls(mine)
    check_poll(first, right)
    assert PROMPT not in [poll.prompt for poll in others]


@pytest.mark.parametrize("link", [TILE, "/code?code=x.T&sizes=x:2,6"])
def test_a_teachers_class_asks_it_about_any_state(kind, link):
    part = SetPart(StateQuestion(link, "count"))
    chosen = read_set(write_set(ClassSet("Mine", (part,))))
    (poll,) = pick_polls(chosen.parts[0].pick)
    check_poll(poll, "12")
    run, problems = as_run(chosen)
    assert not problems
    gift, table, paper = as_gift(run), choices_csv(run), handout(run)
    assert "{\n~%0%[plain]13#[plain]That is one too many." in gift
    assert ',"B","12",1,' in table
    for text in (gift, table, paper):
        assert PROMPT in text
        assert "It has 12." in text
    page = Session().open("my_class", set=write_set(chosen))
    assert page.exceptions == []
    (menu,) = [each for each in page.at.selectbox if each.label == "Kind of question"]
    assert menu.value == "count"
    assert "Elements of the output" in menu.options


def test_practice_in_a_class_and_on_a_sheet(kind, tmp_path):
    number = turns()[0]
    (poll,) = pick_polls(PracticePick(5, 2, "", number))
    asked = ask(5, number, level=2)
    check_poll(poll, asked.choices[asked.right].text)
    assert PROMPT in {each.prompt.rpartition(". ")[2] for each in practice_polls(5, 12, 2)}
    assert titles_of_kinds()["count"] == "Elements of the output"
    assert "count" in kinds_of("tile")
    sheet, problems = read_sheet({"kind": "count", "count": "3"})
    assert (sheet, problems) == (Sheet(kind="count", count=3), ())
    page = worksheet(sheet.questions(), "Sheet")
    assert page.count(PROMPT) == 3
    assert "It has " in page
    path = tmp_path / "sheet.html"
    assert main(["worksheet", "--kind", "count", "-o", str(path)]) == 0
    assert PROMPT in path.read_text(encoding="utf-8")
    page = Session().open("worksheet", kind="count")
    assert page.exceptions == []
    (menu,) = [each for each in page.at.selectbox if each.key == "worksheet_kind"]
    assert menu.value == "count"


@pytest.mark.parametrize("stored", sorted(INPUTS.keys() - {"discussion", "sizes"}))
def test_it_can_be_answered_in_each_way(kind, monkeypatch, stored):
    monkeypatch.setattr(CountKind, "input", INPUTS[stored])
    monkeypatch.setattr(CountKind, "places", lambda *_: (3, [(0, "That is the first.")]))
    (poll,) = pick_polls(PracticePick(5, 2, "", turns()[0]))
    (poll,) = read_polls(as_questions((poll,)))
    assert poll.kind == stored
    assert bool(poll.choices) == (stored == "choice")
    assert bool(poll.tensors) == (stored == "cell")
    assert read_answer(poll, poll.answer) == poll.answer
    assert any(poll.misconception(wrong) for wrong in ("0", "1", "2"))
