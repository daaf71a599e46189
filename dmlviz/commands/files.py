"""Files that a command writes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from dmlviz.errors import Error
from dmlviz.words import _

T = TypeVar("T")


def format_of(path: Path, formats: Mapping[str, T]) -> T:
    """What writes a file, by the ending of its name.

    Args:
        path: of the file.
        formats: by their endings, such as ``.png``.

    Raises:
        Error: there is none with that ending.
    """
    ending = path.suffix.lower()
    if ending not in formats:
        raise Error(
            _("file: unsupported file type: {ending}; use {endings}.").format(
                ending=path.suffix or _("no extension"), endings=", ".join(formats)
            ),
            "file",
        )
    return formats[ending]


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
