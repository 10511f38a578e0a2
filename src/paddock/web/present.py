"""The pages of a table, in the language of the request: curtain, lobby, running game and podium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException

from paddock.bots import levels
from paddock.core.i18n import Sentence, _, plural
from paddock.core.lesson import LEARNER, Lesson, Text
from paddock.core.pages import Account
from paddock.core.rooms.learn import Course
from paddock.core.series import standings
from paddock.core.title import Title
from paddock.core.wording import finished
from paddock.web.choices import Ahead, Ask, asks
from paddock.web.feature import PanelShown, PartShown, Remark
from paddock.web.links import link
from paddock.web.model import Model, Phase, short_digest
from paddock.web.page import LinkPreview, StatusPage
from paddock.web.people import (
    Browser,
    ClaimLine,
    LobbyFact,
    OrdersForm,
    Seating,
    Talk,
    UndoForm,
    claim_lines,
    lobby_facts,
    lobby_status,
    orders_forms,
    qr,
    seating,
    talk,
    undo_form,
)
from paddock.web.position import PositionPage, StoryLine, telling
from paddock.web.titles import draws


@dataclass(frozen=True)
class Refusal:
    """An error on a page, such as an illegal or late move."""

    sentence: str
    clause: str | None = None
    at: str = "hand"  # the part of the page that it belongs to


def course(title: Title) -> Course:
    """Return the lesson of the title; raise a 404 if it has none."""
    if title.learn:
        return title.learn
    raise HTTPException(404, _("{title} has no lesson: read its rules.").format(title=title.label))


def status(model: Model) -> str:
    """Return one line that says who must decide what, or why the game has stopped."""
    words = stopped(model.fault, model.stalled, model.lesson, model.phase, over=model.over)
    return words or model.title.text.status(model.scene.seen)


def stopped(
    fault: Sentence | None, stalled: str | None, lesson: Lesson | None, phase: Phase, *, over: bool
) -> str:
    """Return one line that says why nobody is asked for a move; empty if the title says who is."""
    if fault:
        return str(fault)
    if stalled:
        return _(stalled)
    if lesson and lesson.missed and not over:
        mistake = lesson.verdict is not None
        return _("Take your move back.") if mistake else _("Take your move back, or play the suggestion.")
    if phase == "lobby":
        return _("In the lobby: the game starts when every seat is taken and everybody is ready.")
    return ""


# The reader


@dataclass(frozen=True)
class Curtain:
    """Hides all hands while the device goes from one player to another."""

    player: int  # who gets the device
    before: int | None  # who had it
    change: int | None  # a seat of that player that may still change its commitment


def curtain_of(
    title: Title, awaited: Sequence[int], committed: Sequence[int], owners: Sequence[int], browser: Browser
) -> Curtain | None:
    """Return the curtain in front of this browser's page; None if there is none.

    If several players share a device, there is a curtain when the player at the device has nothing to decide
    and another has. ``awaited`` are players, ``committed`` are seats, ``owners`` the players of all seats.
    """
    needed = [player for player in awaited if player in browser.mine]
    if not needed or browser.player in needed or browser.change is not None:
        return None
    seats = [seat for seat in committed if owners[seat] == browser.player]
    return Curtain(needed[0], browser.player if seats else None, seats[-1] if seats else None)


def page_digest(model: Model, browser: Browser, curtain: Curtain | None) -> str:
    """Return 64 bits that change when the page of this browser does. Nothing is rendered for them.

    They do not depend on the language, the keys of forms, what is selected in a form, or times on clocks.
    """
    here = (browser.mine, browser.at)
    if curtain:
        return short_digest("curtain", model.position, here, curtain)
    can_undo = model.undoer in browser.mine
    away = sorted(browser.away)
    return short_digest(
        "table", model.digest, here, browser.host, browser.change, away, can_undo, browser.next, browser.guest
    )


@dataclass(frozen=True)
class You:
    """Who the reader is at the table."""

    name: str  # with the numbers of the seats if seats and players differ
    seats: tuple[int, ...]
    stand_in: bool = False  # whether a bot plays for the reader
    timed: bool = False


def you(model: Model) -> You | None:
    """Return who the reader is; None for a spectator."""
    if model.player is None:
        return None
    me = model.people[model.player]
    return You(name_at(model.title, me.name, me.seats), me.seats, me.stand_in, me.timed)


def name_at(title: Title, name: str, seats: Sequence[int]) -> str:
    """Return a name with the numbers of its seats, if seats and players differ."""
    if title.seat_name == title.player_name:
        return name
    return _("{name} ({seats})").format(name=name, seats=_(", ").join(str(seat + 1) for seat in seats))


@dataclass(frozen=True)
class Taught:
    """What the lesson says, and where it can go from here."""

    step: int
    steps: int
    said: str  # about the last move
    text: str  # what is asked
    kind: str  # of the last move: "good", "weaker" or "mistake"; "other" without a verdict; "" as suggested
    missed: bool  # whether the lesson waits after that move
    back: bool  # whether there is a decision to go back to
    begins: bool  # whether nothing has been decided yet: it is said what wins
    url: str


def taught(model: Model) -> Taught | None:
    """Return what the lesson says; after a move that it does not judge, what happened."""
    lesson = model.lesson
    if lesson is None:
        return None
    said = _shown(lesson.said)
    if lesson.missed and not said:
        page = model.title.page
        said = " ".join(
            sentence
            for batch in model.scene.batches
            if batch.entry >= lesson.since
            for _place, event, sentence in model.scene.sentences(batch)
            if not page.is_heading(event)
        )
    kind = lesson.verdict.kind if lesson.verdict else "other" if lesson.missed else ""
    return Taught(
        lesson.step,
        lesson.steps,
        said,
        _shown(lesson.text),
        kind,
        lesson.missed,
        lesson.back,
        lesson.begins,
        link(f"/t/{model.id}/lesson"),
    )


def _shown(text: Text) -> str:
    return _(text) if isinstance(text, str) else str(text)


# The pages


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What the page of a table shows besides its model and its reader."""

    stream_url: str
    share_url: str
    preview: LinkPreview | None  # None: only the changing part is shown
    remark: Remark
    shares: Sequence[PartShown]
    panels: Sequence[PanelShown]
    key: str  # of its forms
    fresh: str  # an attribute that only a newly opened page has


