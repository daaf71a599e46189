"""A worksheet to print: questions from a seed, their answers on a page of their own."""

from __future__ import annotations

from dmlviz.worksheet.page import worksheet
from dmlviz.worksheet.sheet import MOST_COUNT, Sheet, read_sheet

__all__ = ["MOST_COUNT", "Sheet", "read_sheet", "worksheet"]
