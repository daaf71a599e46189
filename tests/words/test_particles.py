"""Korean particles fit what a message is filled in with."""

import json

import pytest

import dmlviz
from dmlviz.base.words import _, speaking
from dmlviz.base.words.particles import MARKER, WithParticles, particle
from dmlviz.classroom.learner import learner_words
from dmlviz.classroom.staff import staff_words
from dmlviz.operators import OPERATORS
from dmlviz.picture.payload import payload
from dmlviz.teaching.predict import predict_words
from dmlviz.teaching.presets import presets_of

AFTER_CONSONANT = """
0 1 3 6 7 8 10 11 23 100 108 1000 2,000 10000 300000 100000000 0.1 1.0 -3 1_000 [2,3] (1,0) 1e-07
L M N R n A-N URL HTML JSON DirectML GATHER.ML FLOAT16 INT8 WRAP REFLECTION SYMMETRIC
Tile Join Split Padding Resample Output offset block step group engine name type
`Tile` **Padding** "WRAP" :red[8] [Tile](/tile?sizes=2) out[1,0] 값 형식 「값」 값(value) 3² True(값)
"""
AFTER_VOWEL = """
2 4 5 9 12 45 1000000000000 0.5 1.02 -5 {3,4} [0,2] (0,4) FLOAT32 UINT64
A B E X x CPU PNG NCHW EDGE CONSTANT COLUMN_ROW_DEPTH DEPTH_COLUMN_ROW PyTorch NumPy TensorFlow
Axis Sizes Stride BlockSize DepthToSpace Gather InputTensor dmlviz bit check float rank
`Axis` **Sizes** "EDGE" out[1,2] 텐서 요소 형태(shape) 50% ∞ _ x_
"""
AFTER_L = """
1 7 8 11 0.7 -8 (1,7) L R URL Tile Resample DirectML INT8 수열 `Tile`
"""


@pytest.mark.parametrize("text", AFTER_CONSONANT.split())
def test_after_a_consonant(text):
    said = [particle(text, forms) for forms in ("은/는", "이/가", "을/를", "과/와", "이/")]
    assert said == ["은", "이", "을", "과", "이"]


@pytest.mark.parametrize("text", AFTER_VOWEL.split())
def test_after_a_vowel(text):
    said = [particle(text, f) for f in ("은/는", "이/가", "을/를", "과/와", "으로/로", "이/")]
    assert said == ["는", "가", "를", "와", "로", ""]


@pytest.mark.parametrize("text", AFTER_L.split())
def test_after_an_l(text):
    assert (particle(text, "으로/로"), particle(text, "은/는")) == ("로", "은")


@pytest.mark.parametrize("text", ["", "()", "雪", "ひ", "ㄱ"])
def test_both_forms_where_nobody_can_tell(text):
    said = [particle(text, forms) for forms in ("은/는", "과/와", "으로/로", "이/")]
    assert said == ["은(는)", "과(와)", "(으)로", "(이)"]


def test_a_message_is_filled_in_and_its_particles_chosen():
    message = WithParticles("{{{name}}}(은/는) `{value:,}`(으로/로), {name}(이/)면")
    assert message.format(name="축", value=1000) == "{축}은 `1,000`으로, 축이면"
    assert message.format(name="차수", value=2) == "{차수}는 `2`로, 차수면"


def test_what_is_filled_in_is_never_changed():
    assert (
        WithParticles("{text}(은/는) 아닙니다.").format(text="{x}(을/를)")
        == "{x}(을/를)은 아닙니다."
    )


def test_in_korean_only():
    with speaking("ko"):
        said = _("{field}: {value} is not a whole number.").format(field="repeats", value="2.5")
        assert said == "repeats: 2.5는 정수가 아닙니다."
    said = _("{field}: {value} is not a whole number.").format(field="repeats", value="2.5")
    assert said == "repeats: 2.5 is not a whole number."


def test_what_the_browser_fills_in_has_no_particles_to_choose():
    """The browser's code only replaces fields."""
    with speaking("ko"):
        told = [staff_words(), learner_words()]
        for cls in OPERATORS:
            first = presets_of(cls.key)[1]
            scene = dmlviz.scene(dmlviz.run(first.operator, first.inputs))
            told += [payload(scene), predict_words(scene)]
    texts = [json.dumps(each, ensure_ascii=False) for each in told]
    assert "요소" in texts[-1]
    assert [
        text[at.start() - 40 : at.end()] for text in texts for at in MARKER.finditer(text)
    ] == []
