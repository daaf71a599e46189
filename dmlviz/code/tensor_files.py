"""The tensors in a file: ``.npy``, ``.npz``, ``.safetensors`` and the initializers of ``.onnx``.

Sizes and offsets are compared with the file's own size before an element is read. Nothing is
unpickled. Files are mapped into memory, so that the system reads the parts that are used.

Source: "The .npy format" in NumPy's documentation; "Format" in the README of safetensors.
"""

from __future__ import annotations

import io
import json
import lzma
import math
import mmap
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code.matching import NUMERIC
from dmlviz.code.model_file import read_initializers
from dmlviz.movement.graphs import BOOL, ELEMENT_TYPES
from dmlviz.tensors import DATA_TYPES, print_sizes, short_text
from dmlviz.tensors.types import Array, Sizes

HEADER_LIMIT = 10_000
"""The limit of bytes of a header of ``.npy``, as in NumPy."""

JSON_LIMIT = 100_000_000
"""The limit of bytes of a header of ``.safetensors``, as in its own package."""

RANK_LIMIT = 64
"""The limit of dimensions, as in NumPy."""

PACKED_LIMIT = 1 << 32
"""The limit of bytes of a compressed tensor; a few bytes can say that they are very many."""

SAFETENSORS_TYPES: Mapping[str, tuple[str, str]] = {
    **{f"F{n}": (f"float{n}", f"<f{n // 8}") for n in (16, 32, 64)},
    **{f"I{n}": (f"int{n}", f"<i{n // 8}") for n in (8, 16, 32, 64)},
    **{f"U{n}": (f"uint{n}", f"<u{n // 8}") for n in (8, 16, 32, 64)},
    "BOOL": ("bool", "|b1"),
    "C64": ("complex64", "<c8"),
    "BF16": ("bfloat16", "<u2"),
    "F8_E4M3": ("float8_e4m3fn", "|u1"),
    "F8_E5M2": ("float8_e5m2", "|u1"),
    "F8_E8M0": ("float8_e8m0fnu", "|u1"),
}
"""The types of ``.safetensors``: a name that files share, and the numbers that have its bits."""

ONNX_TYPES: Mapping[int, tuple[str, str]] = {
    **{
        number: (DATA_TYPES[name].dtype.name, DATA_TYPES[name].dtype.newbyteorder("<").str)
        for name, number in ELEMENT_TYPES.items()
    },
    BOOL: ("bool", "|b1"),
    14: ("complex64", "<c8"),
    15: ("complex128", "<c16"),
    16: ("bfloat16", "<u2"),
    17: ("float8_e4m3fn", "|u1"),
    18: ("float8_e4m3fnuz", "|u1"),
    19: ("float8_e5m2", "|u1"),
    20: ("float8_e5m2fnuz", "|u1"),
    24: ("float8_e8m0fnu", "|u1"),
}
"""The same for the numbers of ONNX's TensorProto.DataType."""


@dataclass(frozen=True, eq=False)
class StoredTensor:
    """A tensor in a file.

    Attributes:
        name: its name.
        type: of its elements; the same in all kinds of files, such as ``bfloat16``.
        sizes: its sizes.
        load: reads its elements; of a type that NumPy does not have, their bits as whole numbers.
    """

    name: str
    type: str
    sizes: Sizes
    load: Callable[[], Array]

    @property
    def count(self) -> int:
        """How many elements it has."""
        return math.prod(self.sizes)


