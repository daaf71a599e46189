"""A text that a template shows stays a text; a name that it lacks is an error."""

from __future__ import annotations

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from dmlviz.base.templates import render

HOSTILE = "</style><script>alert(1)</script><img src=x onerror='y'>{{ 7 * 7 }}&\""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "inner.html").write_text('<b title="{{ text }}">{{ text }}</b>')
    (tmp_path / "outer.html").write_text(
        '{% include "inner.html" %}{% for each in texts %}{{ each }}{% endfor %}\n'
    )
    return tmp_path


def test_a_text_is_escaped_wherever_it_stands(folder):
    page = render(folder, "outer.html", text=HOSTILE, texts=[HOSTILE, Markup("<i>")])
    assert page.count("<") == 3
    assert page.count("&lt;script&gt;") == 3
    assert page.count("{{ 7 * 7 }}") == 3
    assert "'" not in page
    assert page.endswith("<i>")
    # what is rendered can be part of another template
    assert isinstance(page, Markup)


def test_a_value_that_is_not_there_is_an_error(folder):
    with pytest.raises(UndefinedError):
        render(folder, "outer.html", text="a")
