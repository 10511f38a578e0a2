"""The Great Race: what the lesson says about a decision of the learner.

All of it follows from the rules, what the learner saw, the move and the lesson's own move: see ``Tried``.
"""

from __future__ import annotations

from collections.abc import Callable

from paddock.core.course import Tried, Verdict
from paddock.core.i18n import Sentence, mark
from paddock.core.title import Seen
from paddock.games.great_race.maps.tiles import KINDS, WORDS, Tile
from paddock.games.great_race.rules.convoy import petrol_price
from paddock.games.great_race.rules.crew import pay_order
from paddock.games.great_race.rules.ending import prestige_at
from paddock.games.great_race.rules.repair import part_price
from paddock.games.great_race.rules.setup import ASSISTANTS
from paddock.games.great_race.rules.state import OFF, WAYS
from paddock.games.great_race.words.view import Space, Team, View, view

LEARNER, RIVAL = 0, 1  # seats
UNKNOWN = 2  # spaces between Midway and the destination on the map of the lesson
USUAL = 0.9  # of the tiles in the bag cost no more petrol than the learner counts on
PRESTIGE = 50  # F for one point (GR-9.3)


# What the learner sees


def me(seen: Seen) -> Team:
    """Return the learner's half-track and crew."""
    return view(seen).teams[LEARNER]


def rival_passed(seen: Seen) -> bool:
    """Whether the rival has nothing more to do in this turn."""
    return view(seen).teams[RIVAL].passed


def can(move: str) -> Callable[[Seen], bool]:
    """Return whether the learner may make this move."""

    def holds(seen: Seen) -> bool:
        text = seen.title.text
        return any(str(text.move(seen.setup, id)) == move for id in seen.legal(LEARNER))

    return holds


def guard_stays(seen: Seen) -> bool:
    """Whether an assistant on Security is left."""
    return bool((me(seen).assistants or (0, 0, 0, 0))[2])


def only_guard(seen: Seen) -> bool:
    """Whether the learner has a sequence with nobody but guards."""
    return can("clear")(seen) and not any(can(move)(seen) for move in ("scout", "drive", "fund"))


def gauge_to_spare(seen: Seen) -> str:
    """Spare the gauge that is lower, and the engine where both are the same, unless parts can repair it."""
    mine = me(seen)
    if mine.engine != mine.chassis:
        return "engine" if mine.engine > mine.chassis else "chassis"
    return "engine" if "engine-parts" in (mine.hand or ()) else "chassis"


def help_against_danger(seen: Seen) -> str:
    """Return who helps: a guard, who comes back in the next turn, before a card, which does not."""
    return next((move for move in ("guard", "play militia") if can(move)(seen)), "decline")


def _usual_petrol(shown: View) -> int:
    """Return how much petrol nearly every unknown tile costs at most."""
    whole = sum(tile.in_bag for tile in shown.tiles)
    return next(
        cost
        for cost in range(1, 10)
        if sum(tile.in_bag for tile in shown.tiles if tile.petrol <= cost) >= USUAL * whole
    )


def needed_petrol(seen: Seen) -> int:
    """Return how much petrol the way takes: the unknown spaces, and the step into the destination."""
    return UNKNOWN * _usual_petrol(view(seen)) + 1


def space(seen: Seen, name: str) -> Space | None:
    """Return the space of this name in notation; None for another move."""
    return next((shown for shown in view(seen).spaces if shown.name == name), None)


def place_of(shown: Space) -> str:
    """Return the words for a space."""
    return shown.city or shown.where


def steps_to_goal(seen: Seen, space: int) -> int:
    """Return how many steps it takes at least from a space to the destination."""
    reached, near, steps = {seen.state.goal}, {seen.state.goal}, 0
    while space not in reached:
        beside = {seen.setup.beside[here, way] for here in near for way in range(WAYS)} - {OFF}
        near, steps = beside - reached, steps + 1
        reached |= near
    return steps


# What is said of it


def _early(tried: Tried) -> Verdict | None:
    """A card that adds petrol is played where none is missing."""
    if str(tried.move) != "play jerrycan":
        return None
    if str(tried.better).startswith("buy"):
        return Verdict(
            Sentence("A card ends the buying of petrol. Buy first: a Jerrycan helps at any time."), "mistake"
        )
    says = Sentence(
        "You had {n} petrol, enough for now. A Jerrycan helps at any time: keep it until you need it.",
        n=me(tried.before).petrol,
    )
    return Verdict(says, "mistake")


def other_card(tried: Tried) -> Verdict | None:
    """Where nothing but a card could be played."""
    return _early(tried)


