"""What a message says, in the language of its reader. It has no secret of a seat, and no hand."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from paddock.core.errors import PaddockError
from paddock.core.i18n import _, language, plural
from paddock.core.title import title as find_title
from paddock.core.wording import listed
from paddock.features.reach.calls import REMINDER
from paddock.features.reach.store import CONFIRM, TEST, CalledTable, DueMessage


@dataclass(frozen=True)
class Message:
    """A message, ready to be put into the form of a channel."""

    id: str  # the same whenever it is sent again
    kind: str
    subject: str
    text: str
    url: str  # the page that it leads to
    made_at: datetime
    game: str | None = None  # the name of the title; None: it is about no table
    title: str | None = None  # its label
    table: str | None = None
    waits: tuple[str, ...] = ()  # the names of the people who wait
    deadline: datetime | None = None
    stop: str = ""  # the page that ends all messages of this channel, where a message must have one

    @property
    def whole(self) -> str:
        """What it says, in one line."""
        return f"{self.subject}. {self.text}"


def written(due: DueMessage, now: datetime, stop: str = "", confirm: str = "") -> Message:
    """Write a message. ``confirm`` is the page on which its reader agrees to be called."""
    row, site = due.row, due.reach.site
    key = f"{row.channel_id} {row.about} {row.kind}"
    if row.kind == TEST:  # each is another message: browsers drop repeats
        key += f" {row.made_at.timestamp()}"
    id = hashlib.sha256(key.encode()).hexdigest()[:32]
    language.set(due.reach.language)
    if row.kind == CONFIRM:
        return Message(
            id=id,
            kind=row.kind,
            subject=_("Paddock: may we write to you?"),
            text=_(
                "Somebody, perhaps you, wants a message at this address when it is their "
                "turn at {site}. If it was not you, do nothing: you will get no other "
                "message. To agree, open this page:"
            ).format(site=site),
            url=confirm,
            made_at=row.made_at,
            stop=stop,
        )
    if due.place is None:
        words = _("This is a test: you will get a message like this when it is your turn.")
        return Message(
            id=id,
            kind=row.kind,
            subject=_("It works"),
            text=words,
            url=f"{site}/reach",
            made_at=row.made_at,
            stop=stop,
        )
    place = due.place
    title, others = label(place), waiting(place, row.holder)
    deadline = deadline_of(place, row.holder)
    if row.kind == REMINDER and deadline:
        subject = _("{title}: your clock runs out").format(title=title)
        text = _("{time} left. {others}").format(time=span(deadline - now), others=_who(others))
    else:
        subject = _("{title}: it is your turn").format(title=title)
        text = _who(others)
    return Message(
        id=id,
        kind=row.kind,
        subject=subject,
        text=text,
        url=f"{site}/t/{place.table.id}",
        made_at=row.made_at,
        game=place.table.title,
        title=title,
        table=place.table.id,
        waits=tuple(others),
        deadline=deadline,
        stop=stop,
    )


def label(place: CalledTable) -> str:
    """Return the name of a table's title; the word of the table if the title is not installed any more."""
    try:
        return str(find_title(place.table.title).label)
    except PaddockError:
        return place.table.title


def waiting(place: CalledTable, holder: str) -> list[str]:
    """Return the names of the other people at a table."""
    return [p.name for p in place.players if p.bot is None and p.holder not in (None, holder) and p.name]


def _who(names: list[str]) -> str:
    if not names:
        return _("The game waits for you.")
    return plural("{names} waits for you.", "{names} wait for you.", len(names), names=listed(names))


def deadline_of(place: CalledTable, holder: str) -> datetime | None:
    """Return when the first clock of a browser runs out; None if none is running."""
    left = [p.bank_ms for p in place.awaited() if p.holder == holder and p.bank_ms is not None]
    opened = place.table.opened_at
    return opened + timedelta(milliseconds=min(left)) if left and opened else None


def span(left: timedelta) -> str:
    """Return how much time is left, in its largest unit."""
    minutes = max(1, round(left.total_seconds() / 60))
    if minutes < 90 and minutes != 60:
        return plural("{n} minute", "{n} minutes", minutes)
    hours = round(minutes / 60)
    return (
        plural("{n} hour", "{n} hours", hours) if hours < 48 else plural("{n} day", "{n} days", hours // 24)
    )
