"""JSON by Python's own module is what orjson writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum
from typing import Any, NamedTuple

import orjson
import pytest

from paddock.core import plain_json

ALL = plain_json.OPT_NON_STR_KEYS | plain_json.OPT_UTC_Z
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Colour(Enum):
    """A colour."""

    RED = "red"


class Pair(NamedTuple):
    """Two numbers."""

    first: int
    second: float


@dataclass(frozen=True)
class Answer:
    """What an answer may hold."""

    at: datetime
    pair: Pair
    _own: int = 0


@pytest.mark.parametrize("option", [0, ALL])
def test_both_write_the_same(option: int) -> None:
    values: list[Any] = [
        None, True, -3, 2**53, 0.1, -0.0, 1.5e300 / 1e290, 0.0001, "ä\u2028\x00\x1f\x7f\"\\/😀", [], {}, [()],
        {"b": 1, "a": [1.0, {"c": None}]}, NOON, NOON.replace(microsecond=250_000), NOON.replace(tzinfo=None),
        NOON.astimezone(timezone(timedelta(hours=2))), date(2026, 3, 1), Colour.RED,
        Answer(NOON, Pair(1, 2.5)),
        Pair(3, 4.0), {3},
    ]  # fmt: skip
    if option:
        values.append({1: "a", None: "b", False: "c"})
    for value in values:
        assert plain_json.dumps([value], list, option) == orjson.dumps([value], list, option), value
    parts = [b'{"a":[1,"\xc3\xa4"]}', "[2.50]".replace("0", "")]
    assert plain_json.dumps({"x": [plain_json.Fragment(part) for part in parts]}) == orjson.dumps(
        {"x": [orjson.Fragment(part) for part in parts]}
    )


@pytest.mark.parametrize("dumps", [plain_json.dumps, orjson.dumps])
def test_what_json_has_not_is_an_error(dumps: Callable[[Any], bytes]) -> None:
    for value in (object(), {(1, 2): 3}, "\ud800"):
        with pytest.raises((TypeError, ValueError)):
            dumps(value)
