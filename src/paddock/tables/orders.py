"""Standing orders at a table: visible to their owner only, carried out at the pace of a bot.

The orders of a seat are stored as one text with a line for each; the first that applies makes the move. The
options of a table can give orders to everybody: these are stored nowhere, and apply after the owner's own. A
line that begins with «#» is a dropped order with the reason; it stays until the owner has read it. If the
move for which it was dropped is taken back, it is an order again.

One order is the same for every title and lasts until the game ends: ``only move`` plays a move that is the
only one possible, such as a forced pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from paddock.core.errors import BadMove, PaddockError
from paddock.core.game import Game
from paddock.core.i18n import Sentence, _, language, mark
from paddock.core.title import Dropped, Order, Seen, Title
from paddock.tables.change import NOBODY, Change
from paddock.tables.context import Context
from paddock.tables.rights import allow
from paddock.tables.submission import OpenChain
from paddock.tables.table import Table

MOST = 8  # orders of one seat
MARK = "# "
ONLY = "only move"
_ONLY = mark("Play by itself when only one move is possible, such as a forced pass")
DROPPED = mark("“{order}” was dropped: {reason}.")


def give(table: Table, context: Context, holder: str | None, seat: int, text: str) -> Change[Order]:
    """Add an order to the seat's list, and remove the reasons for dropped ones; return the order.

    Raises ``Forbidden`` or ``Frozen``, and ``BadMove`` if the order does not apply.
    """
    allow(table, holder, seat)
    order = parse(table.title, text)
    change = Change(table, context.now, order)
    if not table.running:
        raise BadMove(_("no game is running at this table"))
    if order not in on_offer(table.seen(table.options.owners[seat]), seat, ()):
        raise BadMove(_("“{order}”: this order is not possible now").format(order=order.label))
    lines = standing(table, seat)
    if order.text not in lines:
        lines.append(order.text)
    if len(lines) > MOST:
        raise BadMove(_("a seat has at most {n} standing orders").format(n=MOST))
    _keep(change, holder, seat, lines)
    return change


def cancel(
    table: Table, context: Context, holder: str | None, seat: int, text: str | None = None
) -> Change[None]:
    """Remove an order (None: all) and the reasons of dropped ones. Raises the same errors as ``give``."""
    allow(table, holder, seat)
    change = Change(table, context.now, None)
    _keep(
        change, holder, seat, [] if text is None else [line for line in standing(table, seat) if line != text]
    )
    return change


def drop(table: Table, context: Context, seat: int) -> Change[None]:
    """Remove the seat's orders that were carried out, and drop those that no longer apply, with a reason."""
    change = Change(table, context.now, None)
    if gone := misfits(table, seat):
        revived = [gone.get(line, line) for line in _lines(table, seat)]
        lines = [
            f"{MARK}{order.dump()}" if isinstance(order, Sentence) else order for order in revived if order
        ]
        _keep(change, table.players[table.options.owners[seat]].holder, seat, lines)
    return change


def revive(change: Change[Any], game: Game) -> None:
    """Give back the orders that were dropped for a move that is undone; ``game`` is the one before it.

    Those that were dropped earlier stay dropped: they may have ended with a race.
    """
    table = change.before
    for seat in table.orders:
        player = table.players[table.options.owners[seat]]
        seen, length = game.seen(table.eyes(player.index)), len(game.log)
        lines = [_revived(line, seen, seat, length) for line in _lines(table, seat)]
        _keep(change, player.holder, seat, lines)


def _revived(line: str, seen: Seen, seat: int, length: int) -> str:
    """Return the order of a line that was dropped when the log was longer and fits again; else the line."""
    why = Sentence.load(line.removeprefix(MARK)) if line.startswith(MARK) else line
    words = why.words if isinstance(why, Sentence) else {}
    since, order = words.get("since"), str(words.get("order"))
    if (
        not isinstance(since, int)
        or since <= length
        or isinstance(_order_or_dropped(seen, seat, order), Dropped)
    ):
        return line
    return order


def _keep(change: Change[Any], holder: str | None, seat: int, lines: Sequence[str]) -> None:
    """Set the orders of a seat. Only the owner's pages change, so only those are woken."""
    text = "\n".join(lines)
    if text != change.before.orders.get(seat, ""):
        change.orders[seat] = text
        change.audience = holder or NOBODY


def parse(title: Title, text: str) -> Order:
    """Parse an order of a title, or the one that every title has; raise ``BadMove``."""
    if " ".join(text.split()) == ONLY:
        return _only(language.get())
    if title.orders is None:
        raise BadMove(_("{title} has no standing orders").format(title=title.label))
    return title.orders.parse(text)


@cache
def _only(_language: str) -> Order:
    return Order(ONLY, _(_ONLY))


def offered(table: Table, seat: int) -> list[Order]:
    """Return the orders that the seat can give now, without those that it has given."""
    seen = table.seen(table.options.owners[seat])
    return on_offer(seen, seat, standing(table, seat)) if table.running else []


