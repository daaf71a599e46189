"""Formulas in one notation, whichever a page has: ``OutputTensor.Sizes[2] = Height * BlockSize``.

Markup of mathematics and of Markdown, words for operators, typographic signs and other spellings
of names become plain names and signs. A replacement is never longer than what it replaces and
blanks follow it, so that all else stays at its offset, on its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from dmlviz.base.deferred import regex

_Replacement = str | Callable[[re.Match[str]], str]

_SIGNS = str.maketrans("–‒—∕⁄✕✖⨯•≔←", "---//****==")

# of a name or of text in LaTeX
_INDEX = r"(?:_\{?([a-z]|\d)\}?(?![A-Za-z0-9]))?"
_FRACTION = (
    "frac",
    r"\\+[dt]?frac[ ]?\{([^{}\n]{1,200})\}[ ]?\{([^{}\n]{1,200})\}",
    r"(\1)/(\2)",
)


def _mark(sign: str) -> tuple[str, str, _Replacement]:
    """The rule of a mark of Markdown.

    Marks are beside the first and the last letter; a sign is not, or it is inside a word.
    """
    return (
        sign,
        rf"(?<![\w*)\]])([{sign}]{{1,3}})(?=[^\s*_])((?:[^*\n]|(?<=\s)\*(?=\s)){{0,200}}?[^\s*])"
        r"\1(?![\w*(\[])",
        lambda m: " " * len(m[1]) + m[2],
    )


def _word(word: str, pattern: str, sign: str) -> tuple[str, str, _Replacement]:
    """The rule of words for a sign, which they are only before a value."""
    return word, rf"(?<=\s){pattern}(?:[ ]the)?(?=\s+[A-Za-z0-9(])", sign


# text without which there is no match, a pattern, and what replaces it; `plain` has already taken
# the backslash from before a bracket
_RULES: tuple[tuple[str, str, _Replacement], ...] = (
    *(
        (
            word,
            rf"\\+{word}[a-z]{{0,6}}[ ]?\{{([^{{}}\n]{{0,80}})\}}{_INDEX}",
            lambda m: m[1] + (f"[{m[2]}]" if m[2] else ""),
        )
        for word in ("text", "math", "operatorname", "boldsymbol")
    ),
    ("_{", r"_\{([a-z]|\d)\}", r"[\1]"),
    ("^{", r"\^\{(\d)\}", r"^\1"),
    ("\\", r"\\+(?:times|cdot|ast)(?![A-Za-z])", "*"),
    ("\\", r"\\+div(?![A-Za-z])", "/"),
    ("\\", r"\\+(?:left|right|[Bb]igg?[lr]?)(?=[ ]?[()\[\]])", ""),
    ("\\", r"\\+(?:quad|qquad|displaystyle)(?![A-Za-z])|\\+[,;! ]", ""),
    # one may be inside another
    _FRACTION,
    _FRACTION,
    ("$", r"\$\$?", ""),
    ("&=", r"&(?==)", ""),
    _mark("*"),
    _mark("_"),
    ("**", r"(?<=[\w)\]])[ ]?\*\*[ ]?(?=[23](?!\w))", "^"),
    ("squared", r"(?<=[\w)\]])[ ]+squared(?!\w)", "^2"),
    _word("times", "times", "*"),
    _word("multiplied", "multiplied[ ]+(?:by|with)", "*"),
    _word("divided", "divided[ ]+by", "/"),
    _word("plus", "plus", "+"),
    _word("minus", "minus", "-"),
    _word("곱하기", "곱하기", "*"),
    _word("나누기", "나누기", "/"),
    _word("더하기", "더하기", "+"),
    _word("빼기", "빼기", "-"),
    (
        "equal",
        r"(?<![A-Za-z])(?:(?:must|should|will|is|are)[ ]+(?:be[ ]+)?)?(?:equal[ ]+to|equals?)"
        r"(?:[ ]+the)?(?![A-Za-z])",
        "=",
    ),
)

_OWNER = r"(?P<owner>[Ii]nput|[Oo]utput)[ _-]?[Tt]ensor"
_PLACE = regex(
    rf"(?<![A-Za-z0-9_.]){_OWNER}[ ]?(?:->|\.)[ ]?[Ss]izes[ ]?\[[ ]?(?P<index>[a-z]|-?\d)[ ]?\]"
)
# where a word of a name begins
_HUMP = regex(r"[A-Z][a-z0-9]*")


def in_one_notation(text: str) -> str:
    """The text with formulas as names, numbers, signs and round brackets; as long as before.

    >>> in_one_notation(r"$A = \\frac{B}{2} \\times C$").split()
    ['A', '=', '(B)/(2)', '*', 'C']
    >>> in_one_notation("**A** equals B multiplied by C").split()
    ['A', '=', 'B', '*', 'C']
    >>> in_one_notation("OutputTensor->Sizes[2]")
    'OutputTensor.Sizes[2] '
    """
    text = text.translate(_SIGNS)
    for needed, pattern, replacement in _RULES:
        if needed in text:
            text = _padded(regex(pattern), text, replacement)
    return _padded(_PLACE, text, lambda m: f"{m['owner'].capitalize()}Tensor.Sizes[{m['index']}]")


def with_names(text: str, names: Iterable[str]) -> str:
    """The text with names of several words as they are spelled here; as long as before.

    >>> with_names("the output height and Block size", ["OutputHeight", "BlockSize"])
    'the OutputHeight  and BlockSize '
    """
    parts: dict[str, list[str]] = {}
    spelled = {}
    for name in sorted(names, key=len, reverse=True):
        humps = _HUMP.findall(name)
        if len(humps) > 1 and "".join(humps) == name:
            spelled[name.lower()] = name
            parts.setdefault(humps[0], []).append("[ _-]?".join(humps[1:]))
    if not parts:
        return text
    pattern = "|".join(f"{first}[ _-]?(?:{'|'.join(rest)})" for first, rest in parts.items())
    return _padded(
        regex(rf"(?<![A-Za-z0-9_.])(?i:{pattern})(?![A-Za-z0-9_])"),
        text,
        lambda m: spelled[re.sub("[ _-]", "", m[0]).lower()],
    )


def _padded(pattern: re.Pattern[str], text: str, replacement: _Replacement) -> str:
    """The text with each match replaced, and blanks behind the replacement."""

    def pad(match: re.Match[str]) -> str:
        new = match.expand(replacement) if isinstance(replacement, str) else replacement(match)
        return new.ljust(len(match[0]))

    return pattern.sub(pad, text)
