"""The first page: what this is, one picture per operator, where to start."""

from dmlviz.app.home import home

home()
