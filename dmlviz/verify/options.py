"""What a run of ``dmlviz verify`` checks and counts, and which files it can write."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, TypeVar, get_type_hints

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.base.excerpts import one_line
from dmlviz.base.words import _
from dmlviz.engines import ENGINES
from dmlviz.verify.findings import RULES
from dmlviz.verify.verifier import RECORDED

_T = TypeVar("_T")

TEXT, JSON, MARKDOWN, HTML, SARIF, JUNIT, GITHUB, GITLAB = OUTPUT_FORMATS = (
    *("text", "json", "markdown", "html"),
    *("sarif", "junit", "github", "gitlab"),
)
"""The names of the formats of a report."""

FILES = (".dmlviz.toml", "pyproject.toml")
"""The files that are looked for in the current folder and in those above it, in this order."""
_LONGEST = 1_048_576  # bytes of such a file


def option(
    default: _T, help: Callable[[], str], metavar: str | None = None, choices: Sequence[str] = ()
) -> _T:
    """A field of a dataclass that the command line has as an option.

    Args:
        default: its value without the option.
        help: gives a few words, in the reader's language.
        metavar: stands for its value in the help.
        choices: all values, if only these are possible.
    """
    about = {"help": help, "metavar": metavar, "choices": choices or None}
    value: _T = field(default=default, metadata=about)
    return value


@dataclass(frozen=True)
class Options:
    """What is checked and counted: each is a setting of a file, and an option of the command line.

    In both, an underscore of a name is a hyphen.

    Attributes:
        engine: ``numpy``, another engine's name, or ``all``.
        strict: whether remarks fail the run.
        exclude: patterns of files and folders that are left out of folders, as in a shell; one
            without a slash is for every part of a path.
        ignore: codes of remarks that are not reported, or their beginnings, such as ``DOC3``.
        expect: how many examples have to match in all; None for any number.
        baseline: a file of problems that are known; only others fail the run. In a file, its path
            is relative to that file's folder and inside it.
        output_format: one of :data:`OUTPUT_FORMATS`.
        output_file: where the report goes; None to print it. In a file, its path is relative to
            that file's folder and inside it.
        jobs: how many processes verify pages, at most as many as there are cores; None to choose by
            the number of pages.
        quiet: whether the progress bar and pages that have no part in it are left out.
    """

    engine: str = option(
        "numpy",
        lambda: _("the engine that runs them; all: every engine that can run here"),
        choices=(*ENGINES, RECORDED, "all"),
    )
    strict: bool = option(
        False,
        lambda: _("also return exit code 1 for wrong formulas, wrong tables and other findings"),
    )
    exclude: tuple[str, ...] = option(
        (),
        lambda: _("leave these files and folders out of folders; may be repeated"),
        "PATTERN",
    )
    ignore: tuple[str, ...] = option(
        (),
        lambda: _("do not report remarks with this code, such as DOC306; may be repeated"),
        "CODE",
    )
    expect: int | None = option(None, lambda: _("exit with 1 unless exactly N examples match"), "N")
    baseline: str | None = option(
        None, lambda: _("list the problems in this file as known, and do not count them"), "FILE"
    )
    output_format: str = option(
        TEXT, lambda: _("how to write the report; text is for people"), choices=OUTPUT_FORMATS
    )
    output_file: str | None = option(
        None, lambda: _("write the report to a file instead of printing it"), "FILE"
    )
    jobs: int | None = option(
        None,
        lambda: _("verify pages in N processes; by default in one, and in more for many pages"),
        "N",
    )
    quiet: bool = option(False, lambda: _("hide the progress bar and pages about other subjects"))

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


SETTINGS = {each.name.replace("_", "-"): each.name for each in fields(Options)}
"""The names of :class:`Options` by their names in files and, after ``--``, on the command line."""


def options(arguments: Mapping[str, Any], folder: Path) -> Options:
    """What the command line says, then what a file says.

    Args:
        arguments: of the command line, by the names of :class:`Options`.
        folder: the current one.

    Raises:
        Error: a file is no TOML, a key is unknown or not of its kind, a path leads out of the
            file's folder or to something else than a report, a number of jobs is below 1, or a code
            is none that can be ignored; the sentence names the file or the option.
    """
    table, path = _from_file(folder)
    configured = _decoded(table, path)
    if configured.baseline is not None and "baseline" not in arguments:
        file = _configured_file("baseline", configured.baseline, path)
        configured = replace(configured, baseline=file)
    if configured.output_file is not None and "output_file" not in arguments:
        file = _configured_report("output-file", configured.output_file, path)
        configured = replace(configured, output_file=file)
    chosen = replace(configured, **arguments)
    if chosen.jobs is not None and chosen.jobs < 1:
        message = _("jobs: {jobs} is invalid; it must be 1 or more.")
        raise Error(message.format(jobs=chosen.jobs), "jobs")
    remarks = [rule.code for rule in RULES if not rule.example]
    for code in chosen.ignore:
        if not any(remark.startswith(code) for remark in remarks):
            raise Error(
                _("ignore: {code} is not the code of a remark; these are {known}.").format(
                    code=code, known=", ".join(remarks)
                ),
                "ignore",
            )
    return chosen


def _decoded(table: Mapping[str, Any], path: Path) -> Options:
    if not table:
        # most runs have no file of settings
        return Options()
    from dmlviz.base.decoding import InvalidValue, decode

    kinds = get_type_hints(Options)
    values = {}
    for key, value in table.items():
        name = SETTINGS.get(key)
        if name is None:
            message = _("{file}: verify.{key} is not a setting; the settings are {known}.")
            settings = ", ".join(sorted(SETTINGS))
            raise Error(message.format(file=path, key=key, known=settings), key)
        try:
            values[name] = decode(value, kinds[name])
        except InvalidValue:
            message = _("{file}: verify.{key} has a value of the wrong type: {value}.")
            raise Error(message.format(file=path, key=key, value=value), key) from None
    return Options(**values)


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
            lost = next((key for key in table if key.replace("_", "-") in SETTINGS), None)
            if lost:
                message = _("{file}: {key} is a setting of verify; put it into the table verify.")
                raise Error(message.format(file=path, key=lost), lost)
            if isinstance(table.get("verify"), dict):
                return table["verify"], path
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


MARKS = {"text": "dmlviz verify\n", "markdown": "<!-- dmlviz verify -->\n"}
"""The first line of a configured report in a format by which it cannot be told from other files."""

# no tool runs or imports a new file of these kinds
_SUFFIXES = (".txt", ".log", ".md", ".json", ".sarif", ".xml", ".html", ".htm")
_REPORT = regex(
    rb"""dmlviz\ verify\n | <!--\ dmlviz\ verify\ -->\n
    | \{\s*"documents":\ \[
    | \{\s*"\$schema":\ "[^"]*/sarif-[^"]*",\s*"version":[^\[]*\[\s*\{\s*"tool":\ \{\s*"driver":\ \{
      \s*"name":\ "dmlviz"
    | <\?xml\ [^>]*>\s*<testsuites\ name="dmlviz"
    | ::(?:error|warning|notice)\ title=DOC[0-9]
    | \[\s*(?:\]\s*\Z|\{\s*"check_name":\ "DOC[0-9])
    | <!doctype\ html>\s*<html[^>]*>\s*<head>\s*<meta\ charset="utf-8">
      \s*<meta\ name="generator"\ content="dmlviz\ verify">
    """,
    re.VERBOSE,
)
_HEAD = 1_024  # bytes of a report that show what it is


def _configured_file(key: str, value: str, configuration: Path) -> str:
    """The path of a file that a configuration names, which is relative to the configuration's.

    Raises:
        Error: the file is not in the configuration's folder, or a link there leads out of it, or it
            is a folder or a device.
    """
    folder = Path(os.path.realpath(configuration.parent))
    try:
        target = Path(os.path.realpath(folder / value))
        inside = target != folder and target.is_relative_to(folder)
        other = os.path.lexists(target) and not target.is_file()
    except (OSError, ValueError):
        inside = other = False
    # a colon begins a stream of a file on Windows
    anchored = PurePosixPath(value).anchor or PureWindowsPath(value).anchor or ":" in value
    if anchored or not inside:
        message = _(
            "{file}: verify.{key}: {value} is invalid; it must be a path inside the folder of "
            "this file."
        )
    elif other:
        message = _("{file}: verify.{key}: {value} is invalid; it must be a file.")
    else:
        return str(target)
    raise Error(message.format(file=configuration, key=key, value=one_line(value)), key)


def _configured_report(key: str, value: str, configuration: Path) -> str:
    """The path of a report that a configuration names.

    A configuration comes with a repository that can be anybody's. It can neither replace a file
    that holds something else nor make one that another program reads as its own.

    Raises:
        Error: the same as of :func:`_configured_file`; or a name is hidden, the extension is not a
            report's, or the file holds something else than a report.
    """
    path = Path(_configured_file(key, value, configuration))
    parts = path.relative_to(os.path.realpath(configuration.parent)).parts
    if any(part.startswith(".") for part in parts) or path.suffix.lower() not in _SUFFIXES:
        message = _(
            "{file}: verify.{key}: {value} is invalid; no part of it can begin with a dot, and "
            "it must end with one of {extensions}."
        )
    elif os.path.lexists(path) and not _holds_report(path):
        message = _(
            "{file}: verify.{key}: {value} has content other than a dmlviz report, so it is "
            "not replaced; name another file."
        )
    else:
        return str(path)
    extensions = ", ".join(_SUFFIXES)
    raise Error(
        message.format(file=configuration, key=key, value=one_line(value), extensions=extensions),
        key,
    )


def _holds_report(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return bool(_REPORT.match(file.read(_HEAD)))
    except OSError:
        return False


def leads_out(file: str, folder: str = ".") -> bool:
    """Whether a file's name is inside a folder, and a link there leads out of it.

    A name outside of the folder is the user's own choice.
    """
    named = Path(os.path.abspath(file)).is_relative_to(os.path.abspath(folder))  # noqa: PTH100
    real = Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))
    return named and not real


def check_link(option: str, file: str) -> None:
    """Refuse a file of an option if a link in the current folder leads out of it.

    Raises:
        Error: the link was not made by whoever named it; the sentence names the option.
    """
    if leads_out(file):
        message = _(
            "--{option}: {file} is invalid; a link leads from it out of the current folder. "
            "Name the file itself."
        )
        raise Error(message.format(option=option, file=one_line(file)), option)
