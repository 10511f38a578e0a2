"""LACORSA: a state as ``name=value`` words, and back.

``phase=challenge lap=3 turn=2 passes=1 last=no road=3-2..1 hands=1:4,4,R|2:7|3: discard=1*2,R*1
commit=2:12+R value=-``

The road is written from the back to the leader: ``-`` is directly behind, a dot is an empty space. Hands are
written by car, the discard pile as counts (LC-1.5), plays that are face down in ``commit``. During a tie in
qualifying, ``value`` has the values of the cars without a place.

Some fields are written only with the option that needs them: ``pitted=3,1`` (cars that have pitted),
``known=3:7`` (cards of their hands that everybody has seen), ``retired=2`` (in order of retirement) and, with
one draft per turn, ``drafted=1`` (cars that have closed a gap with a 3 in this lap).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from paddock.core.i18n import _, plural
from paddock.core.title import Seen
from paddock.core.words import CHANCE
from paddock.games.lacorsa.rules import state
from paddock.games.lacorsa.rules.race import can_pit
from paddock.games.lacorsa.rules.state import Setup, State
from paddock.kernel import Grid
from paddock.parts.position import NONE, by_seat, check, number, once, parts, read, seat_of, word, written

PHASES = (
    "deal", "qualify", "tied", "challenge", "road", "over", "pits", "pit-draw", "pit-die", "incident", "draft"
)  # fmt: skip
FIELDS = ("phase", "lap", "turn", "passes", "last", "road", "hands", "discard", "commit", "value")


def _phases(g: Setup) -> tuple[str, ...]:
    """Return the phases that are possible with these options."""
    out: tuple[str, ...] = PHASES[: state.OVER]
    if g.pit:
        out += PHASES[state.PITS : state.PIT_DIE + 1]
    if g.incidents:
        out += (PHASES[state.INCIDENT],)
    return (*out, PHASES[state.DRAFT]) if g.drafting else out


def _fields(g: Setup) -> tuple[str, ...]:
    """Return the fields of a position with these options."""
    out: tuple[str, ...] = FIELDS
    if g.pit:
        out += ("pitted", "known")
    if g.incidents:
        out += ("retired",)
    return (*out, "drafted") if g.one_draft else out


def _card(kind: int) -> str:
    return "R" if kind == state.REDLINE else str(kind)


def _kind(text: str) -> int:
    """Return the kind of a card in notation; raise ``ValueError``."""
    if text == "R":
        return state.REDLINE
    if re.fullmatch("1[0-2]|[1-9]", text):
        return int(text)
    raise ValueError(_("“{text}” is not a card: write R or 1 to 12").format(text=text))


def _play(play: int) -> str:
    if play < state.KINDS:
        return _card(play)
    return "R+R" if play == state.TWO_REDLINES else f"{play - state.WITH_REDLINE}+R"


def _read_play(text: str) -> int:
    """Return the number of a play: a kind, alone or with a Redline, or two Redlines."""
    name, plus, redline = text.partition("+")
    if plus and redline != "R":
        raise ValueError(_("“{text}” is not a play: write 7, R or 12+R").format(text=text))
    kind = _kind(name)
    if not plus:
        return kind
    return state.TWO_REDLINES if kind == state.REDLINE else kind + state.WITH_REDLINE


_CARDS = [(kind, _card(kind)) for kind in (*range(1, state.KINDS), state.REDLINE)]


def position(s: State, g: Setup) -> str:
    """Return the state as ``name=value`` words, always in the same order."""
    cars = range(g.cars)
    road = ""
    for i in range(g.cars - s.placed, s.running):
        road += str(s.order[i] + 1)
        if i < s.running - 1:
            road += "." * s.gap[i] or "-"
    hands = "|".join([f"{car + 1}:{_cards(s.hand, car)}" for car in cars])
    known = "|".join([f"{car + 1}:{cards}" for car in cars if (cards := _cards(s.known, car))])
    pitted = [car for car in cars if s.lap >= g.pit_lap and not s.stops >> car & 1]
    retired = sorted((car for car in cars if s.out[car]), key=lambda car: s.out[car])
    discard = ",".join([f"{card}*{s.discard[k]}" for k, card in _CARDS if s.discard[k]])
    commit = ",".join(f"{car + 1}:{_play(s.commit[car] - 1)}" for car in cars if s.commit[car])
    value = ",".join(f"{car + 1}:{s.value[car] - 1}" for car in cars if s.value[car])
    values = {
        "phase": PHASES[s.phase],
        "lap": s.lap,
        "turn": s.order[s.turn] + 1 if _racing(s) else 0,
        "passes": s.passes,
        "last": "yes" if s.last else "no",
        "road": road,
        "hands": hands,
        "discard": discard,
        "commit": commit,
        "value": value,
        "pitted": _numbers(pitted),
        "known": known,
        "retired": _numbers(retired),
        "drafted": _numbers([car for car in cars if s.drafted >> car & 1]),
    }
    return written({name: values[name] for name in _fields(g)})


def _racing(s: State) -> bool:
    """Return whether it is a car's turn."""
    return s.phase in (state.CHALLENGE, state.ROAD) or s.phase > state.OVER


