"""The installed package is the same app: its wheel is built, installed and used elsewhere."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from benchmarks.learners import Learner
from dmlviz.app.server import SUMS
from dmlviz.base.places import ROOT
from tests.browser.conftest import await_health, free_port
from tests.installing import EXTRAS, PROJECT, asked, only
from tests.stubs import stubs

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from what Git would check out, as pip builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT)]
    subprocess.run(command, check=True, timeout=300)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """An environment in which only the wheel has dmlviz, and a folder that is not the project's."""
    site = tmp_path_factory.mktemp("site")
    subprocess.run([*PIP, "install", "--no-deps", "--target", str(site), str(wheel)], check=True)
    return {**os.environ, "PYTHONPATH": str(site)}, tmp_path_factory.mktemp("elsewhere")


def dmlviz(installed, *arguments, **options):
    environment, folder = installed
    command = [sys.executable, "-P", "-m", "dmlviz", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, **options
    )


def lines_of(file):
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith(("#", "-r "))]


def test_with_the_extra_app_it_needs_what_requirements_txt_says():
    assert sorted(asked("app")) == sorted(lines_of("requirements.txt"))


def test_all_is_all_extras_and_they_are_installed_for_the_tests():
    whole = {*asked(*EXTRAS)}
    assert {*asked("all")} == whole
    assert whole <= {*lines_of("requirements.txt"), *lines_of("requirements-dev.txt")}


def needed(*extras, **environment):
    lines = [Requirement(line) for line in asked(*extras)]
    return {one.name for one in lines if one.marker is None or one.marker.evaluate(environment)}


MACHINES = [("linux", "x86_64"), ("win32", "AMD64"), ("win32", "ARM64"), ("darwin", "arm64")]


@pytest.mark.parametrize(("system", "machine"), MACHINES)
def test_every_choice_of_extras_has_one_onnxruntime_or_none(system, machine):
    on = {"sys_platform": system, "platform_machine": machine}
    runtimes = {"onnxruntime", "onnxruntime-directml"}
    right = "onnxruntime-directml" if machine == "AMD64" else "onnxruntime"
    assert not needed(**on) & runtimes
    assert not needed("notebook", "sphinx", "mkdocs", "postgres", **on) & runtimes
    for extras in (["app"], ["onnxruntime"], ["onnxruntime", "directml", "app"], ["all"]):
        assert needed(*extras, **on) & runtimes == {right}, extras
    assert needed("directml", **on) & runtimes == {right} - {"onnxruntime"}


def test_python_in_a_browser_needs_no_native_package_but_numpy():
    on = {"sys_platform": "emscripten", "platform_machine": "wasm32"}
    pure = {"cachetools", "einops", "markdown-it-py", "polib", "segno"}
    assert needed(**on) == {"numpy", *pure}
    assert needed("app", **on) == {"numpy", "plotly", *pure}


BOUND = re.compile(r"[a-z0-9-]+(\[[a-z]+\])?>=[0-9.]+(; .+)?|dmlviz\[[a-z,]+\]")


def test_no_newer_version_is_left_out():
    """Where one has to be, since it breaks something, a comment beside it in pyproject.toml says what."""
    for line in [*PROJECT["dependencies"], *itertools.chain(*EXTRAS.values())]:
        assert BOUND.fullmatch(line), line


def test_what_people_look_for_is_in_its_description():
    assert len(PROJECT["classifiers"]) >= 4
    assert len(PROJECT["keywords"]) >= 4
    license_text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    for author in PROJECT["authors"]:
        assert author.keys() == {"name"}
        assert author["name"] in license_text


MOST_BYTES = 3_200_000
"""Of the wheel: screenshots would be 1.2 MB more."""


def test_it_holds_the_files_of_the_app_and_no_others(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    listed = (ROOT / SUMS).read_text(encoding="utf-8").splitlines()[:-1]
    handed_out = {line.partition("  ")[2] for line in listed}
    assert len(handed_out) > 50
    inside = {n if n.startswith("dmlviz/") else f"dmlviz/installed/{n}" for n in handed_out}
    assert inside <= names
    assert {"dmlviz/py.typed", *(path for path, _text in stubs())} <= names
    assert not any("/screenshots/" in name for name in names)
    assert wheel.stat().st_size <= MOST_BYTES
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"dmlviz", f"dmlviz-{PROJECT['version']}.dist-info"}
    assert not any("__pycache__" in name for name in names)


