"""A worksheet: the engine's answers, on their own page, as text and tables and nothing else."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest
import segno

import dmlviz
from dmlviz.base.templates import render
from dmlviz.operators import OPERATORS
from dmlviz.teaching.answers import Answer
from dmlviz.teaching.exercises import EXERCISES, Drawn
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.posed import bare
from dmlviz.teaching.practice import ask
from dmlviz.teaching.questions import Question
from dmlviz.teaching.worksheets import (
    FOLDER,
    MOST_CELLS,
    MOST_COUNT,
    Sheet,
    kinds_of,
    lesson_questions,
    printed,
    read_sheet,
    worksheet,
)
from dmlviz.tensors import print_label


def tables(values):
    return render(FOLDER, "worksheet_tensor.html", tensor=printed(Drawn("in", values)))


class Reader(HTMLParser):
    """The page's elements, and the text of those that are asked for."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.texts, self.open = [], [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes.append((tag, dict(attributes)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return "".join(self.texts)


def question(**changed):
    x = np.array([[1, 2, 3], [4, 5, 6]], np.int32)
    parts = {
        "kind": "value",
        "level": 1,
        "operator": dmlviz.Tile((1, 2)),
        "x": x,
        "asks": "Which value does out[0, 4] hold?",
        "choices": (Answer("1", "That is out[0, 3]."), Answer("2"), Answer("5", "That is row 1.")),
        "right": 1,
        "marked": (0, 4),
        "explanation": "out[0, 4] = in[0, 1]\nSo it holds 2.",
        "shows": "input",
    }
    return Question(**{**parts, **changed})


def halves(page):
    before, behind = page.split('<section class="answers">')
    return before, behind


def cells(page):
    return re.findall(r"<td>([^<]+)</td>", page)


def test_questions_before_and_answers_behind():
    asked, answered = halves(worksheet([question()], "Tile", description="Seed 7"))
    assert "Which value does out[0, 4] hold?" in asked
    assert cells(asked) == list("123456")
    assert re.findall(r"<b>([A-Z])</b> ([^<]+)", asked) == [("A", "1"), ("B", "2"), ("C", "5")]
    for told in ("So it holds 2.", "That is out[0, 3].", "That is row 1."):
        assert told not in asked
        assert told in answered
    assert "<b>B</b> <strong>2</strong>" in answered
    assert asked.count("Seed 7") == answered.count("Seed 7") == 1
    assert asked.count('class="box"') == 3


def test_what_may_be_drawn_is_drawn_and_nothing_else():
    both, _ = halves(worksheet([question(shows="both", marked=None)], "x"))
    assert cells(both) == [*"123456", *"123123", *"456456"]
    none, answered = halves(worksheet([question(shows="none")], "x"))
    assert "<table" not in none
    assert "<table" not in answered


@pytest.mark.parametrize("operator", [cls.key for cls in OPERATORS])
def test_the_drawn_questions_hold_the_engines_numbers(operator):
    questions = Sheet(3, 2, operator, count=6).questions()
    page = worksheet(questions, operator)
    read = Reader(page)
    assert read.open == []
    assert not {"script", "img", "link", "iframe", "form", "a"} & set(read.tags)
    asked, answered = halves(page)
    wanted = []
    for drawn in questions:
        assert unescape(asked).count(drawn.prompt) >= 1
        assert drawn.choices[drawn.right].text in unescape(answered)
        if drawn.shows in ("input", "both"):
            wanted += [print_label(v) for x in drawn.inputs.values() for v in x.flat]
        if drawn.shows == "both":
            made = dmlviz.run(drawn.operator, drawn.inputs).outputs
            wanted += [print_label(v) for output in made.values() for v in output.flat]
    assert cells(asked) == wanted


def test_no_script_can_run_and_words_are_words():
    bad = "<script>alert(1)</script><img src=x onerror=y>&\"'"
    page = worksheet(
        [question(asks=bad, explanation=bad, choices=(Answer(bad), Answer("2", bad)), right=0)],
        bad,
        description=bad,
        address="https://example.invalid/?" + bad,
    )
    read = Reader(page)
    assert not {"script", "img"} & set(read.tags)
    # the page's title and two headings, the prompt, a choice twice, its reasons, foot and address
    assert read.text.count(bad) == 11
    (policy,) = [a["content"] for t, a in read.attributes if a.get("http-equiv")]
    assert "default-src 'none'" in policy
    assert "script-src 'none'" in policy
    assert "https" not in policy


