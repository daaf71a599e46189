"""How Roll is named, taught and misread."""

import numpy as np
from dmlviz.operators.roll.operator import ORDER, Roll

from dmlviz.operators.teaching import EngineCase, Input, Opening, Question

ICON = "rotate_right"
FAMILY = "rearrange"


def title():
    return "Roll"


def sentence():
    return "Moves every element on, and round, and takes rows in an order."


def misread(operator, inputs):
    x, order = inputs["InputTensor"], inputs[ORDER].ravel()
    axes = tuple(range(x.ndim))
    other = np.roll(x, [-s for s in operator.shifts], axes)
    yield "sign", "That moves them the other way.", other[order]
    yield "flat", "That moves them through the rows.", np.roll(x, sum(operator.shifts))[order]
    yield "none", "That moves nothing.", x[order]
    yield "all", "That takes all rows.", np.roll(x, operator.shifts, axes)
    yield "long", "That puts rows one after the other.", np.roll(x, 1)[order].reshape(-1)


def presets():
    asked = Opening(Roll((1,)), (4,), more={ORDER: Input((3,), data_type="INT32", literal="2,2,0")})
    told = lambda preset: f"{preset.trace().output[0]} comes first."  # noqa: E731
    return (Question("roll-first", "Round", "Which element comes first?", told, asked, True),)


def cases():
    x = np.arange(4, dtype=np.float32)
    return (EngineCase("roll-rows", "Rows", Roll((1,)), {"InputTensor": x, ORDER: np.int64([3])}),)
