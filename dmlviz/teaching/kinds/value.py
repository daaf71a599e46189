"""Which value an output element holds."""

from __future__ import annotations

from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.operators.misreadings import Misreading
from dmlviz.teaching.answer_inputs import NUMBER
from dmlviz.teaching.kinds.of_cells import CellKind
from dmlviz.teaching.plain import AskPlain, ask_value
from dmlviz.teaching.questions import source_text, travelling, value_text
from dmlviz.tensors import print_value
from dmlviz.tensors.numbering import located


class ValueKind(CellKind):
    """The value of an output element."""

    key = "value"
    place = 30
    input = NUMBER
    facts = r"(?:out|other|[A-Z]\w*Tensor)\S*\[.*"

    def title(self) -> str:
        return _("Value of a cell")

    def plain(self) -> AskPlain:
        return ask_value

    def prompt(self, cell: str) -> str:
        return _("Which value does {cell} hold?").format(cell=cell)

    def taken(self, source: int, trace: Trace) -> str:
        return value_text(source, travelling(trace), trace.operator.padding(trace.data_type))

    def right(self, number: int, trace: Trace) -> str:
        tensor, index = located(number, trace.outputs)
        return print_value(trace.outputs[tensor][index])

    def why(self, source: int, trace: Trace, misreading: Misreading) -> str:
        words = _("{words} {source} is {value}.")
        if source < 0:
            words = _("{words} {value} is the padding value.")
        named = source_text(source, travelling(trace))
        value = self.taken(source, trace)
        return words.format(words=misreading.words, value=value, source=named)

    def elsewhere(self, cell: str) -> str:
        return _("That is {cell}.").format(cell=cell)

    def conclusion(self, cell: str, right: str) -> str:
        return _("So {cell} holds {value}.").format(cell=cell, value=right)


VALUE = ValueKind()
"""The kind, for what knows that it asks for a value."""
