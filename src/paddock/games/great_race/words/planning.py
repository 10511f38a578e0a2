"""The Great Race: the second part of the lesson, a race of one turn that the learner plans.

Nothing glows: the learner reckons drives, roads and petrol. See ``judging`` for what the words follow from.
"""

from __future__ import annotations

from paddock.core.course import Idea, Tried, Verdict
from paddock.core.i18n import Sentence, mark
from paddock.core.title import Seen
from paddock.games.great_race.words import beside, judging
from paddock.games.great_race.words.judging import me, tile

START = "-: 1; -: 1; -: jerrycan militia transport; 2: take transport"  # of the second race
DRIVES = 2  # to Midway, which ends a drive, and to Zenith
UNKNOWN = 2  # spaces before Midway, and behind it: as many as one scout places tiles
CITY = 1  # petrol for a step into a city


def _tasks(tried: Tried) -> tuple[int, ...]:
    """Return how many assistants a plan has in each box."""
    return tuple(int(n) for n in str(tried.move).removeprefix("plan ").split("-"))


def _petrol_on(word: str) -> int:
    """Return how much petrol a leg over tiles of this kind takes, with the city at its end."""
    return UNKNOWN * tile(word).petrol + CITY


# What is asked


def _ask_card(seen: Seen) -> Sentence:
    space = judging.space(seen, "AB")
    assert space
    return Sentence(
        "Part two: you plan. Zenith is {n} steps away, and a drive has {engine}. A Jerrycan, or Militia?",
        n=judging.steps_to_goal(seen, space),
        engine=me(seen).engine,
    )


def _ask_drive(seen: Seen) -> Sentence:
    return Sentence(
        "Petrol to Midway: {track} for each track, {city} for the city. That is {need}, you have {have}. "
        "What now?",
        track=tile("track").petrol,
        city=CITY,
        need=_petrol_on("track"),
        have=me(seen).petrol,
    )


def _ask_petrol(seen: Seen) -> Sentence:
    return Sentence(
        "Reckon again: {mud} petrol for each mud, {city} for Zenith. You have {have}. How much do you buy?",
        mud=tile("mud").petrol,
        city=CITY,
        have=me(seen).petrol,
    )


# What is said of it


def _judge_card(tried: Tried) -> Verdict | None:
    return Verdict(
        Sentence("That works, but you see the dangers of a road that you scout. What it takes is petrol.")
    )


def _judge_plan(tried: Tried) -> Verdict:
    """A plan that lacks a drive or a scout, or has one too many."""
    pathfinders, mechanics, _security, funding = _tasks(tried)
    if mechanics < DRIVES:
        says = mark("{n} on Mechanics: you need {drives}, for a drive to Midway and one to Zenith.")
        return Verdict(Sentence(says, n=mechanics, drives=DRIVES), "mistake")
    if pathfinders < DRIVES:
        says = mark("{n} as Pathfinder: you need {drives}, for a road to Midway and one to Zenith.")
        return Verdict(Sentence(says, n=pathfinders, drives=DRIVES), "mistake")
    if funding:
        return Verdict(
            Sentence("Good, too: one on Funding brings {n} F.", n=tried.before.setup.pays[1]), "good"
        )
    return Verdict(Sentence("That works, but one has no task: on Security or Funding it would be of use."))


def _no_verdict(tried: Tried) -> Verdict | None:
    """Where only a card played too early is a mistake."""
    return judging.other_card(tried) if str(tried.move).startswith("play") else None


def _why_not_scout(tried: Tried) -> Sentence:
    word = str(tried.move)
    if word.startswith("buy"):
        return Sentence("First the road: then you know how much petrol it takes.")
    return beside.first_drive(tried) if word == "clear" else beside.scout(tried)


def _why_not_here(tried: Tried) -> Sentence:
    """A space for a tile, or a step, beside the road."""
    chosen = judging.space(tried.before, str(tried.move))
    better = judging.space(tried.before, str(tried.better))
    if chosen is None or better is None:
        return beside.spot(tried)
    far, near = (judging.steps_to_goal(tried.before, space) for space in (chosen, better))
    if far != near or better.tile:
        return beside.spot(tried)
    return Sentence(
        "That is as near to Zenith, but this time the road goes another way: {place}.",
        place=judging.place_of(better),
    )


