"""Pages for the tests, and where things stand in them, found without the reader."""

import math
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from dmlviz.operators import OPERATORS
from dmlviz.verify import built_in

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
_FAMILY = "family/ns-directml-dml_{}_operator_desc.md"
FAMILY = {
    _FAMILY.format(name): name.rstrip("1").replace("_", "-")
    for name in (
        *("gather", "join", "one_hot", "split", "slice", "slice1", "top_k", "top_k1", "unfold"),
    )
}
"""Pages of operators that came later, or have several tensors."""
CLASSES = {cls.key: cls for cls in OPERATORS}


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


def righted(name):
    """A published page without the slips that make an example of it wrong."""
    # example 3 of GATHER says that a list of indices has two dimensions
    return real(name).replace(
        "Axis: 1\nIndexDimensions: 2\n\nInputTensor: (Sizes:{3,2}",
        "Axis: 1\nIndexDimensions: 1\n\nInputTensor: (Sizes:{3,2}",
    )


def pages():
    """Name, operator's key and text of every page that is here."""
    found = [(f"built-in {page.key}", page.key, page.text) for page in built_in()]
    if SHARED.exists():
        found += [(name, key, righted(name)) for name, key in (REAL | FAMILY).items()]
    return found


@dataclass(frozen=True, repr=False, eq=False)
class Tensor:
    """Where a tensor stands: its header's sizes, its numbers, its rows; offsets in the page."""

    label: str
    start: int
    end: int
    sizes: tuple[re.Match, ...]
    numbers: tuple[re.Match, ...]
    rows: tuple[re.Match, ...]
    has_strides: bool = False

    @property
    def shape(self):
        """Of what is printed, which is memory where the header has strides."""
        if self.has_strides:
            return (len(self.numbers),)
        return tuple(int(size[0]) for size in self.sizes)


@dataclass(frozen=True, repr=False, eq=False)
class Parts:
    """The tensors of an example, by name."""

    inputs: dict[str, Tensor]
    outputs: dict[str, Tensor]

    @property
    def all(self):
        return [*self.inputs.values(), *self.outputs.values()]


_LABELS = sorted(
    {slot.name for cls in OPERATORS for slot in (*cls.input_slots, *cls.output_slots)},
    key=len,
    reverse=True,
)
LABEL = rf"(?:{'|'.join(_LABELS)})(?:\[\d\])?"
HEADER = re.compile(
    rf"({LABEL}): \(Sizes:\{{([^}}]*)\}}, (Strides:\{{[^}}]*\}}, )?DataType:\w+\)\n"
)
_NUMBER = re.compile(r"//[^\n]*|-?\d+")
_OUTPUTS = {slot.name for cls in OPERATORS for slot in cls.output_slots}


def tensors(page):
    found = []
    for header in HEADER.finditer(page):
        sizes = tuple(re.compile(r"\d+").finditer(page, *header.span(2)))
        brackets = r"\s*".join([r"\]"] * (1 if header[3] else len(sizes)))
        values = re.compile(rf"\s*\[.*?{brackets}", re.DOTALL).match(page, header.end())
        within = (header.end(), values.end())
        numbers = (n for n in _NUMBER.finditer(page, *within) if n[0][0] != "/")
        tensor = Tensor(
            header[1],
            header.start(),
            values.end(),
            sizes,
            tuple(numbers),
            tuple(re.compile(r"\[[^\[\]]*\]").finditer(page, *within)),
            bool(header[3]),
        )
        assert len(tensor.numbers) == math.prod(tensor.shape)
        found.append(tensor)
    return found


def examples(page):
    """The tensors of each example; several may have the same inputs."""
    found, inputs, outputs = [], {}, {}
    for tensor in tensors(page):
        is_output = tensor.label.partition("[")[0] in _OUTPUTS
        if tensor.label in inputs and not is_output and not outputs:
            # TILE's page calls its output an input
            outputs["OutputTensor"] = tensor
            found.append(Parts(inputs, outputs))
        elif is_output:
            if tensor.label in outputs or not outputs:
                outputs = {}
                found.append(Parts(inputs, outputs))
            outputs[tensor.label] = tensor
        else:
            inputs = {} if outputs else inputs
            outputs = {}
            inputs[tensor.label] = tensor
    return found


def line(page, offset):
    return page.count("\n", 0, offset) + 1


def replaced(page, *changes):
    """The page with pieces ``(start, end, text)`` put in place of others."""
    for start, end, text in sorted(changes, reverse=True):
        page = page[:start] + text + page[end:]
    return page
