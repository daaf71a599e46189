"""What browsers are answered: the whole class, and whatever else anybody sends."""

from __future__ import annotations

import csv
import http.client
import json
import sqlite3
from io import StringIO

import msgspec
import pytest

from dmlviz.classroom.asking import MOST_BODY, MOST_CLASS
from dmlviz.classroom.compose import as_questions, practice_polls
from dmlviz.classroom.service import Limits, RateLimit
from tests.classroom.conftest import QUESTIONS
from tests.classroom.serving import Browser, Lesson, serving
from tests.classroom.test_pictures import LINK


def many():
    return RateLimit(10_000, 10_000)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    limits = Limits(many(), many(), many(), many())
    with serving(tmp_path_factory.mktemp("served") / "x.sqlite", limits=limits) as (port, service):
        yield port, service


@pytest.fixture
def lesson(served):
    return Lesson(served[0], QUESTIONS, title="Tiles")


def test_a_whole_question(lesson):
    ann, ben = lesson.join(), lesson.join()
    status, told = ann.post(f"{lesson.path}/join")
    assert (status, told["phase"], told["question"]) == (200, "join", None)
    asked = lesson.move("ask")
    assert asked["open"]
    assert lesson.vote(ann, 1) == (200, {"stored": {"answer": "1", "seq": 1}})
    assert lesson.vote(ben, 0)[0] == 200
    # reloaded: the telephone is told what it has answered
    told = ann.post(f"{lesson.path}/join")[1]
    assert told["mine"] == {
        "lost": False,
        "nickname": "",
        "vote": {"answer": "1", "seq": 1},
        "first": "",
    }
    assert told["question"]["choices"] == ["1", "2", "=3"]
    assert "answer" not in told["question"]
    lesson.move("closed")
    status, told = lesson.vote(ben, 1, seq=2)
    assert (status, told["error"], told["message"]) == (409, "closed", "Voting is closed.")
    lesson.move("discuss")
    lesson.move("again")
    assert lesson.vote(ben, 1, turn=2)[0] == 200
    # each is told its own first answer, which the page marks
    first = [each.post(f"{lesson.path}/join")[1]["mine"] for each in (ann, ben, lesson.join())]
    assert [mine["first"] for mine in first] == ["1", "0", ""]
    assert first[1]["vote"] == {"answer": "1", "seq": 1}
    lesson.move("closed_again")
    lesson.move("reveal")
    told = ann.post(f"{lesson.path}/join")[1]
    assert told["question"]["answer"] == "1"
    assert told["question"]["misconceptions"]["2"] == "takes the neighbour"
    rows = lesson.teacher.get(f"{lesson.path}/results")[1]["rows"]
    assert [(r["votes"], r["right"]) for r in rows[0]["rounds"]] == [(2, 1), (1, 1)]
    (mistake,) = rows[0]["mistaken"]
    assert mistake == {"shown": "A: 1", "misconception": "counts from the end"}
    assert (rows[0]["mistaken_round"], rows[0]["tied"]) == (1, 1)
    status, text = lesson.teacher.get(f"{lesson.path}/results?format=csv")
    assert text.startswith('\ufeff"question","key",')
    assert lesson.teacher.answered.getheader("content-disposition").startswith("attachment")
    assert lesson.teacher.ask("DELETE", lesson.path)[0] == 200
    assert ann.post(f"{lesson.path}/join")[1]["error"] == "no_class"


