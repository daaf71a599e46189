"""What a stage for a room has around its picture: a question, its choices, and the keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dmlviz.base.words import _


def wall_content(
    prompt: str,
    runs: str,
    *,
    hidden: bool,
    hides: str = "sizes",
    words: str = "",
    text: str = "",
    place: str = "",
    at: int = 0,
    group: str = "",
    choices: Sequence[str] = (),
    reasons: Sequence[str] = (),
    right: int = -1,
    reveal: str = "",
    marked: int = -1,
    series: bool = False,
    still: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """A question in the form that ``picture/js/wall_stage.js`` takes, plain values.

    Args:
        prompt: the question; empty for the usual one.
        runs: the operator and its settings.
        hidden: whether the answer is hidden.
        hides: what is hidden until then, as ``dmlviz.teaching.answers.Hides`` says.
        words: to be known before.
        text: the documentation's text, shown beside the picture.
        place: which question of how many it is.
        at: its number, for the speaker's window.
        group: a name of its series, for the speaker's window; empty if there is none.
        choices: to choose from.
        reasons: what is wrong with each choice, one for each or none at all.
        right: the number of the right one, from 0; -1 for an open question.
        reveal: what there was to see.
        marked: the flat number of the output element in question, or -1.
        series: whether other questions come before or after.
        still: the picture if there is no stage.
    """
    # words alone, with nothing to say after them
    reveals = still is None or bool(reveal) or right >= 0
    return {
        "hidden": hidden,
        "hides": hides,
        "runs": runs,
        "words": words,
        "prompt": prompt,
        "text": text,
        "place": place,
        "at": at,
        "group": group,
        "choices": list(choices),
        "reasons": list(reasons),
        "right": right,
        "reveal": reveal,
        "marked": marked,
        "series": series,
        "still": dict(still) if still is not None else None,
        "say": _sayings(series=series, refusable=still is not None, reveals=reveals),
    }


def _sayings(*, series: bool, refusable: bool, reveals: bool) -> dict[str, Any]:
    parts = [_("← → or a clicker: back, forward")] if series else []
    parts += [_("R: reveal")] if reveals else []
    if series:
        parts += [_("N, P: next, previous part")]
    if not refusable:
        parts += [_("Space: play"), *([] if series else [_("← →: steps")]), _("E: formulas")]
    parts += [_("Q: QR code"), _("F: full screen"), _("Esc: back")]
    return {
        "keys": " \u2002 ".join(parts),
        "ask": _("What will the output be?"),
        "hint": _("Predict it, then press R.") if reveals else "",
        "hidden": _("The output is hidden. Predict it, then press R."),
        "output": _("Output"),
        "right": _("Right answer"),
    }
