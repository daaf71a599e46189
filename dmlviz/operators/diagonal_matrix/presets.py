"""DiagonalMatrix: the documentation's example, triangles, bands, masks, matrices in a stack."""

from __future__ import annotations

import numpy as np

from dmlviz.operators.diagonal_matrix.operator import DiagonalMatrix
from dmlviz.operators.teaching import Opened, Opening, Question, listed, opening
from dmlviz.words import _

_ALL = 1 << 20
"""Beyond every diagonal in a drawing."""


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (documentation(), upper_or_lower(), band(), turned_round(), mask())


def documentation() -> Question:
    """The first example of DirectML's page that has an input."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "It is filled too: row 0 begins with {first}. The main diagonal is number 0, and "
            "all diagonals before {end} are filled. The first one kept has {kept}."
        ).format(
            first=listed(trace.output[0, :2]),
            end=preset.operator.diagonal_fill_end,
            kept=listed(np.diagonal(trace.output, 1)),
        )

    return Question(
        "diagonal-matrix-documentation",
        _("The documentation's example"),
        _("Diagonals before 1 are filled with 0: what happens to the main diagonal?"),
        tell,
        Opening(),
        pictured=True,
    )


def upper_or_lower() -> Question:
    """The two triangles."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace().output, preset.second_trace().output
        return _(
            "A keeps the upper one: its last row is {a}. B fills from diagonal 1 on and keeps the "
            "lower one: its last row is {b}. Both keep the main diagonal, {main}."
        ).format(a=listed(a[-1]), b=listed(b[-1]), main=listed(np.diagonal(a)))

    return Question(
        "diagonal-matrix-triangles",
        _("Two triangles"),
        _("Diagonals before 0 are filled, or those from 1 on: which triangle is kept?"),
        tell,
        opening(DiagonalMatrix(0, -_ALL, 0), (4, 4), compare=DiagonalMatrix(0, 1, _ALL)),
    )


def band() -> Question:
    """A strip of several diagonals."""

    def tell(preset: Opened) -> str:
        output = preset.trace().output
        filled = int((output == preset.operator.value).sum())
        return _(
            "{n}: diagonals 0, 1 and 2, not 3; the end is not part of it. Row 0 is {row}."
        ).format(n=filled, row=listed(output[0]))

    return Question(
        "diagonal-matrix-band",
        _("A band"),
        _("Diagonals 0 to 3, filled with 99: how many elements of a 4 by 5 matrix become 99?"),
        tell,
        opening(DiagonalMatrix(99, 0, 3), (4, 5)),
    )


def turned_round() -> Question:
    """Begin greater than end."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace().output, preset.second_trace().output
        return _(
            "Everything else: in this order the diagonals from {end} up to, but not "
            "including, {begin} are kept: {kept}. In the other order (B) only those are "
            "filled, and row 0 is {row}."
        ).format(
            end=preset.operator.diagonal_fill_end,
            begin=preset.operator.diagonal_fill_begin,
            kept=listed(np.diagonal(a)),
            row=listed(b[0]),
        )

    return Question(
        "diagonal-matrix-turned-round",
        _("Begin 1, end 0"),
        _("The begin is after the end: is nothing filled, or everything else?"),
        tell,
        opening(DiagonalMatrix(0, 1, 0), (4, 4), compare=DiagonalMatrix(0, 0, 1)),
    )


def mask() -> Question:
    """A mask for attention."""

    def tell(preset: Opened) -> str:
        output = preset.trace().output
        return _(
            "Itself and word 0: its row is {row}. Softmax turns {value} into 0, so it sees no word "
            "after it. The last word sees all four."
        ).format(row=listed(output[0, 1]), value=listed(output[0, 1, -1:]))

    return Question(
        "diagonal-matrix-mask",
        _("A causal mask"),
        _("Value is -inf from diagonal 1 on: what does word 1 see of four words?"),
        tell,
        opening(DiagonalMatrix(float("-inf"), 1, _ALL), (2, 4, 4), data_type="FLOAT32"),
    )
