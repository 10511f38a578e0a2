"""The accessibility tree of each phase, compared with the files in aria/; and axe, light and dark.

After an intended change, ``PADDOCK_TEST_WHOLE=1 PADDOCK_ARIA=write`` updates the files; git shows
the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from sampling import WHOLE, some
from web.browser import LACORSA, OVER, PLAYABLE, RASANT, Kind, move, new_table, wait
from web.conftest import Server
from web.test_browser_access import clean_in_both

FOLDER = Path(__file__).parent / "aria"
GAMES: dict[str, tuple[Kind, dict[str, Any]]] = {
    "lacorsa": (LACORSA, {}),
    "large-grid": (LACORSA, {"large_grid": "yes"}),
    "rasant": (RASANT, RASANT.short),
}
PLAYED = some([*GAMES], 1, "aria")
NAMED = re.compile(r"(driver|player) \d( \(\d\))?|(red|green|blue|yellow|black) \d+")


def tree(page: Page, part: str = "#main") -> str:
    """Return the tree of a part, without the table's address, which differs in every run."""
    return re.sub(r"(http://[\w.:]+)?/t/[\w-]+", "/t/…", page.locator(part).aria_snapshot()) + "\n"


def phase(page: Page) -> str:
    """Return the question without names and cards, as a file name."""
    asked = page.locator(".ask h2").first.text_content() or ""
    costs = " and pass discards" * (page.locator("form.compose [data-way=''][data-key=p]").count() > 0)
    return "-".join(re.findall(r"\w+", NAMED.sub("", f"{asked}{costs}".lower())))


@pytest.mark.parametrize("name", PLAYED)
def test_a_screen_reader_is_given_what_it_was_and_axe_finds_nothing(
    browser: Browser, server: Server, name: str
) -> None:
    """Four people on one device play a game with seeded cards. Axe looks when a card is chosen.

    A sample is one of the games; axe looks at some of its questions.
    """
    server.seed.write_text(name)
    context = browser.new_context(color_scheme="light", bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    kind, options = GAMES[name]
    new_table(page, server.url, 1, 2, 3, 4, kind=kind, **{kind.players: 4}, **options)
    page.wait_for_selector(".curtain")
    trees = {"curtain": tree(page)}
    clean_in_both(page, "curtain")
    made = 0
    kept = {file.stem.removeprefix(f"{name}-"): file.read_text("utf-8") for file in FOLDER.glob(f"{name}-*")}
    looked = some(sorted(kept), 3, "axe")
    while trees.keys() != kept.keys() and wait(page):
        if (asked := phase(page)) not in trees:
            trees[asked] = tree(page)
            card = ".cards label" if name != "large-grid" else PLAYABLE
            page.locator(f"form.compose {card}").first.click()
            if asked in looked or WHOLE:
                clean_in_both(page, asked)
        move(page, made % 3)
        made += 1
    if page.locator(OVER).count():
        trees["podium"] = tree(page)
        clean_in_both(page, "podium")
    context.close()
    if os.environ.get("PADDOCK_ARIA") == "write":
        for phase_, text in trees.items():
            (FOLDER / f"{name}-{phase_}.yml").write_text(text, "utf-8")
    assert sorted(trees) == sorted(kept)
    for phase_, text in trees.items():
        assert text == kept[phase_], phase_