def _judge_petrol(tried: Tried) -> Verdict | None:
    """Too little petrol for the road."""
    if not str(tried.move).startswith("buy"):
        return _no_verdict(tried)
    says = mark("Too little: {n} spaces of mud and Zenith take {need}, and you have {have}.")
    words = {"n": UNKNOWN, "need": _petrol_on("mud"), "have": me(tried.after).petrol}
    return Verdict(Sentence(says, **words), "mistake")


def _why_not_yet(tried: Tried) -> Sentence:
    return Sentence(
        "Petrol first: the road takes {need}, and you have {have}.",
        need=_petrol_on("mud"),
        have=me(tried.before).petrol,
    )


def _why_not_drive(tried: Tried) -> Sentence:
    """Somebody else is used, though road and petrol are there."""
    if str(tried.move) in ("scout", "supply"):
        return Sentence("You have a road, and petrol for it: drive.")
    return beside.first_drive(tried)


IDEAS = (
    Idea(
        _ask_card,
        "take jerrycan",
        mark("It helps when you have reckoned too low."),
        judge=_judge_card,
    ),
    Idea(
        Sentence(
            "Midway ends a drive, so it takes {drives}. {n} unknown spaces lie before it, {n} behind: a "
            "scout each. Your plan?",
            drives=DRIVES,
            n=UNKNOWN,
        ),
        "plan 2-2-1-0",
        mark("Each has a task. The guard is for a danger, and for what Bruno may play."),
        "2: plan 0-1-0-4",
        _judge_plan,
    ),
    Idea(
        mark("The road comes first: tiles that you place bring no surprise. What do you do?"),
        "scout",
        Sentence("Track twice, the best that there is: {n} petrol a step.", n=tile("track").petrol),
        "-: track track",
        _no_verdict,
        otherwise=_why_not_scout,
    ),
    Idea(
        mark("Place a road so that each space is beside the one before. Where does it begin?"),
        "1a",
        judge=_no_verdict,
        otherwise=_why_not_here,
    ),
    Idea(
        mark("And on, up to Midway. Where?"),
        "2b",
        mark("Bruno collected money."),
        "2: fund",
        _no_verdict,
        otherwise=_why_not_here,
    ),
    Idea(_ask_drive, "drive", judge=_no_verdict, otherwise=_why_not_drive),
    Idea(mark("Along your road. Where to?"), "1a", judge=_no_verdict, otherwise=_why_not_here),
    Idea(mark("And on?"), "2b", judge=_no_verdict, otherwise=_why_not_here),
    Idea(
        mark("The end of the first drive. Where to?"),
        "MI",
        mark("Bruno has passed: the rest of the turn is yours."),
        "-: toolbox engine-parts; 2: pass",
        judging.step,
        otherwise=_why_not_here,
    ),
    Idea(
        mark("The second half: the land is unknown again. What first?"),
        "scout",
        Sentence("Mud twice: {n} petrol a step.", n=tile("mud").petrol),
        "-: mud mud",
        _no_verdict,
        otherwise=_why_not_scout,
    ),
    Idea(
        mark("Mud is dear, but does no damage, and it is the way. Where does the road begin?"),
        "4b",
        judge=_no_verdict,
        otherwise=_why_not_here,
    ),
    Idea(mark("And on, up to Zenith. Where?"), "5b", judge=_no_verdict, otherwise=_why_not_here),
    Idea(
        _ask_petrol,
        "buy 3",
        mark("Exactly enough, and the Jerrycan is left for what nobody can reckon."),
        judge=_judge_petrol,
        otherwise=_why_not_yet,
    ),
    Idea(
        mark("Road, petrol and a mechanic: what now?"),
        "drive",
        judge=_no_verdict,
        otherwise=_why_not_drive,
    ),
    Idea(mark("Along your road. Where to?"), "4b", judge=_no_verdict, otherwise=_why_not_here),
    Idea(mark("And on?"), "5b", judge=_no_verdict, otherwise=_why_not_here),
    Idea(
        mark("The last step: reckoned, and paid for."),
        "ZE",
        judging.tell_arrival,
        judge=judging.step,
        otherwise=_why_not_here,
    ),
)
