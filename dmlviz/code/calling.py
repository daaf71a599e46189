"""Code or a model, as people call it: :func:`dmlviz.code`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, overload

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code.model import Model, read_model
from dmlviz.code.model_file import FileBytes
from dmlviz.code.running import ChainTrace, as_array, as_sizes, run_code
from dmlviz.tensors import short_text


@overload
def code(source: str, /, library: str | None = None, **tensors: Any) -> ChainTrace: ...


@overload
def code(
    source: bytes | os.PathLike[str], /, library: str | None = None, **tensors: Any
) -> Model: ...


def code(
    source: str | bytes | os.PathLike[str], /, library: str | None = None, **tensors: Any
) -> ChainTrace | Model:
    """Where the elements of your tensors go under your line of code, or in an ONNX model.

    Both are read, not executed: see :mod:`dmlviz.code.reader` and :mod:`dmlviz.code.model`.

    Args:
        source: one or several lines of Python, at most 4,000 characters; or the path (a
            :class:`pathlib.Path`) or the bytes of an ONNX model.
        library: of code, a key of :data:`dmlviz.code.LIBRARIES`; None to guess it.
        tensors: for each name that the code takes, a tuple for the sizes of a tensor of values,
            or an array. An array is itself, and a control where the code uses it as indices or as
            a mask. A whole number is that of a name that the code leaves open, such as ``heads``;
            ``self.heads`` is given as ``**{"self.heads": 4}``. Of a model, the sizes that the
            file leaves open, and the values of inputs that say where elements go.

    Returns:
        A trace of the code; or the parts of the model that only move elements, each with a chain,
        and :meth:`dmlviz.code.ModelPart.run`.

    Raises:
        CodeRefused: the code does not only move elements, or is not read; the refusal has a line,
            a column and a kind. If a call computes, the refusal has the ``parts`` around it, as a
            model has; a tensor that it computes can be given sizes by its name as well.
        Error: a tensor is not one of the 11 data types, or its sizes are invalid; or the file
            cannot be read.

    >>> trace = code("x.reshape(2, 3, 4).permute(0, 2, 1)", x=(2, 12))
    >>> trace.output.shape, [step.name for step in trace.steps], trace.agrees
    ((2, 4, 3), ['reshape', 'permute'], True)
    """
    if isinstance(source, str):
        return run_code(source, tensors, library)
    if isinstance(source, bytes | os.PathLike):
        return model(source, tensors)
    raise Error(
        _(
            "source: {value} is not code; it must be a text, or the path or the bytes of an ONNX "
            "model."
        ).format(value=short_text(source)),
        "source",
    )


def model(source: bytes | os.PathLike[str], tensors: dict[str, Any]) -> Model:
    """The parts of an ONNX model that only move elements.

    Args:
        source: the path or the bytes of the file.
        tensors: as in :func:`code`; a tensor can have any name.
    """
    sizes = {name: as_sizes(name, x) for name, x in tensors.items() if isinstance(x, tuple)}
    arrays = {name: as_array(name, x) for name, x in tensors.items() if name not in sizes}
    if isinstance(source, bytes):
        return read_model(source, sizes, arrays)
    path = Path(source)
    try:
        with path.open("rb") as file:
            return read_model(FileBytes(file, 0, file.seek(0, os.SEEK_END)), sizes, arrays)
    except OSError as error:
        raise Error(
            _("file: cannot read {file}: {reason}.").format(
                file=path, reason=error.strerror or error
            ),
            "file",
        ) from None
