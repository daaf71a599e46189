"""The page that starts a live class."""

from dmlviz.app.class_page import class_page

class_page()
