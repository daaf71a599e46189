"""How Sphinx builds these pages: ``python -m sphinx docs FOLDER``."""

import re
import sys
from pathlib import Path

# the package beside this folder, installed or not
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dmlviz.base.version import VERSION
from dmlviz.operators import Operator

project = "dmlviz"
version = release = VERSION
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "dmlviz.extensions.sphinx",
]
exclude_patterns = ["_build"]
# so that ](verify.md#in-ci) leads to a heading, here and where a repository shows these files
myst_heading_anchors = 3
# docstrings say the types of attributes where they declare them
napoleon_use_ivar = True
autodoc_class_signature = "mixed"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"

html_theme = "alabaster"
html_theme_options = {"fixed_sidebar": True, "description": "See every element move"}
html_show_copyright = False
html_static_path = ["_static"]
html_css_files = ["narrow.css"]

DOCS = Path(__file__).resolve().parent


def link_outside_as_files(_app, page, source):
    """Let links to files beside this folder, such as CONTRIBUTING.md, lead to copies of them."""
    folder = (DOCS / page).parent

    def link(match):
        outside = DOCS not in (folder / match[1]).resolve().parents
        return f"](path:{match[1]})" if outside else match[0]

    source[0] = re.sub(r"\]\((\.\./[^)#]+)(?:#[^)]*)?\)", link, source[0])


def leave_out_what_is_only_returned(_app, what, _name, kind, _options, signature, returns):
    """Show the parameters of operators alone; other classes are made by functions."""
    returned = what == "class" and not issubclass(kind, Operator)
    return ("", None) if returned else (signature, returns)


def setup(app):
    """What Sphinx calls."""
    app.connect("source-read", link_outside_as_files)
    app.connect("autodoc-process-signature", leave_out_what_is_only_returned)
