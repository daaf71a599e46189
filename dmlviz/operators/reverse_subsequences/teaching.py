"""How ReverseSubsequences is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.reverse_subsequences.misread import misread_reverse
from dmlviz.operators.reverse_subsequences.names import names
from dmlviz.operators.reverse_subsequences.operator import ReverseSubsequences
from dmlviz.operators.reverse_subsequences.presets import presets
from dmlviz.operators.reverse_subsequences.turning import INPUT, LENGTHS
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "swap_horiz"
FAMILY = "rearrange"


def title() -> str:
    """Its display name."""
    return _("Reverse subsequences")


def sentence() -> str:
    """What it does."""
    return _("Reverses the beginning of each sequence.")


def misread(operator: ReverseSubsequences, inputs: Mapping[str, Array]) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_reverse(operator.axis, inputs[INPUT], inputs[LENGTHS])


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    rows = np.arange(1, 16, dtype=np.float32).reshape(3, 5)
    deep = np.arange(1, 25, dtype=np.float32).reshape(2, 4, 3)
    empty = np.array([[0], [3], [5]], np.uint32)
    each = np.array([[[2, 4, 1]], [[3, 0, 4]]], np.uint32)
    return (
        EngineCase(
            "reverse-subsequences-empty",
            _("ReverseSubsequences with a length of 0, which ONNX Runtime 1.24.4 fills with zeros"),
            ReverseSubsequences(1),
            {INPUT: rows, LENGTHS: empty},
            _(
                "Up to version 1.24.4, ReverseSequence of ONNX Runtime's CPU provider fills a "
                "sequence of length 0 with zeros instead of copying it. dmlviz runs "
                "GatherElements instead."
            ),
        ),
        EngineCase(
            "reverse-subsequences-each",
            _(
                "ReverseSubsequences of rank 3: ONNX has too few lengths, and DirectML's provider "
                "1.24.4 reads the wrong ones"
            ),
            ReverseSubsequences(1),
            {INPUT: deep, LENGTHS: each},
            _(
                "ReverseSequence has one length for each batch. Version 1.24.4 of DirectML's "
                "provider reads as many lengths as there are sequences, so from rank 3 on its "
                "output is wrong, without an error. dmlviz runs GatherElements instead."
            ),
        ),
    )
