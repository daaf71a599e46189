"""The same operator with slightly different settings, from the description of its parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from dmlviz.operators import Operator
from dmlviz.operators.per_dimension import moved
from dmlviz.tensors.types import Sizes


def variants(operator: Operator, sizes: Sizes) -> Iterator[Operator]:
    """Settings that people confuse with these; some of them can be invalid.

    Another choice, such as the other order or mode; swapped settings, such as start and end; the
    numbers of other dimensions; off by one.
    """
    yield operator.alternative()
    chosen = [p for p in operator.parameters() if p.enumerated]
    now = operator.settings
    ranked = [p for p in operator.parameters() if p.ranked]
    numbers = [p.name for p in ranked if not p.unspoken(now[p.name])]
    for parameter in chosen:
        for option in parameter.nearby(now[parameter.name], sizes):
            yield replace(operator, **{parameter.name: option})
    if len(chosen) > 1:
        first, second = chosen[:2]
        for option in first.options(sizes):
            for other in second.options(sizes):
                yield replace(operator, **{first.name: option, second.name: other})
    real = {p.name for p in ranked if p.real}
    for one, other in combinations(numbers, 2):
        if (one in real) != (other in real):
            continue
        yield replace(operator, **{one: now[other], other: now[one]})
        for k in range(min(len(now[one]), len(now[other]))):
            for by in (1, -1):
                if now[one][k] or now[other][k]:
                    pair = {one: moved(now[one], k, by), other: moved(now[other], k, -by)}
                    yield replace(operator, **pair)
    yield replace(operator, **{name: now[name][::-1] for name in numbers})
    yield replace(operator, **{name: now[name][1:] + now[name][:1] for name in numbers})
    single = (p for p in operator.parameters() if p.counted or p.listed or p.real)
    for each in (*ranked, *(p for p in single if not p.ranked)):
        for near in each.nearby(now[each.name], sizes):
            yield replace(operator, **{each.name: near})
