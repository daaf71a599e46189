"""A file of the app that was cut off or changed is named when the server starts."""

from __future__ import annotations

import shutil

import pytest

from dmlviz.app.server import SUMS, damaged, sums, warn_of_damage
from dmlviz.base.places import ROOT

FILES = [line.partition("  ")[2] for line in sums()]


def test_the_list_is_that_of_the_files():
    assert damaged() == (), "run python -m tests.sums"
    listed = (ROOT / SUMS).read_text(encoding="utf-8").splitlines()[:-1]
    assert listed == list(sums()), "run python -m tests.sums"


@pytest.fixture
def copy(tmp_path):
    for name in (*FILES, SUMS):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        ".streamlit/config.toml",
        "assets/glossary.en.toml",
        "assets/lessons/tile.ko.toml",
        "assets/locale/ko/LC_MESSAGES/dmlviz.po",
        "assets/pictures/cat.txt",
        "assets/recordings/directml-1.15.4.json",
        "dmlviz/picture/js/player.js",
        "dmlviz/picture/player.css",
        SUMS,
    ],
)
def test_a_halved_file_is_named(copy, name, caplog):
    assert damaged(copy) == ()
    whole = (copy / name).read_bytes()
    (copy / name).write_bytes(whole[: len(whole) // 2])
    warn_of_damage(copy)
    assert len(caplog.messages) == 1
    assert name in caplog.messages[0]


def test_a_file_that_is_gone_is_named_and_a_new_one_is_not(copy):
    (copy / "dmlviz/picture/js/player.js").unlink()
    (copy / "assets/lessons/mine.en.toml").write_text("title = 1")
    assert damaged(copy) == ("dmlviz/picture/js/player.js",)
    (copy / SUMS).unlink()
    assert damaged(copy) == (SUMS,)


def test_line_ends_of_windows_are_no_damage(copy):
    for name in FILES:
        text = (copy / name).read_bytes()
        (copy / name).write_bytes(text.replace(b"\n", b"\r\n"))
    assert damaged(copy) == ()
