"""The Great Race: a race as words, and back.

Every field of the state is a word ``name=value``, but for what follows from the others: the deck, the bag,
the sizes. Players are numbered from 1; lists have one part a player; «-» stands for nothing. ``crew=`` are
the leaders, ``known=`` the cards that everybody knows of, ``private=2>1:militia`` those of player 1 that only
player 2 knows of besides (GR-3.3), ``board=7d:mud`` the tiles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from paddock.core.i18n import _
from paddock.core.words import CHANCE
from paddock.games.great_race.rules import invariants, rules, state
from paddock.games.great_race.rules.state import (
    BLANK,
    BOXES,
    CARDS,
    CITY,
    GAUGE,
    MOST_SABOTAGE,
    NO_CARD,
    NO_LEADER,
    OFF,
    SEATS,
    TILES,
    TOKENS,
    Setup,
    State,
)
from paddock.games.great_race.words.names import CARDS as CARD_WORDS
from paddock.games.great_race.words.names import (
    LEADERS,
    each,
    line_of,
    plan_of,
    plan_word,
    space_name,
    space_of,
)
from paddock.games.great_race.words.names import TILES as TILE_WORDS
from paddock.parts.position import NONE, Reader, check, number, parts, seat_of, word, written
from paddock.parts.position import read as read_fields

PHASES = ("lots", "leaders", "bivouac", "planning", "convoy", "over")
STAGES = (
    "first", "end", "numbers", "leader", "bivouac", "take", "plan", "act", "target", "split", "spot",
    "cancel", "ransom", "theft", "draw", "keep", "tiles", "pick", "place-tile", "place-space", "mend",
    "toolbox", "step", "arrival", "danger", "damage", "stop", "discard", "customs", "over",
)  # fmt: skip
ACTIONS = (
    "idle", "driving", "scouting", "mending", "supplying", "clearing", "sabotage", "hunting", "swapping",
    "tracking", "mapping", "ransoming", "siphoning", "searching", "stealing",
)  # fmt: skip
MOST = 30_000  # of any number; francs too


@dataclass(frozen=True)
class WordField:
    """How one word is written and read; ``read`` raises ``ValueError`` with what to write."""

    write: Callable[[State, Setup], str]
    read: Reader


# ---- parts --------------------------------------------------------------------------------------


def _index(text: str, words: Sequence[str]) -> int:
    return words.index(word(text, words))


def _space(g: Setup, text: str) -> int:
    return OFF if text == NONE else space_of(g, text)


def _space_word(g: Setup, space: int) -> str:
    return NONE if space == OFF else space_name(g, space)


def _seat(g: Setup, text: str) -> int:
    return seat_of(text, g.players)


def _list(g: Setup, text: str, between: str = ",") -> list[str]:
    parts = text.split(between)
    if len(parts) != g.players:
        raise ValueError(_("write a part for each of the {n} players").format(n=g.players))
    return parts


def _counted(counts: Sequence[int], words: Sequence[str]) -> str:
    """Cards or tiles, each as often as it is there."""
    return ",".join(each(words, counts)) or NONE


def _count(text: str, words: Sequence[str]) -> list[int]:
    kinds = [_index(part, words) for part in parts(text)]
    if kinds != sorted(kinds):
        raise ValueError(_("write them in the order of the rules: {words}").format(words=", ".join(words)))
    return [kinds.count(kind) for kind in range(len(words))]


# ---- fields -------------------------------------------------------------------------------------


def _number_field(name: str, least: int = 0, most: int = MOST) -> WordField:
    """A number."""

    def read(s: State, g: Setup, text: str) -> None:
        setattr(s, name, number(text, most, least))

    return WordField(lambda s, g: str(getattr(s, name)), read)


def _word_field(name: str, words: Sequence[str], none: int | None = None) -> WordField:
    """One of some words; ``none`` is the number that «-» stands for."""

    def read(s: State, g: Setup, text: str) -> None:
        setattr(s, name, none if text == NONE and none is not None else _index(text, words))

    def write(s: State, g: Setup) -> str:
        value = getattr(s, name)
        return NONE if value == none else words[value]

    return WordField(write, read)


def _space_field(name: str) -> WordField:
    """A space, or none."""

    def read(s: State, g: Setup, text: str) -> None:
        setattr(s, name, _space(g, text))

    return WordField(lambda s, g: _space_word(g, getattr(s, name)), read)


def _player(name: str) -> WordField:
    """A player."""

    def read(s: State, g: Setup, text: str) -> None:
        setattr(s, name, _seat(g, text))

    return WordField(lambda s, g: str(getattr(s, name) + 1), read)


def _bag(name: str, words: Sequence[str]) -> WordField:
    """Counts of cards or tiles."""

    def read(s: State, g: Setup, text: str) -> None:
        row = getattr(s, name)
        for kind, count in enumerate(_count(text, words)):
            row[kind] = count

    return WordField(lambda s, g: _counted([getattr(s, name)[k] for k in range(len(words))], words), read)


def _each(name: str, write: Callable[[Setup, int], str], read: Callable[[Setup, str], int]) -> WordField:
    """A part a player."""

    def read_all(s: State, g: Setup, text: str) -> None:
        row = getattr(s, name)
        for seat, part in enumerate(_list(g, text)):
            row[seat] = read(g, part)

    return WordField(
        lambda s, g: ",".join(write(g, getattr(s, name)[seat]) for seat in range(g.players)), read_all
    )


def _numbers(name: str, most: int = MOST) -> WordField:
    """A number a player."""
    return _each(name, lambda g, value: str(value), lambda g, text: number(text, most))


def _hands(name: str) -> WordField:
    """A hand a player: ``1:militia,driver|2:-``."""

    def write(s: State, g: Setup) -> str:
        grid = getattr(s, name)
        return "|".join(
            f"{seat + 1}:{_counted(line_of(grid, seat, CARDS), CARD_WORDS)}" for seat in range(g.players)
        )

    def read(s: State, g: Setup, text: str) -> None:
        """Set the cards of every player from their text."""
        grid = getattr(s, name)
        for seat, part in enumerate(_list(g, text, "|")):
            holder, _colon, cards = part.partition(":")
            if holder != str(seat + 1):
                raise ValueError(_("write every player's cards as number:cards, in order, separated by |"))
            for kind, count in enumerate(_count(cards, CARD_WORDS)):
                grid[seat, kind] = count

    return WordField(write, read)


def _write_private(s: State, g: Setup) -> str:
    """Write who knows of whose cards, as in ``2>1:militia``."""
    claims = []
    for knower in range(g.players):
        for holder in range(g.players):
            cards = _counted(line_of(s.private, SEATS * knower + holder, CARDS), CARD_WORDS)
            if cards != NONE:
                claims.append(f"{knower + 1}>{holder + 1}:{cards}")
    return "|".join(claims) or NONE


def _read_private(s: State, g: Setup, text: str) -> None:
    """Set who knows of whose cards."""
    for part in parts(text, "|"):
        match = re.fullmatch("([1-5])>([1-5]):(.+)", part)
        if not match:
            raise ValueError(_("write who knows of whose cards, as in 2>1:militia, separated by |"))
        knower, holder = _seat(g, match[1]), _seat(g, match[2])
        for kind, count in enumerate(_count(match[3], CARD_WORDS)):
            s.private[SEATS * knower + holder, kind] = count


def _write_board(s: State, g: Setup) -> str:
    """Write the tiles on the map, as in ``7d:mud``."""
    return (
        ",".join(
            f"{space_name(g, space)}:{TILE_WORDS[s.tile[space]]}"
            for space in range(g.spaces)
            if s.tile[space] != BLANK
        )
        or NONE
    )


def _read_board(s: State, g: Setup, text: str) -> None:
    """Set the tiles on the map."""
    for part in parts(text):
        name, colon, tile = part.partition(":")
        space = space_of(g, name)
        if not colon or g.land[space] == CITY or s.tile[space] != BLANK:
            raise ValueError(_("write each tile once, on a space without a city, as in 7d:mud"))
        s.tile[space] = _index(tile, TILE_WORDS)


def _write_assistants(s: State, g: Setup) -> str:
    return ",".join("-".join(map(str, line_of(s.assistants, seat, BOXES))) for seat in range(g.players))


def _read_assistants(s: State, g: Setup, text: str) -> None:
    """Set the assistants in the boxes of every player."""
    for seat, part in enumerate(_list(g, text)):
        if not re.fullmatch("[0-6](-[0-6]){3}", part):
            raise ValueError(_("write the assistants in each box, as in 2-1-1-1"))
        for box, active in enumerate(part.split("-")):
            s.assistants[seat, box] = int(active)


def _plan(g: Setup, text: str) -> int:
    return 0 if text == NONE else 1 + plan_of(g, text)


def _write_tokens(s: State, g: Setup) -> str:
    return ",".join(str(s.token[i]) for i in range(g.n_tokens)) or NONE


def _read_tokens(s: State, g: Setup, text: str) -> None:
    """Set the numbers on the city tokens."""
    numbers = parts(text)
    if len(numbers) != g.n_tokens:
        raise ValueError(_("write a number for each of the {n} city tokens").format(n=g.n_tokens))
    for i, cards in enumerate(numbers):
        s.token[i] = number(cards, 2)


FIELDS: dict[str, WordField] = {
    "phase": _word_field("phase", PHASES),
    "stage": _word_field("stage", STAGES),
    "asked": _player("asked"),
    "round": _number_field("round"),
    "turn": _player("turn"),
    "origin": _space_field("origin"),
    "goal": _space_field("goal"),
    "numbered": _number_field("numbered", 0, TOKENS),
    "tokens": WordField(_write_tokens, _read_tokens),
    "order": _each("order", lambda g, seat: str(seat + 1), _seat),
    "stack": _each("token_order", lambda g, seat: str(seat + 1), _seat),
    "at": _each("at", _space_word, _space),
    "petrol": _numbers("petrol", GAUGE),
    "engine": _numbers("engine", GAUGE),
    "chassis": _numbers("chassis", GAUGE),
    "money": _numbers("money"),
    "crew": _each(
        "leader",
        lambda g, leader: NONE if leader == NO_LEADER else LEADERS[leader],
        lambda g, text: NO_LEADER if text == NONE else _index(text, LEADERS),
    ),
    "used": _numbers("power_used", 1),
    "passed": _numbers("passed", 1),
    "arrivals": _numbers("place", SEATS),
    "assistants": WordField(_write_assistants, _read_assistants),
    "plans": _each("plan", lambda g, plan: plan_word(g, plan - 1) if plan > 0 else NONE, _plan),
    "hands": _hands("hand"),
    "drawn": _hands("drawn"),
    "known": _hands("known"),
    "private": WordField(_write_private, _read_private),
    "discard": _bag("discard", CARD_WORDS),
    "market": _bag("market", CARD_WORDS),
    "board": WordField(_write_board, _read_board),
    "removed": _bag("removed", TILE_WORDS),
    "tiles": _bag("drawn_tiles", TILE_WORDS),
    "picks": _bag("picked_tiles", TILE_WORDS),
    "picked": _word_field("picked", TILE_WORDS, BLANK),
    "action": _word_field("action", ACTIONS),
    "card": _word_field("card", CARD_WORDS, NO_CARD),
    "assistant": _number_field("assistant", 0, 1),
    "bought": _number_field("bought", 0, 1),
    "target": _player("target"),
    "spot": _space_field("first_spot"),
    "other": _space_field("second_spot"),
    "sabotage": _number_field("split_engine", 0, MOST_SABOTAGE),
    "chassis_sabotage": _number_field("split_chassis", 0, MOST_SABOTAGE),
    "left": _number_field("left", 0, 20),
    "keep": _number_field("keep", -1, 9),
    "steps": _number_field("steps", 0, 9),
    "entering": _space_field("entering"),
    "known_step": _number_field("known_step", 0, 1),
    "discount": _number_field("discount", 0, 200),
    "tried": _number_field("tried", 0, 1),
}


def position(s: State, g: Setup) -> str:
    """The state as ``name=value`` words, always in the same order."""
    return written({name: field.write(s, g) for name, field in FIELDS.items()})


def parse_position(words: dict[str, str], g: Setup) -> State:
    """The state of such words; raises ``BadPosition`` with every fault."""
    s = State()
    for space in range(state.SPACES):
        s.tile[space] = BLANK
    for seat in range(SEATS):
        s.at[seat] = OFF
        s.leader[seat] = NO_LEADER
    read_fields(s, g, words, {name: field.read for name, field in FIELDS.items()}, tuple(FIELDS))
    _fill(s, g)
    check(_faults(s, g))
    return s


def _fill(s: State, g: Setup) -> None:
    """What follows from the written fields: the deck, the bag and the sizes."""
    for kind in range(CARDS):
        s.deck[kind] = g.deck[kind] - s.discard[kind] - s.market[kind] - int(s.card == kind)
        s.market_size += s.market[kind]
        for seat in range(g.players):
            s.deck[kind] -= s.hand[seat, kind] + s.drawn[seat, kind]
            s.cards[seat] += s.hand[seat, kind]
            s.drawn_size += s.drawn[seat, kind]
        s.deck_size += s.deck[kind]
    for kind in range(TILES):
        s.bag[kind] = g.bag[kind] - s.removed[kind] - s.drawn_tiles[kind] - s.picked_tiles[kind]
    for space in range(g.spaces):
        if s.tile[space] != BLANK:
            s.bag[s.tile[space]] -= 1
    s.bag_size = sum(s.bag[kind] for kind in range(TILES))
    s.arrived = sum(s.place[seat] > 0 for seat in range(g.players))


def _faults(s: State, g: Setup) -> list[str]:
    """What makes a well-written state impossible, each as a sentence."""
    faults = [
        _("GR-1.5 the deck has only {n} of the card {card}").format(n=g.deck[kind], card=CARD_WORDS[kind])
        for kind in range(CARDS)
        if s.deck[kind] < 0
    ]
    faults += [
        _("GR-1.6 there are only {n} of the tile {tile}").format(n=g.bag[kind], tile=TILE_WORDS[kind])
        for kind in range(TILES)
        if s.bag[kind] < 0
    ]
    for seat in range(g.players):
        space = s.at[seat]
        if space != OFF and g.land[space] != CITY and s.tile[space] == BLANK:
            words = _("GR-7.1 player {n} stands on {space}, where there is neither a tile nor a city")
            faults.append(words.format(n=seat + 1, space=space_name(g, space)))
    if not faults and (code := invariants.broken(s, g)):
        faults.append(invariants.INVARIANTS[code])
    return faults or _idle(s, g)


def _idle(s: State, g: Setup) -> list[str]:
    """Whoever is asked must have an answer, and so must chance."""
    if s.phase == state.OVER:
        return [_("phase=over: a finished race is written by its results")]
    waiting = rules.who(s, g)
    out = [0] * max(rules.ACTIONS + 1, rules.OUTCOMES)
    if waiting >> CHANCE:
        if not rules.outcomes(s, g, out, [0] * rules.OUTCOMES):
            return [_("stage={stage}: nothing is left to draw").format(stage=STAGES[s.stage])]
        return []
    return [
        _("stage={stage}: player {n} is asked and has no answer").format(stage=STAGES[s.stage], n=seat + 1)
        for seat in range(g.players)
        if waiting >> seat & 1 and not rules.legal(s, g, seat, out)
    ]


def result_fault(places: Sequence[int], scores: Sequence[int], g: Any) -> str:
    """GR-9.2 the finishers have places from 1, nobody shares one; GR-9.6 the others have neither place nor
    points."""
    ranked = sorted(place for place in places if place)
    if ranked != list(range(1, len(ranked) + 1)):
        return _("GR-9.3 the finishers have the places from 1, each once")
    if any(score for place, score in zip(places, scores, strict=True) if not place):
        return _("GR-9.6 who has not finished scores nothing")
    by_place = [score for place, score in sorted(zip(places, scores, strict=True)) if place]
    if by_place != sorted(by_place, reverse=True):
        return _("GR-9.3 more prestige is a better place")
    if any(not 1 <= score <= rules.MAX_SCORE for score in by_place):
        return _("GR-9.3 nobody can finish with this prestige")
    return ""
