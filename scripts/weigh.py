"""Measure the pages of The Great Race: their bytes, and the script time of updates; exit 1 above a bar.

Five players with leaders, on half a map and on a full one. The bot Club plays all seats, and chance is
seeded. Sizes are the bytes that the server sends to a browser that takes every coding, such as Chromium by
https. A first load has what a page names, and the modules that those import; modules that scripts load later
are left out. Times are CPU times of Chromium's main thread, so other programs change them little. The script
time of an update has the parsing of the answer and all of Paddock's scripts, but not styles and layout, which
have lines of their own.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import html
import json
import math
import re
import statistics
import sys
import tempfile
import time
from bisect import bisect
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx
import uvicorn
from fastapi import FastAPI
from playwright.async_api import CDPSession, Page, async_playwright
from playwright.async_api import TimeoutError as Late

import needs
from paddock.bots.registry import bot
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.server.serve import Server, listen
from paddock.tables import Runtime, Table, Tables, seats
from paddock.web.guard import COOKIE

TITLE, PLAYERS = "great_race", 5
NAMES = ("Ana", "Ben", "Cleo", "Dora", "Emil")
SECRETS = tuple(str(player) * 43 for player in range(PLAYERS))
MAPS = {"usa-west": ("half map", 30), "asia": ("full map", 60)}  # what it is, and the bar for an update in ms
FIRST, HOME, UPDATE, PODIUM, REPLAYED = 60, 40, 20, 70, 80  # kB
PRESS = 16  # ms from pressing «+» in a plan until the page is laid out again: one picture of a screen
RATIO = 5  # styles and layout for each ms of script, over all updates of a game
PRESSES = 30
STEP = 100  # ms of one step of a replay
SIZE = {"width": 1280, "height": 800}
CODINGS = {"accept-encoding": "gzip, deflate, br, zstd"}
STILL = r'data-still="(\w+)"'


@dataclass
class Bars:
    """Whether all figures so far are below their bars."""

    fine: bool = True

    def show(self, what: str, figures: Sequence[float], bar: float, unit: str) -> None:
        """Print the largest figure beside its bar, and the median."""
        most = max(figures)
        self.fine &= most < bar
        mark = "ok " if most < bar else "BIG"
        rest = f"; median {statistics.median(figures):.1f} of {len(figures)}" if len(figures) > 1 else ""
        print(f"{mark} {what}: at most {most:.1f} {unit}, the bar is {bar:g} {unit}{rest}", flush=True)


class Still(Runtime):
    """A runtime that gives bots the same random numbers in every run."""

    def bot_seed(self) -> int:
        return 7


def digest(secret: str) -> str:
    """Return the digest of a browser's secret, by which tables know it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def kilobytes(answer: httpx.Response) -> float:
    """Return the bytes that were sent."""
    return answer.num_bytes_downloaded / 1000


@dataclass
class Game:
    """A table at which the bot Club plays all seats. Each player has a browser of its own."""

    tables: Tables
    id: str
    chance: Seeded = field(default_factory=lambda: Seeded(7))

    @classmethod
    async def start(cls, tables: Tables, map_name: str) -> Game:
        options: dict[str, Any] = {"map": map_name, "players": PLAYERS, "leaders": "yes"}
        who = ["me"] + ["open"] * (PLAYERS - 1)
        table = await tables.making.open_lobby(TITLE, options, who, NAMES, holder=digest(SECRETS[0]))
        for player, (name, secret) in enumerate(zip(NAMES, SECRETS, strict=True)):
            if player:
                await tables.run(table.id, seats.claim, digest(secret), player, name)
        for player, secret in enumerate(SECRETS):
            await tables.run(table.id, seats.ready, digest(secret), player)
        return cls(tables, table.id)

    async def table(self) -> Table:
        return await self.tables.table(self.id)

    async def play(self) -> bool:
        """Play one move; return whether the game goes on."""
        table = await self.table()
        if table.game.over:
            return False
        seat = table.awaited_seats()[0]
        seen, legal = table.game.seen(1 << seat, table.pending), table.game.legal(seat)
        move = bot(table.title, "club").choose(seen, seat, legal.ids, self.chance)
        key = f"{table.decision}-{seat}"
        word = str(table.title.text.move(table.game.setup, move))
        await self.tables.submit(self.id, digest(SECRETS[seat]), seat, word, table.decision, key)
        return True

    async def play_on(self) -> None:
        """Play to the end."""
        while await self.play():
            pass


