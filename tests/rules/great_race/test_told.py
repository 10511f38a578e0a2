"""What everybody is told of each action: the log, the page and the board are written from it alone."""

from __future__ import annotations

from typing import Any

import pytest

from .roads import road
from .scenes import Race, scene

ROAD = "AA .. .. .. .. BB"
CREWS = {1: "1-1-1-1"}

# Each line: what is there, and moves with what each of them tells
Told = list[tuple[str, list[str]]]
TOLD: dict[str, tuple[dict[str, Any], Told]] = {
    "GR-5.2 petrol": ({"petrol": {1: 1}}, [("1:buy 3", ["bought 1 3 30"])]),
    "GR-5.4 a pass": ({"crews": {1: "1-0-0-0", 2: "1-0-0-0"}}, [("1:pass", ["passed 1"])]),
    "GR-6.2 supply": (
        {"deck": "2*guide"},
        [("1:supply", ["used 1 supply"]), ("0:guide", ["drew 1 guide (to [1])"])],
    ),
    "GR-6.3 parts": (
        {"engine": {1: 3}, "chassis": {1: 2}, "hands": {1: "engine-parts chassis-parts"}},
        [
            ("1:repair", ["used 1 repair"]),
            ("1:play engine-parts", ["played 1 engine-parts", "mended 1 engine 0"]),
            ("1:play chassis-parts", ["played 1 chassis-parts", "mended 1 chassis 0"]),
            ("1:buy-engine", ["mended 1 engine 20"]),
            ("1:buy-chassis", ["mended 1 chassis 20"]),
            ("1:done", []),
        ],
    ),
    "GR-6.10 a Toolbox, level by level, and the rest at once": (
        {"engine": {1: 4}, "chassis": {1: 1}, "hands": {1: "toolbox"}},
        [
            ("1:repair", ["used 1 repair"]),
            ("1:play toolbox", ["played 1 toolbox"]),
            ("1:engine", ["mended 1 engine 0", "mended 1 chassis 0", "mended 1 chassis 0"]),
        ],
    ),
    "GR-6.10 a Toolbox for one gauge": (
        {"engine": {1: 1}, "hands": {1: "toolbox"}},
        [
            ("1:repair", ["used 1 repair"]),
            ("1:play toolbox", ["played 1 toolbox", *["mended 1 engine 0"] * 3]),
        ],
    ),
    "GR-7.5 unknown land": (
        {"bag": "gravel track"},
        [
            ("1:drive", ["used 1 drive"]),
            ("1:1a", []),
            ("0:gravel", ["explored 1 1a gravel"]),
            ("1:decline", ["drove 1 1a 1"]),
            ("1:chassis", ["harmed 1 chassis 1"]),
            ("1:halt", ["halted 1"]),
        ],
    ),
    "GR-7.2 damage that only one gauge can take": (
        {"tiles": {"1a": "scree"}, "chassis": {1: 0}, "crews": {1: "0-1-0-1"}},
        [("1:drive", ["used 1 drive"]), ("1:1a", ["drove 1 1a 2", "harmed 1 engine 2"])],
    ),
    "GR-7.6 a stop sign, and a Guide": (
        {"tiles": {"1a": "ford", "2a": "herd-crossing"}, "hands": {1: "guide"}},
        [
            ("1:drive", ["used 1 drive"]),
            ("1:1a", ["drove 1 1a 2"]),
            ("1:play guide", ["played 1 guide"]),
            ("1:2a", ["drove 1 2a 1", "stopped 1"]),
        ],
    ),
    "GR-7.3 a guard": (
        {"tiles": {"1a": "outlaws"}},
        [("1:drive", ["used 1 drive"]), ("1:1a", []), ("1:guard", ["guarded 1 guard", "drove 1 1a 1"])],
    ),
    "GR-7.3 a Militia": (
        {"tiles": {"1a": "outlaws"}, "hands": {1: "militia"}, "crews": {1: "0-1-0-1"}},
        [
            ("1:drive", ["used 1 drive"]),
            ("1:1a", []),
            ("1:play militia", ["played 1 militia", "guarded 1 play militia", "drove 1 1a 1"]),
        ],
    ),
    "GR-10.1 a Trail Hunter": (
        {"tiles": {"1a": "mud", "3a": "ford"}, "hands": {1: "trail-hunter"}},
        [
            ("1:play trail-hunter", ["played 1 trail-hunter"]),
            ("1:3a", []),
            ("1:1a", ["removed 1 3a ford", "removed 1 1a mud"]),
        ],
    ),
    "GR-10.2 a Saboteur": (
        {"hands": {1: "saboteur"}},
        [
            ("1:play saboteur", ["played 1 saboteur"]),
            ("1:player 2", ["targeted 1 2 saboteur"]),
            ("1:chassis", []),
            ("1:engine", ["harmed 2 engine 1", "harmed 2 chassis 1"]),
        ],
    ),
    "GR-10.2 a Saboteur on one gauge": (
        {"hands": {1: "saboteur"}},
        [
            ("1:play saboteur", ["played 1 saboteur"]),
            ("1:player 2", ["targeted 1 2 saboteur"]),
            ("1:chassis", []),
            ("1:chassis", ["harmed 2 chassis 2"]),
        ],
    ),
    "GR-10.8 a Financial": (
        {"hands": {1: "financial"}},
        [("1:play financial", ["played 1 financial", "earned 1 30"])],
    ),
    "GR-10.10 a Jerrycan": (
        {"hands": {1: "jerrycan"}, "petrol": {1: 1}},
        [("1:play jerrycan", ["played 1 jerrycan", "filled 1 1"])],
    ),
    "GR-10.11 a Refueling Station": (
        {"hands": {1: "refueling-station"}, "petrol": {1: 2}},
        [("1:play refueling-station", ["played 1 refueling-station", "filled 1 3"])],
    ),
    "GR-10.16 a Ransom": (
        {"hands": {1: "ransom"}, "money": {2: 15}},
        [
            ("1:play ransom", ["played 1 ransom"]),
            ("1:player 2", ["targeted 1 2 ransom", "lost money 2 15"]),
        ],
    ),
    "GR-10.17 a Siphoner": (
        {"hands": {1: "siphoner"}, "petrol": {2: 1}},
        [
            ("1:play siphoner", ["played 1 siphoner"]),
            ("1:player 2", ["targeted 1 2 siphoner", "lost petrol 2 1"]),
        ],
    ),
    "GR-10.18 Customs": (
        {"hands": {1: "customs", 2: "guide driver"}},
        [
            ("1:play customs", ["played 1 customs"]),
            ("1:player 2", ["targeted 1 2 customs"]),
            ("2:discard driver", ["discarded 2 driver"]),
            ("2:discard guide", ["discarded 2 guide"]),
        ],
    ),
    "GR-10.19 a Topographer": (
        {"hands": {1: "topographer"}, "bag": "mud ford track hills"},
        [
            ("1:play topographer", ["played 1 topographer"]),
            ("0:mud", ["drew tile 1 mud"]),
            ("0:ford", ["drew tile 1 ford"]),
            ("0:track", ["drew tile 1 track"]),
            ("0:hills", ["drew tile 1 hills"]),
            ("1:tile track", []),
            ("1:tile ford", ["removed 1 - mud", "removed 1 - hills"]),
            ("1:tile ford", []),
            ("1:1a", ["placed 1 ford 1a"]),
            ("1:2a", ["placed 1 track 2a"]),
        ],
    ),
    "GR-10.22 a card that is cancelled": (
        {"hands": {1: "ransom"}, "crews": {1: "0-1-0-0", 2: "0-0-1-0"}},
        [
            ("1:play ransom", ["played 1 ransom"]),
            ("1:player 2", ["targeted 1 2 ransom"]),
            ("2:guard", ["guarded 2 guard", "cancelled 2 ransom"]),
        ],
    ),
    "GR-11.1 Cook": (
        {"tiles": {"1a": "mud"}, "leaders": ("cook", "li"), "crews": {1: "0-0-0-1"}},
        [("1:cook-clears", ["used 1 cook-clears"]), ("1:1a", ["removed 1 1a mud"])],
    ),
    "GR-11.5 Kate": (
        {"leaders": ("kate", "li"), "hands": {2: "guide"}},
        [
            ("1:steal", ["used 1 steal"]),
            ("1:player 2", ["targeted 1 2 -"]),
            ("2:pay", ["paid off 2 1 20"]),
        ],
    ),
    "GR-11.5 Kate's theft": (
        {"leaders": ("kate", "li"), "hands": {2: "guide"}, "money": {2: 19}},
        [
            ("1:steal", ["used 1 steal"]),
            ("1:player 2", ["targeted 1 2 -"]),
            ("0:guide", ["stole 1 2 guide (to [1, 2])"]),
        ],
    ),
}


