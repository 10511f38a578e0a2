"""Bots for the tests. Worker processes import them from here."""

from __future__ import annotations

import os
import signal
import threading


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


class Dies:
    """Takes Python with it, as a fault in C would."""

    def choose(self, seen, seat, legal, rng):
        os._exit(7)


class Illegal:
    """Answers with ``move``, whatever is legal."""

    def __init__(self, move):
        self.move = move

    def choose(self, seen, seat, legal, rng):
        return self.move


class Hangs:
    def choose(self, seen, seat, legal, rng):
        threading.Event().wait()


class KillsWorker:
    """Kills the process that asks it: nobody can play on there."""

    def choose(self, seen, seat, legal, rng):
        os.kill(os.getppid(), signal.SIGKILL)
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
