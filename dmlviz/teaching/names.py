"""Every name of every operator: its titles, DirectML's own, and those of other libraries.

And calls that no single operator does, with what does them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping

from msgspec import Struct

from dmlviz.base.cache import cached
from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.places import ASSETS
from dmlviz.base.words import language, languages, speaking
from dmlviz.code.dialects import DIALECTS, by_forms, snippets_of
from dmlviz.code.libraries import LIBRARIES, library_of_module
from dmlviz.operators import OPERATORS, Operator
from dmlviz.operators.code.base import Snippet
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.operators.slots import TensorDesc, descs_of
from dmlviz.operators.texts import NameText
from dmlviz.teaching.facts import operator_state_of
from dmlviz.teaching.files import decode_table, file_in, fill_texts, read_toml

DIRECTML = "DirectML"
"""The library that DirectML's own names belong to."""

ONNX = "ONNX "
"""The prefix of an ONNX operator's name, which has no module."""


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


@cached(megabytes=4)
def names() -> tuple[Name, ...]:
    """Every name, operator by operator, its title first.

    >>> [name.text for name in names() if name.key == "split"][:3]
    ['Split', 'DML_OPERATOR_SPLIT', 'ONNX Split']
    """
    return tuple(name for cls in OPERATORS for name in _names_of(cls))


def _names_of(cls: type[Operator]) -> Iterator[Name]:
    texts = cls.texts()
    titles = {}
    for spoken in languages():
        with speaking(spoken):
            titles[spoken] = cls.title()
    title = titles.pop(language())
    # the first example is in plain words, on a row or a table where the operator takes one
    page = operator_state_of(texts.presets[0].link).address(whole=True)
    also = (*titles.values(), *texts.also, cls.key, cls.__name__)
    yield Name(title, "", cls.key, page, also)
    yield Name(cls.operator_type, DIRECTML, cls.key, page, (cls.structure,))
    for form in cls.older_forms:
        yield Name(form.operator_type, DIRECTML, cls.key, page, (form.structure,))
    for text in texts.names:
        state = operator_state_of(text.link)
        call = line_of(text, state.operator(), descs_of(state.inputs()))
        library = DIALECTS[library_of(text)]
        yield Name(text.name, library, cls.key, state.address(whole=True), text.also, call)
    yield from _written_names(cls, {library_of(text) for text in texts.names})


_ONE_CALL = regex(r"y = (\w+(?:\.\w+)+)\((?:(?!\w\()[^\n])*\)")


def _written_names(cls: type[Operator], listed: Container[str]) -> Iterator[Name]:
    """The names in libraries that are not listed, of the one call that each writes for a state."""
    state = operator_state_of(cls.texts().presets[0].link)
    operator = state.operator()
    inputs = descs_of(state.inputs())
    for library in LIBRARIES.values():
        if not library.forms or library.dialect_key in listed:
            continue
        call = by_forms(operator, operator.case(inputs), inputs, library).body
        if one := _ONE_CALL.fullmatch(call):
            yield Name(one[1], library.title, cls.key, state.address(whole=True), (), call)


def library_of(text: NameText) -> str:
    """The library of a name, a key of :data:`dmlviz.code.dialects.DIALECTS`.

    >>> library_of(NameText("F.pad", "/padding")), library_of(NameText("ONNX Pad", "/padding"))
    ('pytorch', 'onnx')
    """
    first = re.split(r"[. ]", text.name)[0]
    of = library_of_module(first)
    return text.dialect or (of.dialect or of.key if of is not None else first.lower())


def snippet_of(text: NameText, operator: Operator, inputs: Mapping[str, TensorDesc]) -> Snippet:
    """The code that calls a name, for existing inputs.

    Args:
        text: the name and its call.
        operator, inputs: of its state.
    """
    library = library_of(text)
    if library == "onnx":
        graph = operator.native_graph(inputs)
        assert graph is not None, text.name
        return onnx_snippet(operator.case(inputs), nodes_of(graph), graph.opset)
    if not text.call:
        return next(s for s in snippets_of(operator, inputs) if s.dialect == library)
    imports = next(of.imports for of in LIBRARIES.values() if library in (of.dialect, of.key))
    imports = imports or f"from einops import {text.name.split('.')[1]}"
    return Snippet(library, imports, body=text.call)


def line_of(text: NameText, operator: Operator, inputs: Mapping[str, TensorDesc]) -> str:
    """The call of a name as readers see it; of a whole model, only its node.

    Args:
        text: the name and its call.
        operator, inputs: of its state.
    """
    body = snippet_of(text, operator, inputs).body
    if not text.name.startswith(ONNX):
        return body
    kind = text.name.removeprefix(ONNX).partition(" ")[0]
    node = re.search(rf'^    (helper\.make_node\(\s*"{kind}".*?\)),$', body, re.S | re.M)
    # a call that is too long for a line of code becomes one line in a table
    return " ".join(node[1].split()).replace("( ", "(").replace(", )", ")") if node else body


class CompositionStep(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of what does the same.

    Attributes:
        title: the operator's, or what its output has.
        link: the address of a state that computes it.
    """

    title: str
    link: str


class Composition(Struct, frozen=True, forbid_unknown_fields=True):
    """What does the same as a call.

    Attributes:
        key: its name in the files.
        calls: names of functions without their module, ``x[...]``, or ``ONNX`` and an operator.
        sentence: why no operator does it, and what does.
        steps: in order; none where nothing here does it.
    """

    key: str
    calls: tuple[str, ...]
    sentence: str
    steps: tuple[CompositionStep, ...] = ()


def compositions() -> tuple[Composition, ...]:
    """All of them, in the reader's language.

    >>> [step.title for each in compositions() if each.key == "roll" for step in each.steps]
    ['Slice', 'Join']
    """
    return _read(language())


@cached(megabytes=1)
def _read(spoken: str) -> tuple[Composition, ...]:
    file = file_in(ASSETS, "compositions", spoken)
    tables = read_toml(file.read_text(encoding="utf-8"), file.name)
    return tuple(
        fill_texts(decode_table({**table, "key": key}, Composition, file.name, key), file.name, key)
        for key, table in tables.items()
    )
