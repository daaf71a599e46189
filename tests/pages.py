"""Opening a page of the app in Streamlit's AppTest."""

from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, app_test
from streamlit.util import calc_hash


class _Registered(PagesManager):
    """What AppTest resets before every run, in place of the class that the script runner reads."""


# as dmlviz.app.server does: otherwise a file of pages/ would run without the app's navigation
PagesManager.uses_pages_directory = False
app_test.PagesManager = _Registered  # type: ignore[misc]


def go_to(at: AppTest, page: str) -> AppTest:
    """The app, about to run the page with this address, as if a browser had asked for it.

    ``AppTest.switch_page`` takes files alone; an operator's page is a function.

    Args:
        at: the app.
        page: its address, or the name of its file.
    """
    at._page_hash = calc_hash(page.replace("_", "-"))
    return at
