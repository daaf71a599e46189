import importlib
import os
import subprocess
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

import dmlviz
from tests.storeys import changed_files, reached_first
from tests.thorough import THOROUGH, tries

# fixtures for programs that not every machine has
pytest_plugins = ["tests.tool_fixtures"]

# whoever runs the tests in another language
os.environ["LANGUAGE"] = "en"

# a slow machine is no wrong answer; in CI a run can be repeated, developers' runs look further
settings.register_profile(
    "dmlviz",
    deadline=None,
    max_examples=tries(100),
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("dmlviz")


ROOT = Path(__file__).resolve().parents[1]


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session):
    """When all tests are collected, each worker starts with other files, so that each file is
    compiled by one of them only."""
    config = session.config
    worker = getattr(config, "workerinput", None)
    if worker is None or config.args != config.getini("testpaths"):
        return
    paths = sorted(path.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py"))
    first = len(paths) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for path in paths[first:] + paths[:first]:
        # collecting the file's tests will report it
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(path.with_suffix("").parts))


def pytest_collection_modifyitems(items):
    """What a change reaches runs first in CI, and what takes a minute only if all is wanted."""
    # the longest of the last files: begun last, it would leave the other workers with nothing to do
    items.sort(key=lambda item: "wire" not in item.path.parts)
    if "CI" in os.environ:
        # a fault of the change is named early
        paths = list(dict.fromkeys(item.path.relative_to(ROOT) for item in items))
        place = {path: n for n, path in enumerate(reached_first(paths, changed_files()))}
        items.sort(key=lambda item: place[item.path.relative_to(ROOT)])
    if not THOROUGH:
        for item in items:
            if item.get_closest_marker("thorough"):
                item.add_marker(pytest.mark.skip("takes a minute; DMLVIZ_THOROUGH=1 runs it"))


@pytest.fixture(scope="session")
def node(node_tool):
    """Runs Node.js with some arguments and gives back what it printed."""

    def run(*arguments, text=""):
        result = subprocess.run(
            [node_tool, *map(str, arguments)], input=text, capture_output=True, encoding="utf-8"
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    return run


@pytest.fixture
def padded():
    """A trace with every part that a picture can have: body, folds or padding values, planes."""

    def make(mode="CONSTANT", data_type=np.float32):
        x = np.arange(1, 16, dtype=data_type).reshape(1, 3, 5)
        return dmlviz.run(dmlviz.Padding(mode, (0, 2, 6), (1, 0, 13), 9), x)

    return make
