"""The form in which a seat chooses a move, or the moves (links) of a chain one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paddock.core.errors import BadMove, PaddockError
from paddock.core.game import MOST_LINKS
from paddock.core.i18n import _
from paddock.core.pages import Hand
from paddock.core.title import Chain, Preview, Seen, chain_over, notation, split_notation
from paddock.core.words import LINK
from paddock.tables.make import LONGEST_MOVE
from paddock.web.links import link
from paddock.web.model import Decision, Model

LONGEST_CHAIN = MOST_LINKS * (LONGEST_MOVE + len(LINK))  # characters


@dataclass(frozen=True)
class NextChoice:
    """A move or a suggested chain that can be chosen next."""

    move: str  # notation of the links that it adds
    sends: str  # notation of all links, including those chosen before
    label: str
    cost: Mapping[str, int]

    @property
    def price(self) -> str:
        """The cost in words; empty if it is free."""
        return price([self])


@dataclass(frozen=True)
class Ahead:
    """Links that are chosen but not sent yet, and the position after them."""

    seat: int
    links: tuple[NextChoice, ...]
    asked: Seen  # where the next link is chosen; after the end of the chain, where the last one was
    preview: Preview

    @property
    def view(self) -> Any:
        """The title's view after the links."""
        return self.preview.view

    @property
    def chosen(self) -> NextChoice:
        """All links as one choice: it adds everything that it sends."""
        last = self.links[-1]
        label = self.asked.title.page.whole(self.links) if len(self.links) > 1 else last.label
        return NextChoice(move=last.sends, sends=last.sends, label=label, cost=total(self.links))


@dataclass(frozen=True)
class Suggestion:
    """The move that a lesson suggests, and what of the hand glows for it."""

    name: str  # of the choice
    way: int  # the index of the button, where a card has several
    plus: bool  # whether the addition of the hand belongs to it


@dataclass(frozen=True)
class Ask:
    """The form for one decision of one seat."""

    seat: int
    hand: Hand
    url: str
    preview_url: str | None  # shows the position after some links; None if the title has no chains
    decision: int
    key: str  # another one for each seat, as a page may send the forms of two; it ends with the mark
    choices: tuple[NextChoice, ...]  # the moves that can be chosen next
    ready: tuple[NextChoice, ...]  # the chains that can be chosen next
    links: tuple[NextChoice, ...]  # the links that are chosen
    whole: NextChoice | None  # the chosen links as one choice
    ended: bool  # whether nothing can follow the links
    chosen: str  # notation of the choice that was selected in the form, if it is still legal
    secret: bool  # whether others do not see it at once: then it waits for a button
    committed: bool
    committed_label: str
    committed_cards: Sequence[Any]
    last: bool  # all others have committed, so that this choice reveals all
    open: bool  # the seat has committed, and its hand is open again for another choice
    suggested: Suggestion | None  # by a lesson

    @property
    def options(self) -> list[NextChoice]:
        """Everything that the form can send."""
        return [*([self.whole] if self.whole else []), *self.choices, *self.ready]

    @property
    def price(self) -> str:
        """The cost of all chosen links, in words."""
        return price(self.links)

    @property
    def refused(self) -> dict[str, list[str]]:
        """Why choices on the page are not legal: notation → [sentence, clause], for the page's script."""
        return {move: list(why) for move, why in self.hand.refused.items()}


def total(links: Sequence[NextChoice]) -> dict[str, int]:
    """Return the cost of all links: what is paid → amount."""
    names = dict.fromkeys(name for link in links for name in link.cost)
    return {name: sum(link.cost.get(name, 0) for link in links) for name in names}


def price(links: Sequence[NextChoice]) -> str:
    """Return the cost of all links in words, such as «wind 2, cards 1»; empty if they are free."""
    return _(", ").join(
        _("{what} {amount}").format(what=_(name), amount=amount)
        for name, amount in total(links).items()
        if amount
    )


def sent_moves(text: str) -> list[str]:
    """Return the moves that a form sends, in notation; none if nothing is chosen."""
    return [move for move in split_notation(text) if move]


def outdated(model: Model, seat: int, decision: int, key: str) -> bool:
    """Whether a form is of another decision than the open one, though that has the same number.

    After a restore from a backup a page may still show one. Keys of programs have no mark.
    """
    mine = next((one for one in model.decisions if one.seat == seat), None)
    if mine is None or decision != model.decision or "~" not in key:
        return False
    return not key.endswith(f"~{mine.mark}")


def look(
    model: Model, seat: int, decision: int, moves: Sequence[str]
) -> tuple[Ahead | None, PaddockError | None]:
    """Preview the links ``moves`` of a seat. Nothing is played, and nobody is told.

    If a link is not legal, return the preview of the links before it, and the error. Return (None, None) if
    the seat is not the player's or has nothing to decide, or if the decision is no longer open.
    """
    mine = next((found for found in model.decisions if found.seat == seat), None)
    return (None, None) if mine is None or decision != model.decision else look_at(mine, moves)


