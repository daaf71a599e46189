"""A page as it would be after every certain fix, checked before anybody sees it."""

from __future__ import annotations

from collections.abc import Sequence

from dmlviz.verify.fixes import Edit, edited, edits, is_no_worse
from dmlviz.verify.reader import Document, read_document
from dmlviz.verify.report import Report
from dmlviz.verify.verifier import verify


def corrected(
    page: str, before: Report, engine_names: Sequence[str], *, values: bool = False
) -> str | None:
    """The page with its fixes; None where there are none, or it would not verify as well.

    Args:
        page: its text.
        before: the report of that text.
        engine_names: the engines of that report.
        values: whether output values that differ become the engine's.
    """
    changes = edits(page, before, values=values)
    made = changed(page, changes, before, engine_names, values=values) if changes else None
    return made[1] if made else None


def changed(
    page: str,
    changes: Sequence[Edit],
    before: Report,
    engine_names: Sequence[str],
    *,
    values: bool = False,
) -> tuple[Document, str] | None:
    """The page with these fixes, as a document and as text; None where it would not verify as well.

    Args:
        page, before, engine_names, values: as :func:`corrected` takes them.
        changes: its fixes.
    """
    new = edited(page, changes)
    document = read_document(new, before.document.name)
    after = Report(document, verify(document, engine_names))
    if edits(new, after, values=values) or not is_no_worse(before, after, values=values):
        return None
    return document, new
