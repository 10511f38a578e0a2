"""Who is at a table: plain data for the lobby, the seats, the clocks, the talk, orders and undo."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

import segno

from paddock.bots import levels
from paddock.core.i18n import _
from paddock.core.title import Order
from paddock.tables import Table, clock, orders, undo
from paddock.tables.make import LONGEST_NAME
from paddock.tables.talk import LONGEST, TABLE, TEAM, Said

SHOWN_TALK = 40  # lines of talk on a page
CLOCKS = ("", "300+5", "900+10", "3600+60", "259200+28800")  # what the set-up page offers
GRACES = (0, 120, 600, 3600, 86400)


@dataclass(frozen=True)
class Person:
    """One player, as everybody may know who it is; the clock's figures come into the page last."""

    index: int
    name: str
    seats: tuple[int, ...]
    kind: str  # "person", "bot" or "open"
    level: str  # of a bot, as people read it
    yours: bool
    host: bool
    ready: bool
    stand_in: bool
    away: bool
    muted: bool
    clock: str  # where its figure goes in the page; empty: untimed
    runs: bool


@dataclass(frozen=True)
class Words:
    """A line of talk; ``name`` is empty where the table itself speaks."""

    n: int
    name: str
    text: str
    team: bool
    yours: bool


@dataclass(frozen=True)
class Orders:
    """The standing orders of one of the reader's seats."""

    seat: int
    given: Sequence[Order]
    offers: Sequence[Order]
    dropped: Sequence[str]


def mark(player: int) -> str:
    """Where a player's clock goes in a page: it ticks, so no digest knows its figure."""
    return f"@clock{player}@"


def clocks(table: Table, now: datetime) -> dict[str, int]:
    """The milliseconds that go in place of every mark."""
    left = {p.index: clock.left(table, p.index, now) for p in table.players}
    return {mark(index): rest for index, rest in left.items() if rest is not None}


def face(ms: int) -> str:
    """What a clock shows: 4:59, 1:04:59, or days and hours."""
    seconds = ms // 1000
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    if days:
        return _("{d} d {h} h").format(d=days, h=hours)
    rest = f"{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
    return f"{hours}:{rest}" if hours else rest


