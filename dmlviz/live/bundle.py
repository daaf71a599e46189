"""The files that make pages live: Pyodide, NumPy, ONNX Runtime Web, dmlviz, and their licenses."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import distribution
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.places import ASSETS, PACKAGE, ROOT
from dmlviz.base.words import _, compiled_catalogue
from dmlviz.picture.files import live_script

_HERE = Path(__file__).resolve().parent

ARCHIVE, LOCK, LICENSES = "core.zip", "pyodide-lock.json", "LICENSES.txt"

WORKER = "worker.js"
"""The script that runs Python."""

ENGINE = "engine.js"
"""The script that runs models."""

_ROOMS = {"app", "classroom", "commands", "extensions", "installed", "notebook", "site", "verify"}
"""The rooms that no picture needs."""

_PURE = ("cachetools", "einops", "segno")
"""The packages besides NumPy that the core needs; all are pure Python."""

_PAGE = {".js", ".json", ".css", ".html"}
"""The endings of the files of the player, from which a page is made to be saved."""

_UNUSED = ("tests", "testing", "f2py", "distutils", "ma", "fft", "polynomial")
"""The folders of NumPy that no picture needs; NumPy imports them when it is asked for them."""

_ASSETS = ("pictures/*", "recordings/*.json")
_DATE = (1980, 1, 1, 0, 0, 0)
_LARGEST = 64_000_000
"""Bytes of the largest file that is read."""


@dataclass(frozen=True)
class LiveFiles:
    """The files beside live pages.

    Attributes:
        files: bytes by name.
        loaded: the names of those that a page fetches before it is live, besides scripts;
            dmlviz's own archive is the first.
        engine: the names of those that a page fetches when ONNX Runtime Web is chosen, besides
            scripts.
    """

    files: dict[str, bytes]
    loaded: tuple[str, ...]
    engine: tuple[str, ...]

    def bytes_of(self, names: Iterable[str]) -> int:
        """How many bytes these files have together."""
        return sum(len(self.files[name]) for name in names)


def live_files(
    pyodide: Path, wheel: Path, onnxruntime: Path, node: Path | None = None
) -> LiveFiles:
    """All files that live pages need besides the player's, some 33 MB.

    Args:
        pyodide: the folder of the npm package ``pyodide``, such as ``node_modules/pyodide``.
        wheel: NumPy for Pyodide, as that package's ``pyodide-lock.json`` names it.
        onnxruntime: the folder of the npm package ``onnxruntime-web``.
        node: Node.js, which compiles all modules once here; without it, each reader's browser
            compiles them, and a page becomes live a second later.

    Raises:
        Error: a file is missing or is not the pinned one, or Node.js fails; the field is its
            option.
    """
    files = _pinned_files(pyodide, "pyodide")
    lock = json.loads(files[LOCK])
    data = _read(wheel, "numpy")
    _check(data, lock["packages"]["numpy"]["sha256"], wheel, "numpy")
    # what is not here cannot be asked for
    files[LOCK] = json.dumps({**lock, "packages": {}}).encode()
    modules = archive(core_files() | _numpy_files(data))
    files = {ARCHIVE: modules if node is None else _compiled(modules, node, pyodide), **files}
    runtime = runtime_files(onnxruntime)
    loaded, engine = (
        tuple(name for name in group if not name.endswith(".js")) for group in (files, runtime)
    )
    files |= runtime
    files[WORKER] = (_HERE / WORKER).read_bytes()
    files["live.js"] = live_script().encode()
    files[LICENSES] = _licenses(data).encode()
    return LiveFiles(files, loaded, engine)


def runtime_files(package: Path) -> dict[str, bytes]:
    """ONNX Runtime Web, and the script that runs models in it, some 14 MB.

    Args:
        package: the folder of the npm package ``onnxruntime-web``.

    Raises:
        Error: a file is missing, or is not the pinned one.
    """
    files = {ENGINE: (_HERE / ENGINE).read_bytes()}
    for name, data in _pinned_files(package, "onnxruntime-web").items():
        # some web servers send .mjs as text, and browsers then refuse to run it
        files[Path(name).name.replace(".mjs", ".js")] = data
    return files


def numpy_wheel(pyodide: Path) -> str:
    """The name of NumPy's file for that Pyodide.

    Raises:
        Error: the folder has no Pyodide, or another one than the pinned.
    """
    text = _pinned(pyodide, LOCK, "pyodide")
    return str(json.loads(text)["packages"]["numpy"]["file_name"])


@cache
def _pins() -> dict[str, Any]:
    return tomllib.loads((_HERE / "pinned.toml").read_text(encoding="utf-8"))


def _pinned_files(folder: Path, package: str) -> dict[str, bytes]:
    """The files of an npm package, by their names in its folder."""
    return {name: _pinned(folder, name, package) for name in _pins()[package]["sha256"]}


def _pinned(folder: Path, name: str, package: str) -> bytes:
    data = _read(folder / name, package)
    _check(data, _pins()[package]["sha256"][name], folder / name, package)
    return data


def _read(path: Path, field: str) -> bytes:
    try:
        if path.stat().st_size > _LARGEST:
            raise Error(_("{field}: {path} is too large.").format(field=field, path=path), field)
        return path.read_bytes()
    except OSError as error:
        raise Error(
            _("{field}: cannot read {path}: {reason}.").format(
                field=field, path=path, reason=error.strerror or error
            ),
            field,
        ) from None


def _check(data: bytes, digest: str, path: Path, field: str) -> None:
    if hashlib.sha256(data).hexdigest() != digest:
        # a wheel of NumPy goes with a version of Pyodide
        pinned = _pins().get(field, _pins()["pyodide"])
        raise Error(
            _(
                "{field}: {path} is not the file that dmlviz was tested with "
                "({package} {version}); its SHA-256 must be {digest}."
            ).format(
                field=field,
                path=path,
                package=pinned["title"],
                version=pinned["version"],
                digest=digest,
            ),
            field,
        )


def archive(files: Mapping[str, bytes]) -> bytes:
    """Files by their names as a ZIP file; always the same."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as zipped:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            zipped.writestr(entry, content)
    return data.getvalue()


