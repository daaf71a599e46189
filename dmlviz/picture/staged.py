"""An operator run for the stage, with its cost bounded first."""

from __future__ import annotations

from collections.abc import Mapping

from dmlviz.base.errors import Refused
from dmlviz.engines.trace import run
from dmlviz.operators import Operator
from dmlviz.picture.scene import Scene, check_stage, scene
from dmlviz.tensors.numbering import sizes_by_name
from dmlviz.tensors.types import Array


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
