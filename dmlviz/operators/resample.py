"""DML_RESAMPLE2 with NEAREST_NEIGHBOR: a tensor on another grid of its nearest elements."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.base.spelling import print_setting, read_name
from dmlviz.base.words import _
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import STEPS_SHOWN, Part, Point, Step, Steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.calculations import Calculation, calculation, size_alone
from dmlviz.operators.checks import agreeing_count, desc_fields, tensor_sizes, whole_number
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    axis_by_axis,
    call,
    commas,
    einops_snippet,
    numpy_snippet,
    plain_names,
    pytorch_snippet,
    tensorflow_snippet,
    tuple_text,
)
from dmlviz.operators.code.onnx import onnx_gathers
from dmlviz.operators.directions import along_words, direction
from dmlviz.operators.feature_levels import FLOATS, Support
from dmlviz.operators.misreadings import MISREADING_LIMIT, Candidate
from dmlviz.operators.older import OlderForm
from dmlviz.operators.per_dimension import Limit, RealPerDimension, real_numbers, single
from dmlviz.operators.rulers import CENTER, HALF, START, Ruler, resize_modes, usual_count
from dmlviz.operators.separable import Separable
from dmlviz.operators.settings import Choice, setting, with_settings
from dmlviz.operators.slots import INPUT, OUTPUT, TensorDesc
from dmlviz.tensors import DIMENSION_MAX, print_value, short_text
from dmlviz.tensors.numbering import take
from dmlviz.tensors.types import Array, Sizes, Tensors

NEAREST, LINEAR = "NEAREST_NEIGHBOR", "LINEAR"
UP, DOWN = "INCREASING", "DECREASING"

Rulers = Sequence[Ruler]

# ONNX Runtime's CPU provider casts FLOAT16, which quietens NaNs
_CPU_TYPES = frozenset({"FLOAT32", "INT32", "INT8", "UINT8"})


@dataclass(frozen=True)
class EnumMember(Choice):
    """A member of an enumeration; any other value is refused at once.

    Attributes:
        averaging: further members, which are refused because they average elements.
    """

    averaging: tuple[str, ...] = ()

    def checked(self, value: Any) -> str:
        names = (*self.options(()), *self.averaging)
        name = read_name(self.name, value, f"{self.enumeration}_", names)
        if name in self.averaging:
            raise Error(Resample.say("averages", field=self.name), self.name)
        if name not in names:
            raise Error(
                _("{field}: {value} is not one of {options}.").format(
                    field=self.name, value=short_text(value), options=", ".join(names)
                ),
                self.name,
            )
        return name


# ---- older structures: RESAMPLE1 and RESAMPLE round to the nearest, UPSAMPLE_2D repeats
#
# What they do is said in offsets of DML_RESAMPLE2. RESAMPLE1 rounds ``c + 0.5`` down, so its input
# offsets lie 0.5 lower here; RESAMPLE is RESAMPLE1 from center to center. DirectML 1.15.4 adds no
# 0.5 where these two have INT8 or UINT8, which RESAMPLE2 has right.

_RESAMPLE1 = "DML_RESAMPLE1_OPERATOR_DESC"
_RESAMPLE = "DML_RESAMPLE_OPERATOR_DESC"
_UPSAMPLE = "DML_UPSAMPLE_2D_OPERATOR_DESC"
_MODE, _COUNT, _SCALE_COUNT, _SCALES = "InterpolationMode", "DimensionCount", "ScaleCount", "Scales"
_OFFSETS = ("InputPixelOffsets", "OutputPixelOffsets")
_OUT = OUTPUT[0].name
_SCALE_SIZE, _WIDE, _HIGH = "ScaleSize", "Width", "Height"
_8_BITS = ("INT8", "UINT8")


def _read_resample1(desc: Mapping[str, Any]) -> dict[str, Any]:
    desc_fields(_RESAMPLE1, desc, (_MODE, _SCALES, *_OFFSETS), (_COUNT, _OUT))
    arrays = {name: real_numbers(name, desc[name]) for name in (_SCALES, *_OFFSETS)}
    agreeing_count(_RESAMPLE1, desc, _COUNT, arrays)
    return _nearest(desc, *arrays.values())


def _read_resample(desc: Mapping[str, Any]) -> dict[str, Any]:
    desc_fields(_RESAMPLE, desc, (_MODE, _SCALES), (_SCALE_COUNT, _OUT))
    scales = real_numbers(_SCALES, desc[_SCALES])
    agreeing_count(_RESAMPLE, desc, _SCALE_COUNT, {_SCALES: scales})
    return _nearest(desc, scales, (HALF,) * len(scales), (-HALF,) * len(scales))


def _nearest(
    desc: Mapping[str, Any],
    scales: tuple[float, ...],
    inputs: tuple[float, ...],
    outputs: tuple[float, ...],
) -> dict[str, Any]:
    """Rounded to the nearest: half a pixel further on, then down."""
    return {
        "rounding_direction": DOWN,
        "scales": scales,
        "input_pixel_offsets": tuple(single(offset - HALF) for offset in inputs),
        "output_pixel_offsets": outputs,
        "output_tensor_sizes": tensor_sizes(desc, _OUT),
        "interpolation_mode": _read_mode(desc),
    }


def _read_upsample(desc: Mapping[str, Any]) -> dict[str, Any]:
    desc_fields(_UPSAMPLE, desc, (_SCALE_SIZE, _MODE), (_OUT,))
    wide, high = _scale_size(desc[_SCALE_SIZE])
    rank = 4
    output_rank = len(tensor_sizes(desc, _OUT))
    if output_rank > rank:
        message = Resample.say("upsample-rank", structure=_UPSAMPLE, given=output_rank, rank=rank)
        raise Error(message, _OUT)
    none = (0.0,) * rank
    return {
        "rounding_direction": DOWN,
        "scales": (*(1.0,) * (rank - 2), float(high), float(wide)),
        "input_pixel_offsets": none,
        "output_pixel_offsets": none,
        "interpolation_mode": _read_mode(desc),
    }


def _scale_size(size: Any) -> tuple[int, int]:
    """Width and height of a ``DML_SIZE_2D``: by name, or in the structure's order, width first."""
    if isinstance(size, Mapping) and set(size) == {_WIDE, _HIGH}:
        both = [size[_WIDE], size[_HIGH]]
    elif isinstance(size, list | tuple) and len(size) == 2:
        both = list(size)
    else:
        raise Error(Resample.say("scale-size", value=short_text(size)), _SCALE_SIZE)
    wide, high = (whole_number(_SCALE_SIZE, number) for number in both)
    if not (1 <= wide <= DIMENSION_MAX and 1 <= high <= DIMENSION_MAX):
        value = short_text([wide, high])
        raise Error(Resample.say("scale-size-numbers", value=value), _SCALE_SIZE)
    return wide, high


