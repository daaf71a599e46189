"""``python -m dmlviz run STATE``: what an engine makes of a state, as text or JSON."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from dmlviz.commands.states import add_state, read_state, run_state
from dmlviz.documents import write_example
from dmlviz.tensors import print_value
from dmlviz.words import _

NAME = "run"


def help() -> str:
    """What it does."""
    return _("run an operator on an input: the output, and where each element came from")


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
            "sizes": list(trace.x.shape),
            "output_sizes": list(trace.output.shape),
            # as texts: JSON's numbers are doubles, which hold no INT64 and no NaN
            "output": [print_value(value) for value in trace.output.flat],
            "source": trace.source.ravel().tolist(),
            "agrees": trace.agrees,
        }
        print(json.dumps(data))
    else:
        print(write_example(trace.operator, trace.x, trace.output))
        print(f"\n{trace.check()}")
    return 0 if trace.agrees else 1
