"""Documentation pages: read, verified by running their examples, reported on, fixed, written."""

from dmlviz.verify.built_in import BuiltIn, built_in
from dmlviz.verify.examples import PageExample
from dmlviz.verify.findings import RULES, Finding, Rule
from dmlviz.verify.formats import FORMATS, document_data
from dmlviz.verify.options import Options, options
from dmlviz.verify.printing import as_lines, as_list, as_markdown
from dmlviz.verify.reader import Coverage, Document, read_document
from dmlviz.verify.report import Outcome, PageProblem, Report, check, worst
from dmlviz.verify.text import PAGE_LIMIT, TYPED_LIMIT
from dmlviz.verify.verifier import RECORDED, FirstDifference, Verdict, available, verify
from dmlviz.verify.writer import forms_of, write_example

__all__ = [
    "FORMATS",
    "PAGE_LIMIT",
    "RECORDED",
    "RULES",
    "TYPED_LIMIT",
    "BuiltIn",
    "Coverage",
    "Document",
    "Finding",
    "FirstDifference",
    "Options",
    "Outcome",
    "PageExample",
    "PageProblem",
    "Report",
    "Rule",
    "Verdict",
    "as_lines",
    "as_list",
    "as_markdown",
    "available",
    "built_in",
    "check",
    "document_data",
    "forms_of",
    "options",
    "read_document",
    "verify",
    "worst",
    "write_example",
]
