"""A week of play over days: every reminder comes once, and nothing comes in quiet hours."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from features.reach.reached import SITE, Days, Ears, calling, hook, wishes_of
from paddock.features.reach.calls import REMINDER
from paddock.features.reach.quiet import Quiet, reminder
from paddock.features.reach.rows import ChannelRow
from paddock.features.reach.ways.way import Sent
from paddock.features.reach.words import Message
from paddock.tables import clock, forced
from sampling import SEED, count
from tables.clockwork import PEOPLE, friends, play
from tables.harness import ANA

pytestmark = pytest.mark.anyio
DAYS = count(2, 7)
TABLES = count(1, 4)
HOUR = 3600.0
NEVER = datetime.max.replace(tzinfo=UTC)
# Quiet hours and reminders of each person.
ASKED = [
    {"zone": "Europe/Berlin", "quiet_from": 22 * 60, "quiet_to": 7 * 60, "remind": 3 * 3600},
    {"zone": "America/New_York", "quiet_from": 23 * 60, "quiet_to": 8 * 60, "remind": 6 * 3600},
    {"zone": "Australia/Sydney", "quiet_from": 0, "quiet_to": 6 * 60, "remind": 12 * 3600},
    {"zone": "UTC", "quiet_from": None, "quiet_to": None, "remind": 3600},
]


class Dated(Ears):
    """Notes when each message came."""

    def __init__(self, runtime: Days) -> None:
        super().__init__()
        self.runtime = runtime
        self.noted: list[tuple[datetime, ChannelRow, Message]] = []

    async def send(self, channel: ChannelRow, message: Message, contact: str) -> Sent:
        self.noted.append((self.runtime.now(), channel, message))
        return Sent(True)  # at once, so that several for one person do not wait for each other


@pytest.mark.slow("the clocks of some tables over days")
@pytest.mark.timeout(1800)
async def test_every_reminder_once_and_none_in_quiet_hours(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "rhythm", lambda _table: 3600.0)  # a clock that is saved costs a while
    choose, runtime = random.Random(f"week {SEED}"), Days()
    ears = Dated(runtime)
    async with calling(database, ears, runtime) as tables:
        await hook(tables, *PEOPLE)
        for holder, asked in zip(PEOPLE, ASKED, strict=True):
            await wishes_of(tables).keep(holder, SITE, everywhere=True, **asked)  # type: ignore[arg-type]
        games = [
            await friends(tables, 4, races=9, clock=f"{20 * 3600}+{9 * 3600}", grace=0) for _ in range(TABLES)
        ]
        quiet = {
            holder: Quiet.of(row)
            for holder in PEOPLE
            if (row := (await wishes_of(tables).of(holder, SITE)).reach)
        }
        ends: dict[
            tuple[str, int, str], tuple[datetime, datetime]
        ] = {}  # when a turn opened, and its clock ends
        moves: dict[tuple[str, int, int], float] = {}  # when each person will move
        closed: dict[tuple[str, int, str], datetime] = {}
        while runtime.time < DAYS * 24 * HOUR:
            for game in games:
                table = await tables.table(game.id)
                for seat in table.awaited_seats():
                    player = table.players[table.options.owners[seat]]
                    if (
                        forced.of(table, seat)
                        or player.automatic
                        or (table.id, table.decision, seat) in moves
                    ):
                        continue
                    assert table.opened_at and player.bank_ms is not None and player.holder
                    key = table.id, table.decision, player.holder
                    # A reference of its own: what is left on the clock that the page shows.
                    left = tables.left(table)[player.index]
                    assert left is not None
                    ends[key] = runtime.now(), runtime.now() + timedelta(milliseconds=left)
                    wait = choose.choice((0.02, 0.5, 0.9, 0.97, 0.99)) * left / 1000
                    moves[table.id, table.decision, seat] = runtime.time + wait
                for (id, decision, seat), when in sorted(moves.items(), key=lambda one: one[1]):
                    if id == table.id and decision == table.decision and when <= runtime.time:
                        player = table.players[table.options.owners[seat]]
                        if seat in table.awaited_seats() and not player.automatic:
                            closed[id, decision, str(player.holder)] = runtime.now()
                            await play(tables, table, seat)
            await runtime.let(tables, HOUR / 4)
    for at, channel, _message in ears.noted:
        hours = quiet[channel.holder]
        assert hours is None or not hours.covers(at)
    ids = Counter(message.id for _at, _channel, message in ears.noted)
    assert max(ids.values()) == 1
    assert {message.kind for _at, _channel, message in ears.noted} == {"turn", REMINDER}
    got = [
        (message.table, channel.holder, at) for at, channel, message in ears.noted if message.kind == REMINDER
    ]
    needed, useful = set(), set()
    for (id, decision, holder), (opened, deadline) in ends.items():
        if holder == ANA and decision == min(number for other, number, _who in ends if other == id):
            continue  # she sat there alone when it opened
        remind = timedelta(seconds=ASKED[PEOPLE.index(holder)]["remind"] or 0)
        due = reminder(deadline, remind, opened, quiet[holder])
        until = min(closed.get((id, decision, holder), NEVER), deadline, runtime.now())
        if due and due <= until:
            useful.add((id, holder, due))
            needed |= {(id, holder, due)} if due < until else set()
    assert len(got) == len(set(got)) >= count(2, 30)
    assert needed <= set(got) <= useful
