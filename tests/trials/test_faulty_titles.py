"""``paddock check`` names the file in which a title breaks a promise.

Each fault here is a small faulty title: Riders, with one change.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import typer

from paddock.cli_check import check
from paddock.core.title import Title
from paddock.records.fill import STOCK
from paddock.trials import COMPILED, DEALING, LANGUAGES, LISTS, PAGES, PLAYING, SECRETS, WORDS
from paddock.trials.trial import Outcome, outcome
from sampling import WHOLE
from titles.installing import found

RIDERS = Path(__file__).resolve().parents[2] / "examples/riders/src/riders"
QUICK = (*LISTS, *PLAYING, *SECRETS, *DEALING, *WORDS, *LANGUAGES)
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
                s.chosen[seat] = out[below(rng, listing(why_not, ACTIONS)(s, g, seat, out))] + 1


"""
SCORES = "@rule\ndef scores"
SEES_ALL = """@rule
def seen(s: State, g: Setup, eyes: int, by: int, move: int) -> int:
    return move if by == CHANCE or who(s, g) == 1 << by or eyes >> by & 1 else HIDDEN


"""
TWICE = """@rule
def legal(s: State, g: Setup, seat: int, out: Row) -> int:
    n = 0
    for kind in range(KINDS):
        for _card in range(s.hand[seat, kind]):
            out[n] = kind
            n += 1
    return n


@rule
def apply"""
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
        "what seats are told", "hide() shows a spectator deck[0], and seen()",
    ),
    "a choice shows": (
        "rules.py", ', Hidden("riders", choice=True)', "",
        "what seats are told", "seen() shows a spectator what seat",
    ),
    "a draw is told to all": (
        "rules.py", "tell(s, DREW, to, move + 1, 0, 1 << to)", "tell(s, DREW, to, move + 1)",
        "what seats are told", "tell() shows a spectator hand[0, ",
    ),
    "the log shows a draw": (
        "rules.py", SCORES, SEES_ALL + SCORES, "what seats are told", "seen() shows a spectator hand[0, ",
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
    "a move has no word": (
        "text.py", "range(1, 6)]\nOUTCOMES", "range(1, 5)]\nOUTCOMES",
        "lists", "MOVES has 4 words, and ACTIONS of the rules is 5",
    ),
    "a sentence has a field that nobody fills in": (
        "text.py", "draws {b}", "draws {card}", "lists", "fields are {name}, {a}, {b} and {c}",
    ),
    "the board names a field that is not there": (
        "text.py", '{"at": ', '{"steps": ', "lists", "FIELDS has steps, and the state has no such field",
    ),
    "reasons are no pairs": (
        "refusals.py", ', ("RI-2.1", mark("you have no such card"))', "",
        "lists", "each is (clause, sentence)",
    ),
    "a reason has no sentence": (
        "refusals.py", ', ("RI-2.1", mark("you have no such card"))', ",",
        "random games", "REASONS has the codes 1 to 0",
    ),
    "a field has no type": (
        "rules.py", "over: i8", "over: int", "lists", "State.over: write i8, i16, i32 or i64",
    ),
    "seats are declared by a field that is not there": (
        "rules.py", 'Hidden("riders", choice', 'Hidden("players", choice',
        "lists", "Hidden names the set-up's number of seats: riders, length; not players",
    ),
    "a hand is hidden from its own seat": (
        "rules.py", 'Hidden("riders", deck="deck", count="cards")', "Hidden()",
        "random games", "does hide() take its own?",
    ),
    "moves are listed twice": (
        "rules.py", "@rule\ndef apply", TWICE, "random games", "each move once, from 0 on",
    ),
    "a game does not end": (
        "rules.py", "        s.over = int(s.left == 0)\n", "        s.deck[move] += 1\n        s.left += 1\n",
        "random games", "a game does not end within MAX_DECISIONS = 40",
    ),
    "a score is no whole number": (
        "rules.py", "= s.at[seat]\n", "= s.at[seat] / 2\n", "random games", "write whole numbers",
    ),
    "the rules in German lack a clause": (
        "RULES.de.md", "**RI-3.3**", "**RI-3.4**", "languages", "the original has “- RI-3.3” here",
    ),
    "a button has no translation": (
        "text.py", 'f"play{value}"', 'f"ride{value}"', "languages", "de: no translation of “Ride {a}”",
    ),
    "a word of the board has no translation": (
        "text.py", 'mark("steps")', 'mark("metres")', "languages", "de: no translation of “metres”",
    ),
    "a drawing reads a field that is not there": (
        "draw.py", '"at"', '"place"', "drawings", "KeyError: 'place'",
    ),
    "a move does not parse back": (
        "text.py", 'f"play{value}" for value in range(1, 6)', 'f"play{value // 2}" for value in range(1, 6)',
        "notation", "is read as",
    ),
}  # fmt: skip


