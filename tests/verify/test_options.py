"""What a run checks and counts: a file's settings, baselines, exclusions, changed files."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from dmlviz.__main__ import main
from dmlviz.base.errors import Error
from dmlviz.verify import FORMATS, Options, options
from dmlviz.verify.options import HTML, JSON, MARKDOWN, OUTPUT_FORMATS, SETTINGS, TEXT
from tests.verify.pages import TILE

WRONG = TILE.replace("4, 5, 6, 4, 5, 6", "4, 5, 6, 4, 9, 6")
REMARK = TILE.replace("[[1, 2, 3],\n", "[[1, 2, 3]\n")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with right and wrong pages."""
    (tmp_path / "docs" / "old").mkdir(parents=True)
    pages = {"right.md": TILE, "remark.md": REMARK, "old/wrong.md": WRONG, "about.md": "# Us\n"}
    for name, text in pages.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def verify(folder, capsys):
    def verify(*arguments):
        code = main(["verify", *arguments])
        return code, capsys.readouterr()

    return verify


def test_the_nearest_file_that_has_settings(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text('[tool.dmlviz.verify]\nengine = "all"\nstrict = true')
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.other]\nstrict = false")
    assert options({}, tmp_path / "a" / "b") == Options("all", strict=True)
    (tmp_path / "a" / ".dmlviz.toml").write_text('[verify]\noutput-format = "sarif"')
    found = options({"exclude": ("x",)}, tmp_path / "a" / "b")
    assert found == Options(output_format="sarif", exclude=("x",))
    # what is asked for comes before what a file says
    assert options({"engine": "numpy"}, tmp_path).engine == "numpy"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("strict = true", "strict is a setting of verify; put it into the table verify."),
        ("[tool.dmlviz.verify]\nstrikt = true", "verify.strikt is not a setting"),
        ("[verify]\nstrikt = true", "verify.strikt is not a setting; the settings are baseline, "),
        ("[verify]\noutput_format = 'text'", "verify.output_format is not a setting"),
        ("[verify]\nstrict = 'yes'", "verify.strict has a value of the wrong type: yes."),
        ("[verify]\nexclude = ['a', 1]", "verify.exclude has a value of the wrong type: "),
        ("[verify]\nexpect = true", "verify.expect has a value of the wrong type: True."),
        ("[verify", ".dmlviz.toml: "),
        ("[verify]\nignore = ['DOC101']", "ignore: DOC101 is not the code of a remark; these are"),
    ],
)
def test_a_file_that_is_wrong(tmp_path, text, told):
    (tmp_path / ".dmlviz.toml").write_text(text)
    with pytest.raises(Error) as raised:
        options({}, tmp_path)
    assert told in str(raised.value)


def test_a_setting_is_an_option_and_the_guide_names_what_there_is(capsys):
    with pytest.raises(SystemExit):
        main(["verify", "--help"])
    option = re.compile(r"(?<![\w-])--([a-z][a-z-]+)")
    offered = set(option.findall(capsys.readouterr().out))
    assert offered >= {"engine", "output-file", *SETTINGS}
    guide = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "verify.md"
    page = guide.read_text(encoding="utf-8").partition("dmlviz example")[0]
    # what a container is started with is Docker's
    named = set(option.findall(re.sub(r"^docker .*", "", page, flags=re.MULTILINE)))
    assert named > {"expect", "baseline", "fix", "watch"}
    assert named - offered == set()
    assert {TEXT, JSON, MARKDOWN, HTML, *FORMATS} == set(OUTPUT_FORMATS)


def test_exclude_and_ignore(verify, folder):
    assert verify("docs")[0] == 1
    assert verify("docs", "--exclude", "old")[0] == 0
    assert verify("docs", "--exclude", "docs/old/*.md")[0] == 0
    # a file that is named is read
    assert verify("docs/old/wrong.md", "--exclude", "old")[0] == 1
    code, told = verify("docs", "--exclude", "old", "--strict")
    assert code == 1
    assert "remark" in told.out
    code, told = verify("docs", "--exclude", "old", "--strict", "--ignore", "DOC301")
    assert code == 0
    assert "found:" not in told.out
    (folder / ".dmlviz.toml").write_text('[verify]\nexclude = ["old"]\nignore = ["DOC3"]')
    assert verify("docs", "--strict")[0] == 0


