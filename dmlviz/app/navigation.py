"""The app's pages: set up, found by their addresses, and run below the bar."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache, partial

import streamlit as st
from streamlit.elements.lib.mutable_popover_container import PopoverContainer
from streamlit.navigation.page import StreamlitPage

from dmlviz.app.address import PAGES, STAYED, PageAddress, presenting, requested_page, tell, to
from dmlviz.app.explorer import explorer
from dmlviz.app.language import begin_language, language_switch, unknown_language
from dmlviz.app.looks import looks
from dmlviz.app.parts import fragment, telling_errors
from dmlviz.app.server import EXPLORERS
from dmlviz.app.typed_text import begin_boxes, keep_texts
from dmlviz.base.addresses import split_link
from dmlviz.base.deferred import dataclass
from dmlviz.base.places import ASSETS
from dmlviz.base.words import _, locale, speaking
from dmlviz.operators import Operator, by_family
from dmlviz.operators.texts import family_title

_AT = "page"
_MENU = "menu"
_PRESENTED = EXPLORERS
"""The pages that the address can ask to present; on others it says nothing."""
_SIDEBAR = 288
_LONGEST = 64
"""The letters of a name that is no page's that are compared."""
_ICON = ASSETS / "icon.png"


def navigate() -> None:
    """Set up the app and run the requested page."""
    st.set_page_config(
        page_title="dmlviz", page_icon=_icon(), layout="wide", initial_sidebar_state=_SIDEBAR
    )
    with speaking(begin_language()):
        menu = _menu_in(locale())
        page_groups, pages = menu.groups, menu.pages
        page = st.navigation(pages, position="hidden")
        st.html(f"<style>{looks(page.url_path in EXPLORERS)}{_words()}</style>")
        # an embedded page leads nowhere else, and a page for a room has no bar
        on_wall = page in menu.for_rooms or (presenting() and page.url_path in _PRESENTED)
        alone = st.context.is_embedded or on_wall
        st.session_state[STAYED] = st.session_state.get(_AT) == page.url_path
        st.session_state[_AT] = page.url_path
        if alone:
            language_switch(page.url_path, alone=True)
        else:
            bar(page_groups, page)
        unknown_language()
        _unknown_page(requested_page(), pages)
        begin_boxes()
        with telling_errors():
            page.run()
        keep_texts()


def _unknown_page(asked: str, pages: Iterable[StreamlitPage]) -> None:
    """Show a sentence if the address names no page, with a link to the one nearest to it."""
    names = {page.url_path: page for page in pages}
    if not asked or asked in names:
        return
    tell([_("This address names no page, so Home is open.")])
    for near in get_close_matches(asked[:_LONGEST].casefold(), names, 1):
        label = _("Did you mean {title}?").format(title=names[near].title)
        st.page_link(names[near], label=label, query_params=to({}))


@cache
def _icon() -> str:
    """The icon as a data address: some browsers fetch it again whenever the address changes."""
    return f"data:image/png;base64,{b64encode(_ICON.read_bytes()).decode()}"


def _words() -> str:
    """Words for the style sheets: a phone's button for the sidebar has no words, and Streamlit's
    link to the page and its button for a file have only English ones.
    """
    said = {
        "settings": _("Settings"),
        "skip": _("Skip to main content"),
        "file": _("Choose a file"),
    }
    rules = []
    for name, text in said.items():
        plain = "".join(sign for sign in text if sign.isalnum() or sign == " ")
        rules.append(f'--dmlviz-{name}: "{plain}";')
    return f":root {{ {' '.join(rules)} }}"


@dataclass(frozen=True)
class Entry:
    """A page of the menu.

    Attributes:
        page: the Streamlit page.
        icon: its icon in a menu.
        first: the link that it opens on the first visit; empty for the page itself.
    """

    page: StreamlitPage
    icon: str
    first: str = ""


Groups = dict[str, tuple[Entry, ...]]
"""The pages by their heading in a menu."""


@dataclass(frozen=True)
class Menu:
    """The app's pages as a session has them; making them is a tenth of a whole run.

    Attributes:
        spoken: the locale of the titles.
        groups: those of the menus.
        for_rooms: those that are in no menu.
    """

    spoken: str
    groups: Groups
    for_rooms: tuple[StreamlitPage, ...]

    @property
    def pages(self) -> list[StreamlitPage]:
        """Every page."""
        in_menus = (entry.page for entries in self.groups.values() for entry in entries)
        return [*in_menus, *self.for_rooms]


def _menu_in(spoken: str) -> Menu:
    """The pages in the current locale, made once for a session."""
    menu: Menu | None = st.session_state.get(_MENU)
    if menu is None or menu.spoken != spoken:
        menu = Menu(spoken, groups(), (wall_entry().page, speaker_entry().page))
        st.session_state[_MENU] = menu
        st.session_state[PAGES] = {one.url_path or "home": one for one in menu.pages}
    return menu


