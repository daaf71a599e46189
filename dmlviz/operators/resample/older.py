"""Older structures of the same: RESAMPLE1 and RESAMPLE round to the nearest, UPSAMPLE_2D repeats.

What they do is said in offsets of DML_RESAMPLE2. RESAMPLE1 rounds ``c + 0.5`` down, so its input
offsets lie 0.5 lower here; RESAMPLE is RESAMPLE1 from centre to centre. DirectML 1.15.4 adds no 0.5
where these two have INT8 or UINT8, which RESAMPLE2 has right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dmlviz.errors import Error
from dmlviz.operators.checks import agreeing_count, desc_fields, tensor_sizes, whole_number
from dmlviz.operators.feature_levels import FLOATS
from dmlviz.operators.older import OlderForm
from dmlviz.operators.reals import real_numbers, single
from dmlviz.operators.resample.modes import read_mode
from dmlviz.operators.slots import OUTPUT
from dmlviz.tensors import DIMENSION_MAX, shown
from dmlviz.words import _

_RESAMPLE1 = "DML_RESAMPLE1_OPERATOR_DESC"
_RESAMPLE = "DML_RESAMPLE_OPERATOR_DESC"
_UPSAMPLE = "DML_UPSAMPLE_2D_OPERATOR_DESC"
_MODE, _COUNT, _SCALES = "InterpolationMode", "DimensionCount", "Scales"
_OFFSETS = ("InputPixelOffsets", "OutputPixelOffsets")
_OUT = OUTPUT[0].name
_HALF = 0.5
_WIDE, _HIGH = "Width", "Height"
_SCALE_SIZE = "ScaleSize"
_8_BITS = ("INT8", "UINT8")


def _read_resample1(desc: Mapping[str, Any]) -> dict[str, Any]:
    desc_fields(_RESAMPLE1, desc, (_MODE, _SCALES, *_OFFSETS), (_COUNT, _OUT))
    arrays = {name: real_numbers(name, desc[name]) for name in (_SCALES, *_OFFSETS)}
    agreeing_count(_RESAMPLE1, desc, _COUNT, arrays)
    return _nearest(desc, *arrays.values())


def _read_resample(desc: Mapping[str, Any]) -> dict[str, Any]:
    count = "ScaleCount"
    desc_fields(_RESAMPLE, desc, (_MODE, _SCALES), (count, _OUT))
    scales = real_numbers(_SCALES, desc[_SCALES])
    agreeing_count(_RESAMPLE, desc, count, {_SCALES: scales})
    return _nearest(desc, scales, (_HALF,) * len(scales), (-_HALF,) * len(scales))


def _nearest(
    desc: Mapping[str, Any],
    scales: tuple[float, ...],
    inputs: tuple[float, ...],
    outputs: tuple[float, ...],
) -> dict[str, Any]:
    """Rounded to the nearest: half a pixel further on, then down."""
    return {
        "rounding_direction": "DECREASING",
        "scales": scales,
        "input_pixel_offsets": tuple(single(offset - _HALF) for offset in inputs),
        "output_pixel_offsets": outputs,
        "output_tensor_sizes": tensor_sizes(desc, _OUT),
        "interpolation_mode": read_mode(desc[_MODE], _MODE),
    }


def _read_upsample(desc: Mapping[str, Any]) -> dict[str, Any]:
    desc_fields(_UPSAMPLE, desc, (_SCALE_SIZE, _MODE), (_OUT,))
    wide, high = _scale_size(desc[_SCALE_SIZE])
    rank = 4
    given = len(tensor_sizes(desc, _OUT))
    if given > rank:
        message = _(
            "desc: {structure} with {given} dimensions is not shown: it is read as DML_RESAMPLE2, "
            "which takes 1 to {rank}."
        )
        raise Error(message.format(structure=_UPSAMPLE, given=given, rank=rank), _OUT)
    none = (0.0,) * rank
    return {
        "rounding_direction": "DECREASING",
        "scales": (*(1.0,) * (rank - 2), float(high), float(wide)),
        "input_pixel_offsets": none,
        "output_pixel_offsets": none,
        "interpolation_mode": read_mode(desc[_MODE], _MODE),
    }


def _scale_size(given: Any) -> tuple[int, int]:
    """Width and height of a ``DML_SIZE_2D``: by name, or in the structure's order, width first."""
    if isinstance(given, Mapping) and set(given) == {_WIDE, _HIGH}:
        both = [given[_WIDE], given[_HIGH]]
    elif isinstance(given, list | tuple) and len(given) == 2:
        both = list(given)
    else:
        raise Error(
            _('desc: ScaleSize is {value}; it must look like {{"Width": 2, "Height": 3}}.').format(
                value=shown(given)
            ),
            _SCALE_SIZE,
        )
    wide, high = (whole_number(_SCALE_SIZE, number) for number in both)
    if not (1 <= wide <= DIMENSION_MAX and 1 <= high <= DIMENSION_MAX):
        raise Error(
            _("desc: ScaleSize is {value}; both numbers must be 1 or more.").format(
                value=shown([wide, high])
            ),
            _SCALE_SIZE,
        )
    return wide, high


def _write_resample1(operator: Any, _data_type: str) -> dict[str, Any]:
    inputs = [single(offset + _HALF) for offset in operator.input_pixel_offsets]
    arrays = (list(operator.scales), inputs, list(operator.output_pixel_offsets))
    return _mode(operator) | dict(zip((_SCALES, *_OFFSETS), arrays, strict=True))


def _write_resample(operator: Any, _data_type: str) -> dict[str, Any]:
    return _mode(operator) | {_SCALES: list(operator.scales)}


def _write_upsample(operator: Any, _data_type: str) -> dict[str, Any]:
    high, wide = (int(scale) for scale in (1, 1, *operator.scales)[-2:])
    return {_SCALE_SIZE: {_WIDE: wide, _HIGH: high}} | _mode(operator)


def _mode(operator: Any) -> dict[str, Any]:
    return {_MODE: operator.documented[_MODE]}


OLDER = (
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
        (_MODE, "ScaleCount", _SCALES),
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
"""Operator type, structure, members, and how they are read."""
