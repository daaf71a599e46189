"""A server of its own for each: the very first request, and a disk that takes nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.verify import write_example
from tests.browser.conftest import ROOT, serving


def test_first_request_straight_to_a_page(browser, visit):
    with serving() as address:
        window = visit(None, server=address, fresh=True)
        window.page.goto(f"{address}/padding")
        window.page.wait_for_selector("h1")
        assert window.page.locator("h1").inner_text() == "Padding"
        window.ready()
        links = window.page.locator(".st-key-bar_wide").get_by_role("link").all_inner_texts()
        assert links == ["Home", "Lessons", "Practice", "Your own code"]
        assert window.page.get_by_test_id("stSidebarNav").count() == 0
        assert window.js("player => player.payload.output.tensors[0].sizes") == [1, 1, 8, 10]
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


def read_only_machine(root):
    """What to put before a command, so that not even root can write anywhere; if possible."""
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("unshare"):
        return ()
    # each that is a mount of its own; a bind of the folder for where / itself is none
    mount = (
        'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && '
        "for place in / /tmp /var/tmp /dev/shm; do "
        'mount -o remount,bind,ro "$place" 2>/dev/null; done; cd "$0" && exec "$@"'
    )
    before = ("unshare", "--mount", "sh", "-c", mount, str(root))
    trials = [["true"], ["touch", str(root / "written")]]
    works = [subprocess.run([*before, *t], capture_output=True).returncode == 0 for t in trials]
    return before if works == [True, False] else ()


def full_disk(root):
    """What to put before a command, so that files can be made but nothing written into them."""
    before = ("sh", "-c", 'ulimit -f 0 && exec "$@"', "sh")
    with tempfile.TemporaryDirectory() as folder:
        trial = [*before, "sh", "-c", f"echo word > {folder}/written"]
        assert subprocess.run(trial, capture_output=True).returncode != 0
    return before


def walk(window):
    """What a person does in the app: look, save in every way, have a page verified."""
    page = window.page
    window.press("last")
    assert len(window.output_texts) == 54
    page.get_by_text("Compare engines").click()
    page.get_by_text("CPUExecutionProvider: Tile; ONNX's own operator").wait_for()
    page.locator(".st-key-shortcuts").get_by_role("button", name="Download").click()
    for title, start in SAVED.items():
        with page.expect_download() as download:
            page.get_by_role("button", name=title).click()
        assert download.value.path().read_bytes().startswith(start), title
    # a page that was not visited yet opens with its first example
    window.go("Padding")
    window.press("last")
    assert len(window.output_texts) == 6
    assert len([url for url in window.requests if "plotly.min.js" in url]) == 1
    page.goto(f"{window.server}/verify")
    page.get_by_text("Upload", exact=True).click()
    file = {"name": "tile.md", "mimeType": "text/markdown", "buffer": UPLOADED.encode()}
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_text("1 of 1 example matches.").wait_for()


_EXAMPLE = dmlviz.Tile((2, 5)), np.arange(6, dtype=np.float32).reshape(2, 3)
UPLOADED = write_example(*_EXAMPLE, dmlviz.run(*_EXAMPLE).output)
SAVED = {
    "Page": b"<!doctype html>",
    "PNG": b"\x89PNG",
    "SVG": b"<svg",
    "GIF": b"GIF89a",
    "NumPy arrays": b"PK",
    "ONNX model": b"\x08\x08",
}


@pytest.mark.skipif(os.name != "posix", reason="faults that only these systems can play")
@pytest.mark.parametrize(
    "fault", [pytest.param(read_only_machine, marks=pytest.mark.thorough), full_disk]
)
def test_a_disk_that_takes_nothing(browser, visit, copy, fault):
    before = listing(copy)
    # Python's own cache is written where it may be, and is no doing of the app's
    environment = {
        **os.environ,
        **dict.fromkeys(("HOME", "TMPDIR"), str(copy)),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    with serving(copy, fault(copy), env=environment) as address:
        walk(visit("tile", server=address, fresh=True))
    assert listing(copy) == before
