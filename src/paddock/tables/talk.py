"""Chat messages: to the table, where everybody who has its link can read them, or to a team."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from paddock.core.errors import BadOption
from paddock.core.i18n import Sentence, _
from paddock.store import TalkRow
from paddock.tables.change import Change
from paddock.tables.context import Context
from paddock.tables.errors import Forbidden
from paddock.tables.names import UNSEEN, cut_marks, cut_unseen, printable
from paddock.tables.phrases import PHRASES
from paddock.tables.table import TABLE, Table

TEAM = "team"
LONGEST = 500  # characters in a line
MOST = 100  # lines shown
FLOOD, WITHIN = 10, timedelta(seconds=20)  # rate limit: lines of one player in this time
AGAIN = timedelta(seconds=3)  # a line repeated within this time is sent once


@dataclass(frozen=True)
class Said:
    """A line of chat. ``player`` is None for a line of the table itself, ``channel`` "table" or "team:N"."""

    n: int  # counts the lines of the table that the reader may read, from 0
    at: datetime
    player: int | None
    channel: str
    line: str | Sentence
    phrase: str = ""  # of the fixed list, if it is one

    @property
    def text(self) -> str:
        """The line in the current language."""
        return str(self.line)


def _line_of_row(row: TalkRow, n: int) -> Said:
    line = row.text if row.player is not None else Sentence.load(row.text)
    if row.phrase in PHRASES:
        line = Sentence(PHRASES[row.phrase])
    return Said(n, row.at, row.player, row.channel, line, row.phrase)


def lines_for(table: Table, player: int | None) -> list[Said]:
    """Return the last lines that the player (None: a spectator) may read."""
    return _readable(table, player)[-MOST:]


def _readable(table: Table, player: int | None) -> list[Said]:
    """Return the lines in memory that the player may read."""
    known = channels(table, player)
    rows = [row for row in table.talk if row.channel in known]
    return [_line_of_row(row, n) for n, row in enumerate(rows, _count(table, player) - len(rows))]


def _count(table: Table, player: int | None) -> int:
    """Return the number of lines of the table that the player may read."""
    return sum(table.said.get(channel, 0) for channel in channels(table, player))


def say(
    table: Table, context: Context, holder: str | None, player: int, text: str, channel: str = TABLE
) -> Change[Said]:
    """Send a line of one of this browser's players, to everybody ("table") or their team ("team").

    Raises ``BadOption``, and ``Forbidden`` (wrong player, muted, too fast). Possible at a frozen table too.
    """
    line = clean(text)
    if not UNSEEN.sub("", line).strip():
        raise BadOption([_("write something first")])
    if len(line) > LONGEST:
        raise BadOption([_("write at most {n} characters").format(n=LONGEST)])
    if channel == TEAM and player in table.players_of(holder):
        if not (team := _team(table, player)):
            raise BadOption([_("there are no teams here: talk to the table")])
        channel = team
    elif channel not in (TABLE, TEAM):
        raise BadOption([_("talk to the “table” or to your “team”")])
    return _send(table, context, holder, player, line, channel)


def react(table: Table, context: Context, holder: str | None, player: int, phrase: str) -> Change[Said]:
    """Say a phrase of the fixed list to everybody, for one of this browser's players.

    Raises the same errors as ``say``.
    """
    if phrase not in PHRASES:
        raise BadOption([_("phrase: choose one of {phrases}").format(phrases=", ".join(PHRASES))])
    return _send(table, context, holder, player, Sentence(PHRASES[phrase]), TABLE, phrase)


def _send(
    table: Table,
    context: Context,
    holder: str | None,
    player: int,
    line: str | Sentence,
    channel: str,
    phrase: str = "",
) -> Change[Said]:
    """Add a line to the chat; the same line again at once is answered, but not added."""
    if player not in table.players_of(holder):
        raise Forbidden(_("only players of this table can talk here: take a seat first"))
    if table.players[player].muted:
        raise Forbidden(_("the host has muted you at this table"))
    now, own_lines = context.now, [spoken for spoken in _readable(table, player) if spoken.player == player]
    repeated = _repeated_line(own_lines, channel, line, now)
    new = Said(_count(table, player), now, player, channel, line, phrase)
    change = Change(table, now, repeated or new, at_frozen=True)
    if not repeated:
        if sum(now - WITHIN < row.at <= now for row in own_lines) >= FLOOD:
            raise Forbidden(_("you are sending messages too fast: wait a moment"))
        change.say(player, channel, PHRASES.get(phrase) or str(line), [holder], phrase)
        change.touch()
    return change


def channels(table: Table, player: int | None) -> set[str]:
    """Return the channels that a player (None: a spectator) can read; LX-1.3 a team has its own."""
    team = None if player is None else _team(table, player)
    return {TABLE} | ({team} if team else set())


def _team(table: Table, player: int) -> str | None:
    teams = table.options.teams
    return f"{TEAM}:{teams[player]}" if teams else None


def clean(text: str) -> str:
    """Clean a line: keep visible characters and the joiners that they need, remove direction marks."""
    return " ".join(cut_unseen(cut_marks(printable(unicodedata.normalize("NFC", text)))).split())


def _repeated_line(
    own_lines: Sequence[Said], channel: str, line: str | Sentence, now: datetime
) -> Said | None:
    """Return the player's last line if this one repeats it; else None."""
    last = own_lines[-1] if own_lines else None
    if last and last.channel == channel and last.line == line and now - AGAIN < last.at <= now:
        return last
    return None
