"""The names that a text may mean, in any spelling, most likely first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from unicodedata import normalize

from dmlviz.finding.names import Name

LONGEST = 80
"""How many characters of a text are compared."""

MOST = 6
"""How many names are found."""

EXACT, PREFIX, WORDS, ALIKE, OTHER = range(5)
"""How a name matches a text: equal, same beginning, same words, similar, or not at all."""

_MOST_OF_ONE = 2
_ALIKE = 0.8
_SHORT = 3

# common parts around a name in calls and structures, which users need not type
_MODULES = "torch nn functional f tensor np numpy jnp jax lax tf tensorflow keras layers raw ops"
_AROUND = frozenset([*_MODULES.split(), "pytorch", "experimental", "onnx", "einops", "x"])
_AROUND |= {"dml", "directml", "operator", "desc"}
# a slice, whatever its numbers are
_INDEXED = re.compile(r"\[[^\]]*:[^\]]*\]")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Spelling:
    """A text in the form used for comparison.

    Attributes:
        name: its words before a bracket, in lowercase, without punctuation.
        words: all of its words, including arguments.
    """

    name: tuple[str, ...]
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Spelling:
        """A text in the form used for comparison.

        >>> Spelling.of("torch.nn.PixelShuffle(2)").heart, Spelling.of("F.pixel_shuffle").heart
        (('pixel', 'shuffle'), ('pixel', 'shuffle'))
        >>> Spelling.of("DML_SLICE1_OPERATOR_DESC").heart
        ('slice1',)
        """
        plain = _INDEXED.sub("[a:b:s]", normalize("NFKC", text[:LONGEST])[:LONGEST])
        before, _bracket, behind = _HUMP.sub(" ", plain).casefold().partition("(")
        name = tuple(_WORD.findall(before))
        return cls(name, frozenset([*name, *_WORD.findall(behind)]))

    @property
    def heart(self) -> tuple[str, ...]:
        """The words that distinguish the name."""
        return tuple(word for word in self.name if word not in _AROUND)

    def endings(self) -> Iterator[str]:
        """The distinguishing words joined as one, then without the first, and so on."""
        for first in range(len(self.heart)):
            yield "".join(self.heart[first:])


def find(text: str, names: Sequence[Name], most: int = MOST) -> tuple[Name, ...]:
    """The names that a text most likely means, with different links and few for each operator.

    Args:
        text: what the user typed; its first :data:`LONGEST` characters count.
        names: to search.
        most: the limit of results.
    """
    found: list[Name] = []
    for _rank, name in _ranked(text, names):
        same = [one for one in found if one.key == name.key]
        if len(same) < _MOST_OF_ONE and name.link not in {one.link for one in same}:
            found.append(name)
        if len(found) == most:
            break
    return tuple(found)


def matching(text: str, names: Sequence[Name]) -> tuple[Name, ...]:
    """All names that contain the text, in their own order; if there are none, similar names."""
    ranked = _ranked(text, names)
    found = [name for rank, name in ranked if rank < ALIKE] or [name for _rank, name in ranked]
    held = {id(name) for name in found}
    return tuple(name for name in names if id(name) in held)


def _ranked(text: str, names: Sequence[Name]) -> list[tuple[int, Name]]:
    asked = Spelling.of(text)
    if not asked.name:
        return []
    found = []
    for place, name in enumerate(names):
        library = frozenset(name.library.casefold().split())
        best = min(_compared(asked, Spelling.of(text), library) for text in name.spellings)
        if best[0] < OTHER:
            found.append((best, place, name))
    return [(int(best[0]), name) for best, _place, name in sorted(found, key=lambda one: one[:2])]


def _compared(asked: Spelling, known: Spelling, library: frozenset[str]) -> tuple[float, ...]:
    """How well two texts match: smaller is better; the first number is the rank."""
    heart, endings = "".join(asked.heart), list(known.endings())
    # among otherwise equal names, prefer the same library, with the same arguments
    strange = len(asked.words - known.words - library)
    more = len(known.words - asked.words)
    if not heart:
        return (OTHER,) if strange else (WORDS, more)
    if heart in endings:
        return EXACT, endings.index(heart), strange, more
    begins = [at for at, ending in enumerate(endings) if ending.startswith(heart)]
    if begins:
        return PREFIX, begins[0], strange, more
    if all(any(word.startswith(part) for word in known.words) for part in asked.heart):
        return WORDS, strange, more
    near = max((_nearness(heart, ending) for ending in endings), default=0.0)
    return (ALIKE, 1 - near, more) if near >= _ALIKE else (OTHER,)


def _nearness(one: str, other: str) -> float:
    """Similarity from 0 to 1; stricter for short texts, which are similar by chance."""
    if min(len(one), len(other)) <= _SHORT:
        return 0.0
    matcher = SequenceMatcher(None, one, other)
    return matcher.ratio() if matcher.quick_ratio() >= _ALIKE else 0.0
