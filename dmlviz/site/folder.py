"""The folder of a site: we write only into our own folder, and nowhere else."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from dmlviz.errors import Error
from dmlviz.words import _

MARKER = ".dmlviz-site"
"""A file in every folder that we wrote; it lists the files that we wrote."""

_OWN_NAME = re.compile(r"[a-z0-9-]+\.(html|svg|dark\.svg)|player\.(js|css)|plotly\.min\.js")
_LONGEST_MARKER = 1_000_000


class Folder:
    """A folder that we may write into.

    Args:
        path: of a folder that is empty, was written by us, or is not there yet.
        names: of all the files that will be written.

    Raises:
        Error: the folder holds files of somebody else's, or is a file.
        OSError: the folder cannot be made or read.
    """

    def __init__(self, path: Path, names: Iterable[str]) -> None:
        self.path = path
        self.names = sorted(names)
        if path.exists() and not path.is_dir():
            raise Error(_("folder {path} is a file.").format(path=path), "folder")
        path.mkdir(parents=True, exist_ok=True)
        self.before = _written_before(path)
        there = {entry.name for entry in path.iterdir()}
        foreign = there & set(self.names) - self.before if self.before else there
        if foreign:
            raise Error(
                _(
                    "folder {path} holds {name!r}, which dmlviz did not write; "
                    "a site needs a folder that is empty or was written by dmlviz."
                ).format(path=path, name=min(foreign)),
                "folder",
            )
        # first, so that an interrupted site can be written again
        self.write(MARKER, json.dumps(sorted({*self.names, *self.before, MARKER})))

    def write(self, name: str, text: str) -> None:
        """Write one file completely or not at all; replace a link in its place, do not follow it.

        Raises:
            OSError: the file cannot be written.
        """
        handle, temporary = tempfile.mkstemp(dir=self.path, prefix=".dmlviz-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            Path(temporary).chmod(0o644)  # a web server must be able to read it
            Path(temporary).replace(self.path / name)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def finish(self) -> None:
        """Delete files of an earlier site that this one does not have.

        Raises:
            OSError: a file cannot be deleted.
        """
        for name in self.before - {*self.names, MARKER}:
            (self.path / name).unlink(missing_ok=True)
        self.write(MARKER, json.dumps([MARKER, *self.names]))


def _written_before(path: Path) -> set[str]:
    """The names that our marker lists; a damaged marker does not count as ours."""
    marker = path / MARKER
    try:
        if marker.is_symlink() or marker.stat().st_size > _LONGEST_MARKER:
            return set()
        listed = json.loads(marker.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return set()
    if not isinstance(listed, list) or MARKER not in listed:
        return set()
    # only names that we would give, in this folder, whatever the marker lists
    return {n for n in listed if isinstance(n, str) and (n == MARKER or _OWN_NAME.fullmatch(n))}
