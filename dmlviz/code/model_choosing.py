"""Sizes for what a model leaves open, so that all its nodes take them.

A batch is 1, and dimensions of one name have one number. Numbers are tried, small ones first, until
the sizes of all tensors work out; then the numbers with which most of them do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dmlviz.base.deferred import dataclass, regex
from dmlviz.code.model_file import Dimensions, ModelFile
from dmlviz.code.model_walk import ModelWalk, named_numbers
from dmlviz.tensors.types import Sizes, Tensors

STEPS = 20_000
"""How many nodes are measured at most, in all trials together."""

_IMAGE = (32, 64, 48, 128, 224, 16, 96, 256, 320, 416, 8, 640, 299)
_LENGTHS = (8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16_000, 4, 2, 1)
_CHANNELS = (3, 1, 4, 8, 16, 64, 80)
"""The numbers that are tried: of rows and columns, of other dimensions, and of channels."""

_BATCH = regex(r"(?i).*batch|n|bs?$")
_LENGTH = regex(r"(?i).*(seq|len|time|step|frame|sample|width|height|token|count|num|point)")


@dataclass(frozen=True)
class _Open:
    """A number to choose.

    Attributes:
        key: its name; without one, its input and its dimension.
        values: what it is tried with.
    """

    key: str
    values: tuple[int, ...]


def chosen_sizes(
    file: ModelFile, requested: Mapping[str, Sizes], arrays: Tensors
) -> dict[str, Sizes]:
    """The sizes of the inputs that the file leaves open and that are not given.

    Args:
        file: the model.
        requested: sizes by name.
        arrays: the values of inputs that say where elements go.
    """
    stated = {name: of for name, of in file.open_inputs().items() if name not in requested}
    if not stated:
        return {}
    return _ModelTrials(file, {**file.stated_inputs(), **requested}, arrays, stated).best()


class _ModelTrials:
    """The best numbers so far, and what finding them may still cost."""

    def __init__(
        self,
        file: ModelFile,
        known: Mapping[str, Sizes],
        arrays: Tensors,
        stated: Mapping[str, Dimensions | None],
    ) -> None:
        self._file, self._fixed, self._arrays = file, known, arrays
        unstated = [name for name, of in stated.items() if of is None]
        self._stated = {name: of for name, of in stated.items() if of is not None}
        self._ranks = {name: self._rank(name) for name in unstated}
        self._stated |= {name: (None,) * rank for name, rank in self._ranks.items()}
        self._named = named_numbers(file, known)
        self._open = list(_numbers_to_choose(self._stated, self._named))
        self._left = STEPS
        self._best: tuple[tuple[int, int, int], dict[str, int]] | None = None
        self._wanted: tuple[int, ...] = ()

    def _rank(self, name: str) -> int:
        """How many dimensions an input without stated sizes has: those of a filter, if any."""
        for node in self._file.nodes:
            if name in node.inputs[:1]:
                weights = [self._file.tensors.get(of) for of in node.inputs[1:2]]
                if node.op_type == "Conv" and weights and weights[0] is not None:
                    return len(weights[0].sizes)
        return 2

    def best(self) -> dict[str, Sizes]:
        """The sizes of all open inputs."""
        most = max((len(of.values) for of in self._open), default=1)
        for k in range(most):
            numbers = {of.key: of.values[min(k, len(of.values) - 1)] for of in self._open}
            if self._tried(numbers):
                break
        assert self._best is not None
        if self._best[0][0] + self._best[0][2]:
            self._improved()
        return self._sizes(self._best[1])

    def _improved(self) -> None:
        """Change one number after the other, as long as that helps."""
        assert self._best is not None
        before = None
        while before != self._best[0]:
            before = self._best[0]
            tries = [(of, 1) for of in self._open]
            tries += [(of, n) for of in self._open for n in (*self._wanted, *of.values)]
            for of, n in dict.fromkeys(tries):
                if self._left <= 0 or self._tried({**self._best[1], of.key: n}):
                    return

    def _tried(self, numbers: Mapping[str, int]) -> bool:
        """Whether everything fits with these numbers."""
        if self._best is not None and self._left <= 0:
            return False
        self._left -= max(1, len(self._file.nodes))
        sizes = {**self._fixed, **self._sizes(numbers)}
        walk = ModelWalk(self._file, sizes, self._arrays, measuring=True)
        misfits = [self._file.nodes[number] for number in sorted(walk.misfits)]
        # of two branches, one may not run
        inner = sum(node.depth > 0 for node in misfits)
        score = len(misfits) - inner, walk.unknown, inner
        if self._best is None or score < self._best[0]:
            self._best = score, dict(numbers)
            taken = (walk.sizes.get(name, ()) for node in misfits[:4] for name in node.inputs)
            self._wanted = tuple(dict.fromkeys(n for of in taken for n in of if n > 1))
        return not misfits and not walk.unknown

    def _sizes(self, numbers: Mapping[str, int]) -> dict[str, Sizes]:
        return {
            name: tuple(
                n if isinstance(n, int) else self._named.get(str(n)) or numbers[_key(name, d, n)]
                for d, n in enumerate(stated)
            )
            for name, stated in self._stated.items()
        }


def _numbers_to_choose(
    stated: Mapping[str, Dimensions], named: Mapping[str, int]
) -> Iterator[_Open]:
    seen = set()
    for name, dimensions in stated.items():
        for d, dimension in enumerate(dimensions):
            key = _key(name, d, dimension)
            if isinstance(dimension, int) or dimension in named or key in seen:
                continue
            seen.add(key)
            yield _Open(key, _values(dimension or "", d, len(dimensions)))


def _key(name: str, d: int, dimension: str | int | None) -> str:
    return dimension if isinstance(dimension, str) else f"{name}\0{d}"


def _values(name: str, d: int, rank: int) -> tuple[int, ...]:
    """What a dimension is tried with."""
    if _BATCH.match(name) or (d == 0 and rank > 1 and not _LENGTH.match(name)):
        return (1,)
    if rank > 3:
        return _CHANNELS if d == 1 else _IMAGE
    return _LENGTHS
