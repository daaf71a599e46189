"""The same code with small sizes, of which all is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dmlviz.code.other_sizes import smaller_numbers
from dmlviz.states.code import CodeState, is_read
from dmlviz.states.page import PageState
from dmlviz.tensors.types import Sizes


def small_code(state: PageState) -> CodeState | None:
    """The same code with small sizes, and with small numbers where it leaves them open.

    Returns:
        None if all of it is drawn, or if its tensors cannot be small enough for that.
    """
    if not isinstance(state, CodeState) or not state.is_large or state.compares:
        return None
    tensors = state.tensors
    sizes = {n: one.sizes for n, one in tensors.items() if not one.control}
    numbers = {n: int(one.array(None, 0, 1)) for n, one in tensors.items() if one.is_number}

    def changed(new: Mapping[str, Sizes], small: Mapping[str, int]) -> CodeState:
        made = tensors
        for name, of in new.items():
            made = made.with_tensor(name, replace(tensors[name], sizes=of))
        for name, number in small.items():
            made = made.with_tensor(name, replace(tensors[name], literal=str(number)))
        return replace(state, tensors=made, middle=())

    def accepted(new: Mapping[str, Sizes], small: Mapping[str, int]) -> bool:
        return is_read(changed(new, small))

    small = changed(*smaller_numbers(sizes, numbers, accepted, state.code))
    return None if small.is_large or not is_read(small) else small
