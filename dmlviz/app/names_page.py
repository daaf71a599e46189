"""The page of names: other libraries' names of each operator, with a state that shows each."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from dmlviz.app.address import to
from dmlviz.app.parts import fragment
from dmlviz.app.search import name_field, show_answer
from dmlviz.base.words import _
from dmlviz.code.libraries import in_words
from dmlviz.operators import Operator, by_family
from dmlviz.operators.texts import family_title
from dmlviz.teaching.names import Name, compositions, names
from dmlviz.teaching.search import answers, matching


def names_page() -> None:
    """Draw the page; ``/names?search=gather`` shows the matching names."""
    st.title(_("Other names for the same operator"), anchor=False)
    st.markdown(
        _(
            "What {libraries} and {last} call DirectML's operators. Select a name to open the "
            "state in which the operator does exactly what the call does. Tests run the calls and "
            "compare every bit where the library is installed."
        ).format(**in_words({name.library for name in names()}))
    )
    _table()


@fragment()
def _table() -> None:
    with st.container(key="finding"):
        typed = name_field(_("Find an operator by any of its names"))
    every = names()
    shown = matching(typed, every) if typed else every
    # all names of every operator that has such a name, those first
    keys = {name.key for name in shown}
    rows = sorted((n for n in every if n.call and n.key in keys), key=lambda n: n not in shown)
    for answer in answers(typed, every, compositions()):
        if not (answer.names or answer.containing):
            show_answer(answer)
    with st.container(key="names"):
        for family, operators in by_family().items():
            listed = [cls for cls in operators if any(row.key == cls.key for row in rows)]
            if listed:
                st.header(family_title(family), anchor=False)
            for cls in listed:
                st.markdown(_of(cls, [row for row in rows if row.key == cls.key]), anchors=False)


def _of(cls: type[Operator], rows: list[Name]) -> str:
    """An operator's heading and table as Markdown; it contains no text from users."""
    columns = (_("Name"), _("Library"), _("The call"))
    head = f"| {' | '.join(columns)} |\n|---|---|---|\n"
    lines = "".join(
        f"| [`{row.text}`]({_address(row.link)}) | {row.library} | {_code(row.call)} |\n"
        for row in rows
    )
    title = f"[{cls.title()}]({_address(f'/{cls.key}')})"
    return f"### {title} \u2002 :small[`{cls.operator_type}`]\n\n{head}{lines}"


def _code(call: str) -> str:
    return " ".join(f"`{line}`" for line in call.splitlines())


def _address(link: str) -> str:
    """The link below the app's root, in the reader's language."""
    more = urlencode(to({}))
    return f"{link.removeprefix('/')}{'&' if '?' in link else '?'}{more}" if more else link[1:]
