"""Real texts, cut, swapped, repeated and sprinkled with what a grammar or an attacker knows."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

# what breaks readers of any grammar
ODD = (
    *("", " ", "\t", "\n", "\r", "\r\n", "\f", "\0", "\x1b[31m", "\x7f", "\x85", "\xa0", "\u2028"),
    *(
        "\ud800",
        "\udcff",
        "\ufeff",
        "\u200b",
        "\u202e",
        "\u2066",
        "\U0001f600",
        "e\u0301",
        "ß",
        "İ",
    ),
    *("９", "٣", "²", "Ⅷ", "½", "一", "−", "×", "；", "，", "｛", "】"),
    *("0", "-0", "1", "00", "0x", "0x7f", "1e", "1e9", "1e999999999", "1e-999999999", "-1", "+1"),
    *(
        "9" * 19,
        "9" * 400,
        "0." + "0" * 300 + "1",
        "4294967295",
        "4294967296",
        "65537",
        "2147483648",
    ),
    *(
        "nan",
        "-NaN",
        "inf",
        "-Infinity",
        "1_000",
        "1__0",
        "_",
        ".",
        "..",
        "...",
        "…",
        "1.5f",
        "True",
    ),
    *("None", "null", "{0}", "{x}", "%s", "%00", "%", "$x$", "<b>", "</script>", "&#91;", "&lt;"),
    *("https&colon;//a.b", "a&commat;b.c", "<tel:1>", "_a_", ":red", "# a"),
    *(
        "![x](http://example.invalid)",
        "[x](//example.invalid)",
        ":red[x]",
        ":material/x:",
        "`",
        "~~",
    ),
    *("__import__('os')", "lambda: 0", "\\", "'", '"', "../..", "//", "C:\\", "\\u0000", "|", "#"),
)
_BRACKETS = ("[]", "{}", "()")
_DIGITS = ("٠١٢٣٤٥٦٧٨٩", "０１２３４５６７８９", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗")
LONGEST = 2_500
"""How many characters a mutated text may have, so that hundreds can be read in a second."""


def mutations(seed: int, corpus: Sequence[str], tokens: Sequence[str], count: int) -> Iterator[str]:
    """So many texts; the same seed gives the same ones.

    Args:
        seed: of the generator.
        corpus: texts to begin with.
        tokens: words of the grammar.
        count: how many.
    """
    dice = random.Random(seed)
    words = (*tokens, *tokens, *ODD)
    for _each in range(count):
        text = dice.choice(corpus)
        for _change in range(dice.choice((0, 1, 1, 1, 2, 2, 3, 5))):
            text = dice.choice(_CHANGES)(dice, text, words, corpus)[:LONGEST]
        yield text


def _span(dice: random.Random, text: str) -> tuple[int, int]:
    start = dice.randint(0, len(text))
    return start, min(len(text), start + dice.choice((0, 1, 1, 2, 5, 20, 100)))


def _insert(dice, text, words, corpus):
    start, end = _span(dice, text)
    return text[:start] + dice.choice(words) + text[dice.choice((start, end)) :]


def _cut(dice, text, words, corpus):
    start, end = _span(dice, text)
    return text[:start] + text[end:]


def _end(dice, text, words, corpus):
    start = dice.randint(0, len(text))
    return text[:start] if dice.random() < 0.7 else text[start:]


def _swap(dice, text, words, corpus):
    a, b, c, d = sorted((*_span(dice, text), *_span(dice, text)))
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _repeat(dice, text, words, corpus):
    start, end = _span(dice, text)
    return text[:end] + text[start:end] * dice.choice((1, 2, 10, 60)) + text[end:]


def _splice(dice, text, words, corpus):
    other = dice.choice(corpus)
    return text[: dice.randint(0, len(text))] + other[dice.randint(0, len(other)) :]


def _number(dice, text, words, corpus):
    """Another number where one stands."""
    places = [i for i, sign in enumerate(text) if sign.isdecimal()]
    if not places:
        return text
    at = dice.choice(places)
    number = str(dice.choice((0, -1, 3, 2**31, 2**32, 10**30, dice.randint(0, 300))))
    return text[:at] + number + text[at + 1 :]


def _digits(dice, text, words, corpus):
    """Digits of another script."""
    return text.translate(str.maketrans("0123456789", dice.choice(_DIGITS)))


def _nest(dice, text, words, corpus):
    start, end = _span(dice, text)
    opening, closing = dice.choice(_BRACKETS)
    deep, out = dice.choice((1, 1, 2, 9, 300)), dice.choice((0, 0, 1))
    return text[:start] + opening * deep + text[start:end] + closing * (deep - out) + text[end:]


def _case(dice, text, words, corpus):
    return dice.choice((text.upper(), text.lower(), text.swapcase(), text[::-1]))


_CHANGES = (
    *(_insert,) * 5,
    *(_number,) * 3,
    *(_cut, _cut, _end, _swap, _repeat, _splice, _digits, _nest, _case),
)