def application(folder: str) -> FastAPI:
    """Return a server with a new database."""
    url = f"sqlite:///{folder}/{len(list(Path(folder).iterdir()))}.sqlite3"
    return create_app(url, chance=Seeded(7), runtime=Still(), pace="instant")


# ---- sizes --------------------------------------------------------------------------------------


async def sizes(bars: Bars, folder: str, map_name: str) -> None:
    """Measure the first load, and every update of a whole game for the player who decides and a spectator."""
    what = MAPS[map_name][0]
    app = application(folder)
    asked, watched, previews, has = [], [], [], set[str]()
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://t.test", headers=CODINGS
        ) as client,
    ):
        game = await Game.start(app.state.tables, map_name)
        path = f"/t/{game.id}"
        client.cookies.set(COOKIE, SECRETS[0])
        first, home = await load(client, path), await load(client, "/")
        while not (table := await game.table()).game.over:
            seat = table.awaited_seats()[0]
            client.cookies.clear()
            client.cookies.set(COOKIE, SECRETS[seat])
            update = await client.get(path, headers=part(has))
            has.update(re.findall(STILL, text := update.text))
            asked.append(kilobytes(update))
            chains = [html.unescape(word) for word in re.findall(r'data-move="([^"]*;[^"]*)"', text)]
            if chains:
                body = {"seat": seat, "decision": table.decision, "move": max(chains, key=len)}
                answer = await client.post(f"{path}/preview", data=body, headers=part(has))
                previews.append(kilobytes(answer))
            if len(asked) % 5 == 0:
                client.cookies.clear()
                watched.append(kilobytes(await client.get(path, headers=part(has))))
            await game.play()
        over = await load(client, path)
        steps = int(re.findall(r'max="(\d+)"', (await client.get(f"{path}/replay")).text)[0])
        whole = [await load(client, f"{path}/replay?step={at}") for at in (0, steps // 2, steps)]
    bars.show(f"{what}: first load", [first], FIRST, "kB")
    bars.show("home: first load", [home], HOME, "kB")
    bars.show(f"{what}: update for who decides", asked, UPDATE, "kB")
    bars.show(f"{what}: update with a chosen drive", previews, UPDATE, "kB")
    bars.show(f"{what}: update for a spectator", watched, UPDATE, "kB")
    bars.show(f"{what}: podium, first load", [over], PODIUM, "kB")
    bars.show(f"{what}: page of a replay, first load", whole, REPLAYED, "kB")


def part(has: set[str]) -> dict[str, str]:
    """Return the headers that ask for an update; ``has`` are the parts of drawings that the page has."""
    return {"paddock-part": "main", "paddock-still": " ".join(has)}


async def load(client: httpx.AsyncClient, path: str) -> float:
    """Return the compressed kilobytes of a page and of every file that it loads."""
    page = await client.get(path)
    left, files = set(re.findall(r'"(/static/[^"]+)"', page.text)), dict[str, float]()
    while left:
        file = left.pop()
        answer = await client.get(file)
        assert answer.status_code == 200, file
        files[file] = kilobytes(answer)
        if file.endswith(".js"):
            modules = re.findall(r'from\s*"(\.[^"]+)"', answer.text)
            left |= {urljoin(file, module) for module in modules} - files.keys()
    return kilobytes(page) + sum(files.values())


# ---- the browser --------------------------------------------------------------------------------

# Counts updates, and marks in a trace where they begin.
COUNT = """
addEventListener("DOMContentLoaded", () => {
  const morph = window.Idiomorph.morph;
  window.updates = 0;
  window.begin = () => (performance.mark("update"), window.updates);
  window.Idiomorph.morph = (...given) => {
    performance.mark("morph-start");
    try { return morph(...given); }
    finally { performance.mark("morph-end"); window.updates += 1; }
  };
});
"""


@contextlib.asynccontextmanager
async def serving(folder: str) -> AsyncIterator[tuple[str, Tables]]:
    """Run a server; yield its address and its tables."""
    app = application(folder)
    listener = listen("127.0.0.1", 0)
    server = Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1), app)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:  # noqa: ASYNC110 (it has no event)
        await asyncio.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", app.state.tables
    finally:
        server.should_exit = True
        await running


