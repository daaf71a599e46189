"""The pages of teacher and wall: what they hold, who may do what, and a show of hands."""

from __future__ import annotations

import json
import re

import pytest

from dmlviz.base.words import speaking
from dmlviz.classroom.learner import PlayerFiles
from dmlviz.classroom.service import Service
from dmlviz.classroom.staff import staff_routes, staff_words
from tests.classroom.conftest import QUESTIONS
from tests.classroom.serving import Browser, Lesson, serving

ENGINE = PlayerFiles("dmlviz/abc/player.js", "dmlviz/6/plotly.min.js")
PAGES = ["wall", "teach", "report"]
SECRET = "counts from the end"


def is_own(origin, host):
    return origin == f"http://{host}"


class Late:
    """The service that the server makes, for routes that are made before it."""

    def __init__(self):
        self.service = None

    def __getattr__(self, name):
        return getattr(self.service, name)


def outside(address):
    return address.replace("localhost", "192.0.2.7")


@pytest.fixture
def lesson(tmp_path):
    late = Late()
    more = staff_routes("", late, is_own, ENGINE, outside)
    with serving(tmp_path / "x.sqlite", more=more) as (port, service):
        assert isinstance(service, Service)
        late.service = service
        yield Lesson(port, QUESTIONS, title="Tensors")


def told(page):
    return json.loads(re.search(r'id="page-data">(.*?)</script>', page, re.DOTALL)[1])


@pytest.mark.parametrize("page", PAGES)
def test_a_page_holds_nothing_of_the_class(lesson, page):
    browser = Browser(lesson.port)
    status, text = browser.get(f"{lesson.path}/{page}")
    assert status == 200
    assert browser.answered.getheader("content-type").startswith("text/html")
    assert browser.answered.getheader("cache-control") == "no-store"
    policy = browser.answered.getheader("content-security-policy")
    assert "script-src 'self'" in policy
    assert policy.endswith("; frame-ancestors 'none'")
    # a browser complains of what only a header can say
    assert "frame-ancestors" not in text
    # the address holds the secret of whoever clicks on
    assert browser.answered.getheader("referrer-policy") == "no-referrer"
    for secret in (SECRET, lesson.teacher.token, lesson.wall_token, "Tensors"):
        assert secret not in text
    assert told(text)["code"] == lesson.code


@pytest.mark.parametrize("page", PAGES)
def test_a_page_speaks_the_language_that_is_asked_for(lesson, page):
    _status, text = Browser(lesson.port).get(f"{lesson.path}/{page}?lang=ko")
    assert '<html lang="ko">' in text
    assert told(text)["words"]["pause"] == "일시 중지"


def test_every_word_is_said_in_korean():
    with speaking("ko"):
        korean = staff_words()
    english = staff_words()
    assert [name for name in english if english[name] == korean[name]] == []
    holes = re.compile(r"\{\w+\}")
    for name, text in english.items():
        assert sorted(holes.findall(text)) == sorted(holes.findall(korean[name])), name


def test_a_code_that_is_none_is_a_page_too(lesson):
    status, text = Browser(lesson.port).get("/class/nonsense/wall")
    assert status == 404
    assert "There is no class with this code." in text


def test_cards_are_four_letters(lesson):
    status, text = Browser(lesson.port).get(f"{lesson.path}/cards")
    assert status == 200
    assert re.findall(r'class="letter">(\w)<', text) == ["A", "B", "C", "D"]


def test_the_invitation_leads_others_to_the_door(lesson):
    origin = f"http://localhost:{lesson.port}"
    browser = Browser(lesson.port)
    path = f"{lesson.path}/invitation?origin={origin}"
    status, told = browser.get(path, Host=f"localhost:{lesson.port}")
    assert status == 200
    assert told["address"] == f"http://192.0.2.7:{lesson.port}/class?code={lesson.code}"
    assert told["svg"].startswith("<svg")
    assert browser.get(f"{lesson.path}/invitation?origin=http://evil.example")[0] == 400
    assert browser.get(f"{lesson.path}/invitation")[0] == 400


def raised(lesson, counts, turn=1, question=0):
    body = {"question": question, "round": turn, "counts": counts}
    return lesson.teacher.post(f"{lesson.path}/hands", body)


def test_hands_count_with_the_votes(lesson):
    phone = lesson.join()
    lesson.move("ask")
    assert lesson.vote(phone, 0)[0] == 200
    assert raised(lesson, {"0": 9, "1": 9}) == (200, {"stored": {"0": 9, "1": 9}})
    # another count takes the place of the first
    assert raised(lesson, {"1": 5, "2": 2})[0] == 200
    status, told = lesson.teacher.get(f"{lesson.path}/results")
    assert status == 200
    assert told["rows"][0]["rounds"][0] == {
        "votes": 8,
        "counts": {"1": 5, "2": 2, "0": 1},
        "right": 5,
        "share": 5 / 8,
    }
    stream = lesson.teacher.listen(f"{lesson.path}/events")
    state = stream.until(lambda state: state["counts"]["votes"] == 8)
    assert state["counts"]["rounds"][0]["right"] == 5
    stream.close()
    assert raised(lesson, {})[0] == 200
    _status, told = lesson.teacher.get(f"{lesson.path}/results")
    assert told["rows"][0]["rounds"][0]["votes"] == 1


@pytest.mark.parametrize(
    "body",
    [
        {"question": 4, "round": 1, "counts": {}},
        {"question": 0, "round": 3, "counts": {}},
        {"question": 0, "round": 1, "counts": [1]},
        {"question": 0, "round": 1, "counts": {"7": 1}},
        {"question": 0, "round": 1, "counts": {"1": -1}},
        {"question": 0, "round": 1, "counts": {"1": 10_001}},
        {"question": 0, "round": 1, "counts": {"1": "2"}},
        {"question": 0, "round": 1},
    ],
)
def test_hands_that_nobody_has(lesson, body):
    status, told = lesson.teacher.post(f"{lesson.path}/hands", body)
    assert (status, told["error"]) == (400, "invalid")


def test_hands_are_the_teachers(lesson):
    body = {"question": 0, "round": 1, "counts": {"1": 1}}
    for browser in (lesson.wall(), lesson.join(), Browser(lesson.port)):
        assert browser.post(f"{lesson.path}/hands", body)[0] == 403
    assert (
        lesson.teacher.ask("POST", f"{lesson.path}/hands", body, Origin="http://evil.example")[0]
        == 403
    )


def test_hands_go_with_the_class(lesson):
    assert raised(lesson, {"1": 5})[0] == 200
    assert lesson.teacher.ask("DELETE", lesson.path)[0] == 200
    assert raised(lesson, {"1": 5})[0] == 403


def test_only_the_teacher_is_told_what_to_say(lesson):
    said = {"told": "so it is", "following": "and then?", "notes": "slowly", "minutes": 4}
    other = Lesson(lesson.port, [{**QUESTIONS[0], **said}])
    other.move("ask")
    teacher = other.teacher.listen(f"{other.path}/events")
    state = teacher.until(lambda state: state["phase"] == "ask")
    assert said.items() <= state["question"].items()
    assert state["question"]["answer"] == "1"
    assert state["question"]["repeat"]
    wall = other.wall().listen(f"{other.path}/events")
    state = wall.until(lambda state: state["phase"] == "ask")
    assert not {*said, "answer", "shown"} & set(state["question"])
    # for a question about settings the state is the answer
    assert state["question"]["repeat"] == ""
    for stream in (teacher, wall):
        stream.close()
