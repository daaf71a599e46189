"""The page for teachers: a plan of each lesson."""

from dmlviz.app.teach_page import teach_page

teach_page()
