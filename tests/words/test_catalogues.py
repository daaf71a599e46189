"""Every message of the code is in every catalogue, and says what it has to say."""

import re
from string import Formatter

import pytest
from babel import Locale

from dmlviz.base import words
from dmlviz.base.words.particles import MARKER
from tests.words.extract import LOCALE, TEMPLATE, catalogue, template, text_of

pytestmark = pytest.mark.text

LANGUAGES = sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/dmlviz.po"))
# not all is translated yet: this list becomes empty, and stays so
BEGUN: set[str] = set()
KEPT = {
    "fields": lambda text: sorted({field for _t, field, _s, _c in _parsed(text) if field}),
    "formats": lambda text: sorted({f"{f}:{spec}" for _t, f, spec, _c in _parsed(text) if spec}),
    "percent": lambda text: sorted(re.findall(r"%(?:\(\w+\))?[srd]", text)),
    "addresses": lambda text: sorted(re.findall(r"\]\(([^)]*)\)", MARKER.sub("", text))),
    "code": lambda text: sorted(re.findall(r"`[^`]*`", text)),
    "icons": lambda text: sorted(re.findall(r":material/\w+:", text)),
    "colours": lambda text: sorted(re.findall(r":(?:small|primary|red|green)\[", text)),
    "bold": lambda text: text.count("**"),
    "blanks": lambda text: (text[:1].isspace(), text[-1:].isspace()),
}


def _parsed(text):
    # braces of C and of sizes are no fields
    return list(Formatter().parse(text)) if re.search(r"\{\w+[:!}]", text) else []


def forms(message):
    return message if isinstance(message, tuple | list) else (message,)


def pairs(found):
    """Every message with its translations, one for each plural form."""
    return [(forms(m.id), forms(m.string), m) for m in found if m.id]


@pytest.fixture(scope="module")
def now():
    return template()


def test_the_template_holds_what_the_code_says(now):
    assert TEMPLATE.read_bytes() == text_of(now), "run: python -m tests.words.extract"


def test_there_is_korean():
    assert "ko" in LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_these_messages_and_no_others(language, now):
    there = {forms(m.id) for m in catalogue(language) if m.id}
    due = {forms(m.id) for m in now if m.id}
    assert there == due, "run: python -m tests.words.extract"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_the_languages_own_name(language):
    assert words.endonym(language) == Locale.parse(language).get_display_name()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated(language, request):
    if language in BEGUN:
        request.applymarker(pytest.mark.xfail(strict=True, reason=f"{language} is being written"))
    missing = [
        m.id
        for _ids, strings, m in pairs(catalogue(language))
        if m.fuzzy or not all(text.strip() for text in strings)
    ]
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_keeps_what_is_not_words(language):
    found = catalogue(language)
    wrong = []
    for ids, strings, message in pairs(found):
        if message.fuzzy or not any(strings):
            continue
        if len(ids) > 1 and len(strings) != found.num_plurals:
            wrong.append((ids[0], "plural forms"))
        for text in strings:
            # a form for one may leave the number out: the last has everything
            for name, of in KEPT.items():
                if of(text) != of(ids[-1]):
                    wrong.append((ids[-1], text, name))
    assert wrong == []


def test_what_is_kept_is_noticed():
    assert KEPT["fields"]("{n} of {all:,}") == ["all", "n"]
    assert KEPT["formats"]("{n} of {all:,}") == ["all:,"]
    assert KEPT["fields"]("{1, 2} is C") == []
    assert KEPT["code"]("run `x` now") == ["`x`"]
