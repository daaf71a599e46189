"""Arithmetic on the numbers of index tensors and masks: as the library itself computes it."""

import ast

import numpy as np
import pytest

import dmlviz
from dmlviz import CodeRefused
from tests.thorough import tries

# what chooses elements of x, of {12}, from numbers i and j of {6} between 0 and 11, and a mask m
NUMPY = """
np.clip(i, 2, 7) | i.clip(2) | np.clip(i, max=5) | np.clip(i, j, None) | np.minimum(i, j) | np.maximum(i, 3)
np.abs(i - 11) | np.abs(-i) | np.floor(i / 2).astype(int) | np.ceil(i / 2).astype(int)
np.round(i / 3).astype(int) | np.trunc(i / 2).astype(int) | np.rint(i / 2).astype(int) | np.sign(i)
np.cumsum(m) % 12 | np.cumsum(i % 2) | (i + j).cumsum() % 12 | i.sum() % 12 | np.sum(i) % 12
np.cumprod(i % 2 + 1) % 12 | np.diff(i) % 12 | np.diff(i, n=2) % 12 | i.max() | i.min() | np.amax(i)
i ^ 1 | i & 6 | (i | 1) % 12 | i >> 1 | (i << 1) % 12 | i // 2 | i % 5 | i ** 2 % 12 | ~i % 12
np.bitwise_xor(i, j) % 12 | np.bitwise_and(i, 5) | np.bitwise_or(i, j) % 12 | np.left_shift(i, 1) % 12
np.right_shift(i, j) | np.invert(i) % 12 | np.floor_divide(i, 3) | np.remainder(i, 7) | np.mod(i, 4)
np.add(i, j) % 12 | np.subtract(i, j) % 12 | np.multiply(i, 2) % 12 | np.power(i, 2) % 12 | np.square(i) % 12
np.negative(i) % 12 | np.nonzero(m)[0] | m.nonzero()[0] | np.flatnonzero(m) | np.argwhere(m)[:, 0]
np.logical_and(m, i > 3).nonzero()[0] | np.logical_or(m, i > 3).nonzero()[0] | np.logical_xor(m, i > 3).nonzero()[0]
np.logical_not(m).nonzero()[0] | np.all(m) * i | np.any(m) * i | (m.all() + i) % 12 | (m.any() + i) % 12
np.prod(i[:2]) % 12 | np.less(i, j) * i | np.greater_equal(i, j) * i | np.equal(i, 3) * i
np.sum([i, j], axis=0) % 12 | np.max([i, j], axis=0) | np.r_[0:3, i, 5] | np.r_[i, 0:12:5] | np.r_[2]
np.unravel_index(i, (3, 4))[1] | np.ravel_multi_index((i // 4, i % 4), (3, 4))
np.ravel_multi_index((i, j), (2, 3), mode='wrap') | np.ravel_multi_index((i, j), (2, 3), 'clip', 'F')
np.indices((2, 3))[1] | np.indices((2, 3), sparse=True)[0] | np.mgrid[0:2, 1:4][1] | np.mgrid[1:6:2] | np.ogrid[0:2, 1:4][1]
np.c_[i, j] | np.c_[i, 0:6][:, 0] | np.tril_indices(4)[1] | np.tril_indices(3, -1, 4)[0] | np.triu_indices(3, k=1)[1]
np.triu_indices_from(np.zeros((2, 3)))[1] | np.diag_indices(4)[0] | np.diag_indices(2, 3)[2]
"""
TORCH = """
torch.clamp(i, 2, 7) | i.clamp(min=3) | torch.minimum(i, j) | torch.maximum(i, j) | torch.abs(i - 11) | (-i).abs()
torch.div(i, 2, rounding_mode='floor') | i.div(2, rounding_mode='trunc') | torch.floor_divide(i, 3) | i // 2
torch.div(-i, 2, rounding_mode='trunc') % 12 | torch.remainder(i, 5) | i.cumsum(0) % 12 | torch.cumsum(i, dim=0) % 12
i.sum() % 12 | torch.sum(i, 0) % 12 | torch.stack([i, j]).sum(-2) % 12 | i.max() | i.min() | torch.sign(i)
torch.bitwise_xor(i, j) % 12 | i ^ 1 | i >> 1 | (i << 1) % 12 | torch.bitwise_and(i, 6) | torch.bitwise_or(i, 1) % 12
m.nonzero()[:, 0] | torch.nonzero(m, as_tuple=True)[0] | torch.argwhere(m)[:, 0] | torch.logical_not(m).nonzero()[:, 0]
torch.tril_indices(3, 4)[1] | torch.triu_indices(3, 3, offset=1)[0] | torch.unravel_index(i, (3, 4))[1]
torch.mul(i, 2) % 12 | torch.floor(i / 2).long() | torch.ceil(i / 2).long() | (i / 2).trunc().long() | torch.round(i / 3).long()
"""
MOVEMENTS = {
    "numpy": """
np.einsum('ii->i', x.reshape(3, 4)[:, :3]) | np.einsum('ij->ji', x.reshape(3, 4)) | np.einsum('...i->i...', x.reshape(3, 2, 2))
np.einsum('iji->ji', x.reshape(2, 3, 2)) | np.einsum('iijj->ji', np.tile(x.reshape(2, 2, 3, 1), (1, 1, 1, 3)))
np.einsum('ji', x.reshape(3, 4)) | np.fft.fftshift(x) | np.fft.ifftshift(x.reshape(3, 4)) | np.fft.fftshift(x.reshape(3, 4), axes=1)
np.c_[x, x[::-1]] | np.r_[x, x[:2]] | np.c_[x.reshape(3, 4), x[:3]] | np.c_[x.reshape(2, 3, 2), x.reshape(2, 3, 2)]
""",
    "torch": """
F.fold(x.view(1, 4, 3), (2, 6), 2, stride=2) | F.fold(x.view(12, 1), (2, 3), (1, 3), stride=(2, 1))
F.fold(x.view(1, 4, 3), (1, 6), (1, 2), padding=0, stride=(1, 2)) | nn.Fold((4, 4), 2, dilation=2, stride=1)(x.view(3, 4, 1).expand(3, 4, 4))
F.fold(x.view(1, 3, 4), (2, 2), 1, stride=1) | F.fold(x.view(1, 4, 3), (1, 7), 2, stride=3, padding=1)
torch.block_diag(x.view(3, 4), x[:2], x[0]) | torch.einsum('ii->i', x.view(3, 4)[:, :3]) | torch.einsum('...ij->...ji', x.view(2, 2, 3))
torch.nn.utils.rnn.pad_sequence([x, x[:3]]) | torch.nn.utils.rnn.pad_sequence([x[:1].view(1, 1), x.view(12, 1)], batch_first=True, padding_value=7)
torch.nn.utils.rnn.pad_sequence([x, x[:3]], padding_side='left') | torch.fft.fftshift(x) | torch.fft.ifftshift(x.view(3, 4), dim=0)
""",
}


