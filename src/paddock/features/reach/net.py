"""Requests to addresses that strangers name: never to this machine or its network.

A name is resolved once, every address that it has is checked, and the connection goes to one of those that
were checked. So an answer of the name server that changes between the check and the connection changes
nothing, and what a redirect names is checked in the same way.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpcore

from paddock.core.errors import PaddockError
from paddock.core.i18n import Sentence, _

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
LONGEST = 2000  # characters of an address
HOPS = 3  # redirects that are followed
CONNECT, WHOLE = 5.0, 15.0  # seconds
MOST = 2048  # bytes of an answer that are used
ALL, PIECE = 64 << 10, 4096  # bytes of an answer that are read, and at once
TRIED = 3  # addresses of one name
LOWEST = 1024  # ports below are those of other services, such as mail
# A dead name server holds these threads up, and not those that read forms.
_RESOLVING = ThreadPoolExecutor(64, "paddock-resolve")
# What stands inside of an IPv6 address, and how many bits from its end.
_INSIDE = [
    (ipaddress.ip_network(net), shift)
    for net, shift in (
        ("::/96", 0), ("::ffff:0:0/96", 0), ("::ffff:0:0:0/96", 0), ("64:ff9b::/96", 0), ("2002::/16", 80),
    )
]  # fmt: skip
# Not everywhere known as such: local NAT64, Teredo, site-local, documentation, benchmarks, relays, and what a
# cloud answers its machines at.
_NEVER = [
    ipaddress.ip_network(net)
    for net in (
        "64:ff9b:1::/48", "2001::/32", "2001:db8::/32", "3fff::/20", "5f00::/16", "fec0::/10", "fc00::/7",
        "0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15", "240.0.0.0/4",
        "168.63.129.16/32",
    )
]  # fmt: skip


NO_HOST = Sentence("there is no such host")
PRIVATE = Sentence("this server sends nothing to private and local addresses")
LOOPBACK = ("127.0.0.1", "::1")


class Refused(PaddockError):
    """An address to which this server sends nothing."""


class NoAnswer(PaddockError):
    """The other side did not answer."""


def public(text: str) -> bool:
    """Whether an IP address belongs to a machine of the public internet."""
    try:
        address: Address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if any(address in net for net in _NEVER):
        return False
    if isinstance(address, ipaddress.IPv6Address):
        for net, shift in _INSIDE:
            if address in net:
                return public(str(ipaddress.IPv4Address((int(address) >> shift) & 0xFFFFFFFF)))
        if int(address) >> 125 != 0b001:  # 2000::/3 is all that is given out
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def check_url(url: str) -> None:
    """Raise ``Refused`` unless this is an address of a web server without a name and a password in it."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Refused(_("this is not an address: write https://…")) from None
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url:
        raise Refused(_("an address has at most {n} characters, without spaces").format(n=LONGEST))
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Refused(_("this is not an address: write https://…"))
    if parts.username is not None or parts.password is not None:
        raise Refused(_("an address must not have a name and a password in it"))
    if port is not None and port not in (80, 443) and port < LOWEST:
        raise Refused(_("this server sends nothing to port {n}").format(n=port))


def literal(host: str) -> str | None:
    """Return the IP address that a host is, in any form that resolvers read, such as 127.1; else None."""
    with suppress(ValueError):
        return str(ipaddress.ip_address(host.partition("%")[0]))
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except (OSError, ValueError):
        return None


