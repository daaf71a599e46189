"""A page's verification as the app keeps it: the same problems and codes as every report."""

from __future__ import annotations

from dataclasses import dataclass

from dmlviz.app.page_text import text_data
from dmlviz.cache import cached
from dmlviz.verify import Report, check, read_document
from dmlviz.verify.report import PageMark, marks
from dmlviz.verify.text import text_of


@dataclass(frozen=True, eq=False)
class VerifiedPage:
    """A page, verified.

    Attributes:
        report: its examples and what became of them.
        marks: what is said at its lines.
        text_data: the page's text and its marks as the browser takes them.
    """

    report: Report
    marks: tuple[PageMark, ...]
    text_data: str


# two of the largest allowed pages, or hundreds of usual ones
@cached(megabytes=63, heavy=True)
def verified_page(page: str | bytes, name: str, engine_names: tuple[str, ...]) -> VerifiedPage:
    """Read a page and run its examples.

    Args:
        page: at most 1,048,576 bytes.
        name: of its file.
        engine_names: engines that are available here.
    """
    text = text_of(page)
    report = check(read_document(page, name), text, engine_names, required=[name])
    page_marks = marks(report)
    return VerifiedPage(report, page_marks, text_data(text, report, page_marks))
