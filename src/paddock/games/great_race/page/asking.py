"""The Great Race: what a seat can choose on its page: buttons, cards, spaces of the map, and why not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from paddock.core.i18n import _, mark, pgettext, plural, pmark
from paddock.core.title import Seen
from paddock.games.great_race.page.offers import Box, ButtonGroup, Face, Hand, Press
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.convoy import petrol_price
from paddock.games.great_race.rules.crew import most
from paddock.games.great_race.rules.driving import damage_of
from paddock.games.great_race.rules.land import petrol_for
from paddock.games.great_race.rules.state import Setup, State
from paddock.games.great_race.words.chains import cost, odds, prey, ready
from paddock.games.great_race.words.names import (
    BOX_NAMES,
    LEADERS,
    CardNumbers,
    card_effect,
    card_name,
    card_number,
    tile_facts,
    tile_name,
)
from paddock.games.great_race.words.names import CARDS as CARD_WORDS
from paddock.games.great_race.words.names import TILES as TILE_WORDS
from paddock.games.great_race.words.places import apart, short_where
from paddock.games.great_race.words.places import label as labelled
from paddock.games.great_race.words.text import label, move
from paddock.games.great_race.words.view import View
from paddock.parts.page import Choice, Way

THEN = "; "  # between the links of a chain
# Questions that one tap answers: the button sends its answer at once
WINDOWS = (
    state.CANCEL, state.RANSOM_STAGE, state.ARRIVAL, state.DANGER, state.STOP_SIGN, state.DAMAGE, state.SPLIT,
    state.TOOLBOX_LEVEL,
)  # fmt: skip
# Questions that are answered with one of some pictures
PICKS = (state.CHOOSE_LEADER, state.TAKE, state.KEEP, state.DISCARD, state.CUSTOMS_DISCARD)
PLACES = (state.SPOT, state.PLACE_SPACE)


def ask(seen: Seen, seat: int, view: View) -> Hand:
    """Return what a seat must decide, after the links that are chosen so far, with the cards of its hand."""
    hand = _ask(seen, seat, view)
    if seen.state.stage in (state.ACT, state.DISCARD, state.CUSTOMS_DISCARD):
        return hand  # its choices are these cards
    tray, why = _tray(seen, seat)
    return replace(hand, tray=tray, refused=hand.refused | why)


def _ask(seen: Seen, seat: int, view: View) -> Hand:
    """Return what the seat can choose from, in the form of its stage."""
    s: State = seen.state
    if s.stage == state.PLANS_STAGE:
        return _plan(seen, seat)
    if s.stage in WINDOWS:
        return _window(seen, seat)
    if s.stage in PICKS:
        return _picks(seen, seat, view)
    if s.stage == state.ACT:
        return _sequence(seen, seat)
    return _chain(seen, seat)


# ---- questions ----------------------------------------------------------------------------------

_QUESTIONS = {
    state.CHOOSE_LEADER: mark("Who leads your crew?"),
    state.TAKE: mark("Take a card from the bivouac"),
    state.PLANS_STAGE: mark("Place your assistants, in secret"),
    state.ACT: mark("Your sequence: petrol, cards, one assistant"),
    state.TARGET: mark("Which rival?"),
    state.SPLIT: mark("Sabotage: which gauge loses a level?"),
    state.KEEP: mark("Which of the cards drawn do you discard?"),
    state.PICK_TILE: mark("Which tiles will you place?"),
    state.PLACE_TILE: mark("Which tile do you place next?"),
    state.MEND: mark("What do you repair?"),
    state.TOOLBOX_LEVEL: mark("Toolbox: which gauge gets a level?"),
    state.STEP: mark("Where do you drive? Steps left: {n}"),
    state.DAMAGE: mark("What takes the damage?"),
    state.STOP_SIGN: mark("A stop sign: play a Guide?"),
    state.DISCARD: mark("Your chassis carries {n}: discard a card"),
    state.CUSTOMS_DISCARD: mark("Customs: discard a card"),
    state.CANCEL: mark("{rival} plays {card}"),
    state.RANSOM_STAGE: mark("{rival}: Red Kate wants a card of yours"),
    state.ARRIVAL: mark("You find {tile}"),
    state.DANGER: mark("A danger: {tile}"),
    state.PLACE_SPACE: mark("Where does {tile} go?"),
}


def _question(seen: Seen, seat: int) -> str:
    """Return the question of this stage, with the number, rival, card or tile that it is about."""
    s: State = seen.state
    if s.stage == state.SPOT:
        if s.action == state.SWAPPING:
            return _("Which two tiles are swapped? Name one, then the other")
        return _("Which tile is removed?")
    tile = state.BLANK
    if s.stage == state.PLACE_SPACE:
        tile = s.picked
    elif s.entering != state.OFF:
        tile = s.tile[s.entering]
    return _(_QUESTIONS[s.stage]).format(
        n=s.steps if s.stage == state.STEP else s.chassis[seat],
        rival=seen.seat_name(s.turn),
        card=card_name(s.card) if s.card >= 0 else "",
        tile=tile_name(tile) if tile != state.BLANK else "",
    )


# ---- a plan -------------------------------------------------------------------------------------

_USES = (
    (mark("scout · supply"), mark("Scout: draw two tiles and place them. Supply: draw a card.")),
    (mark("repair · drive"), mark("Repair engine and chassis, or drive.")),
    (mark("guard · clear"), mark("Avoid a danger, or remove a tile.")),
    (mark("up to {most} F"), mark("All of them at once bring {francs} F.")),
)


def _plan(seen: Seen, seat: int) -> Hand:
    """GR-4.1 all assistants on the four boxes; GR-11.4 six for Li on odd turns."""
    g: Setup = seen.setup
    six_assistants = seen.legal(seat)[0] >= state.PLAN + state.FIVE
    crew = 6 if six_assistants else 5
    pays = _(", ").join(str(g.pays[n]) for n in range(1, crew + 1))
    boxes = tuple(
        Box(
            _(BOX_NAMES[box]),
            _(uses).format(most=g.pays[crew]),
            _(sentence).format(francs=pays),
            str(box + 1),
        )
        for box, (uses, sentence) in enumerate(_USES)
    )
    return Hand(
        _question(seen, seat),
        _("Place all {n} assistants").format(n=crew),
        "plan",
        boxes=boxes,
        crew=crew,
        hint=_("One assistant is one action of this turn. All plans are revealed together."),
        clause="GR-4.1",
    )


# ---- windows ------------------------------------------------------------------------------------


def _window(seen: Seen, seat: int) -> Hand:
    """A question that one tap answers."""
    s, g = seen.state, seen.setup
    legal = seen.legal(seat)
    shows: tuple[Face, ...] = ()
    if s.stage == state.CANCEL:
        shows = (card_face(g, CARD_WORDS[s.card]),)
    elif s.entering != state.OFF and s.tile[s.entering] != state.BLANK:
        shows = (_tile_face(g, s.tile[s.entering], s.entering),)
    hint, clause = _otherwise(seen, seat)
    return Hand(
        _question(seen, seat),
        _("Choose"),
        "window",
        ways=tuple(Way(label(seen, seat, id), str(n)) for n, id in enumerate(legal, 1)),
        sends=tuple(str(move(g, id)) for id in legal),
        shows=shows,
        hint=hint,
        clause=clause,
    )


def _otherwise(seen: Seen, seat: int) -> tuple[str, str]:
    """What happens without a reaction, with its clause."""
    s, g = seen.state, seen.setup
    if s.stage == state.CANCEL:
        return _THREATS[s.card](s, g)
    if s.stage == state.RANSOM_STAGE:
        return _("Otherwise, a random card is stolen from your hand."), "GR-11.5"
    if s.stage in (state.ARRIVAL, state.DANGER):
        damage = damage_of(s, g, s.entering, 1)
        words = (
            _("It takes {petrol} petrol and {damage} damage.") if damage else _("It takes {petrol} petrol.")
        )
        return words.format(petrol=petrol_for(s, g, s.entering), damage=damage), "GR-7.2"
    if s.stage == state.SPLIT:
        return prey(s, seen.seat_name(s.target), s.target), "GR-10.27"
    if s.stage == state.STOP_SIGN:
        return _("Without a Guide the drive ends here."), "GR-7.6"
    if s.stage == state.DAMAGE:
        return _(
            "With the engine at 0 you break down; the chassis says how many cards you can carry."
        ), "GR-7.2"
    return "", ""


_THREATS: dict[int, Callable[[State, Setup], tuple[str, str]]] = {
    state.SABOTEUR: lambda s, g: (
        plural(
            "Otherwise you lose {n} level of engine and chassis; your rival says which.",
            "Otherwise you lose {n} levels of engine and chassis; your rival says which.",
            g.saboteur,
        ),
        "GR-10.2",
    ),
    state.RANSOM: lambda s, g: (_("Otherwise you lose {n} F.").format(n=g.ransom), "GR-10.16"),
    state.SIPHONER: lambda s, g: (
        plural("Otherwise you lose {n} petrol.", "Otherwise you lose {n} petrol.", g.siphon),
        "GR-10.17",
    ),
    state.CUSTOMS: lambda s, g: (
        plural("Otherwise you discard {n} card.", "Otherwise you discard {n} cards.", g.customs),
        "GR-10.18",
    ),
    state.TRAIL_HUNTER: lambda s, g: (
        _("Otherwise these tiles are removed: {places}.").format(places=_spots(s, g)),
        "GR-10.1",
    ),
    state.CON_ARTIST: lambda s, g: (
        _("Otherwise these tiles are swapped: {places}.").format(places=_spots(s, g)),
        "GR-10.6",
    ),
}


def _spots(s: State, g: Setup) -> str:
    """The tiles that a card has named."""
    spots = [space for space in (s.first_spot, s.second_spot) if space != state.OFF]
    return _(", ").join(
        _("{tile} on {place}").format(tile=tile_name(s.tile[space]), place=short_where(g, space))
        for space in spots
    )


# ---- pictures -----------------------------------------------------------------------------------


def _picks(seen: Seen, seat: int, view: View) -> Hand:
    """A question that is answered with a card or a leader."""
    s, g = seen.state, seen.setup
    team = view.teams[seat]
    hint = clause = ""
    if s.stage == state.CHOOSE_LEADER:
        faces = [Face("leader", word, label(seen, seat, state.LEADER + n)) for n, word in enumerate(LEADERS)]
        moves = [state.LEADER + n for n in range(len(LEADERS))]
        taken = set(seen.legal(seat))
        faces = [face for face, id in zip(faces, moves, strict=True) if id in taken]
        moves = [id for id in moves if id in taken]
    else:
        words, first = {
            state.TAKE: (view.market, state.TAKE_CARD),
            state.KEEP: (team.drawn, state.DROP_CARD),
        }.get(s.stage, (team.hand or (), state.DROP_CARD))
        faces = [card_face(g, word) for word in words]
        moves = [first + CARD_WORDS.index(word) for word in words]
    if s.stage == state.KEEP:
        hint = _("You keep {n} of these. What you discard lies face up.").format(n=s.keep)
        clause = "GR-10.15"
    elif s.stage == state.TAKE:
        hint, clause = _("Everybody sees what you take."), "GR-3.1"
    elif s.stage == state.DISCARD:
        hint, clause = _("You may hold as many cards as the chassis has levels."), "GR-3.2"
    legal = seen.legal(seat)
    cards = tuple(
        Choice(
            f"{face.word}-{n}", (str(move(g, id)),), face, face.says, str(n) if n < 10 else "", id in legal
        )
        for n, (face, id) in enumerate(zip(faces, moves, strict=True), 1)
    )
    can = state.PLAY + state.JERRYCAN
    signs: tuple[Choice[Face], ...] = (
        Choice("jerrycan", (str(move(g, can)),), None, _("Play a Jerrycan first"), "j"),
    )
    return Hand(
        _question(seen, seat),
        _("Choose a card") if s.stage != state.CHOOSE_LEADER else _("Choose a leader"),
        "picks",
        cards=cards,
        signs=signs if can in legal and s.stage != state.DISCARD else (),
        hint=hint,
        clause=clause,
        key="",
    )


def card_face(g: CardNumbers, word: str) -> Face:
    """A card with what it does."""
    kind = CARD_WORDS.index(word)
    return Face("card", word, card_effect(g, kind), card_number(g, kind))


def _tile_face(g: Setup, kind: int, space: int = state.OFF) -> Face:
    """A tile with its facts; in a risk zone it takes one more."""
    risk = int(space != state.OFF and g.land[space] == state.RISK)
    facts = tile_facts(
        g.tile_petrol[kind] + risk, g.tile_damage[kind], bool(g.tile_danger[kind]), bool(g.tile_stop[kind])
    )
    return Face("tile", TILE_WORDS[kind], _(", ").join(facts))


# ---- the sequence -------------------------------------------------------------------------------

_VERBS = (  # short words on the buttons, in the order of the boxes
    (state.SCOUT, pmark("verb", "Scout"), "t"),
    (state.SUPPLY, pmark("verb", "Supply"), "u"),
    (state.REPAIR, pmark("verb", "Repair"), "r"),
    (state.DRIVE, pmark("verb", "Drive"), "d"),
    (state.CLEAR, pmark("verb", "Clear"), "c"),
    (state.COOK_CLEAR, mark("Cook clears"), "k"),
    (state.FUND, pmark("verb", "Fund"), "f"),
    (state.STEAL, pmark("verb", "Steal"), "e"),
    (state.PASS, pmark("make no more moves", "Pass"), "x"),
)


def _sequence(seen: Seen, seat: int) -> Hand:
    """GR-5.1 petrol, cards, one assistant or a pass, in this order."""
    s, g = seen.state, seen.setup
    legal = set(seen.legal(seat))
    price = petrol_price(s, g, seat)
    buys = [id for id in range(state.BUY + 1, state.VERBS) if id in legal]
    petrol = tuple(
        _press(
            seen,
            seat,
            id,
            f"+{id - state.BUY}",
            note=_("{n} F").format(n=price * (id - state.BUY)),
            key=str(id - state.BUY),
        )
        for id in buys
    )
    hand = [kind for kind in range(state.CARDS) if s.hand[seat, kind]]
    cards = tuple(_card(seen, seat, kind, fits=state.PLAY + kind in legal) for kind in hand)
    verbs = [
        (id, words, key)
        for id, words, key in _VERBS
        if id in legal
        or id in (state.SCOUT, state.SUPPLY, state.REPAIR, state.DRIVE, state.CLEAR, state.FUND)
        or (id == state.COOK_CLEAR and s.leader[seat] == state.COOK)
        or (id == state.STEAL and s.leader[seat] == state.KATE)
    ]
    crew = tuple(
        _press(seen, seat, id, _(words), key=key, fits=id in legal, note=_crew_note(s, g, seat, id))
        for id, words, key in verbs
    )
    groups = [
        ButtonGroup("petrol", _("Petrol"), petrol),
        ButtonGroup("cards", _("Cards"), cards, "" if cards else _("No cards in your hand.")),
        ButtonGroup("crew", _("Assistant"), crew),
    ]
    refused = [press.move for group in groups for press in group.presses if not press.fits]
    why = _refused(seen, seat, refused)
    if not petrol:
        buy = str(move(g, state.BUY + 1))
        full = s.petrol[seat] == most(s, g, seat)
        sentence = _("the petrol is full") if full else _refused(seen, seat, [buy]).get(buy, ("", ""))[0]
        groups[0] = replace(groups[0], none=_capital(sentence))
    spaces, labels = _from_here(seen, seat, legal)
    return Hand(
        _question(seen, seat),
        _("Choose petrol, a card, an assistant, or a space of the map"),
        "chain",
        why,
        tuple(groups),
        spaces=spaces,
        labels=labels,
        hint=_("Petrol comes first, then cards. An assistant or a pass ends your sequence."),
        clause="GR-5.1",
    )


def _capital(sentence: str) -> str:
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""


def _crew_note(s: State, g: Setup, seat: int, verb: int) -> str:
    """How many assistants are left for it; for funding, the money."""
    if verb == state.FUND and s.assistants[seat, state.FUNDING]:
        return _("{n} F").format(n=g.pays[s.assistants[seat, state.FUNDING]])
    box = _BOX.get(verb)
    return "" if box is None else f"×{s.assistants[seat, box]}"


_BOX = {
    state.SCOUT: state.PATHFINDER, state.SUPPLY: state.PATHFINDER, state.REPAIR: state.MECHANICS,
    state.DRIVE: state.MECHANICS, state.CLEAR: state.SECURITY, state.FUND: state.FUNDING,
}  # fmt: skip


def _card(seen: Seen, seat: int, kind: int, *, fits: bool) -> Press:
    """A card of the hand, equal ones counted."""
    face = card_face(seen.setup, CARD_WORDS[kind])
    press = _press(seen, seat, state.PLAY + kind, card_name(kind), fits=fits)
    return replace(press, face=face, count=seen.state.hand[seat, kind])


def _tray(seen: Seen, seat: int) -> tuple[tuple[Press, ...], dict[str, tuple[str, str]]]:
    """The cards of a hand beside another question, and why they cannot be played now."""
    s, g = seen.state, seen.setup
    cards_held = {
        str(move(g, state.PLAY + kind)): kind for kind in range(state.CARDS) if s.hand[seat, kind] > 0
    }
    why = _refused(seen, seat, cards_held)
    cards = []
    for notation, kind in cards_held.items():
        face, name = card_face(g, CARD_WORDS[kind]), card_name(kind)
        sentence = _("{card}: {effect}").format(card=name, effect=face.says)
        fits = notation not in why
        cards.append(Press(notation, name, sentence, fits=fits, face=face, count=int(s.hand[seat, kind])))
    return tuple(cards), why


def _press(
    seen: Seen, seat: int, id: int, short: str, *, note: str = "", key: str = "", fits: bool = True
) -> Press:
    """A button for a move."""
    return Press(str(move(seen.setup, id)), short, label(seen, seat, id), note, key, fits)


def _refused(seen: Seen, seat: int, notations: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Why moves of the seat are not legal: notation → (sentence, clause)."""
    g = seen.setup
    out = {}
    for notation in notations:
        id = seen.title.text.parse_move(g, notation).id
        fault = seen.title.refused(seen.state, g, seat, id)
        if fault:
            out[notation] = (fault.reason, fault.clause)
    return out


