"""Chooses a language for a picture's words that this machine's fonts can write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from dmlviz.base.words import ENGLISH, speaking
from dmlviz.picture.lettering import can_write
from dmlviz.picture.runs import steps_together
from dmlviz.picture.scene import Scene


@contextmanager
def legible(scene: Scene, font: str | None) -> Iterator[Scene]:
    """The scene, in English inside the ``with`` if no font has its letters.

    Args:
        scene: with words in some language.
        font: the name or path of a font file to prefer.
    """
    if can_write("".join(step.title + step.caption for step in scene.steps), font):
        yield scene
        return
    with speaking(ENGLISH):
        steps = [run.moves.steps for run in scene.runs.values()]
        yield replace(scene, steps=steps_together(scene.runs, steps))
