"""Bots for the tests. Worker processes import them from here."""

from __future__ import annotations

import os
import threading

from paddock.bots import bot


class First:
    """Plays the first legal move."""

    def choose(self, seen, seat, legal, rng):
        return legal[0]


class Chooser:
    """Plays by its own random numbers, so that a match shows whether they are repeatable."""

    def choose(self, seen, seat, legal, rng):
        return legal[rng.below(len(legal))]


class Raises:
    def choose(self, seen, seat, legal, rng):
        raise ZeroDivisionError("no such thing")


class CrashesAhead:
    """Plays Rasant as *Club* does, and crashes late in the game, as soon as it is ahead."""

    def choose(self, seen, seat, legal, rng):
        view = seen.title.view.view(seen)
        scores = [player.score for player in view.players]
        if view.reserve < 5 and scores[seat] > min(scores):
            raise RuntimeError("ahead")
        return bot("rasant", "club").choose(seen, seat, legal, rng)


class Dies:
    """Takes Python with it, as a fault in C would."""

    def choose(self, seen, seat, legal, rng):
        os._exit(7)


class Illegal:
    """Answers with each of these moves in turn, and then with the last, whatever is legal."""

    def __init__(self, *moves):
        self.moves = list(moves)

    def choose(self, seen, seat, legal, rng):
        return self.moves.pop(0) if len(self.moves) > 1 else self.moves[0]


class Hangs:
    def choose(self, seen, seat, legal, rng):
        threading.Event().wait()


class Forks:
    """Leaves a process behind, and writes its number to ``file``."""

    def __init__(self, file):
        self.file = file

    def choose(self, seen, seat, legal, rng):
        child = os.fork()
        if not child:
            threading.Event().wait()
        self.file.write_text(str(child))
        raise ZeroDivisionError("no such thing")
