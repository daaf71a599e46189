"""Every name of every operator: its titles, DirectML's own, and those of other libraries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dmlviz.addresses import write_link
from dmlviz.finding.spoken import SPOKEN
from dmlviz.kept import kept
from dmlviz.operators import OPERATORS, Operator
from dmlviz.operators.other_names import OtherName
from dmlviz.operators.slots import descs_of
from dmlviz.presets import opened_state
from dmlviz.words import language, languages, speaking

DIRECTML = "DirectML"
"""The library that DirectML's own names belong to."""


@dataclass(frozen=True)
class Name:
    """A name of an operator, and the state that shows it.

    Attributes:
        text: its spelling, such as ``torch.gather``.
        library: the library that uses the name, such as ``PyTorch``; empty for a page's title.
        key: the key of the operator's page.
        link: the address of a state in which the operator does what the name means.
        also: other spellings, and titles in other languages.
        call: the code that does the same; empty for DirectML's own names.
    """

    text: str
    library: str
    key: str
    link: str
    also: tuple[str, ...] = ()
    call: str = ""

    @property
    def spellings(self) -> tuple[str, ...]:
        """All texts that a search compares."""
        return (self.text, *self.also)


@kept(megabytes=4)
def names() -> tuple[Name, ...]:
    """Every name, operator by operator, its title first.

    >>> [name.text for name in names() if name.key == "split"][:3]
    ['Split', 'DML_OPERATOR_SPLIT', 'ONNX Split']
    """
    return tuple(name for cls in OPERATORS for name in _names_of(cls))


def _names_of(cls: type[Operator]) -> Iterator[Name]:
    titles = {}
    for spoken in languages():
        with speaking(spoken):
            titles[spoken] = cls.teaching().title()
    title, page = titles.pop(language()), write_link(cls.key, {})
    also = (*titles.values(), *SPOKEN.get(cls.key, ()), cls.key, cls.__name__)
    yield Name(title, "", cls.key, page, also)
    yield Name(cls.operator_type, DIRECTML, cls.key, page, (cls.structure,))
    for form in cls.older_forms:
        yield Name(form.operator_type, DIRECTML, cls.key, page, (form.structure,))
    # a new operator may not have one yet
    for other in getattr(cls.teaching(), "names", tuple)():
        yield _of_library(cls, other)


def _of_library(cls: type[Operator], other: OtherName) -> Name:
    state = opened_state(cls.key, other.opening)
    call = other.line(state.operator(), descs_of(state.inputs()))
    return Name(other.name, other.title, cls.key, state.address(whole=True), other.also, call)
