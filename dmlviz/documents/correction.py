"""A page as it would be after every certain fix, checked before anybody sees it."""

from __future__ import annotations

from collections.abc import Sequence

from dmlviz.documents.fixes import edited, edits, is_no_worse
from dmlviz.documents.reader import read_document
from dmlviz.documents.report import Report
from dmlviz.documents.verifier import verify


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
    if not changes:
        return None
    new = edited(page, changes)
    document = read_document(new, before.document.name)
    after = Report(document, verify(document, engine_names))
    if edits(new, after, values=values) or not is_no_worse(before, after, values=values):
        return None
    return new
