"""Operator names in other scripts: used for searching, not shown."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SPOKEN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "tile": ("타일", "타일링"),
        "depth-to-space": ("깊이를 공간으로", "픽셀 셔플"),
        "space-to-depth": ("공간을 깊이로", "픽셀 언셔플"),
        "padding": ("패딩", "채우기"),
        "slice": ("슬라이스", "자르기"),
        "slice-grad": ("슬라이스 기울기",),
        "gather": ("개더", "인덱스로 모으기"),
        "gather-elements": ("요소 개더",),
        "gather-nd": ("개더 ND", "튜플로 모으기"),
        "scatter-nd": ("스캐터 ND", "튜플로 써넣기"),
        "scatter": ("스캐터", "인덱스로 써넣기"),
        "join": ("조인", "이어 붙이기"),
        "split": ("스플릿", "나누기"),
        "reverse-subsequences": ("부분 시퀀스 뒤집기",),
        "one-hot": ("원-핫", "원핫 인코딩"),
        "diagonal-matrix": ("대각 행렬",),
        "resample": ("리샘플", "크기 조정"),
        "max-unpooling": ("최대 언풀링",),
        "strided": ("보폭", "전치"),
        "top-k": ("상위 K개",),
        "unfold": ("펼치기", "im2col"),
    }
)
"""Names by the operator's key; an operator can be missing."""
