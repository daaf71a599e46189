"""dmlviz can be installed beside other packages without holding back a version of theirs."""

from __future__ import annotations

import re
import subprocess

import pytest
from packaging.utils import canonicalize_name

from tests.installing import asked
from tests.tool_fixtures import leave_out

PATIENCE = 120
"""Seconds for one question to the index of packages."""


def resolved(uv, folder, version, lines):
    """The version of each package that would be installed, by name; None if they do not fit.

    The test is left out where the index of packages cannot be reached.
    """
    (folder / "asked.in").write_text("\n".join(lines), encoding="utf-8")
    command = [uv, "pip", "compile", "--no-header", "--no-annotate", "--python-version", version]
    try:
        done = subprocess.run(
            [*command, "asked.in"],
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        leave_out("the index of packages is too slow", "UV")
    if done.returncode:
        # uv says of versions that do not fit that there is no solution, of anything else what failed
        if (
            "No solution found" in done.stderr
            and "not found in the package registry" not in done.stderr
        ):
            return None
        leave_out("the index of packages cannot be reached", "UV")
    return dict(re.findall(r"^([\w.-]+)==(\S+)", done.stdout, re.MULTILINE))


@pytest.fixture(scope="module", params=["3.11", "3.13"])
def version(request):
    """A version of Python."""
    return request.param


@pytest.mark.parametrize("beside", ["mlflow>=3", "gradio"])
def test_another_package_gets_the_version_that_it_gets_alone(uv_tool, tmp_path, version, beside):
    name = canonicalize_name(re.split("[<>=]", beside)[0])
    alone = resolved(uv_tool, tmp_path, version, [beside])
    assert alone is not None
    both = resolved(uv_tool, tmp_path, version, [beside, *asked("app")])
    assert both is not None, f"{beside} and dmlviz cannot be installed together"
    assert both[name] == alone[name]
    assert "streamlit" in both
