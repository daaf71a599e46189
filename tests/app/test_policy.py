"""The content security policy of the app's pages, source by source: a browser says nothing of
one that permits more than it should.
"""

import re
from pathlib import Path

import pytest
import streamlit

from dmlviz.app.headers import app_policy
from dmlviz.picture.policy import script_hash

RULES = dict(rule.split(" ", 1) for rule in app_policy().split("; "))
HASH = re.compile(r"'sha256-[A-Za-z0-9+/]{43}='")


def test_scripts_are_the_apps_own():
    page = Path(streamlit.__file__).parent / "static" / "index.html"
    inline = re.findall(r"<script>(.*?)</script>", page.read_text(encoding="utf-8"), re.DOTALL)
    hashes = {script_hash(text) for text in inline}
    assert hashes
    assert set(RULES["script-src"].split()) == {"'self'", "blob:", *hashes}


@pytest.mark.parametrize("name", RULES)
def test_no_source_is_elsewhere(name):
    """Beside a hash browsers pass over 'unsafe-inline', as long as the hash is there."""
    may = {"'self'", "'none'", "data:", "blob:"}
    may |= {"connect-src": {"ws:", "wss:"}, "style-src": {"'unsafe-inline'"}}.get(name, set())
    found = RULES[name].split()
    if name == "script-src":
        found = [source for source in found if not HASH.fullmatch(source)]
        may -= {"data:", "'none'"}
    assert set(found) <= may


def test_nothing_is_left_open():
    assert RULES["default-src"] == "'self'"
    assert RULES["object-src"] == "'none'"
    assert RULES["base-uri"] == RULES["form-action"] == "'self'"
