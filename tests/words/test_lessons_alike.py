"""Lessons, glossary and built-in pages of every language show the same states and say the same."""

import re
import tomllib
from pathlib import Path

import pytest

from dmlviz.base.words import ENGLISH, speaking
from dmlviz.teaching.glossary import glossary
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.practice import ask
from dmlviz.teaching.questions import LEVELS
from dmlviz.verify import read_document
from tests.words.extract import LOCALE
from tests.words.speaking import bracketed

pytestmark = pytest.mark.text

ASSETS = Path(__file__).resolve().parents[2] / "assets"
LANGUAGES = sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/dmlviz.po"))
# not all is translated yet: this list becomes empty, and stays so
BEGUN: set[str] = set()
ENGLISH_FILES = sorted([*ASSETS.glob(f"*.{ENGLISH}.toml"), *ASSETS.glob(f"*/*.{ENGLISH}.*")])
# a vocabulary's forms are those of its language: Korean has a table for each kind of text, English none
TRANSLATED = [path for path in ENGLISH_FILES if path.parent.name != "vocabularies"]
# what is the same in every language, by key; all other texts are words
SAME = {"link", "claims", "minutes", "answer", "numpy", "torch", "tensorflow"}
ASKED = re.compile(r"\{[a-z][^{}]*\}|`[^`]*`")
# a claim may be said where it follows from the text no more; the forms are the language's own
SAID = {"claim", "forms"}


def theirs(path, language):
    return path.with_name(path.name.replace(f".{ENGLISH}.", f".{language}."))


def alike(ours, others, where=""):
    """Where two files differ in more than words."""
    if isinstance(ours, dict):
        different = (ours.keys() ^ others.keys()) - SAID
        if different:
            yield where, sorted(different)
        for key in (ours.keys() & others.keys()) - SAID:
            if key in SAME and ours[key] != others[key]:
                yield f"{where}.{key}", others[key]
            elif key not in SAME:
                yield from alike(ours[key], others[key], f"{where}.{key}")
    elif isinstance(ours, list):
        if len(ours) != len(others):
            yield where, len(others)
        for i, pair in enumerate(zip(ours, others, strict=False)):
            yield from alike(*pair, f"{where}[{i}]")
    elif isinstance(ours, str):
        if sorted(ASKED.findall(ours)) != sorted(ASKED.findall(others)):
            yield where, others
        if not others.strip():
            yield where, "empty"
    elif ours != others:
        yield where, others


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_file_is_there(language, request):
    if language in BEGUN:
        request.applymarker(pytest.mark.xfail(strict=True, reason=f"{language} is being written"))
    assert [p.name for p in ENGLISH_FILES if not theirs(p, language).exists()] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: path.name)
def test_the_same_states_and_questions(path, language):
    other = theirs(path, language)
    if not other.exists():
        pytest.skip("it is read in English")
    ours, others = path.read_text(encoding="utf-8"), other.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        assert list(alike(tomllib.loads(ours), tomllib.loads(others))) == []
        return
    first, second = read_document(ours), read_document(others)
    assert first.structure == second.structure
    assert len(first.examples) == len(second.examples)
    for one, two in zip(first.examples, second.examples, strict=True):
        assert one.operator == two.operator
        assert values(one.inputs) == values(two.inputs)
        assert values(one.outputs) == values(two.outputs)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_answers_and_claims(language):
    for ours, others in zip(lessons(ENGLISH), lessons(language), strict=True):
        assert ours.key == others.key
        assert list(ours.links()) == list(others.links())
        for one, two in zip(ours.parts, others.parts, strict=True):
            assert one.claims == two.claims
            assert one.prediction.right == two.prediction.right
            said = [[a.claim for a in part.prediction.answers] for part in (one, two)]
            assert said[0] == said[1], (ours.key, one.title)


def values(tensors):
    return {name: array.tolist() for name, array in tensors.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_terms(language):
    ours, others = glossary(ENGLISH), glossary(language)
    assert [(t.key, t.link) for t in ours] == [(t.key, t.link) for t in others]


@pytest.mark.parametrize("level", LEVELS)
def test_a_seed_asks_the_same_in_every_language(other, level):
    for number in range(1, 9):
        with speaking(other):
            theirs = ask(11, number, level=level)
        ours = ask(11, number, level=level)
        values = [
            {name: array.tolist() for name, array in question.inputs.items()}
            for question in (ours, theirs)
        ]
        assert (ours.operator, ours.right) == (theirs.operator, theirs.right)
        assert values[0] == values[1]
        assert len(ours.choices) == len(theirs.choices)
        assert theirs.prompt.startswith(bracketed("")[0])


def test_what_differs_is_found():
    ours = {"link": "/tile", "parts": [{"words": "{out} and `x`", "minutes": 3}]}
    assert (
        list(alike(ours, {"link": "/tile", "parts": [{"words": "`x` {out}", "minutes": 3}]})) == []
    )
    for others in (
        {"link": "/padding", "parts": ours["parts"]},
        {"link": "/tile", "parts": []},
        {"link": "/tile", "parts": [{"words": "{in} and `x`", "minutes": 3}]},
        {"link": "/tile", "parts": [{"words": "{out} and `x`", "minutes": 4}]},
        {"link": "/tile", "parts": [{"words": "{out} and `x`"}]},
    ):
        assert list(alike(ours, others)), others