def _from_here(seen: Seen, seat: int, legal: set[int]) -> tuple[dict[int, str], dict[int, str]]:
    """The spaces of the map that a drive can reach: with a Mechanic, else with a Driver."""
    start = next((id for id in (state.DRIVE, state.PLAY + state.DRIVER) if id in legal), None)
    if start is None:
        return {}, {}
    seen_after = seen.preview([start], seat).seen
    if seen_after.state.stage != state.STEP:
        return {}, {}
    return _reach(seen_after, seat, f"{move(seen.setup, start)}{THEN}")


# ---- links of a chain ---------------------------------------------------------------------------


def _reach(seen: Seen, seat: int, before: str = "") -> tuple[dict[int, str], dict[int, str]]:
    """GR-7.1 the next steps and the ready ways: space → notation, and space → words."""
    g = seen.setup
    spaces, labels = {}, {}
    for id in seen.legal(seat):
        if state.SPACE <= id < state.SPACE + state.SPACES:
            spaces[id - state.SPACE] = f"{before}{move(g, id)}"
            labels[id - state.SPACE] = _with_price(label(seen, seat, id), cost(seen, seat, id))
    for chain in ready(seen, seat):
        space = chain.moves[-1] - state.SPACE
        if space not in spaces:
            spaces[space] = before + THEN.join(str(move(g, id)) for id in chain.moves)
            labels[space] = _with_price(chain.label, chain.cost)
    return spaces, labels


