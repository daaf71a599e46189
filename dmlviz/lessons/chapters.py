"""The chapters of the list of lessons, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dmlviz.lessons.lesson import Lesson
from dmlviz.words import _

_CHAPTERS: tuple[tuple[Callable[[], str], tuple[str, ...]], ...] = (
    (lambda: _("First steps"), ("dimensions", "tile", "tile-and-repeat")),
    (
        lambda: _("Joining, slicing and padding"),
        (
            "join-and-split",
            "slice",
            "padding-modes",
            "padding-folding",
            "padding-in-libraries",
        ),
    ),
    (lambda: _("Gather and scatter"), ("gather", "scatter")),
    (lambda: _("Memory and layouts"), ("views-and-copies", "nchw-and-nhwc")),
    (
        lambda: _("Channels and pictures"),
        (
            "depth-to-space-dcr",
            "depth-to-space-crd",
            "depth-to-space-orders",
            "space-to-depth",
            "depth-to-space-pictures",
            "sub-pixel",
        ),
    ),
    (lambda: _("Resizing and windows"), ("nearest", "im2col")),
    (lambda: _("DirectML and its documentation"), ("feature-levels", "reading-documentation")),
)

ORDER = tuple(key for _title, keys in _CHAPTERS for key in keys)
"""The order of lessons; others follow by name."""


def chapters(lessons: Sequence[Lesson]) -> Iterator[tuple[str, list[tuple[int, Lesson]]]]:
    """The title of each chapter, and its lessons with their numbers from 1.

    Args:
        lessons: all lessons, in order.
    """
    numbered = {lesson.key: (number, lesson) for number, lesson in enumerate(lessons, 1)}
    for title, keys in _CHAPTERS:
        if found := [numbered.pop(key) for key in keys if key in numbered]:
            yield title(), found
    if numbered:
        yield _("More lessons"), list(numbered.values())
