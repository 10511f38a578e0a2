"""The Great Race: how cards go from place to place, to fill in partial records (see ``core.rooms.records``).

Some cards move without an entry of their own: a played card reaches the discard pile when its action ends,
the card left at bivouac goes to the last player, and drawn cards that are not discarded are kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby, takewhile
from typing import NamedTuple

from paddock.core.words import CHANCE, HIDDEN
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.driving import cards_of
from paddock.games.great_race.rules.rules import apply, start
from paddock.games.great_race.rules.state import Setup, State

DECK, PILE = -1, -2
MARKET, TABLE = -3, -4  # face up at bivouac; the card under way, on no pile yet (GR-1.8)
DRAWN = state.SEATS  # cards drawn of which some are kept (GR-10.15, GR-11.3): unseen, as a hand
AT_ONCE = (
    state.MILITIA,
    state.GUIDE,
    state.TRANSPORT,
    state.JERRYCAN,
    state.ENGINE_PARTS,
    state.CHASSIS_PARTS,
    state.TOOLBOX,
)

Pass = tuple[int, int, int]  # card, from, to


def cards(s: State, g: Setup, place: int) -> Sequence[int]:
    """GR-1.8 the cards of a hand, of those drawn and not kept yet, of the discard pile, or of the deck."""
    return [kind for kind in range(state.CARDS) for _ in range(_cards_in(s, g, place, kind))]


def _cards_in(s: State, g: Setup, place: int, kind: int) -> int:
    """Return how many cards of a kind are in a place: the pile, the drawn cards, the deck or a hand."""
    if place == PILE:
        return s.discard[kind]
    if place == DRAWN:
        return s.drawn[s.turn, kind]
    if place != DECK:
        return s.hand[place, kind]
    elsewhere = s.discard[kind] + s.market[kind] + int(s.card == kind)
    return (
        g.deck[kind] - elsewhere - sum(s.hand[seat, kind] + s.drawn[seat, kind] for seat in range(g.players))
    )


def journeys(
    g: Setup, lines: Sequence[tuple[int, str, Sequence[int]]]
) -> Mapping[tuple[int, int], list[Pass]]:
    """The cards that each entry of a race brings from place to place, by its line and its index there."""
    entries = [
        _Entry((number, i), by, heading, id)
        for number, (by, heading, ids) in enumerate(lines)
        for i, id in enumerate(ids)
    ]
    lots = list(takewhile(lambda entry: entry.heading != "bivouac" and entry.what != HIDDEN, entries))
    s = State()
    start(s, g)
    for entry in lots:
        apply(s, g, entry.by, entry.what)
    table = _Table(s, g)
    passes_of = {}
    for _heading, run in groupby(entries[len(lots) :], lambda entry: entry.heading):
        together = list(run)
        for n, entry in enumerate(together):
            if entry.by == CHANCE:
                passes = table.outcome(entry.heading, entry.what, len(together) - n)
            else:
                passes = table.move(entry.by, entry.what)
            table.count(passes)
            passes_of[entry.place] = passes
    return passes_of


class _Entry(NamedTuple):
    place: tuple[int, int]  # line, and index there
    by: int
    heading: str
    what: int


class _Table:
    """What is public on the table, and says where the next card comes from or goes to."""

    def __init__(self, s: State, g: Setup) -> None:
        self.s, self.g = s, g  # after the lots and the choice of leaders
        self.held = Counter[int]()  # cards of each seat
        self.market = Counter[int]()
        self.takers: list[int] = []  # of this bivouac
        self.card = state.NO_CARD  # under way
        self.last = HIDDEN  # move
        self.keep = 0  # of the cards drawn
        self.rejects = 0  # of them that are still to be discarded

    def count(self, passes: Sequence[Pass]) -> None:
        """The cards have moved."""
        for _card, source, target in passes:
            self.held[source] -= 1
            self.held[target] += 1

    def outcome(self, heading: str, id: int, shown_later: int) -> list[Pass]:
        """GR-3.1, GR-1.8, GR-11.5 a card that chance brings; ``shown_later``: how many come now."""
        if heading == "bivouac":
            before = self._release()
            self.takers = []
            self.market[id] += 1
            return [*before, (id, DECK, MARKET)]
        if match := re.fullmatch("theft ([1-5]) ([1-5])", heading):
            return [(id, int(match[1]) - 1, int(match[2]) - 1)]
        match = re.fullmatch("draw ([1-5])", heading)
        if not match:
            return []
        seat = int(match[1]) - 1
        if not self.rejects:
            self.keep = self._keeps(seat, shown_later)
            self.rejects = shown_later - self.keep
        return [(id, DECK, DRAWN if self.rejects else seat)]

    def _keeps(self, seat: int, drawn: int) -> int:
        """GR-10.15, GR-11.3 how many of the drawn cards are kept: two of Tracker's, the number of a city."""
        if self.last == state.PLAY + state.TRACKER:
            return min(2, drawn)
        if self.last < state.PLAY and self.s.leader[seat] == state.BARON:
            return min(cards_of(self.s, self.g, self.last), drawn)
        return drawn

    def move(self, seat: int, id: int) -> list[Pass]:
        """The cards that a move brings from place to place."""
        if state.DROP_CARD <= id < state.SEAT:
            return self._drop(seat, id - state.DROP_CARD)
        self.last = id
        if state.TAKE_CARD <= id < state.DROP_CARD:
            return self._take(seat, id - state.TAKE_CARD)
        if state.PLAY <= id < state.TAKE_CARD:
            return self._play(seat, id - state.PLAY)
        if state.BUY < id <= state.STEAL:  # GR-5.1 the action before has ended
            return self._release()
        if id == self.s.goal:  # GR-9.1
            return [(HIDDEN, seat, PILE)] * self.held[seat]
        return []

    def _release(self) -> list[Pass]:
        """GR-1.8 the action has ended: its card is on the discard pile."""
        card, self.card = self.card, state.NO_CARD
        return [] if card == state.NO_CARD else [(card, TABLE, PILE)]

    def _play(self, seat: int, card: int) -> list[Pass]:
        """GR-5.3 a card is played; those for the convoy lie on the table until their action ends."""
        if card in AT_ONCE:
            return [(card, seat, PILE)]
        before = self._release()
        self.card = card
        return [*before, (card, seat, TABLE)]

    def _take(self, seat: int, card: int) -> list[Pass]:
        """GR-3.1 a card is taken; the last player, who took first, gets the card that is left."""
        self.takers.append(seat)
        self.market[card] -= 1
        taken = [(card, MARKET, seat)]
        if len(self.takers) == self.g.players:
            taken += [(left, MARKET, self.takers[0]) for left in self.market.elements()]
            self.market.clear()
        return taken

    def _drop(self, seat: int, card: int) -> list[Pass]:
        """GR-3.2 a card of the hand is discarded; or GR-10.29 a drawn one; then the rest is kept."""
        if not self.rejects:
            return [(card, seat, PILE)]
        self.rejects -= 1
        kept_cards = [] if self.rejects else [(HIDDEN, DRAWN, seat)] * self.keep
        return [(card, DRAWN, PILE), *kept_cards]
