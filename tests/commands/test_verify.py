"""``python -m dmlviz verify``."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from dmlviz.__main__ import main
from dmlviz.verify import PAGE_LIMIT, available
from dmlviz.verify.built_in import FOLDER
from tests.verify.pages import TILE

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "match": TILE.encode(),
    "mismatch": TILE.replace("{1, 2}", "{2, 1}").encode(),
    "refused": TILE.replace("{1, 2}", "{1, 0}").encode(),
    "unreadable": TILE.replace("[[1, 2, 3],", "[[1, 2, x],").encode(),
    "foreign": b"struct DML_CAST_OPERATOR_DESC {\n",
    "prose": b"Nothing here.\n",
    "empty": b"# DML_TILE_OPERATOR_DESC structure\nRepeats: how many copies.\n",
    "misspelt": b"UID: NS:directml.DML_TLE_OPERATOR_DESC\n" + TILE.partition("\n")[2].encode(),
    "remarks": (
        TILE.replace("OutputT", "InputT")
        + "OutputTensor.Sizes[i] = InputTensor.Sizes[i] + Repeats[i]\n"
    ).encode(),
    "binary": b"\x89PNG\0",
    "long": b" " * (PAGE_LIMIT + 1),
}
CODES = {"match": 0, "remarks": 0, "mismatch": 1, "refused": 1}


def write(folder, *names):
    """Pages of these kinds, numbered."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{n:03}-{name}.md" for n, name in enumerate(names)]
    for path, name in zip(paths, names, strict=True):
        path.write_bytes(PAGES[name])
    return [str(path) for path in paths]


def data(capsys, *arguments):
    code = main(["verify", "--json", *arguments])
    told = capsys.readouterr()
    assert told.err == ""
    return code, json.loads(told.out)["documents"]


def command(*arguments, page=b""):
    return subprocess.run(
        [sys.executable, "-m", "dmlviz", "verify", *arguments],
        cwd=ROOT,
        input=page,
        capture_output=True,
        timeout=120,
    )


