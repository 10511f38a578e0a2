"""A host with several browsers wants to read a rival's hand, by any order of what people can do at a table.

Commands are pure functions, so the search walks from table to table in memory, and over each arrangement of
seats, requests and links once. The rival agrees to nothing, but comes back, and uses another browser.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest

from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.title import title
from paddock.features.watching.frames import allow_frames
from paddock.kernel.source import Seeded
from paddock.store.kinds import RACE
from paddock.tables import Terms, claims, hosting, seats
from paddock.tables.change import Change
from paddock.tables.context import Context
from paddock.tables.live import TablePresence
from paddock.tables.names import NameFilter
from paddock.tables.table import Player, Table
from sampling import count
from tables.harness import CountedRuntime

HOST, SECOND, THIRD = HOSTS = ("a" * 64, "b" * 64, "c" * 64)
RIVAL, PHONE = RIVALS = ("r" * 64, "s" * 64)
BOT = "club"
Step = tuple[str, Callable[[Table, Context], Change[Any]]]


@dataclass(frozen=True)
class Scene:
    """A table, how it came about, and what the host's browsers know."""

    table: Table
    steps: tuple[str, ...] = ()
    rival: int | None = None  # the player that the rival had when the game began
    own: frozenset[int] | None = None  # the players of the host then
    known: frozenset[int] = frozenset()  # the other players whose hands the host's browsers have seen


def table_of(who: str, phase: str = "play") -> Table:
    """Return a table with these players: browsers by their letter, a bot (*) or an open seat (-)."""
    browsers = {holder[0]: holder for holder in (*HOSTS, *RIVALS)}
    bots = {"*": BOT}
    players = [Player(i, f"Driver {i + 1}", bots.get(one), browsers.get(one)) for i, one in enumerate(who)]
    found = title("lacorsa")
    options = found.options.read({"races": 1, "drivers": len(who)})
    game = Game(found, options, Seeded(1) if phase == "play" else None, [p.name for p in players])
    game.chance = None
    now = CountedRuntime().now()
    return Table(
        id="t", title=found, options=options, players=players, game=game, kind=RACE, terms=Terms(),
        created=now, date="2026-03-01", maker=HOST, host=HOST, phase=phase, opened_at=now, touched_at=now,
    )  # fmt: skip


def of_host(table: Table) -> Iterator[Step]:
    """Yield everything that the host's browsers can try."""
    everybody = range(len(table.players))
    for holder in HOSTS:
        name = holder[0]
        for p in everybody:
            yield f"{name} claims {p}", partial(seats.claim, holder=holder, player=p)
            yield f"{name} uses the link for {p}", partial(_recover, by=HOSTS, holder=holder, player=p)
        for p in table.players_of(holder):
            yield f"{name} leaves {p}", partial(seats.leave, holder=holder, player=p)
            yield f"{name} is ready as {p}", partial(seats.ready, holder=holder, player=p)
            yield f"{name} gets a link for {p}", partial(_link, by=HOSTS, holder=holder, player=p)
            yield f"{name} renames {p}", partial(seats.rename, holder=holder, player=p, name=f"x{p}")
        for claim in table.claims:
            number = claim.number
            yield f"{name} agrees to {number}", partial(claims.agree, holder=holder, number=number)
            yield f"{name} declines {number}", partial(claims.decline, holder=holder, number=number)
        if table.host != holder:
            continue
        for p in everybody:
            yield f"{name} frees {p}", partial(hosting.free, host=holder, player=p)
            if table.players[p].holder in RIVALS:
                yield f"{name} bans {p}", partial(hosting.kick, host=holder, player=p)
            yield f"{name} sets {p} to a bot", partial(hosting.set_bot, holder=holder, player=p, level=BOT)
            yield f"{name} opens {p}", partial(hosting.set_bot, holder=holder, player=p, level=None)
            yield f"{name} mutes {p}", partial(hosting.mute, host=holder, player=p)
        yield f"{name} starts", partial(seats.start, holder=holder)
        yield f"{name} shows it elsewhere", partial(allow_frames, holder=holder, allowed=not table.embed)


def of_rival(table: Table) -> Iterator[Step]:
    """Yield what a rival does who agrees to nothing: come back, change their browser, and be away."""
    for holder in RIVALS:
        name = holder[0]
        for p in range(len(table.players)):
            if table.phase == "lobby" or claims.way_back(table, holder) == p:
                yield f"{name} claims {p}", partial(seats.claim, holder=holder, player=p)
            yield f"{name} uses the link for {p}", partial(_recover, by=RIVALS, holder=holder, player=p)
        for p in table.players_of(holder):
            yield f"{name} is ready as {p}", partial(seats.ready, holder=holder, player=p)
            yield f"{name} gets a link for {p}", partial(_link, by=RIVALS, holder=holder, player=p)


