"""Where libraries differ in how tensors are indexed, written to, and kept in memory."""

from __future__ import annotations

from collections.abc import Callable

from dmlviz.base.deferred import dataclass


@dataclass(frozen=True)
class Conventions:
    """How a library's tensors behave where not all libraries do the same; the usual as defaults.

    Attributes:
        has_views: whether a part of a tensor, or a tensor in another order, lies in the memory of
            the whole one, so that a write to one changes the other.
        flip_copies: whether reversing dimensions copies, where parts are views.
        repeats_writable: whether a view can be written to that has an element of memory twice, or
            that a function made of a diagonal or of windows.
        scalars_apart: whether a subscript that chooses one element copies it.
        copies_first: whether an assignment copies what it reads before it writes.
        copy_method: the method that copies a tensor.
        list_indices: ``any`` lists can choose places, only ``flat`` ones, or ``none``.
        basic_only: whether subscripts take only numbers and slices, or one mask.
        gather: the function for other indices, where subscripts take only these.
        reads_masks: whether a mask can choose the elements that are read.
        numbers_first: whether numbers in a subscript are applied before lists of places.
        backward_slices: whether slices can have a negative step.
        backward: the function that reverses, where slices cannot.
        counts_from_end: whether a negative index counts from the end.
        unsorted_cuts: whether a tensor can be divided at places that do not ascend.
        float_bits, whole_bits: of numbers that code writes with a point, and without.
        outside: what the library does with an index that a dimension does not have, for readers,
            with the placeholders i, size, first and last; None if it refuses it. The argument says
            whether a call of ``take`` or ``take_along_axis`` has the index.
    """

    has_views: bool = True
    flip_copies: bool = False
    repeats_writable: bool = True
    scalars_apart: bool = False
    copies_first: bool = True
    copy_method: str = "copy"
    list_indices: str = "any"
    basic_only: bool = False
    gather: str = ""
    reads_masks: bool = True
    numbers_first: bool = False
    backward_slices: bool = True
    backward: str = ""
    counts_from_end: bool = True
    unsorted_cuts: bool = True
    float_bits: int = 32
    whole_bits: int = 64
    outside: Callable[[bool], str] | None = None
