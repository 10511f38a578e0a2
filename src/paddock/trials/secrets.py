"""What a seat must not see: not in states, moves and observations, and not by what it is told."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from paddock.core.bounds import SPARE
from paddock.core.game import Game
from paddock.core.log import Entry, Event
from paddock.core.title import Title, seats_of
from paddock.core.words import CHANCE, HIDDEN
from paddock.kernel.record import layout_of, secrets_of
from paddock.kernel.source import Seeded
from paddock.trials.trial import Fault, Trial, some_eyes, walk

GAMES = 20
MOST = 120  # decisions of each


def views(title: Title, seed: int) -> str:
    """What is hidden, dealt again and hidden again is the same, and so are the moves of those who look."""
    checked = 0
    for index in range(GAMES):
        rng, choose = Seeded(seed, index).rng, random.Random(f"{seed} {index} eyes")
        for game in walk(title, seed, index, MOST):
            if game.over:
                break
            eyes = some_eyes(game.options, choose)
            view = hidden(title, game.whole(), game.setup, eyes)
            world = redealt(title, view, game.setup, eyes, rng)
            again = hidden(title, world, game.setup, eyes)
            if changed := differing(view, again):
                raise Fault(
                    "rules.py",
                    f"redeal() changes {changed}, which {watching(eyes)} can see, or hide() leaves it",
                )
            _known_is_held(title, game.whole())
            for who, state in (("hide()", view), ("redeal()", world)):
                _same_moves(title, game, state, eyes, who)
            checked += 1
    return f"{checked} states, each as some seats see it; {who_sees_what(title)}"


def _known_is_held(title: Title, s: Any) -> None:
    """Raise ``Fault`` if a hand lacks cards that its ``known`` has."""
    for name, secret in secrets_of(title.rules.State).items():
        if secret.known:
            hand, known = getattr(s, name), getattr(s, secret.known)
            for (seat, kind), number in known.items():
                if not 0 <= number <= hand[seat, kind]:
                    raise Fault(
                        "rules.py",
                        f"{secret.known}[{seat}, {kind}] is {number}, and {name} has {hand[seat, kind]}: "
                        f"a card that leaves a hand openly leaves {secret.known} too",
                    )


def watching(eyes: int) -> str:
    """Return who looks, in words: the seats, or a spectator."""
    seats = [str(seat) for seat in seats_of(eyes)]
    return f"seat{'s' * (len(seats) > 1)} {' and '.join(seats)}" if seats else "a spectator"


def who_sees_what(title: Title) -> str:
    """Return which fields of a state are declared ``Hidden``, and from whom."""
    secrets = secrets_of(title.rules.State)
    nobody = [name for name, secret in secrets.items() if not secret.seats]
    own = [name for name, secret in secrets.items() if secret.seats]
    parts = [f"nobody sees {', '.join(nobody)}"] if nobody else []
    parts += [f"each seat sees its own {', '.join(own)}"] if own else []
    return "; ".join(parts) or "no field is declared Hidden"


def _same_moves(title: Title, game: Game, state: Any, eyes: int, who: str) -> None:
    """Compare who must decide, and the legal moves of the eyes, with the true ones."""
    g = game.setup
    if title.rules.who(state, g) != game._who():
        raise Fault("rules.py", f"after {who} another seat must decide")
    for seat in game.deciders:
        if eyes >> seat & 1:
            true, seen = (title.legal(s, g, seat) for s in (game.whole(), state))
            if true != seen:
                raise Fault("rules.py", f"after {who} the legal moves of seat {seat} are {seen}, not {true}")
            # The observation that is derived is made of hidden states only
            if title.has_room("features") and _observed(title, game.whole(), g, seat) != _observed(
                title, state, g, seat
            ):
                raise Fault("features.py", f"the observation of seat {seat} tells what {who} wipes")


def _observed(title: Title, s: Any, g: Any, seat: int) -> list[float]:
    out = [0.0] * (title.features.FEATURES + SPARE)
    title.features.observe(s, g, seat, out)
    return out


def told(title: Title, seed: int) -> str:
    """Two outcomes or hidden choices that leave the eyes the same view tell them the same."""
    compared = 0
    for index in range(GAMES):
        choose = random.Random(f"{seed} {index} told")
        for game, entry in before_each_entry(title, seed, index, MOST):
            _chosen_in_secret(title, game, entry)
            eyes = some_eyes(game.options, choose)
            compared += _same_told(title, game, eyes, choose)
    return f"{compared} pairs"


def _chosen_in_secret(title: Title, game: Game, entry: Entry) -> None:
    """Raise ``Fault`` if a spectator sees a choice while others choose at the same time."""
    others = [seat for seat in game.deciders if seat != entry.by]
    if entry.by == CHANCE or not others:
        return
    if game.shown(0, entry) != HIDDEN:
        raise Fault(
            "rules.py",
            f"seen() shows a spectator what seat {entry.by} has chosen while seat {others[0]} still chooses: "
            "declare the field Hidden(…, choice=True), or let who() ask one seat after the other",
        )


def before_each_entry(title: Title, seed: int, index: int, most: int) -> Iterator[tuple[Game, Entry]]:
    """Yield a random game before each of its entries, those of chance included, and the entry."""
    *_, played = walk(title, seed, index, most)
    game = Game(title, played.options)
    for entry in played.log:
        yield game, entry
        game.append(entry)


def _same_told(title: Title, game: Game, eyes: int, choose: random.Random) -> int:
    """Compare two ways to go on from here; return whether they leave the same view."""
    g = game.setup
    if game.chance_due:
        by, ways = CHANCE, [*game.outcomes()]
    else:
        by = choose.choice(game.deciders)
        if eyes >> by & 1:
            return 0
        ways = [*game.legal(by).ids]
    if len(ways) < 2:
        return 0
    states, events, pair = [], [], choose.sample(ways, 2)
    for what in pair:
        state = game.whole()
        state.events = []
        title.rules.apply(state, g, by, what)
        states.append(state)
        events.append([_learned(title, g, eyes, event) for event in state.events])
    secret = differing(*states)
    if not secret:
        return 0  # nothing is secret about them
    changed = differing(*(hidden(title, state, g, eyes) for state in states))
    seen = [game.shown(eyes, Entry(by, what)) for what in pair]
    if changed:
        reveals = by != CHANCE and len(game.deciders) == 1  # the last hidden choice may show them all
        if seen == [HIDDEN, HIDDEN] and not reveals and _all_differ(title, game, eyes, by, ways):
            raise Fault("rules.py", f"hide() shows {watching(eyes)} {changed}, and seen() keeps it secret")
        return 0
    if events[0] != events[1]:
        codes = {event.code for told in events for event in told if event}
        raise Fault(
            "rules.py",
            f"tell() shows {watching(eyes)} {secret}, which hide() wipes: one of the events {sorted(codes)}",
        )
    if seen != [HIDDEN, HIDDEN]:
        raise Fault("rules.py", f"seen() shows {watching(eyes)} {secret}, which hide() wipes")
    return 1


def _all_differ(title: Title, game: Game, eyes: int, by: int, ways: Sequence[int]) -> bool:
    """Whether each of several ways leaves the eyes another view.

    Else they only see what follows from a secret by the rules, such as that a drawn card can be played.
    """
    views = set()
    for what in ways:
        state = game.whole()
        title.rules.apply(state, game.setup, by, what)
        views.add(hidden(title, state, game.setup, eyes).tobytes())
    return len(views) == len(ways) > 2


def _learned(title: Title, g: Any, eyes: int, event: tuple[int, int, int, int, int]) -> Event | None:
    return title.event_for(g, eyes, Event(*event))


def hidden(title: Title, s: Any, g: Any, eyes: int) -> Any:
    """Return a copy of a state without what the eyes cannot see."""
    copied = s.copy()
    title.rules.hide(copied, g, eyes)
    return copied


def redealt(title: Title, view: Any, g: Any, eyes: int, rng: Any) -> Any:
    """Return a copy of a hidden state with what the eyes cannot see dealt again."""
    copied = view.copy()
    title.rules.redeal(copied, g, eyes, rng, [0] * (title.rules.ACTIONS + SPARE))
    return copied


def differing(one: Any, other: Any) -> str:
    """Return a place where two states differ, such as ``hand[1, 3]``, first of those that are declared
    ``Hidden``; empty if they are the same."""
    for name, _code, shape in sorted(layout_of(one), key=lambda field: field[0] not in secrets_of(one)):
        own, others = getattr(one, name), getattr(other, name)
        if own == others:
            continue
        both = zip(numbers_of(own, shape), numbers_of(others, shape), strict=True)
        return next(place_of(name, a[0], shape) for a, b in both if a != b)
    return ""


def place_of(name: str, place: tuple[int | str, ...], shape: tuple[int, ...]) -> str:
    """Return the name of a part of a field, as rules write it."""
    return f"{name}[{', '.join(map(str, place))}]" if shape else name


def numbers_of(value: Any, shape: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the place and the number of each part of a field."""
    if not shape:
        yield (0,), value
    elif len(shape) == 1:
        yield from (((i,), number) for i, number in enumerate(value))
    else:
        yield from value.items()


SECRETS = (Trial("what seats see", "rules.py", views), Trial("what seats are told", "rules.py", told))
