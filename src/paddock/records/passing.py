"""A guide for titles in which cards pass from hand to hand and return to the deck.

At the first «?» it makes a plan. Every card that visibly leaves a hand must be in that hand first: it was
there at the start, came openly, or is one of the hidden cards that came before. A stolen card must have been
in the hand that it was stolen from. Draws come from one deck until it is empty; then the pile becomes the new
deck.

Terms: a «pass» moves one card between two places. A «need» is a pass that takes a card out of a hand, so the
hand must have a card for it. Planning assigns a card to every need.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paddock.core.game import ChanceSource
from paddock.core.rooms.records import DECK, PILE, Lines, Passing, Tracing, place_name
from paddock.core.words import CHANCE, HIDDEN
from paddock.records.guided import drawn

MOST_PLANS = 5  # attempts to plan for the same passes
MOST_WEIGHT = 50  # a need whose weight grows beyond this has no solution


@dataclass(frozen=True)
class _Pass:
    """A card goes from one place to another."""

    card: int  # HIDDEN where the eyes did not see it
    source: int
    target: int
    drawn: bool  # whether chance drew it from the deck


@dataclass(eq=False)
class _Card:
    """A card in a hand."""

    card: int  # HIDDEN if only the plan says what it is
    since: int  # the pass that brought it; −1 if it was there at the start of the plan
    need: _Need | None = None  # the need that it is assigned to


@dataclass(eq=False)
class _Need:
    """A pass that takes a card out of a hand, so that the hand must have one for it."""

    seat: int
    before: int  # the pass that takes the card
    want: int  # the card; HIDDEN: any card
    card: _Card | None = None  # the card that is assigned to it
    weight: int = 1  # the cost of taking its card for another need


class Passes:
    """A ``Guide`` for one round."""

    def __init__(self, room: Passing | Tracing, g: Any, lines: Lines, seats: int, rng: ChanceSource) -> None:
        self.room = room
        self.g = g
        self.rng = rng
        self.passes: list[_Pass] = []
        self.first: dict[tuple[int, int], int] = {}  # (line, index) → its first pass
        self.plan: _Plan | None = None
        if isinstance(room, Tracing):
            journeys = room.journeys(g, lines)
        else:
            journeys = {
                (number, i): room.passes(g, by, heading, id)
                for number, (by, heading, ids) in enumerate(lines)
                for i, id in enumerate(ids)
                if id != HIDDEN or by == CHANCE
            }
        for number, (by, _heading, ids) in enumerate(lines):
            for i, id in enumerate(ids):
                if id == HIDDEN and by != CHANCE:
                    continue  # a hidden commitment: it has no effect yet
                self.first[number, i] = len(self.passes)
                for card, source, target in journeys.get((number, i), ()):
                    self.passes.append(_Pass(card, source, target, by == CHANCE and source == DECK))
        self.places = {place for card_pass in self.passes for place in (card_pass.source, card_pass.target)}
        self.hands = sorted({*range(seats), *(place for place in self.places if place >= 0)})

    def cards(self, s: Any, place: int) -> Sequence[int]:
        """Return the cards of a place, as the room says; of a PILE that no pass names, it need not.

        Raises ``LookupError`` that names the place if the room has no answer.
        """
        try:
            return self.room.cards(s, self.g, place)
        except LookupError as fault:
            if place == PILE and PILE not in self.places:
                return ()
            name = place_name(place)
            raise LookupError(f"cards() of records.py has no answer for {name}: {fault!r}") from fault

    def weigh(self, s: Any, at: int, place: int, weights: Mapping[int, int]) -> Mapping[int, int]:
        """Return the weights for a «?»: only the card that the plan assigns to it, if it is about a card."""
        now = self.first.get((at, place), len(self.passes))
        if now == len(self.passes) or self.passes[now].card != HIDDEN:
            return weights
        if self.plan is None or not self.plan.fits(now, weights):
            self.plan = self._plan(s, now, weights)
        return {self.plan.bring(now, weights): 1}

    def _plan(self, s: Any, now: int, weights: Mapping[int, int]) -> _Plan:
        """Return a plan for all passes that follow; if there is none, for as many of them as possible."""
        best = _Plan(self, s, now, now, weights)
        solved, failed = now, len(self.passes) + 1  # bisect
        end = len(self.passes)
        while solved < failed - 1:
            plans = (_Plan(self, s, now, end, weights) for _try in range(MOST_PLANS))
            if plan := next((plan for plan in plans if plan.solved), None):
                best, solved = plan, end
            else:
                failed = end
            end = (solved + failed) // 2
        return best


class _Plan:
    """An assignment of cards to the needs among the passes ``now`` to ``end``; random where several fit."""

    def __init__(self, guide: Passes, s: Any, now: int, end: int, weights: Mapping[int, int]) -> None:
        self.passes, self.rng = guide.passes, guide.rng
        self.since, self.end = now, end
        self.brought: dict[int, int] = {}  # pass → the card chosen for it since the plan was made
        self.needs: dict[int, _Need] = {}  # by pass
        self.hands = {place: [_Card(card, -1) for card in guide.cards(s, place)] for place in guide.hands}
        self.coming: dict[int, _Card] = {}  # by pass: the cards that come into hands
        for i in range(now, end):
            card_pass = self.passes[i]
            if card_pass.source >= 0:
                self.needs[i] = _Need(card_pass.source, i, card_pass.card)
            if card_pass.target >= 0:
                self.coming[i] = _Card(card_pass.card, i)
                self.hands[card_pass.target].append(self.coming[i])
        self.deck_of: dict[int, int] = {}  # pass → index of the deck it draws from, if its cards are known
        self.decks: list[Counter[int]] = []
        pile = Counter(guide.cards(s, PILE))
        if self.passes[now].drawn:  # then the weights are the cards in the deck
            self._find_decks(Counter(weights), pile)
        elif isinstance(guide.room, Tracing):
            self._find_decks(Counter(guide.cards(s, DECK)), pile)
        self.spare = [deck.copy() for deck in self.decks]  # cards that no visible draw and no need takes
        for i, deck in self.deck_of.items():
            if self.passes[i].card != HIDDEN:
                self.spare[deck][self.passes[i].card] -= 1
        self.unseen = [deck.copy() for deck in self.spare]  # cards that the hidden draws bring
        # (pass, card): whether the hidden pass can bring the card
        self.possible: dict[tuple[int, int], bool] = {}
        # (deck, card): the needs that take it
        self.takers: defaultdict[tuple[int, int], list[_Need]] = defaultdict(list)
        self.solved = self._enough() and self._solve()

    def _find_decks(self, deck: Counter[int], pile: Counter[int]) -> None:
        """Find the cards of each deck, and from which deck each draw comes, as long as the discard pile is
        known.

        When the deck is empty at a draw, the pile becomes the next deck.
        """
        self.decks, left = [deck], deck.total()
        for i in range(self.since, len(self.passes)):
            card_pass = self.passes[i]
            if card_pass.drawn:
                if not left:
                    if not pile or HIDDEN in pile:
                        return
                    self.decks.append(pile)
                    left, pile = pile.total(), Counter()
                left -= 1
                self.deck_of[i] = len(self.decks) - 1
            if card_pass.target == PILE:
                pile[card_pass.card] += 1

    # Assigning cards to needs

    def _enough(self) -> bool:
        """Whether enough cards of each kind can come into hands for all cards that visibly leave them."""
        cards_there: Counter[int] = Counter()
        for hand in self.hands.values():
            cards_there.update(
                card.card for card in hand if card.since < 0 or self.passes[card.since].source < 0
            )
        for i in self.coming:
            if self.passes[i].card == HIDDEN and self.passes[i].source < 0 and i not in self.deck_of:
                return True  # this one can be any card
        for deck in self.unseen:
            cards_there += deck
        gone = Counter(self.passes[i].card for i in self.needs if self.passes[i].target < 0)
        return all(cards_there[card] >= n for card, n in gone.items() if card != HIDDEN)

    def _solve(self) -> bool:
        """Assign a card to each need, taking it from another need if necessary; return whether all got one.

        A need that took a card from others gets a higher weight, so that next time another one gives way.
        """
        # Needs that accept any card come last.
        waiting = sorted(self.needs.values(), key=lambda need: (need.want == HIDDEN, need.before))
        while waiting:
            need = waiting.pop(0)
            if need.card is not None:
                continue
            fitting = [
                card
                for card in self.hands[need.seat]
                if card.since < need.before and self._can_be(card, need.want)
            ]
            if not fitting or need.weight > MOST_WEIGHT:
                return False
            costs = [sum(loser.weight for loser in self._losers(card, need.want)) for card in fitting]
            least_cost = min(costs)
            if least_cost > 0:
                need.weight += 1
            thief = self._thief(need)
            if thief is not None and least_cost >= thief.weight:  # cheaper: the thief needs another card
                self._release(thief)
                waiting += [thief, need]
                continue
            fitting = [card for card, cost in zip(fitting, costs, strict=True) if cost == least_cost]
            fitting = [card for card in fitting if card.card != HIDDEN] or fitting  # prefer a known card
            waiting += self._give(need, fitting[self.rng.below(len(fitting))])
        return True

    def _thief(self, need: _Need) -> _Need | None:
        """Return the later need that decides which card must be stolen here; None if there is none."""
        if need.want == HIDDEN or self.passes[need.before].card != HIDDEN:
            return None
        return self.coming[need.before].need

    def _can_be(self, card: _Card, want: int) -> bool:
        """Whether a card can be ``want``, ignoring all other needs."""
        if want == HIDDEN or card.card != HIDDEN:
            return want in (HIDDEN, card.card)
        key = card.since, want
        if key not in self.possible:
            theft, deck = self.needs.get(card.since), self.deck_of.get(card.since)
            if theft:
                hand = [hand_card for hand_card in self.hands[theft.seat] if hand_card.since < theft.before]
                self.possible[key] = any(self._can_be(hand_card, want) for hand_card in hand)
            else:
                self.possible[key] = deck is None or self.unseen[deck][want] > 0
        return self.possible[key]

    def _losers(self, card: _Card, want: int) -> list[_Need]:
        """Return the needs that lose their card if ``card`` is to be ``want``."""
        losers = [] if card.need is None else [card.need]
        if card.card != HIDDEN or want == HIDDEN:
            return losers
        if theft := self.needs.get(card.since):
            if theft.card is None or theft.card.card != want:
                losers.append(theft)
        elif card.since in self.deck_of:
            deck = self.deck_of[card.since]
            same = card.need is not None and card.need.want == want
            if not same and not self.spare[deck][want]:
                losers.append(min(self.takers[deck, want], key=lambda need: need.weight))
        return losers

    def _give(self, need: _Need, card: _Card) -> list[_Need]:
        """Assign a card to a need; return the needs that lost theirs."""
        losers = self._losers(card, need.want)
        for loser in losers:
            self._release(loser)
        need.card, card.need = card, need
        self._note_card(card, need, 1)
        return losers

    def _release(self, need: _Need) -> None:
        if card := need.card:
            need.card = card.need = None
            self._note_card(card, need, -1)

    def _note_card(self, card: _Card, need: _Need, sign: int) -> None:
        """Note (sign 1) or forget (−1) that a hidden card must be the one that the need wants."""
        if card.card != HIDDEN or need.want == HIDDEN:
            return
        if theft := self.needs.get(card.since):  # the same card must have left the other hand
            if sign < 0 and theft.card is not None:
                self._note_card(theft.card, theft, -1)
            theft.want = need.want if sign > 0 else HIDDEN
        elif card.since in self.deck_of:
            deck = self.deck_of[card.since]
            self.spare[deck][need.want] -= sign
            takers = self.takers[deck, need.want]
            if sign > 0:
                takers.append(need)
            else:
                takers.remove(need)

    # Following the plan

    def fits(self, now: int, weights: Mapping[int, int]) -> bool:
        """Whether the plan still holds for this pass: its card is available, or its deck is as planned."""
        if now >= self.end:
            return False
        if not self.passes[now].drawn:
            return self._wanted(now) in weights
        deck = self.deck_of.get(now)
        if deck is None:
            return False
        gone = Counter(
            self.brought.get(i, self.passes[i].card)
            for i, other_deck in self.deck_of.items()
            if other_deck == deck and i < now
        )
        return self.decks[deck] - gone == Counter(weights)

    def bring(self, now: int, weights: Mapping[int, int]) -> int:
        """Return the card that a hidden pass brings, and note it."""
        card, deck = self._wanted(now), self.deck_of.get(now)
        if card not in weights:
            spare = {} if deck is None else self.spare[deck]
            card = drawn(
                {kind: n for kind, n in spare.items() if n > 0 and kind in weights} or weights, self.rng
            )
            if deck is not None:
                self.spare[deck][card] -= 1
        self.brought[now] = card
        return card

    def _wanted(self, now: int) -> int:
        """Return the card that a hidden pass must bring; HIDDEN if the plan does not say."""
        if need := self.needs.get(now):
            if need.card is None:
                return HIDDEN
            return self.brought.get(need.card.since, HIDDEN) if need.card.card == HIDDEN else need.card.card
        card = self.coming.get(now)
        return HIDDEN if card is None or card.need is None else card.need.want
