"""Fields and tensors of a page, put together as examples, and the values of the fields.

Nothing is guessed silently: an input that several examples share, an output labelled as an
input, a parameter that stands further up are all reported.  And nothing is lost: whatever finds
no example becomes one that cannot be read.
"""

from __future__ import annotations

import re
from dataclasses import field, replace
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _, ngettext
from dmlviz.operators.slots import OUTPUT
from dmlviz.tensors import DATA_TYPES, short_text
from dmlviz.verify.anchors import NUMBERED, Anchor, Block, Field, Stray
from dmlviz.verify.findings import Finding, Unreadable, print_lines


@dataclass(frozen=True)
class Group:
    """The parts of one example, not yet read.

    Attributes:
        title: the page's heading, or empty.
        line: where the example begins.
        fields: by name.
        inputs, outputs: the tensors by the page's names; empty where the page has none.
        findings: what was put right.
        problem: why it cannot be read, whatever its parts say; None where they are to be read.
    """

    title: str
    line: int
    fields: dict[str, Field]
    inputs: dict[str, Block]
    outputs: dict[str, Block]
    findings: tuple[Finding, ...]
    problem: Finding | None = None


def groups(
    anchors: tuple[Anchor, ...], alone: bool = True, inputs: tuple[str, ...] = ()
) -> tuple[Group, ...]:
    """The examples of a page, in its order.

    Args:
        anchors: its parts.
        alone: whether the operator has one input and one output, or is not known.
        inputs: the names of its inputs, where there is no list among them.
    """
    grouping = _Grouping(alone, inputs)
    for number, anchor in enumerate(anchors):
        ahead = anchors[number + 1 : number + 1 + _AHEAD]
        if isinstance(anchor, Stray) and not (
            anchor.beside or grouping.is_open(ahead) or anchor.title
        ):
            continue
        if anchor.title:
            grouping.close()
            grouping.begin(anchor.title)
        if isinstance(anchor, Field):
            if not anchor.illustrates:
                grouping.field(anchor, ahead)
        elif isinstance(anchor, Block):
            grouping.tensor(anchor, ahead)
        else:
            grouping.stray(anchor)
    grouping.close()
    return grouping.finished()


# how far to look whether an output follows: past a handful of parameters
_AHEAD = 8
_OUTPUT = OUTPUT[0].name


@dataclass
class _OpenGroup:
    """An example that is still being put together."""

    title: str = ""
    fields: dict[str, Field] = field(default_factory=dict)
    inputs: dict[str, Block] = field(default_factory=dict)
    outputs: dict[str, Block] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    problem: Finding | None = None
    # tensors under names that no operator has
    unknown: list[Stray] = field(default_factory=list)

    @property
    def is_numbered(self) -> bool:
        return NUMBERED.search(self.title) is not None

    @property
    def line(self) -> int:
        """Of its first tensor."""
        return min(block.line for block in (*self.inputs.values(), *self.outputs.values()))

    @property
    def output_line(self) -> int:
        return min(block.line for block in self.outputs.values())


