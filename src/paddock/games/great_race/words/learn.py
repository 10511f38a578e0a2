"""The Great Race: the guided first race, on a small map, and a second one in ``planning``. Every card, tile
and move of the rival is written here. What is said about a decision is in ``judging`` and ``beside``.
"""

from __future__ import annotations

from paddock.core.course import Idea
from paddock.core.i18n import Sentence, mark
from paddock.core.title import Seen
from paddock.games.great_race.words import beside, judging, planning
from paddock.games.great_race.words.judging import tile

MAP = """\
title: First steps
west: AB
east: ZE YA
tiles: us
grid:
AB .. .. .. .. .. YA
.. .. .. MI .. .. ..
~~ .. .. .. ## .. ZE
cities:
AB Amber Bay 1
MI Midway 2
YA Yarrow 1
ZE Zenith 1
"""
OPTIONS = {"players": 2, "races": 2, "map": MAP, "finish": "ZE"}
SEATS = ("me", "club")
NAMES = ("Ada", "Bruno")
MINUTES = 13
GOAL = mark(
    "The most prestige wins. These points are for arriving early, for a sound engine and "
    "chassis, and for money."
)
INTRO = mark(
    "A short race on a small map. At first, what to choose glows. From the "
    "third space on you decide: the lesson says what your choice costs, and you can take it "
    "back."
)
SUMMARY = (
    mark("Your assistants: what each box is for, and how to plan them."),
    mark("How to scout, to drive, and to pay for a tile with petrol and damage."),
    mark("What dangers are, and who helps: a guard or the Militia."),
    mark("Cards, petrol and repairs, and how prestige decides the race."),
    mark("In a second race: how to reckon drives, roads and petrol, and plan a turn."),
)
OPENING = "-: 1; -: 1; -: jerrycan militia saboteur; 2: take saboteur"
_TURN_2 = "-: financial jerrycan guide; 2: take financial; 2: discard tracker"
_RIVAL_SABOTAGE = "2: play saboteur; 2: player 1; 2: engine; 2: engine"


def _arrived(seen: Seen, move: str) -> str:
    """The rival may go on until the turn is over; then the second race begins."""
    return planning.START if judging.rival_passed(seen) else f"2: pass; {planning.START}"


