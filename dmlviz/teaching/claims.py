"""A lesson's claims: sentences that the tests can check.

Pages need :mod:`dmlviz.teaching.facts` without :mod:`dmlviz.verify`, which calculates sums here.
"""

from __future__ import annotations

from dmlviz.base.deferred import regex
from dmlviz.base.errors import Error
from dmlviz.base.words import ENGLISH, _, speaking
from dmlviz.teaching.facts import facts_of
from dmlviz.verify.sums import read_sum

_ARITHMETIC = regex(r"[0-9.+\-*/() ]+")
_DECIMAL = regex(r"([0-9]+)\.([0-9]+)")
_DIVISION = regex(r"([0-9]+) (mod|div) ([0-9]+)")


def holds(claim: str, link: str) -> bool:
    """Whether a claim is true for the state that a link opens.

    Args:
        claim: ``FACT = TEXT``, such as ``out[0, 0, 2, 3] = 1`` (see
            :class:`dmlviz.teaching.state_facts.StateFacts`); ``FACT equals FACT`` or ``FACT differs
            from FACT``; or a sum, such as ``2 · 3 + 1 = 7``, ``3 mod 2 = 1`` or ``0.5 / 2 = 0.25``.
        link: of the state.

    Raises:
        Error: it is not a claim, or the state cannot answer it.

    >>> tile = "/tile?sizes=1,3&values=count-1&repeats=1,2"
    >>> holds("sizes = {1, 6}", tile), holds("source of out[0, 4] = in[0,1]", tile)
    (True, True)
    >>> holds("3 · 2 = 5", tile), holds("out[0, 0] equals out[0, 3]", tile)
    (False, True)
    >>> holds("1.5 / 2 = 0.75", tile), holds("1.5 / 2 = 0.7", tile)
    (True, False)
    """
    # claims are written in English, in every language
    with speaking(ENGLISH):
        return _holds(claim, link)


def _holds(claim: str, link: str) -> bool:
    facts = facts_of(link)
    for word, equal in ((" equals ", True), (" differs from ", False)):
        left, separator, right = claim.partition(word)
        if separator:
            return (facts(left) == facts(right)) is equal
    left, separator, right = claim.partition(" = ")
    if not separator:
        raise Error(_('claim: "{claim}" has no " = ".').format(claim=claim), "claims")
    result = _calculated(left)
    if result is not None:
        return result in (_bare(right), _calculated(right))
    return _bare(facts(left)) == _bare(right)


def _calculated(left: str) -> str | None:
    """The result of a calculation; None if the text is not one."""
    division = _DIVISION.fullmatch(left.strip())
    if division:
        a, b = int(division[1]), int(division[3])
        return str(a % b if division[2] == "mod" else a // b)
    text = left.replace("·", "*").replace("−", "-")
    if not _ARITHMETIC.fullmatch(text):
        return None
    # calculations use whole numbers
    text = _DECIMAL.sub(lambda match: f"({match[1]}{match[2]}/1{'0' * len(match[2])})", text)
    tree = read_sum(text, 0, lambda name: False)
    value = tree.value({}) if tree else None
    return None if value is None else str(value)


def _bare(text: str) -> str:
    return "".join(text.split()).strip(".")