def read_tensors(field: str, source: str | Path) -> tuple[StoredTensor, ...]:
    """The tensors of a file, or the one that is named after it.

    Args:
        field: what the caller calls the file.
        source: a path, or a path, a colon and the name of a tensor.

    Raises:
        Error: the file cannot be read, has an unknown ending, is damaged, or holds objects; or no
            tensor has this name, or none has elements.
    """
    path, name = _path_and_name(str(source))
    read = _READERS.get(path.suffix.lower())
    if read is None:
        raise Error(
            _("{field}: {file} must be a file that ends in {endings}.").format(
                field=field, file=short_text(str(path)), endings=", ".join(_READERS)
            ),
            field,
        )
    try:
        every = tuple(read(path))
    except OSError as error:
        raise Error(
            _("{field}: cannot read {file}: {reason}.").format(
                field=field, file=short_text(str(path)), reason=error.strerror or error
            ),
            field,
        ) from None
    except (Error, _Damaged) as error:
        raise Error(
            _("{field}: {file} cannot be read: {reason}").format(
                field=field, file=short_text(str(path)), reason=error
            ),
            field,
        ) from None
    except _DAMAGES:
        raise Error(
            _("{field}: {file} is damaged.").format(field=field, file=short_text(str(path))), field
        ) from None
    if name:
        every = tuple(tensor for tensor in every if tensor.name == name)
        if not every:
            raise Error(
                _("{field}: {file} has no tensor {name}.").format(
                    field=field, file=short_text(str(path)), name=short_text(name)
                ),
                field,
            )
    whole = tuple(tensor for tensor in every if tensor.count)
    if not whole:
        raise Error(
            _("{field}: {file} has no elements.").format(field=field, file=short_text(str(path))),
            field,
        )
    return whole


def _path_and_name(source: str) -> tuple[Path, str]:
    """A path, and the name after a colon: a path can have colons, too."""
    parts = source.split(":")
    for k in range(len(parts), 0, -1):
        path = Path(":".join(parts[:k]))
        if path.suffix.lower() in _READERS and (k == 1 or path.is_file()):
            return path, ":".join(parts[k:])
    return Path(source), ""


class _Damaged(Exception):
    """What is wrong with a file, as a sentence."""


_DAMAGES = (
    *(MemoryError, OverflowError, RecursionError, ValueError, EOFError),
    *(struct.error, zipfile.error, zlib.error, lzma.LZMAError),
)
"""What reading a damaged file raises."""


def _of_type(name: str, kind: object, types: Mapping[Any, tuple[str, str]]) -> tuple[str, str]:
    if kind not in types:
        raise _Damaged(
            _("the type {type} of {name} is not read.").format(
                type=short_text(kind), name=short_text(name)
            )
        )
    return types[kind]


