"""A class for others: Moodle reads its GIFT back, a table has each choice, paper has pictures."""

from __future__ import annotations

import base64
import csv
import re
from io import StringIO

import pytest

from dmlviz.teaching.answers import Answer
from dmlviz.teaching.posed import Posed
from dmlviz.teaching.runs import Run, RunPart, runs
from dmlviz.teaching.set_exports import as_gift, choices_csv, handout
from dmlviz.teaching.sets import (
    ClassSet,
    LessonPick,
    PracticePick,
    PresetPick,
    SetPart,
    StateQuestion,
    as_run,
)

CODE = "/code?code=x[:,+::-1].T&sizes=x:2,3"
PARTS = (
    LessonPick("tile", 1),
    PresetPick("tile-documentation"),
    PracticePick(7, 1, "tile", 1),
    StateQuestion(CODE, "value", cell="0, 1"),
)
RUN, _problems = as_run(
    ClassSet("Mine & <b>", tuple(SetPart(pick, 4, "Secret.") for pick in PARTS))
)
HOSTILE = Posed(
    "::a:: {=b ~c} // d\\n e\\ #f -> [html]<script>\n\n// x",
    answers=(
        Answer("[html]<b>=1</b>"),
        Answer("%50%half # no", "{~}"),
        Answer("=SUM(A1)", "back\\slash\nline"),
    ),
    reveal="####{}",
)

PLACEHOLDERS = {"\\:": "1", "\\#": "2", "\\=": "3", "\\{": "4", "\\}": "5", "\\~": "6", "\\n": "7"}
SIGNS = dict(zip("1234567", [":", "#", "=", "{", "}", "~", "\n"], strict=True))


def before(text):
    """As Moodle's ``escapedchar_pre``."""
    text = text.replace("\\\\", "&&092;")
    for sign, number in PLACEHOLDERS.items():
        text = text.replace(sign, f"&&{number};")
    return text.replace("&&092;", "\\")


def after(text):
    """As Moodle's ``parse_text_with_format``: the format in brackets, then ``escapedchar_post``."""
    match = re.match(r"\[(plain|html|markdown|moodle)\]", text)
    assert match, text
    assert match[1] == "plain"
    text = text[match.end() :]
    for number, sign in SIGNS.items():
        text = text.replace(f"&&{number};", sign)
    return text.strip()


def moodle(text):
    """What Moodle's import makes of GIFT: title, text, ``(weight, answer, feedback)``, feedback."""
    for question in re.split(r"\n\s*\n", text.strip()):
        lines = [line for line in question.split("\n") if not line.startswith("//")]
        read = before("\n".join(lines))
        assert read.startswith("::")
        title, _sign, rest = read[2:].partition("::")
        start, end = rest.index("{"), rest.index("}")
        assert rest[end + 1 :].strip() == ""
        inside, _sign, general = rest[start + 1 : end].partition("####")
        answers = []
        for part in re.findall(r"([=~])([^=~]*)", inside):
            sign, answer = part
            weight = 1.0 if sign == "=" else 0.0
            if match := re.match(r"%(-?\d{1,2})\.?(\d*)%", answer):
                weight, answer = float(match[1]) / 100, answer[match.end() :]
            answer, _sign, why = answer.partition("#")
            answers.append(
                (weight, after(answer.strip()), after(why.strip()) if why.strip() else "")
            )
        for number, sign in SIGNS.items():
            title = title.replace(f"&&{number};", sign)
        yield title, after(rest[:start].strip()), answers, after(general.strip()) if general else ""


@pytest.mark.parametrize("run", [RUN, *runs()], ids=lambda run: run.key or "own")
def test_moodle_reads_back_what_was_written(run):
    questions = list(moodle(as_gift(run)))
    assert len(questions) == len(run.parts)
    for (title, text, answers, general), part in zip(questions, run.parts, strict=True):
        posed = part.posed
        assert posed.prompt[:40] in title
        assert text.endswith(posed.prompt)
        assert posed.runs in text
        assert general == posed.reveal.strip()
        assert [(text, why) for _weight, text, why in answers] == [
            (answer.text, answer.why) for answer in posed.answers
        ]
        assert [weight for weight, _text, _why in answers] == [
            0.0 if answer.why else 1.0 for answer in posed.answers
        ]


