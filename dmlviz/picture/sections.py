"""The result below the stage in other forms: formulas, a table of moves, and files."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.movement import VALUES
from dmlviz.movement.composing import shortened
from dmlviz.tensors import print_value
from dmlviz.tensors.numbering import located, print_cell, print_element
from dmlviz.tensors.types import Array

MOST_ROWS = 256
"""The most rows of the table of moves."""


def section_titles() -> dict[str, str]:
    """What the sections below a picture are called, by their names."""
    return {
        "formula": _("Formula"),
        "same": _("The same as"),
        "code": _("Code"),
        "table": _("Table of moves"),
        "engines": _("Compare engines"),
    }


def formula_lines(trace: Trace, pinned: int = -1) -> list[str]:
    """Where an element comes from: with letters, as short as these sizes allow, and with numbers.

    Args:
        trace: a run.
        pinned: the number of the element whose numbers are written, counted through all outputs;
            if it is none, those of each output's last, and of its last constant.
    """
    return rule_lines(trace) + element_lines(trace, pinned)


def rule_lines(trace: Trace) -> list[str]:
    """The rule in letters, as short as these sizes allow."""
    lines = []
    for formulas in trace.formulas.values():
        lines += [formula.symbolic() for formula in formulas]
        shorter = (shortened(formula) for formula in formulas)
        lines += [
            _("for these sizes: {text}").format(text=short.symbolic())
            for short, formula in zip(shorter, formulas, strict=True)
            if short.source != formula.source
        ]
    lines = lines or trace.operator.rule_lines(trace.inputs)
    return lines or [_("There is no formula; the table of moves names the source of each element.")]


def element_lines(trace: Trace, pinned: int = -1) -> list[str]:
    """The rule with the numbers of one element, as :func:`formula_lines` takes it."""
    lines, first = [], 0
    outputs = {name: trace.outputs[name] for name in trace.formulas}
    for name, output in outputs.items():
        number = pinned - first if pinned >= 0 else output.size - 1
        first += output.size
        if not 0 <= number < output.size:
            continue
        at = trace.index_of(name, [int(i) for i in np.unravel_index(number, output.shape)])
        formulas = trace.formulas[name]
        places = [at]
        if pinned < 0 and any(one.constants for one in formulas):
            # an element with a source and one without say what the rule does
            kinds = _examples(trace.sources[name])
            places = [trace.index_of(name, place) for place in kinds] or [at]
        for place in places:
            lines += [formula.numbers(place) for formula in formulas if formula.holds(place)]
        if not any(trace.formulas.values()):
            lines += next(trace.remarks_at([at]))
    return lines


def _examples(source: Array) -> list[tuple[int, ...]]:
    """The last element that is a constant, after the last element with a source."""
    kinds = (np.argwhere(source >= 0), np.argwhere(source < 0))
    return [tuple(int(i) for i in places[-1]) for places in kinds if len(places)]


def _cell(trace: Trace, number: int, tensors: Mapping[str, Array]) -> str:
    """An element's index, with the tensor's name if there are several tensors."""
    name, position = located(number, tensors)
    return print_element(name if len(tensors) > 1 else "", trace.index_of(name, position))


def rows_note(trace: Trace) -> str:
    """That :func:`move_rows` has not all elements; empty if it has."""
    count = sum(output.size for output in trace.outputs.values())
    if count <= MOST_ROWS:
        return ""
    return _("The first {shown} of {n} elements.").format(shown=MOST_ROWS, n=f"{count:,}")


def untested(dialect: str) -> str:
    """That no test runs the code of a dialect, such as DirectML's C++ on another system."""
    return _("Untested: dmlviz's tests do not run {dialect} code.").format(dialect=dialect)


def move_rows(trace: Trace) -> list[dict[str, str]]:
    """Output elements with their sources, for readers who cannot see the picture.

    Returns:
        At most :data:`MOST_ROWS` rows, each a text for each column by the column's title.
    """
    rows: list[dict[str, str]] = []
    role = trace.operator.role
    values = {name: x for name, x in trace.inputs.items() if role(name) == VALUES}
    control = {name: x for name, x in trace.inputs.items() if role(name) != VALUES}
    indices = trace.operator.index_slots()
    nowhere = _("padding value") if trace.operator.pads else _("constant of the code")
    for name, output in trace.outputs.items():
        for flat in range(min(output.size, MOST_ROWS - len(rows))):
            source = int(trace.sources[name].flat[flat])
            row = {_("Tensor"): name} if len(trace.outputs) > 1 else {}
            row |= {
                _("Output element"): _cell(trace, flat, {name: output}),
                _("Value"): print_value(output.flat[flat]),
                _("Comes from"): nowhere if source < 0 else _cell(trace, source, values),
            }
            if name in indices:
                row[_("Comes from")] = _("index of {cell}").format(
                    cell=_cell(trace, source, values)
                )
            if name in trace.drivers:
                driver = int(trace.drivers[name].flat[flat])
                together = trace.driver_length * trace.driver_apart
                # a tuple is named by its first number, each of several lists by itself
                cells = range(driver, driver + together, trace.driver_apart)
                cells = cells if trace.driver_apart > 1 else cells[:1]
                names = (print_cell(cell, control, next(iter(control))) for cell in cells)
                chosen = "" if driver < 0 else ", ".join(names)
                row[_("Chosen by")] = chosen
            rows.append(row)
    return rows
