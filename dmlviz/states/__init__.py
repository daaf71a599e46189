"""What an explorer shows, as one value: the page, the link and the command line agree on it.

A link is text from outside.  It is read by the readers that check typed text, in bounded
time, and nothing is allocated by what it says.
"""

from dmlviz.operators.settings import MOST_NUMBER, print_setting
from dmlviz.states.reading import MOST_LINK, Opened, read_link, read_words
from dmlviz.states.settings import settings_of
from dmlviz.states.state import (
    COLORS,
    LANGUAGE,
    MOST_PINS,
    MOVES,
    PLAYER_WORDS,
    PRESENT,
    State,
    View,
    engine_name,
    first_state,
    value_options,
)
from dmlviz.tensors import printed_own

__all__ = [
    "COLORS",
    "LANGUAGE",
    "MOST_LINK",
    "MOST_NUMBER",
    "MOST_PINS",
    "MOVES",
    "PLAYER_WORDS",
    "PRESENT",
    "Opened",
    "State",
    "View",
    "engine_name",
    "first_state",
    "print_setting",
    "printed_own",
    "read_link",
    "read_words",
    "settings_of",
    "value_options",
]
