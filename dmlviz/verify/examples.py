"""An example of a page: an operator, an input, and the output that the page says it has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.movement import CONTROL, VALUES
from dmlviz.operators import Operator
from dmlviz.operators.feature_levels import RECORDED_VERSION
from dmlviz.operators.older import Description, OlderForm
from dmlviz.operators.slots import Slot
from dmlviz.tensors import DATA_TYPES, MAX_RANK, data_type_of, short_text
from dmlviz.tensors.types import Array, Sizes
from dmlviz.verify.anchors import Block
from dmlviz.verify.findings import Finding, Unreadable
from dmlviz.verify.grouping import Group, field_value, remark
from dmlviz.verify.naming import classes_with, count_members, dimension_counts
from dmlviz.verify.printed import PrintedToken
from dmlviz.verify.values import ASSUMED_TYPE, CONTROL_TYPE, PageTensor, PageTensors


@dataclass(frozen=True, eq=False)
class PageExample:
    """One example of a page.

    Tensors go by DirectML's names, such as ``IndicesTensor`` or ``OutputTensors[0]``.

    Attributes:
        title: the page's heading, or "Example" and its number.
        line: where it begins, from 1.
        operator: what the parameters say; None where they cannot be read.
        inputs: the inputs in the structure's order; empty where they cannot be read.
        outputs: the outputs that the page gives, of the types that they should have; likewise.
        lines: for each value of an output, flat, its line in the page.
        findings: what was put right.
        contradictions: what the page says in two ways at once; such an example never matches.
        unreadable: why it cannot be run, or None.
        places: the line of each parameter and of each tensor, by name.
        skipped: why the page leaves it out; empty where it does not.
        blocks: where its tensors are in the page's text, by name.
        sizes: of outputs of which the page gives the sizes and no values, by name.
        tokens: the printed numbers of a Python example's outputs, flat, by name.
    """

    title: str
    line: int
    operator: Operator | None = None
    inputs: Mapping[str, Array] = field(default_factory=dict)
    outputs: Mapping[str, Array] = field(default_factory=dict)
    lines: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    contradictions: tuple[Finding, ...] = ()
    unreadable: Finding | None = None
    places: Mapping[str, int] = field(default_factory=dict)
    skipped: str = ""
    blocks: Mapping[str, Block] = field(default_factory=dict)
    sizes: Mapping[str, Sizes] = field(default_factory=dict)
    tokens: Mapping[str, tuple[PrintedToken, ...]] = field(default_factory=dict)

    @property
    def x(self) -> Array | None:
        """The input, where there is one."""
        return next(iter(self.inputs.values())) if len(self.inputs) == 1 else None

    @property
    def expected(self) -> Array | None:
        """The output that the page gives, where there is one."""
        return next(iter(self.outputs.values())) if len(self.outputs) == 1 else None

    def line_of(self, name: str) -> int:
        """The line of a parameter, in DirectML's spelling or ours, or of a tensor; else its own."""
        return self.places.get(name) or self.places.get(_documented(name), self.line)


def read_example(
    tensors: PageTensors, group: Group, number: int, structure: Structure | None
) -> PageExample:
    """The example of a group of fields and tensors.

    Args:
        tensors: the page's.
        group: its parts.
        number: which example of the page it is, from 1.
        structure: the page's; None where the page names none.
    """
    titled = any(c.isdigit() for c in group.title)
    title = group.title if titled else _("Example {n}").format(n=number)
    findings = list(group.findings)
    try:
        if group.problem:
            raise Unreadable(group.problem)
        desc = _desc(group, findings)
        if structure is None:
            structure = _fitting(tensors, group, desc, findings)
        cls = structure.cls
        foreign = [f for name, f in group.fields.items() if name not in structure.members]
        if foreign:
            message = _("{structure} has no {name}.")
            text = message.format(structure=structure.name, name=foreign[0].name)
            raise Unreadable(Finding(foreign[0].line, text, "parameter"))
        without = structure.older.without if structure.older else ()
        _check_names(group, cls, without)
        inputs, outputs = _tensors(tensors, group, cls, findings)
        made, sizes = (
            {name: tensor.values.shape for name, tensor in side.items()}
            for side in (inputs, outputs)
        )
        desc |= _typed(group, cls, desc, outputs, findings)
        desc |= _dimension_counts(tensors, group, structure, desc, made, sizes, findings)
        described = _uncounted(cls, desc) | _laid(cls, inputs)
        operator = structure.operator(described, made, sizes).with_output_types(
            {name: tensor.data_type for name, tensor in outputs.items() if tensor.data_type}
        )
        inputs = _with_zeros(group, cls, without, _memory(operator, inputs), outputs, findings)
        tensors_read = (*inputs.values(), *outputs.values())
        contradictions = [finding for tensor in tensors_read for finding in tensor.contradictions]
        contradictions += _count_findings(group, cls, desc)
        x, expected = _of_one_type(operator, inputs, outputs, contradictions)
        findings += _otherwise(group, structure, operator.values_type(x))
    except Unreadable as error:
        return _unread(title, group, findings, error.finding)
    except Error as error:
        reason = Finding(_line_of(group, error), page_words(error), "parameter")
        return _unread(title, group, findings, reason)
    return PageExample(
        title,
        group.line,
        operator,
        x,
        expected,
        {name: tensor.lines for name, tensor in outputs.items()},
        tuple(findings),
        tuple(contradictions),
        None,
        _places(group, structure, operator),
        blocks={**group.inputs, **group.outputs},
    )


