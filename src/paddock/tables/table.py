"""One table in memory: a cache of the fold over its stored log, and what each browser may see of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from paddock.core.game import Game, Seen
from paddock.core.options import Options
from paddock.core.title import Title

PACES = ("human", "instant")


@dataclass
class Player:
    """Who plays: a bot of the level ``bot``, or a person, in the browser with the secret whose SHA-256 (hex)
    is ``holder``. Players of an uploaded record have no holder."""

    index: int
    name: str
    bot: str | None
    holder: str | None


@dataclass
class Table:
    """A game with people and bots at it. Only ``Tables`` changes one."""

    id: str
    title: Title
    options: Options
    players: list[Player]
    game: Game
    kind: str  # "race", "learn", "explore" or "upload"
    pace: str  # of the bots, one of PACES
    created: datetime  # UTC
    date: str  # the day it was played, as records write it
    origin: str | None = None  # explored from: TABLE/ENTRY
    pending: dict[int, int] = field(default_factory=dict)  # seat -> move of the open decision
    frozen: str | None = None  # why it cannot be continued
    stalled: str | None = None  # why its bots no longer move

    # Where it stands

    @property
    def decision(self) -> int:
        """The id of the open decision."""
        return len(self.game.log)

    @property
    def running(self) -> bool:
        """Whether anything is still to be decided here."""
        return not (self.game.over or self.frozen or self.kind == "upload")

    @property
    def open(self) -> bool:
        """Whether everybody sees everything: the series is over, or it is an uploaded record."""
        return self.game.over or self.kind == "upload"

    def awaited_seats(self) -> list[int]:
        """The seats that still must decide."""
        if not self.running:
            return []
        return [seat for seat in self.game.deciders if seat not in self.pending]

    def awaited(self) -> list[int]:
        """The players who still must decide."""
        return sorted({self.options.owners[seat] for seat in self.awaited_seats()})

    def reveals(self, seat: int) -> bool:
        """Whether this seat's commitment is the last that is awaited."""
        return len(self.game.deciders) > 1 and self.awaited_seats() == [seat]

    # Who may what

    def players_of(self, holder: str | None) -> list[int]:
        """The players that this browser holds."""
        return [p.index for p in self.players if holder is not None and p.holder == holder]

    def seats_of(self, player: int) -> list[int]:
        """The seats that a player holds."""
        return [seat for seat, owner in enumerate(self.options.owners) if owner == player]

    # What is seen

    def eyes(self, player: int | None) -> int:
        """The seats whose hands the player may see; None is a spectator."""
        if self.open:
            return (1 << self.options.seats) - 1
        return 0 if player is None else self.options.eyes(player)

    def seen(self, player: int | None) -> Seen:
        """What the player knows, commitments included; once it is over, everything."""
        return self.game.seen(self.eyes(player), self.pending)

    def view(self, player: int | None) -> Any:
        """The title's view for the player."""
        return self.title.view.view(self.seen(player))

    def moves(self, player: int) -> list[tuple[int, list[tuple[int, str, str]]]]:
        """What the player may do now: for each awaited seat its moves as (id, notation, label)."""
        awaited = [seat for seat in self.awaited_seats() if self.options.owners[seat] == player]
        if not awaited:
            return []
        seen, text = self.seen(player), self.title.text
        return [
            (seat, [(id, str(text.move(id)), text.label(seen, seat, id)) for id in seen.legal(seat)])
            for seat in awaited
        ]

    # What was

    def at(self, entry: int) -> Game:
        """The game as it was after the first ``entry`` entries of the log (from 0)."""
        game = Game(self.title, self.options, None, self.game.names)
        for line in self.game.log[:entry]:
            game.append(line)
        return game
