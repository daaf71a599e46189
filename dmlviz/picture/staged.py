"""An operator run for the stage, with its cost bounded first."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dmlviz.base.cache import cached
from dmlviz.base.errors import Refused
from dmlviz.engines.trace import run
from dmlviz.operators import Operator
from dmlviz.picture.scene import Scene, check_stage, scene
from dmlviz.tensors.numbering import sizes_by_name
from dmlviz.tensors.types import Array, Sizes


def staged(
    operator: Operator,
    inputs: Mapping[str, Array],
    directions: Mapping[int, str] | None = None,
    full: float | None = None,
    engine: str = "numpy",
) -> Scene:
    """Run an operator and lay out the run; what comes from outside goes through here.

    Args:
        operator: what runs.
        inputs: every input by DirectML's name.
        directions, full: as of :func:`dmlviz.picture.scene.scene`.
        engine: the name of an engine that is available here.

    Raises:
        TooLarge: a tensor is too large for the stage; nothing was computed.
        Refused, EngineUnavailable, EngineRefused: as :func:`dmlviz.run`.
    """
    if problems := operator.refusals(inputs):
        raise Refused(problems)
    sizes = sizes_by_name(inputs)
    check_stage(sizes, operator.outputs_after(sizes))
    return scene(run(operator, inputs, engine), directions, full)


def staged_once(
    operator: Operator,
    inputs: Mapping[str, Array],
    directions: tuple[tuple[int, str], ...] = (),
    full: float | None = None,
    engine: str = "numpy",
) -> Scene:
    """As :func:`staged`; equal operations run once for everybody.

    Args:
        operator, inputs, full, engine: as of :func:`staged`.
        directions: for outer dimensions, ``"across"`` or ``"down"``.
    """
    input_bytes = tuple((name, x.tobytes(), x.dtype.str, x.shape) for name, x in inputs.items())
    return _staged(operator, repr(operator), input_bytes, directions, full, engine)


# A class at work has pictures of some ten kilobytes; the largest take five megabytes, packed seven.
@cached(megabytes=16)
def _staged(
    operator: Operator,
    operator_text: str,  # distinguishes a PaddingValue of -0.0 from 0.0, which are equal
    input_bytes: tuple[tuple[str, bytes, str, Sizes], ...],
    directions: tuple[tuple[int, str], ...],
    full: float | None,
    engine: str,
) -> Scene:
    inputs = {n: np.frombuffer(x, kind).reshape(sizes) for n, x, kind, sizes in input_bytes}
    return staged(operator, inputs, dict(directions), full, engine)
