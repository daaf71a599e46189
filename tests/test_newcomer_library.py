"""A library, a module and its name in one table, appears everywhere; no other file changes."""

import re
import shutil

import pytest

from tests.copies import GIVEN, copied, walk

ROOMS = ["reader", "call", "same", "pages", "panel", "menus", "commands", "search", "names"]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with one more module, in the table of libraries."""
    there = copied(tmp_path_factory.mktemp("project"))
    shutil.copy(GIVEN / "wren.py", there / "dmlviz" / "code")
    table = there / "dmlviz" / "code" / "libraries.py"
    text = table.read_text(encoding="utf-8")
    text, count = re.subn(r"\bTORCH, TENSORFLOW\b", "TORCH, WREN, TENSORFLOW", text)
    assert count == 1
    imported = "from dmlviz.code.torch import TORCH\n"
    assert imported in text
    text = text.replace(imported, f"{imported}from dmlviz.code.wren import WREN\n")
    table.write_text(text, encoding="utf-8")
    return there


@pytest.mark.parametrize("room", ROOMS)
def test_it_is_in_every_room(project, room):
    walk(project, "library_rooms.py", room)
