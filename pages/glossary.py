"""The glossary: every term with a picture."""

from dmlviz.ui.glossary_page import glossary_page

glossary_page()
