"""Reports about documentation pages, as people, editors and CI read them."""

from dmlviz.reports.formats import FORMATS
from dmlviz.reports.page import Case, PageReport, Problem, page_report
from dmlviz.reports.rules import RULES, Rule

__all__ = ["FORMATS", "RULES", "Case", "PageReport", "Problem", "Rule", "page_report"]
