"""No word that a user reads stands outside ``_()``, and none where it would not be found."""

import ast
import re
from pathlib import Path

import pytest

from dmlviz.operators import OPERATORS
from tests.every import every

ROOT = Path(__file__).resolve().parents[2]
FILES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
FILES += sorted((ROOT / "dmlviz").rglob("*.py"))
SHOWN = {"Problem", "Error", "LiteralError", "TooLarge", "EngineUnavailable", "EngineRefused"}
SHOWN |= {"Finding", "Step", "Part", "Choice", "Preset", "Misreading", "Answer", "Engine"}
# names of things, addresses and styles: what is written the same in every language
NAMES = {"label_visibility", "icon", "key", "mime", "file_name", "shortcut", "type", "language"}
NAMES |= {"width", "height", "align", "vertical_alignment", "horizontal_alignment", "gap", "layout"}
NAMES |= {"position", "page_icon", "page_title", "persist_state", "theme", "on_click", "config"}
NAMES |= {"js", "css", "query_params", "url_path"}
WORD = re.compile(r"[A-Za-z]{2,}")
ALLOWED = re.compile(
    r"^\s*<|^pages/|^:material/\w+:$|\.(py|html|js|css|md|png)$|^[a-z0-9_-]+$|^[A-Z0-9_]+$"
    # fields, attributes in HTML, the engines' own names
    rf"|^({'|'.join(p.label for cls in OPERATORS for p in cls.parameters())})$"
    r"|^[a-z_]+:$|=\"|^[a-z]+=$"
    r"|^(NumPy|NumPy |ONNX Runtime|ONNX Runtime |DirectML|DML_\w+, [\w ]+|, [\w ]+)$"
)
# Markdown is no word
MARKUP = re.compile(r":material/\w+:|:(?:small|primary|red|green)\[|\{[^}]*\}|[*#_`\[\]]")


def name(path):
    return path.relative_to(ROOT).as_posix()


def called(node):
    """A call's name: ``st.title``, ``Problem``."""
    of = node.func
    if isinstance(of, ast.Attribute):
        return of.attr, isinstance(of.value, ast.Name) and of.value.id == "st"
    return getattr(of, "id", ""), False


def translated(node):
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "ngettext")


def literals(node):
    """Texts in an expression that nothing translates."""
    if translated(node) or isinstance(node, ast.Lambda | ast.Subscript | ast.Compare):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    if isinstance(node, ast.Call):
        # what a function makes of a text is its own affair: keys, links, formats
        return
    for part in ast.iter_child_nodes(node):
        yield from literals(part)


def untranslated(tree, *, widgets):
    """Texts with words that are given to what shows them."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        what, of_streamlit = called(node)
        place = widgets and (of_streamlit or isinstance(node.func, ast.Attribute))
        if not (what in SHOWN or (place and what in WIDGETS)):
            continue
        given = [*node.args, *(k.value for k in node.keywords if k.arg not in NAMES)]
        if what == "Problem":
            given = node.args[1:2]  # between the field and where the rule is written
        for found in (text for argument in given for text in literals(argument)):
            plain = MARKUP.sub("", found.value)
            if WORD.search(plain) and not ALLOWED.search(found.value.strip()):
                yield found.lineno, found.value


# what says the operators' TOML files, which are read for messages too
TOML_TEXTS = "dmlviz/operators/texts.py"
WIDGETS = {
    *("title", "header", "subheader", "markdown", "caption", "write", "info", "warning", "error"),
    *("success", "toast", "button", "download_button", "toggle", "checkbox", "radio", "selectbox"),
    *("multiselect", "slider", "number_input", "text_input", "text_area", "file_uploader", "tabs"),
    *("segmented_control", "expander", "popover", "dialog", "progress", "spinner", "page_link"),
    *("metric", "table", "dataframe", "Page", "html", "code", "image", "plotly_chart", "iframe"),
}


@every("path", FILES, ids=name)
def test_words_are_translated(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    widgets = name(path).startswith(("dmlviz/app/", "pages/", "app.py"))
    assert list(untranslated(tree, widgets=widgets)) == []


@every("path", FILES, ids=name)
def test_messages_can_be_found_and_are_said_when_they_are_read(path):
    """Whole texts, in calls that run when somebody reads: not at import, not in an f-string."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    wrong = []

    def visit(node, running):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for early in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
                visit(early, running)
            for early in getattr(node, "decorator_list", []):
                visit(early, running)
            body = node.body if isinstance(node.body, list) else [node.body]
            for part in body:
                visit(part, True)
            return
        if translated(node):
            texts = node.args[:2] if called(node)[0] == "ngettext" else node.args
            plain = all(isinstance(t, ast.Constant) and isinstance(t.value, str) for t in texts)
            if not plain and name(path) != TOML_TEXTS:
                wrong.append((node.lineno, "not a plain text"))
            if not running:
                wrong.append((node.lineno, "said at import"))
        if isinstance(node, ast.JoinedStr) and any(map(translated, ast.walk(node))):
            wrong.append((node.lineno, "in an f-string, where it is not found"))
        for part in ast.iter_child_nodes(node):
            visit(part, running)

    # a page's file runs whenever somebody reads the page
    visit(tree, name(path).startswith("pages/"))
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        'st.title("Some words")',
        'st.button(_("Right"), help="Press it")',
        'left.markdown(f"**Wrong** {x}")',
        'raise Error("repeats: no", "repeats")',
        'Problem("repeats", "That is wrong.", "here")',
        'st.warning("Bad " + what)',
    ],
)
def test_what_is_not_translated_is_found(text):
    assert list(untranslated(ast.parse(text), widgets=True))
