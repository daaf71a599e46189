"""Check that the files that the app serves are the ones shipped with this version."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from dmlviz.places import PACKAGE, ROOT

_END = re.compile(r"# [0-9]+ files")
SUMS = "assets/SHA256SUMS"
_FILES = (
    ".streamlit/config.toml",
    "assets/*.toml",
    "assets/documents/*.md",
    "assets/fonts/*",
    "assets/lessons/*.toml",
    "assets/locale/*/LC_MESSAGES/*.po",
    "assets/pictures/*.txt",
    "assets/plotly/*",
    "assets/recordings/*.json",
    "dmlviz/classroom/pages/*",
    "dmlviz/picture/*.css",
    "dmlviz/picture/*.html",
    "dmlviz/picture/js/*",
)


def damaged(root: Path = ROOT) -> tuple[str, ...]:
    """The names of files below ``root`` that are truncated, changed or missing.

    Files that are not in the list are fine: adding an operator adds files.

    >>> damaged()
    ()
    """
    try:
        known = (root / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return (SUMS,)
    if not known or not _END.fullmatch(known[-1]):
        return (SUMS,)
    differing = set(known[:-1]) - set(sums(root))
    return tuple(sorted(line.partition("  ")[2] or SUMS for line in differing))


def sums(root: Path = ROOT) -> Iterator[str]:
    """A line for each file, as ``sha256sum`` writes them."""
    for name, path in sorted(_files(root)):
        # Git may have written Windows line endings
        text = path.read_bytes().replace(b"\r\n", b"\n")
        yield f"{hashlib.sha256(text).hexdigest()}  {name}"


def _files(root: Path) -> Iterator[tuple[str, Path]]:
    """Each file's name in the list, and its path."""
    for pattern in _FILES:
        # an installed package is not in the same folder as the app's other files
        packaged = root == ROOT and pattern.startswith(f"{PACKAGE.name}/")
        folder = PACKAGE.parent if packaged else root
        for path in folder.glob(pattern):
            yield path.relative_to(folder).as_posix(), path