def core_files() -> dict[str, bytes]:
    """dmlviz's own modules, words and data that a picture needs, by their names."""
    return {name: path.read_bytes() for name, path in _core_paths()} | dict(_catalogues())


def _catalogues() -> Iterator[tuple[str, bytes]]:
    """The words of each language, in the form that is read at once."""
    for path in ASSETS.glob("locale/*/*/*.po"):
        name = path.relative_to(ASSETS).with_suffix(".mo")
        yield f"assets/{name.as_posix()}", compiled_catalogue(path)


def _numpy_files(wheel: bytes) -> dict[str, bytes]:
    """NumPy's modules that a picture needs, by their names."""
    with zipfile.ZipFile(BytesIO(wheel)) as zipped:
        paths = [Path(name) for name in zipped.namelist()]
        return {
            path.as_posix(): zipped.read(path.as_posix())
            for path in paths
            if path.suffix in (".py", ".so") and not {*path.parts} & {*_UNUSED}
        }


def _compiled(modules: bytes, node: Path, pyodide: Path) -> bytes:
    """The same archive with bytecode instead of sources, as the Python of the page makes it."""
    command = [str(node), str(_HERE / "compile.mjs"), str(pyodide)]
    ran = subprocess.run(command, input=modules, capture_output=True, check=False)  # noqa: S603
    if ran.returncode:
        reason = ran.stderr.decode(errors="replace").strip()
        raise Error(
            _("pyodide: Node.js cannot compile the modules: {reason}.").format(
                reason=reason.rstrip(".")
            ),
            "pyodide",
        )
    return ran.stdout


def _core_paths() -> Iterator[tuple[str, Path]]:
    for path in PACKAGE.rglob("*"):
        inside = path.relative_to(PACKAGE)
        of_player = inside.parts[0] == "picture" and path.suffix in _PAGE
        if (path.suffix in (".py", ".toml") or of_player) and inside.parts[0] not in _ROOMS:
            yield f"dmlviz/{inside.as_posix()}", path
    for pattern in _ASSETS:
        for path in ASSETS.glob(pattern):
            if path.is_file():
                yield f"assets/{path.relative_to(ASSETS).as_posix()}", path
    for package in _PURE:
        spec = find_spec(package)
        assert spec is not None
        assert spec.origin is not None
        origin = Path(spec.origin)
        if origin.name != "__init__.py":
            yield origin.name, origin
            continue
        for path in origin.parent.rglob("*.py"):
            inside = path.relative_to(origin.parent)
            if "tests" not in inside.parts:
                yield f"{package}/{inside.as_posix()}", path


def _licenses(wheel: bytes) -> str:
    """The licenses of everything in the folder, one after the other."""
    own = ROOT / "LICENSE"
    text = own.read_text(encoding="utf-8") if own.is_file() else _license_of("dmlviz")
    texts = {"dmlviz": text}
    for path in sorted((_HERE / "licenses").glob("*.txt")):
        texts[path.stem] = path.read_text(encoding="utf-8")
    with zipfile.ZipFile(BytesIO(wheel)) as zipped:
        name = next(n for n in zipped.namelist() if n.endswith(".dist-info/LICENSE.txt"))
        texts["NumPy"] = zipped.read(name).decode()
    for package in _PURE:
        texts[package] = _license_of(package)
    rule = "=" * 72
    parts = (f"{rule}\n{name}\n{rule}\n\n{text.strip()}\n" for name, text in texts.items())
    return "\n\n".join(parts)


def _license_of(package: str) -> str:
    files = distribution(package).files or ()
    return next(file for file in files if file.name.startswith("LICENSE")).read_text()
