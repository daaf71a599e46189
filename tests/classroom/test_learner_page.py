"""The learners' page: its small size, its permissions, and that it contains no answer."""

from __future__ import annotations

import gzip
import http.client
import json
import re
from contextlib import contextmanager

import pytest

from dmlviz.app.headers import middleware
from dmlviz.base import words
from dmlviz.classroom.assets import asset_names, asset_routes, assets_address
from dmlviz.classroom.learner import PlayerFiles, learner_routes, learner_words
from tests.classroom.serving import Lesson, serving
from tests.classroom.test_pictures import LINK
from tests.limits import LEARNERS_PAGE

ENGINE = PlayerFiles("dmlviz/abc/player.js", "dmlviz/6/plotly.min.js")
SECRET = "the neighbour's, which nobody may read"
QUESTION = {
    "key": "modes",
    "kind": "choice",
    "prompt": "Which value?",
    "link": LINK,
    "choices": [{"text": "one", "misconception": SECRET}, {"text": "two"}],
    "answer": 1,
}


class Answer:
    def __init__(self, found):
        self.status_code = found.status
        self.headers = {name.lower(): value for name, value in found.getheaders()}
        self.raw = found.read()
        packed = self.headers.get("content-encoding") == "gzip"
        self.content = gzip.decompress(self.raw) if packed else self.raw
        self.text = self.content.decode()

    def json(self):
        return json.loads(self.text)


