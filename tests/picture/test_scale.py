"""Sizes of type and corners have names, and every style sheet uses them."""

from __future__ import annotations

import re

import pytest

from dmlviz.base.places import ROOT
from dmlviz.picture.files import scale

# paper, and the wall of a class, have units of their own
OWN = ("scale.css", "worksheet.css", "wall.css")
SHEETS = sorted(path for path in (ROOT / "dmlviz").rglob("*.css") if path.name not in OWN)
NAMED = set(re.findall(r"(--dmlviz-[a-z0-9-]+):", scale()))
# what grows with the window, or with the letters round it, has no one size
LOOSE = re.compile(r"font-size: [0-9.]+(?:px|rem)\b|border-radius: (?:4|8|12|16)px\b")


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_sizes_have_names(path):
    text = path.read_text(encoding="utf-8")
    assert LOOSE.findall(text) == []
    used = set(re.findall(r"var\((--dmlviz-(?:text|space|radius|touch)[a-z0-9-]*)\)", text))
    assert used <= NAMED


def test_every_size_is_used():
    home = ROOT / "dmlviz" / "app" / "home.py"
    used = "".join(path.read_text(encoding="utf-8") for path in [*SHEETS, home])
    assert {name for name in NAMED if f"var({name}" not in used} == set()
