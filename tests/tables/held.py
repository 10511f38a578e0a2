"""Work for worker processes: it fails, says something, or waits for a file.

They import it from here, so this imports no tables and no database: each worker would pay for them.
"""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

from paddock.bots import judging, workers
from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.i18n import language

PATIENCE_S = 120.0  # a test that fails ends at last


def refuse(error: PaddockError) -> None:
    raise error


def fail() -> None:
    raise LookupError("a fault of the program")


def spoken() -> str:
    return language.get()


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
