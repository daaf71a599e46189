"""The page that verifies documentation pages."""

from dmlviz.app.verify_page import verify_page

verify_page()