def _read_mode(desc: Mapping[str, Any]) -> str:
    mode: str = replace(Resample.declared["interpolation_mode"], name=_MODE).checked(desc[_MODE])
    return mode


def _write_resample1(operator: Any, _data_type: str) -> dict[str, Any]:
    inputs = [single(offset + HALF) for offset in operator.input_pixel_offsets]
    arrays = (list(operator.scales), inputs, list(operator.output_pixel_offsets))
    return _write_mode(operator) | dict(zip((_SCALES, *_OFFSETS), arrays, strict=True))


def _write_resample(operator: Any, _data_type: str) -> dict[str, Any]:
    return _write_mode(operator) | {_SCALES: list(operator.scales)}


def _write_upsample(operator: Any, _data_type: str) -> dict[str, Any]:
    high, wide = (int(scale) for scale in (1, 1, *operator.scales)[-2:])
    return {_SCALE_SIZE: {_WIDE: wide, _HIGH: high}} | _write_mode(operator)


def _write_mode(operator: Any) -> dict[str, Any]:
    return {_MODE: operator.documented[_MODE]}


_OLDER = (
    OlderForm(
        "DML_OPERATOR_RESAMPLE1",
        _RESAMPLE1,
        (_MODE, _COUNT, _SCALES, *_OFFSETS),
        _read_resample1,
        write=_write_resample1,
        free_outputs=True,
        otherwise=_8_BITS,
    ),
    OlderForm(
        "DML_OPERATOR_RESAMPLE",
        _RESAMPLE,
        (_MODE, _SCALE_COUNT, _SCALES),
        _read_resample,
        write=_write_resample,
        free_outputs=True,
        otherwise=_8_BITS,
    ),
    OlderForm(
        "DML_OPERATOR_UPSAMPLE_2D",
        _UPSAMPLE,
        (_SCALE_SIZE, _MODE),
        _read_upsample,
        data_types=FLOATS,
        write=_write_upsample,
    ),
)


