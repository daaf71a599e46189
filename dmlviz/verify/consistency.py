"""Whether a page agrees with itself and with DirectML.h beside its examples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from dmlviz.operators import Operator
from dmlviz.tensors import shown
from dmlviz.verify.examples import PageExample
from dmlviz.verify.findings import Finding
from dmlviz.verify.naming import count_members
from dmlviz.verify.text import Source
from dmlviz.words import _

_MOST = 20
_ANNOTATION = re.compile(r"//[^\n]*|\b_[A-Z]\w{0,40}_(?:\([^()]{0,100}\))?")
_MEMBER = re.compile(r"\s*(?:const\s+)?(\w{1,80})(\s*\*\s*|\s+)(\w{1,80})\s*")
_NUMBERED = re.compile(r"([^\W\d_]{2,20}+)[ \t]{0,3}(\d{1,4})(?!\d)")


def consistency_findings(
    source: Source, cls: type[Operator], examples: Sequence[PageExample]
) -> tuple[Finding, ...]:
    """What is wrong in the declaration, in headings and in references to examples."""
    found = [
        *islice(_declaration(source, cls), _MOST),
        *_headings(examples),
        *islice(_references(source, examples), _MOST),
    ]
    return tuple(sorted(set(found)))


def _declaration(source: Source, cls: type[Operator]) -> Iterator[Finding]:
    declared = re.compile(rf"\bstruct\s{{1,20}}{cls.structure}\s{{0,20}}\{{([^{{}}]{{0,4000}})\}}")
    found = declared.search(source.text)
    if found is None:
        return
    line = source.line(found.start())
    theirs: dict[str, str] = {}
    for text in _ANNOTATION.sub(" ", found[1]).split(";"):
        member = _MEMBER.fullmatch(text)
        if member:
            theirs[member[3]] = f"{member[1]}{member[2].strip()}"
        elif text.strip():
            message = _("struct: cannot read the member {text}.")
            yield Finding(line, message.format(text=shown(" ".join(text.split()))), "structure")
    ours = _members(cls)
    for name in sorted(theirs.keys() - ours.keys()):
        yield Finding(
            line, _("struct: DirectML.h has no member {name}.").format(name=name), "structure"
        )
    for name in sorted(ours.keys() - theirs.keys()):
        yield Finding(
            line, _("struct: the member {name} is missing.").format(name=name), "structure"
        )
    for name in sorted(ours.keys() & theirs.keys()):
        if ours[name] != theirs[name]:
            message = _("struct: {name} is {theirs} on the page, {ours} in DirectML.h.")
            yield Finding(
                line, message.format(name=name, theirs=theirs[name], ours=ours[name]), "structure"
            )
    if theirs.keys() == ours.keys() and tuple(theirs) != tuple(ours):
        message = _("struct: the order of members in DirectML.h is {names}.")
        yield Finding(line, message.format(names=", ".join(ours)), "structure")


def _members(cls: type[Operator]) -> dict[str, str]:
    """The types of a structure's members, by name, in order; a list of numbers is a pointer."""
    operator = cls.examples()[0].operator
    signed = {p.label for p in cls.parameters() if p.signed}
    reals = {p.label for p in cls.parameters() if p.real}
    counts = count_members(cls)
    types: dict[str, str] = {}
    slots = {slot.name: slot for slot in (*cls.input_slots, *cls.output_slots)}
    for slot in (slots[name] for name in cls.tensor_order or slots):
        # how long a list is stands before it
        types |= {counts[slot.name]: "UINT"} if slot.name in counts else {}
        types[slot.name] = "DML_TENSOR_DESC*"
    for name in (name for name in cls.members if name not in types):
        value = operator.desc.get(name)
        if name in cls.member_types:
            types[name] = cls.member_types[name]
        elif isinstance(value, list):
            types[name] = "FLOAT*" if name in reals else "INT*" if name in signed else "UINT*"
        elif isinstance(value, str):
            # the name of an enumeration begins those of its members
            types[name] = str(operator.documented[name]).removesuffix(f"_{value}")
        else:
            types[name] = "FLOAT" if name in reals else "INT" if name in signed else "UINT"
    return types


def _headings(examples: Sequence[PageExample]) -> Iterator[Finding]:
    """Headings that name another order or mode than their example has."""
    for example in examples:
        operator = example.operator
        if operator is None:
            continue
        sizes = next((x.shape for x in example.inputs.values()), ())
        for parameter in operator.parameters():
            if not parameter.enumerated:
                continue
            own = operator.settings[parameter.name]
            options = [o for o in parameter.options(sizes) if isinstance(o, str)]
            named = [option for option in options if _names(example.title, option)]
            if named and own not in named:
                message = _("the heading names {theirs}, but {name} is {ours} in this example.")
                told = message.format(theirs=named[0], name=parameter.label, ours=own)
                yield Finding(example.line, told, "reference")


def _names(title: str, option: str) -> bool:
    """Whether a heading names an option; a single word counts as DirectML spells it alone."""
    words = option.split("_")
    if len(words) == 1:
        return re.search(rf"(?<![A-Za-z]){option}(?![A-Za-z])", title) is not None
    pattern = r"[\W_]{1,3}".join(words)
    return re.search(rf"(?<![A-Za-z]){pattern}(?![A-Za-z])", title, re.IGNORECASE) is not None


def _references(source: Source, examples: Sequence[PageExample]) -> Iterator[Finding]:
    """Places that name an example by a number that none of the page's headings has."""
    titles = [found for e in examples if (found := _NUMBERED.search(e.title))]
    words = {title[1] for title in titles}
    numbers = {int(title[2]) for title in titles}
    if not titles:
        return
    # any word with a number would be a search through all words of the page
    named = re.compile(rf"(?<![^\W\d_])({'|'.join(sorted(words))})[ \t]{{0,3}}(\d{{1,4}})(?!\d)")
    for found in named.finditer(source.text):
        if int(found[2]) not in numbers:
            message = _("the page mentions {example}, but has no such example.")
            told = message.format(example=f"{found[1]} {int(found[2])}")
            yield Finding(source.line(found.start()), told, "reference")