def _link(table: Table, context: Context, by: tuple[str, ...], holder: str, player: int) -> Change[None]:
    return seats.keep_recovery(table, context, holder, player, f"{by[0]} {player}")


def _recover(table: Table, context: Context, by: tuple[str, ...], holder: str, player: int) -> Change[int]:
    return seats.recover(table, context, f"{by[0]} {player}", holder, both=True)


def hands(table: Table, holders: tuple[str, ...]) -> frozenset[int]:
    """Return the players whose hands these browsers see at a running table."""
    if not table.running:
        return frozenset()
    eyes = 0
    for holder in holders:
        for p in table.players_of(holder):
            eyes |= table.eyes(p)
    return frozenset(table.options.owners[seat] for seat in range(table.options.seats) if eyes >> seat & 1)


def arrangement(scene: Scene) -> object:
    """Return all of a table that these commands go by, however it came about."""
    table = scene.table
    players = tuple(
        (p.bot, p.holder, p.last_holder, p.removed_by, p.recovery, p.stand_in) for p in table.players
    )
    asked = tuple((claim.player, claim.holder, claim.consents) for claim in table.claims)
    about = scene.rival, scene.own, scene.known
    return table.phase, table.host, players, table.banned, asked, about


def after(scene: Scene, step: str, table: Table) -> Scene:
    """Return the scene after a step."""
    seen = hands(table, HOSTS)
    rival, own = scene.rival, scene.own
    if own is None and table.running:
        rival = next((p for holder in RIVALS for p in table.players_of(holder)), None)
        own = seen
    return Scene(table, (*scene.steps, step), rival, own, scene.known | (seen - (own or frozenset())))


def secret(scene: Scene) -> bool:
    """Whether the rival's hand is a secret, and they play against nobody who knows more than their own."""
    table, rival = scene.table, scene.rival
    if rival is None:
        return True
    plays = any(table.players_of(holder) or claims.way_back(table, holder) is not None for holder in RIVALS)
    if table.fully_visible or rival in scene.known:
        return False  # exploring and a rematch need a game that is over
    return not (plays and scene.known)


def explored(start: Table, most: int = 10**9) -> int:
    """Try every order of steps from a table; return how many arrangements there are.

    After ``most``, the rest is left out. Near and far ones are looked at in turn.
    """
    first = after(Scene(start), "the beginning", start)
    found, next_ones = {arrangement(first)}, deque([first])
    runtime = CountedRuntime()
    context = Context(runtime.now(), 0.0, Seeded(1), NameFilter(), TablePresence(0.0))
    while next_ones and len(found) < most:
        scene = next_ones.popleft() if len(found) % 2 else next_ones.pop()
        table = scene.table
        for name, step in [*of_host(table), *of_rival(table)]:
            try:
                change = step(table, context)
            except PaddockError:
                continue
            if not change.stores:
                continue
            made = after(scene, name, replace(change.after(), talk=()))
            assert secret(made), made.steps
            if arrangement(made) not in found:
                found.add(arrangement(made))
                next_ones.append(made)
    return len(found)


@pytest.mark.slow("tries thousands of arrangements of seats")
@pytest.mark.parametrize(
    ("who", "phase"), [("arb", "play"), ("arb*", "play"), ("ar*", "play"), ("a--", "lobby")]
)
def test_no_order_of_steps_shows_a_rivals_hand(who: str, phase: str) -> None:
    """Nor does a rival play on against somebody who has seen a hand that they did not agree to."""
    assert explored(table_of(who, phase), count(1000, 60_000)) > 400


def _unmarked(table: Table, who: Player) -> dict[str, Any]:
    return {}


def _by_the_host_alone(table: Table) -> list[int]:
    return [p.index for p in table.players if p.person and p.holder == table.host]


def _sits_beside(
    change: Change[Any], context: Context, who: Player, holder: str, name: str, sit: Any = claims.sit
) -> None:
    sit(change, context, who, holder, name)
    for other in change.before.players:
        if other.removed_by and other != who:
            change.player(other.index, last_holder=other.last_holder)


@pytest.mark.parametrize(
    ("where", "rule", "weaker"),
    [
        (hosting, "_removed", _unmarked),
        (claims, "consenters", _by_the_host_alone),
        (claims, "sit", _sits_beside),
    ],
)
def test_the_search_finds_what_a_weaker_rule_shows(
    monkeypatch: pytest.MonkeyPatch, where: Any, rule: str, weaker: Any
) -> None:
    monkeypatch.setattr(where, rule, weaker)
    with pytest.raises(AssertionError, match="claims"):
        explored(table_of("arb*"), 4000)
