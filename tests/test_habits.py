"""What the repository says of itself fits together: versions, links, hooks, checklists."""

import re
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.text

ROOT = Path(__file__).resolve().parent.parent
SAID = ("CONTRIBUTING.md", "CHANGELOG.md", "RELEASING.md", "SECURITY.md")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def test_the_newest_section_of_the_changelog_is_this_version():
    newest = re.findall(r"^## (\d+\.\d+\.\d+)", text("CHANGELOG.md"), re.MULTILINE)[0]
    assert newest == PROJECT["project"]["version"]


def test_the_changelog_says_of_each_version_what_was_added_changed_and_fixed():
    for section in re.split(r"^## ", text("CHANGELOG.md"), flags=re.MULTILINE)[1:]:
        assert re.findall(r"^### (.+)", section, re.MULTILINE) == ["Added", "Changed", "Fixed"]


@pytest.mark.parametrize("page", SAID)
def test_what_the_pages_link_to_is_there(page):
    for path in re.findall(r"\]\(((?!http)[^)#]+)\)", text(page)):
        assert (ROOT / path).exists(), path


def test_files_that_the_guide_names_are_there():
    guide = text("CONTRIBUTING.md")
    named = {
        span
        for span in re.findall(r"`([^`\n]+)`", guide)
        if re.fullmatch(r"[\w.<>-]+(/[\w.<>-]*)+", span)
    }
    assert len(named) > 30
    for name in named:
        # one of them stands for all
        path = name.replace("<key>", "tile").replace("/ja/", "/ko/")
        assert any((room / path).exists() for room in (ROOT, ROOT / "dmlviz")), name


def test_the_guide_describes_every_room():
    guide = text("CONTRIBUTING.md")
    described = re.findall(r"^  (\w+)/ +\S", guide, re.MULTILINE)
    rooms = sorted(path.parent.name for path in (ROOT / "dmlviz").glob("*/__init__.py"))
    assert sorted(described) == rooms


def test_hooks_run_what_ci_runs():
    hooks = text(".pre-commit-config.yaml")
    assert re.findall(r"repo: (.*)", hooks) == ["local"], "another host is asked"
    required = text("requirements-dev.txt") + text("package.json")
    for tool in re.findall(r"entry: (ruff|mypy|npm run --silent types)", hooks):
        assert tool.split()[-1] in required
        assert tool in text(".ci/run")


@pytest.mark.parametrize("asked", ["wrong-picture", "page-does-not-verify", "idea"])
def test_every_issue_asks_for_the_link_of_the_state(asked):
    assert "label: The link of the state" in text(f".github/ISSUE_TEMPLATE/{asked}.yml")


def test_types_are_checked_strictly():
    assert PROJECT["tool"]["mypy"]["strict"] is True
    assert "dmlviz" in PROJECT["tool"]["mypy"]["files"]
