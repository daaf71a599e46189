"""The numbers of a text, in digits and in words, by language."""

from __future__ import annotations

import re
from functools import cache

_DIGITS = re.compile(r"(?<![\w.])\d+(?:_\d|\.\d+)?")
_ENGLISH = {
    word: number
    for number, word in enumerate(
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 2
    )
}
_ENGLISH |= {"twelve": 12, "twice": 2, "third": 3, "fourth": 4, "fifth": 5}
_KOREAN = {"두": 2, "둘": 2, "세": 3, "셋": 3, "네": 4, "넷": 4, "다섯": 5, "여섯": 6}
_KOREAN |= {"일곱": 7, "여덟": 8, "아홉": 9, "열두": 12}
# these syllables are numbers only before what is counted, or a particle
_COUNTED = (
    "번 배 개 장 명 자리 가지 번째 행 열 평면 블록 텐서 순서 출력 모드 요소 수 선 차원 필드 패딩"
    " 설정 대답 방향 끝"
)
_PARTICLES = "씩 은 는 이 가 을 를 로 이서 다"


@cache
def _korean() -> re.Pattern[str]:
    words, counted, particles = (
        "|".join(sorted(names, key=len, reverse=True))
        for names in (_KOREAN, _COUNTED.split(), _PARTICLES.split())
    )
    return re.compile(rf"(?<![가-힣])({words})(?=(?: ?(?:{counted})|{particles})(?![가-힣]*어서))")


def numbers(text: str, language: str) -> set[str]:
    """Every number of a text, those in words as well.

    >>> sorted(numbers("Twice 3", "en")), sorted(numbers("두 번, 3개, 세로", "ko"))
    (['2', '3'], ['2', '3'])
    """
    if language == "ko":
        spelled = {str(_KOREAN[word]) for word in _korean().findall(text)}
    else:
        words = re.findall(r"[a-z]+", text.lower())
        spelled = {str(_ENGLISH[word]) for word in words if word in _ENGLISH}
    return spelled | set(_DIGITS.findall(text))
