"""What survivors.txt says of a mutant is said of one that there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.titles import RULES

import mutate
from paddock.core.title import Title


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_every_survivor_with_a_reason_is_a_mutant_of_todays_rules(title: Title) -> None:
    """A change of the rules may have made a line stale."""
    folder = mutate.GAMES / title.name
    known = mutate.reasons(Path(__file__).parent / title.name / "survivors.txt").keys()
    functions = {what.partition(":")[0] for what in known}
    mutants = set().union(*(mutate.names(folder, module, functions) for module in title.kernel))
    assert known and known <= mutants


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    every = list(mutate.mutants(mutate.GAMES / "lacorsa", "rules.large_grid", None))
    sample = mutate.some_of(every, 40, 1)
    assert len(sample) == 40
    assert sample == mutate.some_of(every, 40, 1) != mutate.some_of(every, 40, 2)
    assert sample == sorted(sample, key=every.index)
    assert mutate.some_of(every, None, 1) == mutate.some_of(every, len(every), 1) == every
    assert {one.module for one in sample} == {"rules.large_grid"}


def test_the_names_of_mutants_are_what_they_are() -> None:
    folder = mutate.GAMES / "rasant"
    named = mutate.names(folder, "rules.rules", {"legal", "who"})
    assert named == {
        one.what for only in ("legal", "who") for one in mutate.mutants(folder, "rules.rules", only)
    }
    assert len(named) > 10


def test_one_function_or_one_module_is_mutated_alone() -> None:
    folder = mutate.GAMES / "lacorsa"
    drop = list(mutate.mutants(folder, "rules.large_grid", "drop"))
    assert {one.what.partition(":")[0] for one in drop} == {"drop"}
    assert len(list(mutate.mutants(folder, "rules.large_grid", "large_grid"))) > 4 * len(drop)
    assert list(mutate.mutants(folder, "rules.race", "large_grid")) == []
