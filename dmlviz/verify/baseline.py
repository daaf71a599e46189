"""Problems that are known: written once, and not counted after that."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from dmlviz.errors import Error
from dmlviz.verify.options import check_link
from dmlviz.verify.page import PageReport, Problem, with_problems
from dmlviz.words import _

_VERSION = 1


def fingerprints(page: PageReport) -> list[tuple[Problem, str]]:
    """Each problem with a text that stays the same when lines before it come or go."""
    seen: Counter[str] = Counter()
    found = []
    for problem in page.problems:
        said = f"{problem.file}\n{problem.rule.code}\n{re.sub('[0-9]+', '0', problem.message)}"
        seen[said] += 1
        text = hashlib.sha256(f"{said}\n{seen[said]}".encode()).hexdigest()
        found.append((problem, text))
    return found


def write_baseline(file: str, pages: Sequence[PageReport]) -> None:
    """Write the problems of all pages as known.

    Raises:
        Error: the file cannot be written, or a link leads from it out of the current folder.
    """
    check_link("write-baseline", file)
    known = {
        text: f"{problem.file}: {problem.rule.code} {problem.message}"
        for page in pages
        for problem, text in fingerprints(page)
    }
    data = {"version": _VERSION, "problems": known}
    try:
        Path(file).write_text(
            json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    except OSError as error:
        message = _("--write-baseline: {file} cannot be written: {reason}.")
        reason = error.strerror or error
        raise Error(message.format(file=file, reason=reason), "write-baseline") from None


def read_baseline(file: str) -> frozenset[str]:
    """The fingerprints of known problems.

    Raises:
        Error: the file cannot be read, or it is not one that :func:`write_baseline` wrote.
    """
    try:
        data = json.loads(Path(file).read_text(encoding="utf-8"))
        if data["version"] != _VERSION:
            raise ValueError(data["version"])
        return frozenset(data["problems"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        message = _("baseline: {file} is not a baseline that dmlviz wrote: {reason}.")
        raise Error(message.format(file=file, reason=error), "baseline") from None


def without_known(page: PageReport, known: frozenset[str]) -> PageReport:
    """The page without its known problems."""
    left = tuple(problem for problem, text in fingerprints(page) if text not in known)
    return page if len(left) == len(page.problems) else with_problems(page, left)
