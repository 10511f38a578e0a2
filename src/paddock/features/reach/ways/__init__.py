"""The ways to be notified. To add one, write a class in a module of its own and name it here: that is all."""

from paddock.features.reach.ways.device import Device
from paddock.features.reach.ways.discord import Discord
from paddock.features.reach.ways.mail import Email
from paddock.features.reach.ways.ntfy import Ntfy
from paddock.features.reach.ways.slack import Slack
from paddock.features.reach.ways.way import CallWay
from paddock.features.reach.ways.webhook import Webhook

_ALL: tuple[CallWay, ...] = (Webhook(), Discord(), Slack(), Ntfy(), Email(), Device())
WAYS = {way.kind: way for way in _ALL}
# Those whose address players write, as the API lists them
WRITTEN = tuple(way.kind for way in _ALL if way.written)


def way_of(kind: str) -> CallWay:
    """Return the way of a channel; for one that was removed since, one that sends nothing."""
    if kind in WAYS:
        return WAYS[kind]
    gone = CallWay()
    gone.kind = gone.name = kind
    return gone
