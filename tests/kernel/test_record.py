"""Records: the plain object and the flat one are the same bytes, and plain ones compare, copy and pickle."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Annotated, Any

import numpy as np
import pytest
from tests.titles import RULES, random_options

from paddock.core.title import Title
from paddock.kernel import PUBLIC, Grid, Past, Row, i8, i16, i32, i64, record, tell


@record
class Odd:
    """Fields with padding before a wider field and at the end."""

    a: i8
    b: i64
    c: Annotated[Row, i8, 3]
    d: i16
    e: Annotated[Grid, i16, 2, 3]
    f: i8
    g: Annotated[Row, i32, 2]
    h: i8


def filled(seed: int) -> Any:
    """Return a record with random numbers that use the full width of its fields."""
    flat = np.zeros(1, Odd.dtype)
    numbers = np.random.default_rng(seed)
    for name in Odd.dtype.names:
        field = flat[name]
        most = np.iinfo(field.dtype)
        flat[name] = numbers.integers(most.min, most.max, field.shape, field.dtype, endpoint=True)
    return Odd().load(flat[0])


def test_the_layout_has_gaps_which_are_zeros() -> None:
    offsets = {name: Odd.dtype.fields[name][1] for name in Odd.dtype.names}
    assert offsets["b"] == 8
    assert Odd.dtype.itemsize > offsets["h"] + 1
    data = filled(1).tobytes()
    assert data[1:8] == bytes(7)
    assert not any(data[offsets["h"] + 1 :])


@pytest.mark.parametrize("seed", range(20))
def test_plain_bytes_are_those_of_the_flat_record(seed: int) -> None:
    one = filled(seed)
    flat = np.zeros(1, Odd.dtype)
    one.store(flat[0])
    assert one.tobytes() == flat.tobytes()
    assert Odd.frombytes(flat.tobytes()) == one
    assert Odd.frombytes(flat.tobytes()).e == one.e


def test_a_number_that_does_not_fit_is_not_packed() -> None:
    one = Odd()
    one.a = 128
    with pytest.raises(OverflowError, match="does not fit into the field a"):
        one.tobytes()


def test_copies_are_equal_and_independent() -> None:
    one = filled(3)
    for made in (one.copy(), copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert type(made) is Odd
        assert made == one
        made.c[1] ^= 1
        made.e[1, 2] ^= 1
        assert made != one
    assert one == filled(3)


def test_records_of_other_kinds_are_never_equal_and_none_is_hashed() -> None:
    assert Odd() != 0
    assert Odd() != RULES[0].rules.State()
    with pytest.raises(TypeError, match="unhashable"):
        hash(Odd())


def test_events_are_beside_the_record() -> None:
    """Events are not in its bytes or copies; without a list they are dropped."""
    one, other = filled(4), filled(4)
    assert one.events is None
    tell(one, 1)
    assert one.events is None
    one.events = []
    tell(one, 1)
    tell(one, 2, 3, 4, 5, 6)
    assert one.events == [(1, 0, 0, 0, PUBLIC), (2, 3, 4, 5, 6)]
    assert one == other
    assert one.tobytes() == other.tobytes()
    for made in (one.copy(), Odd.frombytes(one.tobytes()), copy.deepcopy(one)):
        assert made.events is None
    assert "events" not in (Odd.dtype.names or ())


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_states_and_setups_of_titles_are_pickled(title: Title) -> None:
    """Also if the class is in a separate module."""
    rules = title.rules
    g = title.setup_of(random_options(title, random.Random(1)))
    s = rules.State()
    rules.start(s, g)
    for one in (s, g):
        flat = np.zeros(1, one.dtype)
        one.store(flat[0])
        assert flat.tobytes() == one.tobytes()
        again = pickle.loads(pickle.dumps(one))
        assert (type(again), again) == (type(one), one)


def test_what_is_past_is_the_last_field_and_no_part_of_the_present() -> None:
    @record
    class Before:
        a: i64
        b: i8

    @record
    class Since:
        a: i64
        b: i8
        past: Annotated[Past, i8, 2, 3]

    before, since = Before(), Since()
    before.b = since.b = 7
    since.past[1, 2] = 5  # type: ignore[index]
    assert since.present() == before.present() == before.tobytes() != since.tobytes()
    assert Since.frombytes(since.tobytes()).past == since.past
    with pytest.raises(TypeError, match="the last one"):

        @record
        class Wrong:
            past: Annotated[Past, i8, 2, 3]
            a: i64