def _unread(title: str, group: Group, findings: list[Finding], reason: Finding) -> PageExample:
    blocks = {**group.inputs, **group.outputs}
    remarks = tuple(findings)
    return PageExample(title, group.line, findings=remarks, unreadable=reason, blocks=blocks)


def _places(group: Group, structure: Structure, operator: Operator) -> dict[str, int]:
    """The lines of parameters and tensors; what no parameter gives, a free output's sizes do."""
    blocks = [*group.inputs.values(), *group.outputs.values()]
    free = [b.line for b in blocks if b.label.partition("[")[0] in structure.cls.free_tensors]
    derived = operator.settings if free and not structure.older else ()
    return (
        dict.fromkeys(map(_documented, derived), min(free, default=0))
        | {f.name: f.line for f in group.fields.values()}
        | {block.label: block.line for block in blocks}
    )


def _otherwise(group: Group, structure: Structure, data_type: str) -> list[Finding]:
    """What to say of an older form that DirectML itself runs in another way for this type."""
    if structure.older is None or data_type not in structure.older.otherwise:
        return []
    message = _(
        "for {data_type}, DirectML {version} itself does not follow the rule of "
        "{structure} that this example is checked against."
    ).format(data_type=data_type, version=RECORDED_VERSION, structure=structure.name)
    return [Finding(group.line, message)]


def _desc(group: Group, findings: list[Finding]) -> dict[str, Any]:
    desc = {}
    for name, parameter in group.fields.items():
        desc[name], finding = field_value(parameter)
        findings += filter(None, (finding, remark(parameter)))
    return desc


def _tensors(
    tensors: PageTensors, group: Group, cls: type[Operator], findings: list[Finding]
) -> tuple[dict[str, PageTensor], dict[str, PageTensor]]:
    """Inputs and outputs in the structure's order; without those that are said to be absent."""
    all_blocks = {**group.inputs, **group.outputs}
    blocks = {name: block for name, block in all_blocks.items() if not block.absent}
    order = [n for slot in (*cls.input_slots, *cls.output_slots) for n in slot.names(len(blocks))]
    named = {name: tensors.header(block).data_type for name, block in blocks.items()}
    control = {name for name in group.inputs if cls.role(name) == CONTROL}
    values = (data_type for name, data_type in named.items() if data_type and name not in control)
    assumed = next(values, ASSUMED_TYPE)
    read = {}
    for name in filter(blocks.__contains__, order):
        block, kind = blocks[name], CONTROL_TYPE if name in control else assumed
        if name in cls.index_slots():
            kind = cls.index_slots()[name].data_types[0]
        if named[name] is None:
            message = _("{label} has no DataType; it was read as {data_type}.")
            findings.append(
                Finding(block.line, message.format(label=name, data_type=kind), "tensor-text")
            )
        read[name] = tensors.read(block, kind)
        if read[name].buffer and not (name in group.inputs and name in cls.free_tensors):
            message = _("{label} has Strides, which are ignored for this tensor.")
            raise Unreadable(Finding(block.line, message.format(label=name), "tensor-text"))
        findings += read[name].findings
    return (
        {name: tensor for name, tensor in read.items() if name in group.inputs},
        {name: tensor for name, tensor in read.items() if name in group.outputs},
    )


