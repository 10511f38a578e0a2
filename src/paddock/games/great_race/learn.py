"""The Great Race: the guided first race, on a small map. Every card, tile and move of the rival is written
here."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.core.pages import Idea

MAP = """\
title: First steps
west: AB
east: ZE YA
tiles: us
grid:
AB .. .. .. .. .. YA
.. .. .. MI .. .. ..
~~ .. .. .. .. .. ZE
cities:
AB Amber Bay 1
MI Midway 2
YA Yarrow 1
ZE Zenith 1
"""
OPTIONS = {"players": 2, "races": 1, "map": MAP, "finish": "ZE"}
SEATS = ("me", "club")
NAMES = ("Ada", "Bruno")
MINUTES = 10
INTRO = mark(
    "A short race on a small map, two turns long: about ten minutes. Each step explains one idea, and what "
    "to choose glows. You may choose something else: you see what happens, and can try again."
)
SUMMARY = (
    mark("Five assistants: what each box is for, and how to plan them."),
    mark("How to scout, to drive, and to pay for a tile with petrol and damage."),
    mark("What dangers are, and who helps: a guard or the Militia."),
    mark("Cards, petrol and repairs, and how prestige decides the race."),
)
OPENING = "-: 1; -: 1; -: jerrycan militia saboteur; 2: take saboteur"

IDEAS = (
    Idea(
        mark("The bivouac: everybody takes a card, the last one first. Take Militia: it avoids a danger."),
        "take militia",
    ),
    Idea(
        mark("Five assistants, in secret: 1 on Pathfinder, 2 on Mechanics, 1 on Security, 1 on Funding."),
        "plan 1-2-1-1",
        mark("All plans are revealed. Bruno has 3 on Mechanics and 2 on Funding."),
        "2: plan 0-3-0-2",
    ),
    Idea(
        mark("A sequence: petrol, cards, then one assistant. Unknown land is a risk, so scout first."),
        "scout",
        mark("Two tiles from the bag: you place both, connected with your half-track."),
        "-: track gravel",
    ),
    Idea(
        mark("Track costs 1 petrol; gravel 1 petrol and 1 damage. Place the track first."),
        "tile track",
    ),
    Idea(
        mark("Place the track southeast of Amber Bay, beside your half-track."),
        "1a",
    ),
    Idea(
        mark("Place the gravel northwest of Midway. It leads to that city."),
        "2b",
        mark("Your assistant is used. Bruno drives one space over your track, and halts."),
        "2: drive; 2: 1a; 2: halt",
    ),
    Idea(
        mark("Drive, with an assistant on Mechanics. Your engine has 5 levels: up to 5 steps."),
        "drive",
    ),
    Idea(
        mark("The first step: the track southeast of Amber Bay, for 1 petrol."),
        "1a",
    ),
    Idea(
        mark("The second step: the gravel northwest of Midway, for 1 petrol and 1 damage."),
        "2b",
    ),
    Idea(
        mark(
            "You choose the gauge. The engine gives steps, the chassis holds cards: let the chassis take it."
        ),
        "chassis",
    ),
    Idea(
        mark("The third step: into Midway, for 1 petrol. A city ends the drive and gives you cards."),
        "MI",
        mark("Two cards: Jerrycan and Engine Parts. Bruno collects funding."),
        "-: jerrycan engine-parts; 2: fund",
    ),
    Idea(
        mark("Petrol comes first in a sequence. It costs 10 F a level in a city, 20 F elsewhere: buy 3."),
        "buy 3",
    ),
    Idea(
        mark("Drive again. Beyond Midway the land is unknown: each tile is drawn when you get there."),
        "drive",
    ),
    Idea(
        mark("Explore the land northeast of Midway. If you could not pay for its tile, you would turn back."),
        "4b",
        mark("Outlaws: a danger. It would mean two more damage."),
        "-: outlaws",
    ),
    Idea(
        mark("Outlaws, a danger: two more damage. Your guard avoids it. Militia would, too: keep that card."),
        "guard",
    ),
    Idea(
        mark("You have steps left. Explore the land northwest of Zenith."),
        "5b",
        mark("A canyon: 2 petrol, 1 damage, and a stop sign."),
        "-: canyon",
    ),
    Idea(
        mark("A canyon: 2 petrol and 1 damage. You have enough petrol, so keep the Jerrycan: pay and go on."),
        "decline",
    ),
    Idea(
        mark("Damage again. Let the engine take it: you have a part to repair it with."),
        "engine",
    ),
    Idea(
        mark("The stop sign ends the drive. Only a Guide would help, and you have none: stop here."),
        "decline",
        mark("Bruno follows over your tiles and draws two cards in Midway."),
        "2: drive; 2: 2b; 2: chassis; 2: MI; -: toolbox tracker",
    ),
    Idea(
        mark("Your last assistant: funding. One brings 10 F; more of them bring much more together."),
        "fund",
        mark("You are ahead, so you go first in turn 2 and get 20 F. Bruno may hold only four cards."),
        "2: pass; -: financial jerrycan guide; 2: take financial; 2: discard tracker",
    ),
    Idea(
        mark("Turn 2, the bivouac again. Take Jerrycan: 1 petrol at any time."),
        "take jerrycan",
        mark("Bruno gets the Guide, and discards a card."),
        "2: discard toolbox",
    ),
    Idea(
        mark("Zenith is near. Plan 2 on Mechanics, to repair and drive, 1 on Security, 2 on Funding."),
        "plan 0-2-1-2",
        mark("Bruno has no guard, and he has a Saboteur."),
        "2: plan 0-4-0-1",
    ),
    Idea(
        mark("Each level of engine and chassis is 1 prestige when you arrive. So repair first."),
        "repair",
    ),
    Idea(
        mark("Play Engine Parts: one level of the engine, free."),
        "play engine-parts",
    ),
    Idea(
        mark("Buy nothing: 50 F are 1 prestige, and a level would cost you 40 F. The repair is done."),
        "done",
        mark("Bruno plays Saboteur: you would lose two levels of the engine."),
        "2: play saboteur; 2: player 1; 2: engine; 2: engine",
    ),
    Idea(
        mark("A card with a triangle is a danger, too. Your guard makes it fail."),
        "guard",
        mark("The Saboteur fails. Bruno collects funding."),
        "2: fund",
    ),
    Idea(
        mark("You have 80 F. Two on Funding bring 20 F: 100 F are 2 prestige."),
        "fund",
        mark("Bruno passes: his turn is over."),
        "2: pass",
    ),
    Idea(
        mark("The last assistant: drive to Zenith."),
        "drive",
    ),
    Idea(
        mark("Enter Zenith. Who arrives loses all cards; gauges and money count."),
        "ZE",
        mark("5 for arriving first, 5 engine, 4 chassis, 2 for 100 F: 16 prestige. You win!"),
    ),
)
LAST = mark(
    "The others would finish their turn, and only those who arrive are ranked. A real race has more players, "
    "and cards such as Saboteur and Siphoner. Race on a half map, or read the rules."
)
