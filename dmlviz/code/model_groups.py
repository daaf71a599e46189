"""The parts of a model by what they do: equal ones together, recognized ones first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code.model import ModelPart
from dmlviz.code.model_file import Dimensions
from dmlviz.code.same import same_names
from dmlviz.tensors import read_sizes, short_text
from dmlviz.tensors.types import Sizes


@dataclass(frozen=True, eq=False)
class PartGroup:
    """Parts that do the same to tensors of the same sizes.

    Attributes:
        parts: by their numbers in the model, from 0.
        name: a line that does the same, in the words of the first part; empty if none is known.
    """

    parts: Mapping[int, ModelPart]
    name: str

    @property
    def first(self) -> ModelPart:
        """The part that stands for all."""
        return _first(self.parts)

    @property
    def title(self) -> str:
        """What they do, as one line of code, or as the names of their operators."""
        return self.name.replace("\n", "; ") or ", ".join(self.first.op_types)


def grouped(parts: Sequence[ModelPart]) -> tuple[PartGroup, ...]:
    """The parts of a model, equal ones together; what a known line does comes first."""
    groups: dict[object, dict[int, ModelPart]] = {}
    for number, part in enumerate(parts):
        groups.setdefault(_done(part, part.text), {})[number] = part
    every = [*groups.values()]
    names = same_names([_first(each).chain for each in every])
    # other operations can do the same
    named: dict[object, tuple[str, dict[int, ModelPart]]] = {}
    for place, each in enumerate(every):
        name = names.get(place, "")
        due = _done(_first(each), name) if name else place
        named.setdefault(due, (name, {}))[1].update(each)
    made = [PartGroup(dict(sorted(each.items())), name) for name, each in named.values()]
    return tuple(sorted(made, key=lambda group: (not group.name, min(group.parts))))


def _first(parts: Mapping[int, ModelPart]) -> ModelPart:
    return next(iter(parts.values()))


def _done(part: ModelPart, text: str) -> object:
    """What a part does, whatever its tensors are called."""
    numbers: dict[str, str] = {}

    def number(word: re.Match[str]) -> str:
        return numbers.setdefault(word[0], str(len(numbers))) if word[0] in tensors else word[0]

    tensors = {*part.tensors, *part.outputs, *part.native.outputs}
    sizes = [tuple(side.values()) for side in (part.input_sizes, part.output_sizes)]
    arrays = tuple((x.dtype.str, x.shape, x.tobytes()) for x in part.arrays.values())
    return (re.sub(r"[A-Za-z_]\w*", number, text), *sizes, arrays)


def print_stated(stated: Dimensions | None) -> str:
    """Sizes as a file states them; a question mark where it states none."""
    if stated is None:
        return "?"
    return "{" + ", ".join("?" if n is None else str(n) for n in stated) + "}"


def read_typed_sizes(field: str, text: str) -> dict[str, Sizes]:
    """Sizes as a person types them for several tensors: ``x:1,3,32,32;state:2,1,128``.

    Args:
        field: what the caller calls the text.
        text: a name can have colons.

    Raises:
        Error: a part has no name, or its sizes are none.
    """
    requested: dict[str, Sizes] = {}
    for part in filter(str.strip, text.split(";", 64)):
        name, colon, rest = part.rpartition(":")
        if not colon or not name.strip():
            raise Error(
                _("{field}: {part} is not a name and numbers, such as x:2,3.").format(
                    field=field, part=short_text(part)
                ),
                field,
            )
        requested[name.strip()] = () if rest.strip() == "{}" else read_sizes(rest)
    return requested


def typed_sizes(sizes: Mapping[str, Sizes]) -> dict[str, str]:
    """Sizes as they are typed: numbers and commas; those of a number are a pair of braces."""
    return {name: ",".join(map(str, of)) or "{}" for name, of in sizes.items()}