@dataclass(frozen=True, kw_only=True)
class AtTable(StatusPage):
    """A page at the address of a table."""

    title: Title
    refusal: Refusal | None
    preview: LinkPreview | None


@dataclass(frozen=True, kw_only=True)
class CurtainPage(AtTable):
    """The device goes to another player."""

    template = "curtain.html"
    name: str  # who gets it
    player: int
    lift_url: str
    before: str | None  # who had it
    change_url: str | None  # where they choose again


@dataclass(frozen=True, kw_only=True)
class LobbyPage(AtTable):
    """A table before its start."""

    template = "lobby.html"
    view: Any  # for the marks of the seats
    table: Model
    table_url: str
    share_url: str
    qr: str  # of that link, as a drawing
    shares: Sequence[PartShown]
    abandoned: bool
    seating: Seating
    talk: Talk | None
    facts: Sequence[LobbyFact]  # how it is set up


@dataclass(frozen=True, kw_only=True)
class GamePage(AtTable, PositionPage):
    """A game that runs or is over, at its table."""

    table: Model
    mine: Sequence[int]  # the players of this browser
    you: You | None  # None: a spectator
    company: bool  # whether the table has, or is open to, other people
    talk: Talk | None
    lesson: Taught | None
    remark: Remark
    share_url: str
    shares: Sequence[PartShown]


