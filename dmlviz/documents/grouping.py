"""Fields and tensors of a page, put together as examples.

Nothing is guessed silently: an input that several examples share, an output labelled as an
input, a parameter that stands further up are all reported.  And nothing is lost: whatever finds
no example becomes one that cannot be read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from dmlviz.documents.anchors import Anchor, Block, Field
from dmlviz.documents.fields import field_value
from dmlviz.documents.findings import Finding
from dmlviz.documents.strays import Stray
from dmlviz.tensors import shown
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
        problem: why it cannot be read, whatever its parts say; None where they are to be read.
    """

    title: str
    line: int
    fields: dict[str, Field]
    x: Block | None
    expected: Block | None
    findings: tuple[Finding, ...]
    problem: Finding | None = None


def groups(anchors: tuple[Anchor, ...]) -> tuple[Group, ...]:
    """The examples of a page, in its order."""
    grouping = _Grouping()
    for number, anchor in enumerate(anchors):
        if isinstance(anchor, Stray) and not (anchor.beside or grouping.is_open or anchor.title):
            continue
        if anchor.title:
            grouping.close()
            grouping.begin(anchor.title)
        if isinstance(anchor, Field):
            grouping.field(anchor)
        elif isinstance(anchor, Block):
            grouping.tensor(anchor, anchors[number + 1 : number + 1 + _AHEAD])
        else:
            grouping.stray(anchor)
    grouping.close()
    return grouping.finished()


# how far to look whether an output follows: past a handful of parameters
_AHEAD = 8


# a structure's name in a heading numbers no example
_NUMBERED = re.compile(r"\d(?!\w*_OPERATOR_DESC)")


@dataclass
class _Part:
    """An example that is still being put together."""

    title: str = ""
    fields: dict[str, Field] = field(default_factory=dict)
    x: Block | None = None
    expected: Block | None = None
    findings: list[Finding] = field(default_factory=list)
    problem: Finding | None = None

    @property
    def is_numbered(self) -> bool:
        return _NUMBERED.search(self.title) is not None


class _Grouping:
    def __init__(self) -> None:
        self.done: list[Group] = []
        self.part = _Part()
        # what stood before the examples counts for all of them
        self.page_fields: dict[str, Field] = {}
        self.shared: Block | None = None
        # parameters and an input that nothing has used yet
        self.unused_fields: list[_Part] = []
        self.unused: _Part | None = None

    @property
    def is_open(self) -> bool:
        """Whether an example has begun that has no output yet."""
        part = self.part
        return part.expected is None and bool(part.fields or part.x or part.problem)

    def begin(self, title: str) -> None:
        self.part.title = title

    def field(self, found: Field) -> None:
        if self.part.expected:
            self.close()
        fields, x = self.part.fields, self.part.x
        if found.name in fields:
            self._twice(fields[found.name], found)
        elif x is not None:
            # an input between parameters: those before it count for the page
            early = {name: f for name, f in fields.items() if f.line < x.line}
            self.page_fields.update(early)
        fields[found.name] = found

    def tensor(self, found: Block, ahead: tuple[Anchor, ...]) -> None:
        if self.part.expected:
            self.close()
        is_input = found.label == "InputTensor"
        if is_input and self.part.x is None:
            self.part.x = found
        elif is_input and _output_follows(ahead):
            self.page_fields.update(self.part.fields)
            self._share(self.part.x, _Part(self.part.title, x=self.part.x))
            self.part.x = found
        else:
            if is_input:
                message = _("the second InputTensor is the output.")
                self.part.findings.append(Finding(found.line, message))
                found = replace(found, label="OutputTensor")
            self.part.expected = found

    def stray(self, found: Stray) -> None:
        if found.is_tensor:
            self._finish(_Part(found.title, problem=found.finding), {})
            return
        if self.part.expected:
            self.close()
        self.part.problem = self.part.problem or found.finding

    def close(self) -> None:
        part, self.part = self.part, _Part()
        if part.expected is None:
            self._without_output(part)
            return
        if part.x is None and self.shared is not None:
            part.x = self.shared
            self.unused = None
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
                self.unused_fields = [
                    p for p in self.unused_fields if p.fields.get(name) is not found
                ]
        self._finish(part, {**self.page_fields, **part.fields})

    def finished(self) -> tuple[Group, ...]:
        self._unused()
        if self.done:
            for part in self.unused_fields:
                message = _("neither an InputTensor nor an OutputTensor follows {name}.")
                first = next(iter(part.fields.values()))
                part.problem = Finding(first.line, message.format(name=first.name))
                self._finish(part, part.fields)
        return tuple(sorted(self.done, key=lambda group: group.line))

    def _without_output(self, part: _Part) -> None:
        if part.problem or (part.is_numbered and part.fields and part.x):
            # an example cut short lends its parameters to none
            self._finish(part, part.fields)
            if part.x is not None:
                self._share(part.x)
        elif part.x is not None:
            self.page_fields.update(part.fields)
            self._share(part.x, part)
        elif part.fields:
            if not part.is_numbered:
                self.page_fields.update(part.fields)
            # before the examples, and without a heading, it may be prose
            if self.done or part.title:
                self.unused_fields.append(part)

    def _share(self, x: Block | None, part: _Part | None = None) -> None:
        """This input is there for the examples that have none; ``part`` where none has used it."""
        self._unused()
        self.shared, self.unused = x, part

    def _unused(self) -> None:
        """An input without an output, that no other example uses, is an example cut short."""
        if self.unused is not None:
            self._finish(self.unused, self.unused.fields)
        self.unused = None

    def _twice(self, earlier: Field, found: Field) -> None:
        named = {"name": found.name, "first": earlier.line}
        same = earlier.value == found.value or field_value(earlier) == field_value(found)
        if same and earlier.rest.strip() == found.rest.strip():
            message = _("{name} is given twice, on line {first} too; this one counts.")
            self.part.findings.append(Finding(found.line, message.format(**named)))
            return
        message = _("{name} is {value} here and {other} on line {first}.")
        values = {"value": shown(found.value), "other": shown(earlier.value)}
        self.part.problem = self.part.problem or Finding(
            found.line, message.format(**named, **values)
        )

    def _finish(self, part: _Part, fields: dict[str, Field]) -> None:
        lines = [f.line for f in part.fields.values()]
        if not lines:
            lines = [found.line for found in (part.x, part.expected, part.problem) if found]
        self.done.append(
            Group(
                part.title,
                min(lines),
                fields,
                part.x,
                part.expected,
                tuple(part.findings),
                part.problem,
            )
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
