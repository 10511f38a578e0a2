"""Take pictures of every page, 360, 768 and 1280 px wide, into docs/shots (``make shots``).

Chance is seeded and bots are instant, so the same code gives the same pictures. ``make shots EVERY=1`` takes
them in five windows and both themes into docs/shots/every, with set-ups, rules and lessons, and every
question that a game of each title asks: some 600 pictures to look at. ``ONLY=beside,tour`` takes only these.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

import needs
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.server.serve import Server, listen
from paddock.tables import Runtime

FOLDER = Path(__file__).parent.parent / "docs" / "shots"
MOST = 4_000_000  # bytes of all pictures together
QUALITY = 30  # of the JPEG files
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
LOOKS: tuple[tuple[tuple[int, int], Scheme], ...] = (
    ((360, 740), "light"),
    ((360, 740), "dark"),
    ((768, 1024), "light"),  # its themes differ in nothing that the other sizes do not show
    ((1280, 800), "light"),
    ((1280, 800), "dark"),
)
EVERY: tuple[tuple[tuple[int, int], Scheme], ...] = tuple(
    (size, scheme)
    for size in ((360, 740), (844, 390), (820, 1180), (1366, 657), (1920, 1080))
    for scheme in SCHEMES
)


class Still(Runtime):
    """A runtime that gives bots the same random numbers in every run."""

    def __init__(self) -> None:
        super().__init__()
        self.tables = 0

    def table_id(self) -> str:
        self.tables += 1
        return f"table{self.tables}"

    def bot_seed(self) -> int:
        return 7


@contextmanager
def serve(folder: str) -> Iterator[str]:
    """Run a new server in a thread, so that all sizes and themes show the same games; yield its address."""
    listener = listen("127.0.0.1", 0)
    app = create_app(f"sqlite:///{folder}/shots.sqlite3", chance=Seeded(7), runtime=Still(), pace="instant")
    server = Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1), app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    server.should_exit = True
    thread.join()


def settled(page: Page) -> None:
    """Wait until the page asks for a move or the game is over."""
    page.wait_for_selector("#state[data-turn=yes], a[href$='/replay']", state="attached")
    page.wait_for_timeout(150)


def play(page: Page) -> None:
    """Commit the middle one of the cards that can be played."""
    cards = page.locator("form.compose").first.locator(".hand label:not(.is-refused, .plus)")
    cards.nth(cards.count() // 2).click()
    page.locator("form.compose").first.locator("[data-way]:visible[aria-disabled=false]").first.click()
    page.wait_for_selector("#main:not([aria-busy=true])")
    settled(page)


def opened(browser: Browser, size: tuple[int, int], scheme: Scheme) -> tuple[Page, Callable[..., None]]:
    """Return a page of one size and colour scheme, and a function that takes a screenshot with a name."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()

    def shot(name: str) -> None:
        page.evaluate("scrollTo(0, 0)")
        quality: Any = {"type": "jpeg", "quality": QUALITY}
        page.screenshot(path=FOLDER / f"{name}-{width}-{scheme}.jpg", **quality)

    return page, shot


def tour(browser: Browser, url: str, size: tuple[int, int], scheme: Scheme) -> None:
    """Take every page of LACORSA at one size and colour scheme."""
    page, shot = opened(browser, size, scheme)
    page.goto(url)
    shot("home")
    page.goto(f"{url}new/lacorsa?drivers=4")
    shot("setup")
    page.goto(f"{url}new/lacorsa?drivers=2&races=1&who-2=me&pace=instant")
    page.get_by_role("button", name="Start the race: deal the cards").click()
    page.wait_for_selector(".curtain")
    shot("curtain")
    page.goto(f"{url}new/lacorsa?races=2&pace=instant&name-1=Ana")
    page.get_by_role("button", name="Start the race: deal the cards").click()
    settled(page)
    shot("qualifying")
    seen: set[str] = set()
    for _ in range(200):
        settled(page)
        if page.locator("a[href$='/replay']").count():
            break
        asked = page.locator(".ask h2").first.text_content() or ""
        for word, name in (("challenge", "challenge"), ("free", "road")):
            if word in asked and name not in seen:
                seen.add(name)
                page.locator("form.compose .cards label").first.click()
                shot(name)
        play(page)
    shot("podium")
    page.get_by_role("link", name=re.compile("Step through")).click()
    page.wait_for_url("**/replay")
    page.goto(f"{page.url}?step=9&eyes=all")
    shot("replay")
    page.context.close()


