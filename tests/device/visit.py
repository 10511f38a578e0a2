"""A visitor of a pack in Chromium: opens its pages, and looks at the application in their frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from playwright.sync_api import Browser, BrowserContext, Page

from device_bench import served
from web.browser import watch

# The application is shown, and not home as it was when the pack was made
RUNS = """() => {
    const frame = document.getElementById("frame");
    return frame && !frame.hidden && !frame.contentWindow.location.pathname.startsWith("/p/pack/");
}"""


class Visitor:
    """A profile of a browser, without a network after its first visit."""

    def __init__(self, browser: Browser, folder: Path, **options: Any) -> None:
        self.context: BrowserContext = browser.new_context(
            bypass_csp=True, reduced_motion="reduce", locale="de-DE", **options
        )
        self.faults = list[str]()
        with served(folder) as self.base:
            self.origin = self.base.removesuffix("/p/")
            self.page = self.open(f"{self.base}learn/rasant")  # where no service worker knows it
            self.faults.clear()  # no file has that name

    def open(self, address: str = "") -> Page:
        """Open a page; return when the application is shown in it."""
        page = self.context.new_page()
        self.faults = watch(page)
        page.goto(address or self.base)
        page.wait_for_function(RUNS)
        return page

    def frame(self, size: tuple[int, int] = (375, 667)) -> Page:
        """Return the frame of the page, which is opened again if it was closed, in a window of this size.

        A frame has all of a page that the helpers of ``tests/web`` use.
        """
        if self.page.is_closed():
            self.page = self.open()
        self.page.evaluate("document.cookie = 'confirm=always; path=/p/'")  # a button for every choice
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        return inside(self.page)

    def kill(self) -> None:
        """Close the page: its worker ends wherever it is."""
        self.page.close()

    def quota(self, free: int | None) -> None:
        """Leave so many bytes of storage free; None: as many as there are."""
        asked: dict[str, Any] = {"origin": self.origin}
        if free is not None:
            usage = self.page.evaluate("navigator.storage.estimate().then(({ usage }) => usage)")
            asked["quotaSize"] = usage + free
        self.context.new_cdp_session(self.page).send("Storage.overrideQuotaForOrigin", asked)

    def clear(self) -> None:
        """Clear the files of the storage, as in the settings of the browser."""
        asked = {"origin": self.origin, "storageTypes": "file_systems"}
        self.context.new_cdp_session(self.page).send("Storage.clearDataForOrigin", asked)


def inside(page: Page) -> Page:
    """Return the frame of a page of the pack."""
    page.wait_for_function(RUNS)
    return cast(Page, page.frames[1])
