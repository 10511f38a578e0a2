"""Plays where a process has one thread alone, as in a browser: run it with an empty folder.

Threads, processes, greenlets and the drivers that need them are gone before Paddock is imported.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

GONE = {"_multiprocessing", "aiosqlite", "greenlet", "multiprocessing", "numba", "numpy"}


class Without:
    """A finder of modules that finds nothing of what a browser has not."""

    def __init__(self, finder: Any) -> None:
        self._finder = finder

    def find_spec(self, name: str, *more: Any) -> Any:
        """Return where a module is; None if it is nowhere."""
        return None if name.partition(".")[0] in GONE else self._finder.find_spec(name, *more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)


def no_thread(*_args: object, **_more: object) -> None:
    """Refuse to start a thread."""
    raise RuntimeError("there are no threads")


sys.meta_path[:] = map(Without, sys.meta_path)
threading.Thread.start = no_thread  # type: ignore[method-assign]
if hasattr(time, "CLOCK_BOOTTIME"):
    time.CLOCK_BOOTTIME = 999  # type: ignore[misc]  # it has a name, and cannot be read
del time.thread_time

import httpx  # noqa: E402
from fastapi import FastAPI  # noqa: E402

from paddock.bots import judging  # noqa: E402
from paddock.bots.analysis import Judgement  # noqa: E402
from paddock.bots.imagining import Effort, Plain  # noqa: E402
from paddock.core.beside import Steps, in_steps  # noqa: E402
from paddock.features import FEATURES  # noqa: E402
from paddock.features.analyses.service import Analyses  # noqa: E402
from paddock.features.situations.service import PlayerMoments  # noqa: E402
from paddock.kernel.source import Seeded  # noqa: E402
from paddock.server.app import create_app  # noqa: E402
from paddock.tables import means  # noqa: E402
from tables.light import judge_some_lightly, last_first, value_some_lightly  # noqa: E402
from web.helpers import forms, page, tables_of, turn  # noqa: E402
from web.streams import Stream  # noqa: E402

RACES = {
    "lacorsa": {"races": "1", "drivers": "4"},
    "rasant": {"games": "1", "players": "3"},
    "great_race": {"players": "2"},
}
LITTLE = replace(means.ONE_THREAD, imagining=Plain(Effort(worlds=8, work=1000, glances=0, hint=20, probe=1)))
STEP = 0.004  # seconds of one judgement
steps_done = 0


@asynccontextmanager
async def running(url: str) -> AsyncIterator[tuple[FastAPI, httpx.AsyncClient]]:
    """Open the application with a file; and a client of it."""
    app = create_app(url, chance=Seeded(7), pace="instant", means=LITTLE)
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://paddock.test") as client,
    ):
        yield app, client


async def play(client: httpx.AsyncClient, path: str, moves: int = 1000) -> bool:
    """Play the first move that each form takes; return whether the race is over."""
    tables = tables_of(client)
    table = await tables.table(path.rpartition("/")[2])
    for _ in range(moves):
        await turn(tables, table)
        if table.game.over:
            return True
        form = forms(await page(client, path))[0]
        for move in form.moves:
            if (await client.post(f"{path}/move", data=form.data(move))).status_code == 303:
                break
        else:
            raise AssertionError(f"no move of {path} is taken")
    return False


async def races(url: str) -> dict[str, str]:
    """Play a race of each title against Clubs, and each over a restart; return their paths."""
    paths, cookies = dict[str, str](), httpx.Cookies()
    for begun in (False, True):
        async with running(url) as (app, client):
            client.cookies = cookies
            for title, options in RACES.items():
                if not begun:
                    await client.get(f"/new/{title}")
                    others = {f"who-{n}": "club" for n in range(2, 7)}
                    fields = {"title": title, "who-1": "me", "pace": "instant"} | others | options
                    answer = await client.post("/tables", data=fields)
                    assert answer.status_code == 303, answer.text
                    paths[title] = answer.headers["location"]
                stream = Stream(app, f"{paths[title]}/stream", client)
                over = await play(client, paths[title], 1000 if begun else 2)
                assert over == begun
                await stream.until(1)
                stream.task.cancel()
                assert not over or "/replay" in (await client.get(paths[title])).text
            static = await client.get(app.state.pages.asset("paddock.css"))
            assert static.status_code == 200
            cookies = client.cookies
    return paths


@in_steps
def judge_slowly(
    pieces: Sequence[bytes], worlds: int, seed: str, seconds: float, *_more: object
) -> Steps[list[Judgement]]:
    """Judge the first of several decisions, and take a while for each."""
    global steps_done
    judged = list[Judgement]()
    for piece in pieces[:20]:
        time.sleep(STEP)
        judged += judge_some_lightly([piece], worlds, seed, seconds)
        steps_done += 1
        yield
    return judged


async def analysed(url: str, path: str) -> None:
    """Requests are answered between the steps of an analysis."""
    fakes: Any = judging
    fakes.glance, fakes.judge_some, fakes.value_some = last_first, judge_slowly, value_some_lightly
    async with running(url) as (app, client):
        analyses = app.state.tables.service(Analyses)
        id = path.rpartition("/")[2]
        await analyses.start(id)
        waited = list[int]()
        while run := analyses.run(id):
            assert not run.fault
            before = steps_done
            assert (await client.get("/rules/rasant")).status_code == 200
            waited.append(steps_done - before)
            await asyncio.sleep(0)
        assert await analyses.of(await app.state.tables.table(id))
        assert steps_done > 10 and len(waited) > steps_done / 8 and max(waited) <= 8, waited


async def thought(url: str, path: str) -> None:
    """An analysis is made here, and requests are answered between its steps; so is a hint. Both say how much
    they are worth."""
    async with running(url) as (app, client):
        tables, id = app.state.tables, path.rpartition("/")[2]
        analyses, answered = tables.service(Analyses), 0
        await analyses.start(id)
        while run := analyses.run(id):
            assert not run.fault
            answered += (await client.get("/healthz")).status_code == 200
            await asyncio.sleep(0)
        made = await analyses.of(await tables.table(id))
        assert made and answered > 20, answered
        people = {judged.seat for judged in made.analysis.judgements}
        assert people == {0} and made.analysis.moments and made.analysis.models == ("club", "slipping")
        assert all(turn.error for turn in made.turns if turn.cost), "intervals are honest"
        assert abs(sum(account.result for account in made.ledger)) < 1e-9
        for feature in FEATURES:
            if feature.chores:
                await feature.chores(tables)
        assert id not in await tables.service(PlayerMoments).uncounted(["lacorsa"]), "the network was asked"
        replay = (await client.get(f"{path}/replay")).text
        assert "A server plays up to 1,000" in replay and "told-story" in replay

        await client.get("/new/lacorsa")
        fields = {"title": "lacorsa", "who-1": "me", "who-2": "club", "drivers": "2", "pace": "instant"}
        at = (await client.post("/tables", data=fields)).headers["location"]
        await turn(tables, table := await tables.table(at.rpartition("/")[2]))
        assert f'href="{at}/hint"' in (await client.get(at)).text
        for step in ("matters", "worth"):
            asked = {"step": step, "decision": str(table.decision)}
            hint = (await client.post(f"{at}/hint", data=asked)).text
        assert "There is time for few games here: 8 for each" in hint and hint.count("±") > 5


async def main(folder: str) -> None:
    """Do all of it."""
    url = f"sqlite:///{folder}/tables.sqlite3"
    paths = await races(url)
    await thought(url, paths["lacorsa"])
    await analysed(url, paths["rasant"])
    assert threading.active_count() == 1
    assert not GONE & {name.partition(".")[0] for name in sys.modules}


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