def _cards(hand: Grid, car: int) -> str:
    return ",".join([card for k, card in _CARDS for _n in range(hand[car, k])])


def _numbers(cars: list[int]) -> str:
    return ",".join(str(car + 1) for car in cars)


def parse_position(words: dict[str, str], g: Setup) -> State:
    """Parse ``name=value`` words into a state; raise ``BadPosition`` with every fault."""
    s = State()
    s.running = g.cars
    read(s, g, words, _READERS, _fields(g))
    check(_faults(s, g, words))
    _fill(s, g)
    return s


def result_fault(places: Sequence[int], scores: Sequence[int], g: Setup) -> str:
    """Say why no race can end like this; empty if one can (LC-7.2, LX-3.6)."""
    finished = sorted(place for place in places if place)
    if finished != list(range(1, len(finished) + 1)):
        return _("LC-7.2 each car that finishes has its own place, from 1")
    if len(finished) < g.cars and not g.incidents:
        return _("LC-7.2 every car finishes: give each one a place")
    points = [0, *(g.points[i] for i in range(g.cars))]
    if list(scores) != [points[place] for place in places]:
        return _("LC-7.2 each place has its own points, and a retired car has none")
    return ""


def shown(seen: Seen) -> State:
    """Return the state to show: that of ``seen``, or the end of a series of which only results are known."""
    s: State = seen.state
    if s.phase == state.OVER or len(seen.rounds) < seen.options.rounds:
        return s
    end, places = State(), seen.rounds[-1].places
    finished = sorted((seat for seat, place in enumerate(places) if place), key=lambda seat: -places[seat])
    end.phase, end.placed, end.running = state.OVER, len(places), len(finished)
    for i, seat in enumerate(finished):
        end.order[i] = seat
    for n, seat in enumerate(seat for seat, place in enumerate(places) if not place):
        end.out[seat] = n + 1
    return end


def _car(text: str, g: Setup) -> int:
    return seat_of(text, g.cars)


def _read_phase(s: State, g: Setup, text: str) -> None:
    s.phase = PHASES.index(word(text, _phases(g)))


def _read_lap(s: State, g: Setup, text: str) -> None:
    s.lap = number(text, most_laps(g))
    if g.pit and s.lap >= g.pit_lap:
        s.stops = (1 << g.cars) - 1


def most_laps(g: Setup) -> int:
    """Return the most laps that a race can have.

    LC-4.5 every car plays a card in each lap except that of its stop; LX-2.1, LX-2.2 a stop adds cards.
    """
    if not g.pit:
        return g.cards
    return 2 * g.cards if g.refill else g.cards + g.pit_cards


def _read_passes(s: State, g: Setup, text: str) -> None:
    s.passes = number(text, g.most_passes - 1)


def _read_last(s: State, g: Setup, text: str) -> None:
    s.last = int(word(text, ("yes", "no")) == "yes")


def _read_road(s: State, g: Setup, text: str) -> None:
    """Set the cars on the road and the gaps between them, from the last car to the first."""
    if text == NONE:
        return
    split = re.split(r"(-|\.+)", text)
    cars = once([_car(part, g) for part in split[::2]], _("a car can stand on only one space"))
    first = s.running - len(cars)
    if first < 0 or any(s.out[car] for car in cars):
        raise ValueError(_("a retired car cannot be on the road"))
    s.placed = g.cars - first
    for i, car in enumerate(cars):
        s.order[first + i] = car
    for i, gap in enumerate(split[1::2]):
        s.gap[first + i] = gap.count(".")


def _read_hands(s: State, g: Setup, text: str) -> None:
    """Set the cards of every car."""
    pairs = by_seat(text, g.cars, "|")
    if len(pairs) != g.cars:
        raise ValueError(_("write the hands of all {n} cars").format(n=g.cars))
    for car, hand in pairs:
        for name in hand.split(",") if hand else ():
            kind = _kind(name)
            s.hand[car, kind] += 1
            s.held[car] |= 1 << kind
            s.cards[car] += 1


