"""A repository that is anybody's chooses no file to write, and runs nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dmlviz.__main__ import main
from dmlviz.base.errors import Error
from dmlviz.base.places import ROOT
from dmlviz.verify import options
from dmlviz.verify.options import leads_out
from tests.verify.pages import TILE

WRONG = TILE.replace("4, 5, 6, 4, 5, 6", "4, 5, 6, 4, 9, 6")
FORMATS = {
    "text": "txt",
    "markdown": "md",
    "json": "json",
    "sarif": "sarif",
    "junit": "xml",
    "github": "log",
    "gitlab": "json",
    "html": "html",
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The home folder, with a file that a shell runs and a cloned repository in ``code/clone``."""
    clone = tmp_path / "home" / "code" / "clone"
    (clone / ".git" / "hooks").mkdir(parents=True)
    (clone / "docs").mkdir()
    (clone / "docs" / "$(touch PWNED).md").write_text(WRONG)
    (clone / "setup.py").write_text("the user's own\n")
    home = tmp_path / "home"
    (home / ".bashrc").write_text("the user's own\n")
    (home / "notes.txt").write_text("the user's own\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.chdir(clone)
    return home


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def link(path, target):
    try:
        path.symlink_to(target)
    except OSError:
        pytest.skip("links cannot be made here")


HOSTILE = [
    "{home}/.bashrc",
    "{home}/code/clone/report.txt",
    "../../.bashrc",
    "../../notes.txt",
    "docs/../../clone/../x.txt",
    "out/../../../notes.txt",
    "linked.txt",
    "linked/notes.txt",
    "dangling.txt",
    "loop.txt",
    ".",
    "",
    "docs",
    ".git/hooks/pre-commit",
    ".git/hooks/new.txt",
    ".hidden.txt",
    "setup.py",
    "new.pth",
    "sitecustomize.py",
    "Makefile",
    "package.json",
    "docs/about.md",
    "C:\\x.txt",
    "C:x.txt",
    "\\\\host\\x.txt",
    "new.py:x.txt",
    "a\\u0000.txt",
]


@pytest.mark.parametrize(
    ("file", "format_"),
    [*((file, "text") for file in HOSTILE), *(("package.json", format_) for format_ in FORMATS)],
    ids=range(len(HOSTILE) + len(FORMATS)),
)
def test_no_configured_report_replaces_anything_else(home, capsys, file, format_):
    clone = home / "code" / "clone"
    (clone / "package.json").write_text("{}")
    (clone / "docs" / "about.md").write_text("# Us\n")
    link(clone / "linked.txt", home / "notes.txt")
    link(clone / "linked", home)
    link(clone / "dangling.txt", home / "new.txt")
    link(clone / "loop.txt", "loop.txt")
    value = file.replace("{home}", home.as_posix()).replace("\\", "\\\\")
    value = value.replace("\\\\u0000", "\\u0000")
    text = f'[tool.dmlviz.verify]\noutput-file = "{value}"\noutput-format = "{format_}"\n'
    (clone / "pyproject.toml").write_text(text)
    before = contents(home)
    assert main(["verify", "docs"]) == 2
    told = capsys.readouterr().err
    assert "pyproject.toml: verify.output-file: " in told
    assert "Traceback" not in told
    assert contents(home) == before
    assert len(told) < 600


@pytest.mark.parametrize("format_", FORMATS)
def test_a_configured_report_is_written_again_and_again(home, format_):
    clone = home / "code" / "clone"
    name = f"report.{FORMATS[format_]}"
    text = f'[verify]\noutput-file = "{name}"\noutput-format = "{format_}"\nexclude = ["{name}"]\n'
    (clone / ".dmlviz.toml").write_text(text)
    for _run in range(3):
        assert main(["verify", "docs"]) == 1
    first = (clone / name).read_bytes()
    # beside the file that names it, wherever the run is
    os.chdir(clone / "docs")
    assert main(["verify", "."]) == 1
    assert not (clone / "docs" / name).exists()
    assert (clone / name).read_bytes() != first or format_ in ("text", "json")
    # a report without anything in it is one too
    (clone / "docs" / "$(touch PWNED).md").unlink()
    for _run in range(2):
        assert main(["verify", "."]) == 2


def test_the_command_line_is_the_users_own_hand(home):
    (home / "code" / "clone" / ".dmlviz.toml").write_text('[verify]\noutput-file = "../x.txt"\n')
    assert main(["verify", "docs", "--output-file", "../../notes.txt"]) == 1
    # as it is printed
    assert (home / "notes.txt").read_text().startswith("docs/$(touch PWNED).md  DML_TILE")


def test_a_diff_is_no_report(home, capsys):
    (home / "code" / "clone" / ".dmlviz.toml").write_text('[verify]\noutput-file = "x.txt"\n')
    assert main(["verify", "docs", "--diff", "--fix-values"]) == 1
    assert capsys.readouterr().out.startswith("--- docs/")
    assert not (home / "code" / "clone" / "x.txt").exists()


def test_a_configured_baseline_is_inside(home, capsys):
    clone = home / "code" / "clone"
    assert main(["verify", "docs", "--write-baseline", "../known.json"]) == 0
    assert main(["verify", "docs", "--write-baseline", ".known.json"]) == 0
    link(clone / "linked.json", "../known.json")
    for file in ("../known.json", f"{home.as_posix()}/code/known.json", "linked.json", "docs"):
        (clone / ".dmlviz.toml").write_text(f'[verify]\nbaseline = "{file}"\n')
        assert main(["verify", "docs"]) == 2
        assert ".dmlviz.toml: verify.baseline: " in capsys.readouterr().err
    (clone / ".dmlviz.toml").write_text('[verify]\nbaseline = ".known.json"\n')
    assert main(["verify", "docs"]) == 0
    os.chdir(clone / "docs")
    options({}, clone / "docs")


def test_settings_above_the_repository_or_the_home_folder_do_not_count(home, tmp_path):
    docs = home / "code" / "clone" / "docs"

    def is_strict(folder):
        return options({}, folder).strict

    for above in (tmp_path, home, home / "code"):
        (above / ".dmlviz.toml").write_text("[verify]\nstrict = true\n")
    assert not is_strict(docs)
    assert is_strict(home / "code")
    # no repository: up to the home folder, which has everybody's below it
    (home / "code" / "clone" / ".git").rename(home / "code" / "clone" / "git")
    assert is_strict(docs)
    (home / "code" / ".dmlviz.toml").unlink()
    assert not is_strict(docs)
    assert is_strict(home)
    # neither: this folder alone
    other = tmp_path / "other" / "docs"
    other.mkdir(parents=True)
    (other.parent / ".dmlviz.toml").write_text("[verify]\nstrict = true\n")
    assert not is_strict(other)
    assert is_strict(other.parent)
    # a worktree has a file in its place
    (other.parent / ".git").write_text("gitdir: elsewhere\n")
    assert is_strict(other)


def test_a_home_that_holds_everything(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", tmp_path.anchor)
    monkeypatch.setenv("USERPROFILE", tmp_path.anchor)
    (tmp_path / "docs").mkdir()
    (tmp_path / ".dmlviz.toml").write_text("[verify]\nstrict = true\n")
    assert not options({}, tmp_path / "docs").strict


@pytest.mark.parametrize("kind", ["large", "deep", "device", "pipe", "folder", "tool"])
def test_settings_that_cost_too_much(home, kind):
    file = home / "code" / "clone" / ".dmlviz.toml"
    if kind == "large":
        file.write_text("#" * 2_000_000)
    elif kind == "deep":
        file.write_text(f"a = {'[' * 100_000}")
    elif kind == "device":
        link(file, "/dev/zero")
    elif kind == "pipe":
        if not hasattr(os, "mkfifo"):
            pytest.skip("there are no pipes with names here")
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    else:
        file.write_text("tool = 1\n")
        assert options({}, file.parent).jobs is None
        return
    with pytest.raises(Error, match=r"\.dmlviz\.toml: "):
        options({}, file.parent)


@pytest.mark.parametrize("option", ["--fix", "--fix-values"])
def test_no_link_leads_a_fix_out_of_the_folder(home, capsys, option):
    clone = home / "code" / "clone"
    slips = WRONG.replace("[[1, 2, 3],\n", "[[1, 2, 3]\n")
    for path in (home / "own.md", clone / "README.md", home / "docs" / "own.md"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(slips)
    (clone / "docs" / "$(touch PWNED).md").unlink()
    link(clone / "docs" / "out.md", home / "own.md")
    link(clone / "docs" / "up.md", "../README.md")
    link(clone / "folder", home / "docs")
    link(clone / "docs" / "in.md", "real.md")
    before = contents(home)
    for pages in (["docs"], ["docs/out.md"], ["folder"], ["folder/own.md"], ["folder/../own.md"]):
        assert main(["verify", *pages, option]) in (0, 1, 2)
        told = capsys.readouterr().err
        if pages != ["folder/../own.md"] or os.name != "nt":
            assert "not fixed, because a link leads out of the folder." in told
        assert "0 fixes made" in told
        assert contents(home) == before
    # within the folder it is as good as any other
    (clone / "docs" / "real.md").write_text(slips)
    main(["verify", "docs", option])
    assert (clone / "docs" / "in.md").is_symlink()
    assert (clone / "docs" / "real.md").read_text() != slips
    # the user's own hand: what is named lies outside, or is named as it is
    main(["verify", "../../own.md", option])
    assert (home / "own.md").read_text() != slips


@pytest.mark.parametrize("option", ["--output-file", "--write-baseline"])
def test_no_link_of_the_folder_leads_what_is_written_out_of_it(home, capsys, option):
    link(home / "code" / "clone" / "report.txt", home / "notes.txt")
    before = contents(home)
    assert main(["verify", "docs", option, "report.txt"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"dmlviz: {option}: report.txt is invalid; a link leads from it out of")
    assert contents(home) == before
    assert main(["verify", "docs", option, "../../notes.txt"]) in (0, 1)
    assert contents(home) != before


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no such name here")
def test_a_name_elsewhere_is_free(home):
    assert not leads_out("/dev/stdout")


def test_a_file_that_is_named_as_an_option(home, capsys):
    clone = home / "code" / "clone"
    (clone / "--output-file=setup.py").write_text(WRONG)
    (clone / "--strict").write_text("")
    before = contents(home)
    for arguments in (["docs", "--output-file=setup.py"], ["--strict", "docs"]):
        assert main(["verify", *arguments]) == 2
        assert "is an option, and also the name of a file here." in capsys.readouterr().err
    assert main(["verify", "--quiet", "--", "docs", "--output-file=setup.py"]) == 1
    assert "--output-file=setup.py  DML_TILE" in capsys.readouterr().out
    assert contents(home) == before


@pytest.mark.parametrize("name", ["struct.py", "multiprocessing.py", "numpy.py", "onnxruntime.py"])
def test_no_module_of_the_folder_is_imported(home, name):
    """Not by this process, by those that verify pages beside it, or by an engine's."""
    clone = home / "code" / "clone"
    (clone / name).write_text(f"open({str(clone / 'PWNED')!r}, 'w')\n")
    for number in range(20):
        (clone / "docs" / f"{number}.md").write_text(TILE)
    (clone / "pyproject.toml").write_text("[tool.dmlviz.verify]\njobs = 3\n")
    script = clone.parent / "dmlviz-command"
    script.write_text(
        f"import sys\nsys.path[0] = {str(ROOT)!r}\nfrom dmlviz.__main__ import main\n"
        'if __name__ == "__main__":\n    sys.exit(main())\n'
    )
    ran = subprocess.run(
        [sys.executable, script, "verify", "docs", "--engine", "onnxruntime"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert not (clone / "PWNED").exists(), ran.stderr
    assert ran.returncode == 1, ran.stderr
    assert "20 of 21 examples match" in ran.stdout
