"""The glossary: every term with a picture."""

from dmlviz.app.glossary_page import glossary_page

glossary_page()