def on_offer(seen: Seen, seat: int, active: Sequence[str]) -> list[Order]:
    """Return the orders that a seat can give in a running game, without the ``active`` texts."""
    room = seen.title.orders
    possible = [_only(language.get()), *(room.describe(seen, seat) if room else ())]
    return [order for order in possible if order.text not in active]


def given(table: Table, seat: int) -> list[Order]:
    """Return the seat's active orders, in the order of precedence."""
    return parsed(table.title, standing(table, seat))


def parsed(title: Title, lines: Sequence[str]) -> list[Order]:
    """Return the orders with these texts."""
    return [parse(title, line) for line in lines]


def dropped(table: Table, seat: int) -> list[str]:
    """Return a sentence for each dropped order that the owner has not read yet."""
    return [dropped_words(table.title, why) for why in reasons(table, seat)]


def reasons(table: Table, seat: int) -> list[Sentence | str]:
    """Return the stored sentences for the dropped orders; ``dropped_words`` formats one."""
    texts = [line.removeprefix(MARK) for line in _lines(table, seat) if line.startswith(MARK)]
    return [Sentence.load(text) for text in texts]


def dropped_words(title: Title, why: Sentence | str) -> str:
    """Return the sentence with the label of the order, of which the store has the notation."""
    if isinstance(why, str):  # formatted by an older version
        return why
    order = str(why.words["order"])
    return str(Sentence(why.template, **{**why.words, "order": _label(title, order)}))


def _label(title: Title, order: str) -> str:
    """Return the text of the order's button; the notation itself if the title no longer knows it."""
    try:
        return parse(title, order).label
    except PaddockError:
        return order


def standing(table: Table, seat: int) -> list[str]:
    """Return the texts of the active orders."""
    return [line for line in _lines(table, seat) if not line.startswith(MARK)]


def answer(table: Table, seat: int) -> tuple[int, ...] | None:
    """Return the moves that the seat's orders make now, from what the owner sees; None if they wait.

    After the owner's orders come those that the title gives to everybody at this table. While a chain is
    open, the orders are asked for the next link; it ends when none has one.
    """
    room, player = table.title.orders, table.players[table.options.owners[seat]]
    if not player.person:
        return None
    always, lines = getattr(room, "always", None), standing(table, seat)
    if always is None and not lines:
        return None
    seen = table.seen(player.index)
    if always is not None:
        lines += always(seen, seat)
    chain = OpenChain(seen, seat)
    while chain.open:
        answers = (_order_move(table.title, chain.seen, seat, line) for line in lines)
        move = next((move for move in answers if isinstance(move, int) and move in chain.legal), None)
        if move is None:
            break
        chain.add(move)
    return tuple(chain.links) or None


def by_options(seen: Seen, seat: int) -> bool:
    """Whether an order that the options of the table give to everybody makes the move of a seat."""
    always = getattr(seen.title.orders, "always", None)
    lines = always(seen, seat) if always is not None else ()
    return any(isinstance(_order_or_dropped(seen, seat, line), int) for line in lines)


def decides(table: Table, seat: int, moves: Sequence[int]) -> bool:
    """Whether the orders that the person of a seat has given make these moves now."""
    return bool(standing(table, seat)) and answer(table, seat) == tuple(moves)


def _order_move(title: Title, seen: Seen, seat: int, line: str) -> int | Dropped | None:
    """Return what ``answer`` of the title's room returns, also for the order that every title has."""
    if line == ONLY:
        legal = seen.legal(seat) if seat in seen.deciders else ()
        return legal[0] if len(legal) == 1 else None
    return title.orders.answer(seen, seat, line) if title.orders else None


def _order_or_dropped(seen: Seen, seat: int, line: str) -> int | Dropped | None:
    """Return what ``_order_move`` returns, also for an order of an older version of the title."""
    try:
        return _order_move(seen.title, seen, seat, line)
    except PaddockError as error:
        return Dropped(error.message)


def misfit(table: Table) -> bool:
    """Whether any order was carried out or no longer applies."""
    return any(misfits(table, seat) for seat in table.orders)


def _lines(table: Table, seat: int) -> list[str]:
    return table.orders.get(seat, "").splitlines()


def misfits(table: Table, seat: int) -> dict[str, Sentence | None]:
    """Return the orders that no longer apply, each with a sentence (None if it was carried out).

    The sentence has the length of the log too: see ``revive``.
    """
    lines = standing(table, seat)
    if not lines:
        return {}
    out: dict[str, Sentence | None] = {}
    outcome: int | Dropped | None
    seen = table.seen(table.options.owners[seat])
    game_over, since = Dropped(Sentence("the game is over")), len(table.game.log)
    for line in lines:
        if line == ONLY:
            outcome = Dropped("") if table.game.over else None
        else:
            outcome = game_over if table.game.over else _order_or_dropped(seen, seat, line)
        if isinstance(outcome, Dropped):
            why = outcome.reason
            out[line] = Sentence(DROPPED, order=line, reason=why, since=since) if why else None
    return out
