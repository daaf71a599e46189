"""What may be seen of a question before its answer, who may see it, and when the movement comes."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import json
import threading
import time
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest
from starlette.concurrency import run_in_threadpool

from dmlviz.base.words import speaking
from dmlviz.classroom import showing
from dmlviz.classroom.compose import lesson_polls, pick_polls
from dmlviz.classroom.polls import read_polls
from dmlviz.classroom.refusals import NoPicture, PicturesBusy
from dmlviz.classroom.showing import HEIGHTS, WIDTHS, question_movement, question_picture
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.sets import PracticePick, StateQuestion
from tests.classroom.serving import Browser, Lesson, serving
from tests.limits import DIGIT, SMALL_TARGET

GATHERS = ("gather", "gather-elements", "gather-nd")
PAD = (
    "/padding?sizes=1,1,3,4&data_type=FLOAT32&values=count-0&padding_mode=CONSTANT"
    "&padding_value=777&start_padding=0,0,1,1&end_padding=0,0,1,1"
)
REFUSED = "/depth-to-space?sizes=1,6,2,3&data_type=UINT32&values=count-0&block_size=2"
OLD = "/tile?sizes=1,1,2,3&data_type=INT64&values=count-1&repeats=1,1,1,2&feature_level=3_1"
LINK = "/tile?sizes=1,1,2,3&data_type=FLOAT32&values=count-1&repeats=1,1,3,3"
PLACE = {
    "key": "place",
    "kind": "cell",
    "prompt": "Which input element lands at out[0, 0, 2, 4]?",
    "link": f"{LINK}&pinned=0,0,5,8",
    "tensors": [{"name": "InputTensor", "sizes": [1, 1, 2, 3]}],
    "answer": 1,
}
SIZES = {
    "key": "sizes",
    "kind": "choice",
    "prompt": "What are the sizes of the output?",
    "link": f"{LINK}&pinned=0,0,5,8",
    "choices": [{"text": "{1, 1, 6, 9}"}, {"text": "{1, 1, 5, 6}", "misconception": "adds"}],
    "answer": 0,
}
VALUE = {
    "key": "value",
    "kind": "value",
    "prompt": "What does the marked place hold?",
    "link": f"{LINK}&pinned=0,0,5,8",
    "answer": 6,
}
ROW = {
    "key": "row",
    "kind": "cell",
    "prompt": "Which input element lands at out[9]?",
    "link": "/padding?sizes=5&data_type=FLOAT32&values=count-1&padding_mode=REFLECTION"
    "&start_padding=3&end_padding=3",
    "tensors": [{"name": "InputTensor", "sizes": [5]}],
    "answer": 2,
}
NONE = {**VALUE, "key": "none", "link": "/tile?sizes=2,3"}
QUESTIONS = [PLACE, SIZES, VALUE, NONE, {**VALUE, "key": "typed", "kind": "sizes", "answer": "1,2"}]


def poll(question):
    return read_polls([question])[0]


def drawn(question, dark=False, width=360):
    return json.loads(gzip.decompress(question_picture(poll(question), dark, width)))


def texts(told):
    return [
        "".join(part.itertext())
        for part in fromstring(told["svg"]).iter()
        if part.tag.endswith("text")
    ]


def places(told):
    """How many empty places of the output there are."""
    groups = [g for g in fromstring(told["svg"]).iter() if g.get("id") == "output"]
    return sum(path.get("d", "").count("M") for g in groups for path in g)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("pictures") / "x.sqlite") as (port, _service):
        yield port


@pytest.fixture
def lesson(served):
    return Lesson(served, QUESTIONS)


def test_a_question_of_sizes_shows_no_place_of_the_output():
    for question in (SIZES, QUESTIONS[4]):
        told = drawn(question)
        assert places(told) == 0
        assert not told["cells"]
        # its only sizes are the input's
        assert "Input{1, 1, 2, 3} FLOAT32" in texts(told)
        assert "9" not in " ".join(texts(told))


def test_the_element_that_the_words_name_is_asked_for():
    told = drawn(PLACE)
    assert places(told) == 6 * 9
    asked = [t for t in fromstring(told["svg"]).iter() if t.text == "?"]
    assert len(asked) == 1
    group = next(g for g in fromstring(told["svg"]).iter() if g.get("id") == "output")
    corners = [
        one.split() for one in group[0].get("d")[1:].replace("h", " ").replace("M", "|").split("|")
    ]
    x, y = (float(part) for part in corners[2 * 9 + 4][:2])
    assert x < float(asked[0].get("x")) < x + 40
    assert y < float(asked[0].get("y")) < y + 40
    # a pinned one is another way to say it, and then the last corner
    pinned = drawn(VALUE)
    last = [t for t in fromstring(pinned["svg"]).iter() if t.text == "?"]
    assert float(last[0].get("x")) > float(asked[0].get("x"))


def test_no_value_of_the_output_is_in_a_picture():
    told = drawn({**VALUE, "link": f"{PAD}&pinned=0,0,0,0", "answer": 777})
    assert places(told) == 5 * 6
    assert "777" not in told["svg"]
    # rows and columns have numbers, too
    found = texts(told)
    assert [found.count(str(n)) for n in range(6, 12)] == [1] * 6


def test_cells_stand_where_the_drawing_has_its_squares():
    for width in WIDTHS:
        told = drawn(PLACE, width=width)
        boxes = told["cells"]["InputTensor"]
        assert len(boxes) == 6
        group = next(g for g in fromstring(told["svg"]).iter() if g.get("id") == "input")
        squares = [r for r in group if r.tag.endswith("rect")]
        assert boxes == [[float(r.get(k)) for k in ("x", "y", "width", "height")] for r in squares]
        assert np.all(np.array(boxes) >= 0)
        assert max(x + w for x, _y, w, _h in boxes) <= told["width"]


@pytest.mark.parametrize(
    ("width", "tall"), [(360, 0), (640, 0), *((640, tall) for tall in HEIGHTS)]
)
def test_a_question_that_names_an_index_has_indices_to_find_it_by(width, tall):
    told = json.loads(gzip.decompress(question_picture(poll(ROW), False, width, tall)))
    # what stands above the cells of both rows comes before what they hold
    found = [text for text in texts(told) if text.isdecimal()]
    assert found[: 5 + 11] == [*map(str, range(5)), *map(str, range(11))]
    # and all of the rows is there without scrolling to the side
    assert told["width"] == width
    assert min(told["cells"]["InputTensor"][0][2:]) >= SMALL_TARGET


def test_what_a_phone_taps_has_a_title_indices_and_room_for_a_finger():
    (asked,) = pick_polls(PracticePick(3, 1, "gather", 2))
    told = json.loads(gzip.decompress(question_picture(asked, False, 360)))
    assert told["tapped"] == ["InputTensor"]
    assert min(told["cells"]["InputTensor"][0][2:]) >= 38
    letters = [
        float(text.get("font-size"))
        for text in fromstring(told["svg"]).iter()
        if text.tag.endswith("text") and text.text == "0"
    ]
    assert len(letters) == 3
    assert min(letters) >= DIGIT


def test_code_calls_its_input_by_one_name():
    link = "/code?code=x.reshape(2, 3).T&sizes=x:6"
    for asks in ("sizes", "source"):
        (asked,) = pick_polls(StateQuestion(link, asks))
        told = json.loads(gzip.decompress(question_picture(asked, False, 360)))
        assert "x{6} FLOAT32" in texts(told)
        moves = json.loads(gzip.decompress(question_movement(asked)))
        assert moves["figure"]["layout"]["meta"][0][0]["text"] == "<b>x</b>  {6} FLOAT32"


def test_the_answer_names_the_element_that_was_asked_about():
    link = "/code?code=x.reshape(2, 3).T&sizes=x:6"
    named = {}
    for asks in ("sizes", "source", "value"):
        (asked,) = pick_polls(
            StateQuestion(link, asks, cell="" if asks == "sizes" else "out[1, 0]")
        )
        named[asks] = json.loads(gzip.decompress(question_movement(asked)))["asked"]
    assert named == {"sizes": [], "source": [2], "value": [2]}
    # a choice, too, and only after the answer: before it, the empty output would give sizes away
    (lesson,) = (each for each in lessons("en") if each.key == "convolution")
    asked, *_others = lesson_polls(lesson)
    assert asked.prompt == "What is the first element of y?"
    # y stands after the 8 elements of columns
    assert json.loads(gzip.decompress(question_movement(asked)))["asked"] == [8]
    assert "y{" not in "".join(
        texts(json.loads(gzip.decompress(question_picture(asked, False, 360))))
    )


def test_a_picture_fits_its_room_or_keeps_its_numbers():
    for question in (SIZES, PLACE, VALUE):
        free = drawn(question)
        for tall in HEIGHTS:
            told = json.loads(gzip.decompress(question_picture(poll(question), False, 360, tall)))
            assert told["height"] <= max(tall, 160 if question is SIZES else free["height"])
            assert bool(told["font"]) == bool(free["font"])
            assert {n: len(b) for n, b in told["cells"].items()} == {
                n: len(b) for n, b in free["cells"].items()
            }


def test_a_small_phone_has_numbers_that_are_read_in_its_width():
    """A picture is drawn 360 pixels wide and made smaller, so its numbers are larger."""
    (lesson,) = (each for each in lessons("en") if each.key == "gather")
    practised = [pick_polls(PracticePick(5, 1, key, n))[0] for key in GATHERS for n in (1, 4)]
    for asked in (*lesson_polls(lesson), *practised):
        for tall in () if asked.kind == "cell" else (160, 200, 250):
            told = json.loads(gzip.decompress(question_picture(asked, False, 256, tall)))
            assert told["font"] * 256 / told["width"] >= 8.5, (asked.prompt, tall)
            assert told["width"] <= 360


def test_light_dark_and_languages():
    light, dark = drawn(PLACE), drawn(PLACE, dark=True)
    assert light["svg"] != dark["svg"]
    with speaking("ko"):
        korean = drawn(PLACE)
    assert korean["words"] != light["words"]
    assert "1.0" in light["words"] or "1" in light["words"]


def test_what_cannot_be_drawn():
    # the second refuses its sizes, the third its data type
    for link in (NONE["link"], REFUSED, OLD):
        question = {**PLACE, "link": link}
        with pytest.raises(NoPicture):
            question_picture(poll(question), False, 360)
        with pytest.raises(NoPicture):
            question_movement(poll(question))
    other = {**PLACE, "tensors": [{"name": "OtherTensor", "sizes": [2]}]}
    with pytest.raises(NoPicture):
        question_picture(poll(other), False, 360)


def test_who_sees_a_picture_and_when(lesson):
    ann, path = lesson.join(), f"{lesson.path}/picture"
    status, told = ann.get(f"{path}?number=0")
    assert (status, told["error"]) == (403, "not_shown")
    assert lesson.wall().get(f"{path}?number=0")[0] == 403
    assert lesson.teacher.get(f"{path}?number=2")[0] == 200
    lesson.move("ask")
    for asker in (ann, lesson.wall()):
        status, told = asker.get(f"{path}?number=0&dark=1&width=640")
        assert status == 200
        assert len(told["cells"]["InputTensor"]) == 6
        assert asker.answered.getheader("cache-control") == "no-store"
    assert ann.get(path)[1] == ann.get(f"{path}?number=0&dark=0&width=360")[1]
    assert ann.get(f"{path}?number=1")[1]["error"] == "not_shown"
    lesson.move("ask", number=3)
    assert ann.get(f"{path}?number=1")[0] == 200
    status, told = ann.get(f"{path}?number=3&lang=ko")
    assert (status, told["error"]) == (404, "no_picture")
    assert "picture" not in told["message"]


def test_who_is_refused_a_picture(lesson):
    lesson.move("ask")
    path = f"{lesson.path}/picture"
    stranger = Browser(lesson.port)
    assert stranger.get(path)[1]["error"] == "not_joined"
    stranger.token = "x" * 22
    assert stranger.get(path)[1]["error"] == "not_yours"
    assert Browser(lesson.port).get("/class/ZZZZ/picture")[1]["error"] == "not_joined"
    assert Browser(lesson.port).get("/class/nosuch/picture")[1]["error"] == "no_class"
    ann = lesson.join()
    for wrong in (
        "number=-1",
        "number=99",
        "number=x",
        "width=361",
        "tall=170",
        "width=",
        "dark=x",
        "number=٣",
    ):
        assert ann.get(f"{path}?{wrong.replace('٣', '%D9%A3')}")[0] == 400, wrong


def test_it_travels_packed(lesson):
    lesson.move("ask")
    ann = lesson.join()
    plain = ann.get(f"{lesson.path}/picture")[1]
    connection = http.client.HTTPConnection("127.0.0.1", lesson.port)
    headers = ann.headers(**{"Accept-Encoding": "gzip"})
    connection.request("GET", f"{lesson.path}/picture", headers=headers)
    answer = connection.getresponse()
    assert answer.getheader("content-encoding") == "gzip"
    assert json.loads(gzip.decompress(answer.read())) == plain
    connection.close()


def test_the_movement_comes_with_the_answer(lesson):
    ann, path = lesson.join(), f"{lesson.path}/movement"
    lesson.move("ask")
    for phase in ("closed", "discuss", "again", "closed_again", "reveal"):
        for asker in (ann, lesson.wall()):
            status, told = asker.get(f"{path}?number=0")
            assert (status, told["error"]) == (403, "not_shown")
        lesson.move(phase)
    for asker in (ann, lesson.wall(), lesson.teacher):
        status, told = asker.get(f"{path}?number=0")
        assert status == 200
        assert {"figure", "steps", "words"} <= told.keys()
    assert lesson.teacher.get(f"{path}?number=1")[0] == 200
    # the next question is on: neither its movement nor, for one who goes back, an earlier one
    lesson.move("ask")
    assert [ann.get(f"{path}?number={n}")[0] for n in (0, 1)] == [403, 403]


def test_what_is_refused_moves_nowhere():
    """That would be the answer of those who believe that it runs."""
    for lesson in lessons("en"):
        for part, asked in zip(lesson.parts, lesson_polls(lesson), strict=True):
            if state_of(part.link).problems():
                with pytest.raises(NoPicture):
                    question_movement(asked)
            else:
                assert question_movement(asked)


def test_pictures_wait_for_threads_of_their_own_and_not_without_end():
    """48 connections that ask for pictures leave the threads of joins and votes alone."""

    async def crowd():
        making, gate, names = showing._Making(), threading.Event(), []

        def make():
            names.append(threading.current_thread().name)
            gate.wait(10)
            return b""

        most = showing.MOST_WAITING + 2
        waiting = [making.made(n, make) for n in range(most)]
        # who asks for what is being made waits for that
        assert len({*waiting, making.made(0, make)}) == most + 1
        with pytest.raises(PicturesBusy):
            making.made(most, make)
        # a vote's thread is free
        assert await asyncio.wait_for(run_in_threadpool(lambda: "vote"), 5) == "vote"
        gate.set()
        assert await asyncio.gather(*waiting) == [b""] * most
        assert {name.rpartition("_")[0] for name in names} == {"class-pictures"}
        assert await making.made(most, make) == b""

    asyncio.run(crowd())


def test_the_pictures_of_a_class_are_there_before_anybody_asks(served, lesson, monkeypatch):
    made = []
    whole = showing.question_picture

    def count(poll, dark, width):
        made.append((poll.key, dark, width))
        return whole(poll, dark, width)

    monkeypatch.setattr(showing, "question_picture", count)
    stream = lesson.teacher.listen(f"{lesson.path}/events")
    due = [(each["key"], False, 360) for each in QUESTIONS]
    ends = time.monotonic() + 20
    while made != due:
        assert time.monotonic() < ends, made
        time.sleep(0.05)
    stream.close()