def _read_cars(text: str, g: Setup) -> list[int]:
    return once([_car(part, g) for part in parts(text)], _("name each car once"))


def _read_pitted(s: State, g: Setup, text: str) -> None:
    """Set which cars have pitted: those that have no stop left."""
    cars = _read_cars(text, g)
    if cars and not s.stops:
        raise ValueError(_("LX-2.0 no car pits before lap {lap}").format(lap=g.pit_lap))
    for car in cars:
        s.stops &= ~(1 << car)


def _read_known(s: State, g: Setup, text: str) -> None:
    for car, hand in by_seat(text, g.cars, "|"):
        for name in hand.split(","):
            s.known[car, _kind(name)] += 1


def _read_retired(s: State, g: Setup, text: str) -> None:
    for i, car in enumerate(_read_cars(text, g)):
        s.out[car] = i + 1
        s.running -= 1


def _read_drafted(s: State, g: Setup, text: str) -> None:
    for car in _read_cars(text, g):
        s.drafted |= 1 << car


def _read_discard(s: State, g: Setup, text: str) -> None:
    """Set the cards of the discard pile."""
    for part in parts(text):
        name, star, count = part.partition("*")
        if not star:
            raise ValueError(_("write card*count"))
        s.discard[_kind(name)] = number(count, g.deck[_kind(name)])


def _read_commit(s: State, g: Setup, text: str) -> None:
    for car, play in by_seat(text, g.cars):
        s.commit[car] = 1 + _read_play(play)


def _read_value(s: State, g: Setup, text: str) -> None:
    for car, value in by_seat(text, g.cars):
        s.value[car] = 1 + number(value, state.KINDS - 1 + g.redline_bonus)


def _read_turn(s: State, g: Setup, text: str) -> None:
    number(text, g.cars)  # ``_turn_faults`` uses it, when the road is known


_READERS = {
    "phase": _read_phase,
    "lap": _read_lap,
    "turn": _read_turn,
    "passes": _read_passes,
    "last": _read_last,
    "retired": _read_retired,  # read before "road", where retired cars have no space
    "road": _read_road,
    "hands": _read_hands,
    "discard": _read_discard,
    "commit": _read_commit,
    "value": _read_value,
    "pitted": _read_pitted,
    "known": _read_known,
    "drafted": _read_drafted,
}


def _faults(s: State, g: Setup, words: dict[str, str]) -> list[str]:
    """Return why a state whose fields are well-formed is impossible: a sentence for each reason."""
    faults = []
    cars = range(g.cars)
    played = sum(s.discard[k] for k in range(state.KINDS))
    held = sum(s.cards[car] for car in cars)
    for k in range(state.KINDS):
        if s.discard[k] + sum(s.hand[car, k] for car in cars) > g.deck[k]:
            faults.append(
                _("LC-1.2 the deck has only {n} of the card {card}").format(n=g.deck[k], card=_card(k))
            )
    if s.phase == state.DEAL:
        left = held
        for car in cars:
            if s.cards[car] != min(left, g.cards):
                faults.append(_("LC-1.2 each car gets {n} cards before the next one").format(n=g.cards))
                break
            left -= s.cards[car]
        if held >= g.cars * g.cards:
            faults.append(_("LC-1.2 all cards are dealt: write phase=qualify"))
    elif played + held != g.cars * g.cards:
        sentence = _("LC-1.2 hands and discard pile have {n} cards, not {all}")
        faults.append(sentence.format(n=played + held, all=g.cars * g.cards))
    if s.phase in (state.DEAL, state.QUALIFY) and (played or s.placed or s.lap):
        faults.append(_("LC-3.1 before the reveal in qualifying no card is played and no car has a place"))
    if s.phase == state.QUALIFY and any(s.cards[car] != g.cards for car in cars):
        faults.append(_("LC-1.2 in qualifying every hand has {n} cards").format(n=g.cards))
    racing = _racing(s)
    if racing and s.placed != g.cars:
        faults.append(_("LC-3.3 every car must be on the road"))
    if racing and not s.lap:
        faults.append(_("LC-4.1 write a lap from 1 to {most}").format(most=most_laps(g)))
    if not racing and (s.passes or s.drafted):
        faults.append(_("LC-5.4, LX-5.1 cars pass others and draft only during a lap"))
    if racing:
        faults += _lap_faults(s, g, -1)
    if s.running < 2 or (s.running < g.cars and not racing):
        faults.append(_("LX-3.6 cars retire only during a lap, and a car that is left alone has won"))
    if any(s.cards[car] == 0 for car in cars) and s.phase not in (state.DEAL, state.QUALIFY) and not s.last:
        faults.append(_("LC-7.1 a car has no cards: write last=yes"))
    if s.last and (s.phase in (state.DEAL, state.QUALIFY) or all(s.cards[car] for car in cars)):
        faults.append(_("LC-7.1 every car has cards: write last=no"))
    faults += _known_faults(s, g)
    faults += _turn_faults(s, g, words) if racing and not faults else []
    faults += _lap_faults(s, g, s.turn) if racing and not faults else []
    faults += _tied_faults(s, g)
    faults += _commit_faults(s, g)
    return faults


