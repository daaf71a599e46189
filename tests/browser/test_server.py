"""A server of its own for each: the very first request, and a folder that cannot be written."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.browser.conftest import ROOT, serving


def test_first_request_straight_to_a_page(browser, visit):
    with serving() as address:
        window = visit(None, server=address, fresh=True)
        window.page.goto(f"{address}/padding")
        window.page.wait_for_selector("h1")
        assert window.page.locator("h1").inner_text() == "Padding"
        window.ready()
        links = window.page.get_by_test_id("stTopNavLink").all_inner_texts()
        names = [text.split("\n")[-1] for text in links]
        assert names[:5] == ["Home", "Tile", "Depth to space", "Space to depth", "Padding"]
        assert window.page.get_by_test_id("stSidebarNav").count() == 0
        assert window.js("player => player.payload.output.sizes") == [1, 1, 8, 10]
        assert window.problems == []


def test_first_request_with_a_state_in_it(browser, visit):
    with serving() as address:
        window = visit(None, server=address, fresh=True)
        window.page.goto(
            f"{address}/tile?sizes=2&data_type=UINT8&values=own&literal=%5B7%2C+8%5D&repeats=2"
        )
        window.ready()
        window.press("last")
        assert window.output_texts == ["7", "8", "7", "8"]


@pytest.fixture
def copy():
    """The repository where nobody may write, in a folder that everybody may read."""
    base = Path(tempfile.mkdtemp(prefix="dmlviz-"))
    base.chmod(0o755)
    leave_out = shutil.ignore_patterns(".*cache", ".[ghv]*", "__pycache__", "node_modules", "tests")
    root = Path(shutil.copytree(ROOT, base / "app", ignore=leave_out))
    everything = [root, *root.rglob("*")]
    for path in everything:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield root
    for path in everything:
        path.chmod(0o755)
    shutil.rmtree(base)


def listing(root):
    return {
        str(path): (path.stat().st_mtime_ns, path.stat().st_size, path.stat().st_mode)
        for path in [root, *root.rglob("*")]
    }


def read_only_mount(root):
    """What to put before a command, so that not even root can write there; if that is possible."""
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("unshare"):
        return ()
    mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" && exec "$@"'
    before = ("unshare", "--mount", "sh", "-c", mount, str(root))
    trials = [["true"], ["touch", str(root / "written")]]
    works = [subprocess.run([*before, *t], capture_output=True).returncode == 0 for t in trials]
    return before if works == [True, False] else ()


def test_read_only_folder(browser, visit, copy):
    before = listing(copy)
    # Python's own cache is written where it may be, and is no doing of the app's
    environment = {**os.environ, "HOME": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    with serving(copy, read_only_mount(copy), env=environment) as address:
        window = visit("tile", server=address, fresh=True)
        window.press("last")
        assert len(window.output_texts) == 54
        window.go("Padding")
        window.press("last")
        assert len(window.output_texts) == 80
        assert len([url for url in window.requests if "plotly.min.js" in url]) == 1
    assert listing(copy) == before