def look_at(mine: Decision, moves: Sequence[str]) -> tuple[Ahead, PaddockError | None]:
    """Preview the links ``moves`` at a decision: see ``look``."""
    at, seat, links = mine.first, mine.seat, list[NextChoice]()
    asked, text = at.seen, at.seen.title.text
    for move in moves:
        try:
            if at.ended:
                raise BadMove(chain_over(len(links)))
            id = text.parse_move(asked.setup, move).id
            after = at.seen.preview([id], seat)
        except PaddockError as error:
            return Ahead(seat, tuple(links), asked, at), error
        links.append(following(at, links)[at.legal.index(id)])
        asked, at = at.seen if after.ended else after.seen, after
    return Ahead(seat, tuple(links), asked, at), None


def following(at: Preview, links: Sequence[NextChoice] = ()) -> tuple[NextChoice, ...]:
    """Return the legal next moves; ``links`` are the links chosen so far."""
    label = at.seen.title.text.label
    return tuple(
        _choice(at.seen, links, [id], label(at.seen, at.seat, id), cost)
        for id, cost in zip(at.legal, at.costs, strict=True)
    )


def ready_chains(at: Preview) -> Sequence[Chain]:
    """Return the chains that the title suggests from here; none if several seats decide at once."""
    chains = at.seen.title.chains
    if chains is None or at.ended or at.seen.deciders != (at.seat,):
        return ()
    return chains.ready(at.seen, at.seat)


def _choice(
    seen: Seen, links: Sequence[NextChoice], moves: Sequence[int], label: str, cost: Mapping[str, int]
) -> NextChoice:
    added = notation(seen.title, seen.setup, moves)
    sends = LINK.join([*(link.move for link in links), added])
    return NextChoice(move=added, sends=sends, label=label, cost=cost)


def asks(
    model: Model,
    key: str,
    chosen: str = "",
    change: int | None = None,
    ahead: Ahead | None = None,
) -> list[Ask]:
    """Return the forms of the player's seats: first those that must decide, then those that have committed.

    ``change`` is a committed seat whose hand is open again; ``ahead`` has the chosen links.
    """
    suggests = model.lesson.move if model.lesson else None
    asked = [mine for mine in model.decisions if not mine.at_once]
    return [
        ask(mine, model.decision, f"/t/{model.id}", key, chosen, ahead, mine.seat == change, suggests)
        for mine in sorted(asked, key=lambda mine: (mine.committed is not None, mine.seat))
    ]


def ask(
    mine: Decision,
    number: int,
    place: str,
    key: str,
    chosen: str = "",
    ahead: Ahead | None = None,
    open: bool = False,
    suggests: int | None = None,
) -> Ask:
    """Return the form of a decision, which has a number. It is sent to addresses below ``place``.

    ``open``: its hand is open again; ``suggests`` is the move that a lesson suggests.
    """
    seat, committed = mine.seat, mine.committed
    if ahead is None or ahead.seat != seat:
        ahead = Ahead(seat, (), mine.first.seen, mine.first)
    title, links = mine.first.seen.title, ahead.links
    page = title.page
    choices = following(ahead.preview, links)
    if links:
        chosen = ahead.chosen.sends
    elif title.chains or chosen not in [choice.sends for choice in choices]:
        only = len(choices) == 1 and committed is None and not title.chains
        chosen = choices[0].sends if only else ""  # the only move is chosen already
    hand = page.ask(ahead.asked, seat, title.view.view(ahead.asked))
    return Ask(
        seat=seat,
        hand=hand,
        url=link(f"{place}/move"),
        preview_url=link(f"{place}/preview") if title.chains else None,
        decision=number,
        key=f"{key}-{seat}~{mine.mark}",
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
        secret=ahead.asked.secret(seat),
        committed=committed is not None,
        committed_label="" if committed is None else title.text.label(mine.first.seen, seat, committed),
        committed_cards=() if committed is None else page.faces(mine.first.seen, committed),
        last=mine.reveals,
        open=open,
        suggested=None if committed is not None or suggests is None else _suggested(mine, suggests, hand),
    )


def _suggested(mine: Decision, suggests: int, hand: Hand) -> Suggestion:
    """Return the move that a lesson suggests for this hand.

    In hands whose choices have names and moves, as those of ``parts/page.py`` have, it has the name of the
    choice; in others the move in notation.
    """
    seen = mine.first.seen
    move = str(seen.title.text.move(seen.setup, suggests))
    more = getattr(hand, "plus", None)
    bare = move.removesuffix(more.value) if more else move
    choices = [*getattr(hand, "cards", ()), *getattr(hand, "signs", ())]
    sends = list(getattr(hand, "sends", ()))  # the moves of its buttons
    return next(
        (
            Suggestion(choice.name, choice.moves.index(bare), bare != move)
            for choice in choices
            if bare in choice.moves
        ),
        Suggestion(move, sends.index(move) if move in sends else 0, False),
    )
