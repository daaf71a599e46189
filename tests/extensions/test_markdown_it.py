"""The plugin of markdown-it-py."""

import pytest
from markdown_it import MarkdownIt

from dmlviz.extensions.markdown_it import dmlviz_plugin
from dmlviz.extensions.movement import MovementRefused
from tests.extensions.building import LINK, SAID, WRONG, Frames


def test_a_page(tmp_path):
    parser = MarkdownIt().use(dmlviz_plugin, tmp_path / "play", "play")
    page = f"# A\n\n- b\n\n  ```dmlviz height=300\n  {LINK}\n  ```\n\n```python\n1 < 2\n```\n"
    (tmp_path / "page.html").write_text(parser.render(page), encoding="utf-8")
    (frame,) = Frames(tmp_path / "page.html").found
    assert frame["height"] == "300"
    told = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<pre><code class="language-python">1 &lt; 2\n</code></pre>' in told


def test_what_does_not_hold(tmp_path):
    parser = MarkdownIt().use(dmlviz_plugin, tmp_path)
    with pytest.raises(MovementRefused) as raised:
        parser.render(f"# A\n\n```dmlviz\n{WRONG}\n```\n")
    assert (str(raised.value), raised.value.line) == (SAID, 13)
