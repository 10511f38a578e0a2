"""Where there are hints, and what they do to a game: pure rules.

Hints are for one person who plays against bots, and nobody else. A race with hints is marked for good, as its
kind: it is listed, but its result does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.title import Preview, Seen, move_id
from paddock.store.kinds import HINTED
from paddock.tables.change import EVERYBODY, Change
from paddock.tables.context import Context
from paddock.tables.errors import Forbidden
from paddock.tables.table import Table


def refusal(table: Table, player: int | None) -> str:
    """Return why a player (None: a spectator) gets no hints at a table; empty if they do."""
    if player is None:
        return _("only who plays at this table gets hints")
    if any(not other.bot and other.index != player for other in table.players):
        return _("there are no hints at a table with other people")
    if table.deal or table.sealed:
        return _("there are no hints here: others play the same cards, and results are compared")
    if not (table.kind.race or table.kind.explored):
        return _("there are no hints at this table")
    if not table.running:
        return _("there are hints only while a game is being played")
    return ""


def offered(table: Table, player: int | None) -> bool:
    """Whether a player (None: a spectator) gets hints at a table."""
    return not refusal(table, player)


def player_at(table: Table, holder: str | None) -> int:
    """Return the player of a browser who gets hints; raise ``Forbidden`` if it gets none here."""
    player = next(iter(table.players_of(holder)), None)
    if why := refusal(table, player):
        raise Forbidden(why)
    assert player is not None
    return player


def must_mark(table: Table) -> bool:
    """Whether the next hint marks the game."""
    return table.kind.race and not table.kind.hinted


def marked(table: Table, context: Context, holder: str | None) -> Change[None]:
    """Mark a race as one with hints; nothing happens if it is, or if its result never counts."""
    change = Change(table, context.now, None)
    player_at(table, holder)
    if must_mark(table):
        change.table(kind=HINTED)
        change.audience = EVERYBODY
    return change


def asked_seat(table: Table, player: int) -> int | None:
    """Return the seat of a player that must decide first, or has committed but may change; None if none."""
    own_seats = set(table.seats_of(player))
    asked = [seat for seat in table.awaited_seats() if seat in own_seats]
    changeable = [seat for seat in table.game.deciders if seat in own_seats] if table.running else []
    return next(iter((*asked, *changeable)), None)


def seen_by(table: Table, player: int) -> Seen:
    """Return what a player knows, without any commitment: nothing else goes into a hint."""
    return table.game.seen(table.options.eyes(player))


def after(seen: Seen, seat: int, links: Sequence[str]) -> tuple[Preview, list[str]]:
    """Return the position after links that are not sent yet, and these links as they are written.

    They end before the first one that is not legal.
    """
    preview, legal_links = seen.preview((), seat), list[str]()
    for link in links:
        if preview.ended:
            break
        try:
            id = move_id(seen.title, seen.setup, link)
            preview = preview.seen.preview([id], seat)
        except PaddockError:
            break
        legal_links.append(str(seen.title.text.move(seen.setup, id)))
    return preview, legal_links


def own_moves(table: Table, seat: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the last moves of a seat that no other entry follows, and how long the log was before them.

    First come none of them, then the last one, and so on.
    """
    game = table.game
    for at in range(len(game.log), -1, -1):
        yield at, [str(game.title.text.move(game.setup, entry.what)) for entry in game.log[at:]]
        if at == 0 or game.log[at - 1].by != seat:
            return


def last_submission(table: Table, player: int) -> range | None:
    """Return the entries of the last submission that a player chose; None if there is none."""
    log, own_seats = table.game.log, set(table.seats_of(player))
    by_itself = {forced.entry for forced in table.forced}
    for start in range(len(log) - 1, -1, -1):
        if log[start].by in own_seats and not log[start].linked and start not in by_itself:
            end = start + 1
            while end < len(log) and log[end].linked:
                end += 1
            return range(start, end)
    return None


def links_of(table: Table, player: int, submission: range) -> list[tuple[Seen, int]]:
    """Return what the player saw before each move of a submission, and the move. Takes as long as the log."""
    game, out = table.game.at(submission.start), []
    for index in submission:
        entry = table.game.log[index]
        out.append((game.seen(table.options.eyes(player)), entry.what))
        game.append(entry)
    return out
