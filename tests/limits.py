"""Limits that a new page, operator or lesson can reach: the one place that says why, and to raise one.

Sizes are in bytes as a browser or a disk gets them, lengths in CSS pixels.
"""

from __future__ import annotations

# what is sent to many at once: a class of telephones opens it in the same minute, on one network
LEARNERS_PAGE = 31_700
"""A learner's first view of a class, packed; it has grown slowly, each time for something asked for."""

# what is kept and sent on: in mail, in repositories, in notebooks
LINKED_PAGE = 20_000
"""A movement in a documentation page, without what all of them share."""
SITE_PAGE = 160_000
"""A page of the site; half of them have 22 kB."""
SAVED_PAGE = 238_000
"""A saved page whose Plotly is at an address: the player's script and styles are most of it."""
PACKED_PAGE = 1_000_000
"""A saved page with Plotly packed into it, which alone has 0.66 MB as text."""
PACKED_FRAME = 2_500_000
"""The same as an attribute of a notebook's frame: what must be escaped there is long."""
REPORT = 60_000
"""A report of ``verify`` without pictures."""
PLAYING_REPORT = 2_800_000
"""A report with movements: Plotly as it is has 1.5 MB."""
NOTEBOOK_FILE = 10_000
"""The example notebook without its outputs."""
NOTEBOOK_FIGURES = 100_000
"""The three outputs of the example notebook that have figures."""
WIDGET_STATE = 60_000
"""What a widget holds in a notebook's file; its player is sent when it is shown."""
WIDGET_PLAYER = 2_000_000
"""The player that a widget asks for, packed."""
LARGEST_GIF = 4_000_000
"""A film of 16,384 elements, which a chat still takes."""
LARGEST_FILE = 6_000_000
"""Any file of a picture of the largest size."""

# what a server holds for everybody
CACHES = 300_000_000
"""All caches of a process together, if each is full."""

# what people can read and touch
DIGIT = 9
"""The smallest digit that can be read on a telephone."""
TARGET = 44
"""What a finger hits: WCAG 2.5.5."""
SMALL_TARGET = 24
"""What a finger hits where others are apart from it: WCAG 2.5.8."""
CONTRAST = 4.5
"""Text beside its background: WCAG 1.4.3."""
GRAPHIC_CONTRAST = 3
"""Lines and shapes beside their background: WCAG 1.4.11."""
