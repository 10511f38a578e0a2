"""Analyses of finished games in the API."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from paddock.bots.ledger import Kind
from paddock.core.i18n import _
from paddock.features.analyses.given import GivenAnalyses
from paddock.features.analyses.service import Run
from paddock.features.analyses.shown import State, state_of
from paddock.tables.analysing import Analysed
from paddock.web.api.asked import Id, Route, Service
from paddock.web.api.shapes import AmountOut, AnswerShape
from paddock.web.built import JSON, answer, nothing
from paddock.web.limits import MAKING
from paddock.web.prices import costs

router = APIRouter(route_class=Route)


class ModelCostOut(AnswerShape):
    """What a submission costs if one model plays on."""

    model: str = Field(description="“club”, “champion”, or “slipping”: Clubs that slip.")
    cost: float = Field(description="In points; a gain is below 0.")
    error: float = Field(description="Half the width of its 95 % interval.")


class JudgedOut(AnswerShape):
    """A submission with at least one move that had an alternative, and what it cost."""

    entry: int = Field(description="The index of its first move in the log.")
    last: int = Field(description="The index of its last move.")
    round: int
    seat: int
    text: str = Field(description="Its moves.")
    move: str = Field(description="The move of it that cost most.")
    best: str = Field(description="What was better; the same move if nothing was.")
    cost: float = Field(description="In points. Below 0 if the submission was better in the end.")
    error: float = Field(description="Half the width of the 95 % interval of the cost.")
    mistake: bool = Field(
        description="Whether all of the interval of the cost is above 0, and every model finds that it costs."
    )
    counted: float = Field(description="What a mistake adds to the cost of its player: a chance counts once.")
    depends: bool = Field(description="Whether it costs points or gains them, depending on who plays on.")
    among: list[ModelCostOut] = Field(description="The cost by model; empty if there is nothing to compare.")
    sentence: str


class CostOut(AnswerShape):
    """What the mistakes of a player cost together."""

    player: int
    cost: float = Field(
        description="In points: all that they lost, and of each race the largest chance that they missed. "
        "“skill” and this cost together are what the player could gain at best."
    )
    error: float = Field(description="Half the width of the 95 % interval of the cost.")
    decisions: int = Field(description="The number of submissions that were judged.")
    mistakes: int


class AccountOut(AnswerShape):
    """Where the points of a player came from. The parts add up to the result."""

    player: int
    parts: dict[Kind, AmountOut] = Field(
        description="“start”: the seat, and what the race before left; “deal”: the cards before the first "
        "decision; “draws”: later cards, dice and tiles; “skill”: what the own moves gained on how the "
        "models play; “hidden”: what else they changed; “others”: the moves of the others."
    )
    result: float = Field(description="Points over the mean of all players.")


class MomentOut(AnswerShape):
    """What a race was worth to every player before an entry of the log, or at its end."""

    entry: int
    round: int
    values: list[float] = Field(description="Points over the mean of all players, by player.")
    errors: list[float] = Field(description="Half the width of their 95 % intervals; 0 at the end.")


class AnalysisOut(AnswerShape):
    """The analysis of a finished game, or how far it is."""

    state: State
    done: int = Field(description="The number of decisions and moments that are measured, while it runs.")
    total: int = Field(description="The number of all of them, while it runs.")
    fault: str | None = Field(description="Why it failed; null if it did not.")
    turns: list[JudgedOut] = Field(
        description="In the order of the log; while it runs, those that are judged already."
    )
    costs: list[CostOut] = Field(description="By player, of these submissions.")
    ledger: list[AccountOut] = Field(description="By player; empty until it is done.")
    moments: list[MomentOut] = Field(description="In the order of the log; rough while it runs.")
    models: list[str] = Field(description="Who played on, each in an equal part of the games.")
    swings: list[int] = Field(
        description="The entries of the mistakes that add most to a cost, the worst first."
    )


@router.get("/tables/{id}/analysis", tags=["after"], response_model=AnalysisOut)
@costs(by_size=True)
async def analysis(id: Id, request: Request, tables: Service, analyses: GivenAnalyses) -> Response:
    """The analysis of a finished game: what every move cost. Start it with POST, then look again."""
    table = await tables.table(id)
    analysed, run = await analyses.of(table), analyses.run(id)
    so_far = analysed or (run.so_far if run else None)
    stamp = (
        state_of(analysed, run),
        (run.done, run.total, run.fault) if run else None,
        (len(so_far.analysis.judgements), len(so_far.analysis.moments)) if so_far else None,
    )

    def make(_nothing: object) -> str:
        return _out(analysed, run).model_dump_json()

    return await answer(request, ("analysis", id), stamp, nothing, make, JSON)


@router.post("/tables/{id}/analysis", tags=["after"], status_code=202, response_model=AnalysisOut)
@costs(MAKING)
async def analyse(id: Id, request: Request, tables: Service, analyses: GivenAnalyses) -> Response:
    """Start the analysis of a finished game, unless it runs already or is done."""
    await analyses.start(id)
    response = await analysis(id, request, tables, analyses)
    response.status_code = 202
    return response


def _out(analysed: Analysed | None, run: Run | None) -> AnalysisOut:
    """Return the analysis of a finished game, or how far it is."""
    so_far = analysed or (run.so_far if run else None)
    turns, ledger = (so_far.turns, so_far.ledger) if so_far else ([], [])
    moments, costs_of = (so_far.analysis.moments, so_far.costs) if so_far else ((), [])
    return AnalysisOut(
        state=state_of(analysed, run),
        done=run.done if run else 0,
        total=run.total if run else 0,
        fault=_(run.fault) or None if run else None,
        turns=[JudgedOut.model_validate(turn, from_attributes=True) for turn in turns],
        costs=[CostOut.model_validate(cost, from_attributes=True) for cost in costs_of],
        ledger=[AccountOut.model_validate(account, from_attributes=True) for account in ledger],
        moments=[MomentOut.model_validate(moment, from_attributes=True) for moment in moments],
        models=list(so_far.analysis.models) if so_far else [],
        swings=[turn.entry for turn in so_far.swings] if so_far else [],
    )
