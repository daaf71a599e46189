"""The parts of an ONNX model that only move elements, as code to open."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from dmlviz.app.state import KEEP, PageState
from dmlviz.app.text import plain
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code import Model, ModelPart, read_model, same_as
from dmlviz.code.address import DATA_TYPE, START, VALUES_LIMIT, named_parts
from dmlviz.states.code import CodeState
from dmlviz.states.inputs import InputState, Tensors
from dmlviz.tensors import GO_ON, print_compact, print_sizes, read_sizes

MEGABYTES = 1
"""The limit of a file on the page; the command reads more."""

_NAMING_SECONDS = 1.5
"""The limit of processor time for naming the parts of a file."""

_LISTED = 64
"""How many parts are listed."""

_REASONS = 6
"""How many reasons why nodes are in no part are listed."""


@dataclass(frozen=True)
class _Read:
    """What was read of a file; nothing of its values remains.

    Attributes:
        parts: for each part its title as Markdown and what the page opens; named ones first.
        lines: how much was read, and why the other nodes are in no part.
    """

    parts: tuple[tuple[str, CodeState], ...]
    lines: tuple[str, ...]


def model_parts(page: PageState, begin: Callable[[CodeState], None]) -> None:
    """Draw the upload, the list of parts, and why the other nodes are in none.

    Args:
        page: of code.
        begin: opens a part; called in a callback.
    """
    with st.expander(_("ONNX model"), icon=":material/account_tree:"):
        sizes = st.text_input(
            _("Sizes that the file leaves open"),
            key=page.key("model_sizes"),
            placeholder="x:1,3,32,32",
            max_chars=400,
            persist_state=KEEP,
        )
        file = st.file_uploader(
            _("An ONNX model, up to {size} MB").format(size=MEGABYTES),
            type=["onnx"],
            key=page.key("model_file"),
            max_upload_size=MEGABYTES,
            label_visibility="collapsed",
        )
        if file is not None:
            try:
                _draw(page, _read(page, file, sizes), begin)
            except Error as error:
                st.error(plain(str(error)), icon=":material/error:")
        st.caption(
            _(
                "The file is not stored, and no link has it. The part that you choose becomes "
                "code, which a link has. For larger files there is a command: dmlviz code."
            )
        )


def _draw(page: PageState, read: _Read, begin: Callable[[CodeState], None]) -> None:
    if read.parts:
        st.radio(
            _("Parts that only move elements"),
            range(min(len(read.parts), _LISTED)),
            index=None,
            key=page.key("model_part"),
            format_func=lambda number: read.parts[number][0],
            on_change=lambda: _choose(page, read, begin),
        )
    st.caption("  \n".join(map(plain, read.lines)))


def _choose(page: PageState, read: _Read, begin: Callable[[CodeState], None]) -> None:
    number = page.get("model_part")
    if isinstance(number, int):
        begin(read.parts[number][1])


def _read(page: PageState, file: Any, sizes: str) -> _Read:
    """What is in the file, read once for these sizes."""
    name = (file.file_id, sizes)
    before = page.get("model_read")
    if before is not None and before[0] == name:
        read: _Read = before[1]
        return read
    input_sizes = {n: read_sizes(of) for n, of in named_parts({"sizes": sizes}, "sizes").items()}
    read = _described(read_model(file.getvalue(), input_sizes))
    page.set("model_read", (name, read))
    return read


def _described(model: Model) -> _Read:
    end = time.process_time() + _NAMING_SECONDS
    named: list[tuple[str, CodeState]] = []
    others: list[tuple[str, CodeState]] = []
    for part in model.parts:
        state = _state(part)
        if state is None:
            continue
        same = same_as(part.chain) if time.process_time() < end else ()
        title = same[0].text.replace("\n", "; ") if same else ", ".join(part.op_types)
        # a span of code, in which nothing is markup, and -> stays as it is
        span = title[:120].replace("`", "'")
        (named if same else others).append((f"{plain(_sizes(part))} `{span}`", state))
    lines = [
        _(
            "{nodes} nodes, {folded} of them calculated from constants; {parts} parts only move."
        ).format(nodes=f"{model.nodes:,}", folded=f"{model.folded:,}", parts=len(model.parts))
    ]
    if left_out := len(model.parts) - len(named) - len(others):
        lines.append(
            _(
                "Not listed: {count} of these parts. Their indices are more than {most} numbers, "
                "which fit in no link. The command dmlviz code shows them."
            ).format(count=left_out, most=f"{VALUES_LIMIT:,}")
        )
    reasons = Counter((refusal.op_type, refusal.message) for refusal in model.refused)
    lines += [
        f"{op_type} ({count:,}): {message}"
        for (op_type, message), count in reasons.most_common(_REASONS)
    ]
    return _Read((*named, *others), tuple(lines))


def _sizes(part: ModelPart) -> str:
    sides = (part.input_sizes, part.output_sizes)
    return " → ".join(", ".join(map(print_sizes, side.values())) for side in sides)


def _state(part: ModelPart) -> CodeState | None:
    """The part as code; None if its constants do not fit in an address."""
    chosen = sum(array.size for array in part.arrays.values())
    if chosen > VALUES_LIMIT:
        return None
    tensors: list[tuple[str, InputState]] = []
    for name, sizes in part.tensors.items():
        if name in part.arrays:
            array = part.arrays[name]
            text = (
                ",".join(map(str, array.ravel().tolist()))
                if array.dtype == bool
                else print_compact(np.asarray(array, np.int64))
            )
            tensors.append((name, InputState(sizes, "", "own", text)))
        elif math.prod(sizes):
            tensors.append((name, InputState(sizes, DATA_TYPE, GO_ON if tensors else START)))
    return CodeState(part.text, "onnx", Tensors(tuple(tensors)), kept=frozenset({"library"}))