IDEAS = (
    Idea(
        mark(
            "A turn begins at the bivouac: one card more than players lies open. Your rival Bruno has "
            "one. Take Militia."
        ),
        "take militia",
        mark("Militia stops robbers. Bruno, last in turn order, took first and also gets the rest."),
        otherwise=beside.take,
    ),
    Idea(
        mark(
            "Plan in secret: Pathfinder 1 to scout, Mechanics 2 to drive, Security 1 to guard, "
            "Funding 1 for money."
        ),
        "plan 1-2-1-1",
        mark(
            "Revealed! Nobody may move assistants now; all come back next turn. The convoy: you use "
            "one each, in turn."
        ),
        "2: plan 0-3-0-2",
        otherwise=beside.plan,
    ),
    Idea(
        mark(
            "Your turn in it is a sequence: petrol, cards, then one assistant. Send the pathfinder to scout."
        ),
        "scout",
        mark(
            "Two tiles: place both where tiles, no matter whose, connect them with your vehicle, "
            "a half-track."
        ),
        "-: track gravel",
        otherwise=beside.scout,
    ),
    Idea(
        Sentence(
            "Driving onto track costs {track} petrol; onto gravel {gravel} petrol and {damage} damage. "
            "Place the track first.",
            track=tile("track").petrol,
            gravel=tile("gravel").petrol,
            damage=tile("gravel").damage,
        ),
        "tile track",
        otherwise=beside.first_tile,
    ),
    Idea(
        mark("Place it southeast of Amber Bay, beside your half-track: that is the way to Midway."),
        "1a",
        otherwise=beside.spot,
    ),
    Idea(
        mark("Place the gravel northwest of Midway, so that a way leads to that city."),
        "2b",
        mark("Bruno uses an assistant, too: he drives one space, over your track, and halts."),
        "2: drive; 2: 1a; 2: halt",
        otherwise=beside.spot,
    ),
    Idea(
        judging.ask_first_drive,
        "drive",
        otherwise=beside.first_drive,
    ),
    Idea(
        mark(
            "The first step: onto the track. On unknown land “payable” says how many of the tiles you could "
            "pay for."
        ),
        "1a",
        otherwise=beside.spot,
    ),
    Idea(
        Sentence(
            "The second step: onto gravel, for {petrol} petrol and {damage} damage. “Danger” says how many "
            "have robbers (a triangle).",
            petrol=tile("gravel").petrol,
            damage=tile("gravel").damage,
        ),
        "2b",
        otherwise=beside.spot,
    ),
    Idea(
        mark(
            "You decide: engine or chassis? Engine levels are steps, chassis levels the cards that "
            "you may hold at most."
        ),
        judging.gauge_to_spare,
        judging.tell_damage,
        judge=judging.damage,
    ),
    Idea(
        mark(
            "You have steps left. A city costs 1 petrol, ends the drive and gives cards: Midway two. "
            "Where to?"
        ),
        "MI",
        mark("Two cards: a Jerrycan is petrol, Engine Parts repair the engine."),
        "-: jerrycan engine-parts; 2: fund",
        judging.step,
    ),
    Idea(
        judging.ask_petrol,
        "buy 3",
        judging.tell_petrol,
        judge=judging.petrol,
        otherwise=beside.before_petrol,
    ),
    Idea(
        mark(
            "Mechanics drives, Funding earns. Security waits as a guard, or clears a tile away. Which "
            "one now?"
        ),
        "drive",
        mark("Unknown land: a tile is drawn there. Known land you may enter only if you can pay."),
        judge=judging.action,
        otherwise=beside.other_action,
    ),
    Idea(
        mark(
            "Cannot pay? You turn back, pay nothing, and the drive ends. Dark spaces (risk) take 1 petrol "
            "more. Where to?"
        ),
        "4b",
        mark("Outlaws! The triangle is a danger: two damage, unless you avoid it."),
        "-: outlaws",
        judging.step,
    ),
    Idea(
        mark(
            "A guard, your assistant on Security, avoids a danger once. So does Militia. Or take two damage?"
        ),
        judging.help_against_danger,
        mark("The danger is avoided, and you drive on."),
        judge=judging.danger,
    ),
    Idea(
        mark("You have steps and petrol left. Zenith is two steps away. Where to?"),
        "5b",
        Sentence(
            "A canyon: {petrol} petrol, {damage} damage, and a stop sign, which ends the drive.",
            petrol=tile("canyon").petrol,
            damage=tile("canyon").damage,
        ),
        "-: canyon",
        judging.step,
    ),
    Idea(
        judging.ask_canyon,
        "decline",
        mark("Paid: you are on the canyon now, and it does damage."),
        judge=judging.other_card,
    ),
    Idea(
        mark("Damage again: engine or chassis? Think of the card that you drew in Midway."),
        judging.gauge_to_spare,
        judging.tell_damage,
        judge=judging.damage,
    ),
    Idea(
        mark("A stop sign ends the drive here. The card Guide would lead past it, and you have none."),
        "decline",
        mark("Bruno follows over your tiles, and draws two cards in Midway."),
        "2: drive; 2: 2b; 2: chassis; 2: MI; -: toolbox tracker",
        judging.other_card,
    ),
    Idea(
        judging.ask_last_assistant,
        "fund",
        judging.tell_last_assistant,
        lambda seen, move: (
            "2: pass" if judging.guard_stays(seen) and move != "pass" else f"2: pass; {_TURN_2}"
        ),
        judging.action,
        otherwise=beside.other_action,
    ),
    Idea(
        mark(
            "Only your guard is left, and stays after a pass: it waits for a danger. Nothing else to "
            "do: pass."
        ),
        "pass",
        judging.tell_turn_2,
        _TURN_2,
        when=judging.only_guard,
        otherwise=beside.other_action,
    ),
    Idea(
        mark("The bivouac again: a Jerrycan, petrol at any time, or a Guide, who leads past a stop sign?"),
        "take jerrycan",
        mark("Bruno got the Guide. His chassis has 4 levels: he discards his fifth card."),
        "2: discard toolbox",
        judging.bivouac,
    ),
    Idea(
        mark("Zenith is one step away. You want a repair, a drive, a guard, and money. What is your plan?"),
        "plan 0-2-1-2",
        mark("Bruno has four on Mechanics, and no guard."),
        "2: plan 0-4-0-1",
        judging.plan,
    ),
    Idea(
        mark(
            "Bruno holds a Saboteur. Each level of engine and chassis will be 1 prestige. Which assistant "
            "first?"
        ),
        "repair",
        judge=judging.action,
        otherwise=beside.other_action,
    ),
    Idea(
        judging.ask_parts,
        "play engine-parts",
        judge=judging.mending,
        when=judging.can("play engine-parts"),
        otherwise=beside.chassis_level,
    ),
    Idea(
        judging.ask_more_repair,
        "done",
        mark("Bruno plays Saboteur against you, and chose the engine."),
        _RIVAL_SABOTAGE,
        judging.mending,
        judging.can("done"),
        beside.chassis_level,
    ),
    Idea(
        mark("Two levels! A card with a triangle is a danger, too. Who helps?"),
        judging.help_against_danger,
        mark("The Saboteur fails. Bruno collects money."),
        "2: fund",
        judging.last_danger,
        judging.can("decline"),
    ),
    Idea(
        judging.ask_funding,
        "fund",
        judging.tell_funding,
        "2: pass",
        judging.action,
        judging.can("fund"),
        beside.other_action,
    ),
    Idea(
        mark("Everything is ready. Which assistant brings you to Zenith?"),
        "drive",
        judge=judging.action,
        otherwise=beside.other_action,
    ),
    Idea(
        mark(
            "The last step. Who arrives loses all cards; engine, chassis and money count. The others finish "
            "the turn."
        ),
        "ZE",
        judging.tell_arrival,
        _arrived,
        judging.step,
    ),
    *planning.IDEAS,
)
LAST = mark(
    "A real race has a larger map, more players and more cards. A crew that has not arrived when "
    "the turn ends gets nothing."
)
