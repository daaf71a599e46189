"""What the README says is so; docs/ has tests of its own."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from dmlviz.__main__ import main
from dmlviz.commands import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
OTHERS = {path.name: path.read_text(encoding="utf-8") for path in ROOT.glob("README.*.md")}
LINK = re.compile(r"\]\(((?!http)[^)#]+)\)")
BLOCK = re.compile(r"```(.*?)```", re.DOTALL)
ROW = re.compile(r"^\| `dmlviz (.+?)` \|", re.MULTILINE)


@pytest.mark.parametrize("text", [README, *OTHERS.values()], ids=["README.md", *OTHERS])
def test_what_the_readme_links_to_is_there(text):
    assert [path for path in LINK.findall(text) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("name", OTHERS)
def test_every_readme_says_the_same(name):
    other = OTHERS[name]
    language = name.split(".")[1]
    assert f"]({name})" in README

    def in_language(path):
        own = f"{path.removesuffix('.md')}.{language}.md"
        return own if (ROOT / own).exists() else path

    links = {in_language(path) for path in set(LINK.findall(README)) - set(OTHERS)}
    assert sorted(set(LINK.findall(other)) - {"README.md"}) == sorted(links)
    assert BLOCK.findall(other) == BLOCK.findall(README)
    assert ROW.findall(other) == ROW.findall(README)
    assert other.count("\n## ") == README.count("\n## ")


def test_the_readme_is_one_page():
    assert len(README.splitlines()) <= 100
    assert README.count("\n![") == 1


def test_ci_runs_the_command_of_the_readme():
    [command] = re.findall(r"<!-- test -->\n```\n(.*?)\n```", README)
    assert command.startswith("python3 -m venv .venv && ")
    assert "README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_readme_names_each_command_once():
    assert [row.split()[0] for row in ROW.findall(README)] == list(COMMANDS)


QUICK = [row for row in ROW.findall(README) if row.split()[0] not in ("app", "site", "verify")]


@pytest.mark.parametrize("command", QUICK)
def test_the_commands_of_the_readme_run(command, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    arrays = {"before.npy": np.eye(2), "after.npy": np.eye(2)[::-1]}
    for name, array in arrays.items():
        np.save(name, array)
    assert main(shlex.split(command)) == 0
    written = {path.name for path in tmp_path.iterdir() if path.stat().st_size} - {*arrays}
    assert written or capfd.readouterr().out
