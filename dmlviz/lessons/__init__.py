"""Lessons as data: what they say is filled from the engine, and what they claim is checked.

A lesson is one file in ``assets/lessons``; its numbers come from the states that it links to.
"""

from dmlviz.lessons.claims import holds
from dmlviz.lessons.facts import Facts, fill
from dmlviz.lessons.lesson import (
    Answer,
    Lesson,
    Misunderstanding,
    Part,
    Plan,
    Prediction,
    WhatIf,
)
from dmlviz.lessons.reading import FOLDER, lessons, read_lesson

__all__ = [
    "FOLDER",
    "Answer",
    "Facts",
    "Lesson",
    "Misunderstanding",
    "Part",
    "Plan",
    "Prediction",
    "WhatIf",
    "fill",
    "holds",
    "lessons",
    "read_lesson",
]
