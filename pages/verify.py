"""The page that verifies documentation pages."""

from dmlviz.ui.verify_page import verify_page

verify_page()
