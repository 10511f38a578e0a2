"""A championship whose log and record are long, and work for worker processes that waits for a file."""

from __future__ import annotations

import asyncio
import os
import time
from functools import cache
from pathlib import Path

import paddock
from paddock import records
from paddock.bots import judging, workers
from paddock.core.game import Game
from paddock.kernel.source import Seeded
from paddock.tables import replaying
from tables.clockwork import PATIENCE_S


@cache
def championship() -> str:
    """Return the record of a championship of twelve cars."""
    game = paddock.start("lacorsa", drivers=12, races=9, large_grid=True, seed=1)
    rng = Seeded(1)
    while not game.over:
        seat = game.deciders[0]
        legal = game.legal(seat).ids
        game.play(seat, legal[rng.below(len(legal))])
    text = records.write(game, date="2026-03-01", players=[(name, None) for name in game.names])
    assert len(game.log) > replaying.LONG_LOG and len(text) > replaying.LONG_TEXT
    return text


def held(folder: str) -> int:
    """Write this process's id to ``pid``, wait for the file ``go``, and return the id."""
    (Path(folder) / "pid.new").write_text(str(os.getpid()))
    (Path(folder) / "pid.new").rename(Path(folder) / "pid")
    end = time.monotonic() + PATIENCE_S
    while not (Path(folder) / "go").exists():
        if time.monotonic() > end:
            raise RuntimeError("nobody wrote the file")
        time.sleep(0.01)
    return os.getpid()


async def begun(folder: Path) -> int:
    """Return the id of the process that is held in this folder, once there is one."""
    async with asyncio.timeout(PATIENCE_S):
        for _ in iter((folder / "pid").exists, True):
            await asyncio.sleep(0.01)
    return int((folder / "pid").read_text())


really = replaying.upload


def held_upload(text: str) -> replaying.Uploaded:
    """Upload a record, but wait in the folder $PADDOCK_TEST_HELD first."""
    held(os.environ["PADDOCK_TEST_HELD"])
    return really(text)


packed = judging.packed


def held_packed(game: Game) -> tuple[list[bytes], list[bytes]]:
    """Return the decisions and moments of a game, but wait in the folder $PADDOCK_TEST_HELD first."""
    held(os.environ["PADDOCK_TEST_HELD"])
    return packed(game)


think = workers.think


def held_think(parcel: workers.Parcel) -> int:
    """Choose a move, but at Rasant wait in the folder $PADDOCK_TEST_HELD first."""
    if parcel.title == "rasant":
        held(os.environ["PADDOCK_TEST_HELD"])
    return think(parcel)
