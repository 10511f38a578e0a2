"""Where a process has one thread alone, as in a browser, the same application plays."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from paddock.core.beside import Lost, Steps, TaskLate, in_steps
from paddock.core.one_thread import Sliced

TESTS = Path(__file__).parent.parent


@pytest.mark.slow("plays a race of each title in a process of its own")
def test_races_are_played_in_one_thread(tmp_path: Path) -> None:
    script = [sys.executable, str(TESTS / "server" / "alone.py"), str(tmp_path)]
    more = {"PYTHONPATH": str(TESTS), "PADDOCK_RATE_ADDRESS": "0", "PADDOCK_RATE_HOLDER": "0"}
    done = subprocess.run(script, env=os.environ | more, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr[-4000:]


@in_steps
def counted(numbers: list[int], most: int) -> Steps[int]:
    """Count up to ``most``, one number a step."""
    for n in range(most):
        numbers.append(n)
        yield
    return most


@pytest.mark.anyio
async def test_a_task_gives_way_between_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop turns while a task is done; its answer and its errors are those of the function."""
    monkeypatch.setattr("paddock.core.one_thread.SLICE", 0.0001)
    pool, numbers = Sliced(), list[int]()
    future = asyncio.wrap_future(pool.submit(counted, numbers, 100_000))
    seen = list[int]()
    while not future.done():
        await asyncio.sleep(0)
        seen.append(len(numbers))
    assert await future == 100_000 and len(set(seen)) > 10
    assert counted([], 3) == 3
    with pytest.raises(ZeroDivisionError):
        await asyncio.wrap_future(pool.submit(divmod, 1, 0))
    with pytest.raises(TaskLate):
        await asyncio.wrap_future(pool.submit(counted, [], 100_000, seconds=0.001))
    running, waiting = pool.submit(counted, [], 1 << 40), pool.submit(counted, [], 1)
    await asyncio.sleep(0.01)
    pool.close()
    for lost in (running, waiting):
        with pytest.raises(Lost):
            await asyncio.wrap_future(lost)
    with pytest.raises(Lost):
        pool.submit(counted, [], 1)
