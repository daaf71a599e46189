"""The Practice page."""

from dmlviz.ui.practice_page import practice_page

practice_page()