def damage(tried: Tried) -> Verdict | None:
    """The other gauge: fewer steps of the next drive, or fewer cards."""
    if early := _early(tried):
        return early
    mine = me(tried.after)
    if str(tried.move) == "engine":
        one = mark("That works, but with the engine at {n} your next drive has only one step.")
        many = mark("That works, but with the engine at {n} your next drive has only {n} steps.")
        return Verdict(Sentence(one if mine.engine == 1 else many, n=mine.engine))
    if mine.chassis < mine.engine:
        one = mark("With the chassis at {n} you may hold only one card, and your parts repair the engine.")
        many = mark("With the chassis at {n} you may hold only {n} cards, and your parts repair the engine.")
        return Verdict(Sentence(one if mine.chassis == 1 else many, n=mine.chassis), "mistake")
    one = mark("That works, but with the chassis at {n} you may hold only one card.")
    many = mark("That works, but with the chassis at {n} you may hold only {n} cards.")
    return Verdict(Sentence(one if mine.chassis == 1 else many, n=mine.chassis))


def tell_damage(tried: Tried) -> Sentence:
    """Say what the gauges are for now."""
    mine = me(tried.after)
    return Sentence(
        "Engine {engine}: {engine} steps in a drive. Chassis {chassis}: {chassis} cards in your hand.",
        engine=mine.engine,
        chassis=mine.chassis,
    )


def step(tried: Tried) -> Verdict | None:
    """A step that does not lead towards the destination, or none at all."""
    if early := _early(tried):
        return early
    seen, better = tried.before, space(tried.before, str(tried.better))
    assert better
    if str(tried.move) == "halt":
        says = Sentence(
            "You would stop here, with {n} steps and {petrol} petrol left: drive on.",
            n=view(seen).steps,
            petrol=me(seen).petrol,
        )
        return Verdict(says, "mistake")
    mine = space(seen, str(tried.move))
    assert mine
    far, near = steps_to_goal(seen, mine.space), steps_to_goal(seen, better.space)
    if far > near:
        return Verdict(farther(far, near, better), "mistake")
    if better.cards:
        words = Sentence(
            "That space has no tile yet, and gives nothing. {place} gives you cards: {cards}.",
            place=place_of(better),
            cards=better.cards,
        )
        return Verdict(words, "mistake")
    return Verdict(dark(better), "mistake")


def farther(far: int, near: int, better: Space) -> Sentence:
    """Say that a space is farther from the destination than the lesson's."""
    if not near:
        return Sentence("Zenith is one step away: drive there.")
    return Sentence(
        "That space is {far} steps from Zenith; {place} is only {near}.",
        far=far,
        near=near,
        place=place_of(better),
    )


def dark(better: Space) -> Sentence:
    """Say why dark land is worse than the lesson's space, which is as near to the destination."""
    return Sentence(
        "Mountains are a risk: a tile there takes 1 petrol more. As near, and without it: {place}.",
        place=place_of(better),
    )


def tile(word: str) -> Tile:
    """Return a kind of tile by its word."""
    return KINDS[WORDS.index(word)]


def ask_first_drive(seen: Seen) -> Sentence:
    """Say how far a drive leads."""
    return Sentence(
        "Now drive, with Mechanics: up to {n} steps, as many as your engine (the cogwheel) has levels.",
        n=me(seen).engine,
    )


def ask_petrol(seen: Seen) -> Sentence:
    """Ask how much petrol to buy. The rival, outside the cities, pays more."""
    return Sentence(
        "First petrol: {price} F for each level in a city, {more} F elsewhere. Ahead: {n} unknown spaces, "
        "then Zenith. How much?",
        price=petrol_price(seen.state, seen.setup, LEARNER),
        more=petrol_price(seen.state, seen.setup, RIVAL),
        n=UNKNOWN,
    )


def petrol(tried: Tried) -> Verdict | None:
    """Too little petrol for the way ahead."""
    if early := _early(tried):
        return early
    word = str(tried.move)
    if word == "pass":
        return passing(tried)
    if not word.startswith("buy"):
        return None
    need, have = needed_petrol(tried.before), me(tried.after).petrol
    words = {"need": need, "have": have, "n": UNKNOWN, "cost": _usual_petrol(view(tried.before))}
    if need - have == 1:
        says = mark(
            "That works, but may leave you one petrol short: {n} tiles of {cost} and Zenith are {need}, "
            "you have {have}."
        )
        return Verdict(Sentence(says, **words))
    says = mark(
        "Too little: {n} unknown tiles can cost {cost} each, and Zenith 1. That is {need}, you have {have}."
    )
    return Verdict(Sentence(says, **words), "mistake")