@with_settings
class Resample(Separable):
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

    >>> Resample("DECREASING", (2,), (0.5,), (-0.5,)).output_sizes((3,))
    (6,)
    >>> print(Resample("DECREASING", (2,), (0,), (-0.5,)).explain((3,), (3,)))
    out[w] = in[floor((w + 0.5) / 2)]
    out[3] = in[floor((3 + 0.5) / 2)] = in[1]
    """

    rounding_direction: str = setting(
        EnumMember,
        "RoundingDirection",
        offered=lambda sizes: (UP, DOWN),
        initial=DOWN,
        enumeration="DML_AXIS_DIRECTION",
    )
    scales: tuple[float, ...] = setting(
        RealPerDimension, "Scales", usual=1.0, positive=True, tried=(2.0, 3.0, 1.5, 0.5)
    )
    input_pixel_offsets: tuple[float, ...] = setting(
        RealPerDimension, "InputPixelOffsets", usual=0.5, tried=(0.0, 0.5)
    )
    output_pixel_offsets: tuple[float, ...] = setting(
        RealPerDimension, "OutputPixelOffsets", usual=-0.5, tried=(-0.5, 0.0)
    )
    output_tensor_sizes: tuple[int, ...] = setting(Limit, "OutputTensor.Sizes", default=())
    interpolation_mode: str = setting(
        EnumMember,
        "InterpolationMode",
        default=NEAREST,
        offered=lambda sizes: (NEAREST,),
        averaging=(LINEAR,),
        initial=NEAREST,
        enumeration="DML_INTERPOLATION_MODE",
    )

    dml: ClassVar[str] = "RESAMPLE2"
    key: ClassVar[str] = "resample"
    place: ClassVar[int] = 15
    counting: ClassVar[str] = _COUNT
    same_sizes: ClassVar[tuple[str, ...]] = (
        "interpolation_mode",
        "rounding_direction",
        "input_pixel_offsets",
        "output_pixel_offsets",
    )
    members: ClassVar[tuple[str, ...]] = (_MODE, "RoundingDirection", _COUNT, _SCALES, *_OFFSETS)
    support: ClassVar[tuple[Support, ...]] = (
        Support("5_1", (1, 2, 3, 4), FLOATS),
        Support("6_2", (1, 2, 3, 4), (*FLOATS, *_8_BITS)),
    )
    older_forms: ClassVar[tuple[OlderForm, ...]] = _OLDER

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        # a description gives the mode, although Python has a default for it
        needed = [member for member in cls.members if member != _COUNT]
        desc_fields(cls.structure, desc, needed, (_COUNT, _OUT))
        return super().from_desc(desc)

    # ---- the rule

    def for_beginners(self) -> Operator:
        # the center of each output pixel falls within one input pixel, never between two
        whole = tuple(scale if scale == 1 else max(2.0, math.ceil(scale)) for scale in self.scales)
        rank = len(whole)
        return replace(
            self,
            rounding_direction=DOWN,
            scales=whole,
            input_pixel_offsets=(START,) * rank,
            output_pixel_offsets=(CENTER,) * rank,
        )

    def ruler(self, d: int, size: int) -> Ruler:
        """The resampling of dimension ``d``, where the input has ``size``; for valid settings."""
        return Ruler(
            size,
            self.extent(d, size),
            self.scales[d],
            self.input_pixel_offsets[d],
            self.output_pixel_offsets[d],
            self.rounding_direction == UP,
        )

    def rulers(self, sizes: Sequence[int]) -> tuple[Ruler, ...]:
        """That of each dimension."""
        return tuple(map(self.ruler, range(len(sizes)), sizes))

    def extent(self, d: int, size: int) -> int:
        return self.output_tensor_sizes[d] or usual_count(size, self.scales[d])

    def along(self, d: int, i: Any, size: int) -> Any:
        ruler = self.ruler(d, size)
        return i if ruler.whole else ruler.fall(i).place

    def places_along(self, d: int, size: int) -> Array | None:
        ruler = self.ruler(d, size)
        return None if ruler.whole else ruler.places

    def rule_words(self, inputs: Tensors) -> str:
        return self.say("rounds-up" if self.rounding_direction == UP else "rounds-down")

    def size_rule(self) -> str:
        return "" if any(self.output_tensor_sizes) else self.say("size-rule")

    def sum_of(self, d: int, size: int) -> Calculation:
        scale, count = self.scales[d], self.output_tensor_sizes[d]
        if count or scale == 1:
            return size_alone(count or size)
        made = calculation("floor", calculation("·", size, scale))
        return made if size * scale >= 1 else calculation("max", 1, made)

    def problems_along(self, d: int, size: int) -> Iterator[Problem]:
        for field in ("scales", "input_pixel_offsets", "output_pixel_offsets"):
            number = getattr(self, field)[d]
            text = print_setting(number)
            if not math.isfinite(number):
                yield self.problem(field, "not-finite", field=field, number=text, d=d)
            elif field == "scales" and number <= 0:
                yield self.problem(field, "scale", number=text, d=d)
        count = self.output_tensor_sizes[d]
        if count < 0:
            yield self.problem("output_tensor_sizes", "size", size=short_text(count), d=d)

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        (x,) = inputs.values()
        rulers = self.rulers(x.sizes)
        modes = resize_modes(rulers)
        if modes is None:
            return None
        transformation, nearest = modes
        scales = np.array([1.0 if ruler.whole else ruler.scale for ruler in rulers], np.float32)
        node = Node(
            "Resize",
            (FLOW, Constant("roi", np.zeros(0, np.float32)), Constant("scales", scales)),
            {
                "mode": "nearest",
                "coordinate_transformation_mode": transformation,
                "nearest_mode": nearest,
            },
        )
        quieted = frozenset({"FLOAT16"})
        return Graph("native", (node,), cpu_types=_CPU_TYPES, directml_changes=quieted)

    # ---- examples, and settings that fit

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        # the page has no example: the nearest center, and an output larger than the scale fills
        square = np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3)
        row = np.array([1, 2, 3, 4, 5], np.float32)
        centers = ((0.0,) * 4, (CENTER,) * 4)
        return tuple(
            Example(
                _("Example {number}").format(number=number),
                operator,
                x,
                f"{cls.structure}, description",
            )
            for number, operator, x in (
                (1, cls(DOWN, (1, 1, 2, 2), *centers), square),
                (2, cls(DOWN, (1.5,), (0.5,), (CENTER,), (8,)), row),
            )
        )

    def alternative(self) -> Operator:
        other = UP if self.rounding_direction == DOWN else DOWN
        return replace(self, rounding_direction=other)

    def with_output_sizes(self, outputs: Mapping[str, Sizes]) -> Operator:
        wanted = outputs.get(_OUT, ())
        if len(wanted) != len(self.scales) or min(wanted, default=0) < 1:
            return self
        return replace(self, output_tensor_sizes=wanted)

    # ---- moves: pixel by pixel along one dimension after the other, the outermost first; while a
    # dimension goes on, those after it stay at their first pixel

    def moves(self, inputs: Tensors) -> Steps:
        (x,) = inputs.values()
        rulers = self.rulers(x.shape)
        out = tuple(ruler.count for ruler in rulers)
        changed = [d for d, ruler in enumerate(rulers) if not ruler.whole]
        step_of = np.zeros(out, np.int32)
        at = [(0, 0)]
        for d in changed:
            several = min(rulers[d].count, STEPS_SHOWN)
            along = np.minimum(np.arange(out[d]), several - 1) + len(at) - 1
            here = along.reshape([-1 if e == d else 1 for e in range(len(out))])
            step_of = np.where(here >= len(at), here, step_of).astype(np.int32)
            at += [(d, k) for k in range(1, several)]
        moved = np.bincount(step_of.ravel(), minlength=len(at)).tolist()
        steps = [self._first(rulers, changed, moved[0])]
        for (d, k), n in zip(at[1:], moved[1:], strict=True):
            last = rulers[d].count - 1 if k == STEPS_SHOWN - 1 else k
            steps.append(self._step(rulers, d, k, last, n))
        flat = step_of.ravel()
        return Steps(tuple(steps), flat, np.full(flat.size, -1, np.int64))

    def _first(self, rulers: Rulers, changed: Sequence[int], n: int) -> Step:
        if not changed:
            return Step(self.say("unchanged-title"), self.say("unchanged", n, n=n))
        if len(changed) == 1:
            return self._step(rulers, changed[0], 0, 0, n)
        ways = [direction(len(rulers), d) for d in changed]
        each = zip(changed, ways, strict=True)
        where = " ".join(self._where(rulers[d], 0, way) for d, way in each)
        points = tuple(point for d in changed for point in _points(d, rulers[d], 0))
        caption = f"{where} {self.say('copied', n, n=n)}"
        return Step(self.say("first-title"), caption, points=points)

    def _step(self, rulers: Rulers, d: int, k: int, last: int, n: int) -> Step:
        ruler, way = rulers[d], direction(len(rulers), d)
        if last == k:
            caption = f"{self._where(ruler, k)} {self.say('copied', n, n=n)}"
            return Step(
                self.say("pixel-title", direction=way, k=k), caption, points=_points(d, ruler, k)
            )
        one, other = ruler.fall(k), ruler.fall(last)
        caption = self.say(
            "pixels-same" if one.place == other.place else "pixels",
            k=k,
            last=last,
            there=_number(one.there),
            last_there=_number(other.there),
            place=one.place,
            last_place=other.place,
            n=n,
        )
        return Step(self.say("pixels-title", direction=way, k=k, last=last), caption)

    def _where(self, ruler: Ruler, k: int, way: str = "") -> str:
        """The place of an output pixel, and its index; ``way`` if the title has no direction."""
        fall = ruler.fall(k)
        numbers: dict[str, Any] = {
            "direction": way,
            "point": _number(fall.point),
            "there": _number(fall.there),
            "offset": _number(abs(ruler.input_offset)),
            "coordinate": _number(fall.coordinate),
            "index": _number(fall.rounded),
            "place": fall.place,
        }
        point = {CENTER: "center", START: "start"}.get(ruler.output_offset, "point")
        sign = "minus-" if ruler.input_offset > 0 else "plus-" if ruler.input_offset < 0 else ""
        sentences = [
            self.say(f"falls-{point}" + ("-in" if way else ""), **numbers),
            self.say(f"rounded-{sign}{'up' if ruler.up else 'down'}", **numbers),
        ]
        if fall.rounded != fall.place:
            sentences.append(self.say("edge", **numbers))
        return " ".join(sentences)

    # ---- the parts of the rule: the tensor after each dimension, if several change

    def rule_parts(self, inputs: Tensors) -> tuple[Part, ...]:
        (x,) = inputs.values()
        self.output_sizes(x.shape)
        return tuple(self._parts(x.shape))

    @classmethod
    def rule_parts_title(cls) -> str:
        return cls.say("parts-title")

    def _parts(self, sizes: Sizes) -> Iterator[Part]:
        before: Part | Sizes = sizes
        after = list(sizes)
        changed = self.changed(sizes)
        for d, places in changed.items() if len(changed) > 1 else ():
            ruler = self.ruler(d, sizes[d])
            count = after[d] = ruler.count
            there = [_number(ruler.fall(k).there) for k in _few(count)]
            caption = self.say(
                "part",
                n=count,
                there=_listed(there, count),
                places=_listed([str(places[k]) for k in _few(count)], count),
            )
            way = direction(len(sizes), d)
            title = self.say("part-title", direction=way, size=sizes[d], count=count)
            taking = partial(take, places=places, axis=d)
            before = Part(title, caption, tuple(after), before, taking)
            yield before

    # ---- misreadings

    def misread(self, x: Array) -> Iterator[Candidate]:
        rulers = self.rulers(x.shape)
        truth = [ruler.places for ruler in rulers]
        for d in reversed(range(x.ndim)):
            ruler = rulers[d]
            if ruler.whole:
                continue
            numbers = {
                "along": along_words(x.ndim, d),
                "first": int(ruler.places[0]),
                "count": ruler.count,
                "scale": print_setting(ruler.scale),
                "input": print_setting(ruler.input_offset),
                "output": print_setting(ruler.output_offset),
                "repeats": ruler.repeats,
            }
            for key, places in ruler.misread():
                message = self.say(f"misread-{key}", **numbers)
                # the same misconception has a key for each dimension
                key = "other-rounding" if key in ("up", "down") else key
                yield f"{key}-{d}", message, _taken(x, [*truth[:d], places, *truth[d + 1 :]])
        if x.ndim > 1:
            *outer, high, wide = rulers
            swapped = [*outer, high.with_settings_of(wide), wide.with_settings_of(high)]
            places_of = [ruler.places for ruler in swapped]
            if np.prod([len(places) for places in places_of], dtype=float) <= MISREADING_LIMIT:
                yield "swapped", self.say("misread-swapped"), _taken(x, places_of)

    # ---- other dialects

    def onnx_code(self, case: Case, inputs: Mapping[str, TensorDesc]) -> Snippet:
        if self.native_graph(inputs) is not None:
            return super().onnx_code(case, inputs)
        rulers = enumerate(self.rulers(case.sizes))
        changed = {d: ruler for d, ruler in rulers if not ruler.whole}
        before = [f"i{d} = {ruler.text('np')}" for d, ruler in changed.items()]
        indices = {
            d: f"np.clip(i{d}, 0, {ruler.size - 1}).astype(np.int64)"
            for d, ruler in changed.items()
        }
        note = self.say("onnx-gathers") if changed else ""
        return onnx_gathers(case, "indices", indices, before, note)

    def onnx_note(self, case: Case) -> str:
        return self.say("onnx-evaluator") if case.data_type.startswith("FLOAT") else ""

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        rulers = self.rulers(case.sizes)
        return (
            numpy_snippet(case, _axes(rulers, "np", "y = x.copy()")),
            _pytorch(case, rulers),
            _tensorflow(case, rulers),
            self._einops(case, rulers),
        )

    def _einops(self, case: Case, rulers: Rulers) -> Snippet:
        repeats = [ruler.repeats for ruler in rulers]
        if not all(repeats):
            return Snippet("einops", note=self.say("einops"))
        before = plain_names(len(repeats))
        lengths = {f"r{name}": n for name, n in zip(before, repeats, strict=True) if n > 1}
        after = [f"({name} r{name})" if f"r{name}" in lengths else name for name in before]
        return einops_snippet(case, "repeat", f"{' '.join(before)} -> {' '.join(after)}", lengths)


def _points(d: int, ruler: Ruler, k: int) -> tuple[Point, ...]:
    """An output pixel's point on both rulers."""
    fall = ruler.fall(k)
    return Point(INPUT[0].name, d, float(fall.there)), Point(_OUT, d, float(fall.point))


