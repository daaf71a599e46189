"""DML_RESAMPLE2 with NEAREST_NEIGHBOR: a tensor on another grid of its nearest elements."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Problem
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import Graph
from dmlviz.movement.steps import Part, Steps
from dmlviz.operators.base import Array, Example, Operator
from dmlviz.operators.checks import (
    agreeing_count,
    count_problem,
    desc_fields,
    tensor_sizes,
    whole_numbers,
)
from dmlviz.operators.code.base import Case, Snippet
from dmlviz.operators.feature_levels import FLOATS, Support
from dmlviz.operators.older import OlderForm
from dmlviz.operators.one_tensor import OneTensor
from dmlviz.operators.per_dimension import Limit
from dmlviz.operators.real_per_dimension import RealPerDimension
from dmlviz.operators.reals import real_numbers
from dmlviz.operators.resample import graph
from dmlviz.operators.resample.code import resample_snippets
from dmlviz.operators.resample.modes import (
    DIRECTION,
    DOWN,
    MODE,
    NEAREST,
    UP,
    read_direction,
    read_mode,
)
from dmlviz.operators.resample.older import OLDER
from dmlviz.operators.resample.ruler import Ruler, usual_count
from dmlviz.operators.resample.steps import resample_parts, resample_steps
from dmlviz.operators.settings import Choice, Setting
from dmlviz.operators.spelling import print_setting
from dmlviz.tensors import shown
from dmlviz.words import _

_REALS = ("scales", "input_pixel_offsets", "output_pixel_offsets")
_SIZES = "output_tensor_sizes"


@dataclass(frozen=True)
class Resample(OneTensor):
    """Copy the nearest element, as ``DML_RESAMPLE2_OPERATOR_DESC`` does.

    Args:
        rounding_direction: ``"DECREASING"`` rounds an output pixel's place in the input down,
            ``"INCREASING"`` rounds it up.
        scales: the length of an input pixel in output pixels in each dimension, more than 0.
        input_pixel_offsets: the point that represents an input pixel: 0.5 is its center.
        output_pixel_offsets: minus that point in an output pixel: -0.5 its center, 0 its start.
        output_tensor_sizes: of the output; 0 or nothing means the input's size times the scale,
            ``floor(size * scale)``.
        interpolation_mode: ``"NEAREST_NEIGHBOR"``; ``"LINEAR"`` averages and is refused.

    Output pixel ``i`` is a copy of input pixel ``(i - output offset) / scale - input offset``,
    rounded; beyond the edge the edge is repeated. The numbers are FLOATs, and so are all steps.

    >>> import numpy as np
    >>> Resample("DECREASING", (2,), (0.5,), (-0.5,)).apply(np.array([7, 8, 9])).tolist()
    [7, 7, 7, 8, 8, 9]
    >>> print(Resample("DECREASING", (2,), (0,), (-0.5,)).explain((3,), (3,)))
    out[w] = in[floor((w + 0.5) / 2)]
    out[3] = in[floor((3 + 0.5) / 2)] = in[1]
    """

    rounding_direction: str
    scales: tuple[float, ...]
    input_pixel_offsets: tuple[float, ...]
    output_pixel_offsets: tuple[float, ...]
    output_tensor_sizes: tuple[int, ...] = ()
    interpolation_mode: str = NEAREST

    key: ClassVar[str] = "resample"
    place: ClassVar[int] = 15
    operator_type: ClassVar[str] = "DML_OPERATOR_RESAMPLE2"
    structure: ClassVar[str] = "DML_RESAMPLE2_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = (
        "InterpolationMode",
        "RoundingDirection",
        "DimensionCount",
        "Scales",
        "InputPixelOffsets",
        "OutputPixelOffsets",
    )
    support: ClassVar[tuple[Support, ...]] = (
        Support("5_1", (1, 2, 3, 4), FLOATS),
        Support("6_2", (1, 2, 3, 4), (*FLOATS, "INT8", "UINT8")),
    )
    free_tensors: ClassVar[tuple[str, ...]] = ("OutputTensor",)
    older_forms: ClassVar[tuple[OlderForm, ...]] = OLDER

    def __post_init__(self) -> None:
        object.__setattr__(self, "interpolation_mode", read_mode(self.interpolation_mode))
        object.__setattr__(self, "rounding_direction", read_direction(self.rounding_direction))
        for name in _REALS:
            object.__setattr__(self, name, real_numbers(name, getattr(self, name)))
        sizes = whole_numbers(_SIZES, self.output_tensor_sizes)
        object.__setattr__(self, _SIZES, sizes if any(sizes) else (0,) * len(self.scales))

    @property
    def desc(self) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "InterpolationMode": self.interpolation_mode,
            "RoundingDirection": self.rounding_direction,
            "Scales": list(self.scales),
            "InputPixelOffsets": list(self.input_pixel_offsets),
            "OutputPixelOffsets": list(self.output_pixel_offsets),
        }
        if any(self.output_tensor_sizes):
            fields["OutputTensor"] = {"Sizes": list(self.output_tensor_sizes)}
        return fields

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        mode, direction, count, *arrays = cls.members
        desc_fields(cls.structure, desc, (mode, direction, *arrays), (count, "OutputTensor"))
        operator = cls(
            rounding_direction=desc[direction],
            **dict(zip(_REALS, (desc[name] for name in arrays), strict=True)),
            output_tensor_sizes=tensor_sizes(desc, "OutputTensor"),
            interpolation_mode=desc[mode],
        )
        found = dict(zip(arrays, (getattr(operator, name) for name in _REALS), strict=True))
        agreeing_count(cls.structure, desc, count, found)
        return operator

    @property
    def documented(self) -> dict[str, Any]:
        names = {
            "InterpolationMode": f"{MODE}_{self.interpolation_mode}",
            "RoundingDirection": f"{DIRECTION}_{self.rounding_direction}",
        }
        return {name: value for name, value in (self.desc | names).items() if name in self.members}

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (
            Choice(
                "interpolation_mode",
                "InterpolationMode",
                _("NEAREST_NEIGHBOR copies; LINEAR would average, so nothing would be a copy."),
                offered=lambda sizes: (NEAREST,),
                default=NEAREST,
            ),
            Choice(
                "rounding_direction",
                "RoundingDirection",
                _("Where an output pixel falls between two: DECREASING takes the one before it."),
                offered=lambda sizes: (UP, DOWN),
                default=DOWN,
            ),
            RealPerDimension(
                "scales",
                "Scales",
                _("How many output pixels one input pixel is long in each dimension."),
                usual=1.0,
                positive=True,
                tried=(2.0, 3.0, 1.5, 0.5),
            ),
            RealPerDimension(
                "input_pixel_offsets",
                "InputPixelOffsets",
                _("Which point represents an input pixel: 0.5 is its center, 0 its start."),
                usual=0.5,
                tried=(0.0, 0.5),
            ),
            RealPerDimension(
                "output_pixel_offsets",
                "OutputPixelOffsets",
                _(
                    "The negative of the point that represents an output pixel: -0.5 is its "
                    "center, 0 its start."
                ),
                usual=-0.5,
                tried=(-0.5, 0.0),
            ),
            Limit(
                "output_tensor_sizes",
                "OutputTensor.Sizes",
                _("The output's size in each dimension; 0 means the size that the scale gives."),
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        # the page has no example: the nearest center, and an output larger than the scale fills
        square = np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3)
        row = np.array([1, 2, 3, 4, 5], np.float32)
        centres = ((0.0,) * 4, (-0.5,) * 4)
        return tuple(
            Example(
                _("Example {number}").format(number=number),
                operator,
                x,
                f"{cls.structure}, description",
            )
            for number, operator, x in (
                (1, cls(DOWN, (1, 1, 2, 2), *centres), square),
                (2, cls(DOWN, (1.5,), (0.5,), (-0.5,), (8,)), row),
            )
        )

    def alternative(self) -> Operator:
        other = UP if self.rounding_direction == DOWN else DOWN
        return replace(self, rounding_direction=other)

    def rule_problems(self, sizes: tuple[int, ...], data_type: str | None) -> list[Problem]:
        labels = {setting.name: setting.label for setting in self.parameters()}
        counted = (
            count_problem(name, getattr(self, name), len(sizes), self.structure, labels[name])
            for name in (*_REALS, _SIZES)
            # sizes that are left open are as many zeros as there are scales
            if name != _SIZES or any(self.output_tensor_sizes)
        )
        found = [problem for problem in counted if problem]
        if found:
            return found
        return [
            Problem(name, f"{name}: {message}", f"{self.structure}, {labels[name]}")
            for d in range(len(sizes))
            for name, message in self._wrong_in(d)
        ]

    def _wrong_in(self, d: int) -> Iterator[tuple[str, str]]:
        """The invalid settings of one dimension, and why they are invalid."""
        for name in _REALS:
            number = getattr(self, name)[d]
            told = {"number": print_setting(number), "d": d}
            if not math.isfinite(number):
                message = _("{number} in dimension {d} is invalid; it must be a finite FLOAT.")
                yield name, message.format(**told)
            elif name == "scales" and number <= 0:
                message = _("{number} in dimension {d} is invalid; a scale must be greater than 0.")
                yield name, message.format(**told)
        if self.output_tensor_sizes[d] < 0:
            message = _("{size} in dimension {d} is invalid; a size must be 1 or more.")
            yield _SIZES, message.format(size=shown(self.output_tensor_sizes[d]), d=d)

    def sizes_after(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(
            count or usual_count(size, scale)
            for size, scale, count in zip(sizes, self.scales, self.output_tensor_sizes, strict=True)
        )

    def size_sums(self, sizes: Sequence[int]) -> tuple[str, ...]:
        sums = []
        for size, scale, count in zip(sizes, self.scales, self.output_tensor_sizes, strict=True):
            usual = usual_count(size, scale)
            made = f"floor({size} · {print_setting(scale)})"
            made = f"{made if size * scale >= 1 else f'max(1, {made})'} = {usual}"
            sums.append(str(count or size) if count or scale == 1 else made)
        return tuple(sums)

    def with_output_sizes(self, outputs: Mapping[str, tuple[int, ...]]) -> Operator:
        wanted = outputs.get("OutputTensor", ())
        if len(wanted) != len(self.scales) or min(wanted, default=0) < 1:
            return self
        return replace(self, output_tensor_sizes=wanted)

    def rulers(self, sizes: Sequence[int]) -> tuple[Ruler, ...]:
        """The resampling of each dimension of an input of these sizes, for valid settings."""
        counts = self.sizes_after(tuple(sizes))
        reals = (getattr(self, name) for name in _REALS)
        return tuple(
            Ruler(size, count, scale, inputs, outputs, self.rounding_direction == UP)
            for size, count, scale, inputs, outputs in zip(sizes, counts, *reals, strict=True)
        )

    def apply(self, x: Array) -> Array:
        taken: Array = x[np.ix_(*(ruler.places for ruler in self.rulers(x.shape)))]
        return taken

    def written(self, sizes: tuple[int, ...], data_type: str) -> Graph | None:
        return graph.written(self.rulers(sizes))

    def lowered(self, sizes: tuple[int, ...], data_type: str) -> Graph:
        return graph.lowered(self.rulers(sizes))

    def snippets(self, case: Case) -> tuple[Snippet, ...]:
        rulers = self.rulers(case.sizes)
        return resample_snippets(case, rulers, graph.written(rulers))

    def formula(self, sizes: Sequence[int]) -> Formula:
        out = self.output_sizes(sizes)
        source = tuple(ruler.expression(d) for d, ruler in enumerate(self.rulers(sizes)))
        return Formula(tuple(sizes), out, source)

    def steps(self, sizes: Sequence[int]) -> Steps:
        self.output_sizes(sizes)
        return resample_steps(self.rulers(sizes))

    def parts_of_rule(self, sizes: Sequence[int]) -> tuple[Part, ...]:
        self.output_sizes(sizes)
        return tuple(resample_parts(sizes, self.rulers(sizes)))

    @classmethod
    def rule_parts_title(cls) -> str:
        return _("Axis by axis")