def _lap_faults(s: State, g: Setup, turn: int) -> list[str]:
    """Return which cars have played too few cards (LC-4.5).

    A car plays a card in qualifying and one in every lap that is over, except in the lap of its stop. Cars
    behind index ``turn`` have played one in this lap too; the car there, one for each car that it passed.
    """
    faults = []
    for i, car in enumerate(s.order[i] for i in range(s.running)):
        played = g.cards - s.cards[car]
        if s.lap >= g.pit_lap and not s.stops >> car & 1 and g.pit:
            # the cards drawn in the stop, and the lap of the stop
            played += g.cards if g.refill else g.pit_cards + 1
        if s.lap > played:
            sentence = _("LC-4.5 car {car} has played too few cards for lap={lap}")
            faults.append(sentence.format(car=car + 1, lap=s.lap))
        elif s.lap + (i < turn) + (s.passes if i == turn else 0) > played:
            sentence = _("LC-4.5, LC-5.4 car {car} has played too few cards for its turn in this lap")
            faults.append(sentence.format(car=car + 1))
    return faults


def _known_faults(s: State, g: Setup) -> list[str]:
    """Return what is wrong with the cards that everybody knows."""
    faults = []
    for car in range(g.cars):
        known = sum(s.known[car, k] for k in range(state.KINDS))
        if any(s.known[car, k] > s.hand[car, k] for k in range(state.KINDS)):
            faults.append(_("LX-2.1 car {car} does not hold its known cards").format(car=car + 1))
        elif known and (s.stops >> car & 1 or s.lap < g.pit_lap):
            sentence = _("LX-2.1 car {car} has not pitted: it has no known cards")
            faults.append(sentence.format(car=car + 1))
        elif known > g.pit_cards and not g.refill:
            faults.append(
                plural(
                    "LX-2.1 car {car} drew only {n} card in its stop",
                    "LX-2.1 car {car} drew only {n} cards in its stop",
                    g.pit_cards, car=str(car + 1),
                )
            )  # fmt: skip
        if s.cards[car] > g.cards:
            faults.append(_("LC-1.2, LX-2.2 no hand has more than {n} cards").format(n=g.cards))
    return faults


def _turn_faults(s: State, g: Setup, words: dict[str, str]) -> list[str]:
    """Set whose turn it is; return what is wrong with it, one fault at most."""
    order = [s.order[i] for i in range(s.running)]
    turn = int(words["turn"]) - 1
    if turn not in order:
        return [_("LC-4.1 write the number of the car whose turn it is")]
    s.turn = order.index(turn)
    ahead = s.turn + 1 < s.running and s.gap[s.turn] == 0
    if s.passes > s.turn:
        return [_("LC-5.4 a car that has passed another is ahead of it")]
    if s.phase in (state.PIT_DRAW, state.PIT_DIE):
        return _stop_faults(s, g, turn)
    if ahead != (s.phase != state.ROAD):
        phase = "challenge" if ahead else "road"
        sentence = _("LC-4.3 the space directly ahead of car {car} decides the phase: write phase={phase}")
        return [sentence.format(car=turn + 1, phase=phase)]
    if s.phase != state.INCIDENT and (not s.cards[turn] or (ahead and not s.cards[order[s.turn + 1]])):
        return [_("LC-4.4, LC-4.5 the cars that must decide have cards")]
    if s.phase == state.PITS and not can_pit(s, g, turn):
        return [_("LX-2.0 car {car} cannot pit now: the phase is challenge").format(car=turn + 1)]
    drafted = s.drafted >> turn & 1
    if s.phase == state.DRAFT and g.one_draft and not drafted:
        return [_("LX-5.1 car {car} has drafted: write drafted={car}").format(car=turn + 1)]
    if drafted and not s.passes and s.phase in (state.ROAD, state.PITS):
        return [_("LX-5.2 a car that has drafted and passed nobody challenges or stops")]
    if any(s.drafted >> car & 1 for car in order[s.turn + 1 :]):
        return [_("LX-5.1 no car ahead of the one whose turn it is can have drafted in this lap")]
    return []


