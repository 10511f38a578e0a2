"""The story of an analysed game: what decided it, a player's best and dearest move, and what luck did."""

from __future__ import annotations

from dataclasses import dataclass

from paddock.bots.analysis import JudgedSubmission, account_lines, points, signed
from paddock.bots.ledger import Amount, LedgerAccount
from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.wording import finished, nth, number
from paddock.tables.analysing import Analysed


@dataclass(frozen=True)
class GameStory:
    """The story as a page tells it, and as its text to share, which names the player."""

    sentences: tuple[str, ...]
    text: str


def game_story(analysed: Analysed, game: Game, player: int, *, you: bool) -> GameStory | None:
    """Return the story of a player, who is the reader or not; None without a ledger."""
    if not analysed.ledger:
        return None
    account = analysed.ledger[player]
    own = [turn for turn in analysed.turns if analysed.owners[turn.seat] == player]
    lines = account_lines(account, analysed.costs[player])
    told = (_decided(account, lines), _moves(own), _luck(account))
    standing = next(line for line in game.standings().players if line.who == player)
    rank, name = standing.rank, game.names[player]
    named = _("{name} finished {place}.") if rank else _("{name} did not finish.")
    named = named.format(name=name, place=nth(rank))
    return GameStory(
        (f"{finished(rank) if you else named} {told[0]}", *told[1:]),
        " ".join((f"{_(game.title.label)}: {named}", *told)),
    )


def _decided(account: LedgerAccount, lines: list[tuple[str, Amount]]) -> str:
    """Return the result, and the part of it that is clearly the largest in its direction."""
    sign = 1 if account.result >= 0 else -1
    over = (
        _("{points} points over the mean of all") if sign > 0 else _("{points} points below the mean of all")
    ).format(points=number(abs(account.result), ".2f"))
    name, part = max(lines, key=lambda line: sign * line[1].points)
    if sign * part.points <= part.error:
        return _("{over}: nothing decided it alone.").format(over=over)
    words = (
        _("{over}; most came from: {part} ({points}).")
        if sign > 0
        else _("{over}; most was lost by: {part} ({points}).")
    )
    return words.format(over=over, part=name, points=signed(part.points, part.error))


def _moves(own: list[JudgedSubmission]) -> str:
    """Return the move that clearly gained most on what bots play there, and the mistake that cost most."""
    best = max(own, key=lambda turn: turn.gained, default=None)
    worst = max((turn for turn in own if turn.mistake), key=lambda turn: turn.cost, default=None)
    gained = (
        _("Best move: {move}, {points} over what bots usually play there.").format(
            move=best.text, points=points(best.gained, best.gained_error)
        )
        if best and best.gained
        else _("No move was clearly better than what bots usually play.")
    )
    lost = (
        _("Dearest move: {move}, which cost {points}; {best} was better.").format(
            move=worst.text, points=points(worst.cost, worst.error), best=worst.best
        )
        if worst
        else _("No move was a clear mistake.")
    )
    return f"{gained} {lost}"


def _luck(account: LedgerAccount) -> str:
    """Return what the deal and all later chance brought."""
    deal, draws = account.parts["deal"], account.parts["draws"]
    return _("Luck: the deal brought {deal}, what was drawn later {draws} points.").format(
        deal=signed(deal.points, deal.error), draws=signed(draws.points, draws.error)
    )
