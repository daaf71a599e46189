"""Every name by which an operator can be found."""

import dataclasses

import pytest

from dmlviz.base.words import speaking
from dmlviz.operators import OPERATORS
from dmlviz.states import read_link
from dmlviz.teaching.names import DIRECTML, Name, names
from dmlviz.teaching.presets import presets_of


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_an_operator_goes_by_its_titles_and_by_directmls_names(cls):
    own = [name for name in names() if name.key == cls.key]
    assert (own[0].text, own[0].library) == (cls.title(), "")
    # a newcomer who searches sees the first example, not the documentation's
    assert own[0].link == presets_of(cls.key)[0].link
    with speaking("ko"):
        assert cls.title() in own[0].spellings
    told = {text for name in own if name.library == DIRECTML for text in name.spellings}
    forms = [(form.operator_type, form.structure) for form in cls.older_forms]
    assert told == {cls.operator_type, cls.structure, *sum(forms, ())}


def test_a_readers_own_title_comes_first():
    with speaking("ko"):
        (tile,) = [name for name in names() if name.key == "tile" and not name.library]
        assert tile.text == "Tile"
        assert "타일" in tile.also


def test_other_names_open_the_state_that_shows_them():
    for name in names():
        if name.call:
            opened = read_link(name.link)
            assert not opened.problems, name
            assert opened.state.key == name.key
            assert opened.state.problems() == []


def test_a_name_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        names()[0].text = ""
    assert Name("a", "b", "tile", "/tile", ("c",)).spellings == ("a", "c")
