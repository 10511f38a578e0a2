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


def _jerrycan(seen: Seen) -> bool:
    """Whether the learner holds a Jerrycan."""
    return "jerrycan" in (me(seen).hand or ())


def _petrol_is_short(seen: Seen) -> bool:
    """Whether the learner counts on a Jerrycan for the road to Zenith."""
    return me(seen).petrol < _petrol_on("mud") and judging.can("play jerrycan")(seen)


# What is asked


def _ask_card(seen: Seen) -> Sentence:
    space = judging.space(seen, "AB")
    assert space
    return Sentence(
        "Part two, a new race: you plan. Zenith is {n} steps away, a drive has at most {engine}. A Jerrycan, "
        "or Militia?",
        n=judging.steps_to_goal(seen, space.space),
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


def _judge_petrol(tried: Tried) -> Verdict | None:
    """Too little petrol for the road."""
    if not str(tried.move).startswith("buy"):
        return _no_verdict(tried)
    if _petrol_on("mud") - me(tried.after).petrol == 1 and _jerrycan(tried.after):
        return Verdict(
            Sentence("Good, too, and cheaper: your Jerrycan is the petrol that is missing."), "good"
        )
    says = mark("Too little: {n} spaces of mud and Zenith take {need}, and you have {have}.")
    words = {"n": UNKNOWN, "need": _petrol_on("mud"), "have": me(tried.after).petrol}
    return Verdict(Sentence(says, **words), "mistake")


def _tell_petrol(tried: Tried) -> Sentence:
    """Say that less would have done with a Jerrycan, which is lost on arrival (GR-9.1)."""
    if _jerrycan(tried.before):
        return Sentence(
            "Exactly enough. One less would have done with the Jerrycan: who arrives loses all cards."
        )
    return Sentence("Exactly enough.")


def _ask_jerrycan(seen: Seen) -> Sentence:
    return Sentence(
        "The road takes {need} petrol, and you have {have}: now play the Jerrycan.",
        need=_petrol_on("mud"),
        have=me(seen).petrol,
    )


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


def _why_not_first_drive(tried: Tried) -> Sentence:
    """The second half is scouted, though the first road ends in a city."""
    city = judging.space(tried.before, "MI")
    assert city
    if str(tried.move) in ("scout", "supply"):
        return Sentence(
            "Drive first: {place} gives {n} cards, and you scout the second half from there.",
            place=judging.place_of(city),
            n=city.cards,
        )
    return beside.first_drive(tried)


IDEAS = (
    Idea(
        _ask_card,
        "take jerrycan",
        mark("The Jerrycan helps if you reckon with too little petrol."),
        judge=_judge_card,
    ),
    Idea(
        Sentence(
            "You need {drives} drives, as Midway ends the first. {n} unknown spaces before it, {n} behind: "
            "scout each half. Your plan?",
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
        otherwise=beside.spot,
    ),
    Idea(
        mark("And on, up to Midway. Where?"),
        "2b",
        mark("Bruno collected money."),
        "2: fund",
        _no_verdict,
        otherwise=beside.spot,
    ),
    Idea(_ask_drive, "drive", judge=_no_verdict, otherwise=_why_not_first_drive),
    Idea(mark("Along your road. Where to?"), "1a", judge=_no_verdict, otherwise=beside.spot),
    Idea(mark("And on?"), "2b", judge=_no_verdict, otherwise=beside.spot),
    Idea(
        mark("The end of the first drive. Where to?"),
        "MI",
        mark("A Toolbox repairs three levels. Bruno has passed: the rest of the turn is yours."),
        "-: toolbox engine-parts; 2: pass",
        judging.step,
        otherwise=beside.spot,
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
        mark("Mud is dear, but does no damage, and you need it to reach Zenith. Where does the road begin?"),
        "4b",
        judge=_no_verdict,
        otherwise=beside.spot,
    ),
    Idea(mark("And on, up to Zenith. Where?"), "5b", judge=_no_verdict, otherwise=beside.spot),
    Idea(
        _ask_petrol,
        "buy 3",
        _tell_petrol,
        judge=_judge_petrol,
        otherwise=_why_not_yet,
    ),
    Idea(_ask_jerrycan, "play jerrycan", when=_petrol_is_short, otherwise=_why_not_yet),
    Idea(
        mark("Who arrives has no assistants any more. Which one do you use now?"),
        "fund",
        judging.tell_funding,
        judge=judging.action,
        when=judging.can("fund"),
    ),
    Idea(
        mark("Road, petrol and a mechanic: what now?"),
        "drive",
        judge=_no_verdict,
        otherwise=_why_not_drive,
    ),
    Idea(mark("Along your road. Where to?"), "4b", judge=_no_verdict, otherwise=beside.spot),
    Idea(mark("And on?"), "5b", judge=_no_verdict, otherwise=beside.spot),
    Idea(
        mark("The last step: reckoned, and paid for."),
        "ZE",
        judging.tell_arrival,
        judge=judging.step,
        otherwise=beside.spot,
    ),
)
