"""An operator in every dialect: DirectML, ONNX, and the libraries.

An operator has idioms of its own for some libraries; JAX rewrites NumPy's; any other library writes
the operator's ONNX nodes by its forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from dmlviz.base.words import _
from dmlviz.code.libraries import LIBRARIES
from dmlviz.code.library import Library
from dmlviz.code.node_lines import FormMissing, is_small, lines_of
from dmlviz.code.onnx import ONNX
from dmlviz.operators import Operator
from dmlviz.operators.code.base import NUMPY_TENSORS, Case, Snippet, all_made, with_file
from dmlviz.operators.slots import TensorDesc

_LIBRARIES: Mapping[str, Library] = MappingProxyType(
    {of.dialect_key: of for of in LIBRARIES.values() if of.has_dialect}
)

DIALECTS: Mapping[str, str] = MappingProxyType(
    {
        "directml": "DirectML (C++)",
        "onnx": ONNX.title,
        **{dialect: of.title for dialect, of in _LIBRARIES.items()},
    }
)
"""The names of the dialects, in display order."""

LIBRARY_KEYS: Mapping[str, str] = MappingProxyType(
    {dialect: of.key for dialect, of in [*_LIBRARIES.items(), (ONNX.dialect_key, ONNX)]}
)
"""By a dialect, the key of its library in :data:`dmlviz.code.libraries.LIBRARIES`."""


def snippets_of(operator: Operator, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
    """Code for the same operation, one snippet for each of :data:`DIALECTS`.

    Args:
        operator: which one.
        inputs: the tensors, by DirectML's names.

    Raises:
        Refused: the operator cannot take inputs of these sizes and types.
    """
    case = operator.case(inputs)
    pieces = (
        operator.directml_code(case),
        operator.onnx_code(case, inputs),
        *_of_libraries(operator, case, inputs),
    )
    return tuple(replace(piece, title=DIALECTS[piece.dialect]) for piece in pieces)


def _of_libraries(
    operator: Operator, case: Case, inputs: Mapping[str, TensorDesc]
) -> Iterator[Snippet]:
    idioms = {piece.dialect: piece for piece in operator.dialects(case)}
    numpy = Snippet("numpy")
    for dialect, library in _LIBRARIES.items():
        if dialect in idioms:
            piece = _whole(idioms[dialect], library, case)
        elif library.from_numpy is not None:
            piece = library.from_numpy(case, numpy)
        else:
            piece = _whole(by_forms(operator, case, inputs, library), library, case)
        numpy = piece if dialect == numpy.dialect else numpy
        yield replace(piece, tested=library.tested)


def by_forms(
    operator: Operator, case: Case, inputs: Mapping[str, TensorDesc], library: Library
) -> Snippet:
    """ONNX's own node in a library, or what it is lowered to; or why the library has neither.

    Args:
        operator, inputs: as of :func:`snippets_of`.
        case: the operator's tensors.
        library: whose forms are used.

    Returns:
        The lines without those that make the inputs.
    """
    # a lowering can list the place of every element
    forms_of = [operator.native_graph, *([operator.lowered_graph] if is_small(case) else [])]
    missing = "" if is_small(case) else _("code for tensors of this size")
    for graph in (graph_of(inputs) for graph_of in forms_of):
        if graph is None:
            continue
        try:
            body = "\n".join(lines_of(graph, case, library))
            return Snippet(library.dialect_key, body=body)
        except FormMissing as missed:
            missing = missing or str(missed)
    note = _("There is no short code for it in {library}: it has no {operator}.").format(
        library=library.title, operator=missing
    )
    return Snippet(library.dialect_key, note=note)


def _whole(piece: Snippet, library: Library, case: Case) -> Snippet:
    """The lines of a library with those that make its inputs, and the imports that they need."""
    if not piece.body or piece.imports:
        return piece
    lines = all_made(library.tensors or NUMPY_TENSORS, case)
    imports = dict.fromkeys(["import numpy as np", *library.imports.splitlines()])
    needed = [
        line for line in imports if re.search(rf"\b{_short(line)}\b", f"{lines}\n{piece.body}")
    ]
    note = with_file(case, piece.note)
    return replace(piece, imports="\n".join(needed), make_x=lines, note=note)


def _short(line: str) -> str:
    """What code calls the module that a line imports.

    >>> _short("import numpy as np"), _short("import torch")
    ('np', 'torch')
    """
    return line.rpartition(" ")[2]