@pytest.mark.parametrize("case", TOLD)
def test_what_is_told(case: str) -> None:
    """GR-5 to GR-11: each step of an action tells what it did, in this order, and nothing else."""
    words, steps = TOLD[case]
    race: Race = scene(ROAD, **{"crews": CREWS, **words})
    for move, told in steps:
        race.run(move)
        # where an action was the last of the convoy, the next game turn follows
        lines = [line for line in race.told if not line.startswith(("ordered", "turn "))]
        assert lines == told, move


def test_a_lane_tells_its_fare_and_its_cards() -> None:
    """GR-7.9 what the Transport cards took off is not paid; the fare left is."""
    race = scene(
        "AA .. CC .. .. BB", lanes=["AA CC air 80"], hands={1: "transport"}, crews={1: "0-2-0-0"}
    ).run("1:drive, 1:play transport")
    assert race.told == ["played 1 transport"]
    assert race.run("1:CC").told == ["flew 1 CC 30"]


def test_a_return_tells_where_the_vehicle_is() -> None:
    """GR-7.5 the space that the step left."""
    race = road("track", petrol={1: 2}, bag="mud").run("1:drive, 1:1a, 1:2a, 0:mud")
    assert race.told == ["explored 1 2a mud", "turned back 1 1a"]


def test_an_arrival_tells_the_hand_and_the_place() -> None:
    """GR-9.1 cards go face up onto the pile before the place of arrival is told; then the results."""
    race = scene(
        ROAD, at={1: "4a"}, tiles={"4a": "track"}, hands={1: "2*guide driver"}, crews={1: "0-1-1-0"}
    ).run("1:drive, 1:BB")
    assert race.told == [
        "drove 1 BB 1", "discarded 1 driver", "discarded 1 guide", "discarded 1 guide", "arrived 1 1",
        "ended 1 1 16", "ended 2 0 0",
    ]  # fmt: skip