def test_a_question_comes_with_its_settings_and_its_key_with_the_answer(served):
    polls = practice_polls(3, 10)
    lesson = Lesson(served[0], as_questions(polls))
    ann = lesson.join()
    wall = lesson.wall()
    for number, poll in enumerate(polls):
        lesson.move("ask", number=number)
        for phase in ("ask", "closed"):
            if phase == "closed":
                lesson.move("closed")
            stream = wall.listen(f"{lesson.path}/events")
            for told in (ann.post(f"{lesson.path}/join")[1], stream.next()[1]):
                question = told["question"]
                assert question["settings"] == poll.settings != ""
                assert question["background"] == poll.background
                assert question["marks"] == list("ABCDEFGH")[: len(poll.choices)]
                assert question["key"] == question["repeat"] == ""
                # whoever knows the seed can open the question with its answer
                for secret in (poll.key, poll.repeat, poll.link, "seed", "practice"):
                    assert secret not in json.dumps(told)
            stream.close()
        lesson.move("reveal")
        question = ann.post(f"{lesson.path}/join")[1]["question"]
        assert (question["key"], question["repeat"]) == (poll.key, poll.repeat)
    rows = lesson.teacher.get(f"{lesson.path}/results")[1]["rows"]
    assert [(row["settings"], row["background"]) for row in rows] == [
        (poll.settings, poll.background) for poll in polls
    ]
    lines = csv.DictReader(StringIO(lesson.teacher.get(f"{lesson.path}/results?format=csv")[1]))
    lines = list(lines)
    assert [line["settings"] for line in lines] == [poll.settings for poll in polls]
    # a spreadsheet opens only whole addresses
    address = f"http://127.0.0.1:{lesson.teacher.port}"
    assert [line["link"] for line in lines] == [f"{address}{poll.link}" for poll in polls]


def test_each_page_has_the_question_in_its_language(served):
    said = {"prompt": "어느 값인가요?", "choices": [{"text": n} for n in ("하나", "둘", "셋")]}
    lesson = Lesson(served[0], [{**QUESTIONS[0], "translations": [["ko", said]]}])
    ann = lesson.join()
    lesson.move("ask")
    for language, prompt, second in (
        ("en", QUESTIONS[0]["prompt"], "2"),
        ("ko", said["prompt"], "둘"),
    ):
        stream = ann.listen(f"{lesson.path}/events?lang={language}")
        joined = ann.post(f"{lesson.path}/join?lang={language}")[1]
        for told in (stream.next()[1], joined):
            assert (told["question"]["prompt"], told["question"]["choices"][1]) == (prompt, second)
            # each has its own texts, and no others
            assert "translations" not in told["question"]
        stream.close()
        row = lesson.teacher.get(f"{lesson.path}/results?lang={language}")[1]["rows"][0]
        assert row["prompt"] == prompt
    unlike = {**said, "choices": said["choices"][:2]}
    status, told = ann.post(
        "/class", {"questions": [{**QUESTIONS[0], "translations": [["ko", unlike]]}]}
    )
    assert (status, told["error"]) == (400, "invalid")


def test_a_stored_class_of_an_earlier_version_goes_on(served, monkeypatch):
    def earlier(polls):
        later = ("hides", "told", "following", "repeat", "settings", "background")
        kept = [
            {k: v for k, v in poll.items() if k not in later} for poll in msgspec.to_builtins(polls)
        ]
        return json.dumps(kept)

    with monkeypatch.context() as patch:
        patch.setattr("dmlviz.classroom.store.print_polls", earlier)
        lesson = Lesson(served[0], [{**QUESTIONS[0], "link": LINK}])
    ann = lesson.join()
    lesson.move("ask")
    question = ann.post(f"{lesson.path}/join")[1]["question"]
    assert (question["settings"], question["background"]) == ("", "")
    assert question["marks"] == ["A", "B", "C"]
    assert ann.get(f"{lesson.path}/picture")[0] == 200
    assert lesson.vote(ann, 1)[0] == 200
    lesson.move("closed")
    lesson.move("reveal")
    assert ann.post(f"{lesson.path}/join")[1]["question"]["answer"] == "1"
    assert lesson.teacher.get(f"{lesson.path}/results")[0] == 200


def test_the_cookie(served):
    lesson = Lesson(served[0], QUESTIONS)
    ann = lesson.join()
    cookie = ann.answered.getheader("set-cookie")
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert f"Path={lesson.path}" in cookie
    assert "Secure" not in cookie
    # the same device, once more
    before = ann.cookie
    ann.post(f"{lesson.path}/join")
    assert ann.cookie == before
    assert served[1].store.counts(served[1].store.find(lesson.code)).joined == 1
    # a made-up one is not kept
    ann.cookie = "dmlviz-device=madeup"
    ann.post(f"{lesson.path}/join")
    assert "madeup" not in ann.cookie


def test_the_device_is_the_cookies_and_never_the_bodys(lesson):
    lesson.move("ask")
    ann = lesson.join()
    body = {"question": 0, "round": 1, "seq": 1, "answer": 1, "device": ann.cookie}
    status, told = Browser(lesson.port).post(f"{lesson.path}/vote", body)
    assert (status, told["error"]) == (403, "not_joined")


