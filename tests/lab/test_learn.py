"""``study --beside --learn``: who learns what, how both kinds of players are compared, and the report."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from html import unescape
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lab.test_beside import Open
from paddock.bots.champion import shipped
from paddock.bots.network import Network
from paddock.core.errors import PaddockError
from paddock.core.recipe import Recipe
from paddock.core.title import Title, title
from paddock.lab import Beside, beside, learn
from paddock.lab.beside_report import report
from paddock.lab.differences import AGREE, DISAGREE, Gap, Pair, Quantity, flag, gap
from paddock.lab.figures import Ratio
from paddock.lab.learn import Pupil, pupils
from paddock.lab.survey import one_among, play_survey
from paddock.lab.training import recipe_for
from terminal.test_cli import refused

LACORSA, RASANT = title("lacorsa"), title("rasant")
GAMES, DEALS = 80, 2000


def options(name: Title = LACORSA, **values: Any) -> Any:
    return name.options.read({**name.one_round, **values})


# ---- two kinds of players -----------------------------------------------------------------------------


def pair(change: float, seed: int) -> Pair:
    """A figure that is 5 in A and so much more in B, with noise of every deal."""
    rng = np.random.default_rng(seed)
    a, b = (
        Quantity("end", "Margin", "", Ratio(rng.normal(mean, 1, DEALS), np.ones(DEALS)))
        for mean in (5, 5 + change)
    )
    return Pair(a, b)


def judged(*changes: tuple[float, float]) -> tuple[Gap, ...]:
    """Compare figures with these differences among levels and networks."""
    pairs = [(pair(level, 2 * k), pair(network, 2 * k + 1)) for k, (level, network) in enumerate(changes)]
    differences = [level.difference(str(k), "") for k, (level, _network) in enumerate(pairs)]
    return flag(differences, [gap(str(k), *both, "") for k, both in enumerate(pairs)])[1]


def test_both_agree_or_one_says_what_the_other_rules_out() -> None:
    made = judged((0.5, 0.3), (0.5, -0.5), (0.5, 0), (0, -0.5), (0, 0))
    assert [of.verdict for of in made] == [AGREE, DISAGREE, DISAGREE, DISAGREE, ""]
    assert [of.level.flagged for of in made] == [True, True, True, False, False]
    assert made[1].change.value == pytest.approx(made[1].network.change.value - made[1].level.change.value)
    assert made[1].change.error == pytest.approx(2 * 1.96 / DEALS**0.5, rel=0.1)  # of four equal errors
    pattern = r"Margin, B less A: \+0\.\d\d ± 0\.0\d with club, but −0\.\d\d ± 0\.0\d with networks\."
    assert re.fullmatch(pattern, made[1].sentence("club"))


def test_one_that_only_misses_what_the_other_sees_does_not_disagree() -> None:
    """0.16 is five times its error, 0.10 three times: between both is nothing beyond chance."""
    (of, *_others) = judged((0.16, 0.10), *[(0.0, 0.0)] * 30)
    assert of.level.flagged and not of.network.flagged and of.verdict == ""


def test_figures_of_both_players_are_corrected_together() -> None:
    """A difference that stands alone falls among the figures of two players."""
    seen = pair(0.11, 4)
    alone, none = flag([seen.difference("0", "")], [])
    assert none == () and alone[0].flagged and alone[0].probability < 0.01
    others = [pair(0, 20 + k) for k in range(40)]
    made, gaps = flag(
        [of.difference(str(k), "") for k, of in enumerate([seen, *others])],
        [gap(str(k), of, of, "") for k, of in enumerate([seen, *others])],
    )
    assert len(gaps) == 41 and not made[0].flagged


# ---- who learns ---------------------------------------------------------------------------------------


def test_champion_plays_what_it_learned_and_begins_where_numbers_are_others() -> None:
    known, other = pupils((LACORSA, options()), (LACORSA, options(redline_bonus=3)))
    assert (known.knows, known.name, other.knows, other.name) == (True, "4", False, "4")
    assert other.begin is shipped(LACORSA, "4")
    assert other.recipe.rivals == {"club": 1.0} and not other.recipe.begin and not other.recipe.others
    assert other.recipe.options["redline_bonus"] == 3 and other.recipe.hidden == 192


def test_a_race_of_any_kind_that_a_learner_played_is_known() -> None:
    race = title("great_race")
    kinds = [options(race, players=5, map="asia"), options(race, players=5, map="usa")]
    assert [of.knows for of in pupils(*((race, kind) for kind in kinds))] == [True, False]


def test_a_title_without_networks_begins_with_nothing_or_with_weights_that_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other, own = pupils((RASANT, options(RASANT)), (LACORSA, options()))
    assert (other.begin, other.name, other.knows) == (None, "", False) and own.name == "4"
    copied = SimpleNamespace(short_features=LACORSA.short_features)
    borrowed = learn._borrowed(replace(own, title=copied, begin=None, name="", knows=False), own)  # type: ignore[arg-type]
    assert borrowed and borrowed.begin is own.begin and borrowed.name == "4" and not borrowed.knows
    monkeypatch.setattr(learn, "shipped", lambda title, name: Network.new(3, 4, 1))
    with pytest.raises(PaddockError, match=r"4\.npz: this network does not play LACORSA"):
        pupils((LACORSA, options()))


@pytest.mark.parametrize(
    ("seconds", "games", "updates"), [(100, 100, 100), (20, 80, 25), (3, 20, 15), (0.1, 20, 1)]
)
def test_where_time_is_short_updates_have_fewer_games(
    seconds: float, games: int, updates: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """20 games, which are the least, take 0.2 seconds."""
    monkeypatch.setattr(learn, "seconds_of_update", lambda title, recipe, *rest: recipe.games / 100)
    pupil = Pupil(RASANT, options(RASANT), Recipe({}, 126, games=100), None, "", False)
    made = learn._in_time(pupil, seconds, 1)
    assert (made.games, made.updates) == (games, updates)


@pytest.mark.slow("compiles what networks take where no cache has it")
def test_a_level_among_networks_is_played_as_a_match_plays_it() -> None:
    """Champion's network beats Clubs by as much as docs/champion.md says: +1.707 ± 0.040."""
    network, chosen = shipped(LACORSA, "4"), options()
    assert isinstance(network, Network)
    sample = play_survey(LACORSA, chosen, 200, 3, one_among(1, 0, 4), [3, 4], networks=[network])
    points = sample.by_player(sample.scores)
    assert (points[sample.level == 1] - points.mean()).mean() == pytest.approx(1.707, abs=0.4)
    again = play_survey(LACORSA, chosen, 20, 3, one_among(1, 0, 4), [3, 4], networks=[network])
    assert again.same(sample.part(slice(0, 20)))


