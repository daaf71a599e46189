"""Which language the app speaks, and that no visitor hears another's."""

import json
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dmlviz.app import server  # noqa: F401  as the server itself, before anybody comes
from dmlviz.base import words
from dmlviz.base.words import speaking
from tests.pages import go_to

ROOT = Path(__file__).resolve().parents[2]


def visit(page="tile", at=None, **query):
    """The page in a session of its own, or in one that is there."""
    if at is None:
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    go_to(at, page)
    for name in list(at.query_params):
        del at.query_params[name]
    for name, text in query.items():
        at.query_params[name] = text
    return at.run()


def title(at):
    assert not at.exception
    return at.title[0].value


def sent(at):
    """What the player was sent."""
    stages = [json.loads(found.proto.json) for found in at.get("bidi_component")]
    (stage,) = [found for found in stages if "payload" in found]
    return {**stage, "payload": json.loads(stage["payload"])}


def test_the_language_is_the_links(other):
    assert title(visit(lang=other)) == "⟦Tile⟧"
    assert title(visit(lang=f"{other}-XX")) == "⟦Tile⟧"
    assert title(visit(lang="en")) == "Tile"
    assert title(visit(lang="tlh")) == "Tile"
    assert title(visit()) == "Tile"


def test_without_one_it_is_the_browsers(other, monkeypatch):
    monkeypatch.setattr(type(st.context), "locale", property(lambda _context: f"{other}-XX"))
    assert title(visit()) == "⟦Tile⟧"
    assert title(visit(lang="en")) == "Tile"
    monkeypatch.setattr(type(st.context), "locale", property(lambda _context: "tlh"))
    assert title(visit()) == "Tile"


def page():
    """An explorer as the navigation shows it; AppTest runs pages without theirs."""
    import streamlit as st

    from dmlviz.app.explorer import explorer
    from dmlviz.app.language import begin_language, language_switch, unknown_language
    from dmlviz.base.words import _, speaking
    from dmlviz.operators import Tile

    with speaking(begin_language()):
        language_switch("tile", alone=False)
        unknown_language()
        explorer(Tile)
        # what a callback says: it runs before the page begins to speak
        st.button("call", key="call", on_click=lambda: st.session_state.update(said=_("Input")))


@pytest.fixture
def switched(other):
    at = AppTest.from_function(page, default_timeout=60)
    at.query_params["lang"] = other
    with speaking(other):
        at.run()
        at.text_input(key="tile_sizes").set_value("1, 1, 2, 5").run()
        at.selectbox(key="tile_values").set_value("count-0").run()
        # the parts that did not change were not drawn again
        at.run()
        at.toggle(key="tile_predict").set_value(True).run()
        at.run()
    return at


def test_the_switch_keeps_the_state(switched, other):
    before = switched.query_params.copy()
    switched.query_params["step"] = "2"  # the player's own, which the server does not keep
    with speaking(other):
        switched.segmented_control(key="language_switch").set_value("en").run()
    assert title(switched) == "Tile"
    assert switched.text_input(key="tile_sizes").value == "1, 1, 2, 5"
    assert switched.selectbox(key="tile_values").value == "count-0"
    assert switched.toggle(key="tile_predict").value is True
    assert before["lang"] == other
    assert switched.query_params == {**before, "lang": "en", "step": "2"}


def test_a_callback_speaks_the_readers_language(switched, other):
    with speaking(other):
        switched.button(key="call").click().run()
    assert switched.session_state["said"] == "⟦Input⟧"


def test_the_choice_goes_along_to_pages_whose_address_does_not_say_it(switched, other):
    del switched.query_params["lang"]
    with speaking(other):
        switched.run()
    assert title(switched) == "⟦Tile⟧"


def test_what_is_wrong_with_a_link_is_said_again_in_the_new_language(other):
    at = AppTest.from_function(page, default_timeout=60)
    at.query_params["lang"] = other
    at.query_params["data_type"] = "FLOAT7"
    with speaking(other):
        at.run()
        assert ["⟦" in told.value for told in at.warning] == [True]
        at.segmented_control(key="language_switch").set_value("en").run()
    assert ["⟦" in told.value for told in at.warning] == [False]


def test_a_language_that_is_not_there_is_said():
    at = AppTest.from_function(page, default_timeout=60)
    at.query_params["lang"] = "tlh[x](http://a.b)"
    at.run()
    (told,) = at.warning
    assert told.value.startswith("link: ignored lang=tlh")
    assert "](" not in told.value
    assert title(at) == "Tile"


def test_links_on_a_page_keep_the_language(other):
    at = visit("lessons", lang=other, lesson="tile", part="1")
    links = [text.value for text in at.markdown if "glossary?term=" in text.value]
    assert links
    assert all(
        part.startswith('&lang=eo "')
        for text in links
        for part in text.split("glossary?term=")[1:]
        for part in [part[part.index("&") :]]
    )


def test_two_visitors_hear_each_their_own(other):
    """Both look at the same picture, which is kept for everybody."""
    first = visit(lang=other)
    second = visit(lang="en")
    for at, mark in ((first, True), (second, False), (first, True)):
        with speaking(other if mark else "en"):
            at.run()
        stage = sent(at)
        said = [*stage["payload"]["words"].values(), stage["payload"]["check"]]
        said += [step["caption"] for step in stage["payload"]["steps"]]
        assert all(("⟦" in text) is mark for text in said if text)
        assert stage["payload"]["language"] == (other if mark else "en")
    assert sent(first)["identity"] != sent(second)["identity"]


def test_the_names_of_languages_are_their_own():
    assert words.endonym("ko") == "한국어"
    assert words.endonym("en") == "English"
    assert words.endonym("qqq-nonsense") == "qqq-nonsense"
