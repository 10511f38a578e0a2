"""What can be wrong with a translation: the checks of ``make messages`` and of the tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from babel.messages.catalog import Catalog, Message

_FIELD = re.compile(r"\{([a-z_]\w*)?(?:[:!][^}]*)?\}", re.I)
_TAG = re.compile(r"</?([a-z]+)[^>]*>")
SHORT = 16  # letters of a label or button
ROOM = 10  # letters that a translation of one may have more than the English


def faults(found: Catalog, *, whole: bool = False) -> list[str]:
    """Return what is wrong with the messages of a language; with ``whole``, also what is missing."""
    return [
        f"“{_first(one)}”: {fault}"
        for one in found
        if one.id
        for fault in _wrong(one, found.num_plurals, whole)
    ]


def hints(found: Catalog) -> list[str]:
    """Return the short messages whose translation may not fit where the English does."""
    return [
        f"“{_first(one)}”: “{one.string}”"
        for one in found
        if isinstance(one.id, str) and isinstance(one.string, str) and 0 < len(one.id) <= SHORT
        if len(one.string) > len(one.id) + ROOM
    ]


def _first(one: Message) -> str:
    return one.id if isinstance(one.id, str) else one.id[0]


def _wrong(one: Message, forms: int, whole: bool) -> Iterator[str]:
    if one.fuzzy:
        yield "fuzzy: nobody has checked it since the English changed"
    said = (one.string,) if isinstance(one.id, str) else tuple(one.string or ())
    if not any(said):
        if whole:
            yield "missing"
        return
    if not isinstance(one.id, str) and (len(said) != forms or not all(said)):
        yield f"write {forms} forms"
    english = (one.id,) if isinstance(one.id, str) else one.id
    for text in filter(None, said):
        yield from _differs(english, str(text))


def _differs(english: tuple[str, ...] | list[str], text: str) -> Iterator[str]:
    """Yield how a translation differs from all forms of the English. A form may leave out the number."""
    fields = {field for one in english for field in _fields(one)}
    if unknown := _fields(text) - fields:
        yield f"unknown fields in “{text}”: {', '.join(sorted(unknown))}"
    needed = set.intersection(*map(_fields, english))
    if lost := needed - _fields(text) - ({"n"} if len(english) > 1 else set()):
        yield f"lost fields in “{text}”: {', '.join(sorted(lost))}"
    if text.count("{") != text.count("}"):
        yield f"a brace is open in “{text}”"
    if Counter(_TAG.findall(text)) != Counter(_TAG.findall(english[-1])):
        yield f"other tags in “{text}”"
    if (text[:1].isspace(), text[-1:].isspace()) != (english[-1][:1].isspace(), english[-1][-1:].isspace()):
        yield f"other spaces at the ends of “{text}”"


def _fields(text: str) -> set[str]:
    return {name or "" for name in _FIELD.findall(text)}
