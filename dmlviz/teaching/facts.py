"""Facts about a state by its link, and texts that are filled in with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dmlviz.base.cache import cached
from dmlviz.base.errors import Error
from dmlviz.states import State
from dmlviz.states.between import BETWEEN
from dmlviz.states.code import CODE
from dmlviz.states.pages import AnyState, operator_state, read_any_link
from dmlviz.teaching.code_facts import BetweenFacts, CodeFacts
from dmlviz.teaching.fact_texts import filled
from dmlviz.teaching.operator_facts import OperatorFacts
from dmlviz.teaching.state_facts import StateFacts


@cached(megabytes=4, words=False)
def state_of(link: str) -> AnyState:
    """The state that a link of a preset, of a lesson or of the glossary opens.

    Raises:
        Error: a part of the link is not possible.
    """
    opened = read_any_link(link)
    for problem in opened.problems:
        raise Error(problem.message, problem.field)
    assert opened.state is not None  # there was no problem
    return opened.state


def operator_state_of(link: str) -> State:
    """As :func:`state_of`, of a link to an operator's page."""
    return operator_state(state_of(link))


def operator_keys(links: Iterable[str]) -> tuple[str, ...]:
    """The keys of the operators that links open, each once and in order; code has none."""
    return tuple(dict.fromkeys(key for link in links for key in state_of(link).operators))


_FACTS: Mapping[str, type[StateFacts]] = {CODE: CodeFacts, BETWEEN: BetweenFacts}
"""What facts are made of, by the key of a page; all others are an operator's."""


def facts_on(state: AnyState) -> StateFacts:
    """The facts of a state."""
    return _FACTS.get(state.key, OperatorFacts)(state, facts_of)


def facts_of(link: str) -> StateFacts:
    """The facts of the state that a link opens.

    Raises:
        Error: a part of the link is invalid.
    """
    return facts_on(state_of(link))


def fill(text: str, link: str) -> str:
    """The text with ``{out[0, 0, 2, 3]}`` and other fields filled in by the engine.

    Sizes such as ``{1, 1, 2, 3}`` stay: fields begin with a letter.

    Raises:
        Error: the state has no answer for a field.

    >>> fill("{1, 3} has {out[0, 4]} there.", "/tile?sizes=1,3&values=count-1&repeats=1,2")
    '{1, 3} has 2 there.'
    """
    return filled(text, facts_of(link))
