"""What a table's pages show: plain data for the templates, from what one player's eyes see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from starlette.exceptions import HTTPException

from paddock.core.i18n import _, plural
from paddock.core.log import EventBatch
from paddock.core.title import Course, Page, Seen, Title
from paddock.core.words import CHANCE
from paddock.tables import Table
from paddock.web.choices import Ahead, asks
from paddock.web.titles import draws, page_of

MOST_STORY = 60  # lines of the story on a page; the record has all


@dataclass(frozen=True)
class Refusal:
    """A sentence above the hand: what was refused, or came too late."""

    sentence: str
    clause: str | None = None
    at: str = "hand"  # the part of the page that it belongs to


@dataclass(frozen=True)
class Line:
    """A line of the story: an event as a sentence."""

    n: int  # grows with the game
    text: str
    seat: int | None
    heading: bool
    new: bool


def room(title: Title) -> Page:
    """The room of the title that only pages need; raises a 404 where it has no pages."""
    if found := page_of(title):
        return found
    words = _("{title} has no pages yet: it is played in the terminal and by programs.")
    raise HTTPException(404, words.format(title=title.label))


def course(title: Title) -> Course:
    """The guided first game of the title; raises a 404 where it has none."""
    if found := title.room("learn"):
        return cast(Course, found)
    raise HTTPException(404, _("{title} has no lesson: read its rules.").format(title=title.label))


def seat_names(seen: Seen) -> list[str]:
    """The name of every seat, as sentences use it."""
    return [seen.seat_name(seat) for seat in range(seen.options.seats)]


def story(seen: Seen, batches: Sequence[EventBatch], names: Sequence[str], new_after: int) -> list[Line]:
    """The end of the story, its newest part first, and in each part below its heading the newest line.

    ``batches`` are what these eyes were told. Lines told from entry ``new_after`` on count as new.
    """
    title, page = seen.title, room(seen.title)
    space = title.rules.MAX_EVENTS + 2  # lines of one entry at most, two headings included
    out: list[Line] = []
    round: list[Line] = []
    part: list[Line] = []
    for i, item in reversed(list(enumerate(batches))):
        for place, event in reversed(list(enumerate(item.events))):
            if text := title.text.line(seen.setup, event, names):
                n = item.entry * space + place
                line = Line(n, text, page.subject(event), page.is_heading(event), item.entry >= new_after)
                if line.heading:
                    round += [line, *part]
                    part = []
                else:
                    part.append(line)
        begins = i == 0 or batches[i - 1].round != item.round
        full = len(out) + len(round) + len(part) >= MOST_STORY
        if full and not begins and (out or round):
            part = []  # cut off, and so without its heading
        if begins and part and page.OPENING:
            part.insert(0, Line(item.entry * space - 1, _(page.OPENING), None, True, False))
        if begins or (full and (round or part)):
            out.append(Line(item.entry * space - 2, _round(title, item.round), None, True, False))
            out += [*round, *part]
            round, part = [], []
        if full:
            break
    return out


def _round(title: Title, round: int) -> str:
    return _("{round} {n}").format(round=_(title.round_name).capitalize(), n=round + 1)


def since(table: Table, player: int | None) -> int:
    """The entry of the player's last own move (None: anybody's); what follows is news, unless it was read."""
    game, read = table.game, 0 if player is None else table.players[player].read_up_to
    for index in range(len(game.log) - 1, -1, -1):
        by = game.log[index].by
        if by != CHANCE and (player is None or game.options.owners[by] == player):
            return max(index, read)
    return read


def table_page(
    table: Table,
    mine: Sequence[int],
    at: int | None,
    *,
    key: str,
    chosen: str = "",
    refusal: Refusal | None = None,
    change: int | None = None,
    ahead: Ahead | None = None,
) -> tuple[str, dict[str, Any]]:
    """The template and context for a browser that holds the players ``mine``, with ``at`` at the device.

    ``change`` is a committed seat of that player whose hand is opened again; ``ahead`` the links that are
    chosen: board and hand are shown as they would be after them. With several players a curtain comes down
    while one who is not at the device must decide: it shows nothing of any hand.
    """
    game = table.game
    needed = [p for p in table.awaited() if p in mine]
    player = mine[0] if len(mine) == 1 else at if at in mine else None
    context: dict[str, Any] = {
        "title": table.title,
        "table": table,
        "table_url": f"/t/{table.id}",
        "refusal": refusal,
        "mine": list(mine),
        "player": player,
    }
    if page_of(table.title) is None:
        status = _status(table, table.seen(player))
        return "plain.html", context | {"status": status, "decision": table.decision}
    if needed and player not in needed and change is None:
        return "curtain.html", context | _curtain(table, needed[0], player)
    shown = everything(table, player)
    context |= shown | {
        "asks": [] if player is None else asks(table, player, key, chosen, change, ahead),
        "decision": table.decision,
    }
    if ahead and ahead.links and context["asks"]:
        context["view"] = ahead.view
    context["asked"] = [ask.seat for ask in context["asks"]]
    context["your_turn"] = any(not ask.committed for ask in context["asks"])
    if game.over:
        return "podium.html", context | podium(table, shown)
    return "table.html", context


def _curtain(table: Table, player: int, before: int | None) -> dict[str, Any]:
    """The player to whom the device goes, and the seat that the one before may still change."""
    seats = [] if before is None else [s for s in table.seats_of(before) if s in table.pending]
    seen = table.seen(None)
    return {
        "view": table.title.view.view(seen),
        "name": table.players[player].name,
        "player": player,
        "lift_url": f"/t/{table.id}/sit",
        "status": table.title.text.status(seen),
        "before": None if before is None or not seats else table.players[before].name,
        "change_url": f"/t/{table.id}?change={seats[-1]}&decision={table.decision}" if seats else None,
        "decision": table.decision,
        "your_turn": True,
    }


def everything(table: Table, player: int | None) -> dict[str, Any]:
    """What both a running and a finished table show to these eyes."""
    title = table.title
    seen = table.seen(player)
    view = title.view.view(seen)
    names = seat_names(seen)
    page = room(title)
    batches = table.events_for(player)
    lines = story(seen, batches, names, since(table, player))
    return {
        "seen": seen,
        "view": view,
        "status": _status(table, seen),
        "story": lines,
        "news": [] if player is None else [line for line in lines[::-1] if line.new and not line.heading],
        "reveal": page.reveal(batches, names, view, 0),
        "pads": page.pads(seen, view),
        "lesson": None,
    }


def _status(table: Table, seen: Seen) -> str:
    return table.frozen or (table.stalled and _(table.stalled)) or table.title.text.status(seen)


def headline(table: Table) -> str:
    """Who has won a finished table."""
    result = table.game.result
    assert result is not None
    names = [table.players[who].name for who in result.winners]
    return room(table.title).headline(names, table.options.rounds)


def podium(table: Table, shown: dict[str, Any]) -> dict[str, Any]:
    """What the page of a finished table adds."""
    title, rounds = table.title, table.options.rounds
    won = headline(table)
    word = _(title.round_name)
    base = f"/t/{table.id}"
    return {
        "headline": won,
        "status": won,
        "subtitle": plural("one {word}", "{n} {words}", rounds, word=word, words=_(title.rounds_option)),
        "finishers": room(title).finishers(shown["seen"], shown["view"]),
        "again_url": f"{base}/again",
        "replay_url": f"{base}/replay",
        "record_url": f"{base}/record",
        "picture_url": f"{base}/podium.svg" if draws(title, "podium") else None,
    }
