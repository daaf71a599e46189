"""The names that a text may mean, in any spelling, most likely first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from unicodedata import normalize

from dmlviz.base.deferred import dataclass, regex
from dmlviz.code.libraries import LIBRARIES, TABLES
from dmlviz.code.onnx import ONNX
from dmlviz.code.torch import TORCH
from dmlviz.teaching.lessons import Lesson
from dmlviz.teaching.names import Composition, Name

LONGEST = 80
"""How many characters of a text are compared."""

MOST = 6
"""How many names are found."""

MOST_CALLS = 4
"""How many calls of a text are answered."""

EXACT, ENDING, PREFIX, WORDS, ALIKE, OTHER = range(6)
"""How a name matches a text: equal, same end, same beginning, same words, similar, not at all."""

_MOST_OF_ONE = 2
_MOST_LESSONS = 3
_ALIKE = 0.8
_SHORT = 3

# common parts around a name in calls and structures, which users need not type
_MODULES = {
    name: of
    for of in reversed(TABLES)
    if of.key in LIBRARIES or of.names_of
    for name in (*of.modules, *of.names)
    if "." not in name and of.names.get(name, name) in of.modules
}
_AROUND = frozenset(
    [
        *(name.casefold() for name in _MODULES),
        *(of.title.casefold() for of in _MODULES.values()),
        *("functional", "tensor", "layers", "raw", "ops", "experimental", "x"),
        *("dml", "directml", "operator", "desc"),
    ]
)
_LIBRARIES = {
    name: frozenset([of.title, *(LIBRARIES[key].title for key in of.names_of)])
    for name, of in {**_MODULES, "Tensor": TORCH, ONNX.title: ONNX}.items()
}
"""By a module's name, the libraries whose names its functions have."""

