"""Fields and tensors of a page, put together as examples.

Nothing is guessed silently: an input that several examples share, an output labelled as an
input, a parameter that stands further up are all reported.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dmlviz.documents.anchors import Anchor, Block, Field
from dmlviz.documents.findings import Finding
from dmlviz.words import _


@dataclass(frozen=True)
class Group:
    """The parts of one example, not yet read.

    Attributes:
        title: the page's heading, or empty.
        line: where the example begins.
        fields: by name.
        x, expected: the tensors; None where the page has none.
        findings: what was put right.
    """

    title: str
    line: int
    fields: dict[str, Field]
    x: Block | None
    expected: Block | None
    findings: tuple[Finding, ...]


def groups(anchors: tuple[Anchor, ...]) -> tuple[Group, ...]:
    """The examples of a page, in its order."""
    grouping = _Grouping()
    for number, anchor in enumerate(anchors):
        if anchor.title:
            grouping.close()
            grouping.begin(anchor.title)
        if isinstance(anchor, Field):
            grouping.field(anchor)
        else:
            grouping.tensor(anchor, anchors[number + 1 : number + 1 + _AHEAD])
    grouping.close()
    return grouping.finished()


# how far to look whether an output follows: past a handful of parameters
_AHEAD = 8


@dataclass
class _Part:
    """An example that is still being put together."""

    title: str = ""
    fields: dict[str, Field] = field(default_factory=dict)
    x: Block | None = None
    expected: Block | None = None
    findings: list[Finding] = field(default_factory=list)


class _Grouping:
    def __init__(self) -> None:
        self.done: list[Group] = []
        self.part = _Part()
        # what stood before the examples counts for all of them
        self.page_fields: dict[str, Field] = {}
        self.shared: Block | None = None
        self.shared_part: _Part | None = None
        self.used = True

    def begin(self, title: str) -> None:
        self.part.title = title

    def field(self, found: Field) -> None:
        if self.part.expected:
            self.close()
        fields, x = self.part.fields, self.part.x
        if x is not None:
            # an input between parameters: those before it count for the page
            early = {name: f for name, f in fields.items() if f.line < x.line}
            self.page_fields.update(early)
        if found.name in fields and x is None:
            self._twice(found)
        fields[found.name] = found

    def tensor(self, found: Block, ahead: tuple[Anchor, ...]) -> None:
        if self.part.expected:
            self.close()
        is_input = found.label == "InputTensor"
        if is_input and self.part.x is None:
            self.part.x = found
        elif is_input and _output_follows(ahead):
            self.page_fields.update(self.part.fields)
            self._share(self.part.x)
            self.part.x = found
        else:
            if is_input:
                message = _("the second InputTensor is the output.")
                self.part.findings.append(Finding(found.line, message))
                found = replace(found, label="OutputTensor")
            self.part.expected = found

    def close(self) -> None:
        part, self.part = self.part, _Part()
        if part.expected is None:
            self.page_fields.update(part.fields)
            if part.x is not None:
                self._share(part.x, part)
            return
        if part.x is None and self.shared is not None:
            part.x = self.shared
            self.used = True
            message = _("the example uses the InputTensor of line {line}.")
            part.findings.append(Finding(part.expected.line, message.format(line=self.shared.line)))
        elif part.x is not None:
            self._share(part.x)
        for name, found in self.page_fields.items():
            if name not in part.fields:
                message = _("{name} is not given here; it is the one of line {line}.")
                part.findings.append(
                    Finding(part.expected.line, message.format(name=name, line=found.line))
                )
        self._finish(part, {**self.page_fields, **part.fields})

    def finished(self) -> tuple[Group, ...]:
        self._unused()
        return tuple(self.done)

    def _share(self, x: Block | None, part: _Part | None = None) -> None:
        """This input is there for the examples that have none."""
        self._unused()
        self.shared, self.shared_part = x, part
        self.used = part is None

    def _unused(self) -> None:
        """An input without an output, that no other example uses, is an example cut short."""
        if not self.used and self.shared_part is not None:
            self._finish(self.shared_part, self.shared_part.fields)
        self.used = True

    def _twice(self, found: Field) -> None:
        earlier = self.part.fields[found.name]
        message = _("{name} is given twice, on line {first} too; this one counts.")
        self.part.findings.append(
            Finding(found.line, message.format(name=found.name, first=earlier.line))
        )

    def _finish(self, part: _Part, fields: dict[str, Field]) -> None:
        lines = [f.line for f in part.fields.values()]
        if not lines:
            lines = [block.line for block in (part.x, part.expected) if block is not None]
        self.done.append(
            Group(part.title, min(lines), fields, part.x, part.expected, tuple(part.findings))
        )


def _output_follows(ahead: tuple[Anchor, ...]) -> bool:
    """Whether the next tensor is labelled as an output, before anything else begins."""
    for anchor in ahead:
        if anchor.title:
            return False
        if isinstance(anchor, Block):
            return anchor.label == "OutputTensor"
        # parameters between the two belong to the example of the input
    return False
