"""In NumPy's words, every message and text is changed where it should be, and nowhere else."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest

from dmlviz.app.address import VOCABULARY
from dmlviz.base import words
from dmlviz.base.words import _, ngettext, speaking
from dmlviz.base.words.vocabularies import _MASKED, FOLDER, NUMPY, vocabulary
from dmlviz.operators import OPERATORS
from dmlviz.teaching.files import _VERBATIM
from tests.pages import go_to
from tests.words.extract import catalogue, template
from tests.words.test_catalogues import KEPT, forms, pairs

pytestmark = pytest.mark.text

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("en", "ko")
TABLES = ("forms", "about_sizes", "files", "whole")
# "Sizes" with a capital within a sentence is DirectML's field
LEFT = {
    "en": re.compile(r"\b(?:sizes|[Dd]imensions?)\b|(?:^|[.?!] )Sizes\b"),
    # "2차원" is NumPy's word, too
    "ko": re.compile(r"(?<![\d일}])차원"),
}
# number and articles that do not agree, and particles for the other word
BAD = {
    "en": re.compile(
        r"\ba(?: [a-z]+)? axes\b|\ba axis\b|(?<!of )(?<!output's )\b[Ss]hape (?:\{\} )?(?:are|were|have|do not|stay|need)\b"
        r"|\b[Ss]hapes is\b|\b(?:this|a) shapes\b|\bthese shape\b"
    ),
    "ko": re.compile(r"형상(?:가|는|를|와|로|나|라|여)(?![가-힣]{2})"),
}


def keep(language):
    """What stays as it is: sizes that are not those of a tensor."""
    return tomllib.loads((FOLDER / f"numpy.{language}.toml").read_text())["keep"]


def messages(language):
    """Every message in a language, with its English."""
    if language == "en":
        return [(form, form) for message in template() for form in forms(message.id) if form]
    return [
        (ids[-1], text) for ids, texts, _message in pairs(catalogue(language)) for text in texts
    ]


def files(language):
    """Every text of the files in a language, as pages get it."""
    paths = [
        path
        for where in ("", "lessons", "runs")
        for path in (ROOT / "assets" / where).glob(f"*.{language}.toml")
    ]

    def texts(value, key=""):
        if isinstance(value, str) and key not in _VERBATIM:
            yield " ".join(value.split())
        elif isinstance(value, dict):
            for name, part in value.items():
                if name != "code":
                    yield from texts(part, name)
        elif isinstance(value, list):
            for part in value:
                yield from texts(part, key)

    return [text for path in paths for text in texts(tomllib.loads(path.read_text()))]


def changed(language):
    """Every message and text, before and after."""
    of = vocabulary(NUMPY, language)
    for english, text in messages(language):
        yield text, of.in_words(text, english)
    for text in files(language):
        yield text, of.in_words(text)


def bare(text):
    return _MASKED.sub("{}", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_but_words_is_changed(language):
    for before, after in changed(language):
        for name, of in KEPT.items():
            assert of(after) == of(before), (name, after)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_mixes_the_vocabularies(language):
    kept = re.compile(
        "|".join(re.escape(form).replace(r"\{\}", r"\{\}") for form in keep(language)), re.I
    )
    mixed = [
        after
        for _before, after in changed(language)
        if LEFT[language].search(kept.sub("", bare(after)).replace("sizes=", ""))
    ]
    assert mixed == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_still_agree(language):
    assert [
        after for _before, after in changed(language) if BAD[language].search(bare(after))
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_form_is_in_some_message(language):
    tables = tomllib.loads((FOLDER / f"numpy.{language}.toml").read_text())
    every = "\n".join(bare(text).casefold() for text, _after in changed(language))
    unused = [
        form
        for form in (*tables["keep"], *(form for table in TABLES for form in tables.get(table, {})))
        if form.casefold() not in every
    ]
    assert unused == []


def test_messages_that_have_none_of_the_words_stay():
    of = vocabulary(NUMPY, "en")
    for text in (
        "sizes: {value} is wrong.",
        "`x.sizes` and {sizes}",
        "{a} has Sizes {b}.",
        "/x?sizes=2,3",
    ):
        assert of.in_words(text, text) == text


def test_one_message_in_every_locale():
    said = {}
    for name in ("en", "en@numpy", "ko", "ko@numpy", "ko@klingon", "tlh@numpy"):
        with speaking(name) as language:
            said[name] = _("What are the sizes of the output?")
            assert (language, words.language()) == (name[:2].replace("tl", "en"),) * 2
    assert said["en"] == "What are the sizes of the output?"
    assert said["en@numpy"] == said["tlh@numpy"] or said["tlh@numpy"] == said["en"]
    assert said["en@numpy"] == "What is the shape of the output?"
    assert said["ko"] == said["ko@klingon"] == "출력의 크기는 얼마일까요?"
    assert said["ko@numpy"] == "출력의 형상은 무엇일까요?"


def test_plural_forms_are_in_the_vocabulary():
    one, many = (
        "it has {count} numbers where the sizes have {rank} dimension.",
        "it has {count} numbers where the sizes have {rank} dimensions.",
    )
    with speaking("en@numpy"):
        assert ngettext(one, many, 1) == "it has {count} numbers where the shape has {rank} axis."
        assert ngettext(one, many, 2) == "it has {count} numbers where the shape has {rank} axes."


def test_a_link_names_a_language_only():
    assert words.language_named("ko@numpy") == "ko"


# pages


def strings(value, key=""):
    """Every text of what a page was sent."""
    if isinstance(value, str):
        if value[:1] in ("{", "["):
            try:
                yield from strings(json.loads(value))
                return
            except ValueError:
                pass
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)
    elif isinstance(value, dict):
        for name, part in value.items():
            if name not in (
                "anchor",
                # what a title holds, by name
                "holds",
                "id",
                "key",
                "queryString",
                "queryParams",
                "link",
                "js",
                "css",
                "page",
                "url",
            ):
                yield from strings(part, name)


def elements(block):
    for child in getattr(block, "children", {}).values():
        if getattr(child, "proto", None) is not None:
            yield child
        yield from elements(child)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "page",
    ["home", "code", "glossary", "teach", "worksheet", OPERATORS[0].key, "slice"],
)
def test_pages_speak_in_it(page, language):
    at = go_to(AppTest.from_file(str(ROOT / "app.py"), default_timeout=60), page)
    at.query_params["lang"] = language
    at.session_state[VOCABULARY] = NUMPY
    at.run()
    assert not at.exception
    kept = re.compile("|".join(re.escape(form) for form in keep(language)), re.I)
    found, new = [], 0
    for element in elements(at._tree):
        # the switch offers both; code is code
        if getattr(element, "key", "") == "words_switch" or element.type in ("code", "html"):
            continue
        for text in strings(MessageToDict(element.proto)):
            prose = re.sub(r"[?&][\w.%]*=[^\s&]*|\b\w+\.Sizes\b", "", _MASKED.sub("", text))
            new += len(re.findall(r"\b(?:shape|axis)\b|형상|축", prose))
            found += LEFT[language].findall(kept.sub("", prose))
    assert found == []
    assert new
    assert NUMPY not in str(dict(at.query_params))