def span(seconds: int) -> str:
    """A stretch of time in words: 10 min, 3 days."""
    for size, one, many in (
        (86400, _("1 day"), _("{n} days")),
        (3600, _("1 hour"), _("{n} hours")),
        (60, _("1 min"), _("{n} min")),
    ):
        if seconds and seconds % size == 0:
            return one if seconds == size else many.format(n=seconds // size)
    return _("{n} s").format(n=seconds)


def clock_words(text: str) -> str:
    """A clock in words."""
    found = clock.read(text)
    if found is None:
        return _("untimed")
    if not found.increment:
        return _("{bank} each").format(bank=span(found.bank))
    words = _("{bank} each, and {increment} for every decision")
    return words.format(bank=span(found.bank), increment=span(found.increment))


def grace_words(seconds: int) -> str:
    """How long somebody may be away."""
    if not seconds:
        return _("never: the table waits")
    return _("after {time}, until they are back").format(time=span(seconds))


def people(table: Table, holder: str | None, away: Collection[int]) -> list[Person]:
    """Everybody at the table, in the order of their seats."""
    labels = {level.name: _(level.label) for level in levels(table.title)}
    return [
        Person(
            index=p.index,
            name=p.name,
            seats=tuple(table.seats_of(p.index)),
            kind="bot" if p.bot else "person" if p.person else "open",
            level=labels.get(p.bot, p.bot) if p.bot else "",
            yours=holder is not None and p.holder == holder,
            host=p.person and p.holder == table.host,
            ready=p.ready,
            stand_in=p.stand_in,
            away=p.index in away and not p.stand_in,
            muted=p.muted,
            clock=mark(p.index) if p.bank_ms is not None and not p.bot else "",
            runs=clock.ticking(table, p.index),
        )
        for p in table.players
    ]


def company(table: Table, holder: str | None) -> bool:
    """Whether anybody but this browser and bots is, or may come to be, at the table."""
    return table.kind == "race" and any(
        p.bot is None and (holder is None or p.holder != holder) for p in table.players
    )


def words(table: Table, said: Sequence[Said], player: int | None) -> list[Words]:
    """The end of the talk, the oldest line first."""
    return [
        Words(
            line.n,
            "" if line.player is None else table.players[line.player].name,
            line.text,
            line.channel != TABLE,
            line.player is not None and line.player == player,
        )
        for line in said[-SHOWN_TALK:]
    ]


def friends(
    table: Table,
    holder: str | None,
    player: int | None,
    said: Sequence[Said],
    away: Collection[int],
) -> dict[str, Any]:
    """What every page of a table shows of its people."""
    base = f"/t/{table.id}"
    rows = people(table, holder, away)
    mine = [row for row in rows if row.yours]
    seats = [] if player is None or not table.running else table.seats_of(player)
    met = company(table, holder)
    given = {seat: orders.given(table, seat) for seat in seats}
    dropped = {seat: orders.dropped(table, seat) for seat in seats}
    teams = table.options.teams
    mates = player is not None and bool(teams) and teams.count(teams[player]) > 1
    return {
        "people": rows if table.kind == "race" else [],
        "mine_rows": mine,
        "lobby": table.phase == "lobby",
        "hosting": holder is not None and table.host == holder and table.kind == "race",
        "levels": levels(table.title),
        "seats_url": f"{base}/seats",
        "longest_name": LONGEST_NAME,
        "company": met,
        "talk": words(table, said, player) if met else None,
        "talk_url": f"{base}/talk",
        "talk_longest": LONGEST,
        "talks_as": player if player is not None and table.players[player].person else None,
        "muted": player is not None and table.players[player].muted,
        "channels": [(TABLE, _("everybody")), (TEAM, _("my team"))] if mates else [],
        "orders": [
            Orders(seat, given[seat], offered, dropped[seat])
            for seat in seats
            if table.kind == "race" and (met or given[seat] or dropped[seat])
            if (offered := orders.offered(table, seat)) or given[seat] or dropped[seat]
        ],
        "orders_url": f"{base}/orders",
        "undo": _undo(table, holder),
        "read_url": f"{base}/read",
        "recovery_url": f"{base}/recovery",
        "timed": [row for row in rows if row.clock],
        "abandoned": table.abandoned and not table.game.over,
    }


def _undo(table: Table, holder: str | None) -> dict[str, Any] | None:
    """The request to take a move back, or that one can be made; None: neither."""
    asked = table.undo
    url = f"/t/{table.id}/undo"
    if asked is None:
        if not undo.possible(table, holder):
            return None
        others = [p for p in table.players if p.person and p.holder != holder and not p.stand_in]
        return {"url": url, "sentence": "", "asks": bool(others), "yours": False, "answer": False}
    left = undo.awaited_consents(table, asked)
    mine = table.players_of(holder)
    names = _(", ").join(table.players[index].name for index in left)
    sentence = _("{name} asks to take the last move back. Still to agree: {names}.").format(
        name=table.players[asked.player].name, names=names
    )
    return {
        "url": url,
        "sentence": sentence,
        "asks": False,
        "yours": asked.player in mine,
        "answer": bool(set(left) & set(mine)),
    }


def lobby_page(table: Table, holder: str | None) -> dict[str, Any]:
    """What the lobby adds: whom it waits for, the set-up, and whether the reader is asked."""
    title = table.title
    open_seats = [p for p in table.players if p.bot is None and p.holder is None]
    late = [p for p in table.players if p.person and not p.ready]
    mine = [p for p in late if p.holder == holder]
    if mine:
        status = _("Are you ready?")
    elif open_seats:
        status = _("Waiting for {n} more").format(n=len(open_seats))
    elif late:
        names = _(" and ").join(p.name for p in late)
        status = (
            _("Waiting until {names} are ready") if len(late) > 1 else _("Waiting until {names} is ready")
        )
        status = status.format(names=names)
    else:
        status = _("Everybody is ready")
    rows = title.options.describe()
    values = {row["name"]: row["default"] for row in rows}
    values |= dict(word.split("=", 1) for word in table.options.short.split())

    def said(row: dict[str, Any]) -> str:
        value = str(values[row["name"]])
        return _(value) if value in ("no", "yes") else value

    facts = [
        (_(row["name"].replace("_", " ")).capitalize(), said(row), row["clause"])
        for row in rows
        if not row["advanced"] or values[row["name"]] != row["default"]
    ]
    facts += [
        (_("Clock"), clock_words(table.clock), ""),
        (_("A bot stands in for who is away"), grace_words(table.grace), ""),
        (
            _("This table"),
            _("is listed on the start page") if table.listed else _("is found by its link only"),
            "",
        ),
    ]
    return {
        "status": status,
        "facts": facts,
        "your_turn": bool(mine) and not open_seats,
        "decision": table.decision,
    }


@lru_cache(maxsize=256)
def qr(url: str) -> str:
    """A QR code as a drawing that stands on any ground."""
    made = segno.make(url, error="m")
    svg: str = made.svg_inline(
        scale=4, border=3, dark="#1e1a17", light="#fff", omitsize=True, svgclass="qr", lineclass=None
    )
    return svg
