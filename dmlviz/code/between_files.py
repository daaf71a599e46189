"""What lies between two files of tensors: which tensors each one was made of, and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code.between import between_arrays
from dmlviz.code.matching import WORD, bits_of, runs_of_bits
from dmlviz.code.same import Same
from dmlviz.code.tensor_files import StoredTensor, read_tensors
from dmlviz.tensors.types import Array

BLOCK = 1 << 20
"""The elements that are read at once where a tensor is only looked through."""

SAMPLE = 1_024
"""The elements of a tensor that are searched for in others."""

ENOUGH = 64
"""A tensor of which less than this part of the sample comes is no origin, as a divisor."""

KEPT = 4_096
"""How many hashes of a tensor are kept to tell those that have nothing of it."""

SURE = 256
"""So many hashes of which none is there show that nothing is."""

TRIPLES_LIMIT = 300
"""The limit of tensors of which three are added."""


@dataclass(frozen=True)
class TensorOrigin:
    """Where a tensor of a file comes from.

    Attributes:
        name: its name.
        origins: the names of the tensors that its elements come from, in their file's order.
        same_as: lines that make it, of ``x``, or of ``x1``, ``x2`` and so on in the order of
            ``origins``.
        missing: how many of its elements are not in these.
        ambiguous: how many have a value that is there at several places.
    """

    name: str
    origins: tuple[str, ...]
    same_as: tuple[Same, ...]
    missing: int
    ambiguous: int


@dataclass(frozen=True)
class FilesBetween:
    """What lies between two files.

    Attributes:
        tensors: those of the second file, in its order.
        left_over: the names of tensors of the first file that none of them comes from.
    """

    tensors: tuple[TensorOrigin, ...]
    left_over: tuple[str, ...]


def between_files(before: str | Path, after: str | Path) -> FilesBetween:
    """For each tensor of a file, the tensors of another one that it was made of.

    Tensors are compared with those of their own type, by the bits of their elements, as
    :func:`dmlviz.between` does. Origins are found by sums over all elements that do not depend on
    their order, and where a tensor is a part of another one, by a sample.

    Args:
        before, after: paths of files that end in ``.npy``, ``.npz``, ``.safetensors`` or
            ``.onnx``, of any size; ``path:name`` is one tensor of a file. They are read here, and
            nothing is unpickled.

    Raises:
        Error: a file cannot be read, is damaged, or has objects or no elements; or each has one
            tensor, of different types.
    """
    firsts, seconds = read_tensors("before", before), read_tensors("after", after)
    if len(firsts) == len(seconds) == 1 and firsts[0].type != seconds[0].type:
        raise Error(
            _("after: it has the type {after}, and before has {before}.").format(
                after=seconds[0].type, before=firsts[0].type
            ),
            "after",
        )
    origins = _Origins(firsts)
    tensors = tuple(map(origins.of, seconds))
    used = {name for tensor in tensors for name in tensor.origins}
    return FilesBetween(tensors, tuple(x.name for x in firsts if x.name not in used))


@dataclass
class _Origins:
    """The tensors of the first file, and the hashes that say what is in them.

    Attributes:
        tensors: of the first file.
        hashes: the least hashes of a tensor, by its number, or a name in the second file, and the
            length of runs.
    """

    tensors: Sequence[StoredTensor]
    hashes: dict[tuple[int | str, int], tuple[Array, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.keys = [(tensor.count, _sum_of(tensor)) for tensor in self.tensors]

    def of(self, tensor: StoredTensor) -> TensorOrigin:
        """The origins of one tensor of the second file."""
        same_type = [k for k, one in enumerate(self.tensors) if one.type == tensor.type]
        chosen = self._by_sums(tensor, same_type) or self._by_sample(tensor, same_type)
        if not chosen:
            return TensorOrigin(tensor.name, (), (), tensor.count, 0)
        names = ["x"] if len(chosen) == 1 else [f"x{k}" for k in range(1, len(chosen) + 1)]
        arrays = {name: self.tensors[k].load() for name, k in zip(names, chosen, strict=True)}
        both = between_arrays(arrays, tensor.load())
        origins = tuple(self.tensors[k].name for k in chosen)
        return TensorOrigin(tensor.name, origins, both.same_as, both.missing, both.ambiguous)

    def _by_sums(self, tensor: StoredTensor, same_type: Sequence[int]) -> list[int]:
        """The tensors that have the elements of one together, each as often."""
        due = (tensor.count, _sum_of(tensor))
        by_key: dict[tuple[int, int], list[int]] = {}
        for k in same_type:
            by_key.setdefault(self.keys[k], []).append(k)
        alike = by_key.get(due, [])
        if alike:
            own = [k for k in alike if self.tensors[k].name == tensor.name]
            return (own or alike)[:1]
        smaller = [k for k in same_type if self.keys[k][0] < tensor.count]
        return next(self._sums(due, smaller, by_key), [])

    def _sums(
        self,
        due: tuple[int, int],
        smaller: Sequence[int],
        by_key: Mapping[tuple[int, int], Sequence[int]],
    ) -> Iterator[list[int]]:
        """Two tensors, neighbors in the file, or three whose sums are those of one."""
        few = len(smaller) <= TRIPLES_LIMIT
        for i, a in enumerate(smaller):
            rest = _less(due, self.keys[a])
            yield from ([a, k] for k in by_key.get(rest, ()) if k > a)
            for b in smaller[i + 1 :]:
                rest = _less(rest, self.keys[b])
                if rest[0] < 0:
                    break
                if rest == (0, 0):
                    yield [*smaller[i : smaller.index(b) + 1]]
        for i, a in enumerate(smaller if few else ()):
            for b in smaller[i + 1 :]:
                rest = _less(_less(due, self.keys[a]), self.keys[b])
                yield from ([a, b, k] for k in by_key.get(rest, ()) if k > b)

    def _by_sample(self, tensor: StoredTensor, same_type: Sequence[int]) -> list[int]:
        """The tensors that have most of a sample of the elements of one."""
        bits = bits_of(tensor.load())
        for count in dict.fromkeys((WORD // min(bits.itemsize, WORD), 1)):
            if bits.size < count:
                continue
            places = np.unique(np.linspace(0, bits.size - count, SAMPLE).astype(np.int64))
            parts = bits[places[:, None] + np.arange(count)]
            sample = np.unique(np.concatenate([runs_of_bits(part, count) for part in parts]))
            likely = [k for k in same_type if self._may_have(k, tensor, count)]
            chosen = self._covering(sample, count, likely)
            if chosen:
                return chosen
        return []

    def _may_have(self, number: int, tensor: StoredTensor, count: int) -> bool:
        """Whether a tensor can have runs of another one: of what is equal, both keep the same."""
        kept = []
        for key, one in ((number, self.tensors[number]), (tensor.name, tensor)):
            if (key, count) not in self.hashes:
                self.hashes[key, count] = _least_hashes(one, count)
            kept.append(self.hashes[key, count])
        (ours, limit), (theirs, own_limit) = kept
        least = np.uint64(min(limit, own_limit))
        some = theirs[theirs <= least]
        return some.size < SURE or bool(np.isin(some, ours, assume_unique=True).any())

    def _covering(self, sample: Array, count: int, same_type: Sequence[int]) -> list[int]:
        there = {k: _is_in(sample, self.tensors[k], count) for k in same_type}
        open_ones, chosen = np.full(sample.size, True), list[int]()
        while there:
            best = max(there, key=lambda k: int((there[k] & open_ones).sum()))
            new = there.pop(best) & open_ones
            if not new.any() or int(new.sum()) * ENOUGH < sample.size:
                break
            open_ones &= ~new
            chosen.append(best)
        return sorted(chosen)


def _less(one: tuple[int, int], two: tuple[int, int]) -> tuple[int, int]:
    return one[0] - two[0], (one[1] - two[1]) % (1 << 64)


def _blocks(tensor: StoredTensor, more: int = 0) -> Iterator[Array]:
    """The bits of a tensor, a part at a time, and so many elements of the next part."""
    line = tensor.load().reshape(-1, order="A")
    for start in range(0, line.size, BLOCK):
        yield bits_of(line[start : start + BLOCK + more])


def _sum_of(tensor: StoredTensor) -> int:
    """The sum of the hashes of all elements, modulo 2⁶⁴."""
    return sum(int(_hashes(bits).sum(dtype=np.uint64)) for bits in _blocks(tensor)) % (1 << 64)


def _hashes(bits: Array) -> Array:
    """A number of 64 bits that each element's bits say."""
    with np.errstate(over="ignore"):
        z = bits.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return z ^ z >> np.uint64(31)


def _least_hashes(tensor: StoredTensor, count: int) -> tuple[Array, int]:
    """The hashes of runs of so many elements below a limit that leaves some thousand of them."""
    most = min((1 << 64) - 1, (KEPT << 64) // tensor.count)
    kept = [np.zeros(0, np.uint64)]
    for bits in _blocks(tensor, count - 1):
        if bits.size >= count:
            hashes = _hashes(runs_of_bits(bits, count))
            kept.append(hashes[hashes <= np.uint64(most)])
    return np.unique(np.concatenate(kept)), most


def _is_in(sample: Array, tensor: StoredTensor, count: int) -> Array:
    """Which of some runs of so many elements, in their order, a tensor has."""
    there = np.full(sample.size, False)
    for bits in _blocks(tensor, count - 1):
        if bits.size >= count:
            runs = runs_of_bits(bits, count)
            places = np.minimum(np.searchsorted(sample, runs), sample.size - 1)
            there[places[sample[places] == runs]] = True
    return there
