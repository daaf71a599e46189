"""A link to any page that has a state: an operator's, or the page for code."""

from __future__ import annotations

from dataclasses import replace

from dmlviz.addresses import content_parameters, split_link
from dmlviz.errors import Problem
from dmlviz.states.code import CODE, CodeState
from dmlviz.states.code_reading import OpenedCode, read_code_parameters
from dmlviz.states.reading import Opened, read_link
from dmlviz.states.state import State
from dmlviz.tensors import OwnPicture

AnyState = State | CodeState
"""What a link opens. Both kinds have the inputs and the scenes of what is on the stage, the
problems that refuse it, a view, and an address."""


def read_any_link(text: str, own_picture: OwnPicture | None = None) -> Opened | OpenedCode:
    """As :func:`dmlviz.states.read_link`, of the page for code, too; never raises.

    Args:
        text: such as ``/tile?...`` or ``/code?code=...``.
        own_picture: the reader's own.

    >>> read_any_link("/code?code=x.T&sizes=x:2,3").state.chain().sizes["out"]
    (3, 2)
    """
    link = split_link(text)
    if link.page != CODE:
        return read_link(text, own_picture)
    parameters = content_parameters(link.parameters)
    opened = read_code_parameters(parameters, CodeState(""), own_picture)
    return replace(opened, problems=(*link.problems, *opened.problems))


def refusals_of(state: AnyState) -> list[Problem]:
    """Why a state is refused: its code, its operator, or the operator to compare it with.

    Raises:
        Error: as of the states' ``problems``.
    """
    if isinstance(state, CodeState):
        return state.problems()
    both = filter(None, (state.operator(), state.second()))
    return [problem for operator in both for problem in state.problems(operator)]