STYLES = {"UpdateLayoutTree", "Layout"}
PARTS = ("script", "styles and layout", "painting")
PAINT = {"PrePaint", "Paint", "Layerize", "Commit"}


async def measured(page: Page, act: Callable[[], Awaitable[Any]]) -> bool:
    """Do something that updates the page; return whether it came. A trace tells how long it took."""
    count = await page.evaluate("begin()")
    await act()
    try:
        await page.wait_for_function("count => updates > count", arg=count, timeout=20_000)
        await page.wait_for_function("() => document.getElementById('main').ariaBusy !== 'true'")
        await page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    except Late:
        return False
    return True


def updates(trace: bytes) -> list[dict[str, float]]:
    """Return for each update the CPU time in ms, by what it went into.

    «script» is the task of the update without styles and layout, and has the «morphing».
    """
    events = json.loads(trace)["traceEvents"]
    first = next(e for e in events if e["name"] == "update")
    mine = [e for e in events if (e["pid"], e["tid"]) == (first["pid"], first["tid"])]
    begins = sorted(e["ts"] for e in mine if e["name"] == "update")
    # A task that is still running when the trace ends has no duration, and holds no whole update.
    whole_tasks = [e for e in mine if e["name"] == "RunTask" and "dur" in e]
    tasks = sorted((e["ts"], e["dur"], e.get("tdur", 0)) for e in whole_tasks)
    morphs = {bisect(begins, e["ts"]) - 1: e["ts"] for e in mine if e["name"] == "morph-start"}
    whole = {at: tasks[bisect(tasks, (morph, math.inf)) - 1] for at, morph in morphs.items()}
    out: list[dict[str, float]] = [Counter() for _begin in begins]
    for at, (_start, _long, spent) in whole.items():
        out[at]["script"] = spent / 1000
    for e in mine:
        at = bisect(begins, e["ts"]) - 1
        if at not in whole:
            continue
        if e["name"] in ("morph-start", "morph-end"):
            out[at]["morphing"] += e["tts"] / (1000 if e["name"] == "morph-end" else -1000)
        elif e["name"] in STYLES:
            out[at]["styles and layout"] += e.get("tdur", 0) / 1000
            if whole[at][0] <= e["ts"] <= whole[at][0] + whole[at][1]:
                out[at]["script"] -= e.get("tdur", 0) / 1000
        elif e["name"] in PAINT:
            out[at]["painting"] += e.get("tdur", 0) / 1000
    return [out[at] | {"all": sum(out[at][part] for part in PARTS)} for at in sorted(whole)]


async def planning(game: Game) -> None:
    """Play until the first player plans."""
    while True:
        table = await game.table()
        first = table.game.legal(0).ids[0] if 0 in table.awaited_seats() else None
        if first is not None and str(table.title.text.move(table.game.setup, first)).startswith("plan"):
            return
        await game.play()


PRESSED = """() => {
    const plus = [...document.querySelectorAll("[data-by='1']")];
    const button = plus.find((one) => one.getAttribute("aria-disabled") !== "true") ??
        document.querySelector("[data-clear]");
    button.click();
    document.body.getBoundingClientRect();
}"""


