"""The files that a run can be saved as: what each is called, and what makes it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.picture.scene import Scene
from dmlviz.tensors import short_text
from dmlviz.tensors.types import Array


def npz(trace: Trace) -> bytes:
    """A compressed NPZ file of every array of a run, by DirectML's names.

    For each output there is also ``OutputTensor.source``, int64, of its sizes: the flat index of
    each element's source, counted through all inputs whose elements travel (of an output of
    indices the elements that they are of), or -1; and, where a control tensor chose its elements,
    ``OutputTensor.driver``, the flat index in that tensor. The arrays of one input and one output
    are also there as ``input``, ``output`` and ``source``.  No pickle: ``numpy.load`` reads the
    file with ``allow_pickle=False``.
    """
    arrays = {
        **trace.inputs,
        **trace.outputs,
        **{f"{name}.source": array for name, array in trace.sources.items()},
        **{f"{name}.driver": array for name, array in trace.drivers.items()},
    }
    if len(trace.inputs) == len(trace.outputs) == 1:
        # their names before those of DirectML were there
        arrays |= {"input": trace.x, "output": trace.output, "source": trace.source}
    file = io.BytesIO()
    # NumPy 2.0 types any extra keyword as an array
    save: Any = np.savez_compressed
    save(file, **arrays)
    return file.getvalue()


def npy(array: Array) -> bytes:
    """An NPY file of one array, without pickle.

    Raises:
        Error: the array holds Python objects.
    """
    if array.dtype.hasobject:
        raise Error(_("array: Python objects are not numbers and cannot be written."), "array")
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


@dataclass(frozen=True)
class PictureLook:
    """How a picture is drawn.

    Attributes:
        step: how many steps are done; None is the end.
        colors: what they show, one of :data:`dmlviz.picture.coloring.Mode`.
        dark: light ink on dark paper.
        width: in pixels, 240 to 4,096; None is the usual width of the format.
        player: how the player of a page begins, as :func:`dmlviz.picture.page.player` takes it.
        progress: called with the part that is done, from 0 to 1, where that takes seconds.
    """

    step: float | None = None
    colors: str = "value"
    dark: bool = False
    width: int | None = None
    player: Mapping[str, Any] = field(default_factory=dict)
    progress: Callable[[float], object] | None = None

    def of_format(self, *names: str) -> dict[str, Any]:
        """The arguments of a picture's function: those of all formats, and the named ones."""
        width = {} if self.width is None else {"width": self.width}
        own = {name: getattr(self, name) for name in names}
        return {"dark": self.dark, "colors": self.colors, **width, **own}


# what makes a file is imported when one is requested: the command line lists them all
def _page(scene: Scene, look: PictureLook) -> bytes:
    from dmlviz.picture.page import player

    colors = {} if look.colors == "value" else {"colors": look.colors}
    return player(scene, {**colors, **look.player} or None).html().encode()


def _png(scene: Scene, look: PictureLook) -> bytes:
    from dmlviz.picture.exports import png

    return png(scene, **look.of_format("step"))


def _svg(scene: Scene, look: PictureLook) -> bytes:
    from dmlviz.picture.svg import svg

    return svg(scene, **look.of_format("step")).encode()


def _gif(scene: Scene, look: PictureLook) -> bytes:
    from dmlviz.picture.exports import gif

    return gif(scene, **look.of_format("progress"))


def _model(trace: Trace) -> bytes:
    from dmlviz.engines.models import model_file

    return model_file(trace.operator, trace.inputs)


PICTURES: Mapping[str, Callable[[Scene, PictureLook], bytes]] = {
    "html": _page,
    "png": _png,
    "svg": _svg,
    "gif": _gif,
}
"""What makes a picture of a run, by the ending of the file's name."""

DATA: Mapping[str, Callable[[Trace], bytes]] = {
    "npz": npz,
    "onnx": _model,
}
"""What makes any other file of a run, by the ending of its name."""

MIMES = {"html": "text/html", "png": "image/png", "svg": "image/svg+xml", "gif": "image/gif"}
"""The types of pictures; other files are bytes."""


def endings(formats: Iterable[str]) -> str:
    """The endings of files' names as a list in a sentence: ``.html, .png``."""
    return ", ".join(f".{ending}" for ending in formats)


def format_of(path: Path, formats: Collection[str]) -> str:
    """The format of a file by the ending of its name, without the dot and in lower case.

    Args:
        path: of the file.
        formats: the endings of files that can be written.

    Raises:
        Error: there are no such files.
    """
    ending = path.suffix.lower().removeprefix(".")
    if ending not in formats:
        raise Error(
            _("file: unsupported file type: {ending}; use {endings}.").format(
                ending=path.suffix or _("no extension"), endings=endings(formats)
            ),
            "file",
        )
    return ending


def as_path(path: Any) -> Path:
    """The path of a file.

    Raises:
        Error: it is neither a text nor a path.
    """
    if isinstance(path, str | os.PathLike):
        return Path(path)
    raise Error(
        _("file: {value} is not the path of a file.").format(value=short_text(path)), "file"
    )


def titles_of_files() -> dict[str, str]:
    """What the files are called, by the endings of their names."""
    return {
        "html": _("Page"),
        "png": _("PNG"),
        "svg": _("SVG"),
        "gif": _("GIF"),
        "npz": _("NumPy arrays"),
        "onnx": _("ONNX model"),
    }
