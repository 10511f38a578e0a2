"""The Great Race: why another move than the lesson's is worse, where the lesson shows or expects one.

All of it follows from the rules, what the learner saw, and the two moves: see ``Tried``.
"""

from __future__ import annotations

from paddock.core.course import Tried
from paddock.core.i18n import Sentence, mark
from paddock.games.great_race.rules.repair import part_price
from paddock.games.great_race.words import judging
from paddock.games.great_race.words.judging import me, tile


def take(tried: Tried) -> Sentence:
    """The card that avoids a danger goes to the rival."""
    return Sentence("Then Bruno gets the Militia, and you have no card that avoids a danger.")


def plan(tried: Tried) -> Sentence:
    """A box that lacks somebody: the first plan has each of them once, and Mechanics twice."""
    pathfinders, mechanics, security, _funding = (
        int(n) for n in str(tried.move).removeprefix("plan ").split("-")
    )
    wanted = int(str(tried.better).split("-")[1])
    if not mechanics:
        return Sentence("Nobody on Mechanics: your vehicle cannot drive in this turn.")
    if not pathfinders:
        return Sentence("Nobody as Pathfinder: you cannot scout, and every tile ahead comes by chance.")
    if mechanics < wanted:
        return Sentence(
            "{n} on Mechanics is one drive: with {wanted} you drive to Midway, and on from there.",
            n=mechanics,
            wanted=wanted,
        )
    if not security:
        return Sentence("Nobody on Security: then only a card avoids a danger on your way.")
    return Sentence(
        "Nobody on Funding: then you earn no money in this turn, and one brings {n} F.",
        n=tried.before.setup.pays[1],
    )


def scout(tried: Tried) -> Sentence:
    """Another box first, while the land is unknown."""
    word = str(tried.move)
    if word == "drive":
        return Sentence("The land ahead is unknown: each tile would come by chance. Scout, and you choose.")
    if word == "supply":
        return Sentence("That is a card instead of tiles. Scout: then you know the first part of your way.")
    if word == "fund":
        return Sentence("That brings {n} F now or later. First the road: scout.", n=_funds(tried))
    return judging.passing(tried).text


def first_tile(tried: Tried) -> Sentence:
    """The tile that costs more is placed first."""
    return Sentence(
        "First the cheaper tile, for your first step: gravel does {damage} damage, and track {none}.",
        damage=tile("gravel").damage,
        none=tile("track").damage,
    )


def spot(tried: Tried) -> Sentence:
    """A tile or a step that leads elsewhere."""
    if str(tried.move) == "halt":
        return Sentence(
            "You would stop here, with your drive half done and {n} petrol left.", n=me(tried.before).petrol
        )
    chosen, better = (
        judging.space(tried.before, str(tried.move)),
        judging.space(tried.before, str(tried.better)),
    )
    assert chosen
    assert better
    far, near = (
        judging.steps_to_goal(tried.before, chosen.space),
        judging.steps_to_goal(tried.before, better.space),
    )
    if far > near:
        return judging.farther(far, near, better)
    if chosen.land == "risk" and not better.tile:
        return judging.dark(better)
    if better.tile:
        return Sentence(
            "That land is unknown, and its tile comes by chance. You know the tile {place}.",
            place=judging.place_of(better),
        )
    return Sentence("That is as near to Zenith, but not on the way to Midway, where you get cards.")


def first_drive(tried: Tried) -> Sentence:
    """Somebody else is used, though the way lies open."""
    word = str(tried.move)
    if word == "clear":
        return Sentence("That removes a tile that you have just placed, and costs your guard. Drive over it.")
    if word == "fund":
        return Sentence("That brings {n} F now or later. Drive first: the way is open.", n=_funds(tried))
    return judging.passing(tried).text


def before_petrol(tried: Tried) -> Sentence:
    """An assistant is used before the petrol is bought: after that the sequence is over."""
    return Sentence(
        "Petrol comes before an assistant: {n} unknown spaces may take {need}, and you have {have}.",
        n=judging.UNKNOWN,
        need=judging.needed_petrol(tried.before),
        have=me(tried.before).petrol,
    )


def other_action(tried: Tried) -> Sentence:
    """Another box than the lesson's, or petrol that is not missing."""
    if early := judging.other_card(tried):
        return early.text
    word, better, mine = str(tried.move), str(tried.better), me(tried.before)
    if word.startswith("buy"):
        return Sentence(
            "You have {n} petrol for the last step. {paid} F are gone, and petrol is no prestige.",
            n=mine.petrol,
            paid=mine.money - me(tried.after).money,
        )
    if word == "fund":
        says = mark("That brings {n} F now or later in this turn. Repair first, then drive.")
        drive = mark("That brings {n} F now or later in this turn. Drive: who is ahead begins the next one.")
        repairs = better == "repair"
        return Sentence(says if repairs else drive, n=_funds(tried))
    if word == "repair":
        mechanics = (mine.assistants or (0, 0))[1]
        last = mark("Then nobody on Mechanics is left to drive, and you stay where you are.")
        more = mark("A level costs {price} F here, and can wait. First drive, with the petrol that you have.")
        return (
            Sentence(last)
            if mechanics == 1
            else Sentence(
                more, price=part_price(tried.before.state, tried.before.setup, judging.LEARNER), n=mechanics
            )
        )
    return Sentence("That removes a tile next to you, and none is in your way. Keep the guard for a danger.")


def _funds(tried: Tried) -> int:
    """Return what all of the learner's assistants on Funding bring together."""
    funding = (me(tried.before).assistants or (0, 0, 0, 0))[3]
    return int(tried.before.setup.pays[funding])


def chassis_level(tried: Tried) -> Sentence:
    """A level is bought for money that is prestige as well."""
    if lost := judging.lost_prestige(tried):
        return Sentence(
            "A level is 1 prestige, but the {paid} F for it are {lost} as well in the end: you gain nothing.",
            paid=me(tried.before).money - me(tried.after).money,
            lost=lost,
        )
    return Sentence("First the Engine Parts: they repair for nothing.")