def _typed(
    group: Group,
    cls: type[Operator],
    desc: Mapping[str, Any],
    outputs: Mapping[str, PageTensor],
    findings: list[Finding],
) -> dict[str, str]:
    """The data type that an example without inputs gives to its output, but not as a parameter."""
    name = _type_member(cls)
    if not name or name in desc:
        return {}
    data_type = data_type_of(next(iter(outputs.values())).values)
    message = _("{name} is missing; it was read as {data_type}, the output's type.")
    text = message.format(name=name, data_type=data_type)
    findings.append(Finding(group.line, text, "parameter"))
    return {name: data_type}


def _dimension_counts(
    tensors: PageTensors,
    group: Group,
    structure: Structure,
    desc: Mapping[str, Any],
    inputs: Mapping[str, Sizes],
    outputs: Mapping[str, Sizes],
    findings: list[Finding],
) -> dict[str, int]:
    """The counts of dimensions that the example lacks, where its sizes allow only these."""
    members = dimension_counts(structure.cls)
    missing = [name for name in members if name in structure.members and name not in desc]
    # leading ones do not count, and an example that lacks them is judged all the same
    rank = max(map(len, (*inputs.values(), *outputs.values())), default=0)
    trials = (rank + 1) ** len(missing)
    if not missing or rank > MAX_RANK or trials > tensors.trials_left:
        return {}
    tensors.trials_left -= trials
    ranked_inputs, ranked_outputs = (
        {name: (1,) * (rank - len(sizes)) + sizes for name, sizes in side.items()}
        for side in (inputs, outputs)
    )
    fitting: list[dict[str, int]] = []
    for numbers in product(range(rank + 1), repeat=len(missing)):
        counts = dict(zip(missing, numbers, strict=True))
        try:
            operator = structure.operator({**desc, **counts}, ranked_inputs, ranked_outputs)
        except Error:
            continue
        if not operator.problems(ranked_inputs, None) and (
            operator.outputs_after(ranked_inputs) == ranked_outputs
        ):
            fitting.append(counts)
    if len(fitting) != 1:
        return {}
    message = _("{name} is missing; it was read as {count}, the only number that the sizes allow.")
    for name, count in fitting[0].items():
        text = message.format(name=name, count=count)
        findings.append(Finding(group.line, text, "parameter"))
    return fitting[0]


def _type_member(cls: type[Operator]) -> str:
    """The member that says the type of the output where no input does; empty if there is none."""
    kinds = () if cls.input_slots else cls.declared.values()
    return next((s.label for s in kinds if s.label.endswith("DataType")), "")


def _laid(cls: type[Operator], inputs: Mapping[str, PageTensor]) -> dict[str, Any]:
    """What a description says of inputs that may have strides."""
    layouts: dict[str, Any] = {}
    for name, tensor in inputs.items():
        if name in cls.free_tensors:
            buffer = tensor.buffer
            layouts[name] = {"Sizes": list(buffer.sizes if buffer else tensor.values.shape)}
            layouts[name] |= {"Strides": list(buffer.strides)} if buffer else {}
    return layouts


def _memory(operator: Operator, inputs: Mapping[str, PageTensor]) -> dict[str, PageTensor]:
    """The inputs, those of which the operator takes the memory as such."""
    return {
        name: replace(tensor, values=tensor.values.reshape(-1))
        if name in operator.buffers
        else tensor
        for name, tensor in inputs.items()
    }


def _with_zeros(
    group: Group,
    cls: type[Operator],
    without: Sequence[str],
    inputs: dict[str, PageTensor],
    outputs: Mapping[str, PageTensor],
    findings: list[Finding],
) -> dict[str, PageTensor]:
    """The inputs, with zeros of the output's sizes for what is absent."""
    like = next(iter(outputs.values()))
    completed = dict(inputs)
    for slot in cls.input_slots:
        block = group.inputs.get(slot.name)
        if slot.name not in without and not (block and block.absent):
            continue
        zeros = np.zeros_like(like.values)
        zeros.flags.writeable = False
        line = block.line if block else like.line
        if block:
            message = _("there is no {name}; zeros of the output's sizes are used instead.")
            findings.append(Finding(line, message.format(name=slot.name), "tensor-name"))
        completed[slot.name] = PageTensor(slot.name, line, zeros, like.data_type, (), (), ())
    return completed