class Client:
    """A browser without a screen: it takes what is packed, and keeps its cookie."""

    def __init__(self, port):
        self.port, self.cookie = port, ""

    def get(self, address, headers=(), body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        sent = {"accept-encoding": "gzip", "cookie": self.cookie, **dict(headers)}
        if body is not None:
            sent["content-type"] = "application/json"
        connection.request("GET" if body is None else "POST", address, body, sent)
        answer = Answer(connection.getresponse())
        connection.close()
        if found := answer.headers.get("set-cookie"):
            self.cookie = found.partition(";")[0]
        return answer

    def post(self, address, json_=(), headers=()):
        return self.get(address, headers, json.dumps(dict(json_)))


@contextmanager
def browsing(tmp_path, base=""):
    more = [*asset_routes(base), *learner_routes(base, ENGINE)]
    address = tmp_path / "x.sqlite"
    with serving(address, base, more=more, middleware=middleware()) as (port, _service):
        yield Client(port)


@pytest.fixture
def client(tmp_path):
    with browsing(tmp_path) as found:
        yield found


def told(page):
    return json.loads(re.search(r'id="page-data">(.*?)</script>', page.text, re.DOTALL)[1])


def files(page):
    """The addresses of all that a browser fetches for the first view."""
    return sorted(set(re.findall(r'(?:href|src)="(/[^"]+)"', page.text)))


def test_the_first_view_is_small(client):
    page = client.get("/class")
    assert page.status_code == 200
    found = files(page)
    names = {address.rpartition("/")[2] for address in found}
    # every module is asked for at once, not one after the other
    ours = {n for n in asset_names() if n.startswith(("common.", "learner."))}
    assert names == ours
    packed = len(gzip.compress(page.content))
    for address in found:
        answer = client.get(address)
        assert answer.headers["content-encoding"] == "gzip"
        packed += len(answer.raw)
    assert packed < LEARNERS_PAGE


def test_modules_import_what_there_is(client):
    for address in files(client.get("/class")):
        for name in re.findall(r'from "\./([\w.]+)"', client.get(address).text):
            assert name in asset_names()


def test_files_are_kept_for_ever_and_nothing_else_is_there(client):
    address = assets_address("")
    for name in asset_names():
        answer = client.get(f"{address}/{name}")
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-type"].partition(";")[0] in ("text/javascript", "text/css")
        plain = client.get(f"{address}/{name}", headers={"accept-encoding": "identity"})
        assert plain.content == answer.content
        assert "content-encoding" not in plain.headers
    for other in ("learner.html", "../assets.py", "%2e%2e/assets.py", "", "nosuch.js"):
        assert client.get(f"{address}/{other}").status_code == 404
    assert client.get("/class-assets/000000000000/learner.js").status_code == 404


def test_nothing_runs_but_the_apps_own_files(client):
    page = client.get("/class")
    policy = page.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "default-src 'none'" in policy
    assert policy.endswith("; frame-ancestors 'none'")
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["referrer-policy"] == "same-origin"
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", page.text, re.DOTALL)
    assert [text.strip() for kind, text in scripts if "application/json" not in kind] == [""]
    assert not re.search(r"\son\w+=", page.text)
    assert "style=" not in page.text


def test_nobodys_words_end_the_page(client):
    page = client.get("/class?code=%3C/script%3E%3Cscript%3Ealert(1)&lang=%22%3E%3Cb%3E")
    assert page.text == client.get("/class").text
    assert page.text.count("<script") == 2


def test_both_languages(client):
    english, korean = client.get("/class"), client.get("/class?lang=ko")
    assert client.get("/class", headers={"accept-language": "ko-KR,en;q=0.5"}).text == korean.text
    assert client.get("/class?lang=en", headers={"accept-language": "ko"}).text == english.text
    assert '<html lang="ko">' in korean.text
    here, there = told(english)["words"], told(korean)["words"]
    assert here.keys() == there.keys()
    assert [name for name in here if here[name] == there[name]] == []
    for name, text in here.items():
        # each language has them in its own order
        placeholders = [sorted(re.findall(r"\{\w+\}", each)) for each in (text, there[name])]
        assert placeholders[0] == placeholders[1], name


def test_every_word_is_used_and_every_used_word_is_there(client):
    texts = "".join(client.get(a).text for a in files(client.get("/class")) if a.endswith("js"))
    used = set(re.findall(r"\bwords\.(\w+)", texts))
    with words.speaking("en"):
        known = learner_words().keys()
    assert used <= known
    assert known - used == {"nickname_teacher", "nickname_wall"}


def test_a_code_in_the_address(client):
    for given, to in (("abcd", "?code=ABCD"), ("AB-CD", "?code=ABCD"), ("nosuch", "")):
        answer = client.get(f"/class/{given}")
        assert (answer.status_code, answer.headers["location"]) == (307, f"/class{to}")
    assert client.get("/class/abcd?lang=ko").headers["location"] == "/class?code=ABCD&lang=ko"
    assert client.get("/class//evil.example").status_code == 404


def test_below_a_prefix(tmp_path):
    with browsing(tmp_path, "/lab") as client:
        page = client.get("/lab/class")
        data = told(page)
        assert data["base"] == "/lab"
        assert data["player"] == f"/lab/{ENGINE.player}"
        assert all(address.startswith("/lab/class-assets/") for address in files(page))
        assert {client.get(a).status_code for a in [*files(page), data["sheet"]]} == {200}
        assert client.get("/lab/class/abcd").headers["location"] == "/lab/class?code=ABCD"
        assert client.get("/class").status_code == 404


def test_no_answer_in_any_byte_before_the_reveal(client):
    lesson = Lesson(client.port, [QUESTION])
    ann = lesson.join()
    stream = ann.listen(f"{lesson.path}/events")

    def seen():
        asked = [f"{lesson.path}/picture?number=0", f"{lesson.path}/movement?number=0"]
        answers = [ann.get(f"/class?code={lesson.code}")[1], ann.post(f"{lesson.path}/join")[1]]
        answers += [lesson.vote(ann, 0)[1], *(ann.get(path)[1] for path in asked)]
        return "".join([*map(json.dumps, answers), *stream.lines])

    for phase in ("ask", "closed", "discuss", "again", "closed_again"):
        lesson.move(phase)
        stream.until(lambda state, phase=phase: state["phase"] == phase)
        text = seen()
        assert "Which value?" in text
        for secret in (SECRET, "misconceptions", "stepOf", '"share"', '"answer": "1"'):
            assert secret not in text, (phase, secret)
    lesson.move("reveal")
    stream.until(lambda state: state["phase"] == "reveal")
    text = seen()
    for secret in (SECRET, "misconceptions", "stepOf", '"answer": "1"'):
        assert secret in text
    stream.close()
