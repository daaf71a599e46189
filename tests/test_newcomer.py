"""An operator, a module and a TOML file, appears everywhere; no other file changes."""

import shutil

import pytest

from tests.copies import GIVEN, copied, walk

ROOMS = [
    *("interface", "engines", "links", "player", "exports"),
    *("questions", "documents", "commands", "pages"),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with one more module and its TOML file."""
    there = copied(tmp_path_factory.mktemp("project"))
    for name in ("roll.py", "roll.toml"):
        shutil.copy(GIVEN / name, there / "dmlviz" / "operators")
    return there


@pytest.mark.parametrize("room", ROOMS)
def test_it_is_in_every_room(project, room):
    walk(project, "rooms.py", room)
