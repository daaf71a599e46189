"""The first page: what this is, one picture per operator, where to start."""

from dmlviz.ui.home import home

home()