_START, _TEACH, _CHECK, _WORDS = "start", "teach", "check", "words"


def groups() -> Groups:
    """Every page of the app; operators are grouped by what they do."""
    return {
        _START: (
            _entry("home", _("Home"), "home"),
            _entry("lessons", _("Lessons"), "school"),
            _entry("practice", _("Practice"), "quiz"),
            _entry("code", _("Your own code"), "code"),
        ),
        **{family: tuple(map(_explorer, kin)) for family, kin in by_family().items() if kin},
        _WORDS: (
            _entry("names", _("Other names"), "translate"),
            _entry("glossary", _("Glossary"), "dictionary"),
        ),
        _TEACH: (
            _entry("teach", _("Plans for the teacher"), "co_present"),
            _entry("my_class", _("My class"), "playlist_add_check"),
            _entry("start_class", _("Start a class"), "groups"),
            _entry("worksheet", _("Worksheet"), "print"),
        ),
        _CHECK: (
            _entry("between", _("Two arrays"), "compare_arrows"),
            _entry("verify", _("Verify a page"), "fact_check"),
            _entry("engines", _("Engines"), "memory"),
        ),
    }


def wall_entry() -> Entry:
    """The page for a room, which is not in a menu; plans and lessons open it."""
    return _entry("present", _("Present"), "co_present")


def speaker_entry() -> Entry:
    """The page beside the one for a room, which the teacher's pages open."""
    return _entry("speaker", _("Speaker's view"), "speaker_notes")


def bar(page_groups: Groups, here: StreamlitPage) -> None:
    """Draw the bar: complete in a wide window, one menu under the page's name in a narrow one.

    Args:
        page_groups: from :func:`groups`.
        here: the page that is open.
    """
    with st.container(key="bar", horizontal=True, vertical_alignment="center", gap="xxsmall"):
        _menus(page_groups, here)
        language_switch(here.url_path, alone=False)


@fragment()
def _menus(page_groups: Groups, here: StreamlitPage) -> None:
    """Draw the links and menus; opening a menu draws only that menu."""
    home, lessons, practice, code = page_groups[_START]
    # the key contains the page, so that choosing a page closes the menu
    at = here.url_path or "home"
    operators = [name for name in page_groups if name not in (_START, _TEACH, _CHECK)]
    with st.container(key="bar_wide", horizontal=True, vertical_alignment="center", gap="xxsmall"):
        _link(home)
        with _popover(_("Operators"), f"operators_{at}") as menu:
            if menu.open:
                _menu(page_groups, operators, "wide")
        _link(lessons)
        _link(practice)
        _link(code)
        for name in (_TEACH, _CHECK):
            with _popover(_title(name), f"{name}_{at}") as menu:
                if menu.open:
                    _links(page_groups[name])
    with (
        st.container(key="bar_narrow", width="content"),
        _popover(here.title, f"pages_{at}") as menu,
    ):
        if menu.open:
            _menu(page_groups, page_groups, "narrow")


def _popover(label: str, key: str) -> PopoverContainer:
    """A menu that draws its links only while open; they would be half of a page's elements."""
    return st.popover(label, type="tertiary", key=key, on_change="rerun")


def _menu(page_groups: Groups, names: Iterable[str], where: str) -> None:
    """The pages of these groups, each under its name."""
    with st.container(key=f"menu_{where}"):
        for name in names:
            with st.container(key=f"menu_{where}_{name}", gap="xxsmall"):
                if name != _START:
                    st.markdown(f":small[{_title(name)}]")
                _links(page_groups[name])


def _links(entries: Iterable[Entry]) -> None:
    for entry in entries:
        _link(entry, icon=f":material/{entry.icon}:")


def _link(entry: Entry, icon: str | None = None) -> None:
    # a page that was visited has its settings still
    visited = PageAddress(entry.page.url_path).history.past
    opened = {} if visited or not entry.first else split_link(entry.first).parameters
    st.page_link(entry.page, icon=icon, query_params=to(opened))


def _title(name: str) -> str:
    titles = {_WORDS: _("Names and words"), _TEACH: _("Teach"), _CHECK: _("Verify")}
    return titles.get(name) or family_title(name)


def _explorer(cls: type[Operator]) -> Entry:
    """An operator's page, which follows from its class."""
    page = st.Page(partial(explorer, cls), title=cls.title(), url_path=cls.key)
    return Entry(page, cls.texts().icon, cls.texts().presets[0].link)


def _entry(file: str, title: str, icon: str) -> Entry:
    page = st.Page(
        f"pages/{file}.py",
        title=title,
        default=file == "home",
        url_path=None if file == "home" else file.replace("_", "-"),
    )
    return Entry(page, icon)
