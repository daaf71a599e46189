"""The page for two arrays."""

from dmlviz.app.between_page import between_page

between_page()
