"""A teacher's class: its address holds all of it, bad ones get a sentence, the engine answers."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64encode
from urllib.parse import quote

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlviz.base.addresses import write_link
from dmlviz.base.errors import Error
from dmlviz.teaching.answers import CELLS
from dmlviz.teaching.code_presets import code_presets
from dmlviz.teaching.facts import facts_of, state_of
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.posed import of_part, of_practice, of_preset
from dmlviz.teaching.practice import Practice
from dmlviz.teaching.presets import preset, presets
from dmlviz.teaching.runs import runs
from dmlviz.teaching.sets import (
    ClassSet,
    LessonPick,
    PracticePick,
    PresetPick,
    RunPick,
    SetPart,
    StateQuestion,
    WrittenChoice,
    as_run,
    of_state,
    parts_of_link,
    read_set,
    write_set,
)

CODE = "/code?code=x.reshape(2,3,4).permute(0,2,1)&sizes=x:2,12&library=torch"
TWO = "/code?code=q,+k+%3D+x.chunk(2,-1)&sizes=x:2,4"
PADDING = "/padding?sizes=5&values=count-1&padding_mode=EDGE&start_padding=2&end_padding=1"
LINES = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=60)
PICKS = st.one_of(
    st.builds(LessonPick, st.just("tile"), st.integers(1, 9)),
    st.builds(RunPick, st.just("gather-and-scatter"), st.integers(1, 9)),
    st.builds(PracticePick, st.integers(0, 9), st.integers(0, 3), st.just(""), st.integers(1, 9)),
    st.builds(
        StateQuestion,
        st.just(CODE),
        st.sampled_from(["sizes", "value", "choice", "open"]),
        LINES,
        choices=st.lists(st.builds(WrittenChoice, st.just("a"), LINES), max_size=3).map(tuple),
    ),
)
PARTS = st.lists(st.builds(SetPart, PICKS, st.integers(0, 180), LINES), max_size=6)


@given(st.builds(ClassSet, LINES, PARTS.map(tuple)))
def test_an_address_holds_the_whole_class(chosen):
    assert read_set(write_set(chosen)) == chosen


def packed(value):
    packer = zlib.compressobj(9, wbits=-15)
    data = msgspec.json.encode(value)
    return urlsafe_b64encode(packer.compress(data) + packer.flush()).decode().rstrip("=")


GOOD = write_set(ClassSet("A", (SetPart(LessonPick("tile", 1)),)))
BAD = {
    "empty": "",
    "cut off": GOOD[:-2],
    "longer": f"{GOOD}AAAA",
    "letters": "<b>x</b>",
    "wide letters": "가나",
    "too long": "A" * 7_000,
    "a bomb": packed(["A" * 10_000_000, []]),
    "another shape": packed({"title": "A"}),
    "an unknown kind": packed(["A", [[["z", 1], 3]]]),
    "a line break": packed(["A\nB", []]),
    "half of a letter": packed(["A", []]).replace("A", "A"),
    "minutes": packed(["A", [[["l", "tile", 1], 181]]]),
    "a long text": packed(["A", [[["l", "tile", 1], 3, "x" * 601]]]),
    "many parts": packed(["A", [[["l", "tile", 1], 3]] * 41]),
    "another site": packed(["A", [[["s", "//evil.example/tile", "sizes"], 3]]]),
    "a backslash": packed(["A", [[["s", "/\\evil.example/tile", "sizes"], 3]]]),
    "a script": packed(["A", [[["s", "javascript:alert(1)", "sizes"], 3]]]),
}
del BAD["half of a letter"]


@pytest.mark.parametrize("name", BAD)
def test_a_bad_address_gets_one_sentence(name):
    with pytest.raises(Error, match="not the whole address of a class") as raised:
        read_set(BAD[name])
    assert str(raised.value).count(".") == 1


def test_a_class_that_no_address_holds_is_refused():
    noise = np.random.default_rng(7).integers(33, 1_000, (40, 600))
    parts = [SetPart(LessonPick("tile", 1), 3, "".join(map(chr, line))) for line in noise.tolist()]
    with pytest.raises(Error, match="the limit is 6,000"):
        write_set(ClassSet("", tuple(parts)))


def test_every_kind_of_part_asks_what_its_page_asks():
    lesson, run = lessons()[3], runs()[0]
    picks = {
        LessonPick(lesson.key, 2): of_part(lesson, 2),
        RunPick(run.key, 3): run.parts[2].posed,
        PresetPick("depth-to-space-first"): of_preset(preset("depth-to-space-first")),
        PracticePick(7, 1, "tile", 2): of_practice(Practice(7, 1, "tile", 2)),
    }
    parts = tuple(SetPart(pick, 4, "Ask twice.") for pick in picks)
    made, problems = as_run(ClassSet("Mine", parts))
    assert problems == ()
    assert [part.posed for part in made.parts] == list(picks.values())
    assert (made.title, made.minutes) == ("Mine", 16)
    assert {part.notes for part in made.parts} == {"Ask twice."}
    assert read_set(made.link().partition("set=")[2]).parts == parts


def test_a_part_that_is_not_there_is_left_out_with_a_sentence():
    gone = [
        LessonPick("nothing", 1),
        LessonPick("tile", 99),
        RunPick("nothing", 1),
        PresetPick("nothing"),
        PracticePick(1, 9, "", 1),
        PracticePick(1, 1, "nothing", 1),
        StateQuestion("/nothing?x=1", "sizes"),
        StateQuestion("/tile?sizes=0", "sizes"),
        StateQuestion("/tile?sizes=40,40&values=example-0", "open"),
        StateQuestion("/code?code=import os", "sizes"),
        StateQuestion(PADDING, "value", cell="99"),
        StateQuestion(PADDING, "choice", "?", choices=(WrittenChoice("a"),)),
        StateQuestion(PADDING, "choice", "?", choices=(WrittenChoice("a"), WrittenChoice(" A"))),
        StateQuestion("", "sizes"),
        StateQuestion("", "open"),
    ]
    run, problems = as_run(ClassSet("", tuple(map(SetPart, (*gone, LessonPick("tile", 1))))))
    assert len(run.parts) == 1
    assert [problem.message[:7].strip() for problem in problems] == [
        f"Part {number}"[:7].strip() for number in range(1, len(gone) + 1)
    ]


@pytest.mark.parametrize("link", [CODE, TWO, PADDING])
@pytest.mark.parametrize("asks", ["sizes", "value", "source"])
def test_the_engine_answers(link, asks):
    trace = state_of(link).scenes()[0].trace
    outputs, inputs = list(trace.outputs.values()), list(trace.inputs.values())
    posed = StateQuestion(link, asks).posed()
    right = posed.answers[posed.right]
    assert sum(not answer.why for answer in posed.answers) == 1
    assert len({answer.text for answer in posed.answers}) == len(posed.answers) >= 2
    if asks == "sizes":
        sizes = ", ".join(f"{{{', '.join(map(str, output.shape))}}}" for output in outputs)
        assert right.text == sizes
        return
    values = np.concatenate([output.ravel() for output in outputs])
    value = values[posed.marked]
    if asks == "value":
        assert float(right.text) == value
        assert all(float(answer.text) != value for answer in posed.answers if answer.why)
    else:
        index = tuple(map(int, right.text.partition("[")[2].rstrip("]").split(",")))
        assert inputs[0][index] == value


def test_copies_are_counted_as_facts_count_them():
    asked = 0
    for each in (*presets(), *code_presets()):
        for fact in re.findall(r"\{(copies of [^}]+\])\}", each.template):
            posed = StateQuestion(each.link, "copies", cell=fact.partition(" of ")[2]).posed()
            assert posed.answers[posed.right].text == facts_of(each.link)(fact)
            asked += 1
    assert asked > 6
    with pytest.raises(Error, match=r"is no element of the input; write one such as in\[0\]"):
        StateQuestion(PADDING, "copies", cell="in[99]").posed()


def test_a_question_names_the_input_element_that_it_is_about():
    posed = StateQuestion(
        "/code?code=x.T&sizes=x:2,3", "copies", "How often is x[1, 2] used?"
    ).posed()
    assert posed.prompt == "How often is x[1, 2] used?"
    assert posed.reveal == "x[1, 2] lands at out[2, 1]: 1."


def test_no_source_is_said_to_land_at_an_index():
    link = preset("top-k-map").link
    sides = [StateQuestion(link, "source", cell=f"OutputValueTensor[1, {i}]") for i in (0, 1)]
    whys = [answer.why for side in sides for answer in side.posed().answers]
    assert any("OutputValueTensor" in why for why in whys)
    assert not any("OutputIndexTensor" in why for why in whys)


def test_a_question_asks_for_a_kind():
    with pytest.raises(Error, match=r'^asks: "essay" is not one of sizes, .*, open\.$'):
        StateQuestion(PADDING, "essay")


def test_a_teachers_wrong_choices_stand_around_the_engines_answer():
    mine = (WrittenChoice("99", "Too many."), WrittenChoice("1"), WrittenChoice("{8}"))
    posed = StateQuestion(PADDING, "sizes", "How long is it?", choices=mine).posed()
    assert posed.prompt == "How long is it?"
    assert [answer.text for answer in posed.answers if answer.why] == ["99", "1"]
    assert posed.answers[posed.right].text == "{8}"
    assert {answer.why for answer in posed.answers} >= {"Too many.", "The right answer is {8}."}


def test_a_question_names_the_element_that_it_is_about():
    posed = StateQuestion(PADDING, "value", "What is at the end?", cell="7").posed()
    assert posed.prompt == "What is at the end? (out[7])"
    assert posed.answers[posed.right].text == "5"
    assert posed.marked == 7


def test_words_have_the_answer_that_the_teacher_marks():
    choices = (WrittenChoice("Memory"), WrittenChoice("Time", "It takes the same time."))
    posed = StateQuestion("", "choice", "What does a view save?", choices=choices).posed()
    assert posed.right == 0
    assert posed.likely.why == "It takes the same time."


def test_addresses_of_every_page_become_parts():
    lesson, run = lessons()[0], runs()[0]
    assert parts_of_link(lesson.link(2)) == (
        SetPart(LessonPick(lesson.key, 2), max(1, round(lesson.minutes / len(lesson.parts)))),
    )
    assert len(parts_of_link(f"https://host/x/teach?lesson={lesson.key}")) == len(lesson.parts)
    of_run = parts_of_link(write_link("present", {"run": run.key}))
    assert [part.minutes for part in of_run] == [part.minutes for part in run.parts]
    assert parts_of_link("/practice?seed=7&level=2&number=3")[0].pick.practice == Practice(
        7, 2, "", 3
    )
    assert parts_of_link(preset("tile-documentation").link)[0].pick == PresetPick(
        "tile-documentation"
    )
    assert parts_of_link(PADDING)[0].pick.asks == "sizes"
    assert parts_of_link("/tile?sizes=2,2&repeats=1,2&compare=true")[0].pick.asks == "open"
    assert parts_of_link(f"/my-class?set={GOOD}") == read_set(GOOD).parts
    for bad in ("", "/nothing", "/lessons?lesson=nothing", "/practice?seed=x", "/tile?sizes=a"):
        with pytest.raises(Error):
            parts_of_link(bad)


def test_a_state_that_is_a_preset_asks_its_question():
    assert of_state(
        state_of("/code?code=x.reshape(2,+3,+4).permute(0,+2,+1)&sizes=x:2,12")
    ).pick == (PresetPick("code-split-columns"))
    assert of_state(state_of("/code?code=x.flip(0)&sizes=x:2,3")).pick.link.startswith("/code?")


@pytest.mark.parametrize("asks", ["value", "source"])
def test_a_question_about_a_cell_is_about_the_one_that_it_names(asks):
    for prompt, cell in (
        ("What lands at out[0, 1]?", "out[0, 1]"),
        ("What is at x[0, 1], and what at out[2,0]?", "out[2, 0]"),
    ):
        posed = StateQuestion("/code?code=x.T&sizes=x:2,3", asks, prompt).posed()
        sizes, index = (3, 2), [int(part) for part in cell[4:-1].split(",")]
        assert posed.marked == np.ravel_multi_index(index, sizes)
    # a cell that is chosen says so
    posed = StateQuestion("/code?code=x.T&sizes=x:2,3", asks, "At out[0, 1]?", "2, 0").posed()
    assert posed.prompt == "At out[0, 1]? (out[2, 0])"


def test_spaces_in_code_do_not_hide_its_question():
    texts = ("x.reshape(2, 3, 4).permute(0, 2, 1)", "x.reshape(2,3,4).permute(0,2,1)")
    picks = [parts_of_link(f"/code?code={quote(text)}&sizes=x:2,12")[0].pick for text in texts]
    assert picks == [PresetPick("code-split-columns")] * 2
    # the engine's answers come along
    posed = picks[0].posed()
    assert posed.answers[posed.right].text == "5"
    assert len({answer.text for answer in posed.answers}) == 4
    assert posed.hides == CELLS


def test_a_preset_is_called_by_its_operator_too():
    assert (
        of_preset(preset("scatter-documentation")).title == "Scatter: The documentation's example"
    )


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("tile-dimensions", "rows"),
        ("code-tile-or-repeat", "whole tensor"),
        ("slice-size-or-end", "where to stop"),
        ("depth-to-space-picture", "wrong"),
    ],
)
def test_a_wrong_choice_has_the_presets_own_reason(key, says):
    posed = PresetPick(key).posed()
    right = posed.answers[posed.right].text
    (why,) = filter(None, posed.reasons)
    assert says in why
    assert right not in why
    # letters are said once, by whoever lists the choices
    assert not any(answer.text.startswith(("A: ", "B: ")) for answer in posed.answers)


def test_the_right_answer_is_no_reason():
    choices = (WrittenChoice("Memory"), WrittenChoice("Time"))
    posed = StateQuestion("", "choice", "What does a view save?", choices=choices).posed()
    assert posed.answers[1].why
    assert posed.reasons == ("", "")


@pytest.mark.parametrize(
    ("link", "says"),
    [
        (
            "/code?code=x.reshape(2,+3,+4).permute(0,+2,+1)&sizes=x:2,12",
            "x {2, 12}\n.reshape(2, 3, 4) \u2192 {2, 3, 4}\n.permute(0, 2, 1) \u2192 {2, 4, 3}",
        ),
        ("/code?code=x.T&sizes=x:2,3", "x {2, 3}\nx.T \u2192 {3, 2}"),
        (
            "/tile?sizes=1,1,2,3&repeats=1,1,2,2",
            "Dimension 2: 2 \u00b7 2 = 4\nDimension 3: 3 \u00b7 2 = 6\n"
            "{1, 1, 2, 3} becomes {1, 1, 4, 6}.",
        ),
    ],
)
def test_the_answer_about_sizes_says_how_they_came_about(link, says):
    assert StateQuestion(link, "sizes").posed().reveal == says
