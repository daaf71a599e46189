"""Which operator a page is about, by DirectML's names and never by its prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from dmlviz.base.deferred import regex
from dmlviz.operators import OPERATORS, Operator
from dmlviz.operators.slots import Slot

FIELDS = tuple(dict.fromkeys(name for cls in OPERATORS for name in cls.members))
"""The parameters of all operators, as DirectML spells them."""
MEMBERS = tuple(
    dict.fromkeys(
        option
        for cls in OPERATORS
        for parameter in cls.declared.values()
        if parameter.enumerated
        # numbers, which depend on sizes, are no names
        for option in parameter.options((1, 1, 1, 1))
        if isinstance(option, str)
    )
)
"""The names that parameters have as values, such as ``EDGE``."""
ENUMERATIONS = tuple(
    dict.fromkeys(
        str(operator.documented[parameter.label]).removesuffix(f"_{value}")
        for operator in (cls.examples()[0].operator for cls in OPERATORS)
        for parameter in operator.declared.values()
        if isinstance(value := operator.settings[parameter.name], str)
        # a data type stands with its tensor
        and parameter.label in operator.documented
    )
)
"""The enumerations that these are of, such as ``DML_PADDING_MODE``."""


def stem(slot: Slot) -> str:
    """What one tensor of a slot is called without a number: ``InputTensor``."""
    return slot.name.removesuffix("s") if slot.most else slot.name


INPUTS = tuple(dict.fromkeys(stem(slot) for cls in OPERATORS for slot in cls.input_slots))
"""The input tensors of all operators, as DirectML spells one of them."""
OUTPUTS = tuple(dict.fromkeys(stem(slot) for cls in OPERATORS for slot in cls.output_slots))
"""The output tensors of all operators."""
# how alike two names are of which one is the other with a typing error
_TYPING_ERROR = 0.85
_STEMS = {name.lower(): name for name in (*INPUTS, *OUTPUTS)}


def spelled(name: str) -> str:
    """A pattern of a tensor's name as translators write it: ``Outputtensor``, ``Output Tensors``.

    >>> bool(re.fullmatch(spelled("InputTensor"), "input-tensors"))
    True
    """
    words = re.findall(r"[A-Z][a-z0-9]*", name)
    return "(?i:" + r"[ _\t-]?".join(words) + "s?)"


# a look at the first letter is quicker than a try of every name, of which each is spelled freely
_INITIALS = "".join(sorted({letter for name in _STEMS for letter in (name[0], name[0].upper())}))
TENSOR = (
    f"(?=[{_INITIALS}])(?:"
    + "|".join(spelled(name) for name in sorted(_STEMS.values(), key=len, reverse=True))
    + ")"
)
"""A pattern of the name of any operator's tensor, however it is spelled."""


def tensor_name(text: str, place: str | None = None) -> str:
    """DirectML's name of a tensor that a page writes in any spelling.

    Args:
        text: what :func:`spelled` matched.
        place: the number in brackets behind it, if there is one.

    >>> tensor_name("output tensors"), tensor_name("InputTensors", "1")
    ('OutputTensor', 'InputTensors[1]')
    """
    name = re.sub(r"[ _\t-]", "", text).lower()
    stem_name = _STEMS.get(name) or _STEMS[name.removesuffix("s")]
    return stem_name if place is None else f"{stem_name}s[{place}]"


def is_misspelt(name: str) -> bool:
    """Whether this is the name of a tensor with a typing error, and no other name.

    >>> is_misspelt("IputTensor"), is_misspelt("SequenceTensor")
    (True, False)
    """
    return any(is_alike(name, stem_name, _TYPING_ERROR) for stem_name in _STEMS.values())


def is_alone(cls: type[Operator]) -> bool:
    """Whether an operator has one input and one output, and never more."""
    slots = (*cls.input_slots, *cls.output_slots)
    return len(slots) == 2 and not any(slot.most for slot in slots)


def is_derived(cls: type[Operator]) -> bool:
    """Whether formulas say the sizes of the one output by those of the one input.

    Where the input is memory, they are the sizes of the tensor that it is read as.
    """
    return is_alone(cls) and cls.input_slots[0].name not in cls.free_tensors


def count_members(cls: type[Operator]) -> dict[str, str]:
    """The members that say how many tensors a list has, such as ``InputCount``; by the list."""
    slots = (*cls.input_slots, *cls.output_slots)
    counts = {slot.name: f"{stem(slot).removesuffix('Tensor')}Count" for slot in slots if slot.most}
    return {name: count for name, count in counts.items() if count in cls.members}


def dimension_counts(cls: type[Operator]) -> tuple[str, ...]:
    """The members that say how many dimensions of a tensor count, such as ``IndexDimensions``.

    Those that count an array's numbers are none of an operator's settings.

    >>> from dmlviz.operators import GatherND
    >>> dimension_counts(GatherND)
    ('InputDimensionCount', 'IndicesDimensionCount', 'BatchDimensionCount')
    """
    labels = [setting.label for setting in cls.declared.values()]
    return tuple(label for label in labels if "Dimension" in label)


