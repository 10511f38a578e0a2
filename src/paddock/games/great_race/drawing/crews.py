"""The Great Race: dashboards as SVG: needle gauges, banknotes, assistants on their boxes; signs of seats."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import cos, radians, sin

from paddock.core import i18n
from paddock.core.i18n import _, plural
from paddock.games.great_race.drawing.pieces import (
    CREAM,
    DROP,
    FONT,
    GOLD,
    INK,
    NS,
    ON_PAINTS,
    PAINTS,
    RED,
    TEXT,
    edge,
    fitted,
    line,
    moved,
    path,
    sign,
    text,
)
from paddock.games.great_race.rules.setup import ASSISTANTS
from paddock.games.great_race.words.names import BOX_NAMES
from paddock.games.great_race.words.view import Team
from paddock.parts.drawing import aria, short

# Signs of about 20 by 20 around 0, 0
COG = (
    "M-2-10H2L2.8-7A7.4 7.4 0 0 1 5-6L7.8-7.4L10-4.4L7.6-2.4A7.4 7.4 0 0 1 7.6 2.4L10 4.4L7.8 7.4L5 6A7.4"
    " 7.4 0 0 1 "
    "2.8 7L2 10H-2L-2.8 7A7.4 7.4 0 0 1-5 6L-7.8 7.4L-10 4.4L-7.6 2.4A7.4 7.4 0 0 1-7.6-2.4L-10-4.4"
    "L-7.8-7.4L-5-6A7.4 "
    "7.4 0 0 1-2.8-7ZM0-3.4A3.4 3.4 0 1 0 0 3.4A3.4 3.4 0 1 0 0-3.4Z"
)
AXLE = "M-10-8H-4.5V-2H4.5V-8H10V8H4.5V2H-4.5V8H-10Z"
COMPASS = (
    "M0-10A10 10 0 1 1 0 10A10 10 0 1 1 0-10ZM0-7.4A7.4 7.4 0 1 0 0 7.4A7.4 7.4 0 1 0 0-7.4ZM4.6-5"
    "L1.4 1.4L-4.6 5L-1.4-1.4Z"
)
WRENCH = (
    "M-9 6.4L1-3.4A5.6 5.6 0 0 1 7.4-9.8L4.6-6.6L6.6-4.6L9.8-7.4A5.6 5.6 0 0 1 3.6-.8L-6.4 9A1.9 1.9 0"
    " 0 1-9 6.4Z"
)
SHIELD = (
    "M0-10L8.4-7V-.6C8.4 4.6 5 8 0 10C-5 8-8.4 4.6-8.4-.6V-7ZM0-5.6L1.5-1.8L5.4-1.6L2.4.9L3.4 4.8L0"
    " 2.6L-3.4 4.8L-2.4.9L-5.4-1.6L-1.5-1.8Z"
)
COIN = "M0-10A10 10 0 1 1 0 10A10 10 0 1 1 0-10ZM-3-6V6H-.6V1.4H3V-.8H-.6V-3.8H4V-6Z"
FLAG = "M-8-10H-5V10H-8ZM-5-9H9L5-4L9 1H-5Z"
_CARD = "M-6-8H6V8H-6Z"
BOXES = (COMPASS, WRENCH, SHIELD, COIN)
EVEN = ' fill-rule="evenodd"'
_CREW = range(1, ASSISTANTS[0] + 1)
# What an assistant does on each box: one or the other (GR-6); on Funding, what so many of them bring.
USES = (
    i18n.mark("place 2 tiles; or draw a card"),
    i18n.mark("repair; or drive"),
    i18n.mark("avoid a danger; or clear a tile"),
    i18n.mark("{crew} bring; {francs} F"),
)


def gauge(name: str, value: int, most: int, icon: str, r: float = 34) -> str:
    """A needle gauge around 0, 0: a dial from 0 to ``most``, its value also as a number."""

    def point(level: float, far: float) -> str:
        turn = radians(210 - 240 * level / most)
        return f"{far * r * cos(turn):.1f} {-far * r * sin(turn):.1f}"

    ticks = "".join(f"M{point(i, 0.76)}L{point(i, 0.92)}" for i in range(most + 1))
    low = f"M{point(0, 0.84)}A{0.84 * r:.1f} {0.84 * r:.1f} 0 0 1 {point(most / 3, 0.84)}"
    words = _("{gauge}: {n} of {most}").format(gauge=name, n=value, most=most)
    return (
        f"<g {aria(words)}>"
        f'<circle r="{r:g}" fill="{CREAM}" stroke="{INK}" stroke-width="3"/>'
        f'<circle r="{r + 2.4:g}" fill="none" stroke="{GOLD}" stroke-width="2"/>'
        + line(low, RED, r * 0.13)
        + line(ticks, INK, 2.2)
        + path(
            icon, INK, f' transform="translate(0 {-0.36 * r:.1f}) scale({r / 60:.2f})" opacity=".55"{EVEN}'
        )
        + line(
            f"M{point(value + most / 2, -0.16)}L{point(value, 0.72)}", RED, r * 0.1, ' stroke-linecap="round"'
        )
        + f'<circle r="{r * 0.11:.1f}" fill="{INK}"/>'
        + text(0, r * 0.82, r * 0.6, str(value), RED if value * 3 <= most else INK, bold=True)
        + "</g>"
    )


def _dials(team: Team) -> list[tuple[str, int, str]]:
    """Name, level and sign of each gauge."""
    return [
        (_("petrol"), team.petrol, DROP),
        (_("engine"), team.engine, COG),
        (_("chassis"), team.chassis, AXLE),
    ]


def _dial_end(team: Team) -> int:
    """The end of the dials."""
    return max(team.gauge_max, team.petrol, team.engine, team.chassis)


NOTES = ((100, "#6d5aa0"), (50, "#2f7a80"), (20, "#b0652c"), (10, "#5f7a3c"))  # francs and paper


def notes(francs: int) -> list[tuple[int, str]]:
    """The banknotes of a sum, the largest first; what is left under 10 F is in the number only."""
    out = []
    for value, paper in NOTES:
        out += [(value, paper)] * (francs // value)
        francs %= value
    return out


def _note(value: int, paper: str) -> str:
    """A banknote, 44 by 24, around 0, 0."""
    return (
        path("M-22-12H22V12H-22Z", paper, edge(CREAM, 1.4))
        + path("M-19-9.4H19V9.4H-19Z", "none", edge(CREAM, 0.9))
        + path("M0-8A8 8 0 1 1 0 8A8 8 0 1 1 0-8Z", CREAM)
        + text(0, 4.2, 10 if value == 100 else 12, str(value), INK, bold=True)
    )


def _purse(team: Team, width: float) -> str:
    """The banknotes, one over another, and the sum below, in the middle of this width."""
    pile = notes(team.money)[-9:] or []
    step = min(24.0, (width - 46) / max(1, len(pile) - 1))
    first = -step * (len(pile) - 1) / 2
    return "".join(moved(first + step * i, 0, _note(*note)) for i, note in enumerate(pile))


def _figure() -> str:
    """An assistant: a small figure with a cap."""
    return path("M0-9A4.4 4.4 0 0 1 4.4-4.6H6.4V-3.2H-4.4V-4.6A4.4 4.4 0 0 1 0-9ZM-4-2.4H4A4 4 0 0 1 2.6 1.2"
                "C5 2 6 4 6 9H-6C-6 4-5 2-2.6 1.2A4 4 0 0 1-4-2.4Z", INK)  # fmt: skip


def _box(n: int, assistants: int | None, uses: str = "") -> str:
    """A box with its assistants around 0: 92 wide and 44 high, and below it what an assistant does."""
    figures = min(assistants or 0, 6)
    step = min(11.0, 50 / max(1, figures))
    name = _(BOX_NAMES[n])
    parts = [
        path("M-45 0H45V44H-45Z", CREAM, edge(INK, 2)),
        path("M-45 0H45V17H-45Z", INK),
        moved(-34, 8.5, path(BOXES[n], GOLD, EVEN), 0.66),
        text(8, 12.6, fitted(name, 11.5, 68), name, CREAM, bold=True),
        *(moved(-step * (figures - 1) / 2 + step * i - 10, 30.5, _figure()) for i in range(figures)),
        text(33, 36.6, 17, "–" if assistants is None else str(assistants), INK, bold=True),
    ]
    for i, words in enumerate(uses.split("; ")):
        parts.append(text(0, 57 + 12 * i, min(11.0, 150 / max(1, len(words))), words, TEXT))
    return "".join(parts)


def _in_words(team: Team) -> str:
    """A dashboard in words."""
    cards = plural("{n} card", "{n} cards", team.cards)
    says = _("{name}: petrol {petrol}, engine {engine}, chassis {chassis}, {francs} F, {cards}").format(
        name=team.name,
        petrol=team.petrol,
        engine=team.engine,
        chassis=team.chassis,
        francs=team.money,
        cards=cards,
    )
    if team.assistants is None:
        return says
    crew = _(", ").join(
        _("{n} on {box}").format(n=number, box=_(BOX_NAMES[n])) for n, number in enumerate(team.assistants)
    )
    return _("{dashboard}; {crew}").format(dashboard=says, crew=crew)


def dashboard(team: Team) -> str:
    """A crew's dashboard (680 by 106): three gauges, money, assistants and cards."""
    most, boxes = _dial_end(team), team.assistants or (None,) * 4
    dials = "".join(
        moved(46 + 82 * i, 46, gauge(name, value, most, icon))
        + text(46 + 82 * i, 98, 12.5, name, TEXT, bold=True)
        for i, (name, value, icon) in enumerate(_dials(team))
    )
    crew = "".join(moved(330 + 100 * n, 54, _box(n, boxes[n])) for n in range(4))
    facts = _("{francs} F · {cards}").format(
        francs=team.money, cards=plural("{n} card", "{n} cards", team.cards)
    )
    name = short(team.name, 24)
    return (
        f'<svg {NS} class="gr-dashboard" viewBox="0 0 680 106" {aria(_in_words(team))} font-family="{FONT}">'
        + dials
        + moved(302, 27, sign(team.seat, PAINTS[team.seat], ON_PAINTS[team.seat]))
        + f'<text x="324" y="32" font-size="17" font-weight="700" fill="{TEXT}">'
        + f"{_name_plate(team, name)}</text>"
        + moved(610, 14, _purse(team, 130))
        + text(610, 44, 14, facts, TEXT, bold=True)
        + crew
        + "</svg>"
    )


