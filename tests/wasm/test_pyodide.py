"""In WebAssembly, where memory is counted in 32 bits, every picture has the same bytes."""

import hashlib
import json
import subprocess
import zipfile
from pathlib import Path

import polib
import pytest

from dmlviz.operators import OPERATORS
from dmlviz.states import first_state
from dmlviz.teaching.presets import presets
from dmlviz.tensors import DATA_TYPES
from tests.wasm.drawn import drawn

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
NUMPY = "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl"
WHEEL = ROOT.parent / "shared" / "serverless" / NUMPY


def links():
    """Every documentation example, every operator with each data type, every preset."""
    for cls in OPERATORS:
        for number in range(len(cls.examples())):
            yield first_state(cls.key, f"example-{number}").address(whole=True)
        for data_type in DATA_TYPES:
            yield f"/{cls.key}?data_type={data_type}"
    for preset in presets():
        yield preset.link


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """The project's own files, and the only package besides NumPy that a picture needs."""
    path = tmp_path_factory.mktemp("wasm") / "project.zip"
    files = [*ROOT.glob("dmlviz/**/*.py"), *ROOT.glob("dmlviz/**/*.toml"), *HERE.glob("*.py")]
    files += [*ROOT.glob("dmlviz/picture/**/*.js*"), *ROOT.glob("dmlviz/picture/*.css")]
    files += [path for path in ROOT.glob("assets/**/*") if path.suffix in (".po", ".txt", ".toml")]
    with zipfile.ZipFile(path, "w") as zipped:
        for file in files:
            zipped.write(file, file.relative_to(ROOT))
        zipped.write(polib.__file__, "polib.py")
    return path


@pytest.mark.parametrize("language", ["en", "ko"])
def test_pictures_are_the_same_byte_for_byte(language, archive, node_tool, npm_tool):
    if not WHEEL.is_file():
        pytest.skip(f"NumPy for Pyodide is not here: {WHEEL}")
    pyodide = npm_tool / "pyodide"
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    pinned = lock["packages"]["numpy"]
    assert pinned["file_name"] == NUMPY
    assert hashlib.sha256(WHEEL.read_bytes()).hexdigest() == pinned["sha256"]
    asked = list(dict.fromkeys(links()))
    ran = subprocess.run(
        [node_tool, HERE / "run.mjs", pyodide, WHEEL, archive, language],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    answers = json.loads(ran.stdout.splitlines()[-1])
    here = {x: hashlib.sha256(drawn(x, language).encode()).hexdigest() for x in asked}
    assert {link: text for link, text in answers.items() if text != here[link]} == {}
    assert len(answers) > 400
