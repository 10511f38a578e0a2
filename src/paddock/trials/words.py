"""The words of a title: what is written can be read again, and every sentence can be made."""

from __future__ import annotations

import random

from paddock.core.errors import BadRecord
from paddock.core.game import Game
from paddock.core.i18n import ENGLISH, language, languages
from paddock.core.position import position
from paddock.core.title import Title
from paddock.kernel.source import Seeded
from paddock.records.fill import complete
from paddock.records.reader import read
from paddock.records.writer import write
from paddock.trials.trial import Fault, NotTried, Trial, walk

GAMES = 6
MOST, MOST_RECORDED = 60, 150  # decisions of each


def notation(title: Title, seed: int) -> str:
    """Moves, outcomes and positions are the same after they were written and read."""
    read = 0
    for index in range(GAMES):
        for game in walk(title, seed, index, MOST):
            for seat in game.deciders:
                for move in game.legal(seat):
                    again = title.text.parse_move(game.setup, str(move))
                    if again.id != move.id:
                        raise Fault("text.py", f"the move “{move}” ({move.id}) is read as {again.id}")
                    read += 1
            if not game.over and not game.chance_due:
                _same_position(game)
        _same_outcomes(title, game)
    return f"{read} moves"


def _same_position(game: Game) -> None:
    text = game.position
    if position(text).position != text:
        raise Fault("text.py", f"the position is read as another one: {text}")


def _same_outcomes(title: Title, played: Game) -> None:
    """Read all outcomes of a game again."""
    game = Game(title, played.options)
    for entry in played.log:
        if game.chance_due:
            word = title.text.outcome(game.setup, entry.what)
            if (again := title.text.parse_outcome(game.setup, game.heading, word)) != entry.what:
                raise Fault("text.py", f"the outcome “{word}” ({entry.what}) is read as {again}")
        game.append(entry)


def sentences(title: Title, seed: int) -> str:
    """Every button, line and story is made in every language, for each seat and for spectators."""
    before, made = language.get(), 0
    try:
        for code in languages():
            language.set(code)
            for index in range(2):
                for game in walk(title, seed, index, MOST if code == ENGLISH else MOST // 3):
                    made += _said(title, game)
                assert all(game.story)
    finally:
        language.set(before)
    return f"{made} texts in {len(languages())} languages"


def _said(title: Title, game: Game) -> int:
    """Make what pages show of a game; return how many texts that were."""
    made = 0
    for eyes in (0, *(1 << seat for seat in game.deciders)):
        seen = game.seen(eyes)
        texts = [title.text.status(seen), *title.text.board(seen)]
        for seat in game.deciders:
            if eyes >> seat & 1:
                texts += [title.text.label(seen, seat, move) for move in seen.legal(seat)]
        if not all(isinstance(text, str) for text in texts):
            raise Fault("text.py", "status, board and label return texts")
        title.view.view(seen)
        made += len(texts)
    return made


def drawings(title: Title, seed: int) -> str:
    """Every position is drawn, for spectators and for those who must decide."""
    svg, made = title.draw.svg, 0
    if svg is None:
        raise NotTried("the title has no draw.py with svg(view)")
    for index in range(2):
        for game in walk(title, seed, index, MOST):
            for eyes in (0, *(1 << seat for seat in game.deciders)):
                svg(title.view.view(game.seen(eyes)))
                made += 1
    return f"{made} drawings"


def records(title: Title, seed: int) -> str:
    """What a spectator and a player see of random games is written, read, and filled in."""
    choose = random.Random(f"{seed} eyes")
    for index in range(GAMES):
        (*_before, game) = walk(title, seed, index, MOST_RECORDED)
        people = [(name, None) for name in game.names]
        for eyes in (0, game.options.eyes(choose.randrange(game.options.players))):
            text = write(game, date="2000-01-01", players=people, eyes=eyes)
            try:
                complete(read(text), Seeded(seed, index))
            except BadRecord as fault:
                notes = " ".join(getattr(fault, "__notes__", ()))
                options = game.options.text
                raise Fault(
                    "records.py", f"a record of a game with {options} cannot be filled in: {fault}; {notes}"
                ) from fault
    return "records of spectators and players"


WORDS = (
    Trial("notation", "text.py", notation),
    Trial("sentences", "text.py", sentences),
    Trial("drawings", "draw.py", drawings),
    Trial("records", "records.py", records),
)
