"""What the reader's page looks like, for pictures that the server draws."""

from __future__ import annotations

import streamlit as st


def is_dark() -> bool:
    """Whether the page is dark, as far as Streamlit has been told."""
    return st.context.theme.type == "dark"
