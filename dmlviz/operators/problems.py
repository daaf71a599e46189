"""Why an operator cannot run: what holds for all of them, then what each adds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import index as as_int
from typing import TYPE_CHECKING

from dmlviz.errors import Error, Problem
from dmlviz.operators.checks import data_type_problems, output_problems, sizes_problems
from dmlviz.operators.feature_levels import Supported, level_problems, print_ranks
from dmlviz.operators.slots import VALUES
from dmlviz.tensors import print_sizes
from dmlviz.words import _

if TYPE_CHECKING:
    from dmlviz.operators.base import Operator


def problems_of(
    operator: Operator,
    sizes: Sequence[int] | Mapping[str, Sequence[int]],
    data_type: str | Mapping[str, str] | None,
    feature_level: str | None,
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
        return [Problem("sizes", message, f"{operator.structure}, Tensor support")]
    found = operator.inputs_problems(checked, types)
    if not found:
        for out in operator.outputs_after(checked).values():
            found += output_problems(out, operator.structure)
    if feature_level is not None:
        values = next((k for n, k in types.items() if operator.role(n) == VALUES), None)
        supported = Supported(operator.structure, operator.support, operator.unlisted_types)
        found += level_problems(supported, len(first), values, feature_level)
        found += operator.level_rules(feature_level)
    return found


def _renamed(operator: Operator, name: str, found: Iterable[Problem]) -> list[Problem]:
    """Problems of the first input are those of "sizes" and "data_type", others bear its name."""
    if operator.is_first(name):
        return list(found)
    return [replace(problem, field=name) for problem in found]
