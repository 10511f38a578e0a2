"""LACORSA: how finished races went: positions by lap, what the drivers did, the moments that decided it.

Everything is computed from the events of the races, which are public.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from paddock.core.i18n import _, pgettext, plural
from paddock.core.log import Event, EventBatch
from paddock.core.pages import Account, Chart, Feat, Moment, Tally
from paddock.core.series import Standing
from paddock.core.title import Seen
from paddock.core.wording import listed
from paddock.games.lacorsa.drawing.lettering import lettering
from paddock.games.lacorsa.drawing.pieces import INK, PAPER, livery
from paddock.games.lacorsa.rules import state
from paddock.games.lacorsa.words.text import cards_of
from paddock.games.lacorsa.words.view import wears
from paddock.parts.account import Found, Moments, events, feats, seats_of, tally
from paddock.parts.chart import ChartLine, chart

MOST_ACCIDENTS = 2  # among the moments


@dataclass(frozen=True)
class Duel:
    """A challenge without an accident."""

    entry: int
    lap: int
    attacker: int
    defender: int
    values: tuple[int, int]  # of the attacker and the defender
    passed: bool
    place: int  # for which they fought, 1 for the lead


@dataclass(frozen=True)
class Lead:
    """The lead changes hands, or is taken on the grid."""

    entry: int
    lap: int
    seat: int
    passed: int | None  # the seat that it passed to get there; None if it got there without


@dataclass(frozen=True)
class Climb:
    """Places that a car gains within a lap."""

    entry: int
    lap: int
    seat: int
    places: int


@dataclass
class Race:
    """What happened in one race."""

    order: list[int] = field(default_factory=list)  # seats in the race, the leader first
    lap: int = 0
    laps: list[list[int]] = field(default_factory=list)  # the order on the grid and after every lap
    leads: list[Lead] = field(default_factory=list)
    climbs: list[Climb] = field(default_factory=list)
    duels: list[Duel] = field(default_factory=list)
    accidents: list[tuple[int, int, tuple[int, ...]]] = field(default_factory=list)  # entry, lap, retired


@dataclass
class Count:
    """What one car has done in all races."""

    overtakes: int = 0
    held: int = 0
    cards: int = 0
    redlines: int = 0
    stops: int = 0


def races(batches: Sequence[EventBatch], rounds: int) -> list[Race]:
    """Return what happened in each of the races."""
    out = [Race() for _round in range(rounds)]
    for batch in batches:
        _follow(out[batch.round], batch)
    return out


def _follow(race: Race, batch: EventBatch) -> None:
    """Add the events that followed from one log entry."""
    values = {e.a: e.c for e in batch.events if e.code == state.REVEALED}
    for event in batch.events:
        leader = race.order[:1]
        place = _move(race.order, event)
        if event.code == state.LAP or (event.code == state.FINISHED and event.b == 1):
            _lap_over(race, batch.entry)
            race.lap = event.a if event.code == state.LAP else race.lap
        if race.lap and race.order and race.order[:1] != leader:
            by = event.b if event.code == state.PASSED else None
            race.leads.append(Lead(batch.entry, race.lap, race.order[0], by))
        if event.code in (state.PASSED, state.HELD) and event.a in values:
            pair = values[event.a], values[event.b]
            passed = event.code == state.PASSED
            race.duels.append(Duel(batch.entry, race.lap, event.a, event.b, pair, passed, place))
    if retired := tuple(e.a for e in batch.events if e.code == state.RETIRED):
        race.accidents.append((batch.entry, race.lap, retired))


def _move(order: list[int], event: Event) -> int:
    """Change the order as the event says; return the place of the car ahead in a challenge, else 0."""
    code, a, b, c, _eyes = event
    if code == state.STARTS:
        order.append(a)
    elif code == state.PASSED:
        i = order.index(b)
        order[i : i + 2] = [a, b]
        return i + 1
    elif code == state.HELD:
        return order.index(b) + 1
    elif code == state.MOVED_UP:  # past a car that loses a space in the pits
        i = order.index(a)
        order[i - 1 : i + 1] = [a, order[i - 1]]
    elif code == state.RETIRED:
        order.remove(a)
    elif code == state.SPUN or (code == state.OFF and 0 < c <= state.CARS):
        order.remove(a)
        order.remove(b)
        i = len(order) if code == state.SPUN else order.index(c - 1) + 1
        order[i:i] = [b, a]
    return 0


def _lap_over(race: Race, entry: int) -> None:
    """Note the order at the end of a lap, or on the grid, and who has gained places in it."""
    race.laps.append(race.order[:])
    if not race.lap:
        race.leads.append(Lead(entry, 1, race.order[0], None))
        return
    before, now = race.laps[-2:]
    field = [seat for seat in before if seat in now]  # retirements are no gain
    gains = [(field.index(seat) - now.index(seat), seat) for seat in now]
    race.climbs += [Climb(entry, race.lap, seat, n) for n, seat in gains if n > 1]


def counts(batches: Sequence[EventBatch], seats: int) -> list[Count]:
    """Return what every car has done."""
    out = [Count() for _seat in range(seats)]
    for event in events(batches):
        code, a, b, _c, _eyes = event
        if code == state.PASSED:
            out[a].overtakes += 1
        elif code == state.HELD:
            out[b].held += 1
        elif code == state.PITTED:
            out[a].stops += 1
        elif code in (state.REVEALED, state.DISCARDED, state.EXTENDED):
            kinds = cards_of(b)
            out[a].cards += len(kinds)
            out[a].redlines += kinds.count(state.REDLINE)
    return out


# ---- what the page shows --------------------------------------------------------------------------


def account(seen: Seen, batches: Sequence[EventBatch]) -> Account:
    """Return how the races went."""
    batches = list(batches)  # unpacked only once
    run = races(batches, seen.options.rounds)
    names = seen.seat_names
    return Account(
        [_chart(seen, race, i) for i, race in enumerate(run) if len(race.laps) > 1],
        [_tally(seen, batches)],
        _moments(run, names, seen.setup.win_by),
        _feats(seen, run, batches),
    )


def _when(run: Sequence[Race], race: int, lap: int) -> str:
    if len(run) == 1:
        return _("Lap {lap}").format(lap=lap)
    return _("Race {race}, lap {lap}").format(race=race + 1, lap=lap)


def _chart(seen: Seen, race: Race, number: int) -> Chart:
    """Draw the positions by lap of one race."""
    caption = _("Positions by lap")
    if seen.options.rounds > 1:
        caption = _("Race {n}: positions by lap").format(n=number + 1)
    ticks = [_("grid"), *(str(lap) for lap in range(1, len(race.laps)))]
    last = race.laps[-1]
    seats = sorted(race.laps[0], key=lambda s: (s not in last, last.index(s) if s in last else 0, s))
    lines = []
    for seat in seats:
        coat = livery(seat + 1, wears(seen.options, seat))
        badge = f'<circle r="10" fill="{PAPER}" stroke="{INK}" stroke-width="2"/>' + lettering(
            str(seat + 1), 0, 0, 11, INK, fit=14
        )
        dash = "9 4" if wears(seen.options, seat) else ""
        places = tuple(lap.index(seat) + 1 if seat in lap else None for lap in race.laps)
        lines.append(ChartLine(seen.names[seen.options.owners[seat]], badge, coat.body, dash, places))
    return chart(caption, _("Car"), ticks, lines, places=True)


def _tally(seen: Seen, batches: Sequence[EventBatch]) -> Tally:
    """Return the table of what each driver did."""
    done = counts(batches, seen.options.seats)
    stops = any(count.stops for count in done)
    head = [pgettext("person", "Driver"), _("Overtakes"), _("Held off"), _("Cards"), _("Redlines")]

    def count(player: int) -> list[int]:
        """Return the numbers of a player, over all cars."""
        own_counts = [done[seat] for seat in seats_of(seen, player)]
        numbers = [
            sum(c.overtakes for c in own_counts),
            sum(c.held for c in own_counts),
            sum(c.cards for c in own_counts),
        ]
        return (
            numbers
            + [sum(c.redlines for c in own_counts)]
            + ([sum(c.stops for c in own_counts)] if stops else [])
        )

    return tally(seen, _("What the drivers did"), [*head, *([_("Pit stops")] if stops else [])], count)


def _moments(run: Sequence[Race], names: Sequence[str], win_by: int) -> list[Moment]:
    """Return the moments that decided the races, in order, one for each log entry."""
    moments = Moments()
    for i, race in enumerate(run):
        if race.leads:
            moments.note(race.leads[-1].entry, _lead_words(run, i, names))
    for i, (entry, lap, retired) in [(i, a) for i, race in enumerate(run) for a in race.accidents][
        -MOST_ACCIDENTS:
    ]:
        who = listed(names[seat] for seat in retired)
        words = plural("{when}: {who} retires after an accident.", "{when}: {who} retire after an accident.",
                       len(retired), when=_when(run, i, lap), who=who)  # fmt: skip
        moments.note(entry, words)
    close = [(i, duel) for i, race in enumerate(run) for duel in race.duels if _by_one(duel, win_by)]
    if close:
        i, duel = min(close, key=lambda race_duel: (race_duel[1].place, -race_duel[1].entry))
        moments.note(duel.entry, _duel_words(duel, _when(run, i, duel.lap), names))
    climbs = [(i, climb) for i, race in enumerate(run) for climb in race.climbs]
    if climbs:
        i, climb = max(climbs, key=lambda race_climb: (race_climb[1].places, race_climb[1].entry))
        moments.note(climb.entry, _climb_words(climb, _when(run, i, climb.lap), names))
    return moments.listed()


def _by_one(duel: Duel, win_by: int) -> bool:
    """Whether one more or less would have changed the result: the challenger wins by ``win_by`` (LC-5.2)."""
    attack, defence = duel.values
    return attack - defence in (win_by - 1, win_by)


def _lead_words(run: Sequence[Race], race: int, names: Sequence[str]) -> str:
    """Say who led a race at its end, and since when."""
    lead = run[race].leads[-1]
    words = {"when": _when(run, race, lead.lap), "name": names[lead.seat]}
    if len(run[race].leads) == 1:
        return _("{when}: {name} leads, from the grid to the flag.").format(**words)
    if lead.passed is None:
        return _("{when}: {name} takes the lead and keeps it to the flag.").format(**words)
    passed_name = names[lead.passed]
    return _("{when}: {name} passes {other} and leads to the flag.").format(other=passed_name, **words)


def _duel_words(duel: Duel, when: str, names: Sequence[str]) -> str:
    """Tell a challenge for a place."""
    attack, defence = duel.values
    words = {"when": when, "name": names[duel.attacker], "other": names[duel.defender], "place": duel.place}
    if duel.passed and attack - defence == 1:
        return _("{when}: {name} passes {other} for place {place} by one, {a} to {b}.").format(
            a=attack, b=defence, **words
        )
    if duel.passed:
        return _("{when}: {name} passes {other} for place {place}.").format(**words)
    if attack == defence:  # and the defender holds
        return _("{when}: {other} keeps place {place} with {b} against {a} of {name}: a tie.").format(
            a=attack, b=defence, **words
        )
    return _("{when}: {other} keeps place {place} against {name}.").format(**words)


def _climb_words(climb: Climb, when: str, names: Sequence[str]) -> str:
    """Say how many places a car gained in a lap."""
    return plural(
        "{when}: {name} gains {n} place in this lap.",
        "{when}: {name} gains {n} places in this lap.",
        climb.places,
        when=when,
        name=names[climb.seat],
    )


def _feats(seen: Seen, run: Sequence[Race], batches: Sequence[EventBatch]) -> list[Feat]:
    """Return what each player can be proud of, with points and overtakes."""
    done = counts(batches, seen.options.seats)

    def facts(line: Standing) -> list[str]:
        """Return the points and the overtakes of a player."""
        passes = sum(done[seat].overtakes for seat in seats_of(seen, line.who))
        return [
            plural("{n} point", "{n} points", line.total),
            plural("{n} overtake", "{n} overtakes", passes),
        ]

    names = seen.seat_names
    return feats(seen, _("not classified"), facts, lambda player: _worth(run, seats_of(seen, player), names))


def _worth(run: Sequence[Race], seats: Sequence[int], names: Sequence[str]) -> Iterator[Found]:
    """Return the moments of a driver: a place gained counts more, the further in front it was."""
    for i, race in enumerate(run):
        field = len(race.laps[0]) if race.laps else 0
        for duel in race.duels:
            if (duel.attacker if duel.passed else duel.defender) in seats:
                worth = (field - duel.place) * (2 if duel.passed else 1)
                words = _duel_words(duel, _when(run, i, duel.lap), names)
                yield (worth, duel.entry), Moment(duel.entry, words)
        for climb in race.climbs:
            if climb.seat in seats:
                words = _climb_words(climb, _when(run, i, climb.lap), names)
                yield (2 * climb.places, climb.entry), Moment(climb.entry, words)