def _number(value: Any) -> str:
    # a number rounded up to 0 has no minus sign here
    return print_value(np.float32(value + 0.0))


def _few(count: int) -> list[int]:
    return [*range(5), count - 1] if count > 7 else list(range(count))


def _listed(texts: Sequence[str], count: int) -> str:
    return ", ".join([*texts[:-1], "…", texts[-1]] if len(texts) < count else texts)


def _taken(x: Array, places: Sequence[Array]) -> Array:
    """The elements at these places, and none where a place is -1."""
    taken: Array = x[np.ix_(*places)]
    for d, along in enumerate(places):
        taken[(slice(None),) * d + (along < 0,)] = -1
    return taken


def _axes(rulers: Rulers, library: str, copy: str) -> list[str]:
    """Lines that repeat or gather in one dimension after the other."""

    def lines(d: int, tensor: str) -> list[str]:
        ruler, repeats, last = rulers[d], rulers[d].repeats, rulers[d].size - 1
        if repeats:
            repeated = {
                "np": f"np.repeat({tensor}, {repeats}, axis={d})",
                "torch": f"{tensor}.repeat_interleave({repeats}, dim={d})",
                "tf": f"tf.repeat({tensor}, {repeats}, axis={d})",
            }
            return [f"y = {repeated[library]}"]
        inside = {
            "np": f"np.clip(i, 0, {last}).astype(np.int64)",
            "torch": f"i.clamp(0, {last}).to(torch.int64)",
            "tf": f"tf.cast(tf.clip_by_value(i, 0.0, {last}.0), tf.int64)",
        }[library]
        gather = {
            "np": ("y = np.take", tensor, inside, f"axis={d}"),
            "torch": (f"y = {tensor}.index_select", str(d), inside),
            "tf": ("y = tf.gather", tensor, inside, f"axis={d}"),
        }
        return [f"i = {ruler.text(library)}", call(*gather[library])]

    return axis_by_axis((d for d, ruler in enumerate(rulers) if not ruler.whole), lines, copy)