def test_expect(verify):
    assert verify("docs", "--exclude", "old", "--expect", "2")[0] == 0
    code, told = verify("docs", "--exclude", "old", "--expect", "3")
    assert (code, told.err) == (1, "expect: 2 examples match, and 3 were expected.\n")


def test_a_configured_baseline_is_written_for_the_first_time(verify, folder):
    assert verify("docs", "--strict")[0] == 1
    (folder / ".dmlviz.toml").write_text('[verify]\nbaseline = "known.json"\n')
    assert verify("docs", "--strict", "--write-baseline", "known.json")[0] == 0
    assert verify("docs", "--strict")[0] == 0


def test_only_new_problems_count_beside_a_baseline(verify, folder):
    assert verify("docs", "--write-baseline", "known.json")[0] == 0
    assert len(json.loads((folder / "known.json").read_text())["problems"]) == 2
    assert verify("docs", "--strict", "--baseline", "known.json")[0] == 0
    wrong = folder / "docs" / "old" / "wrong.md"
    wrong.write_text(f"A line before it.\n\n{WRONG}")
    assert verify("docs", "--strict", "--baseline", "known.json")[0] == 0
    # the same again is another problem
    wrong.write_text(f"{WRONG}\n{WRONG.partition(chr(10))[2]}")
    assert verify("docs", "--strict", "--baseline", "known.json")[0] == 1
    (folder / "known.json").write_text("[]")
    code, told = verify("docs", "--baseline", "known.json")
    assert code == 2
    assert "baseline: known.json is not a baseline that dmlviz wrote: " in told.err


def test_pages_about_other_things(verify):
    assert verify("docs/about.md")[0] == 2
    assert verify("docs/about.md", "--skip-other-pages")[0] == 0
    assert verify("docs/about.md", "docs/right.md")[0] == 0
    assert "about.md" not in verify("docs", "--quiet")[1].out
    assert "about.md" in verify("docs")[1].out


def test_changed_files(git_tool, verify, folder):
    code, told = verify("docs", "--changed")
    assert code == 2
    assert told.err.startswith("dmlviz: --changed: Git cannot say what has changed: ")
    names = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    for command in (("init", "-q"), ("add", "."), (*names, "commit", "-qm", "pages")):
        subprocess.run([git_tool, *command], check=True)
    code, told = verify("docs", "--changed")
    assert (code, told.out) == (0, "0 of 0 examples match, 0 of 0 pages have examples.\n")
    (folder / "docs" / "right.md").write_text(WRONG)
    (folder / "docs" / "new.md").write_text(TILE)
    code, told = verify("docs", "--changed", "--json")
    assert code == 1
    files = [document["file"] for document in json.loads(told.out)["documents"]]
    assert files == ["docs/new.md", "docs/right.md"]


@pytest.mark.parametrize(
    "mark",
    [
        "<!-- dmlviz: skip (see issue 12) -->",
        ".. dmlviz: skip (see issue 12)",
        "# dmlviz:skip(see issue 12)",
    ],
)
def test_a_page_can_leave_an_example_out(verify, folder, mark):
    page = folder / "docs" / "old" / "wrong.md"
    name, _newline, example = WRONG.partition("\n")
    page.write_text(f"{name}\n\n{example}\n{mark}\n\n{example}\n{example}")
    code, told = verify("docs/old", "--json")
    assert code == 1
    found = json.loads(told.out)["documents"][0]["examples"]
    assert [e["status"] for e in found] == ["mismatch", "skipped", "mismatch"]
    assert found[1]["message"] == "see issue 12"
    assert 'skipped="1"' in verify("docs/old", "--output-format", "junit")[1].out
    page.write_text(f"{name}\n\n{mark}\n{example}")
    code, told = verify("docs/old")
    assert code == 0
    assert "  skipped    numpy             Example 1: see issue 12\n" in told.out
    assert "1 example is skipped by its page.\n0 of 0 examples match" in told.out
    # a reason is due
    page.write_text(f"{name}\n\n{mark.replace('see issue 12', '')}\n{example}")
    assert verify("docs/old")[0] == 1
