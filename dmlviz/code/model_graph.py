"""The graph of a model in blocks: its parts, and what computes between them.

Nodes that compute are one block if they are connected and have as many parts before them, so that
no block is both before and after a part only by being drawn as one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from dmlviz.base.deferred import dataclass
from dmlviz.code.model_file import FileNode, ModelFile
from dmlviz.tensors.types import Sizes


@dataclass(frozen=True)
class GraphBlock:
    """A part, nodes that compute, or an input or an output of the model.

    Attributes:
        level: how many blocks come one after another before it.
        part: the part's number in the model, from 0; None if it is none.
        op_types: how many nodes of each operator it has, the most frequent first; none of an
            input or an output.
        tensor: the name of the input or output, and its sizes; empty if it is nodes.
        sizes: of the input or output; None if they are unknown.
    """

    level: int
    part: int | None = None
    op_types: tuple[tuple[str, int], ...] = ()
    tensor: str = ""
    sizes: Sizes | None = None


@dataclass(frozen=True)
class ModelGraph:
    """Blocks, and which of them gives tensors to which.

    Attributes:
        blocks: those of a lower level first.
        edges: the numbers of two blocks each.
    """

    blocks: tuple[GraphBlock, ...]
    edges: tuple[tuple[int, int], ...]


def model_graph(
    file: ModelFile, folded: set[int], parts: Sequence[Sequence[int]], sizes: Mapping[str, Sizes]
) -> ModelGraph:
    """The graph of a model.

    Args:
        file: its nodes.
        folded: the numbers of those that are calculated from constants.
        parts: the numbers of the nodes of each part.
        sizes: of its tensors, by name.
    """
    groups = _Groups(file, {node: k for k, numbers in enumerate(parts) for node in numbers})
    for number, node in enumerate(file.nodes):
        if number not in folded:
            groups.add(number, node)
    return groups.graph(sizes)


class _Groups:
    """The blocks while nodes are read in order."""

    def __init__(self, file: ModelFile, part_of: Mapping[int, int]) -> None:
        self._file, self._part_of = file, part_of
        # keys of blocks: an input's name, a part's number, or the number of a node that computes
        self._levels: dict[str | tuple[str, int], int] = dict.fromkeys(file.inputs, 0)
        self._makers: dict[str, str | tuple[str, int]] = {name: name for name in file.inputs}
        self._joined: dict[str | tuple[str, int], str | tuple[str, int]] = {}
        self._counts: dict[str | tuple[str, int], Counter[str]] = {}
        self._edges: dict[tuple[str | tuple[str, int], str | tuple[str, int]], None] = {}

    def add(self, number: int, node: FileNode) -> None:
        """Put a node into the block of its part, or into one that computes."""
        taken = (*node.inputs, *node.captured)
        before = [self._first(self._makers[name]) for name in taken if name in self._makers]
        key: str | tuple[str, int]
        if number in self._part_of:
            key = ("part", self._part_of[number])
            level = max((self._levels[of] + 1 for of in before if of != key), default=1)
            self._levels.setdefault(key, level)
        else:
            computing = [of for of in before if of[0] == "node" and not isinstance(of, str)]
            level = max((self._levels[of] + (of not in computing) for of in before), default=1)
            key = ("node", number)
            self._levels[key] = level
            for of in computing:
                if self._levels[of] == level and self._first(of) != key:
                    self._joined[self._first(key)] = self._first(of)
                    key = self._first(of)
        self._counts.setdefault(self._first(key), Counter())[node.op_type] += 1
        self._edges |= dict.fromkeys((of, key) for of in before)
        self._makers |= {name: key for name in node.outputs if name}

    def _first(self, key: str | tuple[str, int]) -> str | tuple[str, int]:
        while key in self._joined:
            key = self._joined[key]
        return key

    def graph(self, sizes: Mapping[str, Sizes]) -> ModelGraph:
        """All blocks, those of outputs last."""
        made: dict[str | tuple[str, int], GraphBlock] = {
            name: GraphBlock(0, tensor=name, sizes=sizes.get(name)) for name in self._file.inputs
        }
        counts: dict[str | tuple[str, int], Counter[str]] = {}
        for key, count in self._counts.items():
            counts.setdefault(self._first(key), Counter()).update(count)
        for key, count in counts.items():
            part = key[1] if key[0] == "part" and not isinstance(key, str) else None
            made[key] = GraphBlock(self._levels[key], part, tuple(count.most_common()))
        edges = {(self._first(one), self._first(two)) for one, two in self._edges}
        last = 1 + max((block.level for block in made.values()), default=0)
        for k, name in enumerate(self._file.outputs):
            key = ("output", k)
            made[key] = GraphBlock(last, tensor=name, sizes=sizes.get(name))
            if name in self._makers:
                edges.add((self._first(self._makers[name]), key))
        keys = sorted(made, key=lambda key: made[key].level)
        places = {key: place for place, key in enumerate(keys)}
        pairs = {(places[one], places[two]) for one, two in edges if one != two}
        return ModelGraph(tuple(made[key] for key in keys), tuple(sorted(pairs)))
