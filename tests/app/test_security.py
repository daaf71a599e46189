"""Nothing that a person types or sends is taken for HTML, JavaScript or an address to fetch."""

from __future__ import annotations

import ast
import re
import tomllib
from types import SimpleNamespace

import pytest
from streamlit.runtime.state.query_params import QueryParams

from dmlviz.app import address, share
from dmlviz.app.text import plain
from dmlviz.verify import PAGE_LIMIT, TYPED_LIMIT
from tests.app.conftest import ROOT
from tests.every import every
from tests.fuzz.doors import check_plain

SOURCES = [
    ROOT / "app.py",
    *sorted((ROOT / "dmlviz").rglob("*.py")),
    *sorted((ROOT / "pages").glob("*.py")),
]
SCRIPTS = sorted((ROOT / "dmlviz").rglob("*.js"))
PAGES = sorted((ROOT / "dmlviz").rglob("*.html"))


def test_what_the_server_is_told():
    told = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    server = told["server"]
    assert server["enableXsrfProtection"] is True
    assert server["enableCORS"] is True
    assert server["enableAgentApi"] is False
    assert server["enableStaticServing"] is False
    assert server["maxUploadSize"] * 2**20 == PAGE_LIMIT
    # a page's text has letters of three bytes, and is sent with what else is set
    assert 3 * TYPED_LIMIT < server["maxWidgetStateSize"] * 2**20 <= 2**23
    assert server["maxMessageSize"] <= 32
    assert told["browser"]["gatherUsageStats"] is False


def calls(tree, name):
    """Calls of ``st.name`` and of anything else with that last name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            found = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if found == name:
                yield node


def is_fixed(node, constants):
    """Whether a text is the same for everybody, but for what is escaped or our own drawing's."""
    if isinstance(node, ast.Name):
        return node.id in constants
    if isinstance(node, ast.JoinedStr):
        values = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
        ours = {"html.escape(alt, quote=True)", "wide", "high", "data", "image_address(drawing)"}
        ours |= {"looks(page.url_path in EXPLORERS)", "_words()"}
        # a room is one of still.py's own
        ours |= {"_elements(drawings, alt)", "room"}
        return {ast.unparse(value) for value in values} <= ours
    return isinstance(node, ast.Constant)


@pytest.mark.slow
@every("path", SOURCES, ids=lambda path: path.name)
def test_no_html_of_people_in_python(path):
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert not re.search(r"unsafe_allow_(?:html|javascript)|components\.(?:v1|html|iframe)", text)
    for name in ("eval", "exec", "compile", "__import__", "system", "literal_eval"):
        functions = [ast.unparse(call.func) for call in calls(tree, name)]
        # patterns, and a column's definition in the database's SQL
        harmless = ("re.compile", "CreateColumn(table.c[name]).compile")
        # of the names of a class's fields alone, as the standard library's dataclasses do
        expected = ["exec"] if (path.name, name) == ("deferred.py", "exec") else []
        assert [function for function in functions if function not in harmless] == expected
    for module in ("pickle", "marshal", "shelve", "yaml"):
        assert not re.search(rf"^\s*(?:import|from) {module}\b", text, re.MULTILINE)
    if "streamlit" not in text:
        return
    constants = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
    }
    for call in calls(tree, "html"):
        if ast.unparse(call.func) == "st.html":
            assert is_fixed(call.args[0], constants), ast.unparse(call)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "_element":
            returned = [part.value for part in ast.walk(node) if isinstance(part, ast.Return)]
            assert all(is_fixed(value, constants) for value in returned), ast.unparse(node)
    framed = [c for c in calls(tree, "iframe") if ast.unparse(c.func) == "st.iframe"]
    # a worksheet is a page of ours with a policy that permits no script
    assert not framed or path.name == "worksheet_page.py"


def test_the_scan_of_python_finds_what_it_looks_for():
    tree = ast.parse('st.html(f"<b>{title}</b>")\nst.html(text)\nst.html("<b>")')
    assert [is_fixed(call.args[0], set()) for call in calls(tree, "html")] == [False, False, True]


