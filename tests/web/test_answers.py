"""What the API says is written piece by piece, and is the same as if it was written whole."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from paddock.core import plain_json
from paddock.core.quick_json import Fragment
from paddock.core.title import title as find_title
from paddock.tables import Table, Tables, undo
from paddock.web.api.answers import encoded
from paddock.web.api.telling import Telling, _clock, story_out
from paddock.web.model import Guest, Models
from paddock.web.streams import News
from store.databases import prepared
from tables.harness import ANA, service

pytestmark = pytest.mark.anyio


def by_both(answer: object, default: Callable[[Any], Any], option: int) -> bytes:
    """Return an answer as JSON by orjson, and see that Python's own module writes the same."""

    def plain(part: Any) -> Any:
        return plain_json.Fragment(orjson.dumps(part)) if isinstance(part, Fragment) else default(part)

    made = orjson.dumps(answer, default, option)
    assert plain_json.dumps(answer, plain, option) == made
    return made


def told(telling: Telling, models: Models, tables: Tables, table: Table, player: int | None) -> News:
    """Return what a reader with these eyes is told; the one with the first player is the host."""
    mine = () if player is None else (player,)
    left, now = tables.left(table), tables.runtime.now()
    return telling.of(table, models, player, mine, player == 0, Guest(), lambda: left, now)


def test_an_answer_that_is_kept_takes_no_more_memory_than_it_has_bytes() -> None:
    """What orjson returns keeps its buffer of a kilobyte or more: a hundred MB in the cache of sentences."""
    tracemalloc.start()
    try:
        kept = [encoded({"entry": n}) for n in range(100)]
        assert tracemalloc.get_traced_memory()[0] / len(kept) < 200
    finally:
        tracemalloc.stop()
    assert kept[7] == b'{"entry":7}'


@pytest.mark.parametrize(("title", "players"), [("lacorsa", 3), ("rasant", 2), ("great_race", 2)])
async def test_a_story_that_grows_is_the_story_whole(
    title: str, players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paddock.web.api.answers.dumps", by_both)
    rng, telling, undone = random.Random(3), Telling(), 0
    async with service(prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}")) as tables:
        options = {find_title(title).players_option: players}
        table = await tables.making.create(title, options, ["me"] * players, holder=ANA)
        models = Models()
        for n in range(60):
            if not table.running:
                break
            player = table.awaited()[0]
            seat, choices = rng.choice(table.moves(player))
            move = rng.choice(choices)[1]
            await tables.submit(table.id, ANA, seat, move, table.decision, f"{n}")
            if n % 7 == 6:
                models = Models()
            if n % 5 == 4 and models.of(table, player).undoer is not None:
                await tables.run(table.id, undo.request, ANA)
                undone += 1
            for eyes in (*range(players), None):
                model = models.of(table, eyes)
                whole = orjson.loads(encoded(story_out(model.scene)))
                assert orjson.loads(telling.story_of(table.id, model.scene).text) == whole
                new = told(Telling(), Models(), tables, table, eyes)
                assert told(telling, models, tables, table, eyes) == new
                if eyes is not None:
                    decisions = models.decisions(table, eyes)
                    assert decisions == model.decisions and model.scene.seen.state == table.seen(eyes).state
        assert undone or title == "lacorsa"


async def test_players_who_were_told_the_same_share_a_story(tmp_path: Path) -> None:
    async with service(prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}")) as tables:
        models, telling = Models(), Telling()
        for title, shared in (("lacorsa", True), ("great_race", False)):
            options = {find_title(title).players_option: 3}
            table = await tables.making.create(title, options, ["me"] * 3, holder=ANA)
            first, second = (telling.story_of(table.id, models.of(table, player).scene) for player in (0, 1))
            assert (first is second) is shared


@pytest.mark.parametrize(
    ("left", "runs", "said"),
    [
        (None, True, (None, None)),
        (0, False, (0, None)),
        (60_000, False, (60_000, None)),
        (0, True, (None, 0)),
        (249, True, (None, 0)),
        (250, True, (None, 1)),
        (61_100, True, (None, 61)),
    ],
)
def test_a_clock_that_runs_has_an_end_in_whole_seconds_and_one_that_stands_the_time_left(
    left: int | None, runs: bool, said: tuple[int | None, int | None]
) -> None:
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    person: Any = SimpleNamespace(runs=runs)
    found = orjson.loads(b'{"index":0' + _clock(person, left, noon + timedelta(milliseconds=250)))
    ms, seconds = said
    ends = None if seconds is None else (noon + timedelta(seconds=seconds)).isoformat()
    assert found == {"index": 0, "clock_ms": ms, "clock_ends": ends and ends.replace("+00:00", "Z")}
