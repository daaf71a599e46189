"""Tensor sizes in a description: those that DirectML would derive itself are checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.movement import VALUES
from dmlviz.operators.base import Operator
from dmlviz.operators.checks import sizes_problems, tensor_sizes, whole_number
from dmlviz.operators.feature_levels import print_ranks
from dmlviz.operators.older import Description, OlderForm
from dmlviz.operators.slots import Slot
from dmlviz.tensors import short_text
from dmlviz.tensors.types import Sizes

Read = Callable[[Mapping[str, Any]], Operator]


def read_with_sizes(
    cls: type[Operator], read: Read, desc: Mapping[str, Any], form: OlderForm | None = None
) -> Operator:
    """The operator of a description that can also give the sizes of its tensors.

    Args:
        cls: the operator's class.
        read: reads a description of the other members, and of ``cls.free_tensors``.
        desc: DirectML's fields.
        form: the structure that they are of, if it is not the operator's own.

    Returns:
        It remembers the form and the outputs' sizes, because without inputs they cannot be checked
        here: it refuses inputs that make other outputs.

    Raises:
        Error: a field is missing, unknown or of the wrong type, or the sizes contradict the rest.
    """
    if not isinstance(desc, Mapping):
        return read(desc)
    slots = (*cls.input_slots, *cls.output_slots)
    derived = {slot.name for slot in slots} - {*cls.free_tensors, *cls.typed_tensors}
    operator = read({name: value for name, value in desc.items() if name not in derived})
    laid = [slot for slot in cls.input_slots if slot.name in operator.buffers]
    plain = [slot for slot in cls.input_slots if slot not in laid]
    inputs, outputs = (_sizes(cls, side, desc) for side in (plain, cls.output_slots))
    # the smallest memory is enough
    least = {slot.name: (operator.buffers[slot.name].least,) for slot in laid}
    for name, sizes in (inputs | outputs).items():
        problems = sizes_problems(sizes) if _slot(name) not in cls.free_tensors else []
        if problems:
            raise Error(f"desc: {name}: {problems[0].message}", _slot(name))
    for slot in slots:
        _agreeing_count(cls, slot, desc)
    operator = operator.with_description(Description(form, outputs))
    known = inputs | least
    if (known or outputs) and all(slot.name in desc for slot in cls.input_slots):
        problems = operator.problems(cls.named_inputs(known), None)
        if problems:
            raise Error(problems[0].message, problems[0].field)
    else:
        for name, sizes in outputs.items():
            if _slot(name) not in cls.free_tensors:
                _possible_rank(cls, name, sizes)
    return operator


def _slot(name: str) -> str:
    return name.partition("[")[0]


def _sizes(cls: type[Operator], slots: Sequence[Slot], desc: Mapping[str, Any]) -> dict[str, Sizes]:
    """The sizes that a description gives, by the tensors' names."""
    sizes_of: dict[str, Sizes] = {}
    for slot in slots:
        if slot.name not in desc:
            continue
        if not slot.most:
            typed = slot.name in cls.typed_tensors
            sizes = tensor_sizes(desc, slot.name, typed)
            if sizes or not typed:
                sizes_of[slot.name] = sizes
            continue
        for k, sizes in enumerate(listed_sizes(desc, slot)):
            sizes_of[f"{slot.name}[{k}]"] = sizes
    return sizes_of


def listed_sizes(desc: Mapping[str, Any], slot: Slot) -> tuple[Sizes, ...]:
    """The sizes that a description gives for a list of tensors; empty if it gives none.

    Raises:
        Error: it is not a list of ``{"Sizes": [...]}``, or the list is too long.

    >>> listed_sizes({"OutputTensors": [{"Sizes": [2]}]}, Slot("OutputTensors", most=8))
    ((2,),)
    """
    descs = desc.get(slot.name, [])
    if isinstance(descs, str | bytes) or not isinstance(descs, Sequence) or len(descs) > slot.most:
        raise Error(
            _(
                'desc: {name} is {value}; it must be a list of at most {most}, each {{"Sizes": '
                "[2, 3]}}."
            ).format(name=slot.name, value=short_text(descs), most=slot.most),
            slot.name,
        )
    return tuple(tensor_sizes({slot.name: one}, slot.name) for one in descs)


def _agreeing_count(cls: type[Operator], slot: Slot, desc: Mapping[str, Any]) -> None:
    """Refuse a count of tensors, if given, that differs from the length of their list."""
    name = slot.name.replace("Tensors", "Count")
    if not slot.most or name not in desc:
        return
    count = whole_number(name, desc[name])
    if not 1 <= count <= slot.most:
        raise Error(
            _("desc: {name} of {structure} is {count}; it must be 1 to {most} here.").format(
                name=name, structure=cls.structure, count=short_text(count), most=slot.most
            ),
            name,
        )
    if slot.name in desc and count != len(desc[slot.name]):
        raise Error(
            _("desc: {name} is {count}, but {array} of {structure} has {have} tensors.").format(
                name=name,
                count=count,
                array=slot.name,
                structure=cls.structure,
                have=len(desc[slot.name]),
            ),
            name,
        )


def _possible_rank(cls: type[Operator], name: str, sizes: Sizes) -> None:
    """Refuse output sizes of a rank that no output of the operator has, whatever its inputs."""
    slot = next(slot for slot in cls.output_slots if slot.name == _slot(name))
    copies = slot.support and slot.role == VALUES
    ranks = slot.support[-1].ranks if copies else cls.support[-1].ranks
    if len(sizes) in ranks:
        return
    message = _(
        "desc: {name} of {structure} has Sizes {output}, {rank} dimensions; it takes {ranks}."
    )
    raise Error(
        message.format(
            name=name,
            structure=cls.structure,
            output=short_text(list(sizes)),
            rank=len(sizes),
            ranks=print_ranks(ranks),
        ),
        _slot(name),
    )
