"""Lessons as data: the engine fills in their numbers, and their claims are checked.

A lesson is one file in ``assets/lessons``; its numbers come from the states that it links to.
A run is one file in ``assets/runs``: questions across lessons, presets and practice, with minutes.
"""

from dmlviz.lessons.chapters import chapters
from dmlviz.lessons.claims import holds
from dmlviz.lessons.code import Code, variables
from dmlviz.lessons.lesson import (
    ClassQuestion,
    Lesson,
    Misunderstanding,
    Part,
    Plan,
    Prediction,
    WhatIf,
)
from dmlviz.lessons.posed import Posed
from dmlviz.lessons.reading import FOLDER, lessons, read_lesson
from dmlviz.lessons.runs import Run, runs
from dmlviz.teaching.answers import Answer
from dmlviz.teaching.facts import Facts, fill

__all__ = [
    "FOLDER",
    "Answer",
    "ClassQuestion",
    "Code",
    "Facts",
    "Lesson",
    "Misunderstanding",
    "Part",
    "Plan",
    "Posed",
    "Prediction",
    "Run",
    "WhatIf",
    "chapters",
    "fill",
    "holds",
    "lessons",
    "read_lesson",
    "runs",
    "variables",
]
