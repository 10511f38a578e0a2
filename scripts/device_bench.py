"""Measures the pack in Chromium: its size, and how long it takes to start and to answer a move.

    python scripts/device_bench.py [--folder FOLDER] [--moves 40] [--starts 3]

It packs into a temporary folder, unless it gets a folder that has a pack, and serves it at /p/ as the
simplest hosts do: without compression, with 404.html for what is not there. Titles are played by the form of
a race against the bots of «Race now», without their pauses. Times are medians, of this machine alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import brotli
from playwright.sync_api import Browser, BrowserContext, Frame, Page, sync_playwright

import paddock
from paddock.device.pack import PACKED, pack

BARS = {"lacorsa": 150, "great_race": 400}  # ms for an answer
ASKED = "#state[data-turn=yes]"
MAKE = """async (title) => {
    const page = await (await fetch(`/p/?title=${title}`)).text();
    const form = new DOMParser().parseFromString(page, "text/html").querySelector("form[action='/p/tables']");
    const body = new URLSearchParams(new FormData(form));
    body.set("pace", "instant");
    return (await fetch("/p/tables", { method: "POST", body })).url;
}"""
MOVE = """async (random) => {
    const form = () => document.querySelector(".ask:not(:has(.change)) form.compose");
    const over = () => document.querySelector("a[href$='/replay']");
    const pause = () => new Promise((go) => setTimeout(go, 2));
    while (!form() && !over()) await pause();
    if (over()) return null;
    const body = new URLSearchParams(new FormData(form()));
    const decision = body.get("decision");
    const all = [...form().querySelectorAll("select[name=move] option")].map((option) => option.value);
    const options = all.filter(Boolean);
    body.set("move", options[Math.floor(random * options.length)]);
    const parts = [...document.querySelectorAll("[data-still]:not(:empty)")]; // as the page's scripts ask
    const still = parts.map((part) => part.dataset.still).join(" ");
    const headers = { "paddock-part": "main", "paddock-still": still };
    const begun = performance.now();
    const answer = await fetch(form().action, { method: "POST", body, headers });
    await answer.text();
    const answered = performance.now() - begun;
    const next = () => form() && new FormData(form()).get("decision") !== decision;
    while (!next() && !over() && performance.now() - begun < 20000) await pause();
    return [answer.status, answered, performance.now() - begun];
}"""


class Host(SimpleHTTPRequestHandler):
    """Serves a folder at /p/, with its own page for what is not there."""

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix("/p")) if path.startswith("/p/") else "/nowhere"

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory, "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def served(folder: Path, port: int = 0) -> Iterator[str]:
    """Serve a folder; yield the address of its shell page."""
    with ThreadingHTTPServer(("127.0.0.1", port), partial(Host, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/p/"
        server.shutdown()


def sizes(folder: Path) -> dict[str, float]:
    """Return what a first visit loads, in MB: as it is stored, and from a host that compresses all of it."""
    (inside,) = (folder / "pack").iterdir()
    sums = {"stored": 0, "gzip": 0, "brotli": 0}
    for path in (*inside.iterdir(), folder / "index.html", folder / "sw.js", folder / "pack.json"):
        stored = path.read_bytes()
        data = gzip.decompress(stored) if path.name.endswith(PACKED) else stored
        sums["stored"] += len(stored)
        sums["gzip"] += min(len(data), len(gzip.compress(data, 9)))
        sums["brotli"] += min(len(data), len(brotli.compress(data, lgwin=24)))
    return {name: total / 1e6 for name, total in sums.items()}


def app_of(page: Page) -> Frame:
    """Return the frame of the application."""
    frame = page.query_selector("#frame")
    content = frame.content_frame() if frame else None
    assert content, "the shell page has a frame"
    return content


def started(context: BrowserContext, address: str, press: bool) -> tuple[Page, dict[str, float]]:
    """Open the shell page; return it, and when home was there, when Python was, and the first decision if
    «Race now» is pressed at once."""
    page, begun = context.new_page(), time.perf_counter()
    page.goto(address)
    frame = page.frame_locator("#frame")
    frame.locator("button.door").wait_for()
    times = {"home": time.perf_counter() - begun}
    if press:
        frame.locator("button.door").click()
        frame.locator(ASKED).wait_for(state="attached", timeout=120_000)
        times["decision"] = time.perf_counter() - begun
    page.wait_for_selector("html[data-times]", timeout=120_000)  # the policy forbids what waits for functions
    times["ready"] = json.loads(page.evaluate("document.documentElement.dataset.times"))["ready"] / 1000
    return page, times


def answers(page: Page, title: str, moves: int) -> list[tuple[float, float]]:
    """Return the times of moves in ms: until the answer has come, and until the next question is there."""
    frame = app_of(page)
    frame.wait_for_selector("#main")
    frame.goto(frame.evaluate(MAKE, title))
    taken = list[tuple[float, float]]()
    while len(taken) < moves:
        frame.wait_for_selector("#state", state="attached")
        told = frame.evaluate(MOVE, (len(taken) * 0.618) % 1)
        if told is None:
            frame.goto(frame.evaluate(MAKE, title))
        else:
            assert told[0] == 200, told
            taken.append((told[1], told[2]))
    return taken


def measured(browser: Browser, address: str, moves: int, starts: int) -> None:
    """Print how long everything takes."""
    context = browser.new_context(viewport={"width": 1366, "height": 657})
    page, cold = started(context, address, press=False)
    page.close()
    print(f"first visit: home after {cold['home']:.1f} s; Python takes {cold['ready']:.1f} s", flush=True)
    later = list[dict[str, float]]()
    for _again in range(starts):
        page, times = started(context, address, press=True)
        later.append(times)
        if _again < starts - 1:
            page.close()
    middle = {name: statistics.median(times[name] for times in later) for name in later[0]}
    print(
        f"later visits: home after {middle['home']:.1f} s, a first decision after {middle['decision']:.1f} s"
        f" (bar: 6); Python takes {middle['ready']:.1f} s",
        flush=True,
    )
    for title in paddock.titles():
        taken = answers(page, title, moves)
        for name, times in zip(("answer", "next question"), zip(*taken, strict=True), strict=True):
            ninth = statistics.quantiles(times, n=10)[-1]
            bar = f" (bar: {BARS[title]})" if title in BARS and name == "answer" else ""
            print(f"{title}, {name}: {statistics.median(times):.0f} ms, p90 {ninth:.0f} ms{bar}", flush=True)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--folder", type=Path, help="one that has a pack")
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--no-sizes", action="store_true", help="brotli takes a minute")
    given = parser.parse_args()
    with TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch)
        if not given.folder:
            pack(folder)
        if not given.no_sizes:
            words = ", ".join(f"{total:.1f} MB {name}" for name, total in sizes(folder).items())
            print(f"a first visit loads {words} (bars: 15 gzip, 12 brotli)", flush=True)
        with served(folder) as address, sync_playwright() as playwright:
            path = "/usr/bin/chromium-headless-shell"
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            measured(browser, address, given.moves, given.starts)
            browser.close()


if __name__ == "__main__":
    main()
