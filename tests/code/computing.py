"""What PyTorch's computing calls give: recorded, so that tests need no PyTorch.

``python -m tests.code.computing`` records the sizes; it needs PyTorch and nothing of dmlviz.
"""

import json
from pathlib import Path

FILE = Path(__file__).with_name("computing.json")

LINES = {
    "x @ y": [
        [[2, 3], [3, 4]],
        [[3], [3, 4]],
        [[2, 3], [3]],
        [[5, 2, 3], [3, 4]],
        [[1, 5, 2, 3], [4, 1, 3, 2]],
    ],
    "torch.matmul(x, y.mT)": [[[2, 4, 3], [2, 5, 3]]],
    "torch.bmm(x, y)": [[[2, 4, 3], [2, 3, 5]]],
    "x * y + 1": [[[2, 3, 4], [3, 1]]],
    "x.sum()": [[[2, 3]]],
    "x.sum(1)": [[[2, 3, 4]]],
    "x.mean(dim=(2, 3), keepdim=True)": [[[2, 3, 4, 5]]],
    "x.mean((-2, -1))": [[[2, 3, 4, 5]]],
    "x.amax(dim=-1, keepdim=True)": [[[2, 3]]],
    "x.max(dim=1)": [[[2, 3, 4]]],
    "x.max(1, keepdim=True)": [[[2, 3, 4]]],
    "torch.max(x, y)": [[[2, 3], [3]]],
    "x.sort(-1)": [[[2, 3]]],
    "x.topk(2)": [[[4, 3]]],
    "x.topk(2, dim=0)": [[[4, 3]]],
    "x.argmax(-1)": [[[2, 3]]],
    "x.var(1, unbiased=False)": [[[2, 3]]],
    "x.norm(2, dim=-1)": [[[2, 3]]],
    "x.norm(dim=1, keepdim=True)": [[[2, 3]]],
    "torch.softmax(x, -1)": [[[2, 3]]],
    "F.layer_norm(x, (3,))": [[[2, 3]]],
    "F.linear(x, y)": [[[5, 2, 3], [4, 3]]],
    "F.one_hot(x.long() * 0, 5)": [[[2, 3]]],
    "F.scaled_dot_product_attention(x, y, y)": [[[2, 4, 3], [2, 5, 3]]],
    "F.max_pool2d(x, 2)": [[[1, 2, 4, 6]]],
    "F.max_pool2d(x, 3, 2, 1)": [[[1, 2, 5, 6]]],
    "F.max_pool2d(x, 2, ceil_mode=True)": [[[1, 2, 5, 5]]],
    "F.avg_pool2d(x, (2, 1), stride=1, padding=(1, 0))": [[[1, 2, 4, 6]]],
    "F.adaptive_avg_pool2d(x, 1)": [[[1, 2, 4, 6]]],
    "F.adaptive_avg_pool2d(x, (None, 3))": [[[1, 2, 4, 6]]],
    "F.conv2d(x, y, stride=2, padding=1, groups=2)": [[[1, 4, 5, 6], [6, 2, 3, 3]]],
    "F.interpolate(x, scale_factor=2, mode='bilinear')": [[[1, 2, 3, 4]]],
    "F.interpolate(x, size=(5, 6), mode='bicubic')": [[[1, 2, 3, 4]]],
    "F.grid_sample(x, y)": [[[2, 3, 4, 5], [2, 6, 7, 2]]],
    "torch.cdist(x, y)": [[[2, 4, 3], [2, 5, 3]]],
    "torch.outer(x, y)": [[[3], [4]]],
    "torch.einsum('bhid,bhjd->bhij', x, y)": [[[1, 2, 4, 3], [1, 2, 5, 3]]],
    "torch.einsum('...ij,...kj->...ik', x, y)": [[[2, 4, 3], [5, 3]]],
    "torch.einsum('ij,jk', x, y)": [[[2, 3], [3, 4]]],
    "torch.addmm(y, x, y)": [[[3, 3], [3, 3]]],
    "torch.erf(x)": [[[2, 3]]],
    "torch.where(x > 0, x, y)": [[[2, 3], [3]]],
    "x.cumsum(0)": [[[2, 3]]],
    "nn.Linear(3, 5)(x)": [[[2, 4, 3]]],
    "nn.Conv2d(4, 6, 3, stride=2, padding=1)(x)": [[[1, 4, 5, 6]]],
    "nn.Conv1d(3, 6, 3, dilation=2)(x)": [[[2, 3, 7]]],
    "nn.Conv2d(3, 6, kernel_size=(3, 1), padding='same')(x)": [[[1, 3, 4, 4]]],
    "nn.ConvTranspose2d(4, 2, 3, stride=2, padding=1, output_padding=1)(x)": [[[1, 4, 3, 3]]],
    "nn.MaxPool2d(3, stride=2)(x)": [[[1, 2, 7, 7]]],
    "nn.AvgPool2d(2)(x)": [[[1, 2, 4, 4]]],
    "nn.AdaptiveAvgPool2d(2)(x)": [[[1, 2, 5, 5]]],
    "nn.LayerNorm(3)(x)": [[[2, 3]]],
    "nn.BatchNorm2d(3)(x)": [[[2, 3, 4, 4]]],
    "nn.GELU()(x)": [[[2, 3]]],
    "nn.Embedding(9, 4)(x.long() * 0)": [[[2, 3]]],
    "nn.Upsample(scale_factor=2, mode='bilinear')(x)": [[[1, 2, 3, 4]]],
}
"""Lines of PyTorch whose last call computes, with the sizes of `x` and `y`."""


def recorded():
    """What PyTorch gives: for each line and sizes, the sizes of its results."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def by_torch(line, sizes):
    """The sizes of what PyTorch makes of a line."""
    import torch
    from torch import nn
    from torch.nn import functional

    tensors = {name: torch.rand(of) for name, of in zip("xy", sizes, strict=False)}
    made = eval(line, {"torch": torch, "F": functional, "nn": nn, **tensors})
    every = [made] if isinstance(made, torch.Tensor) else list(made)
    return [list(one.shape) for one in every]


if __name__ == "__main__":
    answers = [
        [line, sizes, by_torch(line, sizes)] for line, every in LINES.items() for sizes in every
    ]
    text = ",\n".join(json.dumps(one) for one in answers)
    FILE.write_text(f"[\n{text}\n]\n", encoding="utf-8")
