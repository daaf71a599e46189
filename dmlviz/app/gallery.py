"""Questions as cards: each shows its input and "?", and plays its movement on hover or focus."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dmlviz.addresses import split_link, write_link
from dmlviz.app.address import page_of, to
from dmlviz.app.server import player_address, plotly_address
from dmlviz.app.stage import packed, picture
from dmlviz.app.text import operator_titles
from dmlviz.app.theme import is_dark
from dmlviz.cache import cached
from dmlviz.picture.exports import image_address, stills
from dmlviz.picture.files import gallery as gallery_script
from dmlviz.picture.files import gallery_style
from dmlviz.teaching.presets import Preset
from dmlviz.words import _


def gallery(presets: Sequence[Preset], key: str) -> None:
    """Draw a grid of cards; pressing a question opens its explorer.

    Args:
        presets: each with a single setting that its operator accepts.
        key: of the component.
    """
    component = st.components.v2.component(
        "dmlviz_gallery", js=gallery_script(), css=gallery_style(), isolate_styles=False
    )
    titles = operator_titles()
    dark = is_dark()
    answered = component(
        key=key,
        data={
            "plotly": plotly_address(),
            "player": player_address(),
            "failed": _("The player could not be loaded from the server:"),
            "show": _("Show how the elements move"),
            "cards": [
                {
                    "key": preset.key,
                    "title": titles[preset.state.key],
                    "question": preset.question,
                    "opens": _opens(preset),
                    "stills": _stills(preset, dark),
                    "payload": packed(picture(preset.operator, preset.inputs)),
                }
                for preset in presets
            ],
        },
        on_opened_change=lambda: None,
    )
    for preset in presets:
        if answered.opened == preset.key:
            page, parameters = page_of(preset.link)
            st.switch_page(page, query_params=to(parameters))


def _opens(preset: Preset) -> str:
    """The card's link, from the app's root."""
    parameters = split_link(preset.link).parameters
    return write_link(preset.state.key, to(parameters)).removeprefix("/")


@cached(megabytes=2, key=lambda preset, dark: (preset.key, dark))
def _stills(preset: Preset, dark: bool) -> list[dict[str, str]]:
    """The inputs before the movement: image, name, and values in words."""
    controls = preset.state.cls.controls_among(preset.inputs)
    return [
        {"image": image_address(one.drawing), "name": one.name, "alt": one.spoken}
        for one in stills(preset.inputs, dark=dark, controls=controls)
    ]
