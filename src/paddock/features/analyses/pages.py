"""The analysis on the replay, and the address that starts it."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from paddock.features.analyses.given import GivenAnalyses
from paddock.features.analyses.service import Analyses, check_over
from paddock.features.analyses.shown import AnalysisShown, analysis_shown
from paddock.tables import Table, Tables
from paddock.web.bodies import fields
from paddock.web.guard import holder
from paddock.web.limits import MAKING
from paddock.web.links import host
from paddock.web.pages import redirect
from paddock.web.play import place
from paddock.web.prices import TableId, costs
from paddock.web.steps import Step, in_thread, step

router = APIRouter()


async def shown(request: Request, tables: Tables, table: Table, at: Step) -> AnalysisShown | None:
    """Return what the replay of a table shows of its analysis; None without spoilers: it depends on how the
    game went on."""
    if not at.spoilers:
        return None
    analyses = tables.service(Analyses)
    analysed, run = await analyses.of(table), analyses.run(table.id)
    return await in_thread(table, analysis_shown, table, at, analysed, run, holder(request), host(request))


@router.post("/t/{id}/analyse")
@costs(MAKING)
async def analyse(request: Request, analyses: GivenAnalyses, id: TableId) -> Response:
    """Start the analysis of a finished game, and show the step of its replay that the form names."""
    table, values = (await place(request, id)).table, await fields(request)
    check_over(table)
    at = await step(table, {name: values[name] for name in ("step", "eyes") if name in values})
    await analyses.start(id)  # last: a request with a wrong step starts nothing
    return redirect(f"{at.url(at.at)}#analysis")
