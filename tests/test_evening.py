"""``scripts/evening.py`` in small: programs play an evening to its end, and a killed server loses nothing."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

import evening
import kill
import sampling
from test_kill import COLD, forked


@pytest.mark.slow("a server, started again, and processes for its bots")
def test_programs_play_an_evening_of_a_server_that_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--programs", "10", "--deals", "2", "--kills", "1", "--folder", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", ["evening.py", *words])
    monkeypatch.setattr(evening, "INTO", 2)
    if not sampling.WHOLE:
        monkeypatch.setattr(kill, "SERVER", COLD)
        monkeypatch.setattr(evening, "serving", forked)
    failed = evening.main()
    printed = capsys.readouterr().out
    assert not failed, printed
    assert "all stored once; the server was killed 1 times" in printed


def test_a_feed_hands_over_whole_events_and_no_heartbeats() -> None:
    told = asyncio.Queue[str]()
    feed = evening.Feed(told)
    for part in (b"id: 1\ndata: {", b"}\n\nevent: beat\ndata: 1\n\nda", b"ta: 2\n\n"):
        feed.hear(part)
    assert [told.get_nowait() for _ in range(told.qsize())] == ["{}", "2"]