def _name_plate(team: Team, name: str) -> str:
    return escape(_("{name} with {leader}").format(name=name, leader=team.leader) if team.leader else name)


def panel(team: Team, pays: Sequence[int]) -> str:
    """The dashboard of the reader's own crew (380 by 150): gauges, banknotes, and the boxes of assistants
    with both uses of each in words."""
    most, boxes = _dial_end(team), team.assistants or (None,) * 4
    dials = "".join(
        moved(31 + 63 * i, 29, gauge(name, value, most, icon, 25)) + text(31 + 63 * i, 68, 11, name, TEXT)
        for i, (name, value, icon) in enumerate(_dials(team))
    )
    crew = "".join(
        moved(
            47.5 + 95 * n,
            74,
            _box(
                n,
                boxes[n],
                _(USES[n]).format(crew=" ".join(map(str, _CREW)), francs=" ".join(map(str, pays))),
            ),
        )
        for n in range(4)
    )
    name = short(team.name, 12)
    hand = path("M-13-15H5V9H-13Z", RED, edge(CREAM, 1.2)) + path("M-9-12H11V14H-9Z", RED, edge(CREAM, 1.4))
    return (
        f'<svg {NS} class="gr-dashboard" viewBox="0 0 380 150" {aria(_in_words(team))} font-family="{FONT}">'
        + dials
        + moved(228, 15, _purse(team, 76))
        + text(228, 52, 21, _("{n} F").format(n=team.money), TEXT, bold=True)
        + text(228, 68, 11, _("money"), TEXT)
        + moved(293, 29, hand, 1.25)
        + text(294.5, 36, 19, str(team.cards), CREAM, bold=True)
        + text(293, 68, 11, plural("card", "cards", team.cards), TEXT)
        + moved(347, 29, sign(team.seat, PAINTS[team.seat], ON_PAINTS[team.seat]), 1.75)
        + text(347, 68, fitted(name, 11, 66), name, TEXT)
        + crew
        + "</svg>"
    )