def _of_one_type(
    operator: Operator,
    inputs: Mapping[str, PageTensor],
    outputs: Mapping[str, PageTensor],
    contradictions: list[Finding],
) -> tuple[dict[str, Array], dict[str, Array]]:
    """All tensors in the types that go with that of the first input whose elements travel."""
    first = next((name for name in inputs if operator.role(name) == VALUES), "")
    ours = data_type_of(inputs[first].values) if first else operator.values_type({})
    first = first or _type_member(type(operator))

    def cast(name: str, tensor: PageTensor, required: str) -> Array:
        theirs = data_type_of(tensor.values)
        if theirs == required:
            return tensor.values
        message = _(
            "the DataType of {label} is {theirs}; it must be {due}, because that of {first} "
            "is {ours}."
        )
        text = message.format(label=name, theirs=theirs, first=first, ours=ours, due=required)
        contradictions.append(Finding(tensor.line, text, "contradiction"))
        with np.errstate(all="ignore"):
            values = tensor.values.astype(DATA_TYPES[required].dtype)
        values.flags.writeable = False
        return values

    x = {
        name: cast(name, tensor, ours) if operator.role(name) == VALUES else tensor.values
        for name, tensor in inputs.items()
    }
    return x, {
        name: cast(name, tensor, operator.output_type(name, ours))
        for name, tensor in outputs.items()
    }


def _uncounted(cls: type[Operator], desc: Mapping[str, Any]) -> dict[str, Any]:
    """Without the numbers of tensors, which :func:`_count_findings` compares with the page's."""
    counts = count_members(cls).values()
    return {name: value for name, value in desc.items() if name not in counts}


def _fitting(
    tensors: PageTensors, group: Group, desc: dict[str, Any], findings: list[Finding]
) -> Structure:
    """The operator that parameters and tensors fit, where the page names none."""
    fitting: list[type[Operator]] = []
    reason: Finding | None = None
    for cls in classes_with(tuple(desc)) if desc or _has_strides(tensors, group) else ():
        try:
            _check_names(group, cls)
            inputs, outputs = _tensors(tensors, group, cls, [])
            made, sizes = (
                {name: tensor.values.shape for name, tensor in side.items()}
                for side in (inputs, outputs)
            )
            typed = desc | _typed(group, cls, desc, outputs, [])
            operator = Structure(cls).operator(
                _uncounted(cls, typed) | _laid(cls, inputs), made, sizes
            )
            inputs = _memory(operator, inputs)
            input_sizes = {name: tensor.values.shape for name, tensor in inputs.items()}
            problems = operator.problems(input_sizes, None)
            if not problems and operator.outputs_after(input_sizes) == sizes:
                fitting.append(cls)
        except Unreadable as error:
            reason = reason or error.finding
        except Error as error:
            reason = Finding(_line_of(group, error), page_words(error), "parameter")
    # at block size 1 both block operators copy, and either will do
    if fitting:
        message = _("no operator is named; the parameters and sizes match {structure}.")
        findings.append(
            Finding(group.line, message.format(structure=fitting[0].structure), "parameter")
        )
        return Structure(fitting[0])
    if reason is not None:
        raise Unreadable(reason)
    message = _("no operator is named, and none matches these parameters and sizes.")
    raise Unreadable(Finding(group.line, message, "parameter"))


def _has_strides(tensors: PageTensors, group: Group) -> bool:
    """Whether an input is given with strides, which tell of an operator without parameters."""
    headers = (tensors.header(block) for block in group.inputs.values())
    return any(header.strides is not None for header in headers)


def _line_of(group: Group, error: Error) -> int:
    """The line of the parameter that an error is about, or the example's."""
    parameter = group.fields.get(_documented(error.field))
    return parameter.line if parameter else group.line


def page_words(error: Error) -> str:
    """What an error says, with the page's name of the parameter before it.

    >>> page_words(Error("block_size: 0 is not possible."))
    'BlockSize: 0 is not possible.'
    """
    field, colon, message = str(error).partition(": ")
    if not re.fullmatch(r"[a-z_]+", field) or not colon:
        return str(error)
    return message if field == "desc" else f"{_documented(field)}: {message}"


def _documented(name: str) -> str:
    """DirectML's spelling of a parameter's name: ``BlockSize`` for ``block_size``."""
    return re.sub(r"(?:^|_)([a-z])", lambda match: match[1].upper(), name)