def _with_price(words: str, costs: Mapping[str, int]) -> str:
    paid = price(costs)
    return _("{words}: {price}").format(words=words, price=paid) if paid else words


_PRICES = {
    "petrol": lambda n: _("{n} petrol").format(n=n),
    "damage": lambda n: _("{n} damage").format(n=n),
    "danger": lambda n: plural("{n} danger", "{n} dangers", n),
    "francs": lambda n: _("{n} F").format(n=n),
}


def price(costs: Mapping[str, int]) -> str:
    """A cost in words: «2 petrol, 1 damage»; empty where it is free."""
    return _(", ").join(_PRICES[resource](n) for resource, n in costs.items() if n)


def _chain(seen: Seen, seat: int) -> Hand:
    """A question whose answer is a link of a chain: a space, a tile, a rival, a part."""
    s = seen.state
    legal = seen.legal(seat)
    steps = [id for id in legal if state.SPACE <= id < state.SPACE + state.SPACES]
    if s.stage != state.SPOT:  # what leads on comes first
        steps.sort(key=lambda id: apart(seen.setup, id - state.SPACE, s.goal))
    other_moves = [id for id in legal if not state.SPACE <= id < state.SPACE + state.SPACES]
    groups = []
    spaces: dict[int, str] = {}
    labels: dict[int, str] = {}
    if steps:
        heading = _("Next step") if s.stage == state.STEP else _("Spaces")
        presses = tuple(_space(seen, seat, id, n) for n, id in enumerate(steps, 1))
        name = "spaces" if s.stage == state.PLACE_SPACE else "steps"  # a name of a space alone is short
        groups.append(ButtonGroup(name, heading, presses))
        if s.stage == state.STEP:
            spaces, labels = _reach(seen, seat)
        else:
            spaces = {id - state.SPACE: str(move(seen.setup, id)) for id in steps}
            labels = {id - state.SPACE: label(seen, seat, id) for id in steps}
    if other_moves:
        name = "tiles" if s.stage in (state.PICK_TILE, state.PLACE_TILE) else "answers"
        first = len(steps) + 1
        groups.append(
            ButtonGroup(
                name,
                _("Choices"),
                tuple(_other_link(seen, seat, id, n) for n, id in enumerate(other_moves, first)),
            )
        )
    hint, clause = _HINTS.get(s.stage, ("", ""))
    if s.stage == state.TARGET and s.action == state.STEALING:
        hint, clause = mark("Your rival may pay you off with {n} F."), "GR-11.5"
    shows = (_tile_face(seen.setup, s.picked),) if s.stage == state.PLACE_SPACE and s.picked >= 0 else ()
    return Hand(
        _question(seen, seat),
        _("Choose a space") if steps else _("Choose"),
        "chain",
        {},
        tuple(groups),
        shows=shows,
        spaces=spaces,
        labels=labels,
        hint=_(hint).format(n=seen.setup.theft_price) if hint else "",
        clause=clause,
    )


