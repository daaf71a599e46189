"""A page's verification as the app keeps it: the same problems and codes as every report."""

from __future__ import annotations

from dataclasses import dataclass

from dmlviz.errors import Error
from dmlviz.kept import kept
from dmlviz.ui.page_text import text_data
from dmlviz.verify import PageReport, Report, page_report, read_document, verify
from dmlviz.verify.marks import Mark, marks
from dmlviz.verify.text import decode


@dataclass(frozen=True, eq=False)
class Check:
    """A page, verified.

    Attributes:
        report: its examples and what became of them.
        page: what reports say of it.
        marks: what is said at its lines.
        shown: the page's text and its marks as the browser takes them.
    """

    report: Report
    page: PageReport
    marks: tuple[Mark, ...]
    shown: str


# two of the largest allowed pages, or hundreds of usual ones
@kept(megabytes=63, heavy=True)
def check(page: str | bytes, name: str, engine_names: tuple[str, ...]) -> Check:
    """Read a page and run its examples.

    Args:
        page: at most 1,048,576 bytes.
        name: of its file.
        engine_names: engines that are available here.
    """
    document = read_document(page, name)
    report = Report(document, verify(document, engine_names))
    text = text_of(page)
    told = page_report(report, text, [name])
    said = marks(report, told)
    return Check(report, told, said, text_data(text, report, said))


def text_of(page: str | bytes) -> str:
    """The page as text; empty where it is none."""
    if isinstance(page, str):
        return page
    try:
        return decode(page)
    except Error:
        return ""