def _pytorch(case: Case, rulers: Rulers) -> Snippet:
    outer, spatial = rulers[:2], rulers[2:]
    # only floats are interpolated in every version
    if case.data_type == "FLOAT32" and len(rulers) in (3, 4) and _only(spatial, outer):
        for mode, point in (("nearest", 0.0), ("nearest-exact", HALF)):
            if all(ruler.by_sizes(point) for ruler in spatial):
                size = tuple_text([ruler.count for ruler in spatial])
                line = call("y = F.interpolate", "x", f"size={size}", f'mode="{mode}"')
                return pytorch_snippet(case, [line])
    return pytorch_snippet(case, _axes(rulers, "torch", "y = x.clone()"))


def _tensorflow(case: Case, rulers: Rulers) -> Snippet:
    # height and width come before the channels
    spatial, outer = rulers[1:3], rulers[::3]
    pictures = len(rulers) == 4 and _only(spatial, outer)
    if pictures and all(ruler.by_sizes(HALF) for ruler in spatial):
        size = commas([ruler.count for ruler in spatial])
        line = call("y = tf.image.resize", "x", f"[{size}]", 'method="nearest"')
        return tensorflow_snippet(case, [line])
    return tensorflow_snippet(case, _axes(rulers, "tf", "y = tf.identity(x)"))


def _only(spatial: Rulers, outer: Rulers) -> bool:
    """Whether height or width changes, and no other dimension."""
    return all(ruler.whole for ruler in outer) and not all(ruler.whole for ruler in spatial)
