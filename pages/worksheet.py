"""The page that makes worksheets."""

from dmlviz.app.worksheet_page import worksheet_page

worksheet_page()
