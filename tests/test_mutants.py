"""`make mutate ROOM=…`: survivors.txt speaks of mutants that there are, and a mutant is what runs."""

from __future__ import annotations

import ast
import gc
from pathlib import Path

import pytest

import mutate
import mutate_rooms
from paddock.records import reader
from paddock.store import terms

HERE = Path(__file__).parent


@pytest.mark.parametrize("room", mutate_rooms.TESTS)
def test_every_survivor_with_a_reason_is_a_mutant_of_today(room: str) -> None:
    """A change of the room may have made a line stale."""
    known = mutate.reasons(HERE / room / "survivors.txt").keys()
    assert known <= mutate_rooms.names(room, {what.partition(":")[0] for what in known})


def test_methods_are_mutated_and_what_runs_at_import_is_not() -> None:
    every = list(mutate_rooms.mutants("records.reader"))
    functions = {one.what.partition(":")[0] for one in every}
    assert {"records.reader._eyes", "records.reader._Lines.number"} <= functions
    only = list(mutate_rooms.mutants("records.reader", "records.reader._eyes"))
    assert [one for one in every if one.what.startswith("records.reader._eyes:")] == only
    assert {one.what for one in only} == mutate_rooms.names("records", {"records.reader._eyes"})
    for one in every:
        compile(one.source, "reader.py", "exec")


def test_a_mutant_is_what_runs() -> None:
    gc.freeze()  # as a server does that ran in this process
    function, known = reader._Lines.number.fget, mutate_rooms.functions()  # type: ignore[attr-defined]
    before = function.__code__
    assert reader._Lines("", 1).number == 1
    (mutant,) = (
        one for one in mutate_rooms.mutants("records.reader") if one.what.endswith("if self.all else 2")
    )
    try:
        assert mutate_rooms.put_in(mutant, known)
        assert reader._Lines("", 1).number == 2
    finally:
        function.__code__ = before


def test_every_statement_of_a_function_is_marked_and_does_what_it_did() -> None:
    path = Path(terms.__file__)
    tree, places = ast.parse(path.read_text("utf-8")), list[str]()
    text = ast.unparse(ast.fix_missing_locations(mutate_rooms.Marking("store.terms", places).visit(tree)))
    statements = [
        f"store.terms:{one.lineno}"
        for _, function in mutate.defined(ast.parse(path.read_text("utf-8")).body)
        for one in ast.walk(function)
        if isinstance(one, ast.stmt) and one is not function
        and not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    ]  # fmt: skip
    assert sorted(places) == sorted(statements)
    assert all(new.co_freevars == old.co_freevars for old, new in mutate_rooms.pairs(path, text))
