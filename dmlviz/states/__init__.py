"""What an explorer shows, as one value that the page, the link and the command line share.

A link is untrusted text.  The readers that check typed text read it too, in bounded
time, and a link alone never causes an allocation.
"""

from dmlviz.base.spelling import print_setting
from dmlviz.operators.settings import MOST_NUMBER
from dmlviz.states.inputs import InputState, several_outputs, value_options
from dmlviz.states.reading import Opened, read_link, read_parameters
from dmlviz.states.settings import settings_of
from dmlviz.states.state import State, first_state
from dmlviz.states.view import COLORS, MOST_PINS, MOVES, PLAYER_PARAMETERS, View
from dmlviz.tensors import print_compact

__all__ = [
    "COLORS",
    "MOST_NUMBER",
    "MOST_PINS",
    "MOVES",
    "PLAYER_PARAMETERS",
    "InputState",
    "Opened",
    "State",
    "View",
    "first_state",
    "print_compact",
    "print_setting",
    "read_link",
    "read_parameters",
    "settings_of",
    "several_outputs",
    "value_options",
]
