"""Why an operator cannot run: the rules for all operators, then each operator's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import index as as_int
from typing import TYPE_CHECKING

from dmlviz.errors import Error, Problem
from dmlviz.operators.checks import data_type_problems, output_problems, sizes_problems
from dmlviz.operators.feature_levels import (
    Supported,
    at_least,
    feature_level,
    level_problems,
    print_ranks,
)
from dmlviz.operators.slots import VALUES
from dmlviz.tensors import print_sizes, shown
from dmlviz.words import _

if TYPE_CHECKING:
    from dmlviz.operators.base import Operator


def types_ever(operator: Operator | type[Operator]) -> tuple[str, ...]:
    """The data types of moving elements that DirectML runs at its newest level."""
    return (*operator.support[-1].data_types, *operator.unlisted_types)


def problems_of(
    operator: Operator,
    sizes: Sequence[int] | Mapping[str, Sequence[int]],
    data_type: str | Mapping[str, str] | None,
    level: str | None,
) -> list[Problem]:
    """See :meth:`dmlviz.operators.base.Operator.problems`."""
    try:
        named = operator.named_inputs(sizes)
    except Error as error:
        return [Problem("sizes", str(error), f"{operator.structure}")]
    types = operator.named_types(named, data_type)
    found = [
        p for name, given in named.items() for p in _renamed(operator, name, sizes_problems(given))
    ]
    found += [
        p
        for name, kind in types.items()
        for p in _renamed(operator, name, data_type_problems(kind))
    ]
    if found:
        return found
    checked = {name: tuple(as_int(n) for n in given) for name, given in named.items()}
    ranks = operator.ranks_ever()
    first = next(iter(checked.values()))
    if len(first) not in ranks:
        message = _("sizes: {sizes} has {rank} dimensions; {operator} takes {ranks}.").format(
            sizes=print_sizes(first),
            rank=len(first),
            operator=operator.structure.removesuffix("_OPERATOR_DESC"),
            ranks=print_ranks(ranks),
        )
        if operator.buffers:
            words = _(
                "sizes: {sizes} has {rank} dimensions; memory has one, its elements in order."
            )
            message = words.format(sizes=print_sizes(first), rank=len(first))
        return [Problem("sizes", message, f"{operator.structure}, Tensor support")]
    found = list(_control_problems(operator, types)) + operator.inputs_problems(checked, types)
    if not found:
        outputs = operator.outputs_after(checked)
        for out in outputs.values():
            found += output_problems(out, operator.structure)
        found += _contradictions(operator, outputs)
    values = next((k for n, k in types.items() if operator.role(n) == VALUES), None)
    found += _of_the_form(operator, values)
    if level is None:
        found += _never(operator, values)
    else:
        supported = Supported(operator.structure, operator.support, operator.unlisted_types)
        found += level_problems(supported, told_rank(operator, first), values, level)
        found += _control_problems(operator, types, level)
        found += operator.level_rules(level)
    return found


def _never(operator: Operator, data_type: str | None) -> Iterator[Problem]:
    """The problem with a data type of the values that DirectML does not take at any level."""
    taken = types_ever(operator)
    if data_type is None or data_type in taken:
        return
    message = _("data_type: {data_type} is not supported; {operator} takes {data_types}.").format(
        data_type=data_type,
        operator=operator.structure.removesuffix("_OPERATOR_DESC"),
        data_types=", ".join(taken),
    )
    yield Problem("data_type", message, f"{operator.structure}, Tensor support")


def _of_the_form(operator: Operator, data_type: str | None) -> Iterator[Problem]:
    """The problem with a data type that the structure of the operator's description has."""
    form = operator.description.form
    if form is None or data_type is None or data_type not in types_ever(operator):
        return
    if message := form.problem(data_type, operator.structure):
        yield Problem("data_type", message, f"{form.structure}, Tensor support")


def _contradictions(operator: Operator, outputs: Mapping[str, Sequence[int]]) -> Iterator[Problem]:
    """Output sizes of the operator's description that differ from those that the inputs make."""
    structure = (operator.description.form or operator).structure
    described = operator.description.output_sizes
    for slot in operator.output_slots:
        names = [
            [name for name in side if name.partition("[")[0] == slot.name]
            for side in (described, outputs)
        ]
        if names[0] and names[0] != names[1]:
            message = _("desc: {name} of {structure} has {count} tensors, not {due}.").format(
                name=slot.name, structure=structure, count=len(names[0]), due=len(names[1])
            )
            yield Problem(slot.name, message, structure)
            return
    for name, sizes in described.items():
        slot_name = name.partition("[")[0]
        free = slot_name in operator.free_tensors
        same = len(sizes) == len(outputs[name]) and all(
            a == b or (free and a == 0) for a, b in zip(sizes, outputs[name], strict=True)
        )
        if not same:
            message = _("desc: {name} of {structure} has Sizes {output}, not {due}.").format(
                name=name,
                structure=structure,
                output=shown(list(sizes)),
                due=print_sizes(outputs[name]),
            )
            yield Problem(slot_name, message, structure)


def told_rank(operator: Operator, sizes: Sequence[int]) -> int:
    """How many dimensions DirectML sees, if the first input here has these sizes."""
    told = operator.buffers.get(operator.input_slots[0].name)
    return len(sizes if told is None else told.sizes)


def _control_problems(
    operator: Operator, types: Mapping[str, str], level: str | None = None
) -> Iterator[Problem]:
    """Problems with the data type of a tensor of indices, at any level or only at this one."""
    structure = operator.structure
    own = {name: operator.output_type(name, "") for name in operator.index_slots()}
    for slot in (*operator.input_slots, *operator.output_slots):
        given = own.get(slot.name) or types.get(slot.name)
        if not slot.support or given is None:
            continue
        if level is None:
            taken = slot.data_types
            words = _("{name}: {data_type} is not supported; {operator} takes {data_types} there.")
        elif given in slot.data_types:
            usable = [row for row in slot.support if at_least(feature_level(level), row.level)]
            taken = usable[-1].data_types if usable else slot.data_types
            words = _(
                "{name}: {data_type} is not accepted by {operator} at feature level {level}, which "
                "takes {data_types} there."
            )
        else:
            # already reported without a level
            continue
        if given not in taken:
            message = words.format(
                name=slot.name,
                data_type=given,
                operator=structure.removesuffix("_OPERATOR_DESC"),
                data_types=", ".join(taken),
                level=level,
            )
            yield Problem(slot.name, message, f"{structure}, Tensor support")


def _renamed(operator: Operator, name: str, found: Iterable[Problem]) -> list[Problem]:
    """Fields of the first input are "sizes" and "data_type", others "IndicesTensor.sizes" etc."""
    return [problem if operator.is_first(name) else problem.within(name) for problem in found]
