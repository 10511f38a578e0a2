"""The lessons: each step begins in a sound position, what it suggests is legal, what it promises happens."""

from __future__ import annotations

from typing import Any

import pytest

from paddock.core.game import Game
from paddock.core.lesson import LEARNER, Lesson, lesson, script
from paddock.core.log import Entry
from paddock.core.position import position
from paddock.core.title import Title, title

LONGEST = 100  # characters of a text: a phone shows it beside board and hand

# For each step: the suggested move, what it brings about, and the phase or the fact that it begins in.
LACORSA = [
    ("8", "Driver starts from place 4.", "phase=qualify"),
    ("9", "Driver passes Carla.", "road=1-3-4-2"),
    ("8", "Driver passes Dario.", "passes=1"),
    ("2", "Dario passes Driver.", "road=3-4-1.2"),
    ("8", "Driver holds off Carla.", "road=3-1.4.2"),
    ("^3", "Driver extends with a 3.", "road=3-1.4.2"),  # with a car ahead
    ("^1", "Driver extends with a 1.", "road=3-1.4-2"),  # with cars ahead and behind
    ("9", "Driver passes Dario.", "road=3-1-4-2"),
    ("11+R", "Driver reveals 11 + Redline: 13.", "passes=1"),
    ("^1", "Driver extends with a 1.", "road=4-2-3-1"),  # as the leader
    ("x3", "Dario has no cards left: this is the last lap.", "road=4-3.2-1"),
    ("10", "Driver holds off Bruno.", "last=yes"),  # a tie: both reveal a 10
]
RASANT = [
    ("g50", "Driver leads green 50.", "colour=- top=-"),
    ("g100", "Driver wins the round: green overtakes, 7 points.", "top=g70 best=2 passed=3"),
    ("pass", "Driver passes.", "top=y110 best=3"),  # the only move
    ("r120", "8 cars go to the front, the black car among them: it doubles the points.", "leader=1"),
    ("k120", "Driver wins the round: blue overtakes, 7 points.", "top=b110"),
    ("pass b20", "Driver passes and discards blue 20.", "top=y90"),
    ("g130", "Driver wins the round: green overtakes, 10 points.", "leader=1"),
    ("pass k90", "Driver passes and discards black 90.", "top=r110"),
    ("b60", "Driver wins the round: blue overtakes, 7 points.", "top=b50"),
    ("y20", "Driver wins the round: yellow overtakes, 18 points.", "passed=2,3"),
]
GREAT_RACE = [
    ("take militia", "Driver takes Militia.", "stage=take"),
    ("plan 1-2-1-1", "Bruno's assistants: 3 on Mechanics, 2 on Funding.", "phase=planning"),
    ("scout", "Driver scouts.", "petrol=5,5"),
    ("tile track", "", "tiles=track,gravel"),
    ("1a", "Driver places Track on the space southeast of Amber Bay.", "picked=track"),
    ("2b", "Driver places Gravel on the space northwest of Midway.", "board=1a:track"),
    ("drive", "Driver's pilot drives.", "at=AB,1a"),
    ("1a", "Driver drives to the space southeast of Amber Bay for 1 petrol.", "steps=5"),
    ("2b", "Driver drives to the space northwest of Midway for 1 petrol.", "at=1a,1a"),
    ("chassis", "Driver's chassis loses 1 level.", "stage=damage"),
    ("MI", "Driver draws a card: Engine Parts.", "chassis=4,5"),
    ("buy 3", "Driver buys 3 petrol for 30 F.", "petrol=2,4"),
    ("drive", "Driver's pilot drives.", "petrol=5,4"),
    ("4b", "Driver explores the space northeast of Midway: Outlaws (1 petrol, danger).", "steps=5"),
    ("guard", "Driver's guard avoids the danger.", "stage=arrival"),
    ("5b", "Driver explores the space northwest of Zenith: Canyon (2 petrol, 1 damage, stop).", "at=4b,1a"),
    ("decline", "Driver drives to the space northwest of Zenith for 2 petrol.", "stage=arrival"),
    ("engine", "Driver's engine loses 1 level.", "stage=damage"),
    ("decline", "Driver stops at the sign.", "engine=4,5"),
    ("fund", "Driver collects 10 F of funding.", "at=5b,MI"),
    ("take jerrycan", "Bruno takes Guide.", "round=2"),
    ("plan 0-2-1-2", "Bruno's assistants: 4 on Mechanics, 1 on Funding.", "phase=planning"),
    ("repair", "Driver's mechanic repairs.", "engine=4,5"),
    ("play engine-parts", "Driver repairs the engine.", "action=mending"),
    ("done", "Bruno aims Saboteur at Driver.", "engine=5,5"),
    ("guard", "Driver makes Saboteur fail.", "card=saboteur"),
    ("fund", "Driver collects 20 F of funding.", "money=80,100"),
    ("drive", "Driver's pilot drives.", "money=100,100"),
    ("ZE", "Driver is number 1 with 16 points of prestige.", "steps=5"),
]
STEPS = {"lacorsa": LACORSA, "rasant": RASANT, "great_race": GREAT_RACE}
MOST = {"great_race": 30}  # decisions; else 14
NAMES = ("Driver", "Bruno", "Carla", "Dario")
titles = pytest.mark.parametrize("name", STEPS)


def begun(found: Title, length: int) -> Game:
    """Return the game of the lesson after this many entries."""
    known = script(found)
    assert known
    game = Game(found, known.options, None, NAMES[: known.options.players])
    for entry in known.entries[:length]:
        game.append(entry)
    return game


