"""The installed package is the same app: its wheel is built, installed and used elsewhere."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tomllib
import urllib.request
import zipfile

import pytest
from packaging.requirements import Requirement

from benchmarks.learners import Learner
from dmlviz.app.server import SUMS
from dmlviz.base.places import ROOT
from tests.browser.conftest import await_health, free_port
from tests.stubs import stubs

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
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


def test_it_needs_what_requirements_txt_says():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    asked = [line for line in lines if line and not line.startswith("#")]
    assert PROJECT["dependencies"] == asked


def needed(**environment):
    asked = [Requirement(line) for line in PROJECT["dependencies"]]
    return {one.name for one in asked if one.marker is None or one.marker.evaluate(environment)}


def test_python_in_a_browser_needs_no_native_package_but_numpy():
    pure = {"cachetools", "einops", "markdown-it-py", "plotly", "polib", "segno"}
    assert needed(sys_platform="emscripten", platform_machine="wasm32") == {"numpy", *pure}
    linux = needed(sys_platform="linux", platform_machine="x86_64")
    assert len(linux) == len(PROJECT["dependencies"]) - 1
    assert "onnxruntime" in linux
    assert "onnxruntime" not in needed(sys_platform="win32", platform_machine="AMD64")


def test_its_extras_are_installed_for_the_tests():
    lines = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
    assert {one for extra in PROJECT["optional-dependencies"].values() for one in extra} <= {*lines}


def test_it_holds_the_files_of_the_app_and_no_others(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    listed = (ROOT / SUMS).read_text(encoding="utf-8").splitlines()[:-1]
    handed_out = {line.partition("  ")[2] for line in listed}
    assert len(handed_out) > 50
    inside = {n if n.startswith("dmlviz/") else f"dmlviz/installed/{n}" for n in handed_out}
    assert inside <= names
    assert {"dmlviz/py.typed", *(path for path, _text in stubs())} <= names
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
