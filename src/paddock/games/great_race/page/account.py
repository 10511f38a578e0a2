"""The Great Race: how finished races went: progress and prestige by turn, counts, the decisive moments.

Everything is computed from events that everybody has seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from paddock.core.i18n import _, pgettext, plural
from paddock.core.log import Event, EventBatch
from paddock.core.pages import Account, Chart, Moment, Tally
from paddock.core.series import Standing
from paddock.core.title import Seen
from paddock.core.wording import nth
from paddock.games.great_race.drawing.pieces import ON_PAINTS, PAINTS, moved, sign
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.ending import prestige_at
from paddock.games.great_race.rules.land import progress
from paddock.games.great_race.rules.lots import line_up
from paddock.games.great_race.rules.state import BORIS, ENGINE, Setup, State
from paddock.games.great_race.words.places import place_name
from paddock.parts.account import Found, Moments, events, feats, tally
from paddock.parts.chart import ChartLine, chart

MOST_BREAKDOWNS = 2  # among the moments
HARD = 3  # levels of damage in a turn that are worth a moment
DASHES = ("", "9 4", "", "4 4", "9 3 3 3")


@dataclass(frozen=True)
class Lead:
    """A crew comes to be further from the start than all others."""

    entry: int
    turn: int
    seat: int
    space: int


@dataclass(frozen=True)
class Arrival:
    """A crew arrives at the destination."""

    entry: int
    turn: int
    seat: int
    place: int


@dataclass(frozen=True)
class CrewChange:
    """What a crew gains or loses in one turn: progress, or levels of damage."""

    entry: int  # of the last part of it
    turn: int
    seat: int
    number: int


@dataclass(frozen=True)
class CrewTurn:
    """Where all crews are at the end of a turn."""

    progress: tuple[int, ...]
    prestige: tuple[int, ...]  # on arriving next, or as arrived (GR-9.3)


@dataclass
class Race:
    """What happened in one race."""

    g: Setup
    s: State = field(default_factory=State)  # only what this module changes: places, gauges, money, arrivals
    turns: list[CrewTurn] = field(default_factory=list)  # at the start and after every turn
    leads: list[Lead] = field(default_factory=list)
    arrivals: list[Arrival] = field(default_factory=list)
    breakdowns: list[CrewChange] = field(default_factory=list)  # ``number`` is 1
    runs: dict[tuple[int, int], CrewChange] = field(default_factory=dict)  # by turn and seat: progress
    harms: dict[tuple[int, int], CrewChange] = field(default_factory=dict)  # by turn and seat: damage
    ended: int = -1  # the log entry with which it ended
    places: dict[int, tuple[int, int]] = field(default_factory=dict)  # seat → rank and prestige at the end

    def front(self) -> int | None:
        """Return who is further from the start than all others, if anybody is."""
        travelled = [progress(self.s, self.g, self.s.at[seat]) for seat in range(self.g.players)]
        return travelled.index(max(travelled)) if travelled.count(max(travelled)) == 1 else None

    def winner(self) -> int | None:
        """Return who has won; None if nobody has arrived."""
        return next((seat for seat, (rank, _prestige) in self.places.items() if rank == 1), None)


@dataclass
class Count:
    """What one crew has done in all races."""

    steps: int = 0
    tiles: int = 0  # that it has laid, by driving or by an assistant
    lanes: int = 0
    cards: int = 0
    repairs: int = 0
    damage: int = 0
    breakdowns: int = 0


def races(seen: Seen, batches: Sequence[EventBatch]) -> list[Race]:
    """Return what happened in each of the races."""
    out = [Race(seen.setup) for _round in range(seen.options.rounds)]
    for race in out:
        seen.title.rules.start(race.s, seen.setup)
    for batch in batches:
        for event in batch.events:
            _follow(out[batch.round], batch.entry, event)
    return out


def _follow(race: Race, entry: int, event: Event) -> None:
    """Add an event."""
    code, a, b, c, _eyes = event
    s = race.s
    if code == state.GOES_FIRST:
        line_up(s, race.g, a)  # who is last has less money (GR-1.3)
    elif code == state.DESTINATION:
        s.goal, s.origin = a, b
        for seat in range(race.g.players):
            s.at[seat] = b
    elif code == state.LED_BY and b == BORIS:
        s.engine[a] += 1
        s.chassis[a] += 1
    elif code == state.TURN:
        race.turns.append(_turn(race))
        s.round = a
    elif code in (state.DROVE, state.FLEW):
        _drive(race, entry, a, b)
    elif code == state.ARRIVED:
        s.place[a], s.arrived = b, b
        race.arrivals.append(Arrival(entry, s.round, a, b))
    elif code == state.BROKE_DOWN:
        race.breakdowns.append(CrewChange(entry, s.round, a, 1))
    elif code == state.ENDED:
        race.ended = entry
        race.places[a] = b, c
        if len(race.places) == race.g.players:
            race.turns.append(_turn(race))
    _gauges(race, entry, event)
    _money(s, event)


def _turn(race: Race) -> CrewTurn:
    """Return how far each crew is, and its prestige as if it arrived next."""
    s, g = race.s, race.g
    seats = range(g.players)
    return CrewTurn(
        tuple(progress(s, g, s.at[seat]) for seat in seats),
        tuple(prestige_at(s, g, seat, s.place[seat] or s.arrived + 1) for seat in seats),
    )


def _drive(race: Race, entry: int, seat: int, space: int) -> None:
    """Move a half-track, and note who leads then."""
    s, g = race.s, race.g
    before = progress(s, g, s.at[seat])
    s.at[seat] = space
    _add(race.runs, entry, s.round, seat, progress(s, g, space) - before)
    first = race.front()
    if first == seat and (not race.leads or race.leads[-1].seat != seat):
        race.leads.append(Lead(entry, s.round, seat, space))


def _gauges(race: Race, entry: int, event: Event) -> None:
    """Follow an event that repairs or damages a crew, and count the damage."""
    code, a, b, c, _eyes = event
    if code not in (state.MENDED, state.HARMED):
        return
    gauge = race.s.engine if b == ENGINE else race.s.chassis
    if code == state.MENDED:
        gauge[a] += 1
    else:
        gauge[a] -= c
        _add(race.harms, entry, race.s.round, a, c)


def _money(s: State, event: Event) -> None:
    """Follow an event that costs or brings money."""
    code, a, b, c, _eyes = event
    if code in (state.BOUGHT, state.FLEW, state.MENDED):
        s.money[a] -= c
    elif code in (state.FUNDED, state.ORDERED):
        s.money[a] += c
    elif code == state.EARNED:
        s.money[a] += b
    elif code == state.LOST_MONEY:
        s.money[a] -= b
    elif code == state.PAID_OFF:
        s.money[a] -= c
        s.money[b] += c


def _add(changes: dict[tuple[int, int], CrewChange], entry: int, turn: int, seat: int, number: int) -> None:
    before = changes.get((turn, seat))
    changes[turn, seat] = CrewChange(entry, turn, seat, number + (before.number if before else 0))


def counts(batches: Sequence[EventBatch], players: int) -> list[Count]:
    """Return what every crew has done."""
    out = [Count() for _player in range(players)]
    for code, a, _b, c, _eyes in events(batches):
        if code == state.DROVE:
            out[a].steps += 1
        elif code in (state.EXPLORED, state.PLACED):
            out[a].tiles += 1
        elif code == state.FLEW:
            out[a].lanes += 1
        elif code == state.PLAYED:
            out[a].cards += 1
        elif code == state.MENDED:
            out[a].repairs += 1
        elif code == state.HARMED:
            out[a].damage += c
        elif code == state.BROKE_DOWN:
            out[a].breakdowns += 1
    return out


# ---- what the page shows --------------------------------------------------------------------------


def account(seen: Seen, batches: Sequence[EventBatch]) -> Account:
    """Return how the races went."""
    run, done = races(seen, batches), counts(batches, seen.options.players)
    return Account(
        [drawn for i, race in enumerate(run) if race.ended >= 0 for drawn in _charts(seen, race, i)],
        [_tally(seen, done)],
        _moments(seen, run),
        feats(
            seen,
            _("not arrived"),
            lambda line: _facts(line, done[line.who]),
            lambda who: _moments_of(seen, run, who),
        ),
    )


def _charts(seen: Seen, race: Race, number: int) -> list[Chart]:
    """Draw the prestige and the progress by turn of one race."""
    captions = [_("Prestige on arriving, by turn"), _("Progress by turn")]
    if seen.options.rounds > 1:
        captions = [
            _("Race {n}: prestige on arriving, by turn").format(n=number + 1),
            _("Race {n}: progress by turn").format(n=number + 1),
        ]
    ticks = [pgettext("first mark of a chart", "start"), *(str(n) for n in range(1, len(race.turns)))]
    last = race.turns[-1]
    by_rank = sorted(
        range(race.g.players),
        key=lambda who: (race.places[who][0] or race.g.players, -last.progress[who], who),
    )
    progress_of: dict[int, list[int | None]] = {
        who: [turn.progress[who] for turn in race.turns] for who in by_rank
    }
    prestige: dict[int, list[int | None]] = {
        who: [turn.prestige[who] for turn in race.turns] for who in by_rank
    }
    for who in by_rank:
        if not race.places[who][0]:
            prestige[who][-1] = None  # GR-9.6 who has not arrived has none
    return [
        chart(caption, _("Crew"), ticks, [_line(seen, who, values[who]) for who in by_rank], places=False)
        for caption, values in zip(captions, (prestige, progress_of), strict=True)
    ]


def _line(seen: Seen, who: int, values: Sequence[int | None]) -> ChartLine:
    badge = moved(0, 0, sign(who, PAINTS[who], ON_PAINTS[who]), 0.72)
    return ChartLine(seen.names[who], badge, PAINTS[who], DASHES[who], tuple(values))


def _tally(seen: Seen, done: Sequence[Count]) -> Tally:
    """Return the table of what each crew did."""
    head = [_("Crew"), pgettext("on the map", "Steps"), _("Lanes"), _("Tiles laid"), _("Cards")]
    head += [_("Repairs"), _("Damage"), _("Breakdowns")]

    def count(player: int) -> tuple[int, ...]:
        c = done[player]
        return c.steps, c.lanes, c.tiles, c.cards, c.repairs, c.damage, c.breakdowns

    return tally(seen, _("What the crews did"), head, count)


def _when(run: Sequence[Race], race: int, turn: int) -> str:
    if len(run) == 1:
        return pgettext("of all crews", "Turn {n}").format(n=turn)
    return _("Race {race}, turn {turn}").format(race=race + 1, turn=turn)


def _moments(seen: Seen, run: Sequence[Race]) -> list[Moment]:
    """Return the moments that decided the races, in order, one for each log entry."""
    moments = Moments()
    names = seen.names
    for i, race in enumerate(run):
        for arrival in race.arrivals:
            if arrival.place == 1 or arrival.seat == race.winner():
                moments.note(arrival.entry, _arrival_words(seen, run, i, arrival))
        if race.leads:
            lead = race.leads[-1]
            words = _("{when}: {name} takes the lead at {place} and keeps it.").format(
                when=_when(run, i, lead.turn), name=names[lead.seat], place=place_name(race.g, lead.space)
            )
            moments.note(lead.entry, words)
        if race.ended >= 0:
            moments.note(race.ended, _end_words(seen, run, i))
    breakdowns = [(i, down) for i, race in enumerate(run) for down in race.breakdowns]
    for i, down in breakdowns[-MOST_BREAKDOWNS:]:
        words = _("{when}: {name} breaks down.").format(when=_when(run, i, down.turn), name=names[down.seat])
        moments.note(down.entry, words)
    harms = [(i, harm) for i, race in enumerate(run) for harm in race.harms.values() if harm.number >= HARD]
    if harms:
        i, harm = max(harms, key=lambda race_harm: (race_harm[1].number, race_harm[1].entry))
        words = plural(
            "{when}: {name} takes {n} point of damage in one turn.",
            "{when}: {name} takes {n} points of damage in one turn.",
            harm.number,
            when=_when(run, i, harm.turn),
            name=names[harm.seat],
        )
        moments.note(harm.entry, words)
    runs = [(i, change) for i, race in enumerate(run) for change in race.runs.values() if change.number > 0]
    if runs:
        i, change = max(runs, key=lambda race_run: (race_run[1].number, race_run[1].entry))
        moments.note(change.entry, _far_words(seen, run, i, change))
    return moments.listed()


def _arrival_words(seen: Seen, run: Sequence[Race], race: int, arrival: Arrival) -> str:
    """Say that a crew arrives, and whether that wins the race."""
    winner = run[race].winner()
    words = {"when": _when(run, race, arrival.turn), "name": seen.names[arrival.seat]}
    if arrival.place > 1:
        return _("{when}: {name} arrives {place}.").format(place=nth(arrival.place), **words)
    if winner is None or winner == arrival.seat:
        return _("{when}: {name} arrives first.").format(**words)
    return _("{when}: {name} arrives first, but {winner} will have more prestige.").format(
        winner=seen.names[winner], **words
    )


def _end_words(seen: Seen, run: Sequence[Race], race: int) -> str:
    """Who won, and how closely."""
    places = run[race].places
    by_rank = sorted((rank, prestige, seat) for seat, (rank, prestige) in places.items() if rank)
    when = _when(run, race, run[race].s.round)
    if not by_rank:
        return _("{when}: nobody has reached the destination.").format(when=when)
    _rank, prestige_won, first = by_rank[0]
    words = {"when": when, "name": seen.names[first], "n": prestige_won}
    if len(by_rank) == 1:
        return _("{when}: {name} wins with {n} prestige; nobody else has arrived.").format(**words)
    _rank, next_most, second = by_rank[1]
    words |= {"other": seen.names[second], "m": next_most}
    if prestige_won == next_most:
        return _("{when}: {name} and {other} have {n} prestige; who arrived first wins.").format(**words)
    return _("{when}: {name} wins with {n} prestige against {m} of {other}.").format(**words)


def _far_words(seen: Seen, run: Sequence[Race], race: int, change: CrewChange) -> str:
    """Who got furthest in one turn."""
    return plural(
        "{when}: {name} gets {n} space ahead in one turn.",
        "{when}: {name} gets {n} spaces ahead in one turn.",
        change.number,
        when=_when(run, race, change.turn),
        name=seen.names[change.seat],
    )


def _facts(line: Standing, done: Count) -> list[str]:
    return [
        plural("{n} point of prestige", "{n} points of prestige", line.total),
        plural("{n} tile laid", "{n} tiles laid", done.tiles),
    ]


def _moments_of(seen: Seen, run: Sequence[Race], who: int) -> Iterator[Found]:
    """Return the moments of a crew: arriving is the best, then the longest way in one turn."""
    for i, race in enumerate(run):
        for arrival in race.arrivals:
            if arrival.seat == who:
                words = _arrival_words(seen, run, i, arrival)
                yield (race.g.spaces - arrival.place, arrival.entry), Moment(arrival.entry, words)
        for change in race.runs.values():
            if change.seat == who and change.number > 0:
                yield (change.number, change.entry), Moment(change.entry, _far_words(seen, run, i, change))
