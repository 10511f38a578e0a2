"""The lessons: every way leads to its end, and what is said is true in its position."""

from __future__ import annotations

import random
import re
from functools import lru_cache
from typing import Any

import pytest

from games.lesson_ways import Choice, begun, choices, end, every, known, onward, own_choice
from paddock.core.game import Game
from paddock.core.lesson import LEARNER, Lesson, lesson, script
from paddock.core.log import Entry
from paddock.core.title import Title, title
from sampling import count

LONGEST = 110  # characters of a text: a phone shows two of them beside board and hand
STEPS = {"lacorsa": 12, "rasant": 10, "great_race": 49}
DECIDES = {"lacorsa": 5, "rasant": 4, "great_race": 10}  # the first step without a suggestion
# Positions beside the lesson's own way
MOST = {"lacorsa": count(16, 60), "rasant": count(16, 60), "great_race": count(3, 12)}
WAYS = {"lacorsa": count(1, 4), "rasant": count(1, 4), "great_race": count(1, 3)}  # random ways to the end


def of(name: str) -> pytest.MarkDecorator:
    """The tests of a lesson share its ways."""
    return pytest.mark.xdist_group(f"lesson of {name}")


titles = pytest.mark.parametrize("name", [pytest.param(name, marks=of(name)) for name in STEPS])


@lru_cache
def own_end(name: str) -> tuple[Game, Lesson]:
    return end(title(name), known(title(name)).opening)


@lru_cache
def ways(name: str) -> tuple[Choice, ...]:
    return tuple(every(title(name), MOST[name]))


def numbers(text: str) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", text)]


@titles
def test_the_lessons_own_way_wins_and_every_step_is_counted(name: str) -> None:
    found, course = title(name), title(name).room("learn")
    log, steps = known(found).opening, []
    first, second = (lesson(begun(found, at)) for at in (log, own_choice(found, log).log))
    assert first and first.said == course.GOAL and first.begins and second and not second.begins
    while log is not None:
        now = lesson(begun(found, log))
        assert now and now.steps == STEPS[name] == len(course.IDEAS) and not now.missed
        steps.append(now.step)
        guided = course.IDEAS[now.step - 1].judge is None
        # What the learner decides does not glow.
        assert now.move == (known(found).trace(log).best[0].what if guided else None)
        assert now.since == len(log)
        assert now.step >= DECIDES[name] or guided, "the first steps show what to choose"
        assert str(now.text) and max(len(str(now.text)), len(str(now.said))) <= LONGEST, now
        log = onward(found, choices(found, log)[0].log)
    assert steps == sorted(set(steps)) and len(steps) >= STEPS[name] - 3
    game, over = own_end(name)
    assert game.rounds[0].places[LEARNER] == 1
    assert over.text == course.LAST and over.said and not over.missed and over.move is None


@titles
@pytest.mark.slow("every move at every decision of a lesson is judged")
def test_every_choice_is_followed_explained_or_taken_back(name: str) -> None:
    kinds = set()
    for one in ways(name):
        own = one.move == one.better
        kinds.add(one.kind)
        assert own == (one.kind == "" and not one.after.missed)
        assert len(one.says) <= LONGEST, one.says
        assert one.says or own, f"step {one.at.idea + 1}: {one.move} has no sentence"
        assert "{" not in one.says
        assert one.says.startswith("That works, but") == (one.kind == "weaker")
        if one.after.missed:
            assert not begun(one.title, one.log).over, "a mistake can be taken back"
            now = lesson(begun(one.title, one.log))
            assert now and (now.step, now.since, now.move) == (one.at.idea + 1, len(one.before), None)
            back = known(one.title).way(one.log, "again")
            assert back == (len(one.before), [])
            on = known(one.title).way(one.log, "on")
            assert on == (None if one.kind == "mistake" else (len(one.before), list(one.at.best)))
            assert known(one.title).reply(one.log, 1, 2) is None and known(one.title).drawn(one.log) is None
    assert {"", "weaker", "mistake"} <= kinds


@titles
@pytest.mark.slow("several ways through each lesson are played to the end")
def test_every_way_leads_to_the_end(name: str) -> None:
    found = title(name)
    fewest = None
    for seed in range(WAYS[name]):
        game, over = end(found, known(found).opening, random.Random(seed))
        assert game.over and over.text == found.room("learn").LAST
        trace = known(found).trace(game.log)
        assert trace and (name == "great_race" or len(trace.starts) == over.steps), "a step was left out"
        score = game.rounds[0].scores[LEARNER]
        fewest = score if fewest is None else min(fewest, score)
    assert fewest is not None and fewest < own_end(name)[0].rounds[0].scores[LEARNER]