FORBIDDEN = re.compile(
    r"\b(?:innerHTML|outerHTML(?=\s*\+?=)|insertAdjacentHTML|createContextualFragment|DOMParser|srcdoc)\b"
    r"|document\.write|\beval\(|new Function|\bFunction\(|javascript:|set(?:Timeout|Interval)\(\s*[\"'`]"
    r"|setAttribute\(\s*[\"']on"
)
# another page of the same site, in a document that runs nothing and of which only text is read
PARSED = {"live.js": ["DOMParser"]}
# where an address is set: the camera's picture and film, cards, the QR code, and our own scripts
# and styles; a telephone's picture, and links to states of the app that ownLink keeps in it;
# a wall's picture and QR code, and links of the teacher's own pages; files that a live page made,
# and its own states after "#". A frame to embed is only written out as text
ADDRESSES = {
    "classes.js": [".href = href"],
    "common.engine.js": [".src = address", ".href = address"],
    "film.js": ["src: url", "href: url"],
    "gallery.js": [".href = card.opens", ".src = image"],
    "live.js": [
        ".href = `#${this.page.shown.link}`",
    ],
    "learner.missed.js": [".href = ownLink(pageData.base, link, pageData.language)"],
    "learner.movement.js": [".href = address"],
    "learner.picture.js": [
        '.src = URL.createObjectURL(new Blob([drawn.svg], { type: "image/svg+xml" }))'
    ],
    "plotly.js": [".src = address"],
    "saving.js": [".href = URL.createObjectURL(file)", ".src = URL.createObjectURL(drawing)"],
    "scan.js": ['setAttribute("src", code.image)'],
    "sections.js": [".href = address(link)"],
    "sharing.js": [".src = shown.href", ".src = made.image"],
    "staff.js": [".href = URL.createObjectURL(await answer.blob())"],
    "staff.picture.js": ['setAttribute("href", address)'],
    "still.js": ['setAttribute("src", this.wall.hidden ? image : after)'],
    "teacher.js": [".href = href"],
    "teacher.remote.js": [".src = `data:image/svg+xml,${encodeURIComponent(body.svg)}`"],
    "wall.js": [".src = address"],
}
ADDRESS = re.compile(
    r"\.(?:src|href|action)\s*=[^=][^;]*|\b(?:src|href): \w+|setAttribute\(\s*[\"'](?:src|href)[\"'][^)]*\)"
)


@every("path", SCRIPTS, ids=lambda path: path.name)
def test_no_html_of_data_in_javascript(path):
    text = path.read_text(encoding="utf-8")
    assert FORBIDDEN.findall(text) == PARSED.get(path.name, [])
    assert [found[0] for found in ADDRESS.finditer(text)] == ADDRESSES.get(path.name, [])


def test_the_scan_of_javascript_finds_what_it_looks_for():
    for bad in (
        "a.innerHTML = b",
        "eval(x)",
        "new Function(x)",
        "setTimeout('x')",
        "a.outerHTML += b",
    ):
        assert FORBIDDEN.search(bad), bad
    for bad in ("a.href = data.url;", "img.src=x", 'a.setAttribute("href", b)', "{ href: b }"):
        assert ADDRESS.search(bad), bad


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_have_a_policy_and_no_handlers(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<[^>]*\son\w+\s*=|javascript:", text)
    if included := re.search(r'{% include "head.html" %}', text):
        # the head of pages of one kind
        assert "Content-Security-Policy" in path.with_name("head.html").read_text(encoding="utf-8")
    assert "<html" not in text or included or "Content-Security-Policy" in text, path


@pytest.mark.parametrize(
    "typed",
    [
        "![x](http://example.invalid/a.png)",
        "![x][y]\n\n[y]: http://example.invalid/a.png",
        "[x](javascript:alert(1))",
        "<img src=//example.invalid/a.png>",
        "www.example.invalid and a@example.invalid",
        "$\\href{http://example.invalid}{x}$",
        ":material/home: :streamlit: :smile: :+1:",
        ":red[x] :red-background[y] :small[z] :blue-badge[b]",
        "`x` **b** ~~c~~ _d_ __e__",
        "https&colon;//example.invalid https&#58;//a https:&sol;/a http:/&#47;a",
        "www&period;example.invalid a&commat;example.invalid &lt;b&gt; &NewLine;# x",
        "<tel:123> <mailto:a@example.invalid> <https://example.invalid> <javascript:alert(1)>",
        "x:red y :small :red{.a} ::red :::red",
        "# a",
        "> a",
        "- a",
        "+ a",
        "12. a",
        "3) a",
        "---",
        "a\n===",
        ":::note\na\n:::",
        "a|b\n:-:|:-:\nc|d",
    ],
)
def test_text_is_shown_as_text(typed):
    shown = plain(typed)
    check_plain(shown)
    taken = r"\]\(|\]\[|\]:|(?<!\u2060)://|\bwww\.|(?<!\u2060)@|(?<!\\)[$`*~]|(?<!\\):[\w-]+\[|:[\w+-]+(?:/\w+)?:(?!\w)"
    assert not re.search(taken, shown), shown
    # and it can still be read
    assert re.sub(r"\\([^a-zA-Z0-9\s])", r"\1", shown.replace("\u2060", "")) == typed


@pytest.mark.parametrize(
    "said",
    [
        "data_type: FLOAT7 is not one of the types.",
        "start_padding: -3, +2 and 2.5 at [0, 2] are no whole numbers, (1, 2).",
        "Sizes: {1, 2} 5 x 7; 0.5 % 100: 3/4 = 0,75?!",
    ],
)
def test_an_ordinary_sentence_stays_as_it_is(said):
    assert plain(said) == said


def test_an_embedded_page_before_a_room(monkeypatch):
    """Streamlit lets nobody set embed=true, which the browser's own address may well hold."""
    query = QueryParams()
    alone = SimpleNamespace(query_params=query, session_state={})
    for module in (address, share):
        monkeypatch.setattr(module, "st", alone)
    share.toggle_present("?embed=true&EMBED_options=show_padding&sizes=2,3&step=%ud800")
    assert query.to_dict() == {"sizes": "2,3", "step": "%ud800", "present": "true"}
