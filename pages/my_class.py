"""The page where a teacher puts a class together."""

from dmlviz.app.set_page import set_page

set_page()