@contextmanager
def changed(folder: Path, name: str, *changes: tuple[str, str, str]) -> Iterator[Title]:
    """Yield Riders under another name, with changes: the file, a text in it and what stands there."""
    package = folder / name
    package.mkdir()
    german = "locale/de/LC_MESSAGES"
    (package / german).mkdir(parents=True)
    shutil.copy(RIDERS / german / "riders.po", package / german / f"{name}.po")
    for source in RIDERS.iterdir():
        if source.is_file():
            text = source.read_text("utf-8")
            for file, old, new in changes:
                if source.name == file:
                    assert text.count(old) == 1, old
                    text = text.replace(old, new)
            text = text.replace(
                "import CHANCE, Begins, Grid,", "import CHANCE, HIDDEN, Begins, below, listing, Grid,"
            )
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
    name = f"riders{[*FAULTS].index(what)}"
    with changed(tmp_path, name, (file, old, new)) as title:
        fault = first_fault(title)
    po = f"locale/de/LC_MESSAGES/{name}.po"
    room = po if "no translation" in says else "records.py" if trial == "records" else file
    assert fault and fault.name == trial and fault.room.partition(",")[0] == room, fault
    assert says in fault.says, fault


def test_nothing_is_wrong_with_riders(tmp_path: Path) -> None:
    with changed(tmp_path, "ridersgood") as title:
        assert first_fault(title) is None


def test_an_error_of_a_title_is_told_with_its_line(tmp_path: Path) -> None:
    broken = "rules.py", "s.at[one] += s.chosen[one]", "s.at[MAX_SEATS] += s.chosen[one]"
    with changed(tmp_path, "ridersbroken", broken) as title:
        fault = first_fault(title)
    assert fault and fault.name == "random games" and "IndexError" in fault.says
    assert fault.room.startswith("rules.py, line ")


@pytest.mark.slow("Riders is compiled")
def test_what_cannot_be_compiled_is_told_in_a_line(tmp_path: Path) -> None:
    """Plain Python plays a list; Numba's text of a thousand lines becomes its reason and the line."""
    listed = "rules.py", "        same = 0\n", "        same, _cards = 0, []\n"
    with changed(tmp_path, "riderslist", listed) as title:
        assert first_fault(title) is None
        fault = outcome(COMPILED[0], title, 1)
    assert fault.says.startswith("Numba cannot compile this: Cannot infer the type of variable")
    assert "\n" not in fault.says and len(fault.says) < 400, fault.says
    line = (RIDERS / "rules.py").read_text("utf-8").splitlines().index("        same = 0") + 1
    assert (fault.room, fault.cause) == (f"rules.py, line {line}",) * 2


# Riders who take a card of their choice that has been played, and do not draw one; first a card is laid open
FIELDS = """    supply: Annotated[Row, i8, KINDS]
    taken: Annotated[Grid, i8, MAX_SEATS, KINDS]
    cards: Annotated[Row, i8, MAX_SEATS]
"""
SUPPLY = """        to = drawing(s, g)
        if to < 0:
            s.deck[move] -= 1
            s.left -= 1
            s.supply[move] += 1
            return
"""
TAKE = """    if move >= KINDS:
        s.supply[move - KINDS] -= 1
        s.hand[seat, move - KINDS] += 1
        s.taken[seat, move - KINDS] += 1
        s.cards[seat] += 1
        return
    s.chosen[seat] = move + 1
"""
PLAYED = """        s.cards[one] -= 1
        kind = s.chosen[one] - 1
        s.supply[kind] += 1
        s.taken[one, kind] = max(0, s.taken[one, kind] - 1)
"""
SHORT = """@rule
def short(s: State, g: Setup) -> int:
    for seat in range(g.riders):
        if s.cards[seat] < HAND:
            return 1 << seat
    return 0


@rule
def who("""
GAINS = """    return [move] if move < 5 else []


def gains(g: Any, move: int) -> list[int]:
    return [move - 5] if move >= 5 else []
"""
ALLOWED = """    if s.cards[seat] < HAND:
        return int(move < KINDS or s.supply[move - KINDS] == 0)
    return int(move >= KINDS or s.hand[seat, move] == 0)
"""
MARKET = (
    (
        "rules.py",
        "ACTIONS, OUTCOMES, MIN_SCORE, MAX_SCORE =",
        "ACTIONS, OUTCOMES, MIN_SCORE, MAX_SCORE = 2 *",
    ),
    ("rules.py", "MAX_DECISIONS = KINDS * COPIES", "MAX_DECISIONS, MAX_EVENTS = 4000, 32"),
    ("rules.py", "    cards: Annotated[Row, i8, MAX_SEATS]\n", FIELDS),
    (
        "rules.py",
        "if s.cards[seat] < HAND:",
        "if s.cards[seat] < HAND and s.left > KINDS * COPIES - HAND * g.riders:",
    ),
    ("rules.py", "    if drawing(s, g) >= 0:\n", "    if s.left >= KINDS * COPIES - HAND * g.riders:\n"),
    (
        "rules.py",
        "return undecided(s.chosen, g.riders)",
        "return short(s, g) or undecided(s.chosen, g.riders)",
    ),
    ("rules.py", "@rule\ndef who(", SHORT),
    ("rules.py", "    return int(s.hand[seat, move] == 0)\n", ALLOWED),
    ("rules.py", "        to = drawing(s, g)\n", SUPPLY),
    ("rules.py", "    s.chosen[seat] = move + 1\n", TAKE),
    ("rules.py", "        s.cards[one] -= 1\n", PLAYED),
    (
        "text.py",
        "range(1, 6)]\nOUTCOMES",
        'range(1, 6)] + [f"take{value}" for value in range(1, 6)]\nOUTCOMES',
    ),
    ("records.py", "    return [move]\n", GAINS),
)
KNOWN = "rules.py", 'count="cards")', 'count="cards", known="taken")'