async def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a name."""
    ask = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_RESOLVING, ask)
    return [str(address[0]) for *_rest, address in found]


class Brief(httpcore.AsyncNetworkStream):
    """A connection that reads little at once, and not much for one request.

    A server may send any number of answers that announce another one, and httpcore reads them all in one go.
    """

    def __init__(self, stream: httpcore.AsyncNetworkStream) -> None:
        self._stream, self._left = stream, ALL

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 # as httpcore calls it
        """Read the next bytes; raise ``httpcore.ReadError`` if the answer is too long."""
        data = await self._stream.read(min(max_bytes, PIECE), timeout)
        self._left -= len(data)
        if self._left < 0:
            raise httpcore.ReadError("too long")
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 # as httpcore calls it
        """Send a part of a request."""
        self._left = ALL
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        """Close the connection."""
        await self._stream.aclose()

    async def start_tls(self, *args: Any, **more: Any) -> Brief:
        """Encrypt the connection."""
        return Brief(await self._stream.start_tls(*args, **more))

    def get_extra_info(self, info: str) -> Any:
        """Return what the connection says of itself."""
        return self._stream.get_extra_info(info)


class CheckedConnections:
    """Opens connections to public addresses, and to those in the networks that the operator allows."""

    def __init__(self, allowed: Collection[str] = (), resolve: Resolve = resolve) -> None:
        self._allowed: list[Network] = [ipaddress.ip_network(one) for one in allowed]
        self._resolve = resolve
        self._real: Any = None

    def may(self, address: str) -> bool:
        """Whether a connection to an IP address is allowed."""
        if public(address):
            return True
        try:
            found = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return False
        mapped = getattr(found, "ipv4_mapped", None)
        return any((mapped or found) in net for net in self._allowed)

    def check(self, url: str) -> None:
        """Raise ``Refused`` for an address to which nothing can ever be sent, as sending would.

        Names are looked up when something is sent: what they lead to changes.
        """
        check_url(url)
        if "#" in url:
            raise Refused(_("leave out the # and what follows it: that is never sent"))
        host = urlsplit(url).hostname or ""
        self._check_literal(host)
        try:
            host.encode("idna")
        except UnicodeError:
            raise Refused(NO_HOST) from None
        if f".{host.rstrip('.')}".endswith(".localhost") and not any(map(self.may, LOOPBACK)):
            raise Refused(NO_HOST)

    def _check_literal(self, host: str) -> None:
        if (found := literal(host)) and not self.may(found):
            raise Refused(PRIVATE)

    async def addresses(self, host: str, port: int) -> list[str]:
        """Return the addresses of a name. Raises ``Refused`` if one is not public, and ``NoAnswer``."""
        self._check_literal(host)
        try:
            found = list(dict.fromkeys(await self._resolve(host, port)))
        except (OSError, UnicodeError):
            found = []
        if not found:
            raise NoAnswer(NO_HOST)
        if not all(map(self.may, found)):  # nobody learns which names this network has
            raise Refused(NO_HOST)
        return found

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 # as httpcore calls it
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to one of the addresses that were checked."""
        self._real = self._real or httpcore.AnyIOBackend()
        last: Exception | None = None
        for address in (await self.addresses(host, port))[:TRIED]:
            try:
                stream: httpcore.AsyncNetworkStream = await self._real.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                last = error
            else:
                return Brief(stream)
        assert last
        raise last

    async def connect_unix_socket(self, path: str, *_args: Any, **_more: Any) -> httpcore.AsyncNetworkStream:
        """Refuse: no address leads to a file."""
        raise Refused(path)

    async def sleep(self, seconds: float) -> None:
        """Sleep."""
        await asyncio.sleep(seconds)


class Web:
    """Sends requests to web servers."""

    def __init__(self, checked: CheckedConnections) -> None:
        self.checked = checked
        self._pool = httpcore.AsyncConnectionPool(
            max_connections=32,
            keepalive_expiry=30,
            network_backend=checked,  # type: ignore[arg-type]
        )

    async def post(
        self, url: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Send a body; return the status, the headers and the beginning of the answer.

        Raises ``Refused`` and ``NoAnswer``, whose words name no address.
        """
        given = [(name.encode(), value.encode()) for name, value in headers.items()]
        patience = {"connect": CONNECT, "read": WHOLE, "write": WHOLE, "pool": WHOLE}
        try:
            async with asyncio.timeout(WHOLE):
                for _hop in range(HOPS + 1):
                    check_url(url)
                    async with self._pool.stream(
                        "POST", url, headers=given, content=body, extensions={"timeout": patience}
                    ) as answer:
                        said = {
                            name.decode("latin-1").lower(): value.decode("latin-1")
                            for name, value in answer.headers
                        }
                        start = b""
                        async for piece in answer.aiter_stream():
                            start += piece
                            if len(start) >= MOST:
                                break
                    if answer.status not in (307, 308) or "location" not in said:
                        return answer.status, said, start[:MOST]
                    url = urljoin(url, said["location"])
        except PaddockError:
            raise
        except (TimeoutError, httpcore.TimeoutException):
            raise NoAnswer(Sentence("it did not answer in time")) from None
        except (
            OSError,
            ValueError,
            httpcore.NetworkError,
            httpcore.ProtocolError,
            httpcore.UnsupportedProtocol,
        ):
            raise NoAnswer(Sentence("it could not be reached")) from None
        raise NoAnswer(Sentence("it leads to other addresses again and again"))

    async def close(self) -> None:
        """Close all connections."""
        await self._pool.aclose()
