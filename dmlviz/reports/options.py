"""What a run of ``dmlviz verify`` checks and counts: from a file beside the pages, or as asked."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from dmlviz.errors import Error
from dmlviz.reports.files import configured_file, configured_report
from dmlviz.reports.rules import RULES
from dmlviz.words import _

_KINDS: dict[str, type] = {
    **dict.fromkeys(("engine", "baseline", "output_format", "output_file"), str),
    **dict.fromkeys(("strict", "quiet"), bool),
    **dict.fromkeys(("exclude", "ignore"), list),
    **dict.fromkeys(("expect", "jobs"), int),
}
FILES = (".dmlviz.toml", "pyproject.toml")
"""The files that are looked for in the current folder and in those above it, in this order."""
_LONGEST = 1_048_576  # bytes of such a file


@dataclass(frozen=True)
class Options:
    """What is checked and counted. In a file, an underscore of a name is a hyphen.

    Attributes:
        engine: ``numpy``, another engine's name, or ``all``.
        strict: whether remarks fail the run.
        exclude: patterns of files and folders that are left out of folders, as in a shell; one
            without a slash is for every part of a path.
        ignore: codes of remarks that are not reported, or their beginnings, such as ``DOC3``.
        expect: how many examples have to match in all; None for any number.
        baseline: a file of problems that are known; only others fail the run. In a file, its path
            is relative to that file's folder and inside it.
        output_format: ``text`` or another format's name.
        output_file: where the report goes; None to print it. In a file, its path is relative to
            that file's folder and inside it.
        quiet: whether the progress bar and pages that have no part in it are left out.
        jobs: how many processes verify pages; None to choose by the number of pages.
    """

    engine: str = "numpy"
    strict: bool = False
    exclude: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    expect: int | None = None
    baseline: str | None = None
    output_format: str = "text"
    output_file: str | None = None
    quiet: bool = False
    jobs: int | None = None

    def excludes(self, path: str) -> bool:
        """Whether a file in a folder is left out.

        >>> options = Options(exclude=("drafts", "docs/old/*"))
        >>> [options.excludes(p) for p in ("a/drafts/b.md", "docs/old/c.md", "docs/new.md")]
        [True, True, False]
        """
        parts = PurePosixPath(path).parts
        return any(
            fnmatchcase(path, pattern) or fnmatchcase(path, f"{pattern}/*")
            if "/" in pattern
            else any(fnmatchcase(part, pattern) for part in parts)
            for pattern in self.exclude
        )

    def ignores(self, code: str) -> bool:
        """Whether remarks of this rule are not reported."""
        return code.startswith(self.ignore)


def options(asked: Mapping[str, Any], folder: Path) -> Options:
    """What is asked for, then what a file says.

    Args:
        asked: by the names of :class:`Options`.
        folder: the current one.

    Raises:
        Error: a file is no TOML, a key is unknown or not of its kind, a path leads out of the
            file's folder or to something else than a report, a number of jobs is below 1, or a code
            is none that can be ignored; the sentence names the file or the option.
    """
    table, path = _from_file(folder)
    said = {name: value for name, value in table.items() if name not in asked}
    for name, check in (("baseline", configured_file), ("output_file", configured_report)):
        if name in said:
            said[name] = check(name.replace("_", "-"), said[name], path)
    found = Options(**{**said, **asked})
    if found.jobs is not None and found.jobs < 1:
        message = _("jobs: {jobs} is invalid; it must be 1 or more.")
        raise Error(message.format(jobs=found.jobs), "jobs")
    remarks = [rule.code for rule in RULES if not rule.example]
    for code in found.ignore:
        if not any(remark.startswith(code) for remark in remarks):
            raise Error(
                _("ignore: {code} is not the code of a remark; these are {known}.").format(
                    code=code, known=", ".join(remarks)
                ),
                "ignore",
            )
    return found


def _from_file(folder: Path) -> tuple[dict[str, Any], Path]:
    """The settings of the nearest file that has some, and that file."""
    for above in _folders(folder):
        for name in FILES:
            path = above / name
            try:
                data = _toml(path)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except (OSError, ValueError, RecursionError) as error:
                raise Error(f"{path}: {error}", name) from None
            # a file of dmlviz's own may have the tables with or without tool.dmlviz
            tool = data.get("tool", {})
            nothing = {} if name == FILES[1] else data
            table = tool.get("dmlviz", nothing) if isinstance(tool, dict) else nothing
            if not isinstance(table, dict):
                continue
            lost = next((key for key in table if key.replace("-", "_") in _KINDS), None)
            if lost:
                message = _("{file}: {key} is a setting of verify; put it into the table verify.")
                raise Error(message.format(file=path, key=lost), lost)
            if isinstance(table.get("verify"), dict):
                return _checked(table["verify"], path), path
    return {}, folder


def _folders(folder: Path) -> list[Path]:
    """The folders whose settings count: those of one repository, or those below the home folder.

    Files in other folders may be anybody's.
    """
    nearest_first = [folder, *folder.parents]
    try:
        home = Path.home()
    except RuntimeError:
        home = None
    for number, above in enumerate(nearest_first):
        # a container's user may have / as its home
        if above == home and above.parent != above:
            return nearest_first[: max(1, number)]
        if os.path.lexists(above / ".git"):
            return nearest_first[: number + 1]
    return [folder]


def _toml(path: Path) -> dict[str, Any]:
    if not stat.S_ISREG(path.stat().st_mode):
        raise ValueError(_("this is not a file"))
    with path.open("rb") as file:
        data = file.read(_LONGEST + 1)
    if len(data) > _LONGEST:
        raise ValueError(_("this file has more than {most:,} bytes").format(most=_LONGEST))
    return tomllib.loads(data.decode("utf-8"))


def _checked(table: dict[str, Any], path: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name not in _KINDS or "_" in key:
            known = ", ".join(sorted(each.replace("_", "-") for each in _KINDS))
            message = _("{file}: verify.{key} is not a setting; the settings are {known}.")
            raise Error(message.format(file=path, key=key, known=known), key)
        listed = isinstance(value, list) and all(isinstance(one, str) for one in value)
        if type(value) is not _KINDS[name] or (isinstance(value, list) and not listed):
            message = _("{file}: verify.{key} has a value of the wrong type: {value}.")
            raise Error(message.format(file=path, key=key, value=value), key)
        found[name] = tuple(value) if isinstance(value, list) else value
    return found
