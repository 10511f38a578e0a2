"""What browsers say about how they are called: channels, tables, quiet hours, and their calendar.

Everything belongs to a browser, as seats do: there are no accounts.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from dataclasses import replace
from datetime import timedelta

from paddock.core.errors import BadOption, PaddockError, brief
from paddock.core.hashed import hashed
from paddock.core.i18n import _, language
from paddock.core.wording import either
from paddock.features.reach import quiet
from paddock.features.reach.outside import Outside
from paddock.features.reach.rows import PUSH, ChannelRow, OutboxRow, ReachRow
from paddock.features.reach.store import NOTED, TEST, BrowserWishes, CalledTable, ReachStore
from paddock.features.reach.wake import Bell
from paddock.features.reach.ways import WAYS, WRITTEN
from paddock.features.reach.ways.way import CallWay
from paddock.tables.errors import NoTable
from paddock.tables.make import is_id
from paddock.tables.runtime import Runtime
from paddock.tables.secrets import Secrets

MOST = 8  # channels of one browser
LONGEST = 2**21  # seconds before a clock runs out: 24 days
OPEN = timedelta(days=1)  # in which an e-mail address must be confirmed


class Wishes:
    """What all browsers say. ``bell`` wakes whoever sends, ``outside`` is what the operator says."""

    def __init__(
        self, store: ReachStore, runtime: Runtime, secrets: Secrets, bell: Bell, outside: Outside
    ) -> None:
        self._store = store
        self._runtime = runtime
        self._secrets = secrets
        self._bell = bell
        self._outside = outside

    def ways(self) -> list[CallWay]:
        """Return the ways that the page offers, in its order."""
        offered = [WAYS[kind] for kind in WRITTEN if WAYS[kind].offered(self._outside)]
        return sorted(offered, key=lambda way: way.last)

    def addressed(self, row: ReachRow) -> ReachRow:
        """Return what a browser has said with the address of this server to which messages lead."""
        return replace(row, site=self._outside.site) if self._outside.site else row

    async def push_key(self) -> str:
        """Return the public key by which browsers know the messages of this server."""
        from paddock.features.reach import push

        return push.encoded(push.raw(push.private(await self._secrets.signing()).public_key()))

    async def of(self, holder: str, site: str) -> BrowserWishes:
        """Return what a browser has said, or what holds if it has said nothing."""
        found = await self._store.of(holder)
        return found if found.reach else replace(found, reach=ReachRow(holder, language.get(), site))

    async def _row(self, holder: str, site: str) -> ReachRow:
        """Return what it has said, in the language that it reads now."""
        found = (await self.of(holder, site)).reach
        assert found
        return replace(found, language=language.get(), site=site, kept_at=self._runtime.now())

    async def keep(
        self,
        holder: str,
        site: str,
        *,
        everywhere: bool,
        zone: str,
        quiet_from: int | None,
        quiet_to: int | None,
        remind: int,
    ) -> None:
        """Store what holds for all tables of a browser. Raises ``BadOption``."""
        if quiet.zone(zone) is None:
            raise BadOption(
                [
                    _("there is no time zone “{zone}”: write one such as Europe/Berlin").format(
                        zone=brief(zone)
                    )
                ]
            )
        if (quiet_from is None) != (quiet_to is None):
            raise BadOption([_("quiet hours need a beginning and an end")])
        said = {"everywhere": everywhere, "zone": zone, "quiet_from": quiet_from, "quiet_to": quiet_to}
        row = replace(await self._row(holder, site), **said, remind=remind)  # type: ignore[arg-type]
        await self._store.keep(row, self._runtime.now())
        self._bell.ring()

    async def used(self, holder: str) -> None:
        """Note that a browser, or its calendar, is used: what it has said is kept as long as that goes on."""
        await self._store.used(holder, self._runtime.now())

    async def want(self, holder: str, site: str, table: str, wanted: bool | None) -> None:
        """Store whether a browser is called at a table; None: as at all others. Raises ``NoTable``."""
        row = await self._row(holder, site)
        known = is_id(table) and await self._store.want(row, table, wanted, self._runtime.now())
        if not known:
            raise NoTable(_("there is no table with this address: check that the link is complete"))
        self._bell.ring()

    async def places(self, holder: str) -> list[CalledTable]:
        """Return the running tables at which a browser plays with other people: see ``ReachStore.places``."""
        return await self._store.places(holder)

    # Channels

    async def add_push(self, holder: str, site: str, endpoint: str, key: str, auth: str) -> ChannelRow:
        """Add the push subscription of a browser. Raises ``PaddockError`` for one that is none."""
        from paddock.features.reach import net, push

        net.CheckedConnections(self._outside.allowed).check(endpoint)
        keys = push.checked_keys(key, auth)
        for known in (await self._store.of(holder)).channels:
            if (known.kind, known.address, known.keys, known.fault) == (PUSH, endpoint, keys, ""):
                return known  # browsers subscribe again now and then: messages that wait go on waiting
        return await self._add(holder, site, PUSH, endpoint, keys)

    async def add(self, holder: str, site: str, kind: str, address: str) -> ChannelRow:
        """Add a way that has an address, and ask its owner to agree where that is needed.

        Raises ``PaddockError``.
        """
        if kind not in WRITTEN:
            offered = [kind for kind in WRITTEN if WAYS[kind].offered(self._outside)]
            raise BadOption([_("choose one of {kinds}").format(kinds=either(offered))])
        WAYS[kind].check(address, self._outside)
        asks = await self._hash(address) if WAYS[kind].asks else None
        return await self._add(holder, site, kind, address, asks=asks)

    async def _hash(self, address: str) -> str:
        """Return the hash of an e-mail address, which nobody can guess without the key of this server."""
        return (await self._secrets.key(f"asked {address.casefold()}")).hex()

    async def _add(
        self, holder: str, site: str, kind: str, address: str, keys: str = "", asks: str | None = None
    ) -> ChannelRow:
        now = self._runtime.now()
        agreed = now if asks is None else None
        channel = ChannelRow(secrets.token_urlsafe(16), holder, kind, address, now, keys, agreed)
        row = await self._row(holder, site)
        if refusal := await self._store.add(row, channel, now, MOST, asks):
            words = {
                "full": _("you have {n} ways to be notified: remove one first").format(n=MOST),
                "asked": _("a question was sent to this address less than an hour ago: check its inbox"),
                "stopped": _("whoever reads this address wants no messages from here"),
                "busy": _("this server has asked many addresses in the last hour: try again later"),
            }
            raise BadOption([words[refusal]])
        self._bell.ring()
        return channel

    async def drop(self, holder: str, id: str) -> None:
        """Remove a channel of a browser. Raises ``BadOption`` if it has no such channel."""
        await self._store.drop(await self._own(holder, id))

    async def drop_push(self, holder: str, endpoint: str) -> None:
        """Remove the push subscription with this address, if the browser has it."""
        for channel in (await self._store.of(holder)).channels:
            if channel.kind == PUSH and channel.address == endpoint:
                await self._store.drop(channel)

    async def test(self, holder: str, id: str) -> None:
        """Send a test message on a channel of a browser. Raises ``BadOption``."""
        channel, now = await self._own(holder, id), self._runtime.now()
        if channel.confirmed_at is None:
            raise BadOption([_("this address is not confirmed yet: check its inbox")])
        await self._store.put(OutboxRow(id, TEST, TEST, holder, now, now))  # one waits at a time
        self._bell.ring()

    async def _own(self, holder: str, id: str) -> ChannelRow:
        channel = await self._store.channel(id)
        if channel is None or channel.holder != holder:
            raise BadOption([_("you have no such way to be notified")])
        return channel

    # Links in messages

    async def link(self, purpose: str, channel: ChannelRow, site: str) -> str:
        """Return the page that confirms or stops a channel; nobody else can make its address."""
        return f"{site}/reach/{purpose}/{channel.id}/{await self._token(purpose, channel)}"

    async def _token(self, purpose: str, channel: ChannelRow) -> str:
        made = await self._secrets.key(f"{purpose} {channel.id} {channel.address}")
        return base64.urlsafe_b64encode(made).decode().rstrip("=")

    async def linked(self, purpose: str, id: str, token: str) -> ChannelRow:
        """Return the channel of a link; raise ``PaddockError`` if the link is not valid."""
        channel = await self._store.channel(id)
        right = channel and hmac.compare_digest(
            (await self._token(purpose, channel)).encode(), token.encode()
        )
        if channel is None or not right:
            raise PaddockError(_("this link is no longer valid: it sends nothing"))
        return channel

    async def agree(self, id: str, token: str) -> None:
        """Confirm the address of a link. Raises ``PaddockError``."""
        await self._store.confirm(await self.linked("confirm", id, token), self._runtime.now())

    async def stop(self, id: str, token: str) -> None:
        """Remove the channel of a link. Raises ``PaddockError``."""
        channel = await self.linked("stop", id, token)
        await self._store.stop(channel, await self._hash(channel.address), self._runtime.now())

    # The calendar

    async def new_calendar(self, holder: str, site: str) -> str:
        """Return a new secret for the link of a browser's calendar; the old one is not valid any more."""
        secret = secrets.token_urlsafe(32)
        await self._calendar(holder, site, hashed(secret))
        return secret

    async def no_calendar(self, holder: str, site: str) -> None:
        """Remove the calendar of a browser."""
        await self._calendar(holder, site, None)

    async def _calendar(self, holder: str, site: str, digest: str | None) -> None:
        row = replace(await self._row(holder, site), calendar=digest)
        await self._store.keep(row, self._runtime.now())

    async def calendar(self, secret: str) -> ReachRow | None:
        """Return what the browser has said whose calendar has this secret; None if there is none."""
        holder = await self._store.of_calendar(hashed(secret))
        row = (await self._store.of(holder)).reach if holder else None
        if holder is None or row is None:
            return None
        if row.kept_at < self._runtime.now() - NOTED:
            await self.used(holder)
        return self.addressed(row)

    async def stamp(self, holder: str) -> tuple[object, ...]:
        """Return what is another one when the ``places`` of a browser are."""
        return await self._store.stamp(holder)
