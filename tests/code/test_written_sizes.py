"""Sizes that the text of code says, in whatever way, need not be typed."""

import pytest

from dmlviz.code.inputs import suggested
from dmlviz.states.pages import changed, first_of
from tests.code import statements
from tests.every import every

UNSAID = [
    "k = torch.cat([past[0], k], dim=-2)",
    "x.gather(1, (lengths - 1).view(-1, 1, 1).expand(-1, 1, x.size(2))).squeeze(1)",
    "cache.index_copy_(1, torch.tensor([1, 2]), x)",
]
"""Tensors of sizes that are not alike, of which the text says too little."""


@every("code", [code for code, _sizes in (*statements.TORCH, *statements.NUMPY)])
def test_a_pasted_statement_needs_no_typing(code):
    state = changed(first_of("code"), "code", code)
    assert bool(state.problems()) == (code in UNSAID), state.tensors


@pytest.mark.parametrize(
    ("code", "sizes"),
    [
        ("# x: [2, 3, 4]\nx.transpose(1, 2)", {"x": (2, 3, 4)}),
        ("# (B, T, C)\nx.transpose(1, 2)", {"x": (2, 3, 4)}),
        (
            "# x: (B, T, C)\nx.view(B, T, 2, C // 2).transpose(1, 2)",
            {"x": (2, 3, 4), "B": 2, "T": 3, "C": 4},
        ),
        (
            'def f(x):\n    """Layout.\n\n    Args:\n        x: (B, H, W, C)\n    """\n'
            "    return x.permute(0, 3, 1, 2)",
            {"x": (2, 3, 4, 6)},
        ),
        (
            'def f(x: Float[Tensor, "b c h w"]):\n    return x.flatten(2).mT',
            {"x": (2, 3, 4, 6)},
        ),
        (
            'def f(q: Float[Tensor, "b 4 t d"], k: Float[Tensor, "b 4 s d"]):\n'
            "    return torch.cat([q, k], 2)",
            {"q": (2, 4, 3, 4), "k": (2, 4, 6, 4)},
        ),
        ("x.view(x.size(0), 12, -1, 64).transpose(1, 2)", {"x": (2, 768)}),
        ("b, t = x.shape[:2]\nx.view(b, t, 2, 6).permute(0, 2, 1, 3)", {"x": (2, 3, 12)}),
        ("x.split((4, 1), 1)", {"x": (2, 5)}),
        ("x[:, :, None, 0].expand(-1, -1, 2)", {"x": (2, 3, 4)}),
        ("x.view(n, c // 4, 2, 2)", {"x": (2, 1, 4), "n": 2, "c": 4}),
    ],
)
def test_sizes_follow_from_the_text(code, sizes):
    found = suggested(code, "torch", {})
    assert {n: int(x.chooses) if not x.sizes else x.sizes for n, x in found.items()} == sizes


def test_a_number_beside_an_open_name_does_not_say_that_it_is_one():
    found = suggested("(places - 1).view(-1, 1)\nx[places - 1]", "torch", {})
    assert found["places"].sizes


@every("code", ["c" * 3000, "x // 0", "x.view(2**9999, 3)", "# x: (" + "B, " * 400 + ")\nx.T"])
def test_hostile_texts_say_no_sizes(code):
    state = changed(first_of("code"), "code", code)
    assert all(tensor.sizes or tensor.is_number for tensor in state.tensors.values())
