"""The list of tasks. An entry that is here never changes: a new version is an entry of its own."""

from __future__ import annotations

from paddock.core.errors import BadOption, brief
from paddock.core.i18n import _, mark
from paddock.core.wording import either
from paddock.tasks.task import Task

MILLION = 1_000_000

TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        Task(
            name="lacorsa-4-v1",
            says=mark("A race of four cars against a Club and two networks of different styles."),
            title_name="lacorsa",
            values={},
            opponents=("club", "lacorsa-4-works", "lacorsa-4"),
            games=2000,
            training=100 * MILLION,
            digest="1eca36561cfa7ef3057b283cb7966c06052a71c5a2f743b11921a5c127e5890e",
        ),
        Task(
            name="lacorsa-2-v1",
            says=mark("Two players with two cars each, against a network: what one wins the other loses."),
            title_name="lacorsa",
            values={},
            opponents=("lacorsa-2",),
            games=2000,
            training=100 * MILLION,
            digest="41d7d8e2b1fb0149beb92bb4549cf1cd422172590eb572813158c8792650b211",
        ),
        Task(
            name="lacorsa-5-v1",
            says=mark("A race of five cars against two Clubs and two networks."),
            title_name="lacorsa",
            values={},
            opponents=("club", "club", "lacorsa-5", "lacorsa-5"),
            games=2000,
            training=100 * MILLION,
            digest="235f39fedbb0437559ab3481bdbe0f06e865636f837ffadd25d4155af1eea62a",
        ),
        Task(
            name="large-grid-12-v1",
            says=mark("Twelve cars, pit stops and accidents: long hands, and eleven rivals to keep in mind."),
            title_name="lacorsa",
            values={"large_grid": True},
            opponents=("club",) * 6 + ("large-grid",) * 5,
            games=1200,
            training=100 * MILLION,
            digest="92c67f378f86e0d3a8c4369a60493cef66f4e55555ae47e43cd3d9db72802640",
        ),
        Task(
            name="lacorsa-pairs-4-v1",
            says=mark("Teams of two: race for a partner whom you have never met, and cannot talk to."),
            title_name="lacorsa",
            values={"pairs": "1-3/2-4"},
            opponents=("club", "club", "club"),
            games=2000,
            training=100 * MILLION,
            digest="a31b11a15feb6a6a102fe5970fcbbe013c52fa5850e293a6ea0a3fea7298a79a",
        ),
        Task(
            name="lacorsa-shift-4-v1",
            says=mark(
                "Train by the rulebook's numbers, and race by others: hands, bonuses, turns and points."
            ),
            title_name="lacorsa",
            values={
                "hand": 10,
                "redline_bonus": 4,
                "most_passes": 3,
                "leader_extends": 3,
                "points": "7,5,4,3,2,1",
            },
            training_values={"hand": 13},
            opponents=("club", "club", "club"),
            games=2000,
            training=100 * MILLION,
            digest="e3928183d38b891a8507b562c7325c862fe50c1957d889ce97ed156f2699342b",
        ),
        Task(
            name="rasant-4-v1",
            says=mark("Four players with hidden hands, against three Clubs."),
            title_name="rasant",
            values={},
            opponents=("club", "club", "club"),
            games=2000,
            training=100 * MILLION,
            digest="bbb479ab40f0f9814cecc8350fd9d91161e4b65f6926e9d72f351bf3d6e0b8b2",
        ),
        Task(
            name="rasant-2-v1",
            says=mark("Two players with hidden hands, against a Club: what one wins the other loses."),
            title_name="rasant",
            values={},
            opponents=("club",),
            games=2000,
            training=100 * MILLION,
            digest="e80d193cacaf8837ca1e2df86e0e89d01993b432be486b7d51e13d394a181a86",
        ),
        Task(
            name="rasant-tiny-2-v1",
            says=mark("Two cards each from a deck of six: small enough to be solved exactly."),
            title_name="rasant",
            values={
                "dealt": 2,
                "hand": 2,
                "deck": "2*r10+2*g20+b30+k30",
                "line": "krrgbyrgbygby",
            },
            opponents=("club",),
            games=4000,
            training=10 * MILLION,
            digest="0e2087cc0a21c4b006043d9fc79e306274afa83b040190a0917b23d7f9a8c409",
        ),
        Task(
            name="great-race-half-4-v1",
            says=mark("Plan a journey across half a continent: many decisions, and rivals in the way."),
            title_name="great_race",
            values={},
            opponents=("club", "great-race-half", "great-race-half"),
            games=200,
            training=100 * MILLION,
            digest="c0423310254cb1e7f40fe5f9288548f41283f4a93f323d514b9b21700426ef86",
        ),
    )
}


def task(name: str) -> Task:
    """Return the task of this name; raise ``BadOption`` with those that there are.

    >>> import paddock.tasks
    >>> paddock.tasks.task("lacorsa-4-v1").opponents
    ('club', 'lacorsa-4-works', 'lacorsa-4')
    """
    if name not in TASKS:
        sentence = _("there is no task “{name}”: choose {tasks}")
        raise BadOption([sentence.format(name=brief(name), tasks=either(TASKS))])
    return TASKS[name]
