"""Statements as public code has them, with sizes or values of what they take, by library.

``python -m tests.code.statements`` records what PyTorch makes of its statements; it needs PyTorch
and einops, and nothing of dmlviz.
"""

import ast
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np

FILE = Path(__file__).with_name("statements.json")

TORCH = [
    (
        "q = q.view(B, -1, self.n_heads, self.head_dim).transpose(1, 2)",
        {"q": (2, 3, 8), "B": 2, "self.n_heads": 2, "self.head_dim": 4},
    ),
    (
        "x = x.transpose(1, 2).contiguous().view(bs, -1, h * d_k)",
        {"x": (2, 2, 3, 4), "bs": 2, "h": 2, "d_k": 4},
    ),
    (
        """\
qkv = qkv.reshape(B, N, 3, H, C // H).permute(2, 0, 3, 1, 4)
q, k, v = qkv[0], qkv[1], qkv[2]""",
        {"qkv": (2, 3, 24), "B": 2, "N": 3, "H": 2, "C": 8},
    ),
    (
        """\
q, k, v = qkv.chunk(3, dim=-1)
q, k, v = (t.unflatten(-1, (2, -1)).transpose(1, 2) for t in (q, k, v))""",
        {"qkv": (2, 3, 24)},
    ),
    (
        "x = x[:, :, None, :, :].expand(bs, n_kv, n_rep, slen, d).reshape(bs, n_kv * n_rep, slen, d)",
        {"x": (2, 2, 3, 4), "bs": 2, "n_kv": 2, "n_rep": 3, "slen": 3, "d": 4},
    ),
    ("torch.repeat_interleave(k, repeats=2, dim=1)", {"k": (1, 2, 3, 4)}),
    ("k = torch.cat([past[0], k], dim=-2)", {"past": (2, 1, 2, 3, 4), "k": (1, 2, 1, 4)}),
    (
        """\
mask = torch.tril(torch.ones(4, 4)).view(1, 1, 4, 4)
x.masked_fill(mask[:, :, :3, :3] == 0, float('-inf'))""",
        {"x": (1, 2, 3, 3)},
    ),
    (
        "x.masked_fill(torch.triu(torch.ones(4, 4, dtype=torch.bool), diagonal=1), float('-inf'))",
        {"x": (2, 4, 4)},
    ),
    (
        "x.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)",
        {"x": (2, 3, 8), "B": 2, "T": 3, "C": 8, "self.n_head": 2},
    ),
    (
        """\
x = imgs.reshape(shape=(imgs.shape[0], 3, h, p, w, p))
x = torch.einsum('nchpwq->nhwpqc', x)
x = x.reshape(shape=(imgs.shape[0], h * w, p**2 * 3))""",
        {"imgs": (2, 3, 4, 6), "h": 2, "w": 3, "p": 2},
    ),
    (
        """\
x = x.reshape(shape=(x.shape[0], h, w, p, p, 3))
x = torch.einsum('nhwpqc->nchpwq', x)
imgs = x.reshape(shape=(x.shape[0], 3, h * p, w * p))""",
        {"x": (2, 6, 12), "h": 2, "w": 3, "p": 2},
    ),
    (
        "x.unfold(2, 2, 2).unfold(3, 2, 2).contiguous().view(x.size(0), x.size(1), -1, 2, 2).permute(0, 2, 1, 3, 4)",
        {"x": (1, 3, 4, 6)},
    ),
    ("x = x.flatten(2).transpose(1, 2)", {"x": (2, 3, 2, 4)}),
    (
        """\
cls = self.cls_token.expand(x.shape[0], -1, -1)
x = torch.cat((cls, x), dim=1)""",
        {"x": (2, 3, 4), "cls_token": (1, 1, 4)},
    ),
    (
        """\
x = F.unfold(x, kernel_size=2, stride=2)
x = x.transpose(1, 2)""",
        {"x": (1, 2, 4, 4)},
    ),
    (
        "patches = rearrange(x, 'b c (h p1) (w p2) -> b (h w) (p1 p2 c)', p1=2, p2=2)",
        {"x": (1, 3, 4, 6)},
    ),
    (
        """\
ids_shuffle = torch.tensor([[2, 0, 1], [1, 2, 0]])
ids_keep = ids_shuffle[:, :2]
torch.gather(x, dim=1, index=ids_keep.unsqueeze(-1).repeat(1, 1, x.shape[-1]))""",
        {"x": (2, 3, 4)},
    ),
    (
        """\
x = x.view(B, H // ws, ws, W // ws, ws, C)
windows = x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, ws, ws, C)""",
        {"x": (1, 4, 4, 2), "B": 1, "H": 4, "W": 4, "ws": 2, "C": 2},
    ),
    (
        """\
B = int(windows.shape[0] / (H * W / ws / ws))
x = windows.view(B, H // ws, W // ws, ws, ws, -1)
x = x.permute(0, 1, 3, 2, 4, 5).contiguous().view(B, H, W, -1)""",
        {"windows": (4, 2, 2, 3), "H": 4, "W": 4, "ws": 2},
    ),
    ("shifted = torch.roll(x, shifts=(-1, -1), dims=(1, 2))", {"x": (1, 4, 4, 2)}),
    (
        """\
pad_b = (2 - x.shape[1] % 2) % 2
x = F.pad(x, (0, 0, 0, 0, 0, pad_b))""",
        {"x": (1, 3, 4, 2)},
    ),
    (
        """\
x0 = x[:, 0::2, 0::2, :]
x1 = x[:, 1::2, 0::2, :]
x2 = x[:, 0::2, 1::2, :]
x3 = x[:, 1::2, 1::2, :]
x = torch.cat([x0, x1, x2, x3], -1)
x = x.view(B, -1, 4 * C)""",
        {"x": (1, 4, 4, 2), "B": 1, "C": 2},
    ),
    (
        """\
coords = torch.stack(torch.meshgrid([torch.arange(2), torch.arange(2)], indexing='ij'))
coords_flatten = torch.flatten(coords, 1)
relative_coords = coords_flatten[:, :, None] - coords_flatten[:, None, :]
relative_coords = relative_coords.permute(1, 2, 0).contiguous()
relative_coords[:, :, 0] += 2 - 1
relative_coords[:, :, 1] += 2 - 1
relative_coords[:, :, 0] *= 2 * 2 - 1
idx = relative_coords.sum(-1)
bias = table[idx.view(-1)].view(4, 4, -1).permute(2, 0, 1).contiguous()""",
        {"table": (9, 3)},
    ),
    (
        """\
x = x.view(b, groups, c // groups, h, w)
x = torch.transpose(x, 1, 2).contiguous()
x = x.view(b, -1, h, w)""",
        {"x": (1, 4, 2, 3), "b": 1, "c": 4, "h": 2, "w": 3, "groups": 2},
    ),
    (
        """\
x = x.reshape(b * c // 2, 2, h * w).permute(1, 0, 2).reshape(2, -1, c // 2, h, w)
x[0], x[1]""",
        {"x": (1, 4, 2, 3), "b": 1, "c": 4, "h": 2, "w": 3},
    ),
    (
        "x = x.view(b, c // 4, 2, 2, h, w).permute(0, 1, 4, 2, 5, 3).reshape(b, c // 4, h * 2, w * 2)",
        {"x": (1, 8, 2, 3), "b": 1, "c": 8, "h": 2, "w": 3},
    ),
    (
        "x.view(n, c, h // 2, 2, w // 2, 2).permute(0, 3, 5, 1, 2, 4).contiguous().view(n, 4 * c, h // 2, w // 2)",
        {"x": (1, 2, 4, 6), "n": 1, "c": 2, "h": 4, "w": 6},
    ),
    (
        "torch.cat([x[..., ::2, ::2], x[..., 1::2, ::2], x[..., ::2, 1::2], x[..., 1::2, 1::2]], 1)",
        {"x": (1, 2, 4, 4)},
    ),
    (
        """\
x_rot = x.reshape(*x.shape[:-1], -1, 2)
x1, x2 = x_rot.unbind(dim=-1)""",
        {"x": (2, 3, 4)},
    ),
    ("cos = cos[position_ids].unsqueeze(1)", {"cos": (5, 4), "position_ids": [[0, 2], [4, 1]]}),
    (
        "freqs_cis.view(*[d if i == 1 or i == x.ndim - 1 else 1 for i, d in enumerate(x.shape)])",
        {"x": (2, 3, 2, 4), "freqs_cis": (3, 4)},
    ),
    (
        "w.view(n_heads, 2, dim1 // n_heads // 2, dim2).transpose(1, 2).reshape(dim1, dim2)",
        {"w": (8, 3), "n_heads": 2, "dim1": 8, "dim2": 3},
    ),
    ("torch.stack((x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)", {"x": (2, 6)}),
    ("torch.cat((freqs, freqs), dim=-1)[None, :, None, :]", {"freqs": (3, 2)}),
    (
        """\
state_dict = {'q': w[:4], 'k': w[4:8], 'v': w[8:]}
q = state_dict['q']""",
        {"w": (12, 3)},
    ),
    (
        """\
state = {}
for i, part in enumerate(w.chunk(3, dim=0)):
    state[f'layer.{i}'] = part.t()
state""",
        {"w": (6, 2)},
    ),
    ("torch.cat([w_q, w_k, w_v], dim=0)", {"w_q": (2, 3), "w_k": (2, 3), "w_v": (2, 3)}),
    (
        """\
out = a.new_zeros(2, 4)
out[0, :a.shape[0]] = a
out[1, :b.shape[0]] = b
out""",
        {"a": (3,), "b": (4,)},
    ),
    (
        "torch.nn.utils.rnn.pad_sequence([a, b], batch_first=True, padding_value=-1)",
        {"a": (3, 2), "b": (4, 2)},
    ),
    (
        """\
batch = a.new_empty(2, 3)
batch[0].copy_(a)
batch[1].copy_(b)
batch""",
        {"a": (3,), "b": (3,)},
    ),
    (
        """\
out = torch.empty(2, 4)
out[:, 0::2] = a
out[:, 1::2] = b
out""",
        {"a": (2, 2), "b": (2, 2)},
    ),
    (
        "torch.stack([F.pad(t, (0, 4 - t.shape[0]), value=0) for t in (a, b)])",
        {"a": (3,), "b": (4,)},
    ),
    (
        """\
max_len = max(a.size(0), b.size(0))
out = torch.full((2, max_len), 7.)
for i, s in enumerate([a, b]):
    out[i, max_len - s.size(0):] = s
out""",
        {"a": (3,), "b": (2,)},
    ),
    ("img.permute(1, 2, 0)", {"img": (3, 4, 5)}),
    ("torch.from_numpy(img.transpose((2, 0, 1))).unsqueeze(0)", {"img": (4, 5, 3)}),
    (
        "torch.from_numpy(np.ascontiguousarray(img[..., ::-1].transpose(2, 0, 1))).permute(1, 2, 0)",
        {"img": (4, 5, 3)},
    ),
    ("x.to(memory_format=torch.channels_last)", {"x": (1, 2, 3, 4)}),
    (
        "x = x.view(bs, na, no, ny, nx).permute(0, 1, 3, 4, 2).contiguous()",
        {"x": (1, 10, 2, 3), "bs": 1, "na": 2, "no": 5, "ny": 2, "nx": 3},
    ),
    ("torch.cat([xi.view(1, 5, -1) for xi in (a, b)], 2)", {"a": (1, 5, 2, 2), "b": (1, 5, 1, 1)}),
    ("box, cls = x.split((4, 1), 1)", {"x": (1, 5, 6)}),
    ("boxes[..., [1, 0, 3, 2]]", {"boxes": (3, 4)}),
    (
        """\
layer = layer.view(N, -1, K, H, W)
layer = layer.permute(0, 3, 4, 1, 2)
layer = layer.reshape(N, -1, K)""",
        {"layer": (1, 6, 2, 2), "N": 1, "K": 3, "H": 2, "W": 2},
    ),
    ("anchors = torch.stack((sx, sy), -1).view(-1, 2)", {"sx": (2, 3), "sy": (2, 3)}),
    ("x.view(b, 4, 16, a).transpose(2, 1)", {"x": (1, 64, 3), "b": 1, "a": 3}),
    ("boxes[keep]", {"boxes": (4, 4), "keep": [2, 0]}),
    (
        """\
beam_idx = (beam_idx + torch.arange(2).unsqueeze(1) * 3).view(-1)
x.index_select(0, beam_idx)""",
        {"x": (6, 2), "beam_idx": [[0, 2, 1], [1, 1, 0]]},
    ),
    (
        "past = tuple(layer.index_select(0, beam_idx) for layer in (a, b))",
        {"a": (3, 2), "b": (3, 2), "beam_idx": [2, 0, 0]},
    ),
    ("x.unsqueeze(1).expand(-1, 3, -1).contiguous().view(-1, x.size(-1))", {"x": (2, 4)}),
    ("x.repeat_interleave(3, dim=0)", {"x": (2, 4)}),
    ("last = x[torch.arange(x.size(0)), lengths - 1]", {"x": (2, 4, 3), "lengths": [3, 4]}),
    (
        "x.gather(1, (lengths - 1).view(-1, 1, 1).expand(-1, 1, x.size(2))).squeeze(1)",
        {"x": (2, 4, 3), "lengths": [3, 4]},
    ),
    (
        """\
mask = torch.arange(4)[None, :] < lengths[:, None]
x.masked_fill(~mask, 0)""",
        {"x": (2, 4), "lengths": [3, 2]},
    ),
    (
        "x = x.masked_fill(mask.unsqueeze(1).unsqueeze(2), -10000.0)",
        {"x": (2, 1, 1, 3), "mask": [[True, False, True], [False, False, True]]},
    ),
    (
        "torch.where(mask[..., None], x, torch.zeros_like(x))",
        {"x": (2, 3, 2), "mask": [[True, False, True], [False, False, True]]},
    ),
    (
        """\
labels = x.clone()
labels[:, :2] = -100
labels""",
        {"x": (2, 4)},
    ),
    (
        """\
shifted = x.new_zeros(x.shape)
shifted[:, 1:] = x[:, :-1].clone()
shifted[:, 0] = 1
shifted""",
        {"x": (2, 4)},
    ),
    (
        """\
logits = logits[..., :-1, :].contiguous()
logits.view(-1, logits.size(-1))""",
        {"logits": (2, 3, 4)},
    ),
    (
        "x[:, :, :, None, :, None].expand(-1, -1, -1, 2, -1, 2).reshape(b, c, h * 2, w * 2)",
        {"x": (1, 2, 2, 3), "b": 1, "c": 2, "h": 2, "w": 3},
    ),
    ("F.interpolate(x, scale_factor=2, mode='nearest')", {"x": (1, 2, 2, 3)}),
    ("x.repeat(1, 1, 2).view(x.shape[0], -1)", {"x": (2, 1, 3)}),
    (
        """\
left, right = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
torch.cat((right, left), -1)""",
        {"x": (2, 6)},
    ),
    ("torch.cat((x[:, 1:], x[:, :1]), 1)", {"x": (2, 4)}),
    (
        """\
out = torch.zeros_like(x)
out[:, :-1, :1] = x[:, 1:, :1]
out[:, 1:, 1:2] = x[:, :-1, 1:2]
out[:, :, 2:] = x[:, :, 2:]
out""",
        {"x": (1, 3, 4)},
    ),
    (
        """\
B, H, W, C = x.shape
x = x.view(B, H // 2, 2, W // 2, 2, C).permute(0, 1, 3, 4, 2, 5).flatten(3)""",
        {"x": (1, 4, 4, 2)},
    ),
    (
        """\
b, c, *spatial = x.shape
x.reshape(b, c, -1)""",
        {"x": (1, 2, 3, 4)},
    ),
    ("x.permute(*torch.arange(x.ndim - 1, -1, -1))", {"x": (2, 3, 4)}),
    ("x = x.view(*x.size()[:-1], 2, 3).permute(0, 2, 1, 3)", {"x": (2, 3, 6)}),
    ("torch.stack(torch.split(x, 2, dim=1), dim=0)", {"x": (2, 6)}),
    (
        """\
def forward(self, x):
    return {'pooled': x[:, 0], 'tokens': x[:, 1:]}""",
        {"x": (2, 3, 4)},
    ),
    (
        """\
def f(x):
    out = dict(a=x.T)
    return out, x[0]
f(x)""",
        {"x": (2, 3)},
    ),
    ("x.as_strided((2, 2, 3), (6, 1, 2))", {"x": (2, 6)}),
    ("x.diagonal(dim1=-2, dim2=-1).unsqueeze(-1)", {"x": (2, 3, 3)}),
    (
        """\
class Shift(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.register_buffer('idx', torch.tensor([3, 1, 0, 2]))
        self.pos = nn.Parameter(torch.zeros(1, 1, 4))
    def forward(self, x):
        x = x[:, :, self.idx]
        return torch.cat([self.pos.expand(x.shape[0], -1, -1), x], dim=1)
""",
        {"x": (2, 3, 4)},
    ),
    ("kv = torch.stack([k, v]).transpose(0, 1).flatten(1, 2)", {"k": (2, 3, 4), "v": (2, 3, 4)}),
    (
        """\
x = x.reshape(x.size(0), -1)
x = x.unsqueeze(-1).unsqueeze(-1)""",
        {"x": (2, 3, 1)},
    ),
    (
        """\
out = x.new_empty(x.size(0), x.size(1) * 2)
out[:, ::2] = x
out[:, 1::2] = x
out""",
        {"x": (2, 3)},
    ),
    (
        """\
buf = torch.empty_like(x)
buf.copy_(x.flip(0))
buf""",
        {"x": (2, 3)},
    ),
    (
        """\
cache = torch.zeros(2, 5, 3)
cache[:, 1:3] = x
cache[:, :3]""",
        {"x": (2, 2, 3)},
    ),
    ("cache.index_copy_(1, torch.tensor([1, 2]), x)", {"cache": (2, 4, 3), "x": (2, 2, 3)}),
    ("inputs, targets = x[:, :-1], x[:, 1:]", {"x": (2, 5)}),
    ("torch.narrow(x, 1, 1, 2).movedim(-1, 0)", {"x": (2, 4, 3)}),
    ("x.scatter(1, torch.tensor([[0, 2], [1, 0]]), 5.0)", {"x": (2, 3)}),
    ("x[range(len(labels)), labels]", {"x": (2, 3), "labels": [2, 0]}),
    ("h = x.view(2, 2, 3)[:, [1, 0]].reshape(4, 3)", {"x": (4, 3)}),
    ("x.tile((2, 1)).roll(1, 0)", {"x": (2, 3)}),
]