@dataclass(frozen=True, kw_only=True)
class TablePage(GamePage):
    """A running game."""

    template = "table.html"
    table_url: str
    player: int | None
    decision: int
    asks: Sequence[Ask]  # the forms of the player's seats
    asked: Sequence[int]  # these seats
    news: Sequence[StoryLine]  # unread lines of the story, the oldest first
    moved: bool  # whether the player has made a move
    read_url: str
    origin: str  # the game that is explored; empty: none
    seating: Seating
    claims: Sequence[ClaimLine]
    claims_url: str
    orders: Sequence[OrdersForm]
    orders_url: str
    undo: UndoForm | None
    abandoned: bool
    panels: Sequence[PanelShown]  # of features
    next_url: str | None  # the table that has waited longest for the browser
    fresh: str


@dataclass(frozen=True, kw_only=True)
class PodiumPage(GamePage):
    """A game that is over."""

    template = "podium.html"
    subtitle: str
    placed: str  # where the only player at this device finished; empty: nobody or several, or a lesson
    finishers: Sequence[Any]
    account: Account
    sealed: bool  # whether the cards are not told yet
    quick: Mapping[str, str] | None  # the form of a real race after a lesson
    again_url: str
    rematch_url: str
    replay_url: str
    record_url: str
    picture_url: str | None


def table_page(
    model: Model,
    browser: Browser,
    curtain: Curtain | None,
    around: Surroundings,
    *,
    chosen: str = "",
    refusal: Refusal | None = None,
    ahead: Ahead | None = None,
) -> AtTable:
    """Return the page of a table.

    ``ahead`` has the chosen links: the page shows board and hand as they would be after them.
    """
    digest = page_digest(model, browser, curtain)
    if curtain:
        return _curtain_page(model, curtain, around, digest, refusal)
    if model.phase == "lobby":
        return _lobby_page(model, browser, around, digest, refusal)
    if model.over:
        return _podium_page(model, browser, around, digest, refusal)
    forms = asks(model, around.key, chosen, browser.change, ahead)
    return _running_page(model, browser, around, digest, refusal, forms, ahead)


def _curtain_page(
    model: Model, curtain: Curtain, around: Surroundings, digest: str, refusal: Refusal | None
) -> CurtainPage:
    base, change = link(f"/t/{model.id}"), curtain.change
    return CurtainPage(
        title=model.title,
        status=status(model),
        digest=digest,
        stream_url=around.stream_url,
        your_turn=True,
        refusal=refusal,
        preview=around.preview,
        name=model.people[curtain.player].name,
        player=curtain.player,
        lift_url=f"{base}/sit",
        before=None if curtain.before is None else model.people[curtain.before].name,
        change_url=None if change is None else f"{base}?change={change}&decision={model.decision}",
    )


def _lobby_page(
    model: Model, browser: Browser, around: Surroundings, digest: str, refusal: Refusal | None
) -> LobbyPage:
    words, your_turn = lobby_status(model, browser)
    return LobbyPage(
        title=model.title,
        status=words,
        digest=digest,
        stream_url=around.stream_url,
        your_turn=your_turn,
        refusal=refusal,
        preview=around.preview,
        view=model.scene.view,
        table=model,
        table_url=link(f"/t/{model.id}"),
        share_url=around.share_url,
        qr=qr(around.share_url),
        shares=around.shares,
        abandoned=model.abandoned,
        seating=seating(model, browser),
        talk=talk(model, browser),
        facts=lobby_facts(model),
    )


def _running_page(
    model: Model,
    browser: Browser,
    around: Surroundings,
    digest: str,
    refusal: Refusal | None,
    forms: Sequence[Ask],
    ahead: Ahead | None,
) -> TablePage:
    scene, base, lesson = model.scene, link(f"/t/{model.id}"), taught(model)
    told = telling(scene, model.fresh)
    news = [line for line in told.story[::-1] if line.new and not line.heading]
    waiting = next((form for form in forms if not form.committed), None)
    return TablePage(
        title=model.title,
        status=waiting.hand.question if waiting else status(model),  # a question speaks to «you»
        digest=digest,
        stream_url=around.stream_url,
        your_turn=any(not form.committed for form in forms),
        refusal=refusal,
        preview=around.preview,
        seen=scene.seen,
        view=ahead.view if ahead and ahead.links and forms else scene.view,
        story=told.story,
        reveal=told.reveal,
        pads=told.pads,
        table=model,
        table_url=base,
        mine=browser.mine,
        you=you(model),
        company=browser.company,
        talk=talk(model, browser),
        lesson=lesson,
        remark=around.remark,
        share_url=around.share_url,
        shares=around.shares,
        player=model.player,
        decision=model.decision,
        asks=forms,
        asked=[form.seat for form in forms],
        news=[] if model.player is None else news,
        moved=model.moved,
        read_url=f"{base}/read",
        origin=model.origin.split("/")[0] if model.kind.explored and model.origin else "",
        seating=seating(model, browser),
        claims=claim_lines(model, browser),
        claims_url=f"{base}/claims",
        orders=orders_forms(model, browser.company),
        orders_url=f"{base}/orders",
        undo=undo_form(model, browser),
        abandoned=model.abandoned,
        panels=around.panels,
        next_url=link(f"/t/{browser.next}") if browser.next else None,
        fresh=around.fresh,
    )