@of("lacorsa")
def test_lacorsa_tells_a_challenge_as_it_was() -> None:
    """LC-5: the numbers are those that were revealed; what would have won wins."""
    told = 0
    for one in ways("lacorsa"):
        happened = " ".join(one.told())
        reveals = dict(re.findall(r"(Driver|Bruno|Carla|Dario) reveals [^:]+: (\d+)", happened))
        if len(reveals) != 2 or not one.says:
            continue
        mine, theirs = int(reveals.pop("Driver")), int(*reveals.values())
        won = bool(re.search(r"Driver (passes|holds off)", happened))
        if beats := re.match(r"(\d+) (beats|loses to) (\d+)", one.says):
            assert (int(beats[1]), beats[2] == "beats", int(beats[3])) == (mine, won, theirs)
            told += 1
        if one.kind == "mistake" and "wins too" not in one.says and "alone wins" not in one.says:
            assert not won and f"{theirs}" in one.says
        if one.kind in ("weaker", "mistake"):
            better = next(other for other in choices(one.title, one.before) if other.move == one.better)
            assert re.search(r"Driver (passes|holds off)", " ".join(better.told())), "the better card wins"
            assert won or one.kind == "mistake"
            told += 1
    assert told > 15


@of("lacorsa")
def test_lacorsa_says_who_can_extend_and_who_is_near() -> None:
    """LC-6.2 a 3 does not extend the leader."""
    for one in ways("lacorsa"):
        if "the leader cannot extend" in one.says:
            hand = [card.kind for card in one.title.view.view(begun(one.title, one.log).seen(1)).cars[0].hand]
            assert not {1, 2} & set(hand) and str(one.move[-1]) in one.says
        if "is all that is left" in one.says or "your last card" in one.says:
            hand = [card.kind for card in one.title.view.view(begun(one.title, one.log).seen(1)).cars[0].hand]
            assert len(hand) == 1 and hand[0] in numbers(one.says)


def hidden(game: Game) -> list[Any]:
    """Return the cards that the learner cannot see: those of the others."""
    view = game.title.view.view(game.seen(0b111))
    return [card for player in view.players[1:] for card in player.hand]


@of("rasant")
def test_rasant_counts_points_and_hidden_cards() -> None:
    """RA-4 the points are those of the winner of the round; RA-3.3 the cards are those that beat a card."""
    points = counts = 0
    for one in ways("rasant"):
        before = one.title.view.view(one.game.seen(1))
        if found := re.search(r"(\d+) cards that you cannot see beat your (\w+) (\d+),", one.says):
            n, colour, speed = int(found[1]), found[2], int(found[3])
            kinds = ["red", "green", "blue", "yellow", "black"]
            beat = [c for c in hidden(one.game) if kinds[c.colour] in (colour, "black") and c.speed > speed]
            assert len(beat) == n if before.reserve == 0 else len(beat) <= n
            counts += 1
        if re.search("none beats the|Nobody has a card", one.says):
            better = next(other for other in choices(one.title, one.before) if other.move == one.better)
            if better.move.startswith("pass"):
                continue
            assert any("Player wins the round" in line for line in end_of_round(better)), one.says
        if one.after.verdict is None and (found := re.search(r"(\d+) points?\.", one.says)):
            line = next(line for line in end_of_round(one) if "wins the round" in line)
            assert int(found[1]) in numbers(line) and ("Player" in line) == one.says.startswith(
                ("Nobody", "You ")
            )
            points += 1
    assert points > 10 and counts > 2


def end_of_round(one: Choice) -> list[str]:
    """Return what happens up to the learner's next decision."""
    log = onward(one.title, one.log) or one.log
    found = known(one.title)
    while log == one.log and (at := found.trace(log)) and at.ahead:
        log = (*log, *at.ahead)
    return one.told(log)


