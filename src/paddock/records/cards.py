"""Card counting for partial records of titles whose played cards never return in secret.

The room of the title (``paddock.core.rooms.records.Stock``) says how many cards of each kind there are, which
hand an outcome goes to, and which cards a move uses up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from paddock.core.errors import BadRecord, PaddockError
from paddock.core.game import ChanceSource
from paddock.core.i18n import _, plural
from paddock.core.rooms.records import Proving, Reopening, Stock
from paddock.core.title import Text
from paddock.core.words import CHANCE, HIDDEN
from paddock.records.record import UNFINISHED, Line, Record, lines_of

MOST_FAULTS = 100  # faults listed for one record
MOST_DEALS = 1000  # sampling attempts before giving up


@dataclass(frozen=True)
class _Hand:
    """What a record reveals about a hand at one point of a round."""

    known: Counter[int] = field(default_factory=Counter)  # cards in it that were seen
    hidden: int = 0  # number of other cards in it
    proved: int = 0  # of the hidden cards, at least so many are proved to be of allowed kinds
    # In order: the place (line, index) of a hidden card that came, the id of one that was played, or None
    # where all hidden cards are proved to be of allowed kinds.
    steps: tuple[tuple[int, int] | int | None, ...] = ()

    def places(self, allowed: Callable[[int], bool], rng: ChanceSource) -> _Places | None:
        """Return a random place for each card that was played from the hidden ones, and what is left.

        It is a place of a hidden card that came before; one that is proved only for a card that is allowed.
        None if earlier cards have taken all such places.
        """
        free: list[tuple[int, int]] = []
        proved: list[tuple[int, int]] = []
        played: dict[tuple[int, int], int] = {}
        for step in self.steps:
            if step is None:
                proved, free = proved + free, []
            elif isinstance(step, tuple):
                free.append(step)
            else:
                n = len(free) + len(proved) * allowed(step)
                if not n:
                    return None
                index = rng.below(n)
                source = free if index < len(free) else proved
                played[source.pop(index if source is free else index - len(free))] = step
        return _Places(played, proved, free)


@dataclass(frozen=True)
class _Places:
    """Where the hidden cards of a hand have come from: a place is a line and an index."""

    played: dict[tuple[int, int], int]  # the card by place
    proved: list[tuple[int, int]]  # of cards in the hand at the end that are of allowed kinds
    free: list[tuple[int, int]]  # of the others in it


class HandCounts:
    """Counts the hands of one round, line by line."""

    def __init__(self, room: Stock, g: Any, text: Text, seats: int) -> None:
        self.room = room
        self.g = g
        self.text = text
        self.stock = Counter(dict(enumerate(room.stock(g))))
        self.free = self.stock.copy()  # cards neither played nor known to be in a hand
        self.open: Counter[int] = Counter()  # played, or laid open
        self.hands = [_Hand() for _seat in range(seats)]
        self.one_of: list[int] = []  # seats, at least one of which must hold a card that is not allowed

    def allowed(self, card: int) -> bool:
        """Whether a hand with ``proved`` set can hold the card."""
        return isinstance(self.room, Proving) and self.room.allowed(self.g, card)

    def take(self, line: Line, before: Sequence[int], after: Sequence[int]) -> None:
        """Count a line. If it is impossible, raise ``BadRecord`` and leave the counts as they were.

        ``before`` and ``after`` are the seats whose hands are proved before and after the line.
        """
        free, open, hands = self.free.copy(), self.open.copy(), list(self.hands)
        try:
            self._prove(before)
            self._take(line)
            self._prove(after)
            if fault := self._too_few():
                raise PaddockError(fault)
        except PaddockError as fault:
            self.free, self.open, self.hands = free, open, hands
            raise BadRecord(line.number, str(fault)) from None

    def _prove(self, seats: Sequence[int]) -> None:
        for seat in seats:
            hand = self.hands[seat]
            self.hands[seat] = replace(hand, proved=hand.hidden, steps=(*hand.steps, None))

    def _take(self, line: Line) -> None:
        """Count what a line does to the hand that it is about."""
        seat = self.room.owner(self.g, line.heading) if line.by == CHANCE else line.by
        if seat is None or seat >= len(self.hands):
            return
        if seat < 0:
            self._lay_open([id for id in line.whats if id != HIDDEN])
            return
        reopening = self.room if isinstance(self.room, Reopening) else None
        if line.by == CHANCE:
            reopened = reopening is not None and reopening.reopens(self.g, line.heading)
            for i, id in enumerate(line.whats):
                if id == HIDDEN:
                    self._hide(seat, (line.number, i))
                else:
                    self._give(seat, id, self.open if reopened else self.free)
            return
        for move in line.whats:
            if move == HIDDEN:
                continue
            for card in self.room.uses(self.g, move):
                self._play(seat, card)
            for card in reopening.gains(self.g, move) if reopening else ():
                self._give(seat, card, self.open)

    def _lay_open(self, cards: Sequence[int]) -> None:
        """Put visible cards into a display."""
        for card in cards:
            self.free[card] -= 1
            if self.free[card] < 0:
                raise PaddockError(self._none_left(card, self.free))
            self.open[card] += 1

    def _hide(self, seat: int, step: tuple[int, int] | int) -> None:
        """Add a hidden card to a hand, or remove one: an allowed card from those that are proved, if any."""
        hand = self.hands[seat]
        played = not isinstance(step, tuple)
        self.hands[seat] = replace(
            hand,
            hidden=hand.hidden + (-1 if played else 1),
            proved=hand.proved - (isinstance(step, int) and hand.proved > 0 and self.allowed(step)),
            steps=(*hand.steps, step),
        )

    def _give(self, seat: int, card: int, source: Counter[int]) -> None:
        """Add a visible card to a hand."""
        hand = self.hands[seat]
        source[card] -= 1
        if source[card] < 0:
            raise PaddockError(self._none_left(card, source))
        self.hands[seat] = replace(hand, known=hand.known + Counter([card]))

    def _play(self, seat: int, card: int) -> None:
        """Remove a card from a hand: a known one if possible, else a hidden one."""
        hand = self.hands[seat]
        self.open[card] += 1
        if hand.known[card]:
            self.hands[seat] = replace(hand, known=hand.known - Counter([card]))
            return
        if hand.hidden <= (0 if self.allowed(card) else hand.proved):
            name = self.text.outcome(self.g, card)
            raise PaddockError(_("the hand cannot contain this card: {name}").format(name=name))
        self.free[card] -= 1
        if self.free[card] < 0:
            raise PaddockError(self._none_left(card, self.free))
        self._hide(seat, card)

    def _none_left(self, card: int, source: Counter[int]) -> str:
        """Return why a card cannot come from this source."""
        name = self.text.outcome(self.g, card)
        if source is self.open:
            return _("no {name} has been played, so none can come back").format(name=name)
        return plural(
            "there is only {n} card {name}, and this is one more",
            "there are only {n} cards {name}, and this is one more",
            self.stock[card],
            name=name,
        )

    def _too_few(self) -> str:
        """Return a sentence if there are too few cards for the hidden ones; else an empty text."""
        if self.free.total() < sum(hand.hidden for hand in self.hands):
            return _("more cards are dealt than exist")
        proved = sum(hand.proved for hand in self.hands)
        if sum(n for card, n in self.free.items() if self.allowed(card)) < proved:
            return _("there are not enough cards of the kinds that these hands can contain")
        return ""

    def deal(self, rng: ChanceSource) -> dict[tuple[int, int], int]:
        """Draw a card for every «?», consistent with the plays and with what they prove.

        Each consistent deal has the probability that chance gives it, or nearly, where a hand gets hidden
        cards after a proof; nothing is inferred from why a player chose a play. ``one_of`` is left to the
        replay to check if ``MOST_DEALS`` samples do not satisfy it.
        """
        dealt: dict[tuple[int, int], int] = {}
        for _attempt in range(MOST_DEALS):
            hands = [hand.places(self.allowed, rng) for hand in self.hands]
            free = sorted(self.free.elements())
            fit = [card for card in free if self.allowed(card)]
            places = [of for of in hands if of]
            if len(places) < len(hands) or len(fit) < sum(len(of.proved) for of in places):
                continue
            dealt = {place: card for of in places for place, card in of.played.items()}
            dealt |= {place: fit.pop(rng.below(len(fit))) for of in places for place in of.proved}
            pool = fit + [card for card in free if not self.allowed(card)]
            dealt |= {place: pool.pop(rng.below(len(pool))) for of in places for place in of.free}
            held = [
                card
                for seat in self.one_of
                for card in [
                    *(dealt[place] for place in places[seat].proved + places[seat].free),
                    *self.hands[seat].known,
                ]
            ]
            if not self.one_of or not all(map(self.allowed, held)):
                break
        return dealt


def count(record: Record, room: Stock) -> tuple[list[HandCounts], list[BadRecord]]:
    """Count the hands of every round; return them and the impossible lines."""
    g = record.title.setup_of(record.options)
    rounds: list[list[Line]] = [[]]  # the first list is for lines before any heading
    counts: list[HandCounts] = []
    faults: list[BadRecord] = []
    for line in record.lines:
        if line.by is not None:
            rounds[-1].append(line)
        elif len(rounds) > record.options.rounds:
            faults.append(BadRecord(line.number, _("the series is over")))
        else:
            rounds.append([])
    for lines in rounds:
        counts.append(HandCounts(room, g, record.title.text, record.options.seats))
        over = lines is not rounds[-1] or record.result != UNFINISHED
        faults += _count_round(counts[-1], lines, over)
    return counts, sorted(faults, key=lambda fault: fault.line)[:MOST_FAULTS]


def _count_round(count: HandCounts, lines: Sequence[Line], over: bool) -> list[BadRecord]:
    """Count the lines of a round; return the faults. ``over``: the record says that the round has ended."""
    proved: Mapping[int, Sequence[int]] = {}
    if isinstance(count.room, Proving):
        proved, count.one_of = count.room.proofs(count.g, lines_of(lines), over)
    faults = []
    for i, line in enumerate(lines):
        try:
            count.take(line, proved.get(i, ()), proved.get(i + 1, ()) if line is lines[-1] else ())
        except BadRecord as fault:
            faults.append(fault)
    return faults
