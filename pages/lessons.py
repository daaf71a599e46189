"""The lessons: all of them, or one part of one."""

from dmlviz.app.lessons_page import lessons_page

lessons_page()