_HINTS = {
    state.STEP: (mark("Tap a space: nothing is driven before you send it."), "GR-7.1"),
    state.PLACE_SPACE: (mark("A free space that is connected with your vehicle."), "GR-6.1"),
    state.SPOT: (mark("A tile without a vehicle."), "GR-10.22"),
    state.MEND: (mark("Parts from your hand, and levels that you buy, as many as you like."), "GR-6.3"),
    state.TARGET: (mark("Your rival may avoid a danger card."), "GR-10.20"),
}


def _space(seen: Seen, seat: int, id: int, n: int) -> Press:
    """A space to drive to, or for a tile, with what is known of it."""
    s, g = seen.state, seen.setup
    space = id - state.SPACE
    place = labelled(short_where(g, space))
    note = ""
    if s.stage == state.STEP:
        costs = cost(seen, seat, id)
        if costs:
            note = price(costs)
            if g.land[space] != state.CITY:
                note = _("{tile}: {price}").format(tile=tile_name(s.tile[space]), price=note)
        else:
            chance = odds(s, g, seat, space)
            note = _("unknown: {n} % payable, {danger} % danger").format(
                n=round(100 * chance.payable), danger=round(100 * chance.danger)
            )
    elif s.stage == state.PLACE_SPACE:
        note = _("risk +1") if g.land[space] == state.RISK else ""
    elif s.stage == state.SPOT:
        note = tile_name(s.tile[space])
    press = _press(seen, seat, id, place, note=note, key=str(n) if n < 10 else "")
    return replace(press, says=_with_price(press.says, cost(seen, seat, id)))


def _other_link(seen: Seen, seat: int, id: int, n: int) -> Press:
    """Any other link: a card, a tile, a rival, a part, the end."""
    words = label(seen, seat, id)
    face = None
    short = words
    if state.TILE <= id < state.TILE + state.TILES:
        face = _tile_face(seen.setup, id - state.TILE)
        short = tile_name(id - state.TILE)
    elif state.PLAY <= id < state.PLAY + state.CARDS:
        short = pgettext("verb", "Play {card}").format(card=card_name(id - state.PLAY))
    press = _press(seen, seat, id, short, key=str(n) if n < 10 else "")
    if state.SEAT <= id < state.TILE:
        note = prey(seen.state, "", id - state.SEAT)
        press = replace(press, note=note, says=_("{words}: {price}").format(words=press.says, price=note))
    return replace(press, face=face)
