"""Korean says one word for one thing, and leaves nothing in English or unchosen."""

import re
import tomllib
from pathlib import Path

import pytest

from dmlviz.base.words import speaking
from dmlviz.base.words.particles import MARKER
from dmlviz.operators import OPERATORS
from tests.words.extract import catalogue

pytestmark = pytest.mark.text

ASSETS = Path(__file__).resolve().parents[2] / "assets"
FILES = sorted(
    [
        *ASSETS.glob("*.ko.*"),
        *ASSETS.glob("*/*.ko.*"),
        *ASSETS.parent.glob("docs/*.ko.md"),
        ASSETS.parent / "README.ko.md",
    ]
)
# what is not said, and what is said instead
HOUSE = {
    r"원소(?!라고)": "요소",
    r"무대": "그림",
    r"보폭": "스트라이드",
    r"랭크(?!\(rank\))": "차원 수",
    r"자료형(?!\(dtype\))": "데이터 형식",
    r"블럭|블록의 크기": "블록 크기",
    r"줄 \d+(?:[:에의]|번)|줄 \{(?:line|first)": "33번째 줄",
    r"십시오": "-세요",
    r"음수 (?:인덱스|스트라이드|간격)": "음의 인덱스",
    r"크기는 무엇일까": "크기는 얼마일까요?",
    r"(?<!겠습)니까\?": "-ㄹ까요?",
    r"[Ss]pace to depth|[Dd]epth to space|깊이를 공간|공간을 깊이": "DepthToSpace",
    r"윈도": "창",
    r"행렬곱": "행렬 곱",
    r"매개 변수": "매개변수",
    r"붙여 넣": "붙여넣-",
    r"단추": "버튼",
    r"내려받기": "다운로드",
    r"번째 \{": "{line}번째 줄, {column}번째 글자",
    r"\((?:와/과|는/은|가/이|를/을|로/으로)\)": "the form after a consonant first",
    r"은\(는\)|이\(가\)|을\(를\)|과\(와\)|와\(과\)|\((?:이|으)\)": "a particle of dmlviz.base.words.particles",
    r"갱신하는 값|업데이트": "갱신값",
    r"탐색 페이지": "연산자 페이지",
    r"개체": "객체",
    r"까닭": "이유",
    r"창의 수(?:를 모두|[가는] \d|는 인덱스)": "창 안의 수; 창의 수 is how many windows there are",
    r"(?<![된인] )행 \{in(?:put)?\}|행 \d+(?:, \d+)+의": "10, 20으로 된 행; 행 10 is the row at 10",
}
# a particle that some value would not take; 이고, 이며, 이면 and 이므로 follow any value
FILLED = re.compile(
    r"\}(?:[^\w\s{}(]|\(\))*"
    r"(?:은|는|이|가|을|를|(?:과|와)(?:는|의)?|(?:으로|로)(?:는|도|만|부터|서|써)?"
    r"|이?나|이?라(?:고|는|도|면|서)?|이?란|이?여야|어야)(?![가-힣])"
)


def wrong(texts):
    return [
        (text, instead)
        for text in texts
        for pattern, instead in HOUSE.items()
        if re.search(pattern, text)
    ]


def messages():
    for message in catalogue("ko"):
        if message.id:
            yield from [message.string] if isinstance(message.string, str) else message.string


def test_messages_keep_to_the_words_of_the_house():
    assert wrong(messages()) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_keep_to_the_words_of_the_house(path):
    text = path.read_text(encoding="utf-8")
    assert wrong(text.splitlines()) == []
    assert not MARKER.search(text), "nobody chooses in a file"


def test_other_words_stand_in_the_glossary_once():
    terms = tomllib.loads((ASSETS / "glossary.ko.toml").read_text(encoding="utf-8")).values()
    said = " ".join(term["sentence"] for term in terms)
    assert [said.count(word) for word in ("원소", "랭크(rank)", "자료형(dtype)", "제로 패딩")] == [
        1
    ] * 4


def test_no_particle_is_fixed_after_a_field():
    fixed = [text for text in messages() if FILLED.search(text)]
    assert fixed == []


def test_operators_have_their_own_names():
    """As the glossary, the lessons and DirectML write them: one name each."""
    with speaking("ko"):
        titles = [cls.title() for cls in OPERATORS]
    latin = [title for title in titles if re.fullmatch(r"[A-Za-z0-9]+", title)]
    assert [title for title in titles if title not in latin] == ["전치와 스트라이드"]


def test_what_is_wrong_is_found():
    assert wrong(["텐서의 원소", "줄 33: 쉼표"]) == [
        ("텐서의 원소", "요소"),
        ("줄 33: 쉼표", "33번째 줄"),
    ]
    assert wrong(["원소라고도 합니다.", "33번째 줄: 쉼표", "랭크(rank)"]) == []
    assert wrong(["{one}(와/과) {two}"])
    assert FILLED.search("{n}이 됩니다")
    assert FILLED.search("크기는 {sizes}여야 합니다")
    assert FILLED.search("`.{name}()`은 없습니다")
    assert FILLED.search("**{name}**로 바꿉니다")
    assert FILLED.search("[{name}]라는 연산자")
    assert wrong(["{name}은(는) 없습니다", "{sizes}(이)여야 합니다", "{name}(으)로"])
    assert not FILLED.search("{n}이면 {n}(이/가) 됩니다")
    assert not FILLED.search("{name}(이/)라는 {n}({m}개)을")