@dataclass(frozen=True)
class Structure:
    """What the page says that it describes.

    Attributes:
        cls: the operator.
        older: the older form of it, where it is one.
    """

    cls: type[Operator]
    older: OlderForm | None = None

    @property
    def name(self) -> str:
        """DirectML's ``..._OPERATOR_DESC``."""
        return (self.older or self.cls).structure

    @property
    def members(self) -> tuple[str, ...]:
        """Its members beside the tensors."""
        return (self.older or self.cls).members

    def operator(
        self,
        desc: Mapping[str, Any],
        inputs: Mapping[str, Sizes],
        outputs: Mapping[str, Sizes],
    ) -> Operator:
        """The operator that DirectML's fields describe, with outputs of the page's sizes.

        Where it makes them of these inputs by itself, they are left to it.

        Raises:
            Error: they describe none.
        """
        if self.older is None:
            operator: Operator = self.cls.from_desc(desc)
        else:
            # a type for which DirectML leaves the rule is a remark, and the page is still checked
            form = replace(self.older, otherwise=())
            operator = self.cls(**self.older.read(desc)).with_description(Description(form))
            if not self.older.free_outputs:
                return operator
        if not operator.problems(inputs, None) and operator.outputs_after(inputs) == outputs:
            return operator
        return operator.with_output_sizes(outputs)


def _check_names(group: Group, cls: type[Operator], without: Sequence[str] = ()) -> None:
    """Refuse an example that lacks a tensor, or has one that the operator does not have.

    Args:
        group: the example.
        cls: the operator.
        without: the inputs that the page's structure does not have.

    Raises:
        Unreadable: it names the tensor, on its line or where it would stand.
    """
    inputs = [slot for slot in cls.input_slots if slot.name not in without]
    for blocks, slots in ((group.inputs, inputs), (group.outputs, cls.output_slots)):
        for name, block in blocks.items():
            if block.absent and not any(slot.optional and slot.name == name for slot in slots):
                message = _("{name} is required, but the example says that there is none.")
                raise Unreadable(Finding(block.line, message.format(name=name), "tensor-name"))
            if not any(name in slot.names(max(1, slot.most)) for slot in slots):
                message = _("{structure} has no {name}; its tensors are {names}.").format(
                    structure=cls.structure, name=name, names=", ".join(_all_names(cls))
                )
                raise Unreadable(Finding(block.line, message, "tensor-name"))
    last = max((block.line for block in group.inputs.values()), default=group.line)
    if name := _missing(group.inputs, inputs):
        message = _("the example has no {name}.").format(name=name)
        raise Unreadable(Finding(group.line, message, "tensor-name"))
    if name := _missing(group.outputs, cls.output_slots):
        if group.outputs or not inputs:
            last = min((block.line for block in group.outputs.values()), default=last)
            message = _("the example has no {name}.").format(name=name)
        else:
            there = ", ".join(group.inputs)
            message = _("no {name} follows the {inputs}.").format(name=name, inputs=there)
        raise Unreadable(Finding(last, message, "tensor-name"))


def _count_findings(
    group: Group, cls: type[Operator], desc: Mapping[str, Any]
) -> tuple[Finding, ...]:
    """Where ``InputCount`` or ``OutputCount`` is not the number of tensors that there are."""
    blocks = {**group.inputs, **group.outputs}
    findings = []
    for name, count in count_members(cls).items():
        here = sum(label.startswith(f"{name}[") for label in blocks)
        value = desc.get(count, here)
        if type(value) is not int or value != here:
            message = _("{count} is {value}, but the example has {here} {name}.").format(
                count=count, value=short_text(value), here=here, name=name
            )
            findings.append(Finding(group.fields[count].line, message, "tensor-name"))
    return tuple(findings)


def _missing(blocks: Mapping[str, Block], slots: Sequence[Slot]) -> str:
    """The first tensor that is not given; of a list, one at least and none left out."""
    for slot in slots:
        count = sum(name in blocks for name in slot.names(max(1, slot.most)))
        for name in slot.names(max(1, count)):
            if name not in blocks:
                return name
    return ""


def _all_names(cls: type[Operator]) -> list[str]:
    slots = (*cls.input_slots, *cls.output_slots)
    return [f"{slot.name}[0]…" if slot.most else slot.name for slot in slots]