def test_a_card_that_is_taken_openly_must_be_remembered(tmp_path: Path) -> None:
    """What all have seen stays in the hand, or ``redeal`` deals it away; ``known`` keeps it there."""
    with changed(tmp_path, "ridersmarket", *MARKET) as title:
        fault = first_fault(title)
    assert fault and (fault.name, fault.room) == ("what was open", "rules.py"), fault
    assert re.search(
        r"less in hand\[seat, (\d)\] of the seat that has just made the open move “take\d”", fault.says
    )

    with changed(tmp_path, "ridersknown", *MARKET, KNOWN) as title:
        results = [outcome(trial, title, 1) for trial in (*PLAYING, *SECRETS, *DEALING, *WORDS)]
        assert [result for result in results if result.room] == []
    forgets = "rules.py", "        s.taken[one, kind] = max(0, s.taken[one, kind] - 1)\n", ""
    with changed(
        tmp_path, "ridersforget", *(forgotten(change, forgets) for change in MARKET), KNOWN
    ) as title:
        fault = first_fault(title)
    assert fault and "a card that leaves a hand openly leaves taken too" in fault.says


def forgotten(change: tuple[str, str, str], without: tuple[str, str, str]) -> tuple[str, str, str]:
    """A change without a text."""
    return change[0], change[1], change[2].replace(without[1], without[2])


PASSES = """    return [move]


del uses


def passes(g: Any, by: int, heading: str, what: int) -> list[tuple[int, int, int]]:
    return [(what, by, {to})] if by < 4 else [(what, -1, int(heading.split()[1]) - 1)]
"""


def test_the_cards_of_places_are_derived_or_asked_for(tmp_path: Path) -> None:
    """``passes`` alone is enough for hands; a pile needs ``cards``, and an error says so."""
    with changed(
        tmp_path, "riderspass", ("records.py", "    return [move]\n", PASSES.format(to=-4))
    ) as title:
        assert first_fault(title) is None
    with changed(
        tmp_path, "riderspile", ("records.py", "    return [move]\n", PASSES.format(to=-2))
    ) as title:
        fault = first_fault(title)
    assert fault and (fault.name, fault.room) == ("records", "records.py"), fault
    assert "cards() of records.py has no answer for the PILE (−2)" in fault.says


@pytest.mark.slow("starts a server")
def test_one_cause_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bound that is too small stops most trials: it is told once, with the file that declares it."""
    small = "rules.py", "MAX_DECISIONS = KINDS * COPIES", "MAX_DECISIONS, MAX_EVENTS = KINDS * COPIES, 2"
    monkeypatch.setattr("paddock.trials.TRIALS", (*QUICK, *PAGES))
    with changed(tmp_path, "riderssmall", small), pytest.raises(typer.Exit):
        check("riderssmall")
    said = " ".join(capsys.readouterr().out.split())
    assert (
        "✗ random games: MAX_EVENTS: the rules need 12, and there is room for 2: declare MAX_EVENTS = 12, "
        in said
    )
    assert said.count("Look into") == 1 and "Look into rules.py." in said
    assert "✗ Club, what seats see, what seats are told, redeal, what was open, notation" in said
    assert said.endswith("records and page: stopped by the same fault (MAX_EVENTS)")


@pytest.mark.slow("starts a server")
def test_an_error_of_a_page_is_told_with_its_line(tmp_path: Path) -> None:
    """The server says only that something went wrong; its log has the line."""
    page = (
        "draw.py",
        'marked="chosen")\n',
        'marked="chosen")\ndrawn = svg\n\n\ndef svg(view):\n    return drawn(view.seats)\n',
    )
    with changed(tmp_path, "riderspage", page) as title:
        result = outcome(PAGES[0], title, 1)
    assert result.room == "draw.py, line 10" and "has no attribute 'seats'" in result.says, result


@pytest.mark.skipif(not WHOLE, reason="a quarter of an hour: make test-all")
@pytest.mark.parametrize("name", ["lacorsa", "rasant", "great_race"])
def test_nothing_is_wrong_with_our_titles(name: str) -> None:
    import paddock

    for trial in QUICK:
        result = outcome(trial, paddock.title(name), 1)
        assert not result.room, result