def each_of(text):
    # a line may have the operator | in it, in parentheses
    parts = text.strip().replace("\n", " | ").split(" | ")
    made = []
    for part in parts:
        if made and made[-1].count("(") > made[-1].count(")"):
            made[-1] += f" | {part}"
        else:
            made.append(part)
    return made


def given(seed):
    random = np.random.default_rng(seed)
    i, j = random.integers(0, 12, (2, 6))
    return {"i": i, "j": j, "m": random.integers(0, 2, 6).astype(bool)}


@pytest.mark.parametrize("line", each_of(NUMPY))
def test_numpy_chooses_the_same_elements(line):
    x = np.arange(12)
    for seed in range(tries(6)):
        numbers = given(seed)
        due = eval(f"x[{line}]", {"np": np, "x": x, **numbers})
        used = {name: of for name, of in numbers.items() if name in names_of(line)}
        if due.size:
            trace = dmlviz.code(f"x[{line}]", library="numpy", x=x, **used)
            assert np.array_equal(trace.output.ravel(), due.ravel())


@pytest.mark.parametrize("line", each_of(TORCH))
def test_pytorch_chooses_the_same_elements(line):
    torch = pytest.importorskip("torch")
    x = torch.arange(12)
    for seed in range(tries(6)):
        numbers = given(seed)
        tensors = {name: torch.from_numpy(of) for name, of in numbers.items()}
        due = eval(f"x[{line}]", {"torch": torch, "x": x, **tensors}).numpy()
        used = {name: of for name, of in numbers.items() if name in names_of(line)}
        if due.size:
            trace = dmlviz.code(f"x[{line}]", library="torch", x=x.numpy(), **used)
            assert np.array_equal(trace.output.ravel(), due.ravel())


