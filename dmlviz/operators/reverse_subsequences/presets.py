"""ReverseSubsequences: the documentation's example, padded sentences, columns, lengths, beyond."""

from __future__ import annotations

import numpy as np

from dmlviz.operators.reverse_subsequences.operator import ReverseSubsequences
from dmlviz.operators.reverse_subsequences.turning import INPUT, LENGTHS
from dmlviz.operators.teaching import Input, Opened, Opening, Question, listed, opening
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (documentation(), sentences(), columns(), still(), whole(), one_each(), beyond())


def documentation() -> Question:
    """The first example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        x, lengths = trace.inputs[INPUT], trace.inputs[LENGTHS].ravel()
        return _(
            "The first {length} of {row} are reversed: {output}. Where the length is "
            "{whole}, the whole row is reversed: {second}."
        ).format(
            length=int(lengths[0]),
            row=listed(x[0, 0, 0]),
            output=listed(trace.output[0, 0, 0]),
            whole=int(lengths[1]),
            second=listed(trace.output[0, 0, 1]),
        )

    return Question(
        "reverse-subsequences-documentation",
        _("The documentation's example"),
        _("Rows of four, lengths 2, 4 and 3: what does each row become?"),
        tell,
        Opening(),
        pictured=True,
    )


def sentences() -> Question:
    """Sentences of different length, padded to one size, as a bidirectional network reads them."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        x = trace.inputs[INPUT]
        return _(
            "After the words, where they were: the first row becomes {row}. Reversing the "
            "whole row would bring the zeros to the front: {flipped}."
        ).format(row=listed(trace.output[0]), flipped=listed(x[0][::-1]))

    return Question(
        "reverse-subsequences-sentences",
        _("Sentences padded with zeros"),
        _("Sentences of 2, 5 and 3 words are read backward: where do the zeros end up?"),
        tell,
        _opening(1, (3, 5), (3, 1), "2,5,3", literal="11,12,0,0,0,21,22,23,24,25,31,32,33,0,0"),
    )


def columns() -> Question:
    """Along dimension 0."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "Along dimension 0 each column is a sequence, and {sizes} holds one length for each: "
            "column 0 has length {length} and becomes {column}."
        ).format(
            sizes=print_sizes(trace.inputs[LENGTHS].shape),
            length=int(trace.inputs[LENGTHS].flat[0]),
            column=listed(trace.output[:, 0]),
        )

    return Question(
        "reverse-subsequences-columns",
        _("Column by column"),
        _("With Axis 0, how many lengths does a tensor of 4 rows and 3 columns need?"),
        tell,
        _opening(0, (4, 3), (1, 3), "4,2,3"),
    )


def still() -> Question:
    """Lengths that change nothing."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        lengths = trace.inputs[LENGTHS].ravel()
        same = (trace.output == trace.inputs[INPUT]).all(axis=1)
        return _(
            "{lengths}: with no element, or a single one, there is nothing to reverse. "
            "Length {two} already swaps two: {row}."
        ).format(
            lengths=listed(lengths[same]),
            two=int(lengths[~same][0]),
            row=listed(trace.output[np.flatnonzero(~same)[0]]),
        )

    return Question(
        "reverse-subsequences-still",
        _("Lengths that do nothing"),
        _("Lengths 0, 1 and 2: which rows stay as they are?"),
        tell,
        _opening(1, (3, 4), (3, 1), "0,1,2"),
    )


def whole() -> Question:
    """Every length is the size of the axis."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        n = trace.output.shape[1]
        flipped = np.flip(trace.inputs[INPUT], 1)
        return _(
            "Yes: the first row becomes {row}, and np.flip gives {flipped}. A length of more than "
            "{n} is refused here: DirectML would not clamp it to {n}, although its page says so."
        ).format(row=listed(trace.output[0]), flipped=listed(flipped[0]), n=n)

    return Question(
        "reverse-subsequences-whole",
        _("Whole rows"),
        _("Every length is the size of the axis: is that np.flip?"),
        tell,
        _opening(1, (2, 5), (2, 1), "5,5"),
    )


def one_each() -> Question:
    """One length for each sequence, not for each batch."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        lengths = trace.inputs[LENGTHS]
        return _(
            "{count}, one for each sequence of {n}: sizes {sizes}. ONNX's ReverseSequence and "
            "tf.reverse_sequence take one for each batch, {batches} here."
        ).format(
            count=lengths.size,
            n=trace.output.shape[1],
            sizes=print_sizes(lengths.shape),
            batches=lengths.shape[0],
        )

    return Question(
        "reverse-subsequences-each",
        _("One length for each sequence"),
        _("2 by 4 by 3 elements, reversed along dimension 1: how many lengths are there?"),
        tell,
        _opening(1, (2, 4, 3), (2, 1, 3), "2,4,1,3,0,4"),
    )


def beyond() -> Question:
    """Lengths beyond the axis, from recordings: refused here."""
    values = (
        "70014,-70003,70006,70013,-70001,70008,70012,-70010,70015,70005,-70011,70007,70004,-70009,"
        "70002"
    )
    return Question(
        "reverse-subsequences-beyond",
        _("A length beyond the axis"),
        _("Rows have five elements: does a length of 6 reverse the whole row?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        _opening(1, (3, 5), (3, 1), "6,100,4294967295", literal=values),
    )


def _opening(
    axis: int, sizes: tuple[int, ...], lengths: tuple[int, ...], text: str, literal: str = ""
) -> Opening:
    more = {LENGTHS: Input(lengths, data_type="UINT32", literal=text)}
    values = "own" if literal else "count-1"
    return opening(ReverseSubsequences(axis), sizes, values, literal=literal, more=more)
