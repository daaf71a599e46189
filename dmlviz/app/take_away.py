"""What can be saved of a state: a page, pictures, arrays, a model."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import streamlit as st

from dmlviz.app.state import KEEP, PageState
from dmlviz.cache import cached
from dmlviz.engines import model_file as model_of
from dmlviz.picture.coloring import Mode, modes
from dmlviz.picture.page import player
from dmlviz.picture.scene import Scene
from dmlviz.picture.sections import titles_of_files
from dmlviz.picture.words import words
from dmlviz.states import View
from dmlviz.words import _, in_this_language


def take_away(drawn: Scene) -> None:
    """Draw the choice of a moment, and one button for each kind of file.

    Files are made only on request, and equal ones once for all sessions.
    """
    trace = drawn.trace
    key = trace.operator.key.replace("-", "_")
    st.caption(
        _(
            "The page plays offline; the pictures show the moment chosen here. To save a "
            "video, use View below the picture."
        )
    )
    steps = len(drawn.steps)
    moment = st.slider(
        _("Moment of the picture: completed steps"),
        min_value=0.0,
        max_value=float(steps),
        value=float(steps),
        step=0.25,
        # 4 and 4.5, not 4.00
        format="%g",
        key=f"{key}_moment_{steps}",
        persist_state=KEEP,
    )
    told = words(drawn)
    opened = PageState(type(trace.operator)).get("view", View()).colors
    choices = modes(drawn)
    colors = st.selectbox(
        told["color"],
        choices,
        index=choices.index(opened) if opened in choices else 0,
        format_func=lambda mode: told[f"color_{mode}"],
        key=f"{key}_moment_colors_{opened}_{len(choices)}",
        persist_state=KEEP,
    )
    dark = st.toggle(_("Dark background"), key=f"{key}_moment_dark", persist_state=KEEP)
    files: dict[str, tuple[str, Callable[[], bytes]]] = {
        "html": ("text/html", lambda: _html(drawn, colors)),
        "png": ("image/png", lambda: _png(drawn, moment, dark, colors)),
        "svg": ("image/svg+xml", lambda: _svg(drawn, moment, dark, colors)),
        "gif": ("image/gif", lambda: _gif(drawn, dark, colors)),
        "npz": ("application/octet-stream", lambda: _npz(drawn)),
        "onnx": ("application/octet-stream", lambda: model_file(drawn)),
    }
    titles = titles_of_files()
    with st.container(horizontal=True):
        for ending, (mime, make) in files.items():
            st.download_button(
                titles[ending],
                in_this_language(make),
                file_name=f"{trace.operator.key}.{ending}",
                mime=mime,
                icon=":material/download:",
                key=f"{key}_save_{ending}",
                on_click="ignore",
            )


def _picture_key(drawn: Scene, *how: Hashable) -> Hashable:
    return drawn.digest, *how


@cached(megabytes=16, key=_picture_key)
def _html(drawn: Scene, colors: Mode) -> bytes:
    look = None if colors == "value" else {"colors": colors}
    return player(drawn, look).html().encode()


# Pillow is loaded only when a picture is requested.
@cached(megabytes=16, key=_picture_key, heavy=True)
def _png(drawn: Scene, moment: float, dark: bool, colors: Mode) -> bytes:
    from dmlviz.picture import exports

    return exports.png(drawn, moment, dark=dark, colors=colors)


@cached(megabytes=8, key=_picture_key, heavy=True)
def _svg(drawn: Scene, moment: float, dark: bool, colors: Mode) -> bytes:
    from dmlviz.picture import exports

    return exports.svg(drawn, moment, dark=dark, colors=colors).encode()


@cached(megabytes=24, key=_picture_key, heavy=True)
def _gif(drawn: Scene, dark: bool, colors: Mode) -> bytes:
    from dmlviz.picture import exports

    return exports.gif(drawn, dark=dark, colors=colors)


@cached(megabytes=4, key=_picture_key, words=False)
def _npz(drawn: Scene) -> bytes:
    from dmlviz.picture import exports

    return exports.npz(drawn.trace)


@cached(megabytes=4, key=_picture_key, words=False)
def model_file(drawn: Scene) -> bytes:
    """The ONNX model of what is shown."""
    return model_of(drawn.trace.operator, drawn.trace.inputs)