@pytest.mark.parametrize("path", ["vote", "lost", "events", "phase", "results"])
def test_a_stranger_is_not_told_whether_there_is_a_class(lesson, path):
    """Only joining asks for a code, and that is counted."""
    said = []
    for code in (lesson.code, "ZZZZ" if lesson.code != "ZZZZ" else "YYYY"):
        stranger = Browser(lesson.port)
        stranger.cookie, stranger.token = "dmlviz-device=x", "" if path in "vote lost" else "x" * 22
        body = {"question": 0, "round": 1, "seq": 1, "answer": 1, "lost": True, "version": 1}
        method = "GET" if path in ("events", "results") else "POST"
        body = None if method == "GET" else {**body, "to": "ask"}
        said.append(stranger.ask(method, f"/class/{code}/{path}", body))
    assert said[0] == said[1]
    assert said[0][0] == 403


@pytest.mark.parametrize("token", ["wall_token", "none", "wrong"])
def test_the_teachers_doors_open_for_the_teacher_only(lesson, token):
    other = Browser(lesson.port)
    other.token = {"none": "", "wrong": "A" * 22}.get(token, lesson.wall_token)
    for method, path, body in (
        ("POST", "/phase", {"version": 1, "to": "ask"}),
        ("GET", "/results", None),
        ("POST", "/remove", {"origin": 1, "first": 0, "last": 2**50}),
        ("DELETE", "", None),
    ):
        assert other.ask(method, lesson.path + path, body)[1]["error"] == "not_yours"
    # addresses are logged, so a secret in one opens nothing
    other.token = ""
    secret = f"?token={lesson.teacher.token}"
    assert other.post(f"{lesson.path}/phase{secret}", {"version": 1})[0] == 403
    for path in ("results", "events", "picture"):
        assert other.get(f"{lesson.path}/{path}{secret}")[0] == 403


def test_a_second_press_of_the_key_does_nothing(lesson):
    lesson.move("ask")
    status, told = lesson.teacher.post(f"{lesson.path}/phase", {"version": 1, "to": "closed"})
    assert (status, told["error"]) == (409, "stale")
    status, told = lesson.teacher.post(f"{lesson.path}/phase", {"version": 2, "to": "over"})
    assert (status, told["error"]) == (409, "not_now")


def test_what_a_teacher_can_set(lesson):
    assert lesson.change(seconds=30)["left_ms"] is None
    assert 29_000 < lesson.move("ask")["left_ms"] <= 30_000
    paused = lesson.change(paused=True)
    assert (paused["paused"], paused["open"]) == (True, False)
    assert lesson.change(paused=False)["open"]
    lesson.change(bars=True)
    assert lesson.change(step=12)["step"] == 12
    for body in (
        {},
        {"to": "ask", "paused": True},
        {"to": 5},
        {"to": ["ask"]},
        {"seconds": 5},
        {"seconds": 1e9},
        {"paused": 1},
        {"step": -2},
        {"step": 10**30},
        {"to": "ask", "number": 99},
        {"to": "ask", "number": -1},
    ):
        status, told = lesson.teacher.post(
            f"{lesson.path}/phase", {"version": lesson.version, **body}
        )
        assert status in (400, 409), body
        assert told["message"]


VOTE = {"question": 0, "round": 1, "seq": 1, "answer": 1}


@pytest.mark.parametrize(
    "body",
    [
        {**VOTE, "round": 3},
        {**VOTE, "round": True},
        {**VOTE, "seq": -1},
        {**VOTE, "seq": 2**53},
        {**VOTE, "seq": "1"},
        {**VOTE, "answer": 9},
        {**VOTE, "answer": {"a": 1}},
        {**VOTE, "answer": None},
        {**VOTE, "question": None},
        {},
    ],
)
def test_a_vote_that_is_none(lesson, body):
    ann = lesson.join()
    lesson.move("ask")
    status, told = ann.post(f"{lesson.path}/vote", body)
    assert (status, told["error"]) == (400, "invalid")
    assert told["message"].endswith(".")


