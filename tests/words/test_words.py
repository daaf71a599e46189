import threading

import pytest

from dmlviz.__main__ import language_of
from dmlviz.base import words
from dmlviz.base.words import _, in_one_language, in_this_language, language, ngettext, speaking
from tests.words.speaking import bracketed


@pytest.mark.parametrize("name", ["eo", "EO", "eo-XX", "eo_XX.UTF-8", "eo@x"])
def test_a_language_is_known_however_it_is_written(other, name):
    assert words.language_named(name) == other


@pytest.mark.parametrize("name", ["", "tlh", "e", "../en", "\x00", "en" * 1000])
def test_others_are_not_known(other, name):
    assert words.language_named(name) is None
    with speaking(name) as spoken:
        assert spoken == "en"


def test_a_message_is_said_in_the_language_that_is_spoken(other):
    with speaking(other):
        assert _("Input") == bracketed("Input")
        assert ngettext("{n} minute", "{n} minutes", 1) == bracketed("{n} minute")
        assert ngettext("{n} minute", "{n} minutes", 2) == bracketed("{n} minutes")
        assert _("no such message") == "no such message"
        with speaking("en"):
            assert _("Input") == "Input"
        assert language() == other
    assert _("Input") == "Input"


@pytest.mark.parametrize("text", [b"\xff\xfe", b'msgid "a', b"", b'msgid "Input"\nmsgstr ""\n'])
def test_a_bad_catalogue_is_english(other, text, tmp_path, monkeypatch):
    path = tmp_path / "xh" / "LC_MESSAGES" / "dmlviz.po"
    path.parent.mkdir(parents=True)
    path.write_bytes(text)
    monkeypatch.setattr(words, "LOCALE", tmp_path)
    words.languages.cache_clear()
    with speaking("xh") as spoken:
        assert spoken == "xh"
        assert _("Input") == "Input"
        assert ngettext("{n} element", "{n} elements", 1) == "{n} element"
    assert words.endonym("xh") == "xh"


def test_threads_speak_each_their_own(other):
    """Two at once, in step: what one says is never in the other's language."""
    said = {}
    both = threading.Barrier(2, timeout=30)

    def session(spoken):
        with speaking(spoken):
            heard = []
            for _time in range(50):
                both.wait()
                heard.append(_("Input"))
            said[spoken] = set(heard)

    threads = [threading.Thread(target=session, args=(name,)) for name in ("en", other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == {"en": {"Input"}, other: {bracketed("Input")}}


def test_what_is_called_later_speaks_as_it_was_asked(other):
    with speaking(other):
        later = in_this_language(lambda: _("Input"))
    assert _("Input") == "Input"
    assert later() == bracketed("Input")


def test_a_door_asks_for_the_language_once(other, monkeypatch):
    asked = []
    monkeypatch.setattr(words, "_askers", [lambda: asked.append(1) or other])

    @in_one_language
    def door():
        return [_("Input") for _time in range(5)]

    assert door() == [bracketed("Input")] * 5
    assert len(asked) == 1
    with speaking("en"):
        assert door() == ["Input"] * 5
    assert len(asked) == 1
    assert [_("Input") for _time in range(2)] == [bracketed("Input")] * 2
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("environment", "spoken"),
    [
        ({"LANG": "eo"}, "eo"),
        ({"LANG": "eo", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LC_MESSAGES": "eo_XX.UTF-8", "LANG": "en"}, "eo"),
        ({"LANGUAGE": "tlh:eo:en", "LC_ALL": "en_US"}, "eo"),
        ({"LC_ALL": "C", "LANG": "eo"}, "en"),
        ({"LC_ALL": "", "LANG": "eo"}, "eo"),
    ],
)
def test_the_command_line_reads_the_environment_as_gettext_does(other, environment, spoken):
    assert language_of(environment) == spoken


def test_only_the_command_line_reads_it(other, monkeypatch):
    monkeypatch.setenv("LANGUAGE", other)
    assert language() == "en"