def _podium_page(
    model: Model, browser: Browser, around: Surroundings, digest: str, refusal: Refusal | None
) -> PodiumPage:
    title, scene, base = model.title, model.scene, link(f"/t/{model.id}")
    told = telling(scene, model.fresh)
    word, words = _(title.round_name), _(title.rounds_option)
    return PodiumPage(
        title=title,
        status=won(model),
        digest=digest,
        stream_url=around.stream_url,
        refusal=refusal,
        preview=around.preview,
        seen=scene.seen,
        view=scene.view,
        story=told.story,
        reveal=told.reveal,
        pads=told.pads,
        table=model,
        mine=browser.mine,
        you=you(model),
        company=browser.company,
        talk=talk(model, browser),
        lesson=taught(model),
        remark=around.remark,
        share_url=around.share_url,
        shares=around.shares,
        subtitle=plural("one {word}", "{n} {words}", model.options.rounds, word=word, words=words),
        placed="" if model.lesson or len(browser.mine) != 1 else placed(model, browser.mine[0]),
        finishers=finishers(model),
        account=account(model),
        sealed=model.kind.sealed,
        quick=quick(title) if model.kind.lesson else None,
        again_url=f"{base}/again",
        rematch_url=f"{base}/rematch",
        replay_url=f"{base}/replay",
        record_url=f"{base}/record",
        picture_url=f"{base}/podium.svg" if draws(title, "podium") else None,
    )


def quick(title: Title) -> dict[str, str]:
    """Return the form fields for a quick start: one game against strong bots and one of the weakest."""
    names = [level.name for level in levels(title)]
    others = title.options.read({}).players - 1
    who = ["me", *[names[-1]] * (others - 1), names[0]]
    return {"title": title.name} | one_race(title) | {f"who-{n}": kind for n, kind in enumerate(who, 1)}


def one_race(title: Title) -> dict[str, str]:
    """Return the form fields of one race, not a whole championship."""
    return {name: str(n) for name, n in title.one_round.items()}


def headline(model: Model) -> str:
    """Return a sentence that says who has won a finished table."""
    names = [model.people[who].name for who in model.winners]
    return model.title.page.headline(names, model.options.rounds)


def won(model: Model) -> str:
    """Return what the podium says of who has won."""
    yours = model.lesson and model.player == LEARNER and LEARNER in model.winners
    return _("You win!") if yours else headline(model)


def placed(model: Model, player: int) -> str:
    """Return a sentence that says to a player where they finished."""
    lines = standings(model.scene.seen.options, model.scene.seen.rounds).players
    rank = next(line.rank for line in lines if line.who == player)
    return finished(rank, shared=sum(line.rank == rank for line in lines) > 1)


def finishers(model: Model) -> Sequence[Any]:
    """Return who stands on the podium, for ``Drawings.podium``."""
    return model.title.page.finishers(model.scene.seen, model.scene.view)


def account(model: Model) -> Account:
    """Return how a finished table went; nothing while its cards are not told."""
    if not model.over or model.kind.sealed:
        return Account()
    return model.title.page.account(model.scene.seen, model.scene.batches)
