"""Every page, preset and lesson in Korean: each opens, and no message is left in English."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from msgspec import structs

from dmlviz.base.words import _, speaking
from dmlviz.base.words.particles import bound
from dmlviz.operators import OPERATORS
from dmlviz.teaching.facts import facts_of
from dmlviz.teaching.kinds import kinds_of_practice
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.practice import ask
from dmlviz.teaching.presets import presets_of
from dmlviz.teaching.questions import LEVELS
from dmlviz.verify import read_document
from tests.app.conftest import EXPLORERS, ROOT
from tests.verify.pages import real
from tests.verify.test_languages import FOUND, SLIPS
from tests.words.extract import catalogue

pytestmark = pytest.mark.slow

KOREAN = "ko"
HANGUL = re.compile("[가-힣]")
# these stay as they are in every language
NAMES = {*(cls.__name__ for cls in OPERATORS), "PixelShuffle"}
# and these are words of the player's data as well
NAMES |= {"rows", "columns"}
PAGES = sorted([*EXPLORERS, *(path.stem for path in (ROOT / "pages").glob("*.py"))])
SENTENCE = re.compile(r"[A-Za-z]{2,},? [a-z]{2,},? [a-z]{2,}")


@pytest.fixture(autouse=True)
def _korean_reader():
    with speaking(KOREAN):
        yield


@cache
def english() -> tuple[frozenset[str], tuple[str, ...]]:
    """Messages whose Korean differs: those without a placeholder, and running text of all."""
    found = catalogue(KOREAN)
    pairs = [
        (asked, said)
        for message in found
        for asked in ([message.id] if isinstance(message.id, str) else message.id)
        for said in ([message.string] if isinstance(message.string, str) else message.string)
        if asked and asked != said
    ]
    spoken = "\n".join(said for _asked, said in pairs)
    whole = frozenset(asked for asked, _said in pairs if "{" not in asked) - NAMES
    pieces = {
        piece.strip()
        for asked, _said in pairs
        for piece in re.split(r"\{[^{}]*\}|\n", asked)
        if SENTENCE.search(piece)
    }
    return whole, tuple(piece for piece in pieces if piece not in spoken)


def strings(value: Any) -> Iterator[str]:
    """Every text in a message to the browser, in JSON inside of it as well."""
    if isinstance(value, str):
        if value[:1] in "[{" and value[1:2] and value[-1:] in "]}":
            try:
                yield from strings(json.loads(value))
                return
            except ValueError:
                pass
        yield value
    elif hasattr(value, "ListFields"):
        for _field, held in value.ListFields():
            yield from strings(held)
    elif isinstance(value, dict):
        for name, held in value.items():
            # what a question hides is a word of the code
            if name != "hides":
                yield from strings(held)
    elif isinstance(value, list | tuple) or hasattr(value, "extend"):
        for held in value:
            yield from strings(held)


def left_in_english(texts: list[str]) -> list[str]:
    """Messages that stand untranslated among the texts of a page."""
    whole, pieces = english()
    bare = {re.sub(r":material/\w+:", "", text).strip(" *\n") for text in texts}
    joined = "\n".join(texts)
    # DirectML's own names stay as they are
    members = {member for cls in OPERATORS for member in cls.members}
    return sorted(bare & whole - members) + [piece for piece in pieces if piece in joined]


def check(session) -> None:
    """The page stands there, with a Korean title and nothing left in English."""
    assert session.exceptions == []
    nodes = [getattr(node, "proto", None) for node in session.at._tree]
    texts = [text for node in nodes for text in strings(node) if text]
    assert left_in_english(texts) == []
    (title,) = [found.value for found in session.at.title]
    assert HANGUL.search(title) or title in NAMES, title


def test_all_pages_are_there():
    assert set(PAGES) >= {*EXPLORERS, "home", "lessons", "practice", "verify", "worksheet"}


@pytest.mark.parametrize("page", PAGES)
def test_every_page(session, page):
    session.open(page, lang=KOREAN)
    check(session)


@pytest.mark.parametrize("page", EXPLORERS)
def test_every_preset(session, page):
    for found in presets_of(page.replace("_", "-")):
        session.open(page, sections=False, **found.state.parameters(whole=True), lang=KOREAN)
        check(session)
        assert HANGUL.search(found.question)
        assert any(bound(found.question) in e.value for e in session.at.markdown), found.key
        if not found.opens:
            assert session.errors == []
            with speaking(KOREAN):
                answer = _("Answer")
            next(each for each in session.at.button if each.label == answer).click().run()
            check(session)
        assert bool(session.errors) is not found.opens


@pytest.mark.parametrize("key", [lesson.key for lesson in lessons()])
def test_every_lesson(session, key):
    (lesson,) = [found for found in lessons() if found.key == key]
    session.open("lessons", lesson=key, lang=KOREAN)
    for part in lesson.parts:
        check(session)
        assert [title.value for title in session.at.title] == [part.title]
        buttons = [b for b in session.at.button if b.key.rsplit("_", 1)[-1].isdigit()]
        buttons[0].click().run()
        check(session)
        right = part.prediction.answers[part.prediction.right].text
        assert _("Right: {answer}").format(answer=f"**{right}**") in session.texts
        assert bool(session.stages) is not bool(facts_of(part.link).problems)
        next(b for b in session.at.button if b.key == "lesson_next").click().run()
    check(session)
    assert [title.value for title in session.at.title] == [lesson.title]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", kinds_of_practice())
def test_questions_and_their_answers(kind, level):
    texts = []
    for number in range(1, 13):
        asked = ask(number, number, level=level, kind=kind)
        texts += [asked.prompt, asked.explanation]
        texts += [text for choice in asked.choices for text in strings(structs.asdict(choice))]
        assert HANGUL.search(asked.prompt)
    assert left_in_english(texts) == []


@pytest.mark.parametrize("right", [True, False])
def test_practice(session, right):
    asked = ask(7, 3, level=2, operator="padding")
    session.open("practice", seed="7", level="2", operator="padding", number="3", lang=KOREAN)
    chosen = asked.right if right else (asked.right + 1) % len(asked.choices)
    session.widget(f"choice_{chosen}").click().run()
    check(session)
    assert len(session.stages) == 1
    assert any(
        str(asked.choices[chosen].text) in text and HANGUL.search(text) for text in session.texts
    )


BAD = [
    ("tile", {"sizes": "words"}),
    ("tile", {"sizes": "1, 0, 2"}),
    ("tile", {"sizes": "1, 1, 1000, 1000"}),
    ("tile", {"data_type": "FLOAT7"}),
    ("tile", {"repeats": "1,1,0,3", "feature_level": "2_0"}),
    ("tile", {"nonsense": "3", "values": "no-such"}),
    ("depth_to_space", {"block_size": "3"}),
    ("space_to_depth", {"sizes": "1,1,3,3", "order": "X", "feature_level": "1_0"}),
    ("padding", {"padding_value": "nine"}),
    ("padding", {"padding_mode": "WRAP", "feature_level": "1_0", "sizes": "2,2"}),
    ("padding", {"padding_mode": "REFLECTION", "start_padding": "0,0,-1,9"}),
    ("lessons", {"lesson": "nonsense"}),
    ("lessons", {"lesson": "tile", "part": "9"}),
    ("glossary", {"term": "nonsense"}),
    ("practice", {"seed": "x", "level": "9"}),
    ("worksheet", {"seed": "x", "count": "99"}),
]


@pytest.mark.parametrize(("page", "query"), BAD, ids=range(len(BAD)))
def test_what_is_wrong_is_said_in_korean(session, page, query):
    session.open(page, sections=False, **query, lang=KOREAN)
    check(session)
    said = [*session.errors, *session.warnings]
    assert said
    assert [told for told in said if not HANGUL.search(told)] == []


@pytest.mark.parametrize("spoken", ["en", KOREAN])
@pytest.mark.parametrize("page", ["carried", "tile.ko.txt"])
def test_findings_are_in_the_readers_language(session, spoken, page):
    text = SLIPS if page == "carried" else real(page)
    with speaking(spoken):
        session.open("verify", lang=spoken)
        session.at.segmented_control("verify_way").set_value("paste").run()
        session.at.text_area("verify_text").set_value(text).run()
        assert session.exceptions == []
        # the bar's language switch knows the page, too
        [_switch, sent] = session._components("page")
        marks = json.loads(json.loads(sent.proto.json)["page"])["marks"]
        told = [f.message for f in read_document(text).all_findings]
    found = [mark for mark in marks if mark["code"]]
    assert [mark["message"] for mark in found] == told
    assert found[1]["line"] == lines_of(text)[1]
    assert told[:2] == [message.format(line=lines_of(text)[0]) for message in FOUND[spoken]]
    if spoken == KOREAN:
        check(session)
        assert all(HANGUL.search(mark["message"] + mark["where"]) for mark in marks)


def lines_of(text):
    """The lines, from 1, on which both slips of the Tile page stand."""
    places = [number for number, line in enumerate(text.splitlines(), 1) if "InputTensor:" in line]
    first, second = places[-2:]
    # the first row without a comma
    rows = enumerate(text.splitlines()[first:second], first + 1)
    return next(n for n, line in rows if line.strip().endswith("]")), second


def test_what_the_player_is_sent_is_korean(session):
    session.open("tile", sections=False, lang=KOREAN)
    (stage,) = session.stages
    assert stage["payload"]["language"] == KOREAN
    for step in stage["payload"]["steps"]:
        assert HANGUL.search(step["caption"])
    # formulas have no words
    said = [text for text in stage["payload"]["words"].values() if " = " not in text]
    assert [text for text in said if SENTENCE.search(text) and not HANGUL.search(text)] == []
    assert sum(bool(HANGUL.search(text)) for text in said) > 30


def test_english_that_is_left_is_found():
    assert left_in_english(["**Lessons**"]) == ["Lessons"]
    caption = "x The glossary explains nothing."
    whole, pieces = english()
    assert left_in_english([f"1. {pieces[0]} 3"]) != []
    assert len(whole) > 300
    assert len(pieces) > 300
    assert left_in_english([caption, "수업", "NumPy"]) == []
    assert list(strings('{"a": [{"b": "[\\"Input\\"]"}]}')) == ["Input"]
