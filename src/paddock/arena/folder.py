"""The folder of an arena match: a line of JSON for each game, and its record, deal after deal.

A match that was interrupted goes on from it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

from pydantic import TypeAdapter, ValidationError

from paddock.arena.playing import ArenaGame
from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.lab.disk import naming
from paddock.lab.journal import locked

GAMES = "games.jsonl"
_READER = TypeAdapter(ArenaGame)


def record_name(deal: int, rotation: int) -> str:
    """Return the name of the record of a game."""
    return f"deal-{deal}-game-{rotation}.paddock"


class Folder:
    """The open folder, locked against other matches. ``games`` are those of the whole deals that are in it.

    ``head`` says which match it is. Raises ``PaddockError`` if the folder has another match, or cannot be
    written.
    """

    def __init__(self, path: Path, head: dict[str, Any], players: int) -> None:
        self._path, self._file = path, path / GAMES
        with ExitStack() as stack, naming(path):
            path.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(self._file))
            text = self._file.read_text("utf-8", "replace") if self._file.exists() else ""
            lines = text.splitlines(keepends=True)
            if lines and not lines[-1].endswith("\n"):  # killed while it was written
                lines.pop()
            if lines and lines[0] != _line(head):
                sentence = _("{file} is of another match: choose another folder, or repeat the arguments")
                raise PaddockError(sentence.format(file=self._file))
            self.games = [self._game(line) for line in lines[1:]]
            del self.games[len(self.games) // players * players :]
            kept = "".join([_line(head), *lines[1 : 1 + len(self.games)]])
            if kept != text:  # in one step: a match that is killed here loses nothing
                new = self._file.with_suffix(".new")
                new.write_text(kept, "utf-8")
                new.replace(self._file)
            self._open = stack.pop_all()

    def _game(self, line: str) -> ArenaGame:
        try:
            fields = json.loads(line)
            name = record_name(fields["deal"], fields["rotation"])
            return _READER.validate_python({**fields, "record": (self._path / name).read_text("utf-8")})
        except (ValueError, TypeError, KeyError, ValidationError):
            sentence = _("{file} has a line that cannot be read: choose another folder")
            raise PaddockError(sentence.format(file=self._file)) from None

    def add(self, games: Sequence[ArenaGame]) -> None:
        """Write the games of a deal: the records first, so that each line has one."""
        with naming(self._path):
            for game in games:
                (self._path / record_name(game.deal, game.rotation)).write_text(game.record, "utf-8")
            fields = [{k: v for k, v in asdict(game).items() if k != "record"} for game in games]
            with self._file.open("a", encoding="utf-8") as stream:
                stream.write("".join(map(_line, fields)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()


def _line(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"