NUMPY = [
    ("np.transpose(w, (3, 2, 0, 1))", {"w": (3, 3, 2, 4)}),
    ("w.transpose(2, 3, 0, 1)[:, :, ::-1, ::-1]", {"w": (2, 4, 3, 3)}),
    (
        "kernel = kernel.reshape(kernel.shape[0], heads, -1).transpose(1, 0, 2)",
        {"kernel": (4, 6), "heads": 2},
    ),
    (
        """\
i, f, c, o = np.split(w, 4, axis=1)
np.concatenate([i, f, o, c], axis=1)""",
        {"w": (2, 8)},
    ),
    (
        """\
gamma, beta = params
np.stack([beta, gamma])""",
        {"params": (2, 3)},
    ),
    (
        """\
N, C, H, W = x.shape
col = np.empty((N, C, 2, 2, 3, 3))
for i in range(2):
    for j in range(2):
        col[:, :, i, j] = x[:, :, i:i + 3, j:j + 3]
col = col.transpose(0, 4, 5, 1, 2, 3).reshape(N * 9, -1)""",
        {"x": (1, 2, 4, 4)},
    ),
    ("np.lib.stride_tricks.sliding_window_view(x, 3)[::2]", {"x": (9,)}),
    (
        "np.lib.stride_tricks.as_strided(x, shape=(3, 2), strides=(x.strides[0], x.strides[0]))",
        {"x": (4,)},
    ),
    (
        """\
i0 = np.repeat(np.arange(2), 2)
j0 = np.tile(np.arange(2), 2)
i1 = np.repeat(np.arange(3), 3)
j1 = np.tile(np.arange(3), 3)
i = i0.reshape(-1, 1) + i1.reshape(1, -1)
j = j0.reshape(-1, 1) + j1.reshape(1, -1)
k = np.repeat(np.arange(2), 4).reshape(-1, 1)
cols = x[:, np.tile(k, (1, 1)), np.tile(i, (2, 1)), np.tile(j, (2, 1))]""",
        {"x": (1, 2, 4, 4)},
    ),
    ("img[:, :, ::-1].transpose(2, 0, 1)", {"img": (4, 5, 3)}),
    ("np.ascontiguousarray(img[..., ::-1].transpose((2, 0, 1)))[None]", {"img": (4, 5, 3)}),
    ("np.moveaxis(x, -1, 0)", {"x": (4, 5, 3)}),
    (
        "x.reshape(n, c // 4, 4, h, w).transpose(0, 1, 3, 4, 2)",
        {"x": (1, 8, 2, 3), "n": 1, "c": 8, "h": 2, "w": 3},
    ),
    ("x[::-1].T", {"x": (2, 3)}),
    ("np.rot90(x, k=-1)", {"x": (2, 3)}),
    ("np.block([[a, b], [c, d]])", {"a": (2, 2), "b": (2, 1), "c": (1, 2), "d": (1, 1)}),
    ("np.take_along_axis(x, np.array([[2, 0, 1]]), axis=1)", {"x": (2, 3)}),
    ("x.reshape(x.shape[0] // 2, 2, -1).swapaxes(0, 1)", {"x": (4, 3)}),
    (
        """\
onehot = np.eye(4)[[1, 3]]
x[np.argmax(onehot, axis=1)]""",
        {"x": (4, 2)},
    ),
    ("x[np.ix_([0, 2], [1, 0])]", {"x": (3, 2)}),
    ("np.pad(x, ((1, 1), (0, 0)), 'wrap')", {"x": (3, 2)}),
    (
        """\
out = np.zeros((x.shape[0] * 2, x.shape[1]))
out[::2] = x
out""",
        {"x": (2, 3)},
    ),
    ("np.hstack([x[:, :1], x])", {"x": (2, 3)}),
    ("np.vstack((np.zeros((1, x.shape[1])), x))[:-1]", {"x": (3, 2)}),
    ("x[np.tril_indices(3)]", {"x": (3, 3)}),
    (
        """\
out = np.zeros((3, 3))
out[np.triu_indices(3, 1)] = x
out + 0 if False else out""",
        {"x": (3,)},
    ),
    ("np.stack(np.meshgrid(x, y, indexing='ij'), -1).reshape(-1, 2)", {"x": (2,), "y": (3,)}),
    ("x.reshape(4, 2, 2).transpose(0, 2, 1).ravel()[::-1]", {"x": (16,)}),
]


