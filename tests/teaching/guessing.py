"""Ways to guess an answer from the options alone, without knowing what the operator does.

Each guesser takes the question's text and its options' texts, and returns the numbers of the
options that it cannot decide between: all of them where its rule says nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from dmlviz.teaching.questions import Question

Options = Sequence[str]
Guesser = Callable[[str, Options], list[int]]


def tokens(text: str) -> list[str]:
    """Numbers and words, in order."""
    return re.findall(r"-?\d+(?:\.\d+)?|[^\W\d]\w*", text)


def numbers(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"-?\d+(?:\.\d+)?", text)]


def best(scores: Sequence[Any]) -> list[int]:
    """Those with the highest score."""
    return [i for i, score in enumerate(scores) if score == max(scores)]


def alone(forms: Sequence[Any]) -> list[int]:
    """The only one of another form, where all others have one form."""
    counted = Counter(forms)
    if len(counted) == 2 and min(counted.values()) == 1 and len(forms) > 2:
        return [i for i, form in enumerate(forms) if counted[form] == 1]
    return list(range(len(forms)))


def alike(one: str, other: str) -> int:
    """In how many places two options have the same number or word."""
    return sum(a == b for a, b in zip(tokens(one), tokens(other), strict=False))


def closeness(options: Options) -> list[int]:
    """How much each option shares with all others."""
    return [
        sum(alike(one, other) for j, other in enumerate(options) if i != j)
        for i, one in enumerate(options)
    ]


def most_alike(_prompt: str, options: Options) -> list[int]:
    """Wrong options are often the right one with one change, so the right one is in the middle."""
    return best(closeness(options))


def least_alike(_prompt: str, options: Options) -> list[int]:
    return best([-near for near in closeness(options)])


def odd_length(_prompt: str, options: Options) -> list[int]:
    """The only one with another number of numbers, such as another rank."""
    return alone([len(numbers(text)) for text in options])


def odd_form(_prompt: str, options: Options) -> list[int]:
    """The only one of other words or brackets."""
    return alone([re.sub(r"-?\d+(?:\.\d+)?", "0", text) for text in options])


def longest(_prompt: str, options: Options) -> list[int]:
    return best([len(text) for text in options])


def shortest(_prompt: str, options: Options) -> list[int]:
    return best([-len(text) for text in options])


def largest(_prompt: str, options: Options) -> list[int]:
    return best([sum(numbers(text)) for text in options])


def smallest(_prompt: str, options: Options) -> list[int]:
    return best([-sum(numbers(text)) for text in options])


def middle(_prompt: str, options: Options) -> list[int]:
    """The one nearest the median."""
    sums = [sum(numbers(text)) for text in options]
    return best([-abs(one - median(sums)) for one in sums])


def echo(prompt: str, options: Options) -> list[int]:
    """The one with most numbers of the question's last cell or sizes, place by place."""
    said = re.findall(r"[\[{]([^\]}]*)[\]}]", prompt)
    if not said:
        return list(range(len(options)))
    return best([alike(said[-1], " ".join(map(str, tokens(text)))) for text in options])


def same_count(prompt: str, options: Options) -> list[int]:
    """Those with as many elements as the input: what only moves elements keeps their number."""
    said = re.findall(r"sizes \{([^}]*)\}", prompt)
    given = math.prod(numbers(said[-1])) if said else -1
    kept = [i for i, text in enumerate(options) if math.prod(numbers(text)) == given]
    return kept or list(range(len(options)))


def first(_prompt: str, _options: Options) -> list[int]:
    return [0]


GUESSERS: tuple[Guesser, ...] = (
    most_alike,
    least_alike,
    odd_length,
    odd_form,
    longest,
    shortest,
    largest,
    smallest,
    middle,
    echo,
    same_count,
    first,
)


def gain(guesser: Guesser, question: Question) -> float:
    """How much likelier than by chance the guesser takes the right option."""
    found = guesser(question.prompt, [choice.text for choice in question.choices])
    return (question.right in found) / len(found) - 1 / len(question.choices)