class _Grouping:
    def __init__(self, alone: bool, inputs: tuple[str, ...]) -> None:
        self.alone = alone
        self.inputs = inputs
        self.done: list[Group] = []
        self.part = _OpenGroup()
        # what stood before the examples counts for all of them
        self.page_fields: dict[str, Field] = {}
        self.shared: dict[str, Block] = {}
        # whether no example had them for itself
        self.is_preamble = False
        # parameters and inputs that nothing has used yet
        self.unused_fields: list[_OpenGroup] = []
        self.unused: _OpenGroup | None = None

    def is_open(self, ahead: tuple[Anchor, ...]) -> bool:
        """Whether an example has begun that is not ended by its last output yet."""
        part = self.part
        if part.outputs:
            further = next((block for block in ahead if isinstance(block, Block)), None)
            return bool(further and further.is_output and further.label not in part.outputs)
        return bool(part.fields or part.inputs or part.problem)

    def begin(self, title: str) -> None:
        self.part.title = title

    def field(self, parameter: Field, ahead: tuple[Anchor, ...]) -> None:
        if self.part.outputs and self._trails(parameter, ahead):
            if not self.part.title:
                message = _("{name} follows the tensors of its example.")
                text = message.format(name=parameter.name)
                self.part.findings.append(Finding(parameter.line, text, "parameter"))
            self.part.fields[parameter.name] = parameter
            return
        if self.part.outputs:
            self.close()
        part = self.part
        if parameter.name in part.fields:
            self._twice(part.fields[parameter.name], parameter)
        elif part.inputs:
            # an input between parameters: those before it count for the page
            early = {name: f for name, f in part.fields.items() if f.line < part.line}
            self.page_fields.update(early)
        part.fields[parameter.name] = parameter

    def _trails(self, parameter: Field, ahead: tuple[Anchor, ...]) -> bool:
        """Whether a parameter after an output is that example's: no other can have it."""
        if (
            parameter.title
            or parameter.name in self.part.fields
            or parameter.name in self.page_fields
        ):
            return False
        # what begins before the next heading may have its parameters first
        following = next((a for a in ahead if a.title or not isinstance(a, Field)), None)
        return bool(following.title) if following else len(ahead) < _AHEAD

    def tensor(self, block: Block, ahead: tuple[Anchor, ...]) -> None:
        outputs = self.part.outputs
        if outputs and not (block.is_output and block.label not in outputs):
            self.close()
        part = self.part
        if block.is_output:
            part.outputs[block.label] = block
        elif block.label not in part.inputs:
            part.inputs[block.label] = block
        elif not self.alone:
            message = _("{label} is given twice, also on line {first}.")
            text = message.format(label=block.label, first=part.inputs[block.label].line)
            part.problem = part.problem or Finding(block.line, text, "tensor-name")
        elif _output_follows(ahead):
            self.page_fields.update(part.fields)
            self._share(part.inputs, _OpenGroup(part.title, inputs=part.inputs))
            part.inputs = {block.label: block}
        else:
            message = _("the second InputTensor is the output.")
            part.findings.append(Finding(block.line, message, "tensor-name"))
            part.outputs[_OUTPUT] = replace(block, label=_OUTPUT)

    def stray(self, stray: Stray) -> None:
        if stray.is_tensor and stray.tensor and not self.part.outputs:
            self.part.unknown.append(stray)
            return
        if stray.is_tensor:
            self._finish(_OpenGroup(stray.title, problem=stray.finding), {})
            return
        if self.part.outputs:
            self.close()
        self.part.problem = self.part.problem or stray.finding

    def close(self) -> None:
        part, self.part = self.part, _OpenGroup()
        self._adopt(part)
        if not part.outputs:
            self._without_output(part)
            return
        own_inputs = dict(part.inputs)
        self._lend(part)
        if own_inputs and own_inputs == part.inputs:
            self._share(own_inputs)
        for name, parameter in self.page_fields.items():
            if name not in part.fields:
                message = _("{name} is missing here; the one on line {line} is used.")
                part.findings.append(
                    Finding(
                        part.output_line,
                        message.format(name=name, line=parameter.line),
                        "tensor-name",
                    )
                )
                self.unused_fields = [
                    p for p in self.unused_fields if p.fields.get(name) is not parameter
                ]
        self._finish(part, {**self.page_fields, **part.fields})

    def _adopt(self, part: _OpenGroup) -> None:
        """The one tensor of an unknown name is the one input that its example lacks."""
        lent = self.shared if self.is_preamble else {}
        left = [name for name in self.inputs if name not in part.inputs and name not in lent]
        if part.outputs and len(part.unknown) == len(left) == 1:
            tensor, name = part.unknown[0].tensor, left[0]
            assert tensor is not None
            part.inputs[name] = Block(name, tensor.start, tensor.end, tensor.line, "")
            message = _("{label} is read as {name}, the only input that the example lacks.")
            text = message.format(label=tensor.label, name=name)
            part.findings.append(Finding(tensor.line, text, "tensor-name"))
            return
        for stray in part.unknown:
            self._finish(_OpenGroup(stray.title, problem=stray.finding), {})

    def _lend(self, part: _OpenGroup) -> None:
        """The shared inputs to an example that has none, or not those of a section."""
        own_stems = {block.stem for block in part.inputs.values()}
        if own_stems and (self.alone or not self.is_preamble):
            return
        lent = {name: block for name, block in self.shared.items() if block.stem not in own_stems}
        if not lent:
            return
        part.inputs = {**lent, **part.inputs}
        if self.unused:
            left = {n: b for n, b in self.unused.inputs.items() if n not in lent}
            self.unused = replace(self.unused, inputs=left) if left else None
        message = ngettext(
            "the example uses the {labels} of line {lines}.",
            "the example uses {labels} of lines {lines}.",
            len(lent),
        )
        lines = print_lines(block.line for block in lent.values())
        text = message.format(labels=", ".join(lent), lines=lines)
        part.findings.append(Finding(part.output_line, text, "tensor-name"))

    def finished(self) -> tuple[Group, ...]:
        self._unused()
        if self.done:
            for part in self.unused_fields:
                message = _("neither an InputTensor nor an OutputTensor follows {name}.")
                first = next(iter(part.fields.values()))
                part.problem = Finding(first.line, message.format(name=first.name), "tensor-name")
                self._finish(part, part.fields)
        return tuple(sorted(self.done, key=lambda group: group.line))

    def _without_output(self, part: _OpenGroup) -> None:
        if part.problem or (part.is_numbered and part.fields and part.inputs):
            # an example cut short lends its parameters to none
            self._finish(part, part.fields)
            if part.inputs:
                self._share(part.inputs)
        elif part.inputs:
            self.page_fields.update(part.fields)
            self._share(part.inputs, part)
        elif part.fields:
            if not part.is_numbered:
                self.page_fields.update(part.fields)
            # before the examples, and without a heading, it may be prose
            if self.done or part.title:
                self.unused_fields.append(part)

    def _share(self, inputs: dict[str, Block], part: _OpenGroup | None = None) -> None:
        """These are there for the examples that have none; ``part`` where none has used them."""
        self._unused()
        self.shared, self.is_preamble, self.unused = inputs, part is not None, part

    def _unused(self) -> None:
        """An input without an output, that no other example uses, is an example cut short."""
        if self.unused is not None:
            self._finish(self.unused, self.unused.fields)
        self.unused = None

    def _twice(self, earlier: Field, later: Field) -> None:
        named = {"name": later.name, "first": earlier.line}
        same = earlier.value == later.value or field_value(earlier) == field_value(later)
        if same and earlier.rest.strip() == later.rest.strip():
            message = _("{name} is given twice, also on line {first}; this one is used.")
            self.part.findings.append(Finding(later.line, message.format(**named), "tensor-name"))
            return
        message = _("{name} is {value} here and {other} on line {first}.")
        values = {"value": short_text(later.value), "other": short_text(earlier.value)}
        self.part.problem = self.part.problem or Finding(
            later.line, message.format(**named, **values), "tensor-name"
        )

    def _finish(self, part: _OpenGroup, fields: dict[str, Field]) -> None:
        lines = [f.line for f in part.fields.values()]
        if not lines or (part.outputs and min(lines) > part.output_line):
            lines += [block.line for block in (*part.inputs.values(), *part.outputs.values())]
            lines += [part.problem.line] if part.problem else []
        self.done.append(
            Group(
                part.title,
                min(lines),
                fields,
                part.inputs,
                part.outputs,
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
            return anchor.is_output
        # parameters between the two belong to the example of the input
    return False


_WHOLE = regex(r"[+-]?(?:0[xX][0-9a-fA-F]{1,20}|[0-9]{1,2000})")
_MEMBER = regex(r"\.?(?P<name>[A-Za-z]\w{0,60})\s*[:=]\s*(?P<value>[^\s:=]{1,400})")
# C's names of the least and the greatest whole number of a type
_LIMIT = regex(r"(U?INT(?:8|16|32|64))_(MIN|MAX)")
_BETWEEN = regex(r"\s*,\s*|\s+")
_LINK = regex(r"\[\s*(DML_\w+)\s*\]\([^()\s]*\)")
# what closes a cell, a sentence or emphasis
_MARKS = " \t,;.|*_"
_BETWEEN_WORDS = " ,.;:!-'’"
# what such words may have beside letters: sizes, and a number that belongs to a word
_AMONG_WORDS = regex(r"[\[{]\d+(?:, ?\d+)*[\]}]|\d+-(?=[^\W\d])")
_SENTENCE = 6
"""So many words behind // are a sentence, whatever numbers are among them."""
_REMARK = regex(r"\((?P<bracket>[^()]*)\)|/\*(?P<c>.*)\*/|(?://|#)(?P<line>.*)")


def remark(field: Field) -> Finding | None:
    """What to say of the words after a value; None where there are none.

    Raises:
        Unreadable: what stands there may change the value.
    """
    rest = field.rest.strip(_MARKS)
    if not rest:
        return None
    match = _REMARK.fullmatch(rest)
    words = (match["bracket"] or match["c"] or match["line"] or "") if match else ""
    named = {"name": field.name, "value": short_text(field.value), "rest": excerpt(field.rest)}
    if match and match["line"] and len(re.findall(r"\b[^\W\d_]+\b", words)) >= _SENTENCE:
        words = _AMONG_WORDS.sub("", words)
    # a number, an operator or the name of another value is no mere remark
    if not (words and all(c.isalpha() or c in _BETWEEN_WORDS for c in words)):
        message = _("{name}: {rest} after {value} could not be read.")
        raise Unreadable(Finding(field.line, message.format(**named), "parameter"))
    message = _("{name}: {rest} after {value} is read as a comment.")
    return Finding(field.line, message.format(**named), "parameter")


def field_value(field: Field) -> tuple[Any, Finding | None]:
    """The value for :func:`dmlviz.operator_from_desc`, and what had to be put right.

    Whole numbers are ints, other numbers floats, lists are lists of them, a structure is a mapping
    of its members, and everything else stays text, which the operator's own checks refuse or take.
    """
    text = field.value.strip().rstrip(",;")
    if link := _LINK.fullmatch(text):
        return link[1], None
    if text[:1] in ("{", "[", "("):
        return _numbers(field, text[1:-1].strip().strip(",").strip())
    if text.startswith("DML_"):
        return text, None
    return _number(text.rstrip(".")), None


def _numbers(field: Field, inside: str) -> tuple[Any, Finding | None]:
    named = [_MEMBER.fullmatch(word.strip()) for word in inside.split(",")]
    if all(named):
        # such as a DML_SIZE_2D
        return {member["name"]: _number(member["value"]) for member in named if member}, None
    words = _BETWEEN.split(inside) if inside else []
    finding = None
    if len(words) > 1 and inside.count(",") < len(words) - 1:
        message = _("{name}: commas are missing in {value}.")
        value = short_text(field.value)
        finding = Finding(field.line, message.format(name=field.name, value=value), "parameter")
    return [_number(word) for word in words], finding


def _number(text: str) -> Any:
    if limit := _LIMIT.fullmatch(text):
        info = np.iinfo(DATA_TYPES[limit[1]].dtype)
        return int(info.min if limit[2] == "MIN" else info.max)
    if _WHOLE.fullmatch(text):
        whole = int(text, 16) if "x" in text.lower() else int(text)
        # only a float has a zero with a sign
        return whole if whole or text[0] != "-" else -0.0
    try:
        # Python takes underscores between digits, which no page writes; C's f is no letter of inf
        number = text if text.lower().endswith("inf") else text.rstrip("fF")
        return float(number.replace("_", "?"))
    except ValueError:
        return text