def _stop_faults(s: State, g: Setup, car: int) -> list[str]:
    """Return the faults of a stop: LX-2.6 cards are drawn first, then the die is rolled."""
    known = sum(s.known[car, k] for k in range(state.KINDS))
    full = s.cards[car] == g.cards or (known == g.pit_cards and not g.refill)
    if s.stops >> car & 1 or s.lap < g.pit_lap:
        return [_("LX-2.0 car {car} is in the pits: write it in pitted=").format(car=car + 1)]
    if s.passes and not g.late:
        return [_("LX-2.0 a car pits only at the start of its turn")]
    if s.drafted >> car & 1 and not s.passes:
        return [_("LX-5.2 a car that has drafted and passed nobody challenges or stops")]
    if full != (s.phase == state.PIT_DIE) or s.cards[car] == known:
        return [_("LX-2.6 the cards of a stop are drawn before the die is rolled")]
    if s.phase == state.PIT_DRAW and not any(s.discard[k] for k in range(state.KINDS)):
        return [_("LX-2.6 the discard pile has enough cards")]
    return []


def _tied_faults(s: State, g: Setup) -> list[str]:
    """Return what is wrong with the values of a tied qualifying."""
    valued = [car for car in range(g.cars) if s.value[car]]
    if s.phase != state.TIED:
        return [_("LC-3.4 cars have values only in a tied qualifying")] if valued else []
    placed = {s.order[i] for i in range(g.cars - s.placed, g.cars)}
    if placed & set(valued) or len(placed) + len(valued) != g.cars:
        return [_("LC-3.4 every car has either a place or a value")]
    if s.lap or any(s.gap[i] for i in range(g.cars)):
        return [_("LC-3.3 on the grid the cars are on adjacent spaces, before the first lap")]
    best = Counter(s.value[car] for car in valued)
    return [] if best[max(best)] > 1 else [_("LC-3.4 no cars are tied for the next place")]


def _commit_faults(s: State, g: Setup) -> list[str]:
    """Return what is wrong with the committed plays."""
    committed = {car for car in range(g.cars) if s.commit[car]}
    deciding: set[int] = set()
    if s.phase == state.QUALIFY:
        deciding = set(range(g.cars))
    elif s.phase == state.CHALLENGE and s.turn + 1 < s.running:
        deciding = {s.order[s.turn], s.order[s.turn + 1]}
    if not committed <= deciding or (deciding and committed == deciding):
        return [_("LC-5.1 only cars that decide together commit, and the last commit reveals all")]
    faults = []
    for car in committed:
        play = s.commit[car] - 1
        need = Counter(
            [play]
            if play < state.KINDS
            else [state.REDLINE, state.REDLINE if play == state.TWO_REDLINES else play - state.WITH_REDLINE]
        )
        if any(s.hand[car, kind] < count for kind, count in need.items()):
            faults.append(_("LC-1.4 car {car} does not hold {play}").format(car=car + 1, play=_play(play)))
        if play == state.TWO_REDLINES and not g.void:
            faults.append(_("LC-3.5 two Redlines cannot be played together"))
    return faults


def _fill(s: State, g: Setup) -> None:
    """Set the fields of the state that follow from the written ones."""
    for k in range(state.KINDS):
        s.deck[k] = g.deck[k] - s.discard[k] - sum(s.hand[car, k] for car in range(g.cars))
    s.dealt = sum(s.cards[car] for car in range(state.CARS)) + sum(s.discard[k] for k in range(state.KINDS))
    if s.phase in (state.DEAL, state.TIED, state.PIT_DIE, state.INCIDENT) or (
        s.phase == state.PIT_DRAW and not g.choose
    ):
        s.waiting = 1 << CHANCE
    elif s.phase == state.QUALIFY:
        s.waiting = sum(1 << car for car in range(g.cars) if not s.commit[car])
    elif s.phase != state.CHALLENGE:
        s.waiting = 1 << s.order[s.turn]
    else:
        s.waiting = sum(1 << s.order[i] for i in (s.turn, s.turn + 1) if not s.commit[s.order[i]])
