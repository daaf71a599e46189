"""All tensors of a chain, with one of its calls on the stage."""

from __future__ import annotations

import numpy as np

from dmlviz.code import ChainTrace
from dmlviz.picture.strip import Strip, StripTensor


def strip_of(trace: ChainTrace, call: int) -> Strip:
    """All tensors of a chain, with one of its calls on the stage.

    Args:
        trace: of the whole chain.
        call: its number from 1; 0 for all calls.
    """
    chain = trace.chain
    computed = {name: chain.called(name) for name in chain.computing.values()}
    tensors = [StripTensor(n, of, 0, "", chain.maps[n].ravel()) for n, of in chain.taken.items()]
    for number, operation in enumerate(chain.operations, 1):
        tensors += [
            StripTensor(
                computed.get(name, name),
                chain.maps[name].shape,
                number,
                operation.text,
                chain.maps[name].ravel(),
            )
            for name in operation.outputs
        ]
    inputs, outputs = tuple(chain.inputs), tuple(chain.outputs.values())
    if call:
        inputs, outputs = chain.operations[call - 1].inputs, chain.operations[call - 1].outputs
    before = [chain.maps[name].ravel() for name in inputs]
    after = [chain.maps[name].ravel() for name in outputs]
    if call - 1 in chain.computing:
        numbers = trace.window_numbers(chain.computing[call - 1])
        before, after = before[:1], [numbers.ravel(), *after]
    return Strip(
        tuple(tensors),
        call,
        np.concatenate(before),
        np.concatenate(after),
        np.concatenate([x.ravel() for x in trace.inputs.values()]),
        not chain.computing,
    )
