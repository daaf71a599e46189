"""Documentation pages: read, verified by running their examples, reported on, fixed, written."""

from dmlviz.verify.built_in import BuiltIn, built_in
from dmlviz.verify.examples import PageExample
from dmlviz.verify.findings import RULES, Finding, Rule
from dmlviz.verify.formats import FORMATS
from dmlviz.verify.options import Options, options
from dmlviz.verify.page import (
    Case,
    Outcome,
    PageReport,
    Problem,
    page_report,
    without_ignored,
    worst,
)
from dmlviz.verify.reader import Document, Tally, read_document
from dmlviz.verify.report import (
    Report,
    as_data,
    as_lines,
    as_list,
    as_markdown,
)
from dmlviz.verify.text import PAGE_LIMIT
from dmlviz.verify.verifier import RECORDED, Difference, Verdict, available, verify
from dmlviz.verify.writer import forms_of, write_example

__all__ = [
    "FORMATS",
    "PAGE_LIMIT",
    "RECORDED",
    "RULES",
    "BuiltIn",
    "Case",
    "Difference",
    "Document",
    "Finding",
    "Options",
    "Outcome",
    "PageExample",
    "PageReport",
    "Problem",
    "Report",
    "Rule",
    "Tally",
    "Verdict",
    "as_data",
    "as_lines",
    "as_list",
    "as_markdown",
    "available",
    "built_in",
    "forms_of",
    "options",
    "page_report",
    "read_document",
    "verify",
    "without_ignored",
    "worst",
    "write_example",
]
