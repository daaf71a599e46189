"""The Engines page."""

from dmlviz.app.engines_page import engines_page

engines_page()
