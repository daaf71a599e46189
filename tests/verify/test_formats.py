"""``--output-format``: what tools read, each checked by its own rules."""

import json
import os
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dmlviz.__main__ import main
from dmlviz.verify import FORMATS, RULES
from tests.verify.pages import TILE

WRONG = TILE.replace("4, 5, 6, 4, 5, 6", "4, 5, 6, 4, 9, 6")
PAGES = {
    "right.md": TILE,
    "wrong, or so: 100%.md": WRONG,
    "refused.md": TILE.replace("{1, 2}", "{1, 0}"),
    "unreadable.md": TILE.replace("[[1, 2, 3],", "[[1, 2, x],"),
    "remark.md": TILE.replace("[[1, 2, 3],\n", "[[1, 2, 3]\n"),
    "formula.md": TILE + "OutputTensor.Sizes[i] = InputTensor.Sizes[i] + Repeats[i]\n",
    "about.md": "# Nothing of the kind\n",
}
CODES = {
    "wrong, or so: 100%.md": ("DOC101", "error", 8, 2, 21),
    "refused.md": ("DOC102", "error", 2, 1, 16),
    "unreadable.md": ("DOC103", "error", 4, 1, 12),
    "remark.md": ("DOC301", "warning", 4, 1, 11),
    "formula.md": ("DOC201", "warning", 9, 1, 58),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with a page of each kind in docs."""
    (tmp_path / "docs").mkdir()
    for name, text in PAGES.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def report(folder, capsys):
    def report(form, *more):
        code = main(["verify", "docs", "--output-format", form, *more])
        told = capsys.readouterr()
        assert told.err == ""
        return code, told.out

    return report


def test_json_has_code_severity_and_place(report):
    code, out = report("json")
    assert code == 2
    found = {
        Path(document["file"]).name: [
            tuple(p[key] for key in ("code", "severity", "line", "column", "end_column"))
            for p in document["problems"]
        ]
        for document in json.loads(out)["documents"]
    }
    assert found == {name: [CODES[name]] if name in CODES else [] for name in PAGES}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_lines_end_where_editors_end_them(report, encoding):
    """A form feed and U+2028 end none, though Python's splitlines says so."""
    page = WRONG.replace("\n", "\n\x0ctwo\u2028and\x85two\r\n", 1)
    Path("docs/lines.md").write_bytes(page.encode(encoding))
    documents = json.loads(report("json")[1])["documents"]
    (problem,) = next(d["problems"] for d in documents if d["file"].endswith("lines.md"))
    assert [problem[key] for key in ("line", "column", "end_column")] == [9, 2, 21]


def test_strict_makes_errors_of_remarks(report):
    documents = json.loads(report("json", "--strict")[1])["documents"]
    assert {p["severity"] for document in documents for p in document["problems"]} == {"error"}


def problems_by_kind(form, out):
    """The codes of the problems that a report shows as known, and of those it shows as new."""
    if form == "json":
        found = [(p["code"], p["severity"] == "known") for p in each(out, "problems")]
        examples = sum("known" in example for example in each(out, "examples"))
        assert examples == sum(known for code, known in found if code < "DOC104")
        assert json.loads(out)["summary"]["known"] == sum(known for _code, known in found)
    elif form == "sarif":
        found = [
            (r["ruleId"], (r["baselineState"], "suppressions" in r) == ("unchanged", True))
            for r in json.loads(out)["runs"][0]["results"]
        ]
    elif form == "gitlab":
        entries = json.loads(out)
        assert len({e["fingerprint"] for e in entries}) == len(entries)
        found = [(e["check_name"][:6], e["severity"] == "info") for e in entries]
    else:
        codes = re.compile("^::(notice)?.* title=(DOC[0-9]+) ", re.MULTILINE)
        found = [(code, bool(notice)) for notice, code in codes.findall(out)]
    return [sorted(code for code, known in found if known is wanted) for wanted in (True, False)]


def each(out, key):
    return [part for document in json.loads(out)["documents"] for part in document[key]]


@pytest.mark.parametrize("form", ["json", "sarif", "gitlab", "github"])
def test_what_the_baseline_has_is_listed_as_known(report, folder, form):
    new, known = problems_by_kind("json", report("json")[1])[::-1]
    assert (known, len(new)) == ([], len(CODES))
    assert report(form, "--write-baseline", "known.json")[0] == 0
    code, out = report(form, "--baseline", "known.json")
    assert (code, problems_by_kind(form, out)) == (0, [new, []])
    # the same mistake on another page, and twice on one page, are new problems
    (folder / "docs" / "new.md").write_text(WRONG, encoding="utf-8")
    twice = WRONG + WRONG.partition("\n")[2]
    (folder / "docs" / "wrong, or so: 100%.md").write_text(twice, encoding="utf-8")
    code, out = report(form, "--baseline", "known.json")
    assert (code, problems_by_kind(form, out)) == (1, [new, ["DOC101", "DOC101"]])


def test_people_read_which_problems_are_known(report, folder):
    report("text", "--write-baseline", "known.json")
    (folder / "docs" / "new.md").write_text(WRONG, encoding="utf-8")
    code, out = report("text", "--strict", "--baseline", "known.json")
    assert code == 1
    # the unreadable example is told twice: as the example's result, and as what was found
    assert out.count("\n  known  ") == 3
    assert out.count("\n  known: ") == 3
    assert [word for word in ("refused ", "unreadable ", "found:", "wrong:") if word in out] == []
    # only what is new is drawn
    assert out.count("[9]") == out.count("\n  mismatch ") == 1
    assert "\n5 problems are known from the baseline and do not count.\n" in out
    out = report("markdown", "--strict", "--baseline", "known.json")[1]
    assert (out.count("| known |"), out.count("\n- known: "), out.count("| mismatch |")) == (
        3,
        3,
        1,
    )
    assert [word for word in ("| refused |", "| unreadable |") if word in out] == []


def test_a_baseline_makes_no_case_of_junit_fail(report):
    report("junit", "--write-baseline", "known.json")
    code, out = report("junit", "--strict", "--baseline", "known.json")
    suites = ElementTree.fromstring(out.encode())
    assert code == sum(int(s.get(key)) for s in suites for key in ("failures", "errors")) == 0
    skipped = [case.get("message") for case in suites.iter("skipped")]
    assert len(skipped) == sum(int(suite.get("skipped")) for suite in suites) == 3
    remarks = [line for out in suites.iter("system-out") for line in out.text.splitlines()]
    assert [line.partition(": ")[2][:14] for line in remarks] == [
        "DOC201 known: ",
        "DOC301 known: ",
    ]
    assert all(message.startswith("known: ") for message in skipped)


def test_a_page_without_an_example_can_be_known(report, folder):
    for name in PAGES:
        (folder / "docs" / name).unlink()
    empty = "# DML_TILE_OPERATOR_DESC structure\nRepeats: how many copies.\n"
    (folder / "docs" / "empty.md").write_text(empty, encoding="utf-8")
    report("text", "--write-baseline", "known.json")
    for form, told in (("text", "\n  known: the page of"), ("markdown", "\n\nknown: the page of")):
        assert told in report(form, "--quiet", "--baseline", "known.json")[1]


def test_the_html_report_shows_known_problems_without_a_mark(report):
    report("html", "--write-baseline", "known.json")
    out = report("html", "--strict", "--baseline", "known.json")[1]
    assert out.count("</span>known</span>") == 3
    assert out.count("</code> known: line ") == 2
    assert 'class="bad"' not in out
    assert "class=wrong" not in out


def test_sarif_names_every_place(report):
    code, out = report("sarif")
    assert code == 2
    log = json.loads(out)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    results = run["results"]
    assert [rules[r["ruleIndex"]] for r in results] == [r["ruleId"] for r in results]
    places = {
        (r["ruleId"], where["artifactLocation"]["uri"], where["region"]["startLine"])
        for r in results
        for where in (r["locations"][0]["physicalLocation"],)
    }
    assert places == {
        (code, "docs/" + name.replace("wrong, or so: 100%", "wrong%2C%20or%20so%3A%20100%25"), line)
        for name, (code, _severity, line, *_columns) in CODES.items()
    }


def test_sarif_is_what_its_types_say(report, npm_tool, tmp_path):
    """The types are made from the schema of SARIF 2.1.0."""
    _code, out = report("sarif")
    (tmp_path / npm_tool.name).symlink_to(npm_tool)
    told = 'import type { Log } from "sarif";\nexport const log: Log = '
    for wrong, text in ((False, out), (True, out.replace('"startLine"', '"line"'))):
        (tmp_path / "log.ts").write_text(f"{told}{text};\n", encoding="utf-8")
        options = ("--noEmit", "--strict", "--module", "es2022", "--moduleResolution", "bundler")
        tsc = npm_tool / ".bin" / "tsc"
        checked = subprocess.run(
            [tsc, *options, "log.ts"], cwd=tmp_path, capture_output=True, text=True, timeout=120
        )
        assert bool(checked.returncode) is wrong, checked.stdout


def test_junit_counts(report):
    code, out = report("junit")
    assert code == 2
    suites = {suite.get("name"): suite for suite in ElementTree.fromstring(out.encode())}
    assert suites.keys() == {f"docs/{name}" for name in PAGES}
    counts = {
        name: tuple(int(suite.get(key)) for key in ("tests", "failures", "errors"))
        for name, suite in suites.items()
    }
    assert counts["docs/right.md"] == (1, 0, 0)
    assert counts["docs/wrong, or so: 100%.md"] == (1, 1, 0)
    assert counts["docs/unreadable.md"] == (1, 0, 1)
    assert counts["docs/remark.md"] == (2, 0, 0)
    assert counts["docs/about.md"] == (0, 0, 0)
    for suite in suites.values():
        assert len(suite.findall("testcase")) == int(suite.get("tests"))
        assert len(suite.findall("*/failure")) == int(suite.get("failures"))
    strict = ElementTree.fromstring(report("junit", "--strict")[1].encode())
    assert sum(int(suite.get("failures")) for suite in strict) == 4


def test_github_annotations_are_escaped(report):
    _code, out = report("github")
    lines = out.splitlines()
    assert len(lines) == len(CODES)
    (wrong,) = (line for line in lines if "DOC101" in line)
    assert wrong.startswith(
        "::error title=DOC101 output-differs,file=docs/wrong%2C or so%3A 100%25.md,"
        "line=8,col=2,endColumn=21::"
    )
    assert sum(line.startswith("::warning ") for line in lines) == 2


def test_gitlab_fingerprints_are_stable_and_differ(report, folder):
    first, again = (json.loads(report("gitlab")[1]) for _ in range(2))
    assert first == again
    assert len({entry["fingerprint"] for entry in first}) == len(first) == len(CODES)
    assert {"path": "docs/refused.md", "lines": {"begin": 2}} in [e["location"] for e in first]
    # a line that is added before a problem does not make it another
    (folder / "docs" / "refused.md").write_text("\n" + PAGES["refused.md"], encoding="utf-8")
    moved = json.loads(report("gitlab")[1])
    assert [e["fingerprint"] for e in moved] == [e["fingerprint"] for e in first]
    assert {"path": "docs/refused.md", "lines": {"begin": 3}} in [e["location"] for e in moved]


def test_markdown_has_a_table_for_each_page(report):
    out = report("markdown")[1]
    assert out.count("| Example | Engine | Result | Details |") == len(PAGES) - 1


@pytest.mark.parametrize("form", ["text", "json", "markdown", *FORMATS])
def test_a_report_in_a_file_is_the_printed_one(report, folder, form):
    printed = report(form)
    code, out = report(form, "--output-file", "told")
    assert (code, out) == (printed[0], "")
    assert (folder / "told").read_text(encoding="utf-8") == printed[1]


def test_a_file_that_cannot_be_written(folder, capsys):
    assert main(["verify", "docs", "--output-file", "missing/told"]) == 2
    assert "--output-file: missing/told cannot be written: " in capsys.readouterr().err


def test_codes_and_names_of_rules_are_unique():
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)
    assert [rule.code for rule in RULES] == sorted(rule.code for rule in RULES)
    for rule in RULES:
        assert rule.summary().endswith(".")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
@pytest.mark.parametrize("format_", ["text", "markdown", "github", "junit", "html"])
def test_no_name_of_a_file_and_no_page_commands_a_terminal(tmp_path, monkeypatch, capsys, format_):
    hostile = "\x1b]0;x\x07\x9b2J\u202e\u2066\u200f"
    (tmp_path / f"a{hostile}.md").write_text(
        WRONG.replace("Repeats", f"# Example 1 {hostile}\nRepeats")
    )
    monkeypatch.chdir(tmp_path)
    assert main(["verify", ".", "--output-format", format_]) == 1
    told = capsys.readouterr()
    assert not {c for c in told.out + told.err if not c.isprintable()} - {"\n"}
