"""What code of PyTorch looks like, how it writes calls, and how its tensors behave."""

from __future__ import annotations

from dmlviz.base.deferred import regex
from dmlviz.code.conventions import Conventions
from dmlviz.operators.code.base import TensorForms

SIGNS = regex(
    r"\b(torch|F|nn)\.|\.(permute|view|view_as|unsqueeze|narrow|index_select|expand|expand_as"
    r"|unflatten|repeat_interleave|contiguous|chunk|movedim|unfold|unbind|masked_fill|index_fill"
    r"|index_copy|scatter|gather|roll|flip|tile|tril|triu|dim|size|numel|clone|select|cat|split"
    r"|\w+_)\("
    # NumPy's takes every axis, and its flatten an order
    r"|\.flatten\(\s*\d|\.(transpose|repeat|flatten|sum|squeeze)\([^()]*\bdim\w*\s*="
)
"""What only code of PyTorch has."""

CONVENTIONS = Conventions(
    flip_copies=True,
    copies_first=False,
    copy_method="clone",
    list_indices="flat",
    numbers_first=True,
    backward_slices=False,
    backward="torch.flip",
)

TENSORS = TensorForms(
    "torch.arange",
    "{counted}.reshape({sizes}).to(torch.{dtype})",
    "torch.from_numpy({array})",
    "torch.tensor({elements}, dtype=torch.{dtype})",
    "torch.tensor({elements}, dtype=torch.{dtype}).reshape({sizes})",
)
"""How code makes a tensor."""

FORMS = {
    "Tile": "torch.tile({x}, {repeats})",
    "Concat": "torch.cat({parts}, dim={axis})",
    "Split": "torch.split({x}, {parts:list}, dim={axis})",
    "ConstantOfShape": "torch.full({sizes}, {value}, dtype=torch.{dtype})",
}
"""How code calls what ONNX's nodes do."""
