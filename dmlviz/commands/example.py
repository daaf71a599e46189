"""``python -m dmlviz example STATE``: a state as a documentation example."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dmlviz.commands.states import add_state, read_state, run_state
from dmlviz.documents import write_example
from dmlviz.words import _

NAME = "example"


def help() -> str:
    """What it does."""
    return _("write a state as an example in the style of DirectML's documentation")


def add(parser: ArgumentParser) -> None:
    """A state."""
    add_state(parser)
    parser.add_argument(
        "--unnamed",
        action="store_true",
        help=_("omit the operator's name, for a page that already has it"),
    )


def run(arguments: Namespace) -> int:
    """Print the example; ``dmlviz verify -`` reads it back."""
    trace = run_state(read_state(arguments))
    print(write_example(trace.operator, trace.inputs, trace.outputs, named=not arguments.unnamed))
    return 0
