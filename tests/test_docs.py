"""What the pages in docs/ say is so, and Sphinx builds them into pages that play."""

import contextlib
import doctest
import io
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import dmlviz
from dmlviz.__main__ import main
from dmlviz.commands import COMMANDS
from dmlviz.operators import OPERATORS
from dmlviz.teaching.code_facts import CodeFacts
from dmlviz.teaching.operator_facts import OperatorFacts
from dmlviz.teaching.state_facts import PARTS, StateFacts, table
from dmlviz.verify import FORMATS, PAGE_LIMIT, RULES
from tests.extensions.building import Frames

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
EACH = pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(DOCS)))
CODES = DOCS / "reference" / "verify-codes.md"
GUIDE = DOCS / "how-to" / "python.md"


def text(path):
    return path.read_text(encoding="utf-8")


def outside_quotes(page):
    """A page without the pages that it quotes."""
    return re.sub(r"^````.*?^````$", "", page, flags=re.DOTALL | re.MULTILINE)


def python_blocks(page):
    return re.findall(r"^```python\n(.*?)^```$", outside_quotes(page), re.DOTALL | re.MULTILINE)


def anchor(title):
    """What a repository's host and MyST make of a heading."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


@EACH
def test_links_lead_to_files_and_headings(path):
    for target, _hash, heading in re.findall(r"\]\(((?!https?:)[^)#]*)(#?)([^)]*)\)", text(path)):
        to = (path.parent / target).resolve() if target else path
        assert to.is_file(), target
        headings = [anchor(title) for title in re.findall(r"^#+ (.+)", text(to), re.MULTILINE)]
        assert not heading or heading in headings, f"{target}#{heading}"


@EACH
def test_examples_at_the_prompt_are_what_python_says(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, parser = {}, doctest.DocTestParser()
    for number, block in enumerate(python_blocks(text(path)), 1):
        if ">>>" not in block:
            continue
        test = parser.get_doctest(block, names, f"{path.name}, block {number}", str(path), 0)
        # names of one block hold in the next
        names = test.globs
        told = io.StringIO()
        results = doctest.DocTestRunner().run(test, out=told.write, clear_globs=False)
        assert results.failed == 0, told.getvalue()


@EACH
def test_scripts_run(path, tmp_path):
    code = "\n".join(block for block in python_blocks(text(path)) if ">>>" not in block)
    if path == GUIDE:
        code += (
            "\nassert trace.output.tolist() == [[3, 2, 1, 2, 3, 2, 1, 2, 3]]"
            "\nassert op.problems((1, 3), 'INT32', '1_0')"
            "\nassert dmlviz.link(op, x).startswith('/padding?')\n"
        )
    if not code:
        return
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={
            "PYTHONPATH": str(ROOT),
            "PATH": "",
            "SYSTEMROOT": "C:\\Windows",
            # what the check says may not be in the letters of a region
            "PYTHONIOENCODING": "utf-8",
        },
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert path != GUIDE or (tmp_path / "movement.html").stat().st_size > 1_000_000


def verified(*arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = main(["verify", "--output-format", "json", *map(str, arguments)])
    return code, json.loads(out.getvalue())


def test_pages_verify():
    code, report = verified("--strict", "--exclude", CODES.name, DOCS, ROOT / "README.md")
    assert code == 0
    right = {Path(page["file"]).name for page in report["documents"] if page["examples"]}
    assert right >= {"tutorial.md", "tutorial.ko.md", "checks.md"}


def entries():
    """The entries of the page of codes, by code: the name and the text."""
    parts = re.split(r"^## (DOC\d+): (\S+)\n", text(CODES), flags=re.MULTILINE)[1:]
    return {code: (name, entry) for code, name, entry in zip(*[iter(parts)] * 3, strict=True)}


def test_every_code_of_verify_has_an_entry():
    assert {code: name for code, (name, _entry) in entries().items()} == {
        rule.code: rule.name for rule in RULES
    }
    for name, entry in entries().values():
        assert "\n**Cure:** " in entry, name


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_example_of_a_code_has_it_and_the_cure_has_not(rule, tmp_path):
    _name, entry = entries()[rule.code]
    (change,) = re.findall(r"```diff\n(.*?)```", entry, re.DOTALL)

    def codes(sign):
        page = tmp_path / "page.md"
        lines = [line for line in change.splitlines() if line[:1] in ("", " ", sign)]
        page.write_text("\n".join(line[1:] for line in lines), encoding="utf-8")
        _code, report = verified(page)
        return {problem["code"] for problem in report["documents"][0]["problems"]}

    assert rule.code in codes("-")
    # nothing is wrong with the cure, but that it is about an older structure
    assert codes("+") <= {"DOC307"} - {rule.code}


def rows(page, heading):
    """The cells of the rows below a heading."""
    below = text(page).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line.strip("|").split("|") for line in below.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line] for line in lines[2:]]


def test_every_page_of_the_app_has_a_row():
    listed = {
        cells[1].strip("`"): cells[0] for cells in rows(DOCS / "reference/pages.md", "The pages")
    }
    files = {path.stem.replace("_", "-") for path in (ROOT / "pages").glob("*.py")} - {"home"}
    assert sorted(listed) == sorted(
        ["/", *(f"/{one}" for one in (*files, *(o.key for o in OPERATORS)))]
    )
    assert [listed[f"/{cls.key}"] for cls in OPERATORS] == [cls.title() for cls in OPERATORS]


def test_every_command_and_option_of_verify_has_a_row(capsys):
    page = DOCS / "reference" / "commands.md"
    named = re.findall(r"^\| `dmlviz (\w+)` \|", text(page), re.MULTILINE)
    assert named == list(COMMANDS)
    with pytest.raises(SystemExit):
        main(["verify", "--help"])
    offered = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", capsys.readouterr().out))
    options = [cells[0].strip("`") for cells in rows(page, "Options of verify")]
    assert sorted(options) == sorted(offered - {"--help", "--lang"})
    formats = [cells[0].strip("`") for cells in rows(DOCS / "how-to" / "verify.md", "Reports")]
    assert sorted(formats) == sorted({"text", "json", "markdown", "html", *FORMATS})


def test_the_reference_has_every_public_name():
    documented = re.findall(
        r"^\.\. auto\w+:: dmlviz\.(\w+)$", text(DOCS / "reference" / "python.md"), re.MULTILINE
    )
    assert sorted(documented) == sorted(dmlviz.__all__)


def test_every_extra_has_a_row():
    project = tomllib.loads(text(ROOT / "pyproject.toml"))["project"]
    cells = [cell for row in rows(DOCS / "how-to" / "install.md", "The package") for cell in row]
    named = [name for cell in cells for name in re.findall(r'^`pip install "\.\[(\w+)\]"`$', cell)]
    assert sorted(named) == sorted(project["optional-dependencies"])


LIMITS = {f"{PAGE_LIMIT >> 20} MB", "1 MB", "3 seconds"}
"""Of what a page can hold; every other figure is in benchmarks/RESULTS.md alone."""


@pytest.mark.parametrize("path", [*PAGES, *ROOT.glob("README*.md")], ids=lambda path: path.name)
def test_pages_have_no_figures_that_were_measured(path):
    assert set(re.findall(r"\d[\d.,]* (?:[kMG]B|ms|s|seconds)\b", text(path))) <= LIMITS


@pytest.mark.slow
def test_sphinx_builds_pages_that_play(tmp_path):
    pytest.importorskip("myst_parser", reason="myst-parser is not installed")
    done = subprocess.run(
        [*f"{sys.executable} -m sphinx -W --keep-going -q".split(), "-d", "read", DOCS, "pages"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    for path in PAGES:
        asked = len(re.findall(r"^```\{dmlviz\}", outside_quotes(text(path)), re.MULTILINE))
        built = (tmp_path / "pages" / path.relative_to(DOCS)).with_suffix(".html")
        assert len(Frames(built).found) == asked, path
    (korean,) = {
        re.search('<html lang="(..)"', text(frame["file"]))[1]
        for frame in Frames(tmp_path / "pages" / "tutorial.ko.html").found
    }
    assert korean == "ko"


def test_the_table_of_facts_is_that_of_the_code():
    page = text(DOCS / "reference" / "facts.md")
    rows = re.findall(r"^\| (`.*) \| (.*) \|$", page, re.MULTILINE)
    shared = table(StateFacts)
    own = [row for kind in (OperatorFacts, CodeFacts) for row in table(kind) if row not in shared]
    open_parts = [(f"`{name}`", meaning) for name, (_pattern, meaning) in PARTS.items()]
    assert rows == [*open_parts, *shared, *own]