@of("great_race")
@pytest.mark.slow("the positions of three dozen decisions are compared with what is said")
def test_the_great_race_names_what_the_gauges_show() -> None:
    """GR-6.3, GR-6.5, GR-9.3: steps, cards, petrol and money are those of the position."""
    seen = set()
    for one in ways("great_race"):
        after = one.title.view.view(begun(one.title, one.log).seen(1)).teams[0]
        before = one.title.view.view(one.game.seen(1))
        if found := re.search(r"with the engine at (\d+)", one.says):
            assert int(found[1]) == after.engine
            seen.add("engine")
        if found := re.match(r"Engine (\d+).*Chassis (\d+)", one.says):
            assert (int(found[1]), int(found[2])) == (after.engine, after.chassis)
            seen.add("gauges")
        if found := re.search(r"you have (\d+)\.$|^(\d+) petrol", one.says):
            assert int(found[1] or found[2]) == after.petrol
            seen.add("petrol")
        if "one petrol short" in one.says:
            n, cost, need, have = numbers(one.says)
            assert n * cost + 1 == need == have + 1
            share = sum(t.in_bag for t in before.tiles if t.petrol <= cost) / sum(
                t.in_bag for t in before.tiles
            )
            assert share >= 0.9
            seen.add("short")
        if found := re.search(r"poorer|without the (\d+) F", one.says):
            fund = next(other for other in choices(one.title, one.before) if other.move == "fund")
            gained = one.title.view.view(begun(one.title, fund.log).seen(1)).teams[0].money
            assert gained - before.teams[0].money in numbers(one.says)
            seen.add("money")
        if found := re.search(r"That space is (\d+) steps from Zenith, and this one (\d+)", one.says):
            assert int(found[1]) > int(found[2])
            seen.add("steps")
        if one.move == "ZE" and one.better == "ZE":
            first, _second, *parts, money, total = numbers(one.says)
            mine = before.teams[0]
            assert total == first + sum(parts[:3]) == mine.prestige and money == mine.money
            seen.add("prestige")
    assert seen >= {"engine", "gauges", "petrol", "short", "money", "steps", "prestige"}


@of("great_race")
def test_the_great_race_goes_on_with_other_right_moves_and_still_teaches() -> None:
    """GR-8.2 after a pass; GR-9.1 less petrol beside a Jerrycan, Militia and funding before the arrival."""
    found = title("great_race")
    log, said, refused = known(found).opening, dict[str, str](), set[tuple[str, str]]()
    while log is not None:
        here = choices(found, log)
        wanted = {("pass", "weaker"), ("play militia", "good"), ("plan 2-2-0-1", "good"), ("buy 2", "good")}
        taken = next((one for one in here if (one.move, one.kind) in wanted), here[0])
        said[taken.move] = taken.says
        refused |= {(one.move, one.says) for one in here if one.kind == "mistake"}
        log = onward(found, taken.log)
    assert "Maintenance: you are farthest, go first and get 20 F" in said["pass"]
    assert "lose all cards" in said["play militia"] and "The Saboteur fails" in said["play militia"]
    assert "plan 2-2-0-1" in said and "Jerrycan" in said["buy 2"]
    assert said["play jerrycan"] == "" and said["fund"] == "Now 70 F: 1 prestige for full 50 F."
    assert any(move == "4c" and "1 petrol more" in says for move, says in refused)
    drives = " ".join(says for move, says in refused if move == "drive")
    assert "repair first" in drives and "has no assistants" in drives


@titles
def test_ways_back(name: str) -> None:
    found, script_ = title(name), known(title(name))
    first = choices(found, script_.opening)[0]
    assert script_.way(script_.opening, "back") is None and script_.way(script_.opening, "again") is None
    second = onward(found, first.log)
    assert second and script_.way(second, "back") == (len(script_.opening), [])
    assert script_.way(second, "forth") is None and script_.way(second, "on") is None
    weaker = next(one for one in ways(name) if one.kind == "weaker")
    then = onward(found, weaker.log)
    assert then and script_.way(then, "back") == (len(weaker.before), [])


@of("great_race")
def test_a_mistake_in_a_chain_that_was_sent_at_once_is_taken_back_alone() -> None:
    found = title("great_race")
    script_ = known(found)
    wrong = next(one for one in ways("great_race") if one.kind == "mistake" and one.at.idea == 10)
    chain = [*wrong.log[:-4], *(Entry(e.by, e.what, True) for e in wrong.log[-4:])]
    kept, again = script_.way(chain, "again") or (0, [])
    assert kept == len(chain) - 5 and [*chain[:kept], *again] == chain[:-1]


def test_a_game_that_is_no_lesson() -> None:
    found, script_ = title("lacorsa"), known(title("lacorsa"))
    other = Game(found, script_.options)
    assert lesson(other) is None and script_.way(other.log, "again") is None
    assert script_.trace([*script_.opening[:-1], Entry(30, 5)]) is None
    longer = Game(found, found.options.read({"drivers": 4, "races": 2}))
    for entry in script_.opening:
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
    found: Title = title("lacorsa")
    course: Any = found.room("learn")
    script.cache_clear()
    try:
        for field, value in change.items():
            monkeypatch.setattr(course, field, value.replace("BASE", course.OPENING))
        with pytest.raises(ValueError, match=says):
            script(found)
    finally:
        script.cache_clear()
