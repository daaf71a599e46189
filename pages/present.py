"""The page for a room: one question after the other of a lesson, a run or practice."""

from dmlviz.app.present_page import present_page

present_page()