_DIRECTML = "DirectML"
# a call among the arguments of another one, except of what makes a tensor or a list
_CALL = regex(r"([A-Za-z_][\w.]*)\(")
_MAKERS = frozenset(
    [
        *("array", "np.array", "list", "tuple", "range", "slice"),
        *("np.arange", "torch.arange", "np.zeros", "torch.zeros", "np.ones", "torch.ones"),
        *(of.of_list for of in TABLES if of.of_list),
    ]
)
_SUBSCRIPT = regex(r"\w{0,20}\s?\[([^\[\]]*)\]")
_COMPARED = regex(r"[<>=!~&|]")
_BACKWARD = regex(r"[^:]*:[^:]*:\s*-\d+")
# a slice, whatever its numbers are
_INDEXED = regex(r"\[[^\]]*:[^\]]*\]")
_HUMP = regex(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = regex(r"[^\W_]+")


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


@dataclass(frozen=True)
class CallAnswer:
    """What is known of one call of a text.

    Attributes:
        call: as it was typed.
        names: names that mean exactly this, most likely first.
        composition: what does the same where no operator does; None if that is not known either.
        containing: names that the text is a part of; none for a whole call.
        similar: names that are spelled alike, or that another library has for something of its own.
        has_arguments: whether the call has arguments; an example has its own.
    """

    call: str
    names: tuple[Name, ...] = ()
    composition: Composition | None = None
    containing: tuple[Name, ...] = ()
    similar: tuple[Name, ...] = ()
    has_arguments: bool = False


def answers(
    text: str, names: Sequence[Name], compositions: Sequence[Composition]
) -> tuple[CallAnswer, ...]:
    """One answer for each call of a text, in the order in which they run.

    A neighbor is never among the names that match: not the function of the same name of another
    library, and not a longer name, where a whole call was typed.

    Args:
        text: what the user typed; its first :data:`LONGEST` characters count.
        names: to search.
        compositions: for what no operator does.
    """
    calls = tuple(dict.fromkeys(_calls(_plain(text))))
    return tuple(_answer(call, names, compositions) for call in calls[:MOST_CALLS])


def _calls(text: str) -> Iterator[str]:
    """The calls of a text: what follows another one, and those among the arguments of one first."""
    start = depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign in ")]" and depth == 0 and text[at + 1 : at + 2] in ("[", "."):
            yield from _with_arguments(text[start : at + 1])
            start = at + 1
    yield from _with_arguments(text[start:])


def _with_arguments(call: str) -> Iterator[str]:
    _name, bracket, arguments = call.partition("(")
    for inner in _CALL.finditer(arguments) if bracket else ():
        if inner[1] not in _MAKERS:
            yield from _calls(_balanced(arguments[inner.start() :]))
    if call.strip(" .,)]"):
        yield call


def _balanced(text: str) -> str:
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign in ")]}" and depth <= 0:
            return text[: at + 1]
    return text


def _answer(call: str, names: Sequence[Name], compositions: Sequence[Composition]) -> CallAnswer:
    parsed = _Call.of(call)
    whole, parts, others = _sorted(call, parsed, names)
    same = (each for each in compositions if any(parsed.equals(_Call.of(c)) for c in each.calls))
    composition = None if whole else next(same, None)
    return CallAnswer(
        call,
        _few(whole),
        composition,
        () if composition else _few(parts, without=whole),
        () if composition or whole else _few(others),
        parsed.has_arguments,
    )


def _sorted(
    call: str, parsed: _Call, names: Sequence[Name]
) -> tuple[list[Name], list[Name], list[Name]]:
    """The names that a call is, those that it may become or is a part of, and neighbors."""
    whole: list[Name] = []
    parts: list[Name] = []
    others: list[Name] = []
    ranked = [(OTHER, name) for name in names] if parsed.is_subscript else _ranked(call, names)
    for rank, name in ranked:
        if any(parsed.equals(_Call.of(spelling)) for spelling in name.spellings):
            (whole if parsed.may_mean(name) else others).append(name)
        elif rank == ALIKE or (rank < PREFIX and parsed.is_whole):
            others.append(name)
        elif rank < OTHER and not parsed.is_whole and parsed.may_begin(name):
            parts.append(name)
    if parsed.is_method:
        whole.sort(key=lambda name: ".Tensor." not in name.text)
    return whole, parts, others


@dataclass(frozen=True)
class _Call:
    """A call as it is compared.

    Attributes:
        function: its name without a module, or the kind of an indexing expression.
        libraries: whose names its module has; none for a method or a word.
        written: the name before a bracket, as typed.
        is_python: whether it is a call or has a module, and so is no title.
        is_method: whether it follows a tensor.
        is_whole: whether nothing more can be typed: it has brackets.
        has_arguments: whether there is something between the brackets of a call.
        is_subscript: whether it is an indexing expression.
    """

    function: str
    libraries: frozenset[str]
    written: str
    is_python: bool
    is_method: bool = False
    is_whole: bool = False
    has_arguments: bool = False
    is_subscript: bool = False

    @classmethod
    def of(cls, call: str) -> _Call:
        if kind := _subscript(call):
            return cls(kind, frozenset(), call, is_python=True, is_whole=True, is_subscript=True)
        before, bracket, arguments = call.strip().partition("(")
        before = before.strip()
        spelling = Spelling.of(before.rpartition(".")[2])
        module, dot, _rest = before.partition(".")
        # a name in a sentence has no tensor before it
        dot = dot if module == "" or module.isidentifier() else ""
        first, blank, _rest = before.partition(" ")
        libraries = _LIBRARIES.get(module if dot else first if blank else "", frozenset())
        return cls(
            "".join(spelling.heart) or "".join(spelling.name),
            libraries,
            before,
            bool(bracket or dot or libraries),
            bool(dot) and not libraries,
            bool(bracket),
            bool(arguments.strip(" )")),
        )

    def equals(self, other: _Call) -> bool:
        """Whether both name the same function, whatever its module and its arguments."""
        # an operator of ONNX has the name of many a function
        if (ONNX.title in other.libraries) != (ONNX.title in self.libraries) and self.is_python:
            return False
        # the first letter of many names
        if len(self.function) < 2 and not (self.is_python and other.is_python):
            return False
        return bool(self.function) and self.function == other.function

    def may_begin(self, name: Name) -> bool:
        """Whether more letters could make it this name."""
        return not self.is_python or (len(self.function) > 1 and self.may_mean(name))

    def may_mean(self, name: Name) -> bool:
        """Whether the library that was typed is that of a name of the same spelling."""
        if self.libraries:
            return name.library in self.libraries
        if self.is_method:
            return name.library in ("NumPy", "PyTorch")
        # a title is a name as good as any until it is called
        return (
            not self.is_python
            or name.library not in ("", _DIRECTML)
            or self.written in name.spellings
        )


def _subscript(text: str) -> str:
    """The kind of an indexing expression, as names and compositions have it; empty for others."""
    subscript = _SUBSCRIPT.fullmatch(text.strip())
    if subscript is None:
        return ""
    items = [item.strip() for item in subscript[1].split(",")]
    if any("mask" in item.casefold() or _COMPARED.search(item) for item in items):
        return "x[mask]"
    words = [item for item in items if ":" not in item and item[:1].isalpha() and item != "None"]
    if words:
        return "x[i, j]" if len(words) > 1 else "x[:, indices]"
    if any(_BACKWARD.fullmatch(item) for item in items):
        return "x[::-1]"
    return "newaxis" if "None" in items and not any(":" in item for item in items) else "x[a:b:s]"


def _few(names: Sequence[Name], without: Sequence[Name] = ()) -> tuple[Name, ...]:
    """The first of names, with different links and few for each operator."""
    links = {name.link for name in without}
    few: list[Name] = []
    for name in names:
        if name.link not in links and [one.key for one in few].count(name.key) < _MOST_OF_ONE:
            few.append(name)
            links.add(name.link)
        if len(few) == MOST:
            break
    return tuple(few)


def matching(text: str, names: Sequence[Name]) -> tuple[Name, ...]:
    """All names that the calls of a text are, or may become, in their own order."""
    matched: set[int] = set()
    for call in _calls(_plain(text)):
        whole, parts, _others = _sorted(call, _Call.of(call), names)
        matched |= {id(name) for name in (*whole, *parts)}
    return tuple(name for name in names if id(name) in matched)


def matching_lessons(text: str, lessons: Sequence[Lesson]) -> tuple[Lesson, ...]:
    """The lessons whose titles or other words have those of a text, then those whose code calls it.

    Args:
        text: what the user typed; its first :data:`LONGEST` characters count.
        lessons: to search.
    """
    typed = [(Spelling.of(call).heart, _Call.of(call)) for call in _calls(_plain(text))]
    functions = {call.function for _heart, call in typed}
    titled, calling = [], []
    for lesson in lessons:
        title = frozenset[str]().union(
            *(Spelling.of(t).words for t in (lesson.title, *lesson.also))
        )
        # a call is whole: F.fold is not the folding of padding
        if any(
            heart and all(w in title if call.is_python else _begins_one(w, title) for w in heart)
            for heart, call in typed
        ):
            titled.append(lesson)
        elif functions & {_Call.of(name).function for name in _CALL.findall(lesson.code)}:
            calling.append(lesson)
    return tuple([*titled, *calling][:_MOST_LESSONS])


def _begins_one(typed: str, words: Iterable[str]) -> bool:
    """Whether enough letters of a word begin one of some words."""
    return any(word == typed or (len(typed) >= _SHORT and word.startswith(typed)) for word in words)


def _plain(text: str) -> str:
    return normalize("NFKC", text[:LONGEST])[:LONGEST].strip()


def _ranked(text: str, names: Sequence[Name]) -> list[tuple[int, Name]]:
    typed = Spelling.of(text)
    if not typed.name:
        return []
    ranked = []
    for place, name in enumerate(names):
        library = frozenset(name.library.casefold().split())
        best = min(_compared(typed, Spelling.of(text), library) for text in name.spellings)
        if best[0] < OTHER:
            ranked.append((best, place, name))
    return [(int(best[0]), name) for best, _place, name in sorted(ranked, key=lambda one: one[:2])]


def _compared(typed: Spelling, name: Spelling, library: frozenset[str]) -> tuple[float, ...]:
    """How well two texts match: smaller is better; the first number is the rank."""
    heart, endings = "".join(typed.heart), list(name.endings())
    # among otherwise equal names, prefer the same library, with the same arguments
    strange = len(typed.words - name.words - library)
    more = len(name.words - typed.words)
    if not heart:
        return (OTHER,) if strange else (WORDS, more)
    if heart in endings:
        at = endings.index(heart)
        return (ENDING if at else EXACT), at, strange, more
    begins = [at for at, ending in enumerate(endings) if ending.startswith(heart)]
    if begins:
        return PREFIX, begins[0], strange, more
    if all(any(word.startswith(part) for word in name.words) for part in typed.heart):
        return WORDS, strange, more
    near = max((_nearness(heart, ending) for ending in endings), default=0.0)
    return (ALIKE, 1 - near, more) if near >= _ALIKE else (OTHER,)


def _nearness(one: str, other: str) -> float:
    """Similarity from 0 to 1; stricter for short texts, which are similar by chance."""
    if min(len(one), len(other)) <= _SHORT:
        return 0.0
    matcher = SequenceMatcher(None, one, other)
    return matcher.ratio() if matcher.quick_ratio() >= _ALIKE else 0.0
