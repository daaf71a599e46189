"""``python -m dmlviz run STATE``: what an engine makes of a state, as text or JSON."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import Any

from dmlviz.base.words import _
from dmlviz.commands.states import add_state, read_state, run_state
from dmlviz.engines.trace import Trace
from dmlviz.tensors import data_type_of, print_value
from dmlviz.tensors.types import Array
from dmlviz.verify import write_example


def add(parser: ArgumentParser) -> None:
    """A state and a format."""
    add_state(parser)
    parser.add_argument("--json", action="store_true", help=_("print JSON instead of text"))


def run(arguments: Namespace) -> int:
    """Print input and output, and the comparison of the two runs."""
    trace = run_state(read_state(arguments))
    if arguments.json:
        data = {
            "operator": trace.operator.operator_type,
            "desc": trace.operator.desc,
            "engine": trace.engine,
            "data_type": trace.data_type,
            **_alone(trace),
            "agrees": trace.agrees,
            "inputs": {name: _tensor(array) for name, array in trace.inputs.items()},
            "outputs": {name: _tensor(array) for name, array in trace.outputs.items()},
            "sources": {name: array.ravel().tolist() for name, array in trace.sources.items()},
            "drivers": {name: array.ravel().tolist() for name, array in trace.drivers.items()},
        }
        print(json.dumps(data))
    else:
        print(write_example(trace.operator, trace.inputs, trace.outputs))
        print(f"\n{trace.check()}")
    return 0 if trace.agrees else 1


def _alone(trace: Trace) -> dict[str, Any]:
    """The first input's sizes, if there is an input, and the only output."""
    data: dict[str, Any] = {}
    if trace.inputs:
        data["sizes"] = list(next(iter(trace.inputs.values())).shape)
    if len(trace.outputs) == 1:
        data["output_sizes"] = list(trace.output.shape)
        data["output"] = _texts(trace.output)
        data["source"] = trace.source.ravel().tolist()
    return data


def _tensor(array: Array) -> dict[str, Any]:
    return {
        "sizes": list(array.shape),
        "data_type": data_type_of(array.dtype),
        "values": _texts(array),
    }


def _texts(array: Array) -> list[str]:
    # JSON's numbers are doubles, which hold no INT64 and no NaN
    return [print_value(value) for value in array.flat]
