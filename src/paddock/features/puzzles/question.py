"""A puzzle as it is asked.

It is shown as its seat saw the game then, so that nothing later and no other hand can be on its page.
"""

from __future__ import annotations

from datetime import datetime

from starlette.exceptions import HTTPException

from paddock.bots import puzzles as made
from paddock.core.i18n import _
from paddock.core.title import Title
from paddock.features.puzzles import service as kept
from paddock.features.puzzles.rows import PuzzleRow
from paddock.features.puzzles.service import AskedPuzzle
from paddock.tables import Table, Tables
from paddock.tables.analysing import Analysed
from paddock.web.model import Decision, Scene
from paddock.web.steps import in_thread

MINE = "mine"  # in addresses: the puzzles of one's own games

# Its words


def themed(title: Title, theme: str) -> str:
    """Return the name of a theme; that of the title for none."""
    room = made.puzzling(title)
    return _(room.THEMES[theme]) if room and theme in room.THEMES else title.label


def question(asked: AskedPuzzle) -> str:
    """Return what is asked, with what the game waits for."""
    seen = asked.decision.seen
    return _("What would you do? {status}").format(status=asked.title.text.status(seen))


def label(asked: AskedPuzzle, move: str) -> str:
    """Return a move as on its button, without its consequence."""
    seen = asked.decision.seen
    id = asked.title.text.parse_move(seen.setup, move).id
    return asked.title.text.label(seen, asked.seat, id).partition(": ")[0]


def scene_of(asked: AskedPuzzle) -> Scene:
    """Return the game of a puzzle as its player saw it: nothing is known of what came later."""
    seen = asked.decision.seen
    return Scene(seen, asked.game.events_for(seen.eyes))


def decision_of(asked: AskedPuzzle) -> Decision:
    """Return the decision of a puzzle, as a page or a program is asked for one."""
    return Decision(asked.seat, asked.decision.seen.preview((), asked.seat), None, False)


def legal(asked: AskedPuzzle, move: str) -> str:
    """Return a move as it is written; raise ``BadMove`` or ``IllegalMove`` if it is not legal."""
    text, setup = asked.title.text, asked.decision.seen.setup
    id = text.parse_move(setup, move).id
    asked.decision.seen.preview([id], asked.seat)
    return str(text.move(setup, id))


# Finding a puzzle


def puzzle_in_set(title: Title, id: str) -> AskedPuzzle:
    """Return a puzzle of a title's set; raise a 404."""
    asked = kept.puzzle_of_set(title, id)
    if asked is None:
        raise HTTPException(404, _("There is no such puzzle any more."))
    return asked


async def in_game(tables: Tables, id: str, entry: int) -> tuple[AskedPuzzle, Analysed]:
    """Return a puzzle of an analysed game, with its analysis; raise a 404."""
    table: Table = await tables.table(id)
    found = await tables.analysing.of(table)
    if found is None:
        raise HTTPException(404, _("There is no puzzle here: this game is not analysed yet."))
    return await in_thread(table, kept.of_game, table, entry, found.analysis), found


def path_of(row: PuzzleRow) -> str:
    """Return the address of a stored puzzle."""
    if row.table_id:
        return f"/t/{row.table_id}/puzzle/{row.puzzle.rpartition('/')[2]}"
    name, _colon, id = row.puzzle.partition(":")
    return f"/puzzle/{name}/{id}"


def day_path(now: datetime) -> str | None:
    """Return the address of the puzzle of a day; None if no title has any."""
    found = made.of_the_day(now.date())
    return f"/puzzle/{found[0].name}/{found[1]}" if found else None