def motorway(browser: Browser, url: str, size: tuple[int, int], scheme: Scheme) -> None:
    """Take a game of Rasant at one size and colour scheme."""
    page, shot = opened(browser, size, scheme)
    page.goto(f"{url}new/rasant?pace=instant&name-1=Ana")
    page.get_by_role("button", name="Start the game: deal the cards").click()
    for moves in range(100):
        settled(page)
        if page.locator("a[href$='/replay']").count():
            break
        if moves == 4:
            shot("rasant")
            page.locator("form.compose .hand label:not(.is-refused, .plus)").first.click()
            shot("rasant-hand")
        play(page)
    shot("rasant-podium")
    page.context.close()


def expedition(browser: Browser, url: str, size: tuple[int, int], scheme: Scheme) -> None:
    """Take a turn of The Great Race: the bivouac in light, the plan in dark, a way that is chosen in both."""
    page, shot = opened(browser, size, scheme)
    page.goto(f"{url}new/great_race?pace=instant&name-1=Ana&finish=HO")
    page.get_by_role("button", name="Start the race").click()
    settled(page)
    if scheme == "light":
        shot("great-race-bivouac")
    play(page)
    for box in (1, 2, 2, 2, 3):
        page.locator("[data-by='1']").nth(box - 1).click()
    if scheme == "dark":
        shot("great-race-plan")
    page.locator("[data-way]").click()
    page.wait_for_selector(".is-crew")
    settled(page)
    page.locator(".gr-press[data-move=drive]").click()
    page.wait_for_selector(".gr-links")
    page.locator(".gr-go").first.dispatch_event("click")
    page.wait_for_selector("#gr-way")
    shot("great-race-drive")
    page.context.close()


def grid(browser: Browser, url: str, size: tuple[int, int], scheme: Scheme) -> None:
    """Take twelve cars of a Large Grid at one size and colour scheme."""
    page, shot = opened(browser, size, scheme)
    page.goto(f"{url}new/lacorsa?large_grid=yes&drivers=12&races=1&pace=instant&name-1=Ana")
    page.get_by_role("button", name="Start the race: deal the cards").click()
    for _ in range(5):
        settled(page)
        play(page)
    shot("large-grid")
    page.context.close()


def together(browser: Browser, url: str, size: tuple[int, int], scheme: Scheme) -> None:
    """Take the lobby and a table of friends who chat, at one size and colour scheme."""
    width, height = size
    look: Any = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
    ana, ben = [browser.new_context(reduced_motion="reduce", **look).new_page() for _ in range(2)]

    def shot(name: str) -> None:
        ana.evaluate("scrollTo(0, 0)")
        ana.screenshot(path=FOLDER / f"{name}-{width}-{scheme}.jpg", type="jpeg", quality=QUALITY)

    ana.goto(f"{url}new/lacorsa?drivers=4&who-2=open&pace=instant&clock=900%2B10&name-1=Ana")
    ana.get_by_role("button", name="Open the lobby").click()
    ana.wait_for_url("**/t/*")
    ben.goto(ana.url)
    ben.locator("#name-1").fill("Ben")
    ben.get_by_role("button", name="Take this seat").click()
    ben.get_by_role("button", name="I am ready").click()
    ana.locator(".said", has_text="Ben is ready").wait_for()
    shot("lobby")
    ana.get_by_role("button", name="I am ready").click()
    settled(ben)
    ben.locator("[data-tab=talk]").click()
    ben.locator("#say").fill("Off we go!")
    ben.keyboard.press("Enter")
    ana.locator(".said", has_text="Off we go").wait_for(state="attached")
    ana.locator("[data-tab=talk]").click()
    if scheme == "light":  # other pictures already show a table in dark mode
        ana.screenshot(path=FOLDER / f"friends-{width}-{scheme}.jpg", type="jpeg", quality=QUALITY)
    for page in (ana, ben):
        page.context.close()


