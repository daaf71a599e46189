"""One Chromium for the tests of all files: what it has fetched and compiled stays with it."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from tests.browser.waiting import wait_for_function
from tests.tool_fixtures import leave_out, need
from tests.tools import TOOLS

# Chromium has an address bar even where nobody sees it, of two pages in every window: to make them
# takes longer than to open a page. Of two lists it reads the last, so Playwright's is in this one
WITHOUT = [
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "OptimizationHints", "NetworkTimeServiceQuerying"),
    *("AimEnabled", "PreconnectToSearch", "AvoidCorsURLLoaderRestartOnRedirect"),
]
FLAGS = [
    "--disable-features=" + ",".join(WITHOUT),
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# of Playwright's options for a context, those that a page can have by itself
MEDIA = {"color_scheme", "reduced_motion"}


def missing(reason: str) -> None:
    """Skip the test, or fail it where a browser is required."""
    leave_out(reason, TOOLS["browser_tool"].required)


class Chromium:
    """A browser that is started when it is first asked for, and its contexts.

    While Playwright is at work its event loop runs in the main thread, where tests elsewhere
    may need one of their own: it ends with a file, unless the next one needs it too.
    """

    def __init__(self) -> None:
        self.stays = False
        self._open = ExitStack()
        self._browser: Any = None
        self._contexts: dict[Any, Any] = {}

    @property
    def browser(self) -> Any:
        """Playwright's ``Browser``; without one the test is skipped, or fails."""
        if self._browser is None:
            try:
                from playwright.sync_api import Page, sync_playwright
            except ImportError:
                missing("Playwright is not installed: pip install -r requirements-dev.txt")
            path = need("browser_tool")
            Page.wait_for_function = wait_for_function
            playwright = self._open.enter_context(sync_playwright())
            launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
            self._browser = self._open.enter_context(launched)
        return self._browser

    def page(self, **options: Any) -> Any:
        """A new page in the context with these options of Playwright's, whose cache is kept.

        It has a window of its own: a tab behind another draws one frame a second.
        """
        media = {name: options.pop(name) for name in MEDIA & options.keys()}
        kind = tuple(sorted(options.items()))
        if kind not in self._contexts:
            self._contexts[kind] = self.browser.new_context(**options)
        context = self._contexts[kind]
        if not context.pages:
            page = context.new_page()
        else:
            same = context.new_cdp_session(context.pages[0]).send("Target.getTargetInfo")
            target = {"browserContextId": same["targetInfo"]["browserContextId"]}
            with context.expect_page() as opened:
                self.browser.new_browser_cdp_session().send(
                    "Target.createTarget", {"url": "about:blank", "newWindow": True, **target}
                )
            page = opened.value
        if media:
            page.emulate_media(**media)
        return page

    def close(self) -> None:
        """End the browser, if there is one; another can be started."""
        self._open.close()
        self._browser = None
        self._contexts.clear()


chromium = Chromium()


def leave(page: Any) -> None:
    """Close a page, with all that it has kept."""
    if page.url.startswith(("http", "file")):
        page.evaluate("localStorage.clear()")
    page.context.clear_cookies()
    page.close()
