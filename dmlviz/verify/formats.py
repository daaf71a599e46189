"""Reports that tools read: one function a format, from the pages to the text of the report."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from dmlviz.tensors import visible
from dmlviz.verify.baseline import fingerprints
from dmlviz.verify.findings import RULES
from dmlviz.verify.options import GITHUB, GITLAB, JUNIT, SARIF
from dmlviz.verify.page import ERROR, PageReport, Problem
from dmlviz.verify.report import Report, as_data
from dmlviz.verify.verifier import MATCH, SKIPPED, UNREADABLE

Pages = Sequence[PageReport]
_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def document_data(report: Report, page: PageReport) -> dict[str, Any]:
    """A page's examples and its problems as JSON values."""
    problems = [problem_data(problem) for problem in page.problems]
    return {**as_data([report])["documents"][0], "problems": problems}


def problem_data(problem: Problem) -> dict[str, Any]:
    """A problem as JSON has it."""
    return {
        "code": problem.rule.code,
        "name": problem.rule.name,
        "severity": problem.severity,
        "line": problem.line,
        "column": problem.column,
        "end_line": problem.line,
        "end_column": problem.end_column,
        "message": problem.message,
    }


def sarif(pages: Pages) -> str:
    """SARIF 2.1.0, which code hosts and editors read."""
    used = {problem.rule for page in pages for problem in page.problems}
    rules = [rule for rule in RULES if rule in used]
    driver = {
        "name": "dmlviz",
        "rules": [
            {
                "id": rule.code,
                "name": rule.name,
                "shortDescription": {"text": rule.summary()},
                "defaultConfiguration": {"level": "error" if rule.example else "warning"},
            }
            for rule in rules
        ],
    }
    results = [
        {
            "ruleId": problem.rule.code,
            "ruleIndex": rules.index(problem.rule),
            "level": problem.severity,
            "message": {"text": problem.message},
            "locations": [{"physicalLocation": _location(problem)}],
        }
        for page in pages
        for problem in page.problems
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return _json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _location(problem: Problem) -> dict[str, Any]:
    region = {
        "startLine": problem.line,
        "startColumn": problem.column,
        "endColumn": problem.end_column,
    }
    return {"artifactLocation": {"uri": quote(problem.file)}, "region": region}


def junit(pages: Pages) -> str:
    """JUnit XML: a suite for each page, a case for each example and engine, one for remarks."""
    root = Element("testsuites", name="dmlviz")
    for page in pages:
        suite = SubElement(root, "testsuite", name=visible(page.file))
        failed, errors = 0, 0
        for case in page.cases:
            name = f"{case.title} ({case.engine})"
            told = SubElement(suite, "testcase", classname=visible(page.file), name=visible(name))
            if case.status == MATCH:
                continue
            if case.status == SKIPPED:
                SubElement(told, "skipped", message=visible(case.message))
                continue
            kind = "error" if case.status == UNREADABLE else "failure"
            errors += kind == "error"
            failed += kind == "failure"
            SubElement(told, kind, message=visible(case.message), type=case.status)
        others = [p for p in page.problems if not p.rule.example or not page.cases]
        if others:
            told = SubElement(suite, "testcase", classname=visible(page.file), name="remarks")
            text = "\n".join(f"{p.line}: {p.rule.code} {p.message}" for p in others)
            if any(p.severity == ERROR for p in others):
                failed += 1
                SubElement(told, "failure", message=visible(others[0].message)).text = visible(text)
            else:
                SubElement(told, "system-out").text = visible(text)
        suite.set("tests", str(len(suite)))
        suite.set("failures", str(failed))
        suite.set("errors", str(errors))
        suite.set("skipped", str(page.outcome.skipped))
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True)


def github(pages: Pages) -> str:
    """Workflow commands, which GitHub shows as annotations beside the lines."""
    return "\n".join(
        f"::{problem.severity} title={_property(f'{problem.rule.code} {problem.rule.name}')},"
        f"file={_property(problem.file)},line={problem.line},col={problem.column},"
        f"endColumn={problem.end_column}::{_escaped(problem.message)}"
        for page in pages
        for problem in page.problems
    )


def _escaped(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def gitlab(pages: Pages) -> str:
    """GitLab's Code Quality report."""
    return _json(
        [
            {
                "check_name": f"{problem.rule.code} {problem.rule.name}",
                "description": problem.message,
                "severity": "major" if problem.severity == ERROR else "minor",
                "fingerprint": fingerprint,
                "location": {"path": problem.file, "lines": {"begin": problem.line}},
            }
            for page in pages
            for problem, fingerprint in fingerprints(page)
        ]
    )


def _json(data: Any) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False)


FORMATS: Mapping[str, Callable[[Pages], str]] = {
    SARIF: sarif,
    JUNIT: junit,
    GITHUB: github,
    GITLAB: gitlab,
}
"""The formats that are written from problems alone, by name."""
