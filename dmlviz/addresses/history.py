"""Which address of a page is new, and which is one of the page's own that comes late."""

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
        past: their parameters, those of the present one last.
        meaning: what the present one opens.
        opened: parameters of the address that somebody opened and has not gone on from.
        told: a sentence for each thing that is wrong with it.
        spoken: the language of the sentences.
    """

    past: tuple[Mapping[str, str], ...] = ()
    meaning: Any = None
    opened: Mapping[str, str] | None = None
    told: tuple[str, ...] = ()
    spoken: str = ""

    def is_new(self, here: Mapping[str, str], *, stayed: bool, back: bool) -> bool:
        """Whether somebody has opened an address just now.

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
        # a change may be on its way before the address of the last one has arrived
        late = stayed and here in self.past
        # without parameters the page is only visited again
        return back or (bool(here) and not late)

    def then(self, here: Mapping[str, str], meaning: Any) -> History:
        """With one more address, and its meaning; another meaning ends what was told."""
        past = (*self.past, dict(here))[-_PAST:]
        going_on = replace(self, past=past, meaning=meaning)
        return going_on if meaning == self.meaning else replace(going_on, opened=None, told=())
