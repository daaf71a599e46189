"""Files that a command writes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from dmlviz.base.errors import Error
from dmlviz.base.words import _


def endings(formats: Iterable[str]) -> str:
    """The endings of files' names as a list in a sentence: ``.html, .png``."""
    return ", ".join(f".{ending}" for ending in formats)


def ending_of(path: Path, formats: Collection[str]) -> str:
    """The ending of a file's name, without the dot and in lower case.

    Args:
        path: of the file.
        formats: the endings that a command writes.

    Raises:
        Error: the command writes no such files.
    """
    ending = path.suffix.lower().removeprefix(".")
    if ending not in formats:
        raise Error(
            _("file: unsupported file type: {ending}; use {endings}.").format(
                ending=path.suffix or _("no extension"), endings=endings(formats)
            ),
            "file",
        )
    return ending


def save(path: str | Path, data: bytes) -> None:
    """Write a file.

    Raises:
        Error: it cannot be written.
    """
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise Error(
            _("file: cannot write {file}: {reason}.").format(
                file=path, reason=error.strerror or error
            ),
            "file",
        ) from None
