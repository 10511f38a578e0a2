"""Rasant: how finished games went: points by round, what the players did, the moments that decided it.

Everything is computed from the events of the games, which are public.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paddock.core.i18n import _, pgettext, plural
from paddock.core.log import EventBatch
from paddock.core.pages import Account, Chart, Feat, Moment, Tally
from paddock.core.series import Standing
from paddock.core.title import Seen
from paddock.games.rasant.drawing.pieces import plate
from paddock.games.rasant.rules import state
from paddock.games.rasant.words.text import card_words, colour_name
from paddock.games.rasant.words.view import card
from paddock.parts.account import Found, Moments, events, feats, tally
from paddock.parts.chart import ChartLine, chart

STEP = 10  # km/h between two cards
_INKS = ("#ffffff", "#14171c", "#9aa2ab", "#ffcf00", "#1559b7")  # players own no colour: these are only lines
_DASHES = ("", "", "", "8 5", "3 4")


@dataclass(frozen=True)
class Round:
    """A finished round."""

    entry: int
    winner: int
    colour: int
    points: int
    doubled: bool
    top: int  # the card that won
    beaten: tuple[int, int] | None  # the player and the card that were ahead before; None without a raise


@dataclass
class Count:
    """What one player has done in all games."""

    won: int = 0
    moved: int = 0  # cars that went to the front
    doubled: int = 0
    cards: int = 0
    passes: int = 0


def rounds(batches: Sequence[EventBatch], games: int) -> list[list[Round]]:
    """Return the finished rounds of each game."""
    out: list[list[Round]] = [[] for _game in range(games)]
    plays: list[tuple[int, int]] = []  # (player, card) of the current round, the lead first
    for batch in batches:
        for i, event in enumerate(batch.events):
            if event.code == state.LEADS:
                plays = []
            elif event.code in (state.LED, state.RAISED):
                plays.append((event.a, event.b))
            elif event.code == state.WON:
                doubled = bool(batch.events[i + 1].b)  # MOVED follows
                before = plays[-2] if len(plays) > 1 else None
                top = plays[-1][1]
                won = Round(batch.entry, event.a, event.b, event.c, doubled, top, before)
                out[batch.round].append(won)
    return out


def counts(batches: Sequence[EventBatch], players: int) -> list[Count]:
    """Return what every player has done."""
    out = [Count() for _player in range(players)]
    winner = 0
    for code, a, b, _c, _eyes in events(batches):
        if code in (state.LED, state.RAISED):
            out[a].cards += 1
        elif code == state.PASSED:
            out[a].passes += 1
            out[a].cards += b != state.EMPTY
        elif code == state.WON:
            winner = a
            out[a].won += 1
        elif code == state.MOVED:
            out[winner].moved += a
            out[winner].doubled += b
    return out


# ---- what the page shows --------------------------------------------------------------------------


def account(seen: Seen, batches: Sequence[EventBatch]) -> Account:
    """Return how the games went."""
    played = rounds(batches, seen.options.rounds)
    return Account(
        [_chart(seen, won, i) for i, won in enumerate(played) if won],
        [_tally(seen, batches)],
        _moments(seen, played),
        _feats(seen, played),
    )


def _chart(seen: Seen, won: Sequence[Round], game: int) -> Chart:
    """Draw the points by round of one game."""
    caption = _("Points by round")
    if seen.options.rounds > 1:
        caption = _("Game {n}: points by round").format(n=game + 1)
    totals = _totals(won, seen.options.players)
    ticks = [pgettext("first mark of a chart", "start"), *(str(n) for n in range(1, len(won) + 1))]
    players = sorted(range(seen.options.players), key=lambda who: (-totals[-1][who], who))
    lines = [
        ChartLine(
            seen.names[who],
            plate(who, 0, 0, 0.42),
            _INKS[who],
            _DASHES[who],
            tuple(total[who] for total in totals),
        )
        for who in players
    ]
    return chart(caption, _("Player"), ticks, lines, places=False)


def _totals(won: Sequence[Round], players: int) -> list[list[int]]:
    """Return the points of all players before the first round and after every round."""
    out = [[0] * players]
    for done in won:
        total = out[-1][:]
        total[done.winner] += done.points
        out.append(total)
    return out


def _tally(seen: Seen, batches: Sequence[EventBatch]) -> Tally:
    """Return the table of what each player did."""
    done = counts(batches, seen.options.players)
    head = (
        _("Player"),
        _("Rounds won"),
        _("Cars moved"),
        _("Doubled") if seen.setup.black_factor == 2 else _("With the black car"),
        _("Cards"),
        pgettext("how often a player made no more moves", "Passes"),
    )

    def count(player: int) -> tuple[int, ...]:
        c = done[player]
        return c.won, c.moved, c.doubled, c.cards, c.passes

    return tally(seen, _("What the players did"), head, count)


def _when(played: Sequence[Sequence[Round]], game: int, number: int) -> str:
    if len(played) == 1:
        return pgettext("noun", "Round {n}").format(n=number + 1)
    return _("Game {game}, round {n}").format(game=game + 1, n=number + 1)


def _moments(seen: Seen, played: Sequence[Sequence[Round]]) -> list[Moment]:
    """Return the moments that decided the games, in order, one for each log entry."""
    moments = Moments()
    rounds_played = [(g, n, won) for g, game in enumerate(played) for n, won in enumerate(game)]
    for g, game in enumerate(played):
        if (n := _decisive(game, seen.options.players)) is not None:
            words = {"when": _when(played, g, n), "name": seen.names[game[n].winner]}
            text = plural(
                "{when}: {name} wins {n} point and leads to the end.",
                "{when}: {name} wins {n} points and leads to the end.",
                game[n].points,
                **words,
            )
            moments.note(game[n].entry, text)
    if rounds_played:
        g, n, won = max(rounds_played, key=lambda numbered: (numbered[2].points, numbered[2].entry))
        moments.note(won.entry, _won_words(seen, played, g, n))
    close = [(g, n, won) for g, n, won in rounds_played if _by_one(won)]
    if close:
        g, n, won = max(close, key=lambda numbered: (numbered[2].points, numbered[2].entry))
        assert won.beaten  # so says ``_by_one``
        passed, beaten = won.beaten
        text = _("{when}: {name} beats the {beaten} of {other} with the {top}: one step was enough.").format(
            when=_when(played, g, n),
            name=seen.names[won.winner],
            other=seen.names[passed],
            beaten=card_words(beaten),
            top=card_words(won.top),
        )
        moments.note(won.entry, text)
    return moments.listed()


def _decisive(game: Sequence[Round], players: int) -> int | None:
    """Return the round after which the winner led alone until the end; None if the game ends in a tie."""
    totals = _totals(game, players)
    last_change = None
    for n in reversed(range(len(game))):
        after = totals[n + 1]
        if after.count(max(after)) > 1 or after.index(max(after)) != totals[-1].index(max(totals[-1])):
            break
        last_change = n
    return last_change


def _by_one(won: Round) -> bool:
    """Whether the winner beat another player's card by the least possible step."""
    if won.beaten is None or won.beaten[0] == won.winner:
        return False
    return card(won.top).speed - card(won.beaten[1]).speed == STEP