@pytest.mark.parametrize(
    ("raw", "kind", "status"),
    [
        (b"{}", "text/plain", 415),
        (b"a=1", "application/x-www-form-urlencoded", 415),
        (b"{}", "", 415),
        (b"[1]", "application/json", 415),
        (b"{", "application/json", 415),
        (b"\xff\xfe", "application/json", 415),
        (b"[" * 4_000, "application/json", 415),
        (b" " * (MOST_BODY + 1), "application/json", 413),
        (b"{}", "application/json; charset=utf-8", 400),
    ],
)
def test_bodies(lesson, raw, kind, status):
    ann = lesson.join()
    assert ann.ask("POST", f"{lesson.path}/vote", raw=raw, Content_Type=kind)[0] == status


def test_a_body_without_an_end_is_cut_off(lesson):
    connection = http.client.HTTPConnection("127.0.0.1", lesson.port, timeout=5)
    chunks = (b" " * 1_000 for _chunk in range(MOST_CLASS // 1_000 + 2))
    connection.request(
        "POST", "/class", chunks, {"Content-Type": "application/json"}, encode_chunked=True
    )
    assert connection.getresponse().status == 413
    connection.close()


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_pages_of_other_sites_are_refused(lesson, headers):
    ann = lesson.join()
    lesson.move("ask")
    for path, body in ((f"{lesson.path}/vote", VOTE), ("/class", {"questions": QUESTIONS})):
        status, told = ann.post(path, body, **headers)
        assert (status, told["error"]) == (403, "foreign")
    own = {"Origin": f"http://127.0.0.1:{lesson.port}", "Sec_Fetch_Site": "same-origin"}
    assert ann.post(f"{lesson.path}/vote", VOTE, **own)[0] == 200
    # no leave to read or to send is given to anybody
    ann.ask("OPTIONS", f"{lesson.path}/vote", Origin="http://evil.example")
    assert not [n for n, _v in ann.answered.getheaders() if n.startswith("access-control")]


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD"])
@pytest.mark.parametrize(
    "path", ["/class/", "/class/ABCD/nosuch", "/class/ABCD/vote/", "/class/a/b/c"]
)
def test_unknown_addresses_are_404(served, method, path):
    browser = Browser(served[0])
    status, told = browser.ask(method, path)
    assert status == 404
    assert method == "HEAD" or told["error"] == "not_found"


def test_a_get_of_what_is_posted_is_404(served):
    for path in ("/class", "/class/ABCD/vote", "/class/ABCD/join"):
        assert Browser(served[0]).get(path)[0] == 404


def test_sentences_are_in_the_readers_language(served):
    korean = Browser(served[0])
    for language in ("ko-KR,ko;q=0.9,en;q=0.8", "xx, ko"):
        _status, told = korean.post("/class/ZZZZ/join", Accept_Language=language)
        assert any("가" <= letter <= "힣" for letter in told["message"]), told
    _status, told = korean.post("/class/ZZZZ/join", Accept_Language="fr, en")
    assert told["message"] == "There is no class with this code."


def test_codes_as_people_type_them(lesson):
    ann = Browser(lesson.port)
    typed = f"{lesson.code[:2]}-{lesson.code[2:]}".lower()
    assert ann.post(f"/class/{typed}/join")[0] == 200
    for wrong in ("ABC", "ABCDE", "AB1D", "%00%00%00%00", "ABIO", "'--;"):
        assert ann.post(f"/class/{wrong}/join")[0] in (404, 400), wrong


def test_failed_codes_are_counted_and_found_ones_are_not(tmp_path):
    tight = Limits(many(), RateLimit(3, 0), many(), many())
    with serving(tmp_path / "x.sqlite", limits=tight) as (port, _service):
        lesson = Lesson(port, QUESTIONS)
        ann = lesson.join()
        for _device in range(10):
            lesson.join()
        guesser = Browser(port)
        wrong = [c for c in ("AAAA", "BBBB", "CCCC", "DDDD", "EEEE") if c != lesson.code][:4]
        said = [guesser.post(f"/class/{code}/join")[0] for code in wrong]
        assert said == [404, 404, 404, 429]
        status, told = guesser.post(f"/class/{wrong[0]}/join")
        assert (status, told["error"]) == (429, "wrong_codes")
        assert told["message"].startswith("Too many wrong codes came from this network.")
        # a right code is never refused for the wrong ones of a neighbor
        assert guesser.post(f"{lesson.path}/join")[0] == 200
        # whoever is in stays in
        assert ann.post(f"{lesson.path}/join")[0] == 200
        lesson.move("ask")
        assert lesson.vote(ann, 1)[0] == 200


def test_limits_of_devices_addresses_and_classes(tmp_path):
    limits = Limits(RateLimit(3, 0), many(), RateLimit(2, 0), RateLimit(2, 0))
    with serving(tmp_path / "x.sqlite", limits=limits) as (port, _service):
        lesson = Lesson(port, QUESTIONS)
        lesson.move("ask")
        ann, ben = lesson.join(), lesson.join()
        assert [lesson.vote(ann, 1, seq)[0] for seq in (1, 2, 3, 4)] == [200, 200, 200, 429]
        assert lesson.vote(ben, 1)[0] == 200
        assert Browser(port).post(f"{lesson.path}/join")[1]["error"] == "joins_too_fast"
        # another class of the same address has a limit of its own
        Lesson(port, QUESTIONS).join()
        status, told = Browser(port).post("/class", {"questions": QUESTIONS})
        assert (status, told["error"]) == (429, "opens_too_fast")


def test_a_limit_fills_again():
    now = [0.0]
    limit = RateLimit(2, 0.5, most=2, clock=lambda: now[0])
    assert [limit.take("a") for _try in range(3)] == [True, True, False]
    now[0] = 2.0
    assert limit.has("a")
    assert [limit.take("a") for _try in range(2)] == [True, False]
    now[0] = 1_000.0
    assert [limit.take("a") for _try in range(3)] == [True, True, False]
    limit.take("b")
    limit.take("c")
    # the one not heard of for longest was forgotten
    assert limit.take("a")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"questions": []},
        {"questions": QUESTIONS, "title": 5},
        {"questions": QUESTIONS, "title": "a\nb"},
        {"questions": QUESTIONS, "title": "x" * 201},
        {"questions": QUESTIONS, "seconds": 5},
        {"questions": QUESTIONS, "seconds": "30"},
        {"questions": [{**QUESTIONS[0], "link": "http://evil.example/"}]},
    ],
)
def test_a_class_that_is_none(served, body):
    status, told = Browser(served[0]).post("/class", body)
    assert (status, told["error"]) == (400, "invalid")


