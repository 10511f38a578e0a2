"""A guide for titles whose cards pass from hand to hand and come back into the deck.

Before each «?» it makes a plan: every card that a hand is later seen to lose must have come to it, so some
of the hidden cards that the hand gets before must be that one; a stolen card must have been in the hand that
it was stolen from; and the deck must hold what is drawn from it before it is shuffled again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paddock.core.game import ChanceSource
from paddock.core.words import CHANCE, HIDDEN
from paddock.records.room import TABLE, Lines, Passing

MOST_PLANS = 10  # made for one «?», until one leaves nothing open


@dataclass(frozen=True)
class _Pass:
    """A card goes from one place to another: a hand, or TABLE."""

    card: int  # HIDDEN where the eyes did not see it
    source: int
    target: int
    drawn: bool  # from the deck


@dataclass(frozen=True)
class _Held:
    """A card in a hand."""

    card: int  # HIDDEN for one that the plan has not named
    since: int  # the pass that brought it; −1 for one that was there


class Passes:
    """The cards of one round; a ``Guide``."""

    def __init__(self, room: Passing, g: Any, lines: Lines, seats: int, rng: ChanceSource) -> None:
        self.room = room
        self.g = g
        self.seats = seats
        self.rng = rng
        self.passes: list[_Pass] = []
        self.first: dict[tuple[int, int], int] = {}  # pass of what stands at (line, index)
        for at, (by, heading, whats) in enumerate(lines):
            for i, what in enumerate(whats):
                if what == HIDDEN and by != CHANCE:
                    continue  # a move face down: it has had no effect yet
                self.first[at, i] = len(self.passes)
                for card, source, target in room.passes(g, by, heading, what):
                    self.passes.append(_Pass(card, source, target, by == CHANCE and source == TABLE))

    def weigh(self, s: Any, at: int, place: int, weights: Mapping[int, int]) -> Mapping[int, int]:
        """The weights of what may stand for a «?»; nothing but one card where the plan has named it."""
        now = self.first.get((at, place), len(self.passes))
        if now == len(self.passes) or self.passes[now].card != HIDDEN:
            return weights
        hands = [self.room.hand(s, self.g, seat) for seat in range(self.seats)]
        best = _Plan(self, now, hands, weights)
        for _plan in range(MOST_PLANS - 1):
            if not best.missing:
                break
            best = min(best, _Plan(self, now, hands, weights), key=lambda plan: plan.missing)
        if best.named.get(now) in weights:
            return {best.named[now]: 1}
        return best.deck if best.deck.total() else weights


class _Plan:
    """What the hidden cards are from now on, as far as the record tells; chosen at random where it may be
    one or another.
    """

    def __init__(
        self, cards: Passes, now: int, hands: Sequence[Sequence[int]], weights: Mapping[int, int]
    ) -> None:
        self.passes = cards.passes
        self.rng = cards.rng
        self.hands = [[_Held(card, -1) for card in hand] for hand in hands]
        self.named: dict[int, int] = {}  # what card a hidden pass brings
        self.missing = 0  # cards for which there is no way to the hand that loses them
        ahead = range(now, len(self.passes))
        # A deck is known when it is drawn from: what is in it, and so how many draws it is good for.
        deck = Counter(weights) if self.passes[now].drawn else Counter()
        self.deck_passes = set([i for i in ahead if self.passes[i].drawn][: deck.total()])
        self.deck = deck - Counter(self.passes[i].card for i in self.deck_passes)  # for the unseen draws
        for i in ahead:
            self._pass(i)
        for i in ahead:
            if self._stolen(i) and i not in self.named:
                self._steal(i)

    def _stolen(self, i: int) -> bool:
        return self.passes[i].card == HIDDEN and self.passes[i].source != TABLE

    def _pass(self, i: int) -> None:
        one = self.passes[i]
        if one.card != HIDDEN and one.source != TABLE and not self._take(one.source, one.card, i):
            self.missing += 1
        if one.target != TABLE:
            self.hands[one.target].append(_Held(one.card, i))

    def _take(self, seat: int, card: int, before: int) -> bool:
        """Take a card out of a hand for the pass ``before``; whether there is a way for it to be there."""
        hand = self.hands[seat]
        there = [held for held in hand if held.since < before]
        if seen := next((held for held in there if held.card == card), None):
            hand.remove(seen)
            return True
        hidden = [held for held in there if held.card == HIDDEN]
        while hidden:
            held = hidden.pop(self.rng.below(len(hidden)))
            if self._name(held.since, card):
                hand.remove(held)
                return True
        return False

    def _name(self, i: int, card: int) -> bool:
        """Let a hidden pass bring this card; whether it can."""
        if self._stolen(i):
            if not self._take(self.passes[i].source, card, i):
                return False
        elif i in self.deck_passes:
            if not self.deck[card]:
                return False
            self.deck[card] -= 1
        self.named[i] = card
        return True

    def _steal(self, i: int) -> None:
        """Let a hidden pass bring any card that its hand can spare."""
        hand = self.hands[self.passes[i].source]
        spare = [held for held in hand if held.since < i]
        if not spare:
            self.missing += 1
            return
        held = spare[self.rng.below(len(spare))]
        hand.remove(held)
        if held.card != HIDDEN:
            self.named[i] = held.card
