"""Checks of arrays whose failure says what lies between them.

>>> import numpy as np
>>> from dmlviz.testing import assert_array_equal
>>> assert_array_equal(np.arange(3), [0, 1, 2])
"""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.tensors.types import Array

if TYPE_CHECKING:
    from dmlviz.code.between import Between

ORDER = ("numpy", "einops", "torch", "")
"""The libraries of the line that a message says, the first that there is; operators have none."""


def assert_array_equal(
    actual: Any,
    desired: Any,
    err_msg: object = "",
    verbose: bool = True,
    *,
    strict: bool = False,
    folder: str | os.PathLike[str] | None = None,
) -> None:
    """As :func:`numpy.testing.assert_array_equal`; of the same elements, what was done to them.

    Args:
        actual, desired: what NumPy takes: arrays of any sizes, or what becomes one.
        err_msg, verbose, strict: as NumPy takes them.
        folder: where a page that plays the movement is saved; None to write nothing. It is made
            if it is not there. The fixture ``assert_array_equal`` of pytest gives ``tmp_path``.

    Raises:
        AssertionError: they differ. Where ``actual`` has the elements of ``desired`` at other
            places and a line does it, as in ``actual is desired.transpose(0, 2, 1)``, the message
            begins with it, the first difference, and the path of the page; NumPy's own follows.
    """
    __tracebackhide__ = True
    try:
        np.testing.assert_array_equal(actual, desired, err_msg, verbose, strict=strict)
    except AssertionError as error:
        sentences = _sentences(actual, desired, folder)
        if not sentences:
            raise
        message = "\n".join([*sentences, str(error)])
    else:
        return
    raise AssertionError(message)


def _sentences(actual: Any, desired: Any, folder: str | os.PathLike[str] | None) -> list[str]:
    """What lies between two arrays that differ; nothing if they do not have the same elements."""
    both = _between(actual, desired)
    lines = sorted(both.same_as if both else (), key=lambda one: ORDER.index(one.library))
    if both is None or not lines or lines[0].kind == "nothing":
        return []
    sentences = [_("actual is {line}").format(line=lines[0])]
    (wanted,) = both.before.values()
    if both.after.shape != wanted.shape:
        sizes = {"actual": both.after.shape, "desired": wanted.shape}
        sentences.append(_("The sizes are {actual}, not {desired}.").format(**sizes))
    else:
        unlike = (both.after != wanted) & ~((both.after != both.after) & (wanted != wanted))
        at = tuple(int(i) for i in np.argwhere(unlike)[0])
        sentences.append(
            _("First difference at {index}: actual has {actual}, desired has {desired}.").format(
                index=list(at), actual=both.after[at], desired=wanted[at]
            )
        )
    if folder is not None and both.model is not None:
        sentences.append(_("To see it, open {file}").format(file=_saved(both, Path(folder))))
    return sentences


def _between(actual: Any, desired: Any) -> Between | None:
    """What lies between two arrays with the same elements; None if they have others."""
    # only what fails needs it
    from dmlviz.code.between import between_arrays
    from dmlviz.code.matching import as_compared

    try:
        arrays = [as_compared("array", np.asarray(x)) for x in (actual, desired)]
        dtype = np.result_type(*arrays)
        after, before = (_with_one_nan(np.asarray(x, dtype)) for x in arrays)
        both = between_arrays({"desired": before}, after)
    except (Error, TypeError, ValueError):
        return None
    every = np.sort(both.source, axis=None)
    return both if np.array_equal(every, np.arange(before.size)) else None


def _with_one_nan(array: Array) -> Array:
    """The array with one kind of zero and of NaN: NumPy takes all of a kind as equal."""
    if array.dtype.kind not in "fc":
        return array
    same = array + 0
    one: Array = np.where(np.isnan(same), np.asarray(np.nan, same.dtype), same)
    return one


def _saved(both: Between, folder: Path) -> Path:
    """A page that plays a movement, in a new file of a folder."""
    from dmlviz.picture.page import player

    folder.mkdir(parents=True, exist_ok=True)
    paths = (folder / f"between-{number}.html" for number in count(1))
    return player(both).save(next(path for path in paths if not path.exists()))