# ---- the report ---------------------------------------------------------------------------------------


def brief(name: Title, values: Mapping[str, Any]) -> Recipe:
    return replace(recipe_for(name, values), games=40, learners=1, batch=256)


@cache
def lacorsa() -> Beside:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learn, "recipe_for", brief)
        return beside("lacorsa", None, None, {"redline_bonus": 5}, GAMES, 5, updates=2)


@pytest.mark.slow("compiles what training and networks take where no cache has it")
def test_networks_play_the_study_beside_clubs() -> None:
    made = lacorsa()
    a, b = made.players["a"], made.players["b"]
    assert (a.learned.updates, a.before) == (0, None) and a.learned.network is shipped(LACORSA, "4")
    assert (b.learned.updates, b.learned.games, b.learned.begin) == (2, 80, "4")
    assert a.strength.low > 0 and b.before is not None and b.before.low > 0
    names = [of.level.name for of in made.gaps]
    assert names == [of.name for of in made.differences if of.name != "skill"]
    assert made["decisions"].a.value != made.gaps[names.index("decisions")].network.a.value


def test_networks_change_nothing_of_what_levels_play() -> None:
    alone = beside("lacorsa", None, None, {"redline_bonus": 5}, GAMES, 5)
    unflagged = (
        [replace(of, flagged=False, saved=0) for of in made.differences] for made in (alone, lacorsa())
    )
    assert len({repr(of) for of in unflagged}) == 1
    assert (alone.players, alone.gaps) == ({}, ())


def test_files_have_rows_for_both_players() -> None:
    made = lacorsa()
    rows = list(csv.DictReader(io.StringIO(made.csv)))
    assert {row["players"] for row in rows} == {"club", "networks"}
    assert len(rows) == len(made.differences) + len(made.gaps)
    plain = json.loads(made.json)["networks"]
    assert plain["players"]["b"]["updates"] == 2 and len(plain["differences"]) == len(made.gaps)
    verdicts = {of.level.name: of.verdict for of in made.gaps}
    assert all(row["verdict"] == verdicts.get(row["name"], "") for row in rows)


def test_the_page_and_the_text_say_who_played_and_what_they_disagree_on() -> None:
    level = lacorsa().gaps[0]
    certain = replace(level, flagged=True, level=replace(level.level, flagged=True))
    made = replace(lacorsa(), gaps=(certain, *lacorsa().gaps[1:]))
    assert made.judged(DISAGREE)[0] is certain
    page, text = unescape(re.sub("<[^>]*>", "", report(made))), str(made)
    for sentence in (*made.about_players, made.agreement, certain.sentence("club")):
        assert sentence in page and sentence in text, sentence
    assert "Champion's “4”, which learned these rules" in text and "2 updates with 80 games" in text
    parser = Open()
    parser.feed(report(made))
    assert not parser.elements


@pytest.mark.slow("compiles what training and networks take where no cache has it")
def test_a_title_without_networks_says_that_it_learned_from_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learn, "recipe_for", brief)
    seen: list[tuple[int, int]] = []
    made = beside(
        "rasant", {"players": 2}, None, {"round_end": "all"}, GAMES, 5, updates=1,
        progress=lambda *of: seen.append(of),
    )  # fmt: skip
    assert all("from nothing, 1 update with 40 games" in sentence for sentence in made.about_players)
    assert sum(done for done, _total in seen) == seen[-1][1]


# ---- errors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("minutes", [0, -1, float("nan"), float("inf")])
def test_minutes_are_a_time(minutes: float) -> None:
    with pytest.raises(PaddockError, match="give minutes above 0"):
        beside("lacorsa", None, None, {"redline_bonus": 5}, GAMES, learn=minutes)


def test_updates_are_at_least_one() -> None:
    with pytest.raises(PaddockError, match="updates=0: give a whole number from 1"):
        beside("lacorsa", None, None, {"redline_bonus": 5}, GAMES, updates=0)


def test_rules_without_a_recipe_are_refused_before_anything_is_played() -> None:
    with pytest.raises(PaddockError, match="has no networks for these options"):
        beside("lacorsa", {"incidents": "yes"}, None, {"redline_bonus": 5}, GAMES, learn=1)


def test_learn_needs_another_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--learn needs --beside" in refused(capsys, "study", "lacorsa", "--learn", "1")
