"""A question for a class as a user would write it with Streamlit: sessions poll every second."""

from uuid import uuid4

import streamlit as st

ANSWERS = ("in[0, 0]", "in[1, 1]", "in[2, 2]", "in[3, 3]")


@st.cache_resource
def votes():
    """What all have answered, by session."""
    return {}


@st.fragment(run_every=1)
def counts():
    """How many have answered what."""
    given = list(votes().values())
    for answer in ANSWERS:
        st.progress(given.count(answer) / max(1, len(given)), f"{answer}: {given.count(answer)}")


me = st.session_state.setdefault("me", uuid4().hex)
mine = st.radio(
    "Which element of the input is copied to the marked cell of the output?",
    ANSWERS,
    index=None,
    key="answer",
)
if mine:
    votes()[me] = mine
counts()
