"""A title of two kernel modules for the tests: two walkers with a hidden card each, who move in steps.

The walkers take turns. In a turn one walks up to three steps, each as far as the ground of the next module
says, and one more with the card 3; or draws another card. Steps are foreseen, a draw is not.

An option gives the rules a fault, so that what finds faults needs no other title, which would be compiled.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from paddock.core.options import Options as CoreOptions
from paddock.core.options import option
from paddock.core.title import Title

HEAD = "from __future__ import annotations\n"
SOURCES = {
    "__init__": "",
    "numbers": """
        MOST = 3
        """,
    "state": """
        from typing import Annotated
        from paddock.kernel import Row, i8, i64, record
        from {package}.numbers import MOST

        STEP, STOP, DRAW = range(3)
        CARDS = 4
        WALKED, DREW = 1, 2
        FORESEEN, STEPPED, TURNED, TOLD, TOO_FAR = range(1, 6)  # faults
        # More of them: the rules break a bound
        (MOVES, NO_MOVE, MOVE_ID, CHOICES, NO_WEIGHT, DEALT, CODE, SEAT, SCORES, ENDLESS, LOOKED, SHORT,
         OUTPUT) = range(6, 19)

        @record
        class Setup:
            cards: i8  # of each kind
            fault: i8

        @record
        class State:
            waiting: i64
            turn: i8
            left: i8
            fault: i8
            at: Annotated[Row, i8, 2]
            bag: Annotated[Row, i8, CARDS]
            card: Annotated[Row, i8, 2]
        """,
    "ground": """
        from paddock.kernel import TELL, rule, tell
        from {package}.state import CODE, STEPPED, TOLD, TOO_FAR, WALKED, State

        AHEAD = 1
        FAR = 130

        @rule
        def walk(s: State, seat: int) -> None:
            spaces = AHEAD + (s.card[1 - seat if s.fault == STEPPED else seat] == 3)
            if s.fault == TOLD:
                spaces += 1
            if s.fault == TOO_FAR:
                spaces += FAR
            s.at[seat] += spaces
            tell(s, 64 if s.fault == CODE else WALKED, seat, spaces)
            if TELL:
                for _ in range(spaces):
                    tell(s, WALKED, seat, 1, eyes=1 << seat)
        """,
    "rules": """
        from paddock.kernel import CHANCE, HIDDEN, Row, below, rule, tell
        from {package}.ground import walk
        from {package}.numbers import MOST
        from {package}.state import (
            CARDS, CHOICES, DEALT, DRAW, DREW, ENDLESS, FORESEEN, MOVE_ID, MOVES, NO_MOVE, NO_WEIGHT,
            SCORES, SEAT, STEP, STOP, TURNED, Setup, State,
        )

        ACTIONS = 3
        OUTCOMES = CARDS
        MAX_SEATS = 2
        MAX_DECISIONS = 100
        MAX_EVENTS = 3
        MIN_SCORE, MAX_SCORE = 0, 20
        GOAL = 10

        @rule
        def start(s: State, g: Setup) -> None:
            s.turn = 0
            s.left = MOST
            s.fault = g.fault
            s.waiting = 1 << CHANCE
            for kind in range(CARDS):
                s.bag[kind] = g.cards
            for seat in range(2):
                s.at[seat] = 0
                s.card[seat] = HIDDEN

        @rule
        def who(s: State, g: Setup) -> int:
            return s.waiting

        @rule
        def legal(s: State, g: Setup, seat: int, out: Row) -> int:
            out[0] = STOP
            n = 1
            if s.left > 0:
                out[1] = STEP
                n = 2
                if s.left == MOST:
                    out[2] = DRAW
                    n = 3
            if g.fault == MOVES:
                while n < ACTIONS + 2:
                    out[n] = STOP
                    n += 1
            elif g.fault == MOVE_ID:
                out[0] = ACTIONS + 1
            elif g.fault == NO_MOVE:
                n = 0
            return n

        @rule
        def foreseen(s: State, g: Setup, seat: int, move: int) -> int:
            if g.fault == FORESEEN:
                return s.card[1 - seat] != 3
            return move != DRAW

        @rule
        def next_turn(s: State) -> None:
            s.turn = 1 - s.turn
            s.left = MOST
            other = s.fault == TURNED and s.card[0] == s.card[1]
            s.waiting = 1 << (1 - s.turn if other else s.turn)
            if s.fault == SEAT:
                s.waiting = 1 << MAX_SEATS + 1

        @rule
        def apply(s: State, g: Setup, seat: int, move: int) -> None:
            if seat == CHANCE:
                deal(s, move)
            elif move == STEP:
                walk(s, seat)
                s.left -= 1
                if s.at[seat] >= GOAL and g.fault != ENDLESS:
                    s.waiting = 0
            elif move == STOP:
                next_turn(s)
            else:
                s.bag[s.card[seat]] += 1
                s.card[seat] = HIDDEN
                s.waiting = 1 << CHANCE
                s.left = 0

        @rule
        def deal(s: State, kind: int) -> None:
            seat = 0
            while s.card[seat] != HIDDEN:
                seat += 1
            s.card[seat] = kind
            s.bag[kind] -= 1
            tell(s, DREW, seat, kind, eyes=1 << seat)
            if s.fault == DEALT:
                tell(s, DREW, seat, kind)
            if s.card[1] != HIDDEN:
                if s.left > 0:
                    s.waiting = 1
                else:
                    next_turn(s)

        @rule
        def outcomes(s: State, g: Setup, out: Row, weights: Row) -> int:
            n = 0
            for kind in range(CARDS):
                out[n] = kind
                weights[n] = s.bag[kind]
                n += s.bag[kind] > 0
            if g.fault == NO_WEIGHT:
                for i in range(n):
                    weights[i] = 0
            elif g.fault == CHOICES:
                while n < OUTCOMES + 2:
                    out[n] = 0
                    weights[n] = 1
                    n += 1
            return n

        @rule
        def draw(s: State, rng: Row) -> int:
            left = 0
            for kind in range(CARDS):
                left += s.bag[kind]
            x = below(rng, left)
            kind = 0
            while x >= s.bag[kind]:
                x -= s.bag[kind]
                kind += 1
            return kind

        @rule
        def run_chance(s: State, g: Setup, rng: Row) -> None:
            while s.waiting >> CHANCE:
                apply(s, g, CHANCE, draw(s, rng))

        @rule
        def hide(s: State, g: Setup, eyes: int) -> None:
            for kind in range(CARDS):
                s.bag[kind] = 0
            for seat in range(2):
                if not (eyes >> seat) & 1 and s.card[seat] != HIDDEN:
                    s.card[seat] = CARDS

        @rule
        def redeal(s: State, g: Setup, eyes: int, rng: Row, out: Row) -> None:
            for kind in range(CARDS):
                s.bag[kind] = g.cards
            for seat in range(2):
                if s.card[seat] != CARDS and s.card[seat] != HIDDEN:
                    s.bag[s.card[seat]] -= 1
            for seat in range(2):
                if s.card[seat] == CARDS:
                    s.card[seat] = draw(s, rng)
                    s.bag[s.card[seat]] -= 1

        @rule
        def seen(s: State, g: Setup, eyes: int, by: int, move: int) -> int:
            return HIDDEN if by == CHANCE else move

        @rule
        def places(s: State, g: Setup, out: Row) -> None:
            for seat in range(2):
                out[seat] = 1 + (s.at[1 - seat] > s.at[seat])

        @rule
        def scores(s: State, g: Setup, out: Row) -> None:
            for seat in range(2):
                out[seat] = s.at[seat]
            if g.fault == SCORES:
                out[MAX_SEATS + 1] = 0
        """,
    "invariants": """
        from paddock.kernel import rule
        from {package}.state import State, Setup

        INVARIANTS = ("", "nobody goes back")
        SAMPLES = {}

        @rule
        def broken(s: State, g: Setup) -> int:
            return int(s.at[0] < 0 or s.at[1] < 0)
        """,
    "setup": """
        from {package}.state import Setup

        def setup(options):
            g = Setup()
            g.cards = 2
            g.fault = options.fault
            return g
        """,
}

POLICY = {
    "worth": """
        from paddock.kernel import rule
        from {package}.state import DRAW, STEP, State

        @rule
        def worth(s: State, seat: int, move: int) -> float:
            if move == STEP:
                return 1.5 + (s.card[seat] == 3)
            return 2.0 if move == DRAW else 0.25
        """,
    "policy": """
        from paddock.kernel import Row, rule
        from {package}.state import Setup, State
        from {package}.worth import worth

        @rule
        def policy(s: State, g: Setup, seat: int, out: Row, n: int, rng: Row) -> int:
            best = 0
            for i in range(n):
                if worth(s, seat, out[i]) > worth(s, seat, out[best]):
                    best = i
            return out[best]
        """,
}

FEATURES = {
    "features": """
        from paddock.kernel import Field, Floats, rule
        from {package}.state import LOOKED, Setup, State

        FIELDS = (Field("at", 2, "How far the seats are."),)
        FEATURES = 2

        @rule
        def observe(s: State, g: Setup, seat: int, out: Floats) -> None:
            for i in range(4 if g.fault == LOOKED else 2):
                out[i] = s.at[i % 2] / 32
        """,
    "short_features": """
        from paddock.kernel import Floats, rule
        from {package}.state import OUTPUT, SHORT, Setup, State

        SHORT_FEATURES = 2
        OUTPUTS = 4

        @rule
        def observe_short(s: State, g: Setup, seat: int, out: Floats) -> None:
            for i in range(4 if g.fault == SHORT else 2):
                out[i] = s.at[i % 2] / 32

        @rule
        def output(s: State, g: Setup, seat: int, move: int) -> int:
            return OUTPUTS + 1 if g.fault == OUTPUT else move
        """,
}


class Options(CoreOptions):
    """Only the number of rounds can be chosen, and a fault of the rules."""

    rounds_: int = option(1, "T-1", "Rounds.", ge=1, le=9)
    fault: int = option(0, "T-2", "Fault.", ge=0, le=18)

    @property
    def players(self) -> int:
        return 2

    @property
    def rounds(self) -> int:
        return self.rounds_


class Maker:
    """Creates packages of the tiny title in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def title(
        self,
        name: str,
        *edits: tuple[str, str, str],
        kernel: tuple[str, ...] = ("state", "ground", "rules"),
        policy: bool = False,
        features: bool = False,
    ) -> Title:
        """Create the title as package ``name``; an edit is a module, the old text and the new text."""
        (self.folder / name).mkdir()
        for module, text in (SOURCES | (POLICY if policy else {}) | (FEATURES if features else {})).items():
            source = HEAD + dedent(text).replace("{package}", name)
            self.path(name, module).write_text(source, "utf-8")
        for edit in edits:
            self.edit(name, *edit)
        return Title(
            name=name, label=name, tagline="", package=name, revision=1, round_name="round",
            player_name="walker", seat_name="walker", options=Options, kernel=kernel,
            policy=tuple(POLICY),
        )  # fmt: skip

    def path(self, name: str, module: str) -> Path:
        """Return the path of a module."""
        return self.folder / name / f"{module}.py"

    def edit(self, name: str, module: str, before: str, after: str) -> None:
        """Change a module."""
        path = self.path(name, module)
        text = path.read_text("utf-8")
        assert text.count(before) == 1, before
        path.write_text(text.replace(before, after), "utf-8")


def maker(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Maker:
    """Return a maker of tiny titles, whose compiled caches are in the folder too."""
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    return Maker(folder)


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Maker:
    """Tiny titles in the test's folder."""
    return maker(tmp_path, monkeypatch)
