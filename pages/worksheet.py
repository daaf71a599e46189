"""The page that makes worksheets."""

from dmlviz.ui.worksheet_page import worksheet_page

worksheet_page()
