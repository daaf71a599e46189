"""Tell a page's new address from one of its own that arrives late."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

_PAST = 20
"""How many addresses of a page are remembered."""


@dataclass(frozen=True)
class History:
    """The addresses that one page has had in a session.

    Attributes:
        past: their parameters, the current ones last.
        meaning: what the current one opens.
        opened: parameters of the address that the user opened, if the state is still the same.
        messages: a message for each problem with it.
        spoken: the language of the messages.
    """

    past: tuple[Mapping[str, str], ...] = ()
    meaning: Any = None
    opened: Mapping[str, str] | None = None
    messages: tuple[str, ...] = ()
    spoken: str = ""

    def is_new(self, here: Mapping[str, str], *, stayed: bool, back: bool) -> bool:
        """Whether the user has just opened an address.

        Args:
            here: its parameters.
            stayed: whether the page that ran before is the same one.
            back: whether the browser's back or forward button led here.

        >>> history = History().then({"step": "1"}, 1).then({"step": "2"}, 2)
        >>> history.is_new({"step": "1"}, stayed=True, back=False)
        False
        >>> history.is_new({"step": "1"}, stayed=True, back=True)
        True
        """
        if not self.past:
            return True
        if self.past[-1] == here:
            return False
        # a change can be sent before the address of the previous one has arrived
        late = stayed and here in self.past
        # an address without parameters only visits the page again
        return back or (bool(here) and not late)

    def then(self, here: Mapping[str, str], meaning: Any) -> History:
        """Add an address and its meaning; a different meaning clears the messages."""
        past = (*self.past, dict(here))[-_PAST:]
        going_on = replace(self, past=past, meaning=meaning)
        return going_on if meaning == self.meaning else replace(going_on, opened=None, messages=())
