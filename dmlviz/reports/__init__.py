"""Reports about documentation pages, as people, editors and CI read them."""

from dmlviz.reports.formats import FORMATS
from dmlviz.reports.options import Options, options
from dmlviz.reports.page import (
    Case,
    Outcome,
    PageReport,
    Problem,
    page_report,
    without_ignored,
    worst,
)
from dmlviz.reports.rules import RULES, Rule

__all__ = [
    "FORMATS",
    "RULES",
    "Case",
    "Options",
    "Outcome",
    "PageReport",
    "Problem",
    "Rule",
    "options",
    "page_report",
    "without_ignored",
    "worst",
]
