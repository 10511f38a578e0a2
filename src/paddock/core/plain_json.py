"""JSON as orjson writes it, by Python's own module: only very small and very large numbers look different."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from enum import Enum
from typing import Any

OPT_NON_STR_KEYS = 4  # always so here
OPT_UTC_Z = 128  # write Z for the time zone UTC; both numbers are those of orjson


class Fragment:
    """A part that is JSON already."""

    def __init__(self, contents: bytes | str) -> None:
        self.contents = contents


def dumps(value: Any, default: Callable[[Any], Any] | None = None, option: int = 0) -> bytes:
    """Return a value as JSON. ``default`` makes something that JSON has of what it has not."""

    def known(part: Any) -> Any:
        """Return what JSON has for a value that Python's module does not know."""
        match part:
            case Fragment():
                return json.loads(part.contents)
            case datetime():
                text = part.isoformat()
                in_utc = option & OPT_UTC_Z and text.endswith("+00:00")
                return text.removesuffix("+00:00") + "Z" if in_utc else text
            case date() | time():
                return part.isoformat()
            case Enum():
                return part.value
        if is_dataclass(part) and not isinstance(part, type):
            names = (field.name for field in fields(part))
            return {name: getattr(part, name) for name in names if not name.startswith("_")}
        if default is None:
            raise TypeError(f"JSON has nothing for {type(part).__name__}")
        return default(part)

    text = json.dumps(value, default=known, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()
