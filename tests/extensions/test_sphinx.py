"""The directive, in a small project that Sphinx builds."""

import textwrap

import pytest

from tests.extensions.building import EXAMPLE, LINK, SAID, WRONG, Frames, built

pytestmark = pytest.mark.slow

pytest.importorskip("sphinx", reason="Sphinx is not installed")

INDEX = f"""
Small
=====

.. toctree::

   sub/page

.. dmlviz:: {LINK}

"""
PAGE = """
Page
====

- In a list:

  .. dmlviz::
     :height: 420
     :title: Two "copies"
     :alt: 1, 2, 3 and again 1, 2, 3.

"""


@pytest.fixture
def project(tmp_path):
    (tmp_path / "docs" / "sub").mkdir(parents=True)
    conf = 'project = "Small"\nextensions = ["dmlviz.extensions.sphinx"]\n'
    (tmp_path / "docs" / "conf.py").write_text(conf)
    (tmp_path / "docs" / "index.rst").write_text(INDEX)
    put(tmp_path, EXAMPLE)
    return tmp_path


def put(project, example):
    text = PAGE + textwrap.indent(example, " " * 5) + "\n"
    (project / "docs" / "sub" / "page.rst").write_text(text)


def sphinx(project, builder):
    return built("sphinx", "-q", "-b", builder, "docs", builder, folder=project)


@pytest.mark.parametrize(
    ("builder", "page"), [("html", "page.html"), ("dirhtml", "page/index.html")]
)
def test_pages_that_play(project, builder, page):
    done = sphinx(project, builder)
    assert (done.returncode, done.stderr) == (0, "")
    (front,) = Frames(project / builder / "index.html").found
    (inner,) = Frames(project / builder / "sub" / page).found
    assert front["title"] == "TILE: Repeats=[1, 2]"
    assert (inner["title"], inner["height"]) == ('Two "copies"', "420")
    folder = project / builder / "_static" / "dmlviz"
    names = {"plotly.min.js", "player.js", "player.css", front["file"].name, inner["file"].name}
    assert {path.name for path in folder.iterdir()} == names
    text = (project / builder / "sub" / page).read_text(encoding="utf-8")
    assert "1, 2, 3 and again 1, 2, 3." in text
    # the next build removes what no page shows any more
    (project / "docs" / "index.rst").write_text(INDEX.replace(LINK, "/tile?sizes=2&repeats=2"))
    assert sphinx(project, builder).returncode == 0
    (other,) = Frames(project / builder / "index.html").found
    names = names - {front["file"].name} | {other["file"].name}
    assert {path.name for path in folder.iterdir()} == names
    # code takes the place of a link
    code = "x.reshape(2, -1).T\n   :sizes: x:12\n   :library: numpy"
    (project / "docs" / "index.rst").write_text(INDEX.replace(LINK, code))
    done = sphinx(project, builder)
    assert (done.returncode, done.stderr) == (0, "")
    (front,) = Frames(project / builder / "index.html").found
    assert front["title"] == "x.reshape(2, -1).T"


def test_the_example_as_text_where_nothing_plays(project):
    assert sphinx(project, "text").returncode == 0
    for page in ("index.txt", "sub/page.txt"):
        text = (project / "text" / page).read_text(encoding="utf-8")
        assert EXAMPLE in textwrap.dedent(text[text.index("   DML_TILE") :].replace("     ", "   "))
    assert not (project / "text" / "_static").exists()


def test_what_does_not_hold_fails_every_build_until_it_does(project):
    put(project, WRONG)
    line = len((PAGE + WRONG).splitlines())
    for _again in range(2):
        done = sphinx(project, "text")
        assert done.returncode == 1
        assert f"page.rst:{line}: ERROR: {SAID}" in done.stderr
    put(project, EXAMPLE)
    done = sphinx(project, "text")
    assert (done.returncode, done.stderr) == (0, "")


def test_every_failure_is_said_with_its_line(project):
    (project / "docs" / "index.rst").write_text(INDEX.replace("repeats=1,2", "repeats=1"))
    put(project, ".. dmlviz:: /tile\n")
    page = "Page\n====\n\n.. dmlviz:: /tile\n\n   /tile\n\n.. dmlviz::\n"
    page += "\n.. dmlviz::\n\n   y = x.T\n   y * 2\n"
    (project / "docs" / "sub" / "page.rst").write_text(page)
    done = built("sphinx", "-q", "-j", "2", "-b", "text", "docs", "text", folder=project)
    assert done.returncode == 1
    assert "index.rst:9: ERROR: link: repeats=1 is not allowed: " in done.stderr
    assert "page.rst:4: ERROR: dmlviz takes either a link or an example" in done.stderr
    assert "page.rst:8: ERROR: the page names no DirectML operator" in done.stderr
    assert "page.rst:13: ERROR: This computes new values" in done.stderr