def beside(browser: Browser, url: str, size: tuple[int, int], scheme: Scheme) -> None:
    """Take what is beside the games at one size and colour scheme: set-ups, rules, lessons, an error."""
    page, shot = opened(browser, size, scheme)
    for title in ("rasant", "great_race"):
        page.goto(f"{url}new/{title}")
        shot(f"setup-{title}")
    for title in ("lacorsa", "rasant", "great_race"):
        page.goto(f"{url}rules/{title}")
        shot(f"rules-{title}")
        page.goto(f"{url}learn/{title}")
        shot(f"learn-{title}")
        page.get_by_role("button", name="Start the lesson").click()
        page.wait_for_url("**/t/*")
        settled(page)
        shot(f"lesson-{title}")
    for name in ("daily", "puzzles", "me", "reach", "t/unknown"):
        page.goto(f"{url}{name}")
        shot(name.rpartition("/")[2])
    page.goto(url)
    page.locator(".menu > summary").click()
    shot("settings")
    page.context.close()


# What is set up to see every question, and the moves that are wanted, each in turn
PHASES: dict[str, tuple[str, str]] = {
    "lacorsa": ("drivers=4&races=1", ""),
    "rasant": ("players=4&games=1", ""),
    "great_race": (
        "map=usa-west&players=4&finish=HO&leaders=yes",
        "take,plan 1-2-1-1,scout,repair,drive,supply,clear,fund,buy",
    ),
}
# Send the first wanted move that is legal, else the middle one, by the form that works without scripts.
SENDS = """async ([made, wanted]) => {
    const form = document.querySelector("form.compose"), body = new URLSearchParams(new FormData(form));
    const all = [...form.querySelectorAll("select[name=move] option")].map((one) => one.value);
    const turned = [...wanted.slice(made % wanted.length), ...wanted].filter(Boolean);
    const begins = (start) => all.find((one) => one.startsWith(start));
    body.set("move", turned.map(begins).find(Boolean) ?? all[all.length >> 1]);
    await fetch(form.action, { method: "POST", body });
}"""
CHANGED = "(before) => document.querySelector('#table')?.dataset.decision !== before"


def phases(browser: Browser, url: str, size: tuple[int, int], scheme: Scheme) -> None:
    """Take every question that a game of each title asks, and its replay, at one size and colour scheme."""
    for title, (options, wanted) in PHASES.items():
        page, shot = opened(browser, size, scheme)
        page.goto(f"{url}new/{title}?{options}&pace=instant&name-1=Ana")
        page.locator(".setup button.primary").first.click()
        page.wait_for_url("**/t/*")
        seen: set[str] = set()
        for made in range(60):
            settled(page)
            if page.locator("a[href$='/replay']").count():
                break
            asked = re.sub(r"\W+", "-", re.sub(r"\d", "", page.locator(".ask h2").first.inner_text()))
            name = asked.lower().strip("-")[:30]
            if name not in seen:
                seen.add(name)
                shot(f"{title}-{name}")
            before = page.locator("#table").get_attribute("data-decision")
            page.evaluate(SENDS, [made, wanted.split(",")])
            page.wait_for_function(CHANGED, arg=before)
        page.context.close()


TOURS: dict[str, Callable[[Browser, str, tuple[int, int], Scheme], None]] = {
    tour.__name__: tour for tour in (tour, motorway, expedition, grid, together)
}


def main() -> int:
    """Take all pictures; return 1 if those of the documentation are too big together."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", action="store_true", help="in five windows and both themes")
    parser.add_argument("--only", default="", help=f"some of {', '.join([*TOURS, 'beside', 'phases'])}")
    args = parser.parse_args()
    global FOLDER
    looks, tours = LOOKS, dict(TOURS)
    if args.every:
        FOLDER, looks, tours = FOLDER / "every", EVERY, {**tours, "beside": beside, "phases": phases}
    chosen = [tours[name] for name in args.only.split(",")] if args.only else [*tours.values()]
    path = needs.chromium()
    if path is None:
        print("No Chromium found to take screenshots with.")
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.jpg"):
        old.unlink()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(needs.CHROMIUM_FLAGS))
        for size, scheme in looks:
            with tempfile.TemporaryDirectory() as folder, serve(folder) as url:
                for take in chosen:
                    take(browser, url, size, scheme)
        browser.close()
    pictures = list(FOLDER.glob("*.jpg"))
    weight = sum(picture.stat().st_size for picture in pictures)
    print(f"{len(pictures)} pictures, {weight / 1e6:.2f} MB, in {FOLDER}")
    return int(weight > MOST and not args.every)


if __name__ == "__main__":
    sys.exit(main())
