"""The Practice page."""

from dmlviz.app.practice_page import practice_page

practice_page()
