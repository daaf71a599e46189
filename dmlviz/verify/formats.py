"""Reports that tools read: one function a format, from the reports on pages to its text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

import numpy as np

from dmlviz.tensors import visible
from dmlviz.verify.findings import RULES
from dmlviz.verify.options import GITHUB, GITLAB, JUNIT, SARIF
from dmlviz.verify.printing import baseline_sentence
from dmlviz.verify.report import ERROR, KNOWN, WARNING, PageProblem, Report, fingerprints
from dmlviz.verify.verifier import MATCH, SKIPPED, UNREADABLE, Verdict

Reports = Sequence[Report]
_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


_LEVELS = {
    ERROR: {SARIF: "error", GITHUB: "error", GITLAB: "major"},
    WARNING: {SARIF: "warning", GITHUB: "warning", GITLAB: "minor"},
    KNOWN: {SARIF: "note", GITHUB: "notice", GITLAB: "info"},
}
"""What other tools call a severity."""


def document_data(report: Report) -> dict[str, Any]:
    """A page's examples, findings and problems as JSON values."""
    document = report.document
    return {
        "file": document.name,
        "operator": document.operator_type,
        "problem": document.problem,
        "examples": [
            # the key is there only beside a baseline
            _example_data(verdict) | ({"known": True} if report.status(verdict) == KNOWN else {})
            for verdict in report.verdicts
        ],
        "findings": [{"line": f.line, "message": f.message} for f in document.all_findings],
        "statements": [
            {"line": s.line, "agrees": s.agrees, "message": s.message} for s in document.statements
        ],
        # how many of each kind, and the lines of those that could not be checked
        "checked": {
            kind: {"checked": count["checked"], "unchecked": [*count["unchecked"]]}
            for kind, count in asdict(document.coverage).items()
        },
        # the Python examples that could not be run, and why
        "unchecked": [{"line": f.line, "message": f.message} for f in document.unchecked],
        "problems": [_problem_data(problem) for problem in report.problems],
    }


def _example_data(verdict: Verdict) -> dict[str, Any]:
    first = verdict.first_difference
    return {
        "title": verdict.example.title,
        "line": verdict.example.line,
        "status": verdict.status,
        "engine": verdict.engine,
        "message": verdict.message,
        "first_difference": first
        and {
            "tensor": first.tensor,
            "index": list(first.index),
            "expected": first.expected or None,
            "actual": first.actual or None,
            "line": first.line or None,
        },
        "differing": {
            name: _indices_of(flat, verdict.sizes[name]) for name, flat in verdict.differing.items()
        },
        "differing_count": verdict.differing_count,
    }


def _indices_of(flat: Sequence[int], sizes: tuple[int, ...]) -> list[list[int]]:
    places = np.unravel_index(np.array(flat, np.int64), sizes)
    indices: list[list[int]] = np.stack(places, -1).tolist()
    return indices


def _problem_data(problem: PageProblem) -> dict[str, Any]:
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


def sarif(reports: Reports) -> str:
    """SARIF 2.1.0, which code hosts and editors read."""
    used = {problem.rule for report in reports for problem in report.problems}
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
            "level": _LEVELS[problem.severity][SARIF],
            "message": {"text": _message(problem)},
            "locations": [{"physicalLocation": _location(problem)}],
        }
        for report in reports
        for problem in report.problems
    ]
    severities = [problem.severity for report in reports for problem in report.problems]
    if KNOWN in severities:
        # where one result has this member, all need it
        for result, severity in zip(results, severities, strict=True):
            result["baselineState"] = "unchanged" if severity == KNOWN else "new"
            if severity == KNOWN:
                result["suppressions"] = [{"kind": "external", "status": "accepted"}]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return _json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _message(problem: PageProblem) -> str:
    """A problem's sentence, which says so if the baseline has it."""
    return baseline_sentence(problem.message) if problem.severity == KNOWN else problem.message


def _location(problem: PageProblem) -> dict[str, Any]:
    region = {
        "startLine": problem.line,
        "startColumn": problem.column,
        "endColumn": problem.end_column,
    }
    return {"artifactLocation": {"uri": quote(problem.file)}, "region": region}


def junit(reports: Reports) -> str:
    """JUnit XML: a suite for each page, a case for each example and engine, one for remarks."""
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    root = Element("testsuites", name="dmlviz")
    for report in reports:
        file = visible(report.file)
        suite = SubElement(root, "testsuite", name=file)
        failed, errors, skipped = 0, 0, 0
        for verdict in report.verdicts:
            name = f"{verdict.example.title} ({verdict.engine})"
            case = SubElement(suite, "testcase", classname=file, name=visible(name))
            status = report.status(verdict)
            if status == MATCH:
                continue
            if status in (SKIPPED, KNOWN):
                skipped += 1
                message = baseline_sentence(verdict.message) if status == KNOWN else verdict.message
                SubElement(case, "skipped", message=visible(message))
                continue
            kind = "error" if verdict.status == UNREADABLE else "failure"
            errors += kind == "error"
            failed += kind == "failure"
            SubElement(case, kind, message=visible(verdict.message), type=verdict.status)
        others = [p for p in report.problems if not p.rule.example or not report.verdicts]
        if others:
            case = SubElement(suite, "testcase", classname=file, name="remarks")
            text = "\n".join(f"{p.line}: {p.rule.code} {_message(p)}" for p in others)
            if wrong := [p.message for p in others if p.severity == ERROR]:
                failed += 1
                SubElement(case, "failure", message=visible(wrong[0])).text = visible(text)
            else:
                SubElement(case, "system-out").text = visible(text)
        suite.set("tests", str(len(suite)))
        suite.set("failures", str(failed))
        suite.set("errors", str(errors))
        suite.set("skipped", str(skipped))
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True)


def github(reports: Reports) -> str:
    """Workflow commands, which GitHub shows as annotations beside the lines."""
    return "\n".join(
        f"::{_LEVELS[problem.severity][GITHUB]} "
        f"title={_property(f'{problem.rule.code} {problem.rule.name}')},"
        f"file={_property(problem.file)},line={problem.line},col={problem.column},"
        f"endColumn={problem.end_column}::{_escaped(_message(problem))}"
        for report in reports
        for problem in report.problems
    )


def _escaped(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def gitlab(reports: Reports) -> str:
    """GitLab's Code Quality report."""
    return _json(
        [
            {
                "check_name": f"{problem.rule.code} {problem.rule.name}",
                "description": _message(problem),
                "severity": _LEVELS[problem.severity][GITLAB],
                "fingerprint": fingerprint,
                "location": {"path": problem.file, "lines": {"begin": problem.line}},
            }
            for report in reports
            for problem, fingerprint in fingerprints(report.problems)
        ]
    )


def _json(data: Any) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False)


FORMATS: Mapping[str, Callable[[Reports], str]] = {
    SARIF: sarif,
    JUNIT: junit,
    GITHUB: github,
    GITLAB: gitlab,
}
"""The formats that are written from problems alone, by name."""
