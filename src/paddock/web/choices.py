"""What a seat can choose: the form on a page, link by link if moves form a chain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paddock.core.errors import BadMove, PaddockError
from paddock.core.game import MOST_LINKS
from paddock.core.i18n import _
from paddock.core.pages import Hand
from paddock.core.title import Chain, Preview, Seen, chain_over
from paddock.tables.make import LONGEST_MOVE
from paddock.web.model import Decision, Model
from paddock.web.titles import page_of

LINK = ";"  # between the moves of a chain in notation
LONGEST_CHAIN = MOST_LINKS * (LONGEST_MOVE + 2)


@dataclass(frozen=True)
class Choice:
    """A move, or a ready chain, that can be chosen next."""

    move: str  # in notation: what it adds to the links that are chosen
    sends: str  # in notation: all links, once it is chosen
    label: str
    cost: Mapping[str, int]

    @property
    def price(self) -> str:
        """What it costs, in words; empty where it is free."""
        return price([self])


@dataclass(frozen=True)
class Ahead:
    """Links that are chosen and not sent, and where they lead."""

    seat: int
    links: tuple[Choice, ...]
    asked: Seen  # where the seat is asked for the next link; after the last one, where it was asked for that
    preview: Preview

    @property
    def view(self) -> Any:
        """The title's view after the links."""
        return self.preview.view

    @property
    def chosen(self) -> Choice:
        """All of them as one choice."""
        last = self.links[-1]
        label = last.label
        if len(self.links) > 1:
            label = _("Send {n} moves; the last: {label}").format(n=len(self.links), label=label)
        return Choice(last.sends, last.sends, label, total(self.links))


@dataclass(frozen=True)
class Ask:
    """One decision of one seat, as its form."""

    seat: int
    hand: Hand
    url: str
    preview_url: str | None  # shows where links lead; None where a move is no link of a chain
    decision: int
    key: str
    choices: tuple[Choice, ...]  # the moves that can be chosen next
    ready: tuple[Choice, ...]  # the chains that can be chosen next
    links: tuple[Choice, ...]  # what is chosen of a chain
    whole: Choice | None  # the same as one choice
    ended: bool  # nothing can follow the links
    chosen: str  # notation of what the form had chosen, where it is still legal
    committed: bool
    committed_label: str
    committed_cards: Sequence[Any]
    last: bool  # committing this reveals: all others have
    open: bool  # committed, and the hand is open again for another choice

    @property
    def options(self) -> list[Choice]:
        """All that the form can send."""
        return [*([self.whole] if self.whole else []), *self.choices, *self.ready]

    @property
    def price(self) -> str:
        """What the chosen links cost together, in words."""
        return price(self.links)

    @property
    def refused(self) -> dict[str, list[str]]:
        """What the page's script says of choices that are no legal moves: notation → [sentence, clause]."""
        return {notation: list(why) for notation, why in self.hand.refused.items()}


def total(links: Sequence[Choice]) -> dict[str, int]:
    """What links cost together."""
    names = dict.fromkeys(name for link in links for name in link.cost)
    return {name: sum(link.cost.get(name, 0) for link in links) for name in names}


def price(links: Sequence[Choice]) -> str:
    """What links cost together, in words: «wind 2, cards 1»; empty where they are free."""
    return _(", ").join(
        _("{what} {amount}").format(what=_(name), amount=amount)
        for name, amount in total(links).items()
        if amount
    )


def links_of(notation: str) -> list[str]:
    """The moves of a chain in notation."""
    return [link.strip() for link in notation.split(LINK) if link.strip()]


def look(
    model: Model, seat: int, decision: int, moves: Sequence[str]
) -> tuple[Ahead | None, PaddockError | None]:
    """Where the links ``moves`` lead a seat that must decide; nothing is played, and nobody is told.

    For a link that cannot be made: where those before it lead, and what the rules say against it. None for a
    seat that these eyes do not hold, or that has nothing to decide, or for another decision.
    """
    mine = next((found for found in model.decisions if found.seat == seat), None)
    if mine is None or decision != model.decision:
        return None, None
    at, text = mine.first, model.title.text
    asked, links = at.seen, list[Choice]()
    for notation in moves:
        try:
            if at.ended:
                raise BadMove(chain_over(len(links)))
            id = text.parse_move(asked.setup, notation).id
            after = at.seen.preview([id], seat)
        except PaddockError as error:
            return Ahead(seat, tuple(links), asked, at), error
        links.append(following(at, links)[at.legal.index(id)])
        asked, at = at.seen if after.ended else after.seen, after
    return Ahead(seat, tuple(links), asked, at), None


def following(at: Preview, links: Sequence[Choice] = ()) -> tuple[Choice, ...]:
    """The moves that may follow the links that led there."""
    label = at.seen.title.text.label
    return tuple(
        _choice(at.seen, links, [id], label(at.seen, at.seat, id), cost)
        for id, cost in zip(at.legal, at.costs, strict=True)
    )


def ready_chains(at: Preview) -> Sequence[Chain]:
    """The ready chains from there; only a seat that decides alone has some."""
    chains = at.seen.title.chains
    if chains is None or at.ended or at.seen.deciders != (at.seat,):
        return ()
    return chains.ready(at.seen, at.seat)


def _choice(
    seen: Seen, links: Sequence[Choice], moves: Iterable[int], label: str, cost: Mapping[str, int]
) -> Choice:
    added = [str(seen.title.text.move(seen.setup, id)) for id in moves]
    between = f"{LINK} "
    return Choice(between.join(added), between.join([link.move for link in links] + added), label, cost)


def asks(
    model: Model, key: str, chosen: str = "", change: int | None = None, ahead: Ahead | None = None
) -> list[Ask]:
    """The forms of the player's seats: those that must decide, then those that may still change.

    ``change`` is a committed seat whose hand is open again; ``ahead`` the links that are chosen.
    """
    made = []
    for mine in sorted(model.decisions, key=lambda mine: (mine.committed is not None, mine.seat)):
        here = (
            ahead if ahead and ahead.seat == mine.seat else Ahead(mine.seat, (), mine.first.seen, mine.first)
        )
        made.append(_ask(model, mine, here, key, chosen, mine.seat == change))
    return made


def _ask(model: Model, mine: Decision, ahead: Ahead, key: str, chosen: str, open: bool) -> Ask:
    title, seat, links, committed = model.title, mine.seat, ahead.links, mine.committed
    page = page_of(title)
    choices = following(ahead.preview, links)
    if links:
        chosen = ahead.chosen.sends
    elif title.chains or chosen not in [choice.sends for choice in choices]:
        chosen = ""
    return Ask(
        seat=seat,
        hand=page.ask(ahead.asked, seat, title.view.view(ahead.asked)),
        url=f"/t/{model.id}/move",
        preview_url=f"/t/{model.id}/preview" if title.chains else None,
        decision=model.decision,
        key=key,
        choices=choices,
        ready=tuple(
            _choice(ahead.preview.seen, links, chain.moves, chain.label, chain.cost)
            for chain in ready_chains(ahead.preview)
            if len(chain.moves) > 1
        ),
        links=links,
        whole=ahead.chosen if links else None,
        ended=ahead.preview.ended,
        chosen=chosen,
        committed=committed is not None,
        committed_label="" if committed is None else title.text.label(mine.first.seen, seat, committed),
        committed_cards=() if committed is None else page.faces(committed, seat),
        last=mine.reveals,
        open=open,
    )