_STRUCTURES = tuple(
    structure
    for cls in OPERATORS
    for structure in (cls.structure, *(form.structure for form in cls.older_forms))
)
_STRUCTURE = r"DML_[A-Z0-9_]{1,80}_OPERATOR_DESC"

# From the surest sign to the weakest; each is one search through the page.  Only the last one
# may be a mention in passing.
_SIGNS = (
    regex(rf"\bUID\s{{0,20}}:\s{{0,20}}NS:directml\.({_STRUCTURE})\b"),
    regex(rf"\bNS:directml\.({_STRUCTURE})\b"),
    regex(rf"\bstruct\s{{1,20}}({_STRUCTURE})\b"),
    regex(rf"^[# \t]{{0,20}}title[ \t]{{0,20}}:[ \t]{{0,20}}({_STRUCTURE})\b", re.MULTILINE),
    regex(rf"^#{{1,6}}\s[^\n]{{0,200}}?\b({_STRUCTURE})\b", re.MULTILINE),
    regex(rf"\b({_STRUCTURE})\b"),
)
# an enumeration's page, which names operators by the way
_OTHER = regex(r"\bUID\s{0,20}:\s{0,20}N[A-Z]:directml\.(?!\w{1,80}_OPERATOR_DESC\b)\w")
_AT_LINE_START = regex(rf"^[ \t]{{0,20}}({_STRUCTURE})\b", re.MULTILINE)


def structure_of(text: str) -> str:
    """The structure that the page describes, such as ``DML_TILE_OPERATOR_DESC``; or empty.

    A page names other operators too (its inverse, see also): the front matter counts first,
    then the declaration, then a heading, then whatever is named first.

    >>> structure_of("The inverse of DML_B_OPERATOR_DESC. struct DML_A_OPERATOR_DESC {")
    'DML_A_OPERATOR_DESC'
    """
    *signs, _mention = _SIGNS
    for sign in signs if _OTHER.search(text) else _SIGNS:
        match = sign.search(text)
        if match:
            return match[1]
    return ""


def names_operator(text: str, file_name: str, fields: Iterable[str]) -> bool:
    """Whether the page says of itself that it is about one of dmlviz's operators.

    Its UID, ``struct`` or title says so, else its headings, else a line that begins with a
    name; and so may its file name.  A name with a typing error (``DML_TLE_OPERATOR_DESC``)
    counts.  Its fields count where none of these names any operator.

    Args:
        text: of the page.
        file_name: with or without folders; may be empty.
        fields: the parameters that the page gives values for.

    >>> names_operator("UID: NS:directml.DML_TLE_OPERATOR_DESC", "", ())
    True
    >>> names_operator("UID: NS:directml.DML_CAST_OPERATOR_DESC", "", ["Repeats"])
    False
    """
    own_name = re.split(r"[/\\]", file_name)[-1].lower()
    if any(structure.lower() in own_name for structure in _STRUCTURES):
        return True
    *signs, headings, _mention = _SIGNS
    for sign in signs:
        if match := sign.search(text):
            return _is_ours(match[1])
    for several in (headings, _AT_LINE_START):
        if named := {match[1] for match in several.finditer(text)}:
            return any(_is_ours(name) for name in named)
    parameters = tuple(fields)
    return bool(parameters and classes_with(parameters))


def _is_ours(structure: str) -> bool:
    """Whether this is a structure of ours, or one of ours with a typing error."""
    return any(_resembles(structure, ours) for ours in _STRUCTURES)


def _resembles(name: str, ours: str) -> bool:
    theirs, expected = (n.removeprefix("DML_").removesuffix("_OPERATOR_DESC") for n in (name, ours))
    if theirs.strip("0123456789") == expected.strip("0123456789"):
        # another number at the end is another version of the operator
        return theirs == expected
    return is_alike(theirs, expected, _TYPING_ERROR)


def class_of(structure: str) -> type[Operator] | None:
    """The operator of a structure or of an older form of it; None where dmlviz has neither."""
    for cls in OPERATORS:
        if structure in (cls.structure, *(form.structure for form in cls.older_forms)):
            return cls
    return None


def classes_with(fields: Sequence[str]) -> tuple[type[Operator], ...]:
    """The operators whose members include all of these."""
    return tuple(cls for cls in OPERATORS if set(fields) <= set(cls.members))


def is_alike(one: str, other: str, more_than: float) -> bool:
    """Whether the ratio of :class:`difflib.SequenceMatcher` for two names is above a number.

    >>> is_alike("Repeat", "Repeats", 0.8), is_alike("Axis", "Repeats", 0.8)
    (True, False)
    """
    letters = len(one) + len(other)
    # bounds of the ratio, the quickest first: lengths, letters that only one has, all letters
    if not letters or 2 * min(len(one), len(other)) <= more_than * letters:
        return not letters
    mine, others = set(one), set(other)
    most = min(len(one) - len(mine - others), len(other) - len(others - mine))
    if 2 * most <= more_than * letters:
        return False
    common = sum(min(one.count(letter), other.count(letter)) for letter in mine)
    if 2 * common <= more_than * letters:
        return False
    return SequenceMatcher(None, one, other).ratio() > more_than
