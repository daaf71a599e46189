"""``python -m dmlviz example STATE``: a state as a documentation example."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.commands.states import add_state, read_state, run_state
from dmlviz.operators import Operator
from dmlviz.operators.older import OlderForm
from dmlviz.tensors import short_text
from dmlviz.verify import write_example


def add(parser: ArgumentParser) -> None:
    """A state."""
    add_state(parser)
    parser.add_argument(
        "--unnamed",
        action="store_true",
        help=_("omit the operator's name, for a page that already has it"),
    )
    parser.add_argument(
        "--structure",
        metavar="NAME",
        help=_("write it for the page of another structure, such as {such_as}").format(
            such_as="DML_SLICE_OPERATOR_DESC"
        ),
    )


def run(arguments: Namespace) -> int:
    """Print the example; ``dmlviz verify -`` reads it back."""
    trace = run_state(read_state(arguments))
    operator = trace.operator
    form = _form(operator, arguments.structure)
    named = not arguments.unnamed
    print(write_example(operator, trace.inputs, trace.outputs, named=named, form=form))
    return 0


def _form(operator: Operator, name: str | None) -> OlderForm | None:
    """The structure of that name, where it is not the operator's own.

    Raises:
        Error: the operator has none of that name.
    """
    forms = {form.structure: form for form in operator.older_forms}
    if name is None or name == operator.structure:
        return None
    if name in forms:
        return forms[name]
    raise Error(
        _("structure: {name} is not one of {names}.").format(
            name=short_text(name), names=", ".join([operator.structure, *forms])
        ),
        "structure",
    )