def _won_words(seen: Seen, played: Sequence[Sequence[Round]], game: int, number: int) -> str:
    """Say what a round moved, and for how many points."""
    won = played[game][number]
    words = {
        "when": _when(played, game, number),
        "name": seen.names[won.winner],
        "colour": colour_name(won.colour),
    }
    if won.doubled:
        return plural(
            "{when}: {name} moves {colour} with the black car, for {n} point.",
            "{when}: {name} moves {colour} with the black car, for {n} points.",
            won.points,
            **words,
        )
    return plural(
        "{when}: {name} moves {colour}, for {n} point.",
        "{when}: {name} moves {colour}, for {n} points.",
        won.points,
        **words,
    )


def _feats(seen: Seen, played: Sequence[Sequence[Round]]) -> list[Feat]:
    """Return what each player can be proud of: the round that scored most."""

    def facts(line: Standing) -> list[str]:
        """Return the points and the rounds that a player has won."""
        rounds = sum(won.winner == line.who for game in played for won in game)
        return [
            plural("{n} point", "{n} points", line.total),
            plural("{n} round won", "{n} rounds won", rounds),
        ]

    def moments_of(player: int) -> Iterator[Found]:
        """Yield the rounds that a player has won, each with what it is worth."""
        for g, game in enumerate(played):
            for n, won in enumerate(game):
                if won.winner == player:
                    yield (won.points, won.entry), Moment(won.entry, _won_words(seen, played, g, n))

    return feats(seen, "", facts, moments_of)  # every player has a place
