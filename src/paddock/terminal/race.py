"""A race in the terminal: bots at their seats, people in plain numbered lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from paddock.bots import bot, levels
from paddock.core.errors import BadOption, brief
from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.title import Title
from paddock.kernel.source import Seeded, System

PERSON = "me"

Say = Callable[[str], Any]
Ask = Callable[[str], str]


@dataclass(frozen=True)
class Seats:
    """Who plays: a bot level or ``me`` for every player."""

    players: tuple[str, ...]

    @classmethod
    def read(cls, title: Title, text: str) -> Seats:
        """Seats from «club,me,rookie»; raises ``BadOption`` naming what may be written."""
        players = tuple(part.strip().lower() for part in text.split(","))
        choices = [PERSON, *(level.name for level in levels(title))]
        faults = [
            _("--seats: «{who}» cannot play; choose {choices}").format(
                who=brief(player), choices=_(" or ").join(choices)
            )
            for player in dict.fromkeys(players)
            if player not in choices
        ]
        if faults:
            raise BadOption(faults)
        return cls(players)

    def names(self, title: Title) -> list[str]:
        """A name for every player: the level of a bot or the title's word, with a number."""
        words = (_(title.player_name) if player == PERSON else player for player in self.players)
        return [f"{word.capitalize()} {i + 1}" for i, word in enumerate(words)]


def set_up(
    title: Title, seats: Seats, options: Mapping[str, Any], rounds: int | None, seed: int | None
) -> Game:
    """A new game for these seats; the number of players is theirs, ``rounds`` that of the series."""
    count, series = title.players_option, title.rounds_option
    values = dict(options)
    if str(values.setdefault(count, len(seats.players))) != str(len(seats.players)):
        raise BadOption(
            [
                _("{option}={value}: --seats names {n}").format(
                    option=count, value=values[count], n=len(seats.players)
                )
            ]
        )
    if rounds is not None and str(values.setdefault(series, rounds)) != str(rounds):
        raise BadOption(
            [_("{option}={value}: --races says {n}").format(option=series, value=values[series], n=rounds)]
        )
    chance = System() if seed is None else Seeded(seed)
    return Game(title, title.options.read(values), chance, seats.names(title))


def race(game: Game, seats: Seats, seed: int | None, say: Say, ask: Ask) -> None:
    """Play the series to its end; simultaneous choices are made before any is applied."""
    source = System() if seed is None else Seeded(seed, 1)  # stream 0 deals
    bots = {i: bot(game.title, player) for i, player in enumerate(seats.players) if player != PERSON}
    people = [i for i, player in enumerate(seats.players) if player == PERSON]
    told = 0
    while not game.over:
        chosen = []
        for seat in game.deciders:
            player = game.options.owners[seat]
            seen = game.seen(game.options.eyes(player))
            legal = seen.legal(seat)
            if player in bots:
                chosen.append((seat, bots[player].choose(seen, seat, legal, source)))
            else:
                told = _tell(game, told, say)
                chosen.append((seat, _ask(game, player, seat, len(people) > 1, say, ask)))
        for seat, move in chosen:
            game.play(seat, move)
    if people:
        _tell(game, told, say)


def _tell(game: Game, told: int, say: Say) -> int:
    """Say what has happened since; returns how many lines of the story are told."""
    story = game.story
    for line in story[told:]:
        say(f"  {line}")
    return len(story)


def _ask(game: Game, player: int, seat: int, several: bool, say: Say, ask: Ask) -> int:
    """One decision of a person: what it sees, a numbered list, a number or a notation back."""
    title = game.title
    if several:
        ask(_("Hand over to {name}, then press Enter. ").format(name=game.names[player]))
    seen = game.seen(game.options.eyes(player))
    say("")
    for line in title.text.board(seen):
        say(line)
    say(title.text.status(seen))
    say(_("{seat}, choose:").format(seat=seen.seat_name(seat)))
    legal = seen.legal(seat)
    for number, move in enumerate(legal, 1):
        say(f"{number:3}  {title.text.label(seen, seat, move)}  [{title.text.move(move)}]")
    while True:
        answer = ask(_("Number: ")).strip()
        if answer.isdecimal():
            if len(answer) < 9 and 1 <= int(answer) <= len(legal):
                return legal[int(answer) - 1]
            say(_("Write a number from 1 to {n}.").format(n=len(legal)))
        elif refused := game.why(seat, answer):
            say(str(refused))
        else:
            return title.text.parse_move(answer).id  # «12+R» does as well as its number