def gauges(team: Team) -> str:
    """A dashboard on one line for a phone (360 by 44): sign, three gauges, money, assistants, cards."""
    most = _dial_end(team)
    parts = [moved(18, 22, sign(team.seat, PAINTS[team.seat], ON_PAINTS[team.seat]), 1.1)]
    for i, (name, value, icon) in enumerate(_dials(team)):
        parts.append(moved(54 + 59 * i, 22, _small(name, value, most, icon)))
    parts.append(
        path("M217 7H265V29H217Z", "#2f7a80", edge(TEXT, 1.4))
        + path("M220 10H262V26H220Z", CREAM)
        + text(241, 23.4, fitted(str(team.money), 15, 40), str(team.money), INK, bold=True)
        + text(241, 41, 9.5, _("francs"), TEXT)
    )
    for n, sign_ in enumerate(BOXES):
        number = "–" if team.assistants is None else str(team.assistants[n])
        parts.append(moved(275 + 15.3 * n, 35, path(sign_, TEXT, EVEN), 0.62))
        parts.append(text(275 + 15.3 * n, 22, 17, number, TEXT, bold=True))
    parts.append(
        path("M335 5H353V29H335Z", RED, edge(TEXT, 1.2))
        + text(344, 23, 16, str(team.cards), CREAM, bold=True)
        + text(345, 41, 9.5, _("cards"), TEXT)
    )
    return (
        f'<svg {NS} class="gr-line" viewBox="0 0 360 44" {aria(_in_words(team))} font-family="{FONT}">'
        f"{''.join(parts)}</svg>"
    )


