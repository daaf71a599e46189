"""``dmlviz verify --fix`` and ``--diff``: pages changed where that is certain."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from dmlviz.commands.verify_files import STANDARD_INPUT
from dmlviz.errors import Error
from dmlviz.verify import Document, Report, read_document, verify
from dmlviz.verify.fixes import as_diff, changed, edits
from dmlviz.verify.options import leads_out
from dmlviz.verify.page import relative
from dmlviz.verify.text import decode
from dmlviz.words import _, ngettext

_MARK = "\ufeff"


class Fixer:
    """Changes pages, or gathers what it would change.

    Args:
        names: of the engines that verify them.
        pages: the files and folders that were asked for; no link leads out of them.
        values: whether output values that differ become the engine's.
        diff: whether changes are gathered in ``diffs`` instead of written.
    """

    def __init__(
        self, names: Sequence[str], pages: Sequence[str], *, values: bool, diff: bool
    ) -> None:
        self.names, self.pages, self.values, self.diff = names, pages, values, diff
        self.diffs: list[str] = []
        self.count = self.files = 0

    def fixed(self, file: str, document: Document, text: str) -> tuple[Document, str]:
        """The page and its text as they are now.

        A page that would read or verify otherwise than expected stays as it was, and so does one
        that is not UTF-8 text, or that a link has outside of the folder that was asked for; all
        three are said on standard error.

        Raises:
            Error: the file cannot be written.
        """
        if document.unreadable:
            return document, text
        data = text.encode() if file == STANDARD_INPUT else _bytes(file)
        # the file may have changed since it was read
        found = read_document(data, file)
        if found.unreadable:
            return document, text
        page = decode(data)
        mark = _MARK if data.startswith(_MARK.encode()) else ""
        before = Report(found, verify(found, self.names))
        changes = edits(page, before, values=self.values)
        if not changes:
            return document, text
        if data != (mark + page).encode():
            self._say(_("{file}: not fixed, because it is not UTF-8 text."), file)
            return document, text
        if any(leads_out(file, folder) for folder in (".", *self.pages)):
            self._say(_("{file}: not fixed, because a link leads out of the folder."), file)
            return document, text
        made = changed(page, changes, before, self.names, values=self.values)
        if made is None:
            self._say(_("{file}: not fixed, because it would not verify better than before."), file)
            return document, text
        read, new = made[0], mark + made[1]
        self.count += len(changes)
        self.files += 1
        if self.diff:
            self.diffs.append(as_diff(mark + page, new, relative(file)))
            return document, text
        try:
            Path(file).write_bytes(new.encode())
        except OSError as error:
            message = _("--fix: {file} cannot be written: {reason}.")
            reason = error.strerror or error
            raise Error(message.format(file=file, reason=reason), "fix") from None
        return read, new

    def said(self) -> str:
        """How much was changed, or would be."""
        if self.diff:
            told = ngettext(
                "{n} fix possible (files: {files}); nothing was changed.",
                "{n} fixes possible (files: {files}); nothing was changed.",
                self.count,
            )
        else:
            told = ngettext(
                "{n} fix made (files changed: {files}).",
                "{n} fixes made (files changed: {files}).",
                self.count,
            )
        return told.format(n=f"{self.count:,}", files=f"{self.files:,}")

    def _say(self, message: str, file: str) -> None:
        print(message.format(file=relative(file)), file=sys.stderr)


def _bytes(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError:
        return b""