def tell_petrol(tried: Tried) -> Sentence:
    """Say what the petrol is enough for."""
    return Sentence(
        "{have} petrol: enough for {n} tiles at {cost} each (few cost more), and 1 for Zenith.",
        have=me(tried.after).petrol,
        n=UNKNOWN,
        cost=_usual_petrol(view(tried.before)),
    )


def passing(tried: Tried) -> Verdict:
    """Whoever passes leaves assistants unused."""
    left = sum(me(tried.before).assistants or ())
    one = mark("Whoever passes does nothing more in this turn, and you have an assistant left: use it.")
    many = mark("Whoever passes does nothing more in this turn, and you have {n} assistants left: use them.")
    return Verdict(Sentence(one if left == 1 else many, n=left), "mistake")


def action(tried: Tried) -> Verdict | None:
    """Another box than the lesson's, or none."""
    if early := _early(tried):
        return early
    before, word, better = me(tried.before), str(tried.move), str(tried.better)
    *_others, funding = before.assistants or (0, 0, 0, 0)
    brings = tried.before.setup.pays[funding]
    if word == "pass" and better == "fund" and sum(before.assistants or ()) == funding:
        says = mark(
            "That works, but leaves you {n} F poorer. Maintenance: you are farthest, go first and "
            "get {first} F."
        )
        return Verdict(Sentence(says, n=brings, first=_first_gets(tried.before)))
    if word == "pass":
        return passing(tried)
    if word == "drive" and better == "repair":
        says = mark("Then you arrive with the engine at {n}: repair first, as each level is 1 prestige.")
        return Verdict(Sentence(says, n=before.engine), "mistake")
    if word == "drive" and better == "fund":
        says = mark(
            "Then you arrive without the {n} F that funding brings: once you arrive, you use no more "
            "assistants."
        )
        return Verdict(Sentence(says, n=brings), "mistake")
    return None


def _first_gets(seen: Seen) -> int:
    """Return what the first in a new turn order gets (GR-8.2)."""
    after = seen.state.copy()
    pay_order(after, seen.setup)
    return int(after.money[after.order[0]] - seen.state.money[after.order[0]])


def tell_turn_2(tried: Tried) -> Sentence:
    """Say what the maintenance does."""
    return Sentence(
        "Maintenance ends the turn: you are farthest, so you go first next, and the first gets {n} F.",
        n=_first_gets(tried.before),
    )


def tell_last_assistant(tried: Tried) -> Sentence:
    """Say what funding has brought, or that the turn is over."""
    if guard_stays(tried.before):
        money = me(tried.after).money
        return Sentence(
            "Funding brought {n} F: you have {money} F.", n=money - me(tried.before).money, money=money
        )
    return tell_turn_2(tried)


def ask_canyon(seen: Seen) -> Sentence:
    """Ask whether to pay for the canyon from the tank."""
    return Sentence(
        "It costs {cost} petrol, and you have {n}. Go on and pay, or play the Jerrycan for more petrol "
        "first?",
        cost=tile("canyon").petrol,
        n=me(seen).petrol,
    )


def ask_more_damage(seen: Seen) -> Sentence:
    """Ask where more damage goes: one card repairs one level, so both gauges share it."""
    mine = me(seen)
    if mine.engine < mine.chassis:
        return Sentence("Damage again: engine or chassis? Engine Parts repair only one level: spread it.")
    return Sentence("Damage again: engine or chassis? Think of the card that you drew in Midway.")


def danger(tried: Tried) -> Verdict | None:
    """A card is spent where a guard would do, or nobody helps."""
    if early := _early(tried):
        return early
    if str(tried.move) == "play militia":
        says = mark(
            "That works, but costs your Militia: a guard comes back in the next turn, a card does not."
        )
        return Verdict(Sentence(says))
    says = mark("Then you take the damage, two levels: each is 1 prestige in the end, and help is at hand.")
    return Verdict(Sentence(says), "mistake")


def last_danger(tried: Tried) -> Verdict | None:
    """A danger in the turn of the arrival: a card is worth no more than a guard."""
    if str(tried.move) == "play militia":
        says = mark(
            "Good, too: you will lose all cards when you arrive. The Saboteur fails. Bruno collects money."
        )
        return Verdict(Sentence(says), "good")
    return danger(tried)


def bivouac(tried: Tried) -> Verdict | None:
    """A card that is not needed any more."""
    if early := _early(tried):
        return early
    says = mark("That works, but no stop sign is ahead. Bruno’s chassis has {n} levels: he discards a card.")
    return Verdict(Sentence(says, n=view(tried.after).teams[RIVAL].chassis))


