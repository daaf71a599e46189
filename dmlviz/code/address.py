"""Code and its tensors as the parameters of a link: ``/code?code=x.T&sizes=x:2,3&library=numpy``.

``sizes`` has every tensor that the code takes; ``values`` has the elements of those that move and
are not counted from 1, in ``data_type``, or the name of starting values: ``x:random:7``,
``x:picture:gradient``, ``y:count-on``; ``controls`` has those of indices, ``i:0,2,1``, and masks,
and the numbers that code leaves open, ``self.heads:4``, which have no sizes.
"""

from __future__ import annotations

from collections.abc import Mapping

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.tensors import short_text
from dmlviz.tensors.types import Sizes

DATA_TYPE = "FLOAT32"
"""The data type of tensors of which only the sizes are given."""

START = "count-1"
"""The starting values of tensors of which only the sizes are given."""

VALUES_LIMIT = 4_096
"""The limit of elements whose values fit in a link."""


def code_parameters(
    code: str,
    library: str,
    sizes: Mapping[str, Sizes],
    kind: str = DATA_TYPE,
    values: Mapping[str, str] | None = None,
    controls: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The parameters of a link to code.

    Args:
        code: the text.
        library: its key.
        sizes: of every tensor that the code takes, by name.
        kind: the data type of those whose elements move.
        values: the values of those that are not counted from 1, as text.
        controls: those of the tensors that only choose elements, and numbers, as text.
    """
    parameters = {
        "code": code,
        "library": library,
        "sizes": _joined({name: ",".join(map(str, of)) for name, of in sizes.items()}),
        "data_type": "" if kind == DATA_TYPE else kind,
        "values": _joined(values or {}),
        "controls": _joined(controls or {}),
    }
    return {name: text for name, text in parameters.items() if text}


def is_number_name(name: str) -> bool:
    """Whether a name can be that of a number: with the model that has it, as in ``self.heads``."""
    return all(part.isidentifier() for part in name.split("."))


def _joined(texts: Mapping[str, str]) -> str:
    """Texts of tensors as one parameter."""
    return ";".join(f"{name}:{text}" for name, text in texts.items() if text)


def named_parts(field: str, text: str) -> dict[str, str]:
    """The parts of a parameter by the names of tensors.

    Raises:
        Error: a part has no name.
    """
    parts = {}
    for part in filter(None, text.split(";", 64)):
        name, colon, rest = part.partition(":")
        if not colon or not is_number_name(name):
            raise Error(
                _("{field}: {part} is not a name and numbers, such as x:2,3.").format(
                    field=field, part=short_text(part)
                ),
                field,
            )
        parts[name] = rest
    return parts
