"""How Roll is named, taught and misread."""

import numpy as np
from dmlviz.operators.roll.operator import Roll

from dmlviz.operators.teaching import Question, opening

ICON = "rotate_right"
FAMILY = "rearrange"


def title():
    return "Roll"


def sentence():
    return "Moves every element on, and round."


def misread(operator, x):
    axes = tuple(range(x.ndim))
    yield "sign", "That moves them the other way.", np.roll(x, [-s for s in operator.shifts], axes)
    yield "flat", "That moves them through the rows.", np.roll(x, sum(operator.shifts))
    yield "none", "That moves nothing.", x


def presets():
    asked = opening(Roll((1,)), (4,))
    told = lambda preset: f"{preset.trace().output[0]} comes first."  # noqa: E731
    return (Question("roll-first", "Round", "Which element comes first?", told, asked, True),)


def cases():
    return ()
