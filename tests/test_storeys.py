"""In CI the tests that a change can reach run first."""

import subprocess

from tests import storeys
from tests.storeys import TOP, changed_files, reached_first, storey

TESTS = [
    "tests/app/test_pages.py",
    "tests/operators/test_tile.py",
    "tests/picture/test_svg.py",
    "tests/tensors/test_cells.py",
    "tests/test_states.py",
    "dmlviz/tensors/cells.py",
]


def test_the_storey_of_a_file():
    assert storey("dmlviz/base/cache.py") == 0
    assert storey("dmlviz/tensors/cells.py") == storey("tests/engines/test_models.py") == 1
    assert storey("dmlviz/picture/svg.py") == 2
    assert storey("tests/app/test_pages.py") == 3
    assert storey("dmlviz/__main__.py") == storey("pages/tile.py") == TOP
    assert storey("tests/browser/test_looks.py") == storey("tests/test_states.py") == TOP


def test_a_change_of_a_use_puts_the_core_last():
    assert reached_first(
        TESTS, ["CHANGELOG.md", "dmlviz/teaching/sets.py", "dmlviz/app/theme.py"]
    ) == [
        "tests/app/test_pages.py",
        "tests/picture/test_svg.py",
        "tests/test_states.py",
        "tests/operators/test_tile.py",
        "tests/tensors/test_cells.py",
        "dmlviz/tensors/cells.py",
    ]


def test_a_change_below_all_of_them_or_none_changes_nothing():
    for changed in (
        ["dmlviz/base/errors.py", "app.py"],
        ["dmlviz/engines/numpy.py"],
        ["README.md"],
        [],
    ):
        assert reached_first(TESTS, changed) == TESTS


def test_without_git_or_a_commit_before_nothing_changed(monkeypatch, tmp_path):
    monkeypatch.setattr(storeys, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert changed_files() == []
    monkeypatch.setenv("PATH", str(tmp_path))
    assert changed_files() == []


def test_changes_are_those_since_a_commit(git_tool, monkeypatch, tmp_path):
    monkeypatch.setattr(storeys, "ROOT", tmp_path)
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")

    def git(*words):
        subprocess.run([git_tool, *who, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text("", encoding="utf-8")
        git("add", name)
        git("commit", "-qm", name)
    monkeypatch.delenv("DMLVIZ_BASE", raising=False)
    assert changed_files() == ["two.py"]
    monkeypatch.setenv("DMLVIZ_BASE", "HEAD")
    assert changed_files() == []
