"""What the room ``learn.py`` of a title is made of, for what a seat sees: see ``core/rooms/learn.py``."""

from __future__ import annotations

from typing import TypeAlias

from paddock.core.rooms import learn
from paddock.core.rooms.learn import Course as Course
from paddock.core.rooms.learn import Verdict as Verdict
from paddock.core.title import Seen

Idea: TypeAlias = learn.Idea[Seen]
Tried: TypeAlias = learn.Tried[Seen]