def test_a_locked_database_is_a_sentence_and_nothing_is_acknowledged(tmp_path):
    path = tmp_path / "x.sqlite"
    with serving(path) as (port, _service):
        lesson = Lesson(port, QUESTIONS)
        ann = lesson.join()
        lesson.move("ask")
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        status, told = lesson.vote(ann, 1)
        assert (status, told["error"]) == (503, "away")
        assert told["message"].startswith("The class's database does not answer.")
        other.execute("ROLLBACK")
        other.close()
        rows = lesson.teacher.get(f"{lesson.path}/results")[1]["rows"]
        assert rows[0]["rounds"][0]["votes"] == 0
        # the same once more, as the telephone sends it
        assert lesson.vote(ann, 1)[0] == 200


def test_a_database_that_is_nowhere(tmp_path):
    (tmp_path / "file").write_text("")
    with serving(tmp_path / "file" / "x.sqlite") as (port, _service):
        for path, body in (("/class", {"questions": QUESTIONS}), ("/class/ABCD/join", {})):
            status, told = Browser(port).post(path, body)
            assert (status, told["error"]) == (503, "away")


def test_below_a_prefix(tmp_path):
    with serving(tmp_path / "x.sqlite", "/viz") as (port, _service):
        lesson = Lesson(port, QUESTIONS, "/viz")
        ann = lesson.join()
        assert f"Path=/viz/class/{lesson.code}" in ann.answered.getheader("set-cookie")
        assert Browser(port).post(f"{lesson.path}/join")[0] == 404


def test_texts_go_through_as_they_are(served):
    hostile = "<script>alert(1)</script> \u2028 \U0001f600 data: x"
    lesson = Lesson(served[0], [{**QUESTIONS[0], "prompt": hostile}])
    ann = lesson.join()
    lesson.move("ask")
    stream = ann.listen(f"{lesson.path}/events")
    assert stream.next()[1]["question"]["prompt"] == hostile
    stream.close()