def _mapped(path: Path) -> memoryview:
    """The bytes of a file, of which the system reads those that are used."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            raise _Damaged(_("the file is empty."))
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _checked(name: str, sizes: Sizes, width: int, there: int) -> None:
    """Refuse a tensor that does not have the bytes of its sizes."""
    if len(sizes) > RANK_LIMIT or any(type(n) is not int or n < 0 for n in sizes):
        raise _Damaged(_("{name} has invalid sizes.").format(name=short_text(name)))
    if math.prod(sizes) * width != there:
        raise _Damaged(
            _("{name} of sizes {sizes} does not have {count} bytes.").format(
                name=short_text(name), sizes=short_text(print_sizes(sizes)), count=f"{there:,}"
            )
        )


def _numbers(data: memoryview | bytes, dtype: str, sizes: Sizes, order: str = "C") -> Array:
    shaped = np.frombuffer(data, np.uint8).view(dtype)
    return shaped.reshape(sizes, order="F" if order == "F" else "C")


# ---- .npy and .npz


def _npy_header(name: str, start: bytes) -> tuple[Sizes, bool, np.dtype[Any], int]:
    """Sizes, whether the first index runs fastest, the type, and where the elements begin."""
    file = io.BytesIO(start)
    version = np.lib.format.read_magic(file)
    readers = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    if version not in readers:
        raise _Damaged(_("{name} is not read.").format(name=short_text(name)))  # fmt: skip
    try:
        sizes, by_columns, dtype = readers[version](file, max_header_size=HEADER_LIMIT)
    except Exception:  # NumPy says what is wrong with a header in many ways
        raise _Damaged(_("{name} has an invalid header.").format(name=short_text(name))) from None
    if dtype.kind not in NUMERIC:
        raise _Damaged(
            _("{name} has the type {type}; its elements must be numbers.").format(
                name=short_text(name), type=short_text(str(dtype))
            )
        )
    return sizes, by_columns, dtype, file.tell()


def _npy(path: Path) -> Iterator[StoredTensor]:
    data = _mapped(path)
    sizes, by_columns, dtype, start = _npy_header(path.stem, bytes(data[: 2 * HEADER_LIMIT]))
    _checked(path.stem, sizes, dtype.itemsize, len(data) - start)
    order = "F" if by_columns else "C"
    yield StoredTensor(
        path.stem, dtype.name, sizes, lambda: _numbers(data[start:], dtype.str, sizes, order)
    )


def _npz(path: Path) -> Iterator[StoredTensor]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not info.filename.endswith(".npy"):
                continue
            name = info.filename.removesuffix(".npy")
            try:
                with archive.open(info) as member:
                    header = _npy_header(name, member.read(2 * HEADER_LIMIT))
            except (RuntimeError, NotImplementedError):
                raise _Damaged(_("{name} is not read.").format(name=short_text(name))) from None
            sizes, by_columns, dtype, start = header
            _checked(name, sizes, dtype.itemsize, info.file_size - start)
            if info.compress_type != zipfile.ZIP_STORED and info.file_size > PACKED_LIMIT:
                raise _Damaged(_("{name} is too large.").format(name=short_text(name)))
            order = "F" if by_columns else "C"

            def load(
                info: zipfile.ZipInfo = info,
                start: int = start,
                kind: str = dtype.str,
                sizes: Sizes = sizes,
                order: str = order,
            ) -> Array:
                try:
                    with zipfile.ZipFile(path) as archive:
                        data = memoryview(archive.read(info))
                    return _numbers(data[start:], kind, sizes, order)
                except (OSError, *_DAMAGES):
                    message = _("{name} is damaged.").format(name=short_text(info.filename))
                    raise Error(message) from None

            yield StoredTensor(name, dtype.name, sizes, load)


# ---- .safetensors and .onnx


def _safetensors(path: Path) -> Iterator[StoredTensor]:
    data = _mapped(path)
    (length,) = struct.unpack("<Q", data[:8])
    if not 2 <= length <= min(JSON_LIMIT, len(data) - 8):
        raise _Damaged(_("it has an invalid header."))
    header = json.loads(bytes(data[8 : 8 + length]))
    elements = data[8 + length :]
    if not isinstance(header, dict):
        raise _Damaged(_("it has an invalid header."))
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        try:
            kind, sizes, (first, end) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
            label, dtype = _of_type(name, kind, SAFETENSORS_TYPES)
            inside = type(first) is type(end) is int and 0 <= first <= end <= len(elements)
        except (KeyError, TypeError):
            inside = False
        if not inside:
            raise _Damaged(_("{name} has an invalid header.").format(name=short_text(name)))
        _checked(name, sizes, np.dtype(dtype).itemsize, end - first)
        part = elements[first:end]
        yield _stored(name, label, sizes, part, dtype)


def _stored(name: str, label: str, sizes: Sizes, part: memoryview, dtype: str) -> StoredTensor:
    return StoredTensor(name, label, sizes, lambda: _numbers(part, dtype, sizes))


def _onnx(path: Path) -> Iterator[StoredTensor]:
    for name, kind, sizes, values in read_initializers(_mapped(path)):
        label, dtype = _of_type(name, kind, ONNX_TYPES)
        if isinstance(values, memoryview):
            _checked(name, sizes, np.dtype(dtype).itemsize, len(values))
            yield _stored(name, label, sizes, values, dtype)
        else:
            yield StoredTensor(name, label, sizes, lambda values=values: values)  # type: ignore[misc]


_READERS: Mapping[str, Callable[[Path], Iterator[StoredTensor]]] = {
    ".npy": _npy,
    ".npz": _npz,
    ".safetensors": _safetensors,
    ".onnx": _onnx,
}
