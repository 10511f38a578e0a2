"""Partial records: are they possible, and what may have been behind each ``?``.

Hands are counted by machinery that knows no title. A title says in its ``records.py`` how many
cards of each kind there are, whose hand an outcome goes to, and which cards a move uses up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Protocol, cast

from paddock.core.errors import BadRecord, PaddockError
from paddock.core.game import ChanceSource, Entry, Game
from paddock.core.i18n import _
from paddock.core.title import Title
from paddock.core.words import CHANCE, HIDDEN
from paddock.kernel.source import Seeded
from paddock.records.record import Line, Record, commitment_open, replay

MOST_FAULTS = 100  # that are listed of one record


class Hands(Protocol):
    """The room ``records.py`` of a title."""

    def stock(self, g: object) -> Sequence[int]:
        """How many cards of each kind there are."""

    def owner(self, heading: str) -> int | None:
        """The seat whose hand gets the outcomes under a heading; None where they are no cards."""

    def uses(self, move: int) -> tuple[int, ...]:
        """The cards that a move takes out of the hand."""


def _hands(title: Title) -> Hands:
    return cast(Hands, import_module(f"{title.package}.records"))


@dataclass(frozen=True)
class _Hand:
    """What a record says of one hand in one round."""

    known: Counter[int] = field(default_factory=Counter)  # cards it was seen to get
    hidden: tuple[tuple[int, int], ...] = ()  # line number and index of each «?» it got
    played: Counter[int] = field(default_factory=Counter)

    @property
    def guessed(self) -> Counter[int]:
        """Cards that must be among the hidden ones, for they were played."""
        return self.played - self.known


class _Count:
    """The hands of one round, counted line by line."""

    def __init__(self, record: Record) -> None:
        self.room = _hands(record.title)
        self.text = record.title.text
        self.stock = Counter(dict(enumerate(self.room.stock(record.title.setup.setup(record.options)))))
        self.hands = [_Hand() for _seat in range(record.options.seats)]

    @property
    def free(self) -> Counter[int]:
        """Cards of each kind not known to be in a hand; below 0 where there are too many."""
        free = self.stock.copy()
        for hand in self.hands:
            free.subtract(hand.known)
            free.subtract(hand.guessed)
        return free

    def take(self, line: Line) -> None:
        """Count a line; raises ``BadRecord`` where it is impossible, and then does not count it."""
        seat = self.room.owner(line.heading) if line.by == CHANCE else line.by
        if seat is None or seat >= len(self.hands) or (line.by != CHANCE and line.whats[0] == HIDDEN):
            return
        hand = self.hands[seat]
        if line.by == CHANCE:
            cards = Counter(what for what in line.whats if what != HIDDEN)
            hidden = [(line.number, i) for i, what in enumerate(line.whats) if what == HIDDEN]
            new = replace(hand, known=hand.known + cards, hidden=(*hand.hidden, *hidden))
        else:
            cards = Counter(self.room.uses(line.whats[0]))
            new = replace(hand, played=hand.played + cards)
        self.hands[seat] = new
        if fault := self._fault(new, cards):
            self.hands[seat] = hand
            raise BadRecord(line.number, fault)

    def _fault(self, hand: _Hand, cards: Counter[int]) -> str:
        """What is impossible once these cards have come to the hand or left it; empty if nothing."""
        if hand.guessed.total() > len(hand.hidden):
            names = ", ".join(self.text.outcome(card) for card in sorted(cards) if hand.guessed[card])
            return _("the hand cannot hold this card: {names}").format(names=names)
        free = self.free
        for card in sorted(cards):
            if free[card] < 0:
                return _("there are {n} cards {name} in all, and this is one more").format(
                    n=self.stock[card], name=self.text.outcome(card)
                )
        if free.total() < sum(len(hand.hidden) - hand.guessed.total() for hand in self.hands):
            return _("more cards are dealt than there are")
        return ""

    def deal(self, rng: ChanceSource) -> dict[tuple[int, int], int]:
        """A card for every «?»: what the hand played, and the rest at random from what is free.

        So every way to deal the hidden cards that agrees with the plays is as likely as chance made it.
        """
        rest = sorted(self.free.elements())
        dealt = {}
        for hand in self.hands:
            cards = sorted(hand.guessed.elements())
            while len(cards) < len(hand.hidden):
                cards.append(rest.pop(rng.below(len(rest))))
            for place in hand.hidden:
                dealt[place] = cards.pop(rng.below(len(cards)))
        return dealt


def _count(record: Record) -> tuple[list[_Count], list[BadRecord]]:
    """The hands of every round, and the lines that are impossible."""
    counts = [_Count(record)]
    faults: list[BadRecord] = []
    for line in record.lines:
        if len(faults) == MOST_FAULTS:
            break
        try:
            if line.by is not None:
                counts[-1].take(line)
            elif len(counts) > record.options.rounds:
                raise BadRecord(line.number, _("the series is over"))
            else:
                counts.append(_Count(record))
        except BadRecord as fault:
            faults.append(fault)
    return counts, faults


def check(record: Record) -> list[str]:
    """Every line that cannot be true by counting cards; else the first that the rules forbid.

    An empty list means that a game can have gone like this.
    """
    counts, faults = _count(record)
    if not faults:
        try:
            _fill(record, counts, Seeded(0))
        except BadRecord as fault:
            faults = [fault]
    return [str(fault) for fault in faults]


def complete(record: Record, rng: ChanceSource) -> Game:
    """A game in which every «?» is filled in at random, in agreement with all that was shown.

    Raises ``BadRecord`` with the first impossible line. The game has no chance source.
    """
    counts, faults = _count(record)
    if faults:
        raise faults[0]
    return _fill(record, counts, rng)


def _fill(record: Record, counts: Sequence[_Count], rng: ChanceSource) -> Game:
    dealt = {place: card for count in counts for place, card in count.deal(rng).items()}
    face_down: list[int] = []  # lines of hidden commitments that wait for others

    def hidden(game: Game, line: Line, i: int) -> int:
        assert line.by is not None
        if (line.number, i) in dealt:
            what = dealt[line.number, i]
        elif line.by == CHANCE:
            what = _draw(game.outcomes(), rng)
        else:
            ids = game.legal(line.by).ids
            what = ids[rng.below(len(ids))] if ids else 0
            face_down.append(line.number)
        if record.eyes is not None and game.shown(record.eyes, Entry(line.by, what)) != HIDDEN:
            raise PaddockError(_("these eyes saw this: it cannot be «?»"))
        return what

    def revealed(game: Game, line: Line, before: Sequence[int]) -> None:
        if line.by is None or line.by == CHANCE or commitment_open(game, before, line.by):
            return
        if face_down:
            raise BadRecord(face_down[0], _("this was revealed later: it cannot be «?»"))

    return replay(record, hidden, revealed)


def _draw(weighted: dict[int, int], rng: ChanceSource) -> int:
    """An outcome by its weight; 0 where none is possible, which the replay then refuses."""
    if not weighted:
        return 0
    x = rng.below(sum(weighted.values()))
    for outcome, weight in weighted.items():
        if x < weight:
            return outcome
        x -= weight
    raise AssertionError("weights are positive")