def said(game: Game, since: int, until: int) -> list[str]:
    batches = [batch for batch in game.events if since <= batch.entry < until]
    told = [game.title.sentences(game.setup, batch, list(game.names)) for batch in batches]
    return [sentence for lines in told for _place, _event, sentence in lines]


@titles
def test_every_step_brings_its_idea_about(name: str) -> None:
    found, known = title(name), script(title(name))
    assert known
    whole = begun(found, len(known.entries))
    assert whole.over and whole.rounds[0].places[LEARNER] == 1
    ends = [*known.starts[1:], len(known.entries)]
    assert len(known.starts) == len(STEPS[name])
    for (move, happens, fact), start, end in zip(STEPS[name], known.starts, ends, strict=True):
        game = begun(found, start)
        assert LEARNER in game.deciders and move in game.legal(LEARNER)
        assert known.entries[start] == Entry(LEARNER, found.text.parse_move(game.setup, move).id)
        assert f" {fact}" in f" {game.position}"
        assert position(game.position, names=game.names).position == game.position
        assert not happens or happens in said(whole, start, end)


def test_the_promises_that_two_events_make() -> None:
    """LC-5.2 the tie, LC-6.2 the leader's 3, RA-3.3 the forced pass, RA-5.2 the price of a pass."""
    lacorsa, rasant = title("lacorsa"), title("rasant")
    race, game = script(lacorsa), script(rasant)
    assert race and game
    end = begun(lacorsa, len(race.entries))
    last = said(end, race.starts[-1], len(race.entries))
    assert {"Driver reveals 10: 10.", "Bruno reveals 10: 10."} <= set(last)
    leading = begun(lacorsa, race.starts[9])
    assert "x3" in leading.legal(0) and "^3" not in leading.legal(0)
    assert [str(move) for move in begun(rasant, game.starts[2]).legal(0)] == ["pass"]
    assert {str(move) for move in begun(rasant, game.starts[5]).legal(0)} == {
        f"pass {card}" for card in ("g130", "b20", "b60", "y20", "k90")
    }


@titles
def test_steps_are_counted_and_texts_are_short(name: str) -> None:
    found, course = title(name), title(name).room("learn")
    known = script(found)
    assert known
    steps = len(known.starts)
    assert steps == len(course.IDEAS) <= MOST.get(name, 14)
    words = {10: "ten decisions", 12: "twelve decisions"}
    assert words.get(steps, "ten minutes") in course.INTRO
    for step, (idea, start) in enumerate(zip(course.IDEAS, known.starts, strict=True), 1):
        assert max(len(idea.text), len(idea.told)) <= LONGEST
        move = known.entries[start].what
        assert lesson(begun(found, start)) == Lesson(step, steps, (idea.text,), move, since=start)
        later = known.starts[step] - 1 if step < steps else start
        assert idea.told or later == start
        if later > start:
            assert lesson(begun(found, later)) == Lesson(step, steps, (idea.told,), since=start)
    over = lesson(begun(found, len(known.entries)))
    assert over == Lesson(steps, steps, (course.IDEAS[-1].told, course.LAST))
    assert lesson(begun(found, known.starts[0] - 1)) is None


@titles
def test_another_move_leaves_the_script_and_there_are_ways_back(name: str) -> None:
    found, known = title(name), script(title(name))
    assert known
    starts, length = known.starts, len(known.entries)
    for step, start in enumerate(starts):
        game = begun(found, start)
        other = next((id for id in game.legal(LEARNER).ids if id != known.entries[start].what), None)
        if other is None:
            continue
        replies = {
            seat: known.reply(game.log, seat, len(game.deciders)) for seat in game.deciders if seat != LEARNER
        }
        game.append(Entry(LEARNER, other))
        for seat, reply in replies.items():  # the others keep to the script
            assert reply is not None
            game.append(Entry(seat, reply))
        missed = lesson(game)
        assert known.missed(game.log) and missed is not None and missed.missed
        assert (missed.step, missed.since, missed.move) == (step + 1, start, None)
        assert known.reply(game.log, 1, 2) is None and known.drawn(game.log) is None
        assert known.way(game.log, "again") == (start, start)
        assert known.way(game.log, "on") == (start, starts[step + 1] if step + 1 < len(starts) else length)
        assert known.way(game.log, "back") == (None if not step else (starts[step - 1], starts[step - 1]))
        assert known.way(game.log, "forth") is None


def test_a_game_that_is_no_lesson() -> None:
    found, known = title("lacorsa"), script(title("lacorsa"))
    assert known
    other = Game(found, known.options)
    assert lesson(other) is None and known.way(other.log, "again") is None
    assert known.step([*known.opening[:-1], Entry(30, 5)]) is None
    longer = Game(found, found.options.read({"drivers": 4, "races": 2}))
    for entry in known.opening:
        longer.append(entry)
    assert lesson(longer) is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"OPENING": "-: R"}, "the learner does not decide"),
        ({"OPENING": "BASE; 2: 9"}, "a decision is not complete"),
    ],
)
def test_a_script_that_cannot_be(change: dict[str, str], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = title("lacorsa")
    course: Any = found.room("learn")
    script.cache_clear()
    try:
        for field, value in change.items():
            monkeypatch.setattr(course, field, value.replace("BASE", course.OPENING))
        with pytest.raises(ValueError, match=says):
            script(found)
    finally:
        script.cache_clear()
