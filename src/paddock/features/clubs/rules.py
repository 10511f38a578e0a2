"""An evening, decided on plain facts: its cards, who sits where, what is due, and what came of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal, TypeAlias

from paddock.bots import bot
from paddock.bots.fair import answer, commitment, keyed, points_of, seen_by
from paddock.core.game import Game
from paddock.core.options import Options
from paddock.core.ratings import Rating
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.core.words import CHANCE
from paddock.features.clubs import scoring, seating
from paddock.features.clubs.fair import name_of, said
from paddock.features.clubs.results import Result
from paddock.features.clubs.rows import LIVE, OVER, RUNNING, SWISS, DealtRow, EntrantRow, EveningRow, SeatRow
from paddock.kernel.keyed import Keyed
from paddock.records import Fair
from paddock.tables.table import Table

FEWEST, MOST = 2, 60  # entrants of an evening
MOST_DEALS = 24
# What is due: its tables are played; bots play them to the end; it rests; a deal begins; it ends
Due: TypeAlias = Literal["play", "time", "rest", "deal", "end"]


def played(row: EveningRow) -> tuple[Title, Options]:
    """Return the title and the options of an evening."""
    title = find_title(row.title).at(row.revision)
    return title, title.options.read_text(row.options, revision=title.revision)


# Cards


def source(row: EveningRow, deal: int) -> Keyed:
    """Return the chance of a deal; each table needs its own."""
    assert row.mixed is not None
    return keyed(row.secret, said(row.id, deal, row.mixed))


def proof(row: EveningRow, entrants: Iterable[EntrantRow], deal: int) -> Fair | None:
    """Return what proves the chance of a deal; None before the evening is over."""
    if row.phase != OVER or row.mixed is None:
        return None
    numbers = {entrant.number: entrant.lot for entrant in entrants if entrant.lot}
    name, hashed = name_of(row.id, deal), commitment(row.secret)
    return Fair(name, hashed, row.secret, numbers, row.mixed, row.level)


def play_alone(
    title_name: str, revision: int, options_text: str, level: str, secret: str, name: str, table: int
) -> tuple[list[int], int]:
    """Play a deal with bots of a level in all seats; return the points of each player, and the entries.

    The cards are those of all tables; the random numbers of the bots are those of this table alone.
    """
    title = find_title(title_name).at(revision)
    options = title.options.read_text(options_text, revision=revision)
    game, player = Game(title, options), bot(title, level)
    chance, lots = keyed(secret, name), keyed(secret, f"{name} table {table}")
    while not game.over:
        if game.chance_due:
            game.append(game.draw(chance))
            continue
        chosen = {seat: answer(lots, player, seen_by(game, seat), seat) for seat in game.deciders}
        for seat, links in chosen.items():
            game.play(seat, links)
    return [points_of(game, player_index) for player_index in range(options.players)], len(game.log)


# Who sits where


def past_rounds(seats: Iterable[SeatRow]) -> list[seating.Round]:
    """Return who sat where at the tables of people so far: round → table → seat."""
    rounds: dict[int, dict[int, list[str | None]]] = {}
    for seat in seats:
        table = rounds.setdefault(seat.deal, {}).setdefault(seat.table, [])
        table.append(str(seat.entrant) if seat.entrant is not None else None)
    people = {deal: [table for table in tables.values() if any(table)] for deal, tables in rounds.items()}
    return [people[deal] for deal in sorted(people)]


def next_round(
    row: EveningRow, entrants: Sequence[EntrantRow], seats: Sequence[SeatRow], standing: Sequence[str]
) -> seating.Round:
    """Return who sits where in the next deal. ``standing`` has the entrants, the best first.

    As long as the same people play, it follows the plan that was made for all deals.
    """
    here = [str(entrant.number) for entrant in entrants if not entrant.gone]
    size, past = played(row)[1].players, past_rounds(seats)
    if row.system == SWISS:
        order = [number for number in standing if number in here]
        return seating.swiss([*order, *(n for n in here if n not in order)], size, row.id, past)
    if all({name for table in tables for name in table if name} == set(here) for tables in past):
        return _plan(tuple(here), size, row.deals, row.id)[row.deal]
    return seating.seats(here, size, row.deals - row.deal, row.id, past)[0]


@lru_cache(maxsize=16)
def _plan(here: tuple[str, ...], size: int, deals: int, seed: str) -> list[seating.Round]:
    """Return the plan for all deals, kept for the next ones: a large one takes a second."""
    return seating.seats(here, size, deals, seed)


# What is due


def due(row: EveningRow, over: bool, now: datetime) -> Due:
    """Return what is due at an evening that runs; ``over``: all tables of its deal are."""
    if not over:
        return "time" if row.next_at is not None and now >= row.next_at else "play"
    if row.deal >= row.deals:
        return "end"
    if not row.resting:
        return "rest"
    return "deal" if row.next_at is not None and now >= row.next_at else "play"


def deal_ends(row: EveningRow, now: datetime) -> datetime | None:
    """Return when the deal that begins now ends, or with days all of them; None: when all have played."""
    if not row.minutes:
        return None
    return now + (timedelta(minutes=row.minutes) if row.style == LIVE else timedelta(hours=row.minutes))


def opens(row: EveningRow, deal: int) -> bool:
    """Whether the tables of a deal may be seen by everybody: all have played it, or the evening is over."""
    if row.phase == OVER:
        return True
    return (
        row.phase == RUNNING and row.style == LIVE and (deal < row.deal or (deal == row.deal and row.resting))
    )


# What came of it


def without_copies(tables: Sequence[DealtRow], seats: Iterable[SeatRow]) -> list[DealtRow]:
    """Return tables without those of bots alone that were played just as another one of their deal.

    Bots that toss no coins always play the same: a copy says nothing new.
    """
    points: dict[tuple[str, int, int], list[int | None]] = {}
    for seat in seats:
        points.setdefault((seat.evening, seat.deal, seat.table), []).append(seat.points)
    known, kept = set[tuple[object, ...]](), []
    for table in tables:
        result = points.get((table.evening, table.deal, table.table), ())
        came = table.evening, table.deal, table.entries, *result
        if not (table.alone and table.over and came in known):
            kept.append(table)
        if table.alone:
            known.add(came)
    return kept


def results(tables: Iterable[DealtRow], seats: Iterable[SeatRow], names: Mapping[int, str]) -> list[Result]:
    """Return what came of the seats of an evening, as far as its tables are over.

    ``names`` are what entrants are called in the results, by their numbers.
    """
    over = {(row.evening, row.deal, row.table): row for row in tables if row.over}
    played = []
    for seat in seats:
        row = over.get((seat.evening, seat.deal, seat.table))
        if row is None or seat.points is None:
            continue
        who = None if seat.entrant is None else names[seat.entrant]
        played.append(
            Result(
                who,
                seat.deal,
                seat.table,
                seat.seat,
                seat.points,
                seat.bot_from,
                row.entries,
                row.level,
                seat.asked,
                seat.own,
            )
        )
    return played


def numbers(entrants: Collection[EntrantRow]) -> dict[int, str]:
    """Return what entrants are called in the results of one evening: their numbers."""
    return {entrant.number: str(entrant.number) for entrant in entrants}


def absent(table: Table) -> list[int]:
    """Return the players of people for whom a bot decides now."""
    return [player.index for player in table.players if player.bot is None and player.automatic]


@dataclass(frozen=True)
class Parting:
    """Where two games part, as somebody in one seat sees it: the first own decision that differs."""

    entry: int  # of the log of the own game
    there: int  # the same of the other game
    nth: int  # own decision, from 1
    own: str
    other: str


def parting(own: Game, other: Game, player: int) -> Parting | None:
    """Return where the moves of a player part in two games of a deal; None if they never do."""
    mine = [(n, entry) for n, entry in enumerate(own.log) if _is_by(own, entry.by, player)]
    theirs = [(n, entry) for n, entry in enumerate(other.log) if _is_by(other, entry.by, player)]
    for nth, ((n, entry), (m, there)) in enumerate(zip(mine, theirs, strict=False), 1):
        if (entry.by, entry.what) != (there.by, there.what):
            words = [str(own.title.text.move(own.setup, what)) for what in (entry.what, there.what)]
            return Parting(n, m, nth, *words)
    return None


def _is_by(game: Game, seat: int, player: int) -> bool:
    return seat != CHANCE and game.options.owners[seat] == player


def season(results: Sequence[Result]) -> list[scoring.Line]:
    """Return the table of a season, the best first."""
    return scoring.season(results) if results else []


def ratings(results: Sequence[Result]) -> dict[str, Rating]:
    """Return the ratings of a season, by the places in its games."""
    return scoring.ratings(results) if results else {}


def lines(results: Sequence[Result]) -> list[scoring.Line]:
    """Return the table of an evening, the best first."""
    return scoring.table(results) if results else []
