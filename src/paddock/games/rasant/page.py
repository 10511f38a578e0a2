"""Rasant: what its pages show besides the view: choices, the last round, the scorepad, the podium."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from paddock.core.i18n import _, mark
from paddock.core.log import Event, EventBatch
from paddock.core.pages import Account
from paddock.core.series import standings
from paddock.core.title import Seen
from paddock.games.rasant import account as accounts
from paddock.games.rasant import refusals, state, text
from paddock.games.rasant.draw import Finisher
from paddock.games.rasant.state import DISCARD, EMPTY, PASS
from paddock.games.rasant.view import Car, Card, View
from paddock.games.rasant.view import card as face
from paddock.parts.page import Group, Hand, Pad, refused, row

START = mark("Start the game: deal the cards")
OPENING = ""
SHORTCUTS = (("p", mark("choose to pass")),)


@dataclass(frozen=True)
class Choice:
    """A choice: its move, and what it looks like."""

    move: str
    card: Card | None  # None for a pass without a card
    fits: bool  # whether the move is legal
    colour: int | None  # the colour that overtakes if this move wins the round
    key: str = ""  # a shortcut


@dataclass(frozen=True)
class Play:
    """What one player did in a round: played a card, or passed and perhaps discarded one."""

    seat: int
    card: Card | None
    passed: bool
    won: bool


@dataclass(frozen=True)
class Reveal:
    """The last finished round, and the plays of the current one."""

    mark: int  # the log entry of its end
    title: str
    text: str
    plays: tuple[Play, ...]  # of the finished round, in order
    cars: tuple[Car, ...]  # the cars that went to the front, in this order
    now: tuple[Play, ...]  # of the current round


def ask(seen: Seen, seat: int, view: View) -> Hand[Choice]:
    """Return the decision of a player who must decide."""
    legal = set(seen.legal(seat))
    hand = view.players[seat].hand or ()
    raising = view.colour is not None
    plays = tuple(
        Choice(
            str(text.move_of(card.kind)),
            card,
            card.kind in legal,
            (view.colour if raising else card.colour) if card.kind in legal else None,
        )
        for card in hand
    )
    may_play = any(choice.fits for choice in plays)
    groups = [_raising(view, plays, may_play) if raising else _leading(plays, may_play)]
    groups.append(_passing(seen, seat, hand, legal, must_lead=may_play and not raising))
    moves = [choice.move for group in groups for choice in group.cards if not choice.fits]
    return Hand(_question(view, seat), _("Choose"), tuple(groups), refused(seen, seat, moves))


def _question(view: View, seat: int) -> str:
    if view.top is None:
        return _("You have the lead")
    if view.best == seat:
        return _("You are ahead with {card}: raise it, or pass").format(card=text.card_words(view.top))
    return _("Beat the {card}, or pass").format(card=text.card_words(view.top))


def _leading(plays: tuple[Choice, ...], may_play: bool) -> Group[Choice]:
    """RA-3.2 any coloured card."""
    why = "" if may_play else _("You hold no coloured card: pass, and the player on your left leads.")
    return Group(_("Lead a card: it sets the colour"), "", plays, why, "" if may_play else "RA-3.2")


def _raising(view: View, plays: tuple[Choice, ...], may_play: bool) -> Group[Choice]:
    """RA-3.3 a strictly higher card of the round's colour, or black."""
    assert view.top is not None  # a card is led
    assert view.colour is not None
    colour, speed = text.colour_name(view.colour), view.top.speed
    title = _("Raise: {colour} or black, over {speed}").format(colour=colour, speed=speed)
    why = _("You hold no {colour} and no black card over {speed}.").format(colour=colour, speed=speed)
    return Group(title, "", plays, "" if may_play else why, "" if may_play else "RA-3.3")


def _passing(
    seen: Seen, seat: int, hand: Iterable[Card], legal: set[int], *, must_lead: bool
) -> Group[Choice]:
    """RA-3.3 a pass, out of the round; RA-5.2 it costs a card if the reserve is empty."""
    if must_lead:
        clause, sentence = text.refusal(seen.state, seen.setup, seat, refusals.MUST_LEAD, PASS)
        return Group(_("Or pass"), "", (), _("You cannot pass: {why}.").format(why=sentence), clause)
    if PASS in legal:
        return Group(_("Or pass"), "", (Choice(str(text.move_of(PASS)), None, True, None, "p"),))
    cards = tuple(
        Choice(str(text.move_of(DISCARD + card.kind)), card, True, None, "" if i else "p")
        for i, card in enumerate(hand)
    )
    hint = _("The reserve is empty: a pass costs a card.")
    return Group(_("Or pass and discard"), hint, cards)


