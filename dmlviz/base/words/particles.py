"""Korean particles, chosen by the last sound of the text that precedes them.

A translator writes both forms of a particle, the one after a consonant first, and
:class:`WithParticles` keeps the one that fits once the fields are filled in::

    {name}(은/는)   {name}(이/가)   {name}(을/를)   {name}(과/와)   {name}(으로/로)   {name}(이/)면

The forms are those of the National Institute of Korean Language's rules for particles
(한글 맞춤법, 조사); letters and numbers are read as in Korean.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from dmlviz.base.deferred import regex

MARKER = regex(r"\((은/는|이/가|을/를|과/와|으로/로|이/)\)")
"""Both forms of a particle, as a catalogue writes them."""

_DIGITS = dict(zip("0123456789", ("ㅇ", "ㄹ", "", "ㅁ", "", "", "ㄱ", "ㄹ", "ㄹ", ""), strict=True))
# 십, 백, 천, then one for every four powers of ten: 만, 억, 조, 경, 해
_TENS = ("ㅂ", "ㄱ", "ㄴ", *"ㄴ" * 4, *"ㄱ" * 4, *("",) * 4, *"ㅇ" * 4)
_LETTERS = {"l": "ㄹ", "m": "ㅁ", "n": "ㄴ", "r": "ㄹ"}
_SIGNS = {"%": "", "_": "", "+": "", "°": "", "∞": "", "π": "", "²": "ㅂ", "³": "ㅂ"}
# words that the app fills in and that the rule below would read wrongly
_WORDS = {"type": "ㅂ", "bit": "", "check": "", "hub": "", "sub": "", "kit": ""}
# the first entry that matches the end of a word gives its last consonant
_ENDINGS = tuple(
    (regex(rf"(?:{ending})$"), sound)
    for ending, sound in (
        ("l|le", "ㄹ"),
        ("m|me|mb", "ㅁ"),
        ("ng", "ㅇ"),
        ("n|[aeiou]ne", "ㄴ"),
        ("[aeiouy]ck|ook|[aiou]c", "ㄱ"),
        ("[^aeiou][aeiouy]p|(?:ea|ee|ou)p|[^aeiou][aeio]b|^[aeiou][pb]", "ㅂ"),
        ("(?:^|[^aeiou])[aeiou]t|out", "ㅅ"),
        ("[a-z]", ""),
    )
)
_LINK = regex(r"\[([^\[\]]*)\]\([^()]*\)$")
_REMARK = regex(r"(?<=[가-힣])\([^()]*\)$")
_NUMBER = regex(r"(?:(?<![\d,])\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?$")
_WORD = regex(r"[A-Z]+$|[A-Z]?[a-z]+$")
_AFTER_BRACKET = regex(r"(?<=[`\])}])(?=[가-힣])")
_NUMBERED = regex(
    r"(?<![가-힣])((?:행|열|자리|차원|축|채널|창|인덱스|요소|값)(?= -?\d)|몇(?= [번개])) "
)


class WithParticles(str):
    """A message with markers: ``format`` fills in its fields and chooses the particles.

    >>> message = WithParticles("{name}(은/는) {value}(이/가) 됩니다.")
    >>> message.format(name="반복 횟수", value=3)
    '반복 횟수는 3이 됩니다.'
    """

    __slots__ = ()

    def format(self, *args: object, **kwargs: object) -> str:
        """The message with its fields filled in; markers inside the values are unchanged."""
        return fill_in(self, lambda part: part.format(*args, **kwargs))


def fill_in(message: str, fill: Callable[[str], str]) -> str:
    """A message with its fields filled in, and the particles that fit.

    Args:
        message: with or without markers; a marker belongs to what precedes it.
        fill: fills in the fields of a part of the message that has no marker.

    >>> fill_in("{n}(은/는) 크다.", lambda part: part.replace("{n}", "3"))
    '3은 크다.'
    """
    text, *rest = MARKER.split(message)
    text = fill(text)
    for forms, part in zip(rest[::2], rest[1::2], strict=True):
        text += particle(text, forms) + fill(part)
    return text


def particle(text: str, forms: str) -> str:
    """The form that follows a text, or both forms if the sound of its end is unknown.

    Args:
        text: what comes before the particle.
        forms: the form after a consonant, a slash, the form after a vowel.

    >>> particle("텐서", "은/는"), particle("값", "은/는"), particle("요소 8", "으로/로")
    ('는', '은', '로')
    >>> particle("雪", "을/를")
    '을(를)'
    """
    after_consonant, after_vowel = forms.split("/")
    sound = last_sound(text)
    if sound is None:
        if after_consonant.endswith(after_vowel):
            return f"({after_consonant.removesuffix(after_vowel)}){after_vowel}"
        return f"{after_consonant}({after_vowel})"
    # after ㄹ it is 로, as after a vowel
    open_ended = not sound or (sound == "ㄹ" and after_consonant == "으로")
    return after_vowel if open_ended else after_consonant


def bound(text: str) -> str:
    """Text whose Korean particles stay on the line of the code or bracket before them.

    Browsers break after a bracket even where words are kept whole. A number stays on the line of
    what it numbers, as well, and 몇 on that of what it counts.

    >>> bound("`view(6)`이 [0, 2]를 읽음").split("\\u2060")
    ['`view(6)`', '이 [0, 2]', '를 읽음']
    >>> bound("행 2에 몇 번").split("\\u00a0")
    ['행', '2에 몇', '번']
    """
    return _NUMBERED.sub("\\1\u00a0", _AFTER_BRACKET.sub("\u2060", text))


def last_sound(text: str) -> str | None:
    """The final consonant of a text when read aloud; empty for a vowel, None if unknown.

    Brackets, quotation marks and Markdown are not read aloud, and neither is a remark in
    parentheses after a Korean word.

    >>> last_sound("[1, 3]"), last_sound("DirectML"), last_sound("`Tile`"), last_sound("1.5")
    ('ㅁ', 'ㄹ', 'ㄹ', '')
    """
    text = _REMARK.sub("", _LINK.sub(r"\1", text.rstrip()))
    while text and text[-1] not in _SIGNS and unicodedata.category(text[-1])[0] in "PSZ":
        text = text[:-1]
    if not text:
        return None
    if text[-1] in _SIGNS:
        return _SIGNS[text[-1]]
    if "가" <= text[-1] <= "힣":
        final = (ord(text[-1]) - ord("가")) % 28
        return "ㄹ" if final == 8 else "ㅇ" if final else ""
    if number := _NUMBER.search(text):
        return _after_number(number[0])
    if word := _WORD.search(text):
        return _after_word(word[0])
    return None


def _after_number(number: str) -> str:
    """The last sound of digits; those after the decimal point are read one by one."""
    whole = number.replace(",", "")
    zeros = len(whole) - len(whole.rstrip("0"))
    if not zeros or "." in whole or zeros == len(whole):
        return _DIGITS[whole[-1]]
    return _TENS[zeros - 1] if zeros <= len(_TENS) else ""


def _after_word(word: str) -> str:
    """The last sound of an English word or of letters read one by one."""
    lower = word.lower()
    if (word.isupper() and len(word) < 4) or not re.search("[aeiouy]", lower) or len(word) == 1:
        return _LETTERS.get(lower[-1], "")
    if lower in _WORDS:
        return _WORDS[lower]
    return next(sound for ending, sound in _ENDINGS if ending.search(lower))
