"""Pages for the tests, and where things stand in them, found without the reader."""

import math
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from dmlviz.documents import built_in
from dmlviz.operators import OPERATORS

SHARED = Path(__file__).resolve().parents[3] / "shared" / "documents"
REAL = {
    "depth-to-space1.en.txt": "depth-to-space",
    "depth-to-space1.fr.md": "depth-to-space",
    "padding.repository-page.txt": "padding",
    "space-to-depth1.source.md": "space-to-depth",
    "tile.en.txt": "tile",
    "tile.ko.txt": "tile",
    "tile.source.md": "tile",
}
CLASSES = {cls.key: cls for cls in OPERATORS}


def leaves_sizes_free(cls):
    """Whether an output of other sizes is possible with the same settings."""
    example = cls.examples()[0]
    fewest = {"OutputTensor": (1,) * example.x.ndim}
    return example.operator.with_output_sizes(fewest) != example.operator


TILE = """DML_TILE_OPERATOR_DESC
Repeats: {1, 2}
InputTensor: (Sizes:{2, 3}, DataType:FLOAT32)
[[1, 2, 3],
 [4, 5, 6]]
OutputTensor: (Sizes:{2, 6}, DataType:FLOAT32)
[[1, 2, 3, 1, 2, 3],
 [4, 5, 6, 4, 5, 6]]
"""
"""A page that is right; the values of its output stand on the lines 7 and 8."""


def real(name):
    """The text of a page as Microsoft publishes it."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{path} is not here to be read")
    return path.read_text(encoding="utf-8")


def pages():
    """Name, operator's key and text of every page that is here."""
    found = [(f"built-in {page.key}", page.key, page.text) for page in built_in()]
    if SHARED.exists():
        found += [(name, key, real(name)) for name, key in REAL.items()]
    return found


@dataclass(frozen=True, repr=False)
class Tensor:
    """Where a tensor stands: its header's sizes, its numbers, its rows; offsets in the page."""

    label: str
    start: int
    end: int
    sizes: tuple[re.Match, ...]
    numbers: tuple[re.Match, ...]
    rows: tuple[re.Match, ...]

    @property
    def shape(self):
        return tuple(int(size[0]) for size in self.sizes)


HEADER = re.compile(r"(InputTensor|OutputTensor): \(Sizes:\{([^}]*)\}, DataType:\w+\)\n")


def tensors(page):
    found = []
    for header in HEADER.finditer(page):
        end = header.end() + re.match(r"\s*\[.*?\]{4}", page[header.end() :], re.DOTALL).end()
        within = (header.end(), end)
        tensor = Tensor(
            header[1],
            header.start(),
            end,
            tuple(re.compile(r"\d+").finditer(page, *header.span(2))),
            tuple(re.compile(r"\d+").finditer(page, *within)),
            tuple(re.compile(r"\[[^\[\]]*\]").finditer(page, *within)),
        )
        assert len(tensor.numbers) == math.prod(tensor.shape)
        found.append(tensor)
    return found


def examples(page):
    """Input and output of each example; several may have one input."""
    found, x = [], None
    for tensor in tensors(page):
        if x is None or (tensor.label == "InputTensor" and found and found[-1][0] is x):
            x = tensor
        else:
            found.append((x, tensor))
    return found


def line(page, offset):
    return page.count("\n", 0, offset) + 1


def replaced(page, *changes):
    """The page with pieces ``(start, end, text)`` put in place of others."""
    for start, end, text in sorted(changes, reverse=True):
        page = page[:start] + text + page[end:]
    return page
