"""The names of the operators in other libraries."""

from dmlviz.app.names_page import names_page

names_page()