@pytest.mark.parametrize(
    ("key", "right"),
    [
        ("unfold-first", "1, 2; 2, 3; 3, 4"),
        ("split-first", "1, 2; 3, 4, 5"),
        ("gather-elements-first", "3, 4"),
        ("diagonal-matrix-first", "2, 3"),
        ("strided-transpose", "InputTensor.Strides {1, 3}"),
    ],
)
def test_what_several_places_hold_is_a_choice_in_moodle(key, right):
    made, _problems = as_run(ClassSet("", (SetPart(PresetPick(key)),)))
    (part,) = made.parts
    assert part.posed.answers[part.posed.right].text.startswith(right)
    assert sum(not answer.why for answer in part.posed.answers) == 1
    assert as_gift(made).count("~%0%") == len(part.posed.answers) - 1 > 0


def test_no_sign_of_a_teacher_is_read_as_the_formats_own():
    ((title, text, answers, general),) = moodle(as_gift(Run("", "", "", (RunPart(HOSTILE, 1),))))
    assert text == HOSTILE.prompt
    assert HOSTILE.prompt.splitlines()[0][:30] in title
    assert [answer for _weight, answer, _why in answers] == [a.text for a in HOSTILE.answers]
    assert [weight for weight, _text, _why in answers] == [1.0, 0.0, 0.0]
    assert general == HOSTILE.reveal


def test_moodle_has_the_values_that_a_question_is_about():
    texts = [text for _title, text, _answers, _general in moodle(as_gift(RUN))]
    assert "[[1, 2, 3]," in texts[3].replace("\n", " "), "the picture is not part of the format"


def test_a_row_for_each_choice():
    rows = list(csv.DictReader(StringIO(choices_csv(RUN))))
    (*_some, whole) = csv.DictReader(StringIO(choices_csv(RUN, "https://example.org")))
    assert whole["link"] == f"https://example.org{rows[-1]['link']}"
    assert [row["part"] for row in rows].count("1") == len(RUN.parts[0].posed.answers)
    for number, part in enumerate(RUN.parts, 1):
        mine = [row for row in rows if row["part"] == str(number)]
        assert [row["right"] for row in mine].count("1") == (part.posed.right >= 0)
        assert {row["link"] for row in mine} == {part.posed.link}
    hostile = choices_csv(Run("", "", "", (RunPart(HOSTILE, 1),)))
    assert '"\'=SUM(A1)"' in hostile, "no spreadsheet takes it for a formula"


def test_a_handout_has_pictures_before_and_after():
    page = handout(RUN)
    questions, _sheet, answers = page.partition('<section class="answers">')
    assert "Mine &amp; &lt;b&gt;" in page
    assert "<script" not in page
    assert "Secret." not in page, "notes are the teacher's"
    count = len(RUN.parts)
    assert questions.count("<img ") == answers.count("<img ") == count
    for part in RUN.parts:
        for answer in part.posed.answers:
            assert answer.why == "" or answer.why[:20] not in questions

    def drawings(half):
        found = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', half)
        return [base64.b64decode(data).decode() for data in found]

    # out[0, 1] = 6 of the code is hidden before, and there after
    asks = re.compile("stroke-dasharray|>\\?<")
    assert all(asks.search(drawing) for drawing in drawings(questions))
    assert not any(asks.search(drawing) for drawing in drawings(answers))


def test_a_picture_that_is_too_large_for_paper_is_left_out():
    large = SetPart(StateQuestion("/tile?sizes=40,40&values=count-1&repeats=1,2", "open"))
    page = handout(as_run(ClassSet("", (large,)))[0])
    assert "<img " not in page
    assert "4,800 cells" in page


def test_a_question_without_an_answer_is_not_in_the_key():
    parts = (SetPart(StateQuestion(prompt="Why?")), SetPart(PracticePick(7, 1, "tile", 1)))
    _questions, _sheet, answers = handout(as_run(ClassSet("", parts))[0]).partition('answers">')
    assert re.findall(r'<li class="answer" value="(\d)"', answers) == ["2"]


def test_what_a_teacher_writes_is_text_on_paper():
    page = handout(Run("", "<i>", "", (RunPart(HOSTILE, 1),)))
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
