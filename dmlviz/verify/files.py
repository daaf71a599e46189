"""Which files a run of ``dmlviz verify`` can write: none that a folder's content chose."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath, PureWindowsPath

from dmlviz.errors import Error
from dmlviz.tensors.excerpts import one_line
from dmlviz.words import _

MARKS = {"text": "dmlviz verify\n", "markdown": "<!-- dmlviz verify -->\n"}
"""The first line of a configured report in a format by which it cannot be told from other files."""

# no tool runs or imports a new file of these kinds
_SUFFIXES = (".txt", ".log", ".md", ".json", ".sarif", ".xml", ".html", ".htm")
_REPORT = re.compile(
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


def configured_file(key: str, value: str, configuration: Path) -> str:
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


def configured_report(key: str, value: str, configuration: Path) -> str:
    """The path of a report that a configuration names.

    A configuration comes with a repository that can be anybody's. It can neither replace a file
    that holds something else nor make one that another program reads as its own.

    Raises:
        Error: the same as of :func:`configured_file`; or a name is hidden, the extension is not a
            report's, or the file holds something else than a report.
    """
    path = Path(configured_file(key, value, configuration))
    parts = path.relative_to(os.path.realpath(configuration.parent)).parts
    if any(part.startswith(".") for part in parts) or path.suffix.lower() not in _SUFFIXES:
        message = _(
            "{file}: verify.{key}: {value} is invalid; no part of it can begin with a dot, and "
            "it must end with one of {extensions}."
        )
    elif os.path.lexists(path) and not _holds_report(path):
        message = _(
            "{file}: verify.{key}: {value} holds something else than a report of dmlviz, so it "
            "is not replaced; name another file."
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
