"""What a screen reader is given in each phase: the accessibility tree, kept in aria/ for people to read.

Where a page changes on purpose, ``PADDOCK_ARIA=write`` writes the files anew; git shows what is different.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from web.browser import ASKED, LACORSA, OVER, RASANT, Kind, move, new_table, wait
from web.conftest import Server
from web.test_browser_access import phase_of

FOLDER = Path(__file__).parent / "aria"
KINDS: dict[str, tuple[Kind, dict[str, Any]]] = {
    "lacorsa": (LACORSA, {}),
    "large-grid": (LACORSA, {"large_grid": "yes"}),
    "rasant": (RASANT, RASANT.short),
}


def tree(page: Page) -> str:
    """The main part as a screen reader has it; the table's address is another in every run."""
    return re.sub(r"/t/[\w-]+", "/t/…", page.locator("#main").aria_snapshot()) + "\n"


@pytest.mark.parametrize("name", KINDS)
def test_a_screen_reader_is_given_the_same_as_ever(page: Page, server: Server, name: str) -> None:
    """Four people on one device, with the same cards whatever else is dealt."""
    server.seed.write_text(name)
    kind, options = KINDS[name]
    new_table(page, server.url, 1, 2, 3, 4, kind=kind, **{kind.players: 4}, **options)
    page.wait_for_selector(".curtain")
    seen = {"curtain": tree(page)}
    for made in range(400):
        page.wait_for_selector(f"{ASKED}, {OVER}", state="attached")
        if not wait(page):
            break
        seen.setdefault(phase_of(page, kind), tree(page))
        move(page, made % 3)
    seen["podium"] = tree(page)
    print(list(seen), made)
    if os.environ.get("PADDOCK_ARIA") == "write":
        for phase, text in seen.items():
            (FOLDER / f"{name} {phase}.yml").write_text(text)
