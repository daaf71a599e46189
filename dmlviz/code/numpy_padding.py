"""NumPy's ``pad``: its modes, each with the keywords that it takes.

Source of the rules: numpy.org/doc/2.4/reference, and NumPy 2.4 itself, which the tests run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.code import rules
from dmlviz.code.arguments import as_tensor
from dmlviz.code.builder import PAD_MODES, Builder
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor
from dmlviz.tensors import short_text

_COMPUTING_PAD_MODES = ("linear_ramp", "maximum", "mean", "median", "minimum")
_REFLECTING = ("reflect", "symmetric")


def _check_pad_keywords(
    mode: str, constant_values: Any, reflect_type: Any, stat_length: Any, end_values: Any
) -> None:
    """Refuse what NumPy refuses: a keyword of another mode."""
    due = {
        "constant_values": (constant_values, ("constant",)),
        "reflect_type": (reflect_type, _REFLECTING),
        "stat_length": (stat_length, ()),
        "end_values": (end_values, ()),
    }
    for name, (value, modes) in due.items():
        if value is not None and mode not in modes:
            raise CodeRefused(
                "argument",
                _("mode={mode} takes no {name}; leave it out.").format(mode=mode, name=name),
            )
    if reflect_type not in (None, "even"):
        raise rules.unknown_mode(reflect_type, ("even", "odd"), "reflect_type")


def pad(
    b: Builder,
    array: Any,
    pad_width: Any,
    mode: Any = "constant",
    *,
    constant_values: Any = None,
    reflect_type: Any = None,
    stat_length: Any = None,
    end_values: Any = None,
) -> Tensor:
    """NumPy's ``pad`` in its modes that copy elements.

    Raises:
        CodeRefused: the mode computes new values, or NumPy has no such mode or keyword of it.
    """
    x = as_tensor(b, array)
    if mode in _COMPUTING_PAD_MODES or (mode in _REFLECTING and reflect_type == "odd"):
        message = _("mode={mode} computes new values; modes that copy are {modes}.")
        if reflect_type == "odd":
            message = _("reflect_type=odd computes new values; with even, {mode} copies elements.")
        raise CodeRefused(
            "computes", message.format(mode=short_text(mode), modes=", ".join(PAD_MODES))
        )
    if mode not in PAD_MODES:
        raise rules.unknown_mode(mode, PAD_MODES)
    _check_pad_keywords(mode, constant_values, reflect_type, stat_length, end_values)
    constant_values = 0 if constant_values is None else constant_values
    widths = _pairs(b, pad_width, x.rank)
    if (widths < 0).any() or widths.dtype.kind not in "iu":
        raise CodeRefused("argument", _("Padding must be whole numbers of 0 or more."))
    values = _pairs(b, constant_values, x.rank)
    if mode != "constant" or len(set(values.ravel().tolist())) == 1:
        value = values.ravel()[0].item() if x.rank else 0
        return b.pad(x, widths[:, 0].tolist(), widths[:, 1].tolist(), mode, value)
    none = [0] * x.rank
    for d, side in np.ndindex(x.rank, 2):
        width = [int(widths[d, side]) if axis == d else 0 for axis in range(x.rank)]
        sides = (none, width) if side else (width, none)
        x = b.pad(x, *sides, "constant", values[d, side].item())
    return x


def _pairs(b: Builder, numbers: Any, rank: int) -> Any:
    """Two numbers for each dimension, as NumPy broadcasts them."""
    pairs = b.control_values(as_tensor(b, numbers))
    try:
        return np.broadcast_to(pairs, (rank, 2))
    except ValueError:
        raise CodeRefused(
            "argument",
            _("There must be one pair of numbers for each of {rank} dimensions.").format(rank=rank),
        ) from None
