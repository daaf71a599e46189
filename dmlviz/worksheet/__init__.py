"""A worksheet to print: questions from a seed, with the answers on a separate page."""

from __future__ import annotations

from dmlviz.worksheet.page import worksheet
from dmlviz.worksheet.sheet import MOST_COUNT, SHEET_KINDS, Sheet, kinds_of, read_sheet

__all__ = ["MOST_COUNT", "SHEET_KINDS", "Sheet", "kinds_of", "read_sheet", "worksheet"]