@pytest.mark.parametrize("line", each_of(MOVEMENTS["numpy"]))
def test_numpy_moves_the_same_elements(line):
    x = np.arange(1, 13)
    due = eval(line, {"np": np, "x": x})
    trace = dmlviz.code(line, library="numpy", x=x)
    assert np.array_equal(trace.output.ravel(), due.ravel())


@pytest.mark.parametrize("line", each_of(MOVEMENTS["torch"]))
def test_pytorch_moves_the_same_elements(line):
    torch = pytest.importorskip("torch")
    x = torch.arange(1.0, 13)
    scope = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "x": x}
    due = eval(line, scope).numpy()
    trace = dmlviz.code(line, library="torch", x=x.numpy())
    assert np.array_equal(trace.output.ravel(), due.ravel())


def test_no_number_of_decimals_makes_a_call_long(monkeypatch):
    asked, rounding = [], np.round
    monkeypatch.setattr(np, "round", lambda x, decimals: asked.append(decimals) or rounding(x, 0))
    for decimals in (2_000_000_000, -2_000_000_000, 1):
        dmlviz.code(f"x[np.round(np.arange(3), {decimals})]", library="numpy", x=(5,))
    assert max(map(abs, asked)) < 1_000
    assert 1 in asked


def names_of(line):
    return {node.id for node in ast.walk(ast.parse(line)) if isinstance(node, ast.Name)}


@pytest.mark.parametrize(
    ("line", "library", "kind"),
    [
        ("np.clip(x, 0, 3)", "numpy", "computes"),
        ("x.sum()", "numpy", "computes"),
        ("np.minimum(x, 3)", "numpy", "computes"),
        ("torch.clamp(x, 0, 3)", "torch", "computes"),
        ("F.fold(x.view(1, 4, 3), (1, 5), (1, 4))", "torch", "sizes"),
        ("F.fold(x.view(1, 2, 6), (1, 7), (1, 2))", "torch", "computes"),
        ("F.fold(x.view(1, 4, 3), (1, 5), 2000000000)", "torch", "sizes"),
        ("F.fold(x.view(1, 4, 3), (2000000000, 6), 2, stride=2)", "torch", "sizes"),
        ("x[np.diff(np.arange(9), n=2000000000)]", "numpy", "sizes"),
        ("np.einsum('ii', x.reshape(3, 4)[:, :3])", "numpy", "computes"),
        ("np.einsum('ij->i', x.reshape(3, 4))", "numpy", "computes"),
        ("np.einsum('ii->i', x.reshape(3, 4))", "numpy", "sizes"),
        ("np.einsum('ijk->kji', x.reshape(3, 4))", "numpy", "argument"),
        ("x[np.unravel_index(99, (3, 4))]", "numpy", "argument"),
        ("x[np.indices((999, 999, 999))[0]]", "numpy", "limit"),
        ("x[np.tril_indices(99999)[0]]", "numpy", "limit"),
        ("x[np.mgrid[0:99999, 0:99999][0]]", "numpy", "limit"),
        ("x[1 << 99999]", "numpy", "limit"),
        ("x[np.mgrid[0:]]", "numpy", "argument"),
        ("x[np.r_['0,2', 1]]", "numpy", "argument"),
    ],
)
def test_what_is_refused(line, library, kind):
    with pytest.raises(CodeRefused) as caught:
        dmlviz.code(line, library=library, x=np.arange(12))
    assert caught.value.kind == kind, caught.value
    if kind == "computes" and "." in line.partition("(")[0]:
        assert "computes new values" in str(caught.value) or "adds the elements" in str(
            caught.value
        )