def plan(tried: Tried) -> Verdict:
    """A plan that lacks something: with five assistants, all else leaves less for funding."""
    seen, pays = tried.before, tried.before.setup.pays
    _scouts, mechanics, security, funding = (int(n) for n in str(tried.move).removeprefix("plan ").split("-"))
    if mechanics < 2:
        none = mark("Nobody on Mechanics: your half-track stays where it is, one step from Zenith.")
        one = mark("One on Mechanics drives or repairs, not both, and a level of the engine is 1 prestige.")
        return Verdict(Sentence(one if mechanics else none), "mistake")
    if not security:
        if "militia" in (me(seen).hand or ()):
            return Verdict(
                Sentence("That works, but leaves you without a guard: only Militia avoids a danger now.")
            )
        return Verdict(
            Sentence("You have no Militia any more: without a guard on Security every danger hits you."),
            "mistake",
        )
    wanted = int(str(tried.better)[-1])
    says = mark(
        "That works, but costs money: funding with {n} brings {some} F, with {wanted} it is {more} F."
    )
    return Verdict(Sentence(says, n=funding, some=pays[funding], wanted=wanted, more=pays[wanted]))


def mending(tried: Tried) -> Verdict | None:
    """A level is paid for."""
    if early := _early(tried):
        return early
    paid = me(tried.before).money - me(tried.after).money
    if str(tried.move) == "buy-engine":
        return Verdict(
            Sentence("That works, but costs {n} F, and Engine Parts would have done it for nothing.", n=paid)
        )
    full = not any(can(move)(tried.after) for move in ("done", "buy-chassis"))
    if str(tried.better) == "done" and full and not lost_prestige(tried):
        says = mark("Good, too: your money is worth no less. Bruno plays Saboteur, and chooses the engine.")
        return Verdict(Sentence(says), "good")
    return None


def lost_prestige(tried: Tried) -> int:
    """Return what a payment takes off the prestige that the money brings, with what funding still brings."""
    *_others, funding = me(tried.before).assistants or (0, 0, 0, 0)
    money = int(tried.before.setup.pays[funding]) + me(tried.before).money
    paid = me(tried.before).money - me(tried.after).money
    return money // PRESTIGE - (money - paid) // PRESTIGE


def ask_last_assistant(seen: Seen) -> Sentence:
    """Ask whether to collect money, and say what waiting would bring."""
    pays, crew = seen.setup.pays, ASSISTANTS[0]
    return Sentence(
        "Fund, all at once: {sums} F for 1 to {n}? Or pass: you are out, and only guards still protect you.",
        n=crew,
        sums=", ".join(str(pays[n]) for n in range(1, crew + 1)),
    )


def ask_parts(seen: Seen) -> Sentence:
    """Ask for a repair by a part, which costs nothing."""
    return Sentence(
        "Engine Parts repair a level of the engine for nothing. For money a level is {price} F, in a city "
        "{city} F.",
        price=part_price(seen.state, seen.setup, LEARNER),
        city=seen.setup.part_city,
    )


def ask_more_repair(seen: Seen) -> Sentence:
    """Ask whether another level is worth its price."""
    return Sentence(
        "In the end every full {unit} F is 1 prestige, and so is every level. Buy a level, or "
        "keep the money: done?",
        unit=PRESTIGE,
    )


def ask_funding(seen: Seen) -> Sentence:
    """Ask what to do before the last drive."""
    return Sentence("You have {n} F, and assistants on Funding. Which assistant now?", n=me(seen).money)


def tell_funding(tried: Tried) -> Sentence:
    """Say what the money is worth."""
    money = me(tried.after).money
    return Sentence(
        "Now {n} F: 1 prestige for every full {unit} F, so {points}.",
        n=money,
        points=money // PRESTIGE,
        unit=PRESTIGE,
    )


def tell_arrival(tried: Tried) -> Sentence:
    """Add up the prestige: after the step a new race may have begun."""
    mine = me(tried.before)
    money = mine.money // PRESTIGE
    return Sentence(
        "{first} for arriving first (second: {second}), engine {engine}, chassis {chassis}, {money} for "
        "{f} F: {sum} prestige. You win!",
        first=mine.prestige - mine.engine - mine.chassis - money,
        second=prestige_at(tried.before.state, tried.before.setup, LEARNER, 2)
        - mine.engine
        - mine.chassis
        - money,
        engine=mine.engine,
        chassis=mine.chassis,
        money=money,
        f=mine.money,
        sum=mine.prestige,
    )
