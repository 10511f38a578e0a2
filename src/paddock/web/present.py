"""The contexts of a table's templates: plain data, in the language of the request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from starlette.exceptions import HTTPException

from paddock.bots import levels
from paddock.core.i18n import Sentence, _, plural
from paddock.core.lesson import LEARNER, Lesson, Text
from paddock.core.pages import Account, Beat, Moves, To
from paddock.core.rooms.learn import Course
from paddock.core.title import Title
from paddock.tables.change import MOST_FORCED
from paddock.web.choices import Ahead, asks
from paddock.web.links import link
from paddock.web.model import MOST_STORY, Model, Phase, Scene, short_digest
from paddock.web.people import Browser, friends, lobby_page
from paddock.web.titles import draws


@dataclass(frozen=True)
class Refusal:
    """An error on a page, such as an illegal or late move."""

    sentence: str
    clause: str | None = None
    at: str = "hand"  # the part of the page that it belongs to


MOST_MOVING = 24  # log entries whose movements a page can play one after the other


@dataclass(frozen=True)
class StoryLine:
    """A line of the story: an event as a sentence."""

    n: int  # later lines have higher numbers
    text: str
    seat: int | None
    heading: bool
    new: bool
    kicker: str = ""  # the headline above it, if it is great news
    sound: str = ""  # what it sounds like
    moves: str = ""  # the pieces of the board that it moves: «3+1 5» if 3 and 1 move together, then 5


def course(title: Title) -> Course:
    """Return the lesson of the title; raise a 404 if it has none."""
    if title.learn:
        return title.learn
    raise HTTPException(404, _("{title} has no lesson: read its rules.").format(title=title.label))


def story(scene: Scene, new_after: int | None, moves: Moves = MappingProxyType({})) -> list[StoryLine]:
    """Return the last lines of the story. The newest part is first; in each part, the newest line is first,
    below the heading.

    Lines from log entry ``new_after`` on are new (None: no line is). ``moves`` is what ``Page.moves``
    returns.
    """
    title, batches = scene.seen.title, scene.batches
    page = title.page
    space = title.rules.MAX_EVENTS + 2 + MOST_FORCED  # lines of one entry at most, two headings included
    out: list[StoryLine] = []
    round: list[StoryLine] = []
    part: list[StoryLine] = []
    for i in reversed(range(len(batches))):
        item = batches[i]
        for k, it in enumerate(reversed(scene.reasons(i + 1))):
            new = new_after is not None and it.entry >= new_after
            part.append(StoryLine(it.entry * space - 3 - k, str(it.sentence), it.seat, False, new))
        new = new_after is not None and item.entry >= new_after
        for place, event, text in reversed(scene.sentences(item)):
            n = item.entry * space + place
            pieces = _written(moves.get((item.entry, place), ()))
            kicker, heard = page.kicker(event), page.SOUNDS.get(event.code, "")
            line = StoryLine(n, text, page.subject(event), page.is_heading(event), new, kicker, heard, pieces)
            if line.heading:
                round += [line, *part]
                part = []
            else:
                part.append(line)
        begins = i == 0 or batches[i - 1].round != item.round
        full = len(out) + len(round) + len(part) >= MOST_STORY
        if full and not begins and (out or round):
            part = []  # incomplete, so its heading is missing: drop it
        if begins and part and page.OPENING:
            part.insert(0, StoryLine(item.entry * space - 1, _(page.OPENING), None, True, False))
        if begins or (full and (round or part)):
            out.append(StoryLine(item.entry * space - 2, round_heading(title, item.round), None, True, False))
            out += [*round, *part]
            round, part = [], []
        if full:
            break
    return out


def _written(moves: Sequence[Sequence[int | To | Beat]]) -> str:
    return " ".join("+".join(map(str, pieces)) for pieces in moves)


def round_heading(title: Title, round: int) -> str:
    """Return what a round is called, such as «Race 2»."""
    return _("{round} {n}").format(round=_(title.round_name).capitalize(), n=round + 1)


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
        return _("Take your move back.") if mistake else _("Take your move back, or go on.")
    if phase == "lobby":
        return _("In the lobby: the game starts when every seat is taken and everybody is ready.")
    return ""


# The page to show


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


def table_page(
    model: Model,
    browser: Browser,
    curtain: Curtain | None,
    *,
    key: str,
    chosen: str = "",
    refusal: Refusal | None = None,
    ahead: Ahead | None = None,
) -> tuple[str, dict[str, Any]]:
    """Return the template and context of a table's page.

    ``ahead`` has the chosen links: the page shows board and hand as they would be after them.
    """
    title = model.title
    context: dict[str, Any] = {
        "title": title,
        "table": model,
        "table_url": link(f"/t/{model.id}"),
        "refusal": refusal,
        "mine": browser.mine,
        "player": model.player,
        "decision": model.decision,
        "status": status(model),
        "view": model.scene.view,
    }
    if curtain:
        return "curtain.html", context | _curtain(model, curtain)
    if model.phase == "lobby":
        return "lobby.html", context | friends(model, browser) | lobby_page(model, browser)
    forms = asks(model, key, chosen, browser.change, ahead)
    view = ahead.view if ahead and ahead.links and forms else model.scene.view
    context |= (
        friends(model, browser)
        | everything(model)
        | {
            "view": view,
            "asks": forms,
            "asked": [ask.seat for ask in forms],
            "your_turn": any(not ask.committed for ask in forms),
            "you": you(model, browser),
            "origin": model.origin.split("/")[0] if model.kind.explored and model.origin else "",
        }
    )
    if model.over:
        return "podium.html", context | podium(model)
    if asked := next((form for form in forms if not form.committed), None):
        context["status"] = asked.hand.question  # it speaks to «you», and names nobody as if it were another
    return "table.html", context


@dataclass(frozen=True)
class You:
    """Who the reader is at the table."""

    name: str  # with the numbers of the seats if seats and players differ
    seats: tuple[int, ...]
    stand_in: bool = False  # whether a bot plays for the reader
    timed: bool = False


def you(model: Model, browser: Browser) -> You | None:
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


def _curtain(model: Model, curtain: Curtain) -> dict[str, Any]:
    base = link(f"/t/{model.id}")
    return {
        "name": model.people[curtain.player].name,
        "player": curtain.player,
        "lift_url": f"{base}/sit",
        "before": None if curtain.before is None else model.people[curtain.before].name,
        "change_url": None
        if curtain.change is None
        else f"{base}?change={curtain.change}&decision={model.decision}",
        "your_turn": True,
    }


def moment(scene: Scene, new_after: int | None, since: int = 0) -> dict[str, Any]:
    """Return what the page of a table and a replay show of a position. Lines from log entry ``new_after`` on
    are new. Reveals before entry ``since`` are not shown again."""
    seen, page = scene.seen, scene.seen.title.page
    moves = page.moves(scene.batches[-MOST_MOVING:], scene.view)
    return {
        "seen": seen,
        "view": scene.view,
        "story": story(scene, new_after, moves),
        "reveal": page.reveal(scene.batches, scene.names, scene.view, since),
        "pads": page.pads(seen, scene.view),
        "lesson": None,
    }


def everything(model: Model) -> dict[str, Any]:
    """Return what both a running and a finished table show."""
    shown = moment(model.scene, model.fresh)
    news = [line for line in shown["story"][::-1] if line.new and not line.heading]
    return shown | {
        "news": [] if model.player is None else news,
        "moved": model.moved,
        "lesson": _lesson(model),
    }


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
    url: str


def _lesson(model: Model) -> Taught | None:
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
        link(f"/t/{model.id}/lesson"),
    )


def _shown(text: Text) -> str:
    return _(text) if isinstance(text, str) else str(text)


def quick(title: Title) -> dict[str, str]:
    """Return the form fields for a quick start: one game against strong bots and one of the weakest."""
    names = [level.name for level in levels(title)]
    others = title.options.read({}).players - 1
    who = ["me", *[names[-1]] * (others - 1), names[0]]
    return {"title": title.name, **{name: str(n) for name, n in title.one_round.items()}} | {
        f"who-{n}": kind for n, kind in enumerate(who, 1)
    }


def headline(model: Model) -> str:
    """Return a sentence that says who has won a finished table."""
    names = [model.people[who].name for who in model.winners]
    return model.title.page.headline(names, model.options.rounds)


def podium(model: Model) -> dict[str, Any]:
    """Return what the page of a finished table adds."""
    title, rounds, scene = model.title, model.options.rounds, model.scene
    yours = model.lesson and model.player == LEARNER and LEARNER in model.winners
    won = _("You win!") if yours else headline(model)
    word = _(title.round_name)
    base = link(f"/t/{model.id}")
    return {
        "headline": won,
        "status": won,
        "subtitle": plural("one {word}", "{n} {words}", rounds, word=word, words=_(title.rounds_option)),
        "finishers": title.page.finishers(scene.seen, scene.view),
        "account": title.page.account(scene.seen, scene.batches)
        if model.over and not model.kind.sealed
        else Account(),
        "sealed": model.kind.sealed,
        "again_url": f"{base}/again",
        "quick": quick(title) if model.kind.lesson else None,
        "replay_url": f"{base}/replay",
        "record_url": f"{base}/record",
        "picture_url": f"{base}/podium.svg" if draws(title, "podium") else None,
    }
