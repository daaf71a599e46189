"""Documentation pages: read, verified by running their examples, and written."""

from dmlviz.documents.built_in import BuiltIn, built_in
from dmlviz.documents.examples import PageExample
from dmlviz.documents.findings import Finding
from dmlviz.documents.reader import Document, read_document
from dmlviz.documents.report import (
    Report,
    as_data,
    as_lines,
    as_list,
    as_markdown,
)
from dmlviz.documents.tally import Tally
from dmlviz.documents.text import PAGE_LIMIT
from dmlviz.documents.verifier import RECORDED, Difference, Verdict, available, verify
from dmlviz.documents.writer import forms_of, write_example

__all__ = [
    "PAGE_LIMIT",
    "RECORDED",
    "BuiltIn",
    "Difference",
    "Document",
    "Finding",
    "PageExample",
    "Report",
    "Tally",
    "Verdict",
    "as_data",
    "as_lines",
    "as_list",
    "as_markdown",
    "available",
    "built_in",
    "forms_of",
    "read_document",
    "verify",
    "write_example",
]
