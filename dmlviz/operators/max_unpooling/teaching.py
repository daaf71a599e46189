"""How MaxUnpooling is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.indices import INDICES, INPUT
from dmlviz.operators.max_unpooling.misread import misread_max_unpooling
from dmlviz.operators.max_unpooling.names import names
from dmlviz.operators.max_unpooling.operator import MaxUnpooling
from dmlviz.operators.max_unpooling.presets import presets
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "grid_goldenratio"
FAMILY = "put"


def title() -> str:
    """Its display name."""
    return _("Max Unpooling")


def sentence() -> str:
    """What it does."""
    return _("Puts elements back where max pooling found them.")


def misread(operator: MaxUnpooling, inputs: Mapping[str, Array]) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_max_unpooling(operator.output_tensor_sizes, inputs[INPUT], inputs[INDICES])


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    indices = np.array([[[[5, 7], [13, 15]]]], np.uint32)
    return (
        EngineCase(
            "max-unpooling-whole",
            _("Max Unpooling of INT16, which ONNX's MaxUnpool does not take"),
            MaxUnpooling((1, 1, 4, 4)),
            {INPUT: np.array([[[[301, -302], [304, 303]]]], np.int16), INDICES: indices},
        ),
        EngineCase(
            "max-unpooling-floats",
            _("Max Unpooling of FLOAT32, as ONNX writes it"),
            MaxUnpooling((1, 1, 4, 4)),
            {INPUT: np.array([[[[6, 8], [9, 7]]]], np.float32), INDICES: indices},
        ),
    )
