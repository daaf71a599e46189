"""The input as a grid to type into, one plane at a time."""

from __future__ import annotations

import hashlib

import numpy as np
import pandas as pd
import streamlit as st

from dmlviz.app.problems import Notices
from dmlviz.app.state import KEEP, PageState
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _
from dmlviz.states.tensor_rows import has_grid
from dmlviz.tensors import print_value, read_number
from dmlviz.tensors.numbering import print_index
from dmlviz.tensors.types import Array


def edit_as_grid(state: PageState, notices: Notices, x: Array, data_type: str) -> None:
    """Draw a grid of one plane; edits become own values."""
    if not has_grid(x.shape):
        return
    rows = x.reshape(-1, *x.shape[-2:]) if x.ndim > 1 else x.reshape(1, 1, -1)
    grid = st.expander(
        _("Edit as a grid"), icon=":material/edit:", key=state.key("editing"), on_change="rerun"
    )
    if not grid.open:
        return
    with grid:
        plane = 0
        if rows.shape[0] > 1:
            plane = st.selectbox(
                _("Plane"),
                range(rows.shape[0]),
                key=state.key("plane"),
                format_func=lambda p: plane_title(x.shape, p),
                persist_state=KEEP,
            )
        texts = [[print_value(v) for v in row] for row in rows[plane]]
        frame = pd.DataFrame(texts, columns=[str(j) for j in range(rows.shape[2])])
        # another tensor needs another grid, so that edits of the old one do not apply to it
        digest = hashlib.sha256(x.tobytes() + repr((x.dtype, x.shape, plane)).encode())
        edited = st.data_editor(frame, key=f"{state.key('grid')}_{digest.hexdigest()[:16]}")
        notices.place(state.field("grid"))
        if edited.equals(frame):
            return
        try:
            changed = _read(edited, rows, plane, data_type)
        except Error as error:
            notices.add([state.problem(Problem("grid", str(error), "dmlviz"))])
            return
        st.session_state[state.key("edited")] = changed.reshape(x.shape)
        st.rerun()


def take_edits(state: PageState) -> None:
    """Store edits of the grids as the page's own values; call before drawing widgets."""
    for name in state.names():
        keys = state.of(name)
        edited = st.session_state.pop(keys.key("edited"), None)
        if edited is not None:
            keys.fill_literal(edited)


def plane_title(sizes: tuple[int, ...], plane: int) -> str:
    """A plane's outer indices.

    >>> plane_title((1, 2, 4, 6), 1)
    '[0, 1, :, :]'
    """
    at = np.unravel_index(plane, sizes[:-2])
    return print_index((*at, ":", ":"))


def _read(edited: pd.DataFrame, rows: Array, plane: int, data_type: str) -> Array:
    changed = rows.copy()
    for i, row in enumerate(edited.itertuples(index=False)):
        for j, text in enumerate(row):
            changed[plane, i, j] = read_number(str(text or ""), data_type, (i, j))
    return changed
