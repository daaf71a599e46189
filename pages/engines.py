"""The Engines page."""

from dmlviz.ui.engines_page import engines_page

engines_page()
