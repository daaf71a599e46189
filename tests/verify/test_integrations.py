"""The pre-commit hook and the GitHub Action run what the command line takes."""

import os
import re
import shlex
import subprocess
import sys

import pytest
import yaml

from dmlviz.__main__ import main
from dmlviz.base.places import ROOT
from tests.verify.pages import TILE

WRONG = TILE.replace("4, 5, 6, 4, 5, 6", "4, 5, 6, 4, 9, 6")


@pytest.fixture
def pages(tmp_path, monkeypatch):
    (tmp_path / "right.md").write_text(TILE)
    (tmp_path / "wrong.md").write_text(WRONG)
    (tmp_path / "README.md").write_text("# About\n")
    monkeypatch.chdir(tmp_path)


def test_the_hook_passes_over_other_files(pages):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    command = [*shlex.split(hook["entry"]), *hook["args"]]
    assert command[0] == "dmlviz"
    assert main([*command[1:], "README.md"]) == 0
    assert main([*command[1:], "README.md", "right.md"]) == 0
    assert main([*command[1:], "README.md", "wrong.md"]) == 1


def test_the_hook_takes_every_name_for_a_file(pages, tmp_path):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (tmp_path / "--output-file=README.md").write_text(WRONG)
    _name, *command = shlex.split(hook["entry"])
    files = ["--output-file=README.md", "right.md"]
    assert main([*command, *hook["args"], *files]) == 1
    # somebody's own args
    assert main([*command, "--strict", *files]) == 2
    assert (tmp_path / "README.md").read_text() == "# About\n"


def run_action(tmp_path, **given):
    """The last step of the action, in the folder of the pages."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    steps = [step for step in action["runs"]["steps"] if "run" in step]
    assert given.keys() == action["inputs"].keys()
    # no text that somebody hands in becomes a part of a script
    assert all("${{" not in step["run"] for step in steps)
    told = steps[-1]["env"]
    given = {f"inputs.{name}": value for name, value in given.items()}
    for name, value in {**given, "github.action_path": str(ROOT)}.items():
        told = {key: text.replace(f"${{{{ {name} }}}}", value) for key, text in told.items()}
    programs = tmp_path / ".programs"
    programs.mkdir(exist_ok=True)
    (programs / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (programs / "python").chmod(0o755)
    environment = {**os.environ, **told}
    environment["PATH"] = f"{programs}{os.pathsep}{environment['PATH']}"
    return subprocess.run(
        # as GitHub runs a step of this shell
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps[-1]["run"]],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_steps_of_the_action(pages, tmp_path):
    ran = run_action(tmp_path, pages="right.md wrong.md", options="--strict")
    assert ran.returncode == 1, ran.stderr
    assert ran.stdout.startswith("::error title=DOC101 output-differs,file=wrong.md,line=8,")


@pytest.mark.parametrize(
    ("files", "code"),
    [(["README.md"], 0), (["README.md", "right.md"], 0), (["README.md", "wrong.md"], 1)],
)
def test_a_page_about_another_subject_is_ignored_however_it_is_named(pages, tmp_path, files, code):
    for name in {"right.md", "wrong.md"} - {*files}:
        (tmp_path / name).unlink()
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    _name, *command = shlex.split(hook["entry"])
    assert main([*command, *hook["args"], *files]) == code
    assert run_action(tmp_path, pages="*.md", options="").returncode == code
    assert main(["verify", "--skip-other-pages", *files]) == code
    # who verifies nothing at all learns of it
    nothing = 2 if files == ["README.md"] else code
    assert main(["verify", *files]) == main(["verify", "."]) == nothing


def test_no_name_of_a_file_is_an_option_or_a_module_of_the_action(pages, tmp_path):
    (tmp_path / "--output-file=README.md").write_text(WRONG)
    for module in ("dmlviz", "pip", "numpy", "struct"):
        (tmp_path / f"{module}.py").write_text("open('PWNED', 'w')\n")
    ran = run_action(tmp_path, pages="[-rw]*.md", options="--exclude *.md --strict")
    assert ran.returncode == 1, ran.stderr
    assert "file=--output-file=README.md,line=8," in ran.stdout
    assert "file=wrong.md,line=8," in ran.stdout
    assert (tmp_path / "README.md").read_text() == "# About\n"
    assert not (tmp_path / "PWNED").exists()


def test_the_action_installs_what_is_locked():
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    python, install, _verify = action["runs"]["steps"]
    # the lock is made for this one
    assert f'python-version = "{python["with"]["python-version"]}"' in (
        ROOT / "deploy" / "uv.toml"
    ).read_text(encoding="utf-8")
    words = shlex.split(install["run"])
    assert words[words.index("-r") + 1] == "$ACTION/deploy/verify.lock"
    assert {"-P", "--require-hashes", "--only-binary"} <= set(words)


def test_every_action_is_one_commit():
    """A tag can be moved to another commit; who moves it chooses what runs."""
    for path in (ROOT / "action.yml", *(ROOT / ".github" / "workflows").glob("*.yml")):
        text = path.read_text(encoding="utf-8")
        uses = re.findall(r"uses: (.*)", text)
        assert uses
        for action in uses:
            assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action
