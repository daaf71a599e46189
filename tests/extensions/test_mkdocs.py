"""The plugin, in a small project that MkDocs builds."""

import textwrap

import pytest

from tests.extensions.building import EXAMPLE, LINK, SAID, WRONG, Frames, built

pytestmark = pytest.mark.slow

pytest.importorskip("mkdocs", reason="MkDocs is not installed")

INDEX = f"""---
title: Small
---

# Small

```dmlviz height=420 title="Two copies"
{LINK}
```

```{{dmlviz}} rearrange(x, 'h w -> w h')
```

````markdown
```dmlviz
nothing of ours
```
````

"""
FENCE = "```dmlviz\n{}\n```\n"


@pytest.fixture
def project(tmp_path):
    (tmp_path / "docs" / "sub").mkdir(parents=True)
    (tmp_path / "mkdocs.yml").write_text("site_name: Small\nplugins: [dmlviz]\n")
    (tmp_path / "docs" / "index.md").write_text(INDEX)
    put(tmp_path, EXAMPLE)
    return tmp_path


def put(project, example):
    fence = textwrap.indent(FENCE.format(example), "    ")
    (project / "docs" / "sub" / "page.md").write_text(f"1. In a list:\n\n{fence}\n2. After it\n")


def mkdocs(project):
    return built("mkdocs", "build", "-q", "--strict", folder=project)


def test_pages_that_play(project):
    done = mkdocs(project)
    assert (done.returncode, done.stderr) == (0, "")
    front, code = Frames(project / "site" / "index.html").found
    assert code["title"] == "rearrange(x, 'h w -> w h')"
    (inner,) = Frames(project / "site" / "sub" / "page" / "index.html").found
    assert (front["title"], front["height"]) == ("Two copies", "420")
    assert inner["title"] == "TILE: Repeats=[1, 2]"
    names = {"plotly.min.js", "player.js", "player.css", front["file"].name, inner["file"].name}
    names.add(code["file"].name)
    assert {path.name for path in (project / "site" / "assets" / "dmlviz").iterdir()} == names
    shown = (project / "site" / "index.html").read_text(encoding="utf-8")
    assert "nothing of ours" in shown
    inner_text = (project / "site" / "sub" / "page" / "index.html").read_text(encoding="utf-8")
    assert "</figure>" in inner_text.partition("After it")[0]


def test_what_does_not_hold_fails_the_build(project):
    put(project, WRONG)
    done = mkdocs(project)
    assert done.returncode == 1
    assert f"sub/page.md:{3 + len(WRONG.splitlines())}: {SAID}" in done.stderr


def test_lines_are_those_of_the_file(project):
    (project / "docs" / "index.md").write_text(INDEX.replace("repeats=1,2", "repeats=1"))
    done = mkdocs(project)
    assert done.returncode == 1
    assert "index.md:8: link: repeats=1 is not allowed: " in done.stderr
    fence = "```{dmlviz}\n:sizes: x:2,3\n\nx.T.foo()\n```\n"
    (project / "docs" / "index.md").write_text(f"---\ntitle: Small\n---\n\n{fence}")
    done = mkdocs(project)
    assert done.returncode == 1
    assert "index.md:8: NumPy tensors have no movement .foo()" in done.stderr


def test_a_fence_in_what_is_no_text(project):
    (project / "docs" / "index.md").write_text(f"Code:\n\n    {FENCE.format(LINK)}")
    done = mkdocs(project)
    assert done.returncode == 1
    assert "index.md:3: the dmlviz fence is not a paragraph of its own" in done.stderr
