"""How hosts and sites are written: as browsers send them, whatever a person writes."""

from __future__ import annotations

import re
from ipaddress import IPv6Address

import idna

HOST = re.compile(r"(\[(?P<six>[0-9a-f:.]+)\]|(?P<name>[a-z0-9_.-]+))(:(?P<port>[0-9]{1,5}))?")
_SITE = re.compile(r"(https?://)([^/]+)/?")
MOST_PORT = 65535


def host(text: str) -> str:
    """Return a host name or an IP address, perhaps with a port, as a browser sends it in ``Host``.

    A name with letters beyond ASCII becomes its ASCII form: ``müller.example`` is ``xn--mller-kva.example``.
    Raises ``ValueError``.
    """
    text = text.lower()
    if not text.isascii():
        name, colon, port = text.partition(":")
        text = f"{ascii_name(name)}{colon}{port}"
    elif text.count(":") > 1 and not text.startswith("["):
        text = f"[{IPv6Address(text)}]"
    match = HOST.fullmatch(text)
    if not match or not 0 < int(match["port"] or 1) <= MOST_PORT:
        raise ValueError("not a host")
    if match["six"]:
        IPv6Address(match["six"])  # raises ``ValueError``
    elif not all(match["name"].rstrip(".").split(".")):
        raise ValueError("a part is empty")
    return text


def site(text: str) -> str:
    """Return the address of a site, such as ``https://club.example:8443``; raise ``ValueError``."""
    match = _SITE.fullmatch(text.lower())
    if not match:
        raise ValueError("not a site")
    return match[1] + host(match[2])


def ascii_name(name: str) -> str:
    """Return a name of the Internet in its ASCII form, as browsers convert it; raise ``ValueError``."""
    return name if name.isascii() else idna.encode(name, uts46=True).decode()