def test_the_code_is_of_the_address():
    address = "https://example.org/practice?seed=7&level=1"
    page = worksheet([question()], "x", address=address)
    expected = segno.make(address, micro=False, error="m")
    assert expected.svg_inline(scale=3, border=2, omitsize=True, svgclass="code") in page
    assert address in Reader(page).text
    assert "<svg" not in worksheet([question()], "x", description="Seed 7")
    long = worksheet([question()], "x", address="https://example.org/" + "a" * 1_000)
    assert "<svg" not in long


@pytest.mark.parametrize(
    ("sizes", "planes", "heads"),
    [((3,), 1, "012"), ((2, 3), 1, "01201"), ((2, 2, 2, 1), 4, "001" * 4)],
)
def test_a_tensor_is_its_planes(sizes, planes, heads):
    x = np.arange(np.prod(sizes), dtype=np.float16).reshape(sizes)
    drawn = tables(x)
    assert drawn.count("<table>") == planes
    assert cells(drawn) == [str(i) for i in range(x.size)]
    assert "".join(re.findall(r'<th scope="(?:col|row)">(\d)</th>', drawn)) == heads
    if planes > 1:
        assert re.findall(r"<caption>(.*?)</caption>", drawn) == [
            "[0, 0, :, :]",
            "[0, 1, :, :]",
            "[1, 0, :, :]",
            "[1, 1, :, :]",
        ]


def test_a_large_tensor_is_told():
    drawn = tables(np.zeros((MOST_CELLS + 1,), np.int8))
    assert "<table" not in drawn
    assert "It has 401 elements, too many to print." in drawn


def test_a_lessons_sheet_has_the_lessons_text():
    for lesson in lessons():
        page = unescape(worksheet(lesson_questions(lesson), lesson.title))
        missing = [n for n, part in enumerate(lesson.parts, 1) if bare(part.words) not in page]
        assert missing == [], lesson.key


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["", *EXERCISES])
def test_level_1_has_at_most_three_dimensions_where_the_operator_allows(kind):
    for cls in OPERATORS:
        if kind not in ("", *kinds_of(cls.key)) or min(cls.ranks_ever()) > 3:
            continue
        for number in range(1, 5):
            drawn = Sheet(7, 1, cls.key, kind, number).questions()[-1]
            tensors = drawn.inputs.values() if kind == "" else [each.values for each in drawn.drawn]
            assert all(x.ndim <= 3 for x in tensors), (cls.key, number)


def test_a_sheet_is_its_words():
    sheet = Sheet(7, 2, "padding", "value", 10)
    assert read_sheet(sheet.parameters()) == (sheet, ())
    assert read_sheet({}) == (Sheet(), ())
    assert Sheet().parameters() == {}
    prompts = [found.prompt for found in sheet.questions()]
    assert prompts == [
        ask(7, n, level=2, operator="padding", kind="value").prompt for n in range(1, 11)
    ]
    assert prompts != [found.prompt for found in Sheet(8, 2, "padding", "value", 10).questions()]
    assert sheet.address("https://example.org/a/") == ""  # practice mixes the kinds
    assert Sheet(7, 2, "padding").address("") == ""
    assert Sheet(7, 2, "padding").address("https://example.org/a/") == (
        "https://example.org/a/practice?seed=7&level=2&operator=padding&number=1"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("seed", "-1"),
        ("seed", "2147483648"),
        ("seed", "9" * 100_000),
        ("seed", "٣"),
        ("level", "4"),
        ("level", ""),
        ("count", "0"),
        ("count", str(MOST_COUNT + 1)),
        ("count", "1e3"),
        ("operator", "scattering"),
        ("operator", "<script>" * 1_000),
        ("kind", "riddle"),
    ],
)
def test_a_bad_word_is_left_out_and_told(name, text):
    sheet, problems = read_sheet({name: text, "other": "x"})
    assert sheet == Sheet()
    bad, other = (problem.message for problem in problems)
    assert bad.startswith(f"link: ignored {name}=")
    # what there is to choose from is as long as it is
    assert len(bad.replace(", ".join(cls.key for cls in OPERATORS), "")) < 300
    assert other.startswith("link: ignored other=x: ")


def test_a_good_word_stays_beside_a_bad_one():
    sheet, problems = read_sheet({"seed": "7", "level": "9", "kind": "sizes"})
    assert sheet == Sheet(seed=7, kind="sizes")
    assert len(problems) == 1
