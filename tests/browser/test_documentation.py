"""A page that Sphinx built plays when it is opened from the disk, without a network."""

from __future__ import annotations

import pytest

from tests.browser.waiting import wait_for_function
from tests.extensions.building import EXAMPLE, built

pytest.importorskip("sphinx", reason="Sphinx is not installed")


def test_a_built_page_plays(visit, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "conf.py").write_text('extensions = ["dmlviz.extensions.sphinx"]\n')
    example = EXAMPLE.replace("\n", "\n   ")
    page = f"Small\n=====\n\n.. dmlviz:: /tile\n\nText.\n\n.. dmlviz::\n\n   {example}\n"
    (docs / "index.rst").write_text(page)
    built("sphinx", "-q", "-b", "dirhtml", "docs", "out", folder=tmp_path).check_returncode()
    window = visit(None, server=tmp_path.as_uri(), offline=True, height=1_400)
    window.page.goto((tmp_path / "out" / "index.html").as_uri())
    for frame, steps in zip(window.page.frames[1:], ("5", "2"), strict=True):
        frame.wait_for_selector('.dmlviz-player[data-ready="true"]')
        scrub = frame.locator(".dmlviz-scrub")
        assert (scrub.input_value(), scrub.get_attribute("max")) == ("0", steps)
        assert "Ready" in frame.inner_text("body")
        frame.get_by_role("button", name="Play").click()
        wait_for_function(frame, "document.querySelector('.dmlviz-scrub').value >= 1")
        assert "Ready" not in frame.inner_text("body")
        assert "each equal to its source." in frame.inner_text("body")