def abreast(team: Team, far: int) -> str:
    """A crew on one line (222 by 22): sign, gauges, money, cards, guards, and the spaces to go."""
    most, guards = _dial_end(team), "–" if team.assistants is None else str(team.assistants[2])
    drop, cog, axle = (
        (sign_, str(value), RED if value * 3 <= most else TEXT) for _name, value, sign_ in _dials(team)
    )
    goes = str(far) if far else "✓" if team.arrival else "–"
    facts = (
        (28, 40, 0.66, *drop), (56, 69, 0.66, *cog), (85, 98, 0.66, *axle),
        (143, 155, 0.9, _CARD, str(team.cards), TEXT), (169, 181, 0.72, SHIELD, guards, TEXT),
        (196, 211, 0.72, FLAG, goes, TEXT),
    )  # fmt: skip
    francs = _("{n} F").format(n=team.money)
    drawn = "".join(
        moved(x, 11, path(sign_, TEXT, EVEN), size) + text(at, 16.4, 15.5, words, ink, bold=True)
        for x, at, size, sign_, words, ink in facts
    )
    left = plural("{n} space to go", "{n} spaces to go", far)
    says = _("{dashboard}; {crew}").format(dashboard=_in_words(team), crew=left) if far else _in_words(team)
    return (
        f'<svg {NS} class="gr-line" viewBox="0 0 222 22" {aria(says)} font-family="{FONT}">'
        f"{moved(11, 11, sign(team.seat, PAINTS[team.seat], ON_PAINTS[team.seat]), 0.7)}"
        f"{text(120, 16.2, fitted(francs, 15, 30), francs, TEXT, bold=True)}{drawn}</svg>"
    )


def _small(name: str, value: int, most: int, icon: str) -> str:
    """A half dial with a needle, its sign, and the level beside it: 58 wide."""

    def point(level: float, far: float) -> str:
        turn = radians(180 - 180 * level / most)
        return f"{far * cos(turn):.1f} {-far * sin(turn):.1f}"

    ticks = "".join(f"M{point(i, 11.5)}L{point(i, 15)}" for i in range(most + 1))
    low = value * 3 <= most
    dial = (
        path("M-17.6 3.4V0A17.6 17.6 0 0 1 17.6 0V3.4Z", CREAM, edge(TEXT, 1.4))
        + line(ticks, INK, 1.6)
        + line(f"M0 0L{point(value, 12.5)}", RED, 2.4, ' stroke-linecap="round"')
        + '<circle r="2.4" fill="#1d2530"/>'
    )
    level = text(29, 7.4, 20, str(value), TEXT, bold=True)
    warn = (
        path("M29-16.4l4.2 6.8h-8.4Z", RED, edge(TEXT, 0.8))
        if low
        else moved(29, -13, path(icon, TEXT, EVEN), 0.5)
    )
    return moved(0, 3, dial) + level + warn + text(7, 19, 9.5, name, TEXT)


def mark(seat: int) -> str:
    """A seat's sign as a small drawing, hidden from screen readers: a name stands beside it."""
    return (
        f'<svg {NS} class="gr-mark" viewBox="-16 -16 32 32" {aria("", named=False)} font-family="{FONT}">'
        f"{sign(seat, PAINTS[seat], ON_PAINTS[seat])}</svg>"
    )


def box(n: int) -> str:
    """The sign of a box for assistants, in the order of ``words.BOX_NAMES``; hidden from screen readers."""
    drawn = path(BOXES[n], TEXT, EVEN)
    return f'<svg {NS} class="gr-box" viewBox="-11 -11 22 22" {aria("", named=False)}>{drawn}</svg>'