def faces(move: int, seat: int) -> tuple[Card, ...]:
    """Return the card of a move, to draw it; a pass may have none."""
    kind = text.move_of(move).card
    return () if kind is None else (face(kind),)


def subject(event: Event) -> int | None:
    """Return the player that a line of the story is about."""
    return None if event[0] in (state.MOVED, state.RESERVE_EMPTY) else event[1]


def is_heading(event: Event) -> bool:
    """Return whether a line begins a part of the story, that is a round."""
    return event[0] == state.LEADS


def reveal(batches: Sequence[EventBatch], names: Sequence[str], view: View, since: int) -> Reveal | None:
    """Return the last finished round, if it ended since entry ``since``, and the current one."""
    rounds = _rounds(batches)
    won = [events for events in rounds if any(event[0] == state.WON for _item, event in events)]
    now = () if not rounds or rounds[-1] in won[-1:] else _plays(rounds[-1], over=False)
    if not won:
        return Reveal(-1, _("This round"), "", (), (), now) if now and not since else None
    item, (_code, moved, *_more) = next(at for at in won[-1] if at[1][0] == state.MOVED)
    if item.entry < since:
        return None
    lines = [text.sentence(event, names) for _item, event in won[-1] if event[0] in (state.WON, state.MOVED)]
    first = [
        names[seat] for _item, (code, seat, place, *_more) in won[-1] if code == state.FINISHED and place == 1
    ]
    if first and view.games > 1:
        lines.append(_("Game {n} goes to {names}.").format(n=item.round + 1, names=_(" and ").join(first)))
    # The view no longer has the line of a game after the next one has begun.
    cars = view.line[:moved][::-1] if item.round == view.game - 1 else ()  # RA-4.1
    return Reveal(item.entry, _("The last round"), " ".join(lines), _plays(won[-1], over=True), cars, now)


def _rounds(batches: Sequence[EventBatch]) -> list[list[tuple[EventBatch, Event]]]:
    """Return the events of the last two rounds, oldest first."""
    rounds: list[list[tuple[EventBatch, Event]]] = [[]]
    for item in reversed(batches):
        for event in reversed(item.events):
            if event[0] != state.LEADS:
                rounds[0].insert(0, (item, event))
            elif len(rounds) == 2:
                return rounds
            else:
                rounds.insert(0, [])
    return rounds[1:]


def _plays(events: Sequence[tuple[EventBatch, Event]], *, over: bool) -> tuple[Play, ...]:
    """Return the plays of a round in order. In a finished round the last card has won."""
    done = [event for _item, event in events if event[0] in (state.LED, state.RAISED, state.PASSED)]
    highest = max((i for i, event in enumerate(done) if event[0] != state.PASSED), default=-1)
    return tuple(
        Play(seat, None if kind == EMPTY else face(kind), code == state.PASSED, over and i == highest)
        for i, (code, seat, kind, *_more) in enumerate(done)
    )


def pads(seen: Seen, view: View) -> list[Pad[int]]:
    """The points of every player, per game and in total (RA-5.5). The current game counts too."""
    games = seen.options.rounds
    running = len(seen.rounds) < games
    lines = []
    for line in standings(seen.options, seen.rounds).players:
        player = view.players[line.who]
        lines.append((player, (*line.rounds, player.score) if running else line.rounds))
    lines.sort(key=lambda line: (-sum(line[1]), line[0].seat))
    best = sum(lines[0][1])
    rows = tuple(
        row(player.name, (player.seat,), points, games, leads=sum(points) == best > 0)
        for player, points in lines
    )
    return [Pad(_("Points") if games == 1 else _("The match"), _("Player"), games, rows)]


def finishers(seen: Seen, view: View) -> list[Finisher]:
    """Return the players for the podium (RA-5.4)."""
    table = standings(seen.options, seen.rounds).players
    return [Finisher(row.rank, seen.names[row.who], row.total, row.who) for row in table]


def headline(winners: Sequence[str], rounds: int) -> str:
    """Return who has won the game or the match; a tie is shared (RA-5.4)."""
    names = _(" and ").join(winners)
    if len(winners) > 1:
        return (_("{names} tie for the game") if rounds == 1 else _("{names} tie for the match")).format(
            names=names
        )
    return (_("{name} wins the game") if rounds == 1 else _("{name} wins the match")).format(name=names)


def account(seen: Seen, batches: Sequence[EventBatch]) -> Account:
    """Return how the finished games went."""
    return accounts.account(seen, batches)
