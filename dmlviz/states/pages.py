"""Pages that have a state, each of one kind: an operator's, that for code, or for two arrays.

A page asks for what depends on the kind here, and nowhere else; :data:`KINDS` has it, and
:mod:`dmlviz.states.page` says how to add one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from dmlviz.base.addresses import content_parameters, split_link
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.states import changing, code_form, form
from dmlviz.states.between import (
    BETWEEN,
    between_changed,
    between_form,
    first_arrays,
    read_between,
)
from dmlviz.states.code import CODE, first_code
from dmlviz.states.code_reading import read_code_parameters
from dmlviz.states.controls import FormGroup
from dmlviz.states.own_picture import PictureChoice
from dmlviz.states.page import PageState
from dmlviz.states.reading import Opened, read_link, read_parameters
from dmlviz.states.state import State, first_state
from dmlviz.tensors import OwnPicture

AnyState = PageState
"""What a link opens."""


@dataclass(frozen=True)
class Kind:
    """What a page does, by its kind; see :mod:`dmlviz.states.page`.

    Attributes:
        form: the rows of a state.
        changed: a state after a change of a row.
        with_picture: a state with the reader's own picture in a tensor.
        first: what a new page shows, by its key.
        read: what the parameters of a link to it say.
        program: what runs, as a text that is equal in states that differ in values or layout alone;
            empty where settings are compared.
    """

    form: Callable[[Any, PictureChoice | None], tuple[FormGroup, ...]]
    changed: Callable[[Any, str, str], Any]
    with_picture: Callable[[Any, str, PictureChoice], Any]
    first: Callable[[str], Any]
    read: Callable[[str, Mapping[str, str], OwnPicture | None], Opened[Any]]
    program: Callable[[Any], str] = lambda state: ""


_OPERATOR = Kind(
    form.state_form, changing.changed, changing.with_own_picture, first_state, read_parameters
)
KINDS: dict[str, Kind] = {
    CODE: Kind(
        code_form.code_form,
        code_form.code_changed,
        code_form.with_own_picture_in_code,
        lambda key: first_code(),
        lambda key, parameters, own: read_code_parameters(parameters, first_code(), own),
        lambda state: state.program,
    ),
    BETWEEN: Kind(
        between_form,
        between_changed,
        lambda state, tensor, choice: state,
        lambda key: first_arrays(),
        lambda key, parameters, own: read_between(parameters),
    ),
}


def _kind(key: str) -> Kind:
    return KINDS.get(key, _OPERATOR)


def form_of(state: AnyState, picture: PictureChoice | None = None) -> tuple[FormGroup, ...]:
    """The rows of a page.

    Args:
        state: that it shows.
        picture: the reader's own; None if there is none.
    """
    return _kind(state.key).form(state, picture)


def changed(state: AnyState, name: str, text: str) -> AnyState:
    """A state after somebody changed one row, as :func:`dmlviz.states.changing.changed`."""
    after: AnyState = _kind(state.key).changed(state, name, text)
    return after


def with_changes(
    state: AnyState,
    texts: Mapping[str, str],
    change: Callable[[AnyState, str, str], AnyState] = changed,
) -> tuple[AnyState, dict[str, tuple[str, str]]]:
    """A state after changes, and those that are refused, each with a sentence why.

    Args:
        state: before the changes.
        texts: new ones, by the names of their rows.
        change: a state after one of them, as :func:`changed`.
    """
    refused: dict[str, tuple[str, str]] = {}
    left = dict(texts)
    # sizes and own values may fit each other only when both have changed
    for _round in range(2):
        for name, text in tuple(left.items()):
            try:
                state = change(state, name, text)
            except Error as error:
                refused[name] = (text, str(error))
            else:
                del left[name]
                refused.pop(name, None)
    return state, refused


def with_picture(state: AnyState, tensor: str, choice: PictureChoice) -> AnyState:
    """A state with the reader's own picture, as its kind takes it."""
    after: AnyState = _kind(state.key).with_picture(state, tensor, choice)
    return after


def program_of(state: AnyState) -> str:
    """What runs, as :attr:`Kind.program`."""
    return _kind(state.key).program(state)


def first_of(key: str) -> AnyState:
    """What a new page shows.

    Raises:
        Error: there is no such page.
    """
    state: AnyState = _kind(key).first(key)
    return state


def read_page(
    key: str, parameters: Mapping[str, str], own_picture: OwnPicture | None = None
) -> Opened[AnyState]:
    """What the parameters of a link to a page say, as :func:`dmlviz.states.read_parameters`."""
    return _kind(key).read(key, parameters, own_picture)


def read_any_link(text: str, own_picture: OwnPicture | None = None) -> Opened[AnyState | None]:
    """As :func:`dmlviz.states.read_link`, of the page for code, too; never raises.

    Args:
        text: such as ``/tile?...`` or ``/code?code=...``.
        own_picture: the reader's own.

    >>> read_any_link("/code?code=x.T&sizes=x:2,3").state.chain().sizes["out"]
    (3, 2)
    """
    link = split_link(text)
    if link.page not in KINDS:
        return read_link(text, own_picture)
    opened = read_page(link.page, content_parameters(link.parameters), own_picture)
    return replace(opened, problems=(*link.problems, *opened.problems))


def is_code(link: str) -> bool:
    """Whether a link opens code: what runs is then lines in a code font, not an operator's name."""
    return split_link(link).page == CODE


def operator_state(state: AnyState) -> State:
    """The state of an operator's page as such, where there can be no other kind."""
    assert isinstance(state, State), state.key
    return state


def predicting(state: AnyState) -> bool:
    """Whether the output is hidden until the learner predicts it.

    Never while two are compared, or while an excerpt is drawn.
    """
    return state.view.predict and not state.compares and not state.is_large


def refusals_of(state: AnyState) -> list[Problem]:
    """Why a state is refused: its code, its operator, or what it is compared with.

    Raises:
        Error: as of the states' ``problems``.
    """
    return [*state.problems(), *state.second_problems()]
