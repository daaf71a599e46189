"""What an explorer's printed page shows besides the picture; it is hidden on the screen."""

from __future__ import annotations

from dmlviz.app.address import Addressable, page_address, whole_address
from dmlviz.app.text import plain
from dmlviz.picture.scene import Scene
from dmlviz.tensors import data_type_of, print_sizes
from dmlviz.words import _


def paper(drawn: Scene, other: Scene | None, state: Addressable | None) -> str:
    """The settings, the formula and the address as a list in Markdown.

    Args:
        drawn: the picture.
        other: the picture of the operator to compare with, or None.
        state: its state, or None if an address cannot hold it.
    """
    trace = drawn.trace
    told = [
        f"{name} {print_sizes(x.shape)} {data_type_of(x.dtype)}" for name, x in trace.inputs.items()
    ]
    for one in (drawn, other):
        if one is not None:
            told += [f"{name}: {value}" for name, value in one.trace.settings.items()]
    formulas = trace.formulas.values()
    formula = "; ".join(one.symbolic() for each in formulas for one in each)
    lines = [(_("Settings"), "; ".join(filter(None, told)))]
    lines += [(_("Formula"), formula)] if formula else []
    if state is not None:
        lines.append((_("Address"), whole_address(state, page_address())))
    return "\n".join(f"- **{title}** \u2002 {plain(text)}" for title, text in lines)