def test_its_command_verifies_a_folder(wheel, installed):
    with zipfile.ZipFile(wheel) as files:
        said = files.read(f"dmlviz-{PROJECT['version']}.dist-info/entry_points.txt").decode()
    assert "dmlviz = dmlviz.__main__:main" in said
    assert "[mkdocs.plugins]\ndmlviz = dmlviz.extensions.mkdocs:DmlvizPlugin" in said
    told = dmlviz(installed, "verify", str(ROOT / "assets" / "documents"))
    assert told.returncode == 0, told.stdout + told.stderr
    assert dmlviz(installed, "--lang", "ko", "engines").returncode == 0
    checked = (
        "import dmlviz, dmlviz.app.server as i; print(dmlviz.__file__); assert not i.damaged()"
    )
    environment, folder = installed
    where = subprocess.run(
        [sys.executable, "-P", "-c", checked],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(ROOT) not in where.stdout


MOST_ALONE = 150
"""The most megabytes of the package with all that it needs, without pip."""


@pytest.fixture(scope="module")
def alone(installed, tmp_path_factory):
    """An environment that has the wheel and what it needs, and no package of an extra."""
    environment, _elsewhere = installed
    folder = tmp_path_factory.mktemp("alone")
    only(PROJECT["dependencies"], folder)
    path = os.pathsep.join((environment["PYTHONPATH"], str(folder)))
    return {**environment, "PYTHONPATH": path}, tmp_path_factory.mktemp("elsewhere")


def python_alone(alone, *arguments):
    """Run Python without the packages of this environment."""
    environment, folder = alone
    command = [sys.executable, "-S", "-P", "-W", "error", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=120
    )


def test_the_package_alone_is_light(alone):
    environment, _folder = alone
    folders = environment["PYTHONPATH"].split(os.pathsep)
    files = {
        Path(folder) / file
        for top in folders
        for folder, _folders, names in os.walk(top, followlinks=True)
        for file in names
    }
    assert sum(file.stat().st_size for file in files) <= MOST_ALONE * 1_000_000


RUNS_ALONE = """
import dmlviz
trace = dmlviz.run(dmlviz.Tile((1, 3)), [[1, 2]])
assert trace.agrees and trace.output.tolist() == [[1, 2, 1, 2, 1, 2]]
assert dmlviz.code("x.T", x=(2, 3)).agrees
dmlviz.player(trace).save("tile.html")
assert trace._repr_mimebundle_()["image/svg+xml"]
"""


def test_the_package_alone_runs_reads_code_and_plays(alone):
    told = python_alone(alone, "-c", RUNS_ALONE)
    assert told.returncode == 0, told.stderr
    assert (alone[1] / "tile.html").stat().st_size > 1_000_000


DOCUMENT = str(ROOT / "assets" / "documents" / "tile.en.md")


COMMANDS = [
    "engines",
    f"verify --strict {DOCUMENT}",
    f"verify --jobs 2 --output-format html --output-file report.html {DOCUMENT}",
    "example tile",
    "run /tile",
    "code x.T --input x=2,3",
    *(f"export /tile a.{ending}" for ending in ("html", "svg", "png", "gif", "npz", "onnx", "npy")),
    "between a.npy a.npy",
    "worksheet --count 1 -o sheet.html",
    "site --help",
]

RUNS_COMMANDS = """
import contextlib, sys
from dmlviz.__main__ import main
from dmlviz.commands import COMMANDS
for words in sys.argv[1:]:
    with contextlib.suppress(SystemExit):
        assert main(words.split()) == 0, words
assert {words.split()[0] for words in sys.argv[1:]} == {*COMMANDS} - {"app"}
"""


def test_the_package_alone_has_every_command_but_the_app(alone):
    told = python_alone(alone, "-c", RUNS_COMMANDS, *COMMANDS)
    assert told.returncode == 0, told.stderr


def test_without_onnxruntime_every_answer_names_numpy(alone):
    ran = python_alone(alone, "-m", "dmlviz", "run", "/tile", "--json")
    assert json.loads(ran.stdout)["engine"] == "numpy"
    assert "NumPy: 54 elements" in python_alone(alone, "-m", "dmlviz", "run", "/tile").stdout
    ran = python_alone(alone, "-m", "dmlviz", "verify", "--engine", "all", "--json", DOCUMENT)
    examples = [e for page in json.loads(ran.stdout)["documents"] for e in page["examples"]]
    assert {example["engine"] for example in examples} == {"numpy", "directml-recorded"}
    refused = python_alone(alone, "-m", "dmlviz", "run", "/tile", "--engine", "onnxruntime")
    assert refused.returncode == 2
    assert refused.stderr == f"dmlviz: engine: {missing('onnxruntime', 'onnxruntime')}\n"


def missing(package, extra):
    return f'{package} is not installed; run pip install "dmlviz[{extra}]".'


def test_the_app_needs_its_extra(alone):
    told = python_alone(alone, "-m", "dmlviz", "app", "--server.port", "8600")
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr == f"dmlviz: {missing('streamlit', 'app')}\n"


@pytest.mark.parametrize(
    ("code", "package", "extra"),
    [
        ("dmlviz.explore(dmlviz.Tile, [1])", "anywidget", "notebook"),
        ("dmlviz.widget(trace)", "anywidget", "notebook"),
        ("dmlviz.figure(trace)", "plotly", "app"),
        ("import dmlviz.app.server", "streamlit", "app"),
        ("import dmlviz.classroom.store", "starlette", "app"),
        ("import dmlviz.extensions.sphinx", "docutils", "sphinx"),
        ("import dmlviz.extensions.mkdocs", "mkdocs", "mkdocs"),
    ],
)
def test_what_needs_an_extra_says_which(alone, code, package, extra):
    made = "import dmlviz; trace = dmlviz.run(dmlviz.Tile((2,)), [1])"
    caught = f"try:\n    {code}\nexcept dmlviz.Error as error:\n    print(error, error.name)"
    told = python_alone(alone, "-c", f"{made}\n{caught}")
    assert told.stdout == f"{missing(package, extra)} {package}\n", told.stderr


async def widgets(address):
    """The keys of the widgets on Tile's page."""
    learner = Learner(address, "tile")
    try:
        await learner.open()
        return set(learner.widgets)
    finally:
        await learner.close()


def test_its_app_opens(installed):
    environment, folder = installed
    port = free_port()
    options = ("--server.headless", "true", "--server.port", str(port))
    command = [sys.executable, "-P", "-m", "dmlviz", "app", "--", *options]
    with subprocess.Popen(command, cwd=folder, env=environment) as process:
        try:
            await_health(process, port)
            # its own routes and pages are there, not Streamlit's alone
            with urllib.request.urlopen(f"http://localhost:{port}/class", timeout=30) as answer:
                assert "default-src 'none'" in answer.headers["content-security-policy"]
            assert "tile_repeats_3" in asyncio.run(widgets(f"http://localhost:{port}"))
        finally:
            process.terminate()
            process.wait(30)