def inputs(sizes):
    """The tensors and numbers that a statement takes: all elements differ, the same each time."""
    made, first = {}, 1
    for name, of in sizes.items():
        if isinstance(of, tuple):
            count = int(np.prod(of))
            line = np.random.default_rng(first).permutation(count) + first
            made[name], first = line.reshape(of).astype(np.float64), first + count
        else:
            made[name] = np.array(of) if isinstance(of, list) else of
    return made


def by_library(code, values, names):
    """What a library makes of a statement, as arrays: the value of its last line."""
    model = SimpleNamespace()
    namespace = {**names, "self": model}
    for name, value in values.items():
        head, _dot, rest = name.partition(".")
        if rest:
            setattr(model, rest, value)
        else:
            namespace[head] = value
            setattr(model, head, value)
    *before, last = ast.parse(code).body
    exec(compile(ast.Module(before, []), "statement", "exec"), namespace)
    if isinstance(last, ast.Expr):
        made = eval(compile(ast.Expression(last.value), "statement", "eval"), namespace)
    else:
        exec(compile(ast.Module([last], []), "statement", "exec"), namespace)
        if isinstance(last, ast.Assign):
            made = eval(ast.unparse(last.targets[0]), namespace)
        else:
            made = namespace[last.name]
            made = made() if isinstance(last, ast.ClassDef) else made
            own = [model] if code.startswith("def forward(self") else []
            made = made(*own, *(values[name] for name in values if "." not in name))
    return [np.asarray(x, np.float64) for x in flat(made)]


def flat(made):
    """The tensors of nested tuples, lists and dicts."""
    if isinstance(made, dict):
        made = list(made.values())
    if isinstance(made, list | tuple):
        return [x for item in made for x in flat(item)]
    return [made.detach() if hasattr(made, "detach") else made]


def recorded():
    """What PyTorch makes of each of its statements: sizes and elements of each result."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def by_torch(code, sizes):
    """What PyTorch itself makes of a statement."""
    import einops
    import torch
    from torch import nn
    from torch.nn import functional

    names = {"np": np, "torch": torch, "F": functional, "nn": nn, "rearrange": einops.rearrange}
    values = inputs(sizes)
    if "from_numpy" not in code:
        values = {
            name: torch.from_numpy(x) if isinstance(x, np.ndarray) else x
            for name, x in values.items()
        }
    return [[list(x.shape), x.ravel().tolist()] for x in by_library(code, values, names)]


if __name__ == "__main__":
    answers = {code: by_torch(code, sizes) for code, sizes in TORCH}
    lines = ",\n".join(f"{json.dumps(code)}: {json.dumps(made)}" for code, made in answers.items())
    FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
