"""``paddock check`` names the file in which a title breaks a promise.

Each fault here is a small faulty title: Riders, with one change.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from paddock.core.title import Title
from paddock.records.fill import STOCK
from paddock.trials import DEALING, PLAYING, SECRETS, WORDS
from paddock.trials.trial import Outcome, outcome
from sampling import WHOLE
from titles.installing import found

RIDERS = Path(__file__).resolve().parents[2] / "examples/riders/src/riders"
QUICK = (*PLAYING, *SECRETS, *DEALING, *WORDS)
CHOICE_ENDS = "        s.chosen[one] = 0\n"
PASS_ON = """    for kind in range(KINDS):
        last = s.hand[g.riders - 1, kind]
        for seat in range(g.riders - 1, 0, -1):
            s.hand[seat, kind] = s.hand[seat - 1, kind]
        s.hand[0, kind] = last
"""
# A ``redeal`` of one's own: with the first kind of card that the deck has, or with each kind as often
REDEAL = """@rule
def redeal(s: State, g: Setup, eyes: int, rng: Row, out: Row) -> None:
    for seat in range(g.riders):
        if (eyes >> seat) & 1 == 0:
            for _ in range(s.cards[seat]):
                kind = {kind}
                while s.deck[kind] == 0:
                    kind = {other}
                s.deck[kind] -= 1
                s.hand[seat, kind] += 1
            if s.chosen[seat] == HIDDEN:
                s.chosen[seat] = 0
                s.chosen[seat] = out[below(rng, legal(s, g, seat, out))] + 1


"""
SCORES = "@rule\ndef scores"
# What is wrong → the file, a text in it and what stands there; the trial that finds it, and what it says
FAULTS = {
    "a number overflows": (
        "rules.py", "s.at[one] += s.chosen[one]", "s.at[one] += 60 * s.chosen[one]",
        "random games", "a number does not fit into the field at",
    ),
    "a score is out of bounds": (
        "rules.py", "MIN_SCORE, MAX_SCORE = KINDS, KINDS, 0, 64", "MIN_SCORE, MAX_SCORE = KINDS, KINDS, 0, 9",
        "random games", "MIN_SCORE and MAX_SCORE allow no such score",
    ),
    "nobody can move": (
        "rules.py", "return int(s.hand[seat, move] == 0)", "return int(s.hand[seat, move] < 2)",
        "random games", "every seat that must decide has a legal move",
    ),
    "an option cites no clause": (
        "rulebook.py", '"RI-3.3"', '"RI-9.9"', "rooms", "RULES.md has no clause RI-9.9",
    ),
    "a room is of the wrong kind": (
        "records.py", "return [move]", "return []", "records", "cannot be filled in",
    ),
    "hands are passed on, and a stock is for those that stay": (
        "rules.py", CHOICE_ENDS, CHOICE_ENDS + PASS_ON, "records", STOCK,
    ),
    "a hand shows": (
        "rules.py", ', Hidden("riders", deck="deck", count="cards")', "",
        "what seats are told", "hide() shows the eyes",
    ),
    "a choice shows": (
        "rules.py", ', Hidden("riders", choice=True)', "",
        "what seats are told", "hide() shows the eyes",
    ),
    "a draw is told to all": (
        "rules.py", "tell(s, DREW, to, move + 1, 0, 1 << to)", "tell(s, DREW, to, move + 1)",
        "what seats are told", "tell() lets the eyes",
    ),
    "the log shows a draw": (
        "rules.py", "if who(s, g) == 1 << by and by != CHANCE:", "if who(s, g) == 1 << by:",
        "what seats are told", "seen() shows the eyes",
    ),
    "the same card is dealt again and again": (
        "rules.py", SCORES, REDEAL.format(kind="0", other="kind + 1") + SCORES,
        "redeal", "redeal() gives",
    ),
    "every kind of card is dealt as often": (
        "rules.py", SCORES, REDEAL.format(kind="below(rng, KINDS)", other="below(rng, KINDS)") + SCORES,
        "redeal", "redeal() gives",
    ),
    "redeal deals a hand that was seen": (
        "rules.py", SCORES,
        REDEAL.format(kind="0", other="kind + 1").replace("(eyes >> seat) & 1", "0") + SCORES,
        "what seats see", "redeal() changes",
    ),
    "a move does not parse back": (
        "text.py", 'f"play{value}" for value in range(1, 6)', 'f"play{value // 2}" for value in range(1, 6)',
        "notation", "is read as",
    ),
}  # fmt: skip


@contextmanager
def changed(folder: Path, name: str, file: str = "", old: str = "", new: str = "") -> Iterator[Title]:
    """Yield Riders under another name, with one change."""
    package = folder / name
    package.mkdir()
    for source in RIDERS.iterdir():
        if source.is_file():
            text = source.read_text("utf-8")
            if source.name == file:
                assert text.count(old) == 1
                text = text.replace(old, new)
            text = text.replace("import CHANCE, HIDDEN, Grid,", "import CHANCE, HIDDEN, below, Grid,")
            text = text.replace("from riders.", f"from {name}.")
            for before in ('"riders", "Riders"', '"riders", RidersOptions'):
                text = text.replace(before, before.replace("riders", name, 1))
            (package / source.name).write_text(text, "utf-8")
    meta = folder / f"{name}-1.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (meta / "entry_points.txt").write_text(f"[paddock.titles]\n{name} = {name}.rulebook:TITLE\n")
    with found(folder, name) as title:
        yield title


def first_fault(title: Title) -> Outcome | None:
    """What the first trial finds that needs no compiled code."""
    return next((result for trial in QUICK if (result := outcome(trial, title, 1)).room), None)


@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_is_found_and_its_file_named(what: str, tmp_path: Path) -> None:
    file, old, new, trial, says = FAULTS[what]
    with changed(tmp_path, f"riders{[*FAULTS].index(what)}", file, old, new) as title:
        fault = first_fault(title)
    assert fault and (fault.name, fault.room) == (trial, "records.py" if trial == "records" else file), fault
    assert says in fault.says


def test_nothing_is_wrong_with_riders(tmp_path: Path) -> None:
    with changed(tmp_path, "ridersgood") as title:
        assert first_fault(title) is None


def test_an_error_of_a_title_is_told_with_its_line(tmp_path: Path) -> None:
    broken = (
        "rules.py",
        "for kind in range(KINDS):\n        s.deck[kind] = COPIES",
        "s.deck[KINDS] = COPIES",
    )
    with changed(tmp_path, "ridersbroken", *broken) as title:
        fault = first_fault(title)
    assert fault and fault.name == "random games" and "IndexError" in fault.says
    assert fault.room.startswith("rules.py, line ")


@pytest.mark.skipif(not WHOLE, reason="a quarter of an hour: make test-all")
@pytest.mark.parametrize("name", ["lacorsa", "rasant", "great_race"])
def test_nothing_is_wrong_with_our_titles(name: str) -> None:
    import paddock

    for trial in QUICK:
        result = outcome(trial, paddock.title(name), 1)
        assert not result.room, result
