"""Rasant: what its pages show besides the view: choices, the last round, the scorepad, the podium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paddock.core.i18n import _, mark, pgettext, plural
from paddock.core.log import Event, EventBatch
from paddock.core.pages import Account, Moves
from paddock.core.series import standings
from paddock.core.title import Seen
from paddock.core.wording import listed
from paddock.games.rasant.drawing.draw import Finisher
from paddock.games.rasant.page import account as accounts
from paddock.games.rasant.rules import state
from paddock.games.rasant.rules.state import DISCARD, EMPTY, PASS
from paddock.games.rasant.words import text
from paddock.games.rasant.words.view import Car, Card, View
from paddock.games.rasant.words.view import card as face
from paddock.parts import page as parts
from paddock.parts.page import Hand, Pad, Way, names, refused, row

START = mark("Start the game: deal the cards")
OPENING = ""
SHORTCUTS = (
    ("1–9 0", mark("choose a card of this speed, in tens; 0 is 100; 1, 2 and 3 again: 110, 120 and 130")),
    ("r g b y k", mark("choose a red, green, blue, yellow or black card; again: the next one")),
    ("p", mark("choose to pass")),
)


@dataclass(frozen=True)
class Choice(parts.Choice[Card]):
    """A card, or a pass without a card."""

    face: Card | None = None
    colour: int | None = None  # the colour that overtakes if this card wins the round


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
    may_play = any(card.kind in legal for card in hand)
    costs = any(DISCARD + card.kind in legal for card in hand)  # RA-5.2 a pass costs a card
    cards = _cards(view, hand, legal, costs=costs)
    # A leader who must lead sees why it cannot pass.
    passes = Choice(
        "pass", (str(text.move_of(PASS)),), None, pgettext("make no more moves", "Pass"), "p", PASS in legal
    )
    hint, clause = _hint(view, may_play=may_play, costs=costs)
    ways = (
        Way(
            pgettext("play the first card of a round", "Lead")
            if view.top is None
            else pgettext("play a higher card", "Raise")
        ),
        Way(_("Pass and discard"), "p"),
    )
    moves = [move for choice in (*cards, passes) for move in choice.moves]
    return Hand(
        _question(view, seat),
        _("Choose a card") if costs else _("Choose"),
        cards,
        () if costs else (passes,),  # RA-5.2 each card has a way to pass
        refused(seen, seat, moves),
        ways if costs else (),
        hint=hint,
        clause=clause,
    )


def _cards(view: View, hand: Sequence[Card], legal: set[int], *, costs: bool) -> tuple[Choice, ...]:
    """Return the cards as choices: to play, and if a pass ``costs`` one, to discard."""
    out = []
    for name, card in zip(names(card.kind for card in hand), hand, strict=True):
        moves = [card.kind, DISCARD + card.kind] if costs else [card.kind]
        plays = card.kind in legal
        raises = card.colour if view.colour is None else view.colour
        written = tuple(str(text.move_of(move)) for move in moves)
        keys = f"{card.speed // 10 % 10} {written[0][0]}"  # the letter of the colour
        out.append(Choice(name, written, card, "", keys, plays or costs, raises if plays else None))
    return tuple(out)


def _question(view: View, seat: int) -> str:
    """Ask for a lead, a raise or a higher card."""
    if view.top is None:
        return _("You have the lead")
    if view.best == seat:
        return _("You are ahead with {card}: raise it, or pass").format(card=text.card_words(view.top))
    return _("Beat the {card}, or pass").format(card=text.card_words(view.top))


def _hint(view: View, *, may_play: bool, costs: bool) -> tuple[str, str]:
    """Return what can be played, or why nothing can (RA-3.2, RA-3.3, RA-5.2), with the clause of a reason."""
    cost = _("A pass costs a card.") if costs else ""
    if view.top is None:
        if may_play:
            return _("Lead a card: it sets the colour."), ""
        why = _("You hold no coloured card: pass, and the player on your left leads.")
        return f"{why} {cost}".strip(), "RA-3.2"
    assert view.colour is not None
    colour, speed = text.colour_name(view.colour), view.top.speed
    least = {"colour": colour, "own": speed + view.raise_by, "black": speed + view.black_by}
    usual = view.raise_by == view.black_by == 10
    if may_play:
        raises = (
            _("Raise: {colour} or black, over {speed}.").format(colour=colour, speed=speed)
            if usual
            else _("Raise: {colour} from {own}, or black from {black}.").format(**least)
        )
        return f"{raises} {cost}".strip(), ""
    why = (
        _("You hold no {colour} and no black card over {speed}.").format(colour=colour, speed=speed)
        if usual
        else _("You hold no {colour} from {own} and no black card from {black}.").format(**least)
    )
    return f"{why} {cost}".strip(), "RA-3.3"


def matters(seen: Seen, seat: int) -> str:
    """Return what matters in the decision of a player (RA-3, RA-4, RA-5.2)."""
    view, legal = seen.title.view.view(seen), seen.legal(seat)
    if min(legal) >= PASS:
        return _("You can only pass, and that costs a card: give away what you need least.")
    if view.top is None and (view.car_points, view.black_factor, view.black_points) == (1, 2, 0):
        return _(
            "You set the colour. The winner takes the rearmost car of that colour, and all behind it, to the "
            "front, and scores a point for each; the black one counts nothing and doubles the others. Choose "
            "what pays for you and is hard to beat."
        )
    if view.top is None:
        return _(
            "You set the colour. The winner takes the rearmost car of that colour, and all behind it, to the "
            "front. Points for each: {car}. The black one counts {black} and multiplies the others by "
            "{factor}. Choose what pays for you and is hard to beat."
        ).format(car=view.car_points, black=view.black_points, factor=view.black_factor)
    if view.best == seat:
        return _("All others have passed: the round is yours, and a raise gains nothing.")
    said = _(
        "Raise if the cars that would overtake are worth the card. Whoever passes first leads the next round."
    )
    return f"{said} {_('A pass costs a card.')}" if max(legal) > PASS else said


def faces(seen: Seen, move: int) -> tuple[Card, ...]:
    """Return the card of a move, to draw it; a pass may have none."""
    kind = text.move_of(move).card
    return () if kind is None else (face(kind),)


def subject(event: Event) -> int | None:
    """Return the player that a line of the story is about."""
    return None if event[0] in (state.MOVED, state.RESERVE_EMPTY) else event[1]


def is_heading(event: Event) -> bool:
    """Return whether a line begins a part of the story, that is a round."""
    return event[0] == state.LEADS


SOUNDS = {
    state.LED: "card",
    state.RAISED: "card",
    state.PASSED: "card",
    state.MOVED: "engine",
    state.FINISHED: "finish",
}


def moves(batches: Sequence[EventBatch], view: View) -> Moves:
    """Return which cars the last move took to the front, one after the other, by its event (RA-4.1).

    The line shows nothing of earlier rounds.
    """
    events = [(batch, place) for batch in batches for place in range(len(batch.events))]
    for batch, place in reversed(events):
        event = batch.events[place]
        if event.code == state.MOVED:
            front = view.line[: event.a] if batch.round == view.game - 1 else ()
            return {(batch.entry, place): [(car.id,) for car in reversed(front)]} if front else {}
    return {}


def reveal(batches: Sequence[EventBatch], names: Sequence[str], view: View, since: int) -> Reveal | None:
    """Return the last finished round, if it ended since entry ``since``, and the current one."""
    rounds = _rounds(batches)
    won = [events for events in rounds if any(event[0] == state.WON for _item, event in events)]
    now = () if not rounds or rounds[-1] in won[-1:] else _plays(rounds[-1], over=False)
    if not won:
        return Reveal(-1, _("This round"), "", (), (), now) if now and not since else None
    batch, (_code, moved, *_more) = next(
        batch_event for batch_event in won[-1] if batch_event[1][0] == state.MOVED
    )
    if batch.entry < since:
        return None
    ends = [event for _item, event in won[-1] if event[0] in (state.WON, state.MOVED)]
    lines = [text.sentence(event, names, view) for event in ends]
    first = [
        names[seat] for _item, (code, seat, place, *_more) in won[-1] if code == state.FINISHED and place == 1
    ]
    if first and view.games > 1:
        lines.append(_("Game {n} goes to {names}.").format(n=batch.round + 1, names=listed(first)))
    # The view no longer has the line of a game after the next one has begun.
    cars = view.line[:moved][::-1] if batch.round == view.game - 1 else ()  # RA-4.1
    return Reveal(batch.entry, _("The last round"), " ".join(lines), _plays(won[-1], over=True), cars, now)


def _rounds(batches: Sequence[EventBatch]) -> list[list[tuple[EventBatch, Event]]]:
    """Return the events of the last two rounds, oldest first."""
    rounds: list[list[tuple[EventBatch, Event]]] = [[]]
    for batch in reversed(batches):
        for event in reversed(batch.events):
            if event[0] != state.LEADS:
                rounds[0].insert(0, (batch, event))
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
    lines.sort(key=lambda player_points: (-sum(player_points[1]), player_points[0].seat))
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
    names = listed(winners)
    if len(winners) > 1:
        return (_("{names} tie for the game") if rounds == 1 else _("{names} tie for the match")).format(
            names=names
        )
    return (_("{name} wins the game") if rounds == 1 else _("{name} wins the match")).format(name=names)


def account(seen: Seen, batches: Sequence[EventBatch]) -> Account:
    """Return how the finished games went."""
    return accounts.account(seen, batches)


def standing(view: View, player: int) -> list[str]:
    """Return the place and the points of a player in this game, in words."""
    points = view.players[player].score
    place = 1 + sum(rival.score > points for rival in view.players)
    score_words = plural("{n} point", "{n} points", points)
    return [_("place {places} of {n}").format(places=place, n=len(view.players)), score_words]