async def presses(page: Page) -> list[float]:
    """Press «+» in a plan again and again; return the ms of processor time of each."""
    await page.wait_for_selector("[data-by='1']")
    session = await page.context.new_cdp_session(page)
    await session.send("Performance.enable", {"timeDomain": "threadTicks"})
    out = []
    for _n in range(PRESSES):
        before = await spent(session)
        await page.evaluate(PRESSED)
        out.append(await spent(session) - before)
    await session.detach()
    return out


async def spent(session: CDPSession) -> float:
    """Return the ms of processor time that a page has spent in all its tasks."""
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    return 1000 * float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


async def browse(bars: Bars, folder: str, map_name: str, most: int, steps: int) -> None:
    """Measure the updates of a game and the steps of its replay in Chromium."""
    what, bar = MAPS[map_name]
    async with serving(folder) as (address, tables), async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=needs.chromium(), args=list(needs.CHROMIUM_FLAGS)
        )
        context = await browser.new_context(viewport=SIZE)
        await context.add_cookies([{"name": COOKIE, "value": SECRETS[0], "url": address}])
        await context.add_init_script(COUNT)
        page = await context.new_page()
        game = await Game.start(tables, map_name)
        await planning(game)
        await page.goto(f"{address}/t/{game.id}", wait_until="load")
        bars.show(f"{what}: + in a plan, styles, layout and script", await presses(page), PRESS, "ms")
        await browser.start_tracing(page=page, categories=CATEGORIES)
        for _n in range(most):
            if (await game.table()).game.over or not await measured(page, game.play):
                break
        found = updates(await browser.stop_tracing())
        show(bars, f"{what}: an update of a game", found, bar, "script")
        styles, script = (
            sum(update.get(part, 0) for update in found) for part in ("styles and layout", "script")
        )
        bars.show(f"{what}: styles and layout for each ms of script", [styles / script], RATIO, "ms")
        await game.play_on()
        await page.goto(f"{address}/t/{game.id}/replay", wait_until="load")
        await browser.start_tracing(page=page, categories=CATEGORIES)
        forward, taken = page.locator("a[data-step=forward]"), []
        while await forward.count() and len(taken) < steps:
            started = time.perf_counter()
            if not await measured(page, forward.click):
                break
            taken.append(1000 * (time.perf_counter() - started))
        show(bars, f"{what}: a step of the replay", updates(await browser.stop_tracing()), STEP, "all")
        print(f"    from the click to the new picture: median {statistics.median(taken):.0f} ms (wall clock)")
        await browser.close()


CATEGORIES = ["devtools.timeline", "blink.user_timing", "disabled-by-default-devtools.timeline"]


def show(bars: Bars, what: str, found: Sequence[dict[str, float]], bar: float, part: str) -> None:
    """Print the time of one part beside the bar, for the fastest 95 %, and the other times for all."""
    times = sorted(update[part] for update in found)[: max(1, round(0.95 * len(found)))]
    bars.show(f"{what}: {part}, 95 % of them", times, bar, "ms")
    for name in ("morphing", *PARTS, "all"):
        figures = [update.get(name, 0) for update in found]
        print(f"    {name}: median {statistics.median(figures):.1f} ms, at most {max(figures):.1f}")


async def main() -> bool:
    """Print all figures; return whether they are below their bars."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="?", choices=("sizes", "browser"), help="by default both")
    parser.add_argument("--map", choices=tuple(MAPS), help="by default both")
    parser.add_argument("--most", type=int, default=150, help="updates of a game in the browser")
    parser.add_argument("--steps", type=int, default=10_000, help="steps of the replay in the browser")
    args = parser.parse_args()
    bars = Bars()
    for map_name in [args.map] if args.map else MAPS:
        with tempfile.TemporaryDirectory() as folder:
            if args.part != "browser":
                await sizes(bars, folder, map_name)
            if args.part != "sizes":
                await browse(bars, folder, map_name, args.most, args.steps)
    return bars.fine


if __name__ == "__main__":
    sys.exit(not asyncio.run(main()))