def test_a_file(tmp_path, capsys):
    (path,) = write(tmp_path, "match")
    assert main(["verify", path]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert told.out.splitlines() == [
        f"{path}  DML_TILE_OPERATOR_DESC",
        "  match      numpy             Example 1: 12 elements, all equal.",
        "checked: 1 example.",
        "1 of 1 example matches, 1 of 1 pages have examples.",
    ]


def test_an_example_on_two_engines_counts_once(tmp_path, capsys):
    (path,) = write(tmp_path, "match")
    assert main(["verify", path, "--engine", "all", "--quiet", "--expect", "1"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "1 of 1 example matches, 1 of 1 pages have examples."


def test_json(tmp_path, capsys):
    paths = write(tmp_path, "mismatch", "foreign")
    code, documents = data(capsys, *paths)
    assert code == 1
    assert [document["file"] for document in documents] == paths
    first, second = documents
    assert first["operator"] == "DML_OPERATOR_TILE"
    (example,) = first["examples"]
    assert (example["status"], example["engine"]) == ("mismatch", "numpy")
    assert example["first_difference"]["index"] == [2, 0]
    assert "DML_CAST_OPERATOR_DESC is not an operator" in second["problem"]


def test_a_folder(tmp_path, capsys):
    write(tmp_path / "b", "match")
    write(tmp_path / "a", "match", "foreign", "prose")
    (tmp_path / "b" / "page.HTML").write_bytes(PAGES["match"])
    (tmp_path / "b" / "picture.png").write_bytes(PAGES["binary"])
    (tmp_path / "b" / "folder.md").mkdir()
    write(tmp_path / ".git", "unreadable")
    code, documents = data(capsys, str(tmp_path))
    assert code == 0
    assert [Path(document["file"]).relative_to(tmp_path).as_posix() for document in documents] == [
        *("a/000-match.md", "a/001-foreign.md", "a/002-prose.md", "b/000-match.md", "b/page.HTML")
    ]


def test_a_folder_and_a_file(tmp_path, capsys):
    write(tmp_path / "a", "match")
    (path,) = write(tmp_path / "c", "mismatch")
    code, documents = data(capsys, path, str(tmp_path / "a"))
    assert code == 1
    assert [document["examples"][0]["status"] for document in documents] == ["mismatch", "match"]


def test_an_empty_folder(tmp_path, capsys):
    (tmp_path / "page.pdf").touch()
    assert main(["verify", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert told.out == "0 of 0 examples match, 0 of 0 pages have examples.\n"
    assert told.err.startswith("No page was found: ")


@pytest.mark.parametrize("options", [["--quiet"], ["--output-format", "github"]])
def test_a_run_without_an_example_says_why_it_fails(tmp_path, capsys, options):
    paths = write(tmp_path, "prose")
    reason = "No page has an example, so nothing was verified and the exit code is 2.\n"
    assert main(["verify", *paths, *options]) == 2
    assert capsys.readouterr().err == reason
    assert main(["verify", *paths, *options, "--skip-other-pages"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["verify", *paths, *write(tmp_path, "match"), *options]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("one", PAGES)
@pytest.mark.parametrize("two", PAGES)
def test_exit_codes(tmp_path, capsys, one, two):
    paths = write(tmp_path, one, two)
    # pages of other kinds count only where there is nothing else
    others = [name for name in (one, two) if name not in ("foreign", "prose")]
    for pages in (paths, [str(tmp_path)]):
        for code, options in ((2, []), (0, ["--skip-other-pages"])):
            due = max([CODES.get(name, 2) for name in others], default=code)
            assert data(capsys, *pages, *options)[0] == due


@pytest.mark.parametrize("name", ["empty", "misspelt"])
def test_a_page_in_a_folder_that_yields_no_example_though_it_is_ours(tmp_path, capsys, name):
    write(tmp_path, "match", name)
    code, documents = data(capsys, str(tmp_path))
    assert code == 2
    assert documents[1]["examples"] == []
    assert documents[1]["problem"]


def test_a_page_in_a_folder_that_only_its_file_name_says_is_ours(tmp_path, capsys):
    write(tmp_path, "match")
    (tmp_path / "ns-directml-dml_tile_operator_desc.md").write_bytes(PAGES["prose"])
    assert data(capsys, str(tmp_path))[0] == 2


def test_links_that_lead_nowhere_are_said(tmp_path, capsys):
    write(tmp_path, "match")
    for name, target in (("gone.md", "nothing"), ("self.md", "self.md")):
        (tmp_path / name).symlink_to(target)
    (tmp_path / "loop").symlink_to(tmp_path)
    code, documents = data(capsys, str(tmp_path), "--exclude", "other/*")
    assert code == 2
    assert [bool(document["problem"]) for document in documents] == [False, True, True]


def test_remarks_are_told_in_one_line(tmp_path, capsys):
    write(tmp_path, "remarks", "match", "remarks")
    assert main(["verify", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert told.splitlines()[-2:] == [
        "4 remarks do not affect the exit code (found, wrong); with --strict they do.",
        "3 of 3 examples match, 3 of 3 pages have examples.",
    ]
    assert told.count("  found: ") + told.count("  wrong: ") == 4


def test_remarks_count_where_it_is_strict(tmp_path, capsys):
    paths = write(tmp_path, "match", "remarks")
    assert main(["verify", "--strict", *paths]) == 1
    assert capsys.readouterr().out.splitlines()[-2] == (
        "2 remarks affect the exit code (found, wrong)."
    )
    assert data(capsys, "--strict", *paths)[0] == 1
    assert data(capsys, "--strict", paths[0])[0] == 0


def test_every_engine(tmp_path, capsys):
    code, documents = data(capsys, str(FOLDER), "--engine", "all", "--quiet")
    assert code == 0
    ran = {example["engine"] for document in documents for example in document["examples"]}
    assert ran == set(available())
    assert len(documents) == len(list(FOLDER.glob("*.md")))


def test_one_engine(capsys):
    code, documents = data(capsys, str(FOLDER / "tile.en.md"), "--engine", "directml-recorded")
    assert code == 0
    assert documents[0]["examples"][0]["engine"] == "directml-recorded"


def test_an_engine_that_cannot_run_here(tmp_path, capsys, monkeypatch):
    import dmlviz
    from dmlviz.engines import ENGINES

    class Absent:
        def status(self):
            return dmlviz.Engine("directml", "DirectML", False, "DirectML needs Windows.", "")

    monkeypatch.setitem(ENGINES, "directml", Absent())
    assert main(["verify", str(FOLDER / "tile.en.md"), "--engine", "directml"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "DirectML needs Windows." in told.err
    assert "Traceback" not in told.err


def test_an_engine_that_there_is_not(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["verify", "x.md", "--engine", "numpie"])
    assert stopped.value.code == 2
    assert "numpie" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["missing.md", "x" * 5_000, "a/b/c.md", "ä\n.md"])
def test_a_file_that_cannot_be_opened(tmp_path, capsys, name):
    paths = write(tmp_path, "match")
    code, documents = data(capsys, *paths, str(tmp_path / name))
    assert code == 2
    assert documents[0]["examples"][0]["status"] == "match"
    assert documents[1]["problem"].startswith(f"page: cannot read {tmp_path / name}: ")
    assert main(["verify", str(tmp_path / name)]) == 2


@pytest.mark.parametrize(("name", "code"), [*CODES.items(), ("unreadable", 2), ("binary", 2)])
def test_standard_input(capsys, monkeypatch, name, code):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(PAGES[name])))
    found, (document,) = data(capsys, "-")
    assert found == code
    assert document["file"] == "-"


def test_as_a_program():
    done = command("-", "--json", page=PAGES["mismatch"])
    assert done.returncode == 1
    assert done.stderr == b""
    assert json.loads(done.stdout)["documents"][0]["examples"][0]["status"] == "mismatch"


def test_no_page_at_all():
    done = command()
    assert done.returncode == 2
    assert done.stderr.startswith(b"usage: dmlviz verify ")


def test_many_pages_have_a_bar(tmp_path):
    write(tmp_path, *["match"] * 20)
    done = command(str(tmp_path), "--json")
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["documents"]) == 20
    bar = done.stderr.decode()
    assert "20/20" in bar
    assert "100%" in bar


@pytest.mark.parametrize("arguments", [["--quiet"], []])
def test_no_bar(tmp_path, arguments):
    write(tmp_path, *["match"] * (20 if arguments else 19))
    done = command(str(tmp_path), *arguments)
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
def test_a_reader_that_has_seen_enough(tmp_path):
    write(tmp_path, *["match"] * 15)
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "dmlviz", "verify", str(tmp_path)],
            cwd=ROOT,
            stdout=pipe,
            stderr=subprocess.PIPE,
            timeout=120,
        )
    assert done.returncode == 0
    assert done.stderr == b""


KOREAN = TILE.replace("Repeats", "예제 1\n\nRepeats")
FEW_LETTERS = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"}


def test_a_pipe_gets_every_letter(tmp_path):
    """Windows would write the letters of one region into it."""
    path = tmp_path / "page.md"
    path.write_text(KOREAN, encoding="utf-8")
    for arguments in (["verify", str(path)], ["--lang", "ko", "verify", "--help"]):
        done = subprocess.run(
            [sys.executable, "-m", "dmlviz", *arguments],
            cwd=ROOT,
            capture_output=True,
            timeout=120,
            env=FEW_LETTERS,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert ("예제 1: 12 elements, all equal." if path.name in str(arguments) else "사용법") in (
            done.stdout.decode()
        )


def test_json_is_ascii(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(KOREAN, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "dmlviz", "verify", str(path), "--json"],
        cwd=ROOT,
        capture_output=True,
        timeout=120,
    )
    assert "예제 1" in str(json.loads(done.stdout.decode("ascii")))


@pytest.mark.skipif(os.name != "posix", reason="Windows' own console has every letter")
def test_a_console_of_few_letters(tmp_path):
    import pty

    path = tmp_path / "page.md"
    path.write_text(KOREAN, encoding="utf-8")
    ours, console = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "dmlviz", "verify", str(path)],
        cwd=ROOT,
        stdout=console,
        stderr=subprocess.PIPE,
        timeout=120,
        env=FEW_LETTERS,
    )
    os.close(console)
    with os.fdopen(ours, "rb", buffering=0) as read:
        said = read.read(4096)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?? 1: 12 elements, all equal." in said
