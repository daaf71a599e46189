"""``dmlviz verify --fix``, ``--fix-values``, ``--diff`` and ``--watch``."""

import os
import subprocess

import pytest

from dmlviz.__main__ import main
from dmlviz.commands.verify import watch
from tests.verify.pages import TILE
from tests.verify.test_fixes import SLIPS, WRONG


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "slips.md").write_bytes(b"\xef\xbb\xbf" + SLIPS.replace("\n", "\r\n").encode())
    (tmp_path / "wrong.md").write_bytes(WRONG.encode())
    (tmp_path / "other.md").write_bytes(SLIPS.encode("utf-16"))
    (tmp_path / "about.md").write_bytes(b"nothing of the kind\n")
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.md")}


def test_fix_keeps_mark_and_line_ends_and_leaves_all_else(folder, capsys):
    before = contents(folder)
    assert main(["verify", ".", "--fix"]) == 1
    after = contents(folder)
    due = b"\xef\xbb\xbf" + TILE.replace("\n", "\r\n").encode()
    assert after == {**before, "slips.md": due}
    told = capsys.readouterr()
    assert told.err == (
        "other.md: not fixed, because it is not UTF-8 text.\n2 fixes made (files changed: 1).\n"
    )
    assert "slips.md  DML_TILE_OPERATOR_DESC\n  match  " in told.out
    assert main(["verify", "slips.md", "--fix", "--strict"]) == 0
    assert contents(folder) == after


def test_fix_values(folder, capsys):
    assert main(["verify", "wrong.md", "--fix-values"]) == 0
    assert (folder / "wrong.md").read_text() == TILE
    assert capsys.readouterr().err == "1 fix made (files changed: 1).\n"


def test_diff_writes_nothing(folder, capsys):
    before = contents(folder)
    assert main(["verify", ".", "--diff", "--fix-values", "--output-file", "all.patch"]) == 1
    assert contents(folder) == before
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.endswith("3 fixes possible (files: 2); nothing was changed.\n")


def test_a_diff_can_be_applied(git_tool, folder):
    main(["verify", ".", "--diff", "--fix-values", "--output-file", "all.patch"])
    subprocess.run([git_tool, "apply", "-p0", "all.patch"], check=True)
    after = contents(folder)
    assert main(["verify", ".", "--fix-values"]) == 0
    assert contents(folder) == after
    assert main(["verify", ".", "--diff", "--fix-values"]) == 0


def test_what_would_verify_worse_is_left(folder, capsys, monkeypatch):
    monkeypatch.setattr("dmlviz.verify.fixes.edited", lambda page, _changes: page + "]")
    before = contents(folder)
    assert main(["verify", "slips.md", "--fix"]) == 0
    assert contents(folder) == before
    assert "slips.md: not fixed, because" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="root writes everywhere")
def test_a_file_that_cannot_be_written(folder, capsys):
    (folder / "slips.md").chmod(0o444)
    assert main(["verify", "slips.md", "--fix"]) == 2
    assert "--fix: slips.md cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["fix", "fix-values", "watch"])
def test_standard_input_is_no_file(option, capsys):
    assert main(["verify", "-", f"--{option}"]) == 2
    assert "standard input is not a file" in capsys.readouterr().err


def test_watch_verifies_again_after_each_change(tmp_path):
    file = tmp_path / "a.md"
    file.write_text("1")
    codes = iter((0, 2, 1))
    read: list[str] = []
    waited: list[float] = []

    def verify():
        read.append(file.read_text())
        if len(read) == 2:
            # a change while it is read
            file.write_text("three")
        return next(codes)

    def sleep(seconds):
        waited.append(seconds)
        if len(read) == 3:
            raise KeyboardInterrupt
        if len(waited) > 1:
            file.write_text("2, or so")

    assert watch(lambda: [str(file)], verify, sleep) == 1
    assert read == ["1", "2, or so", "three"]
    assert waited == [0.5, 0.5, 0.5]


def test_watch_sees_files_come_and_go(tmp_path):
    file = tmp_path / "a.md"
    found: list[int] = []

    def files():
        return [str(path) for path in tmp_path.glob("*.md")]

    def verify():
        found.append(len(files()))
        return 0

    def sleep(_seconds):
        if len(found) == 3:
            raise KeyboardInterrupt
        file.touch() if not file.exists() else file.unlink()

    watch(files, verify, sleep)
    assert found == [0, 1, 0]


def test_the_report_in_the_folder_is_no_page(folder, capsys):
    (folder / "r.html").write_text(TILE)
    arguments = ["verify", ".", "--output-format", "html", "--output-file", "r.html"]
    assert main(arguments) == 1
    first = (folder / "r.html").read_text()
    assert 'href="#page-3"' in first
    assert "r.html" not in first
    assert main(arguments) == 1
    assert (folder / "r.html").read_text() == first
