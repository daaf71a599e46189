"""Whether an example gives the tensors that its operator has, and as many as it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dmlviz.operators import Operator
from dmlviz.operators.slots import Slot
from dmlviz.tensors import shown
from dmlviz.verify.anchors import Block
from dmlviz.verify.findings import Finding, Unreadable
from dmlviz.verify.grouping import Group
from dmlviz.verify.naming import count_members
from dmlviz.words import _


def check_names(group: Group, cls: type[Operator], without: Sequence[str] = ()) -> None:
    """Refuse an example that lacks a tensor, or has one that the operator does not have.

    Args:
        group: the example.
        cls: the operator.
        without: the inputs that the page's structure does not have.

    Raises:
        Unreadable: it names the tensor, on its line or where it would stand.
    """
    inputs = [slot for slot in cls.input_slots if slot.name not in without]
    for given, slots in ((group.inputs, inputs), (group.outputs, cls.output_slots)):
        for name, block in given.items():
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


def count_findings(
    group: Group, cls: type[Operator], desc: Mapping[str, Any]
) -> tuple[Finding, ...]:
    """Where ``InputCount`` or ``OutputCount`` is not the number of tensors that there are."""
    given = {**group.inputs, **group.outputs}
    found = []
    for name, count in count_members(cls).items():
        here = sum(label.startswith(f"{name}[") for label in given)
        value = desc.get(count, here)
        if type(value) is not int or value != here:
            message = _("{count} is {value}, but the example has {here} {name}.").format(
                count=count, value=shown(value), here=here, name=name
            )
            found.append(Finding(group.fields[count].line, message, "tensor-name"))
    return tuple(found)


def _missing(given: Mapping[str, Block], slots: Sequence[Slot]) -> str:
    """The first tensor that is not given; of a list, one at least and none left out."""
    for slot in slots:
        count = sum(name in given for name in slot.names(max(1, slot.most)))
        for name in slot.names(max(1, count)):
            if name not in given:
                return name
    return ""


def _all_names(cls: type[Operator]) -> list[str]:
    slots = (*cls.input_slots, *cls.output_slots)
    return [f"{slot.name}[0]…" if slot.most else slot.name for slot in slots]
