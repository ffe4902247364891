"""What the page asks of its own server: what to begin with, an answer in a format, and papers for a library."""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from goldpan.contracts.validation_errors import describe_validation_error
from goldpan.errors import InvalidRequest
from goldpan.infra.settings import user_folder
from goldpan.kinds.answer import Answer
from goldpan.local.checks import list_configured
from pydantic import ValidationError
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from goldpan_local.formats.plain_text import render_csv, render_markdown
from goldpan_local.library_commands.libraries import add_papers
from goldpan_local.option_values import one_of
from goldpan_local.presentations import export_formats, results_of, shown_results
from goldpan_local.saved.log import changes_of
from goldpan_local.saved.running import SavedFolder
from goldpan_local.server.access import refuse_foreign_page
from goldpan_local.server.requests import JSON_TYPE, read_body
from goldpan_local.server.searches import Searches

MAX_ANSWER = 8 * 1024 * 1024
"""Bytes of an answer: all pages of 200 papers have a quarter of that."""
MAX_NAME = 60
OF_ALL_KINDS: Mapping[str, tuple[Callable[[Answer], str], str]] = {
    "csv": (render_csv, ".csv"),
    "markdown": (partial(render_markdown, options=False), ".md"),
}


class PageEndpoints:
    """Each responds to the page. Raises `InvalidRequest`, `Misconfigured`, and `HTTPException` for a body."""

    def __init__(self, searches: Searches, environment: Mapping[str, str]) -> None:
        self._searches, self._environment = searches, environment

    async def start(self, _http: Request) -> Response:
        """Respond with the projects, the saved searches, and what is configured."""
        libraries = self._searches.libraries
        return await _respond(
            lambda: {
                "projects": list(libraries.versions()) if libraries else [],
                "saved": list(_saved_searches(self._environment)),
                "configured": list_configured(self._environment),
            }
        )

    async def export(self, http: Request) -> Response:
        """Respond with an answer as the text of a file, and its name."""
        answer, name = await _read_answer(http), http.query_params.get("format", "")
        return await _respond(lambda: _export(answer, name))

    async def add(self, http: Request) -> Response:
        """Add the papers of an answer to the library of a project, and respond with what became of them."""
        refuse_foreign_page(http.headers, ())
        answer, project = await _read_answer(http), http.query_params.get("project", "")
        results = [result for _, result in results_of(answer, weaker=True)]
        return await _respond(lambda: {"message": add_papers(project, results, self._environment)[0]})


async def _respond(work: Callable[[], object]) -> Response:
    """Respond with the JSON of what is made in a thread."""
    return Response(to_json(await asyncio.to_thread(work)), media_type=JSON_TYPE, headers={"cache-control": "no-store"})


async def _read_answer(http: Request) -> Answer:
    try:
        return Answer.model_validate_json(await read_body(http, MAX_ANSWER))
    except ValidationError as error:
        raise InvalidRequest(describe_validation_error(error, Answer)) from error


def _saved_searches(environment: Mapping[str, str]) -> Iterator[dict[str, object]]:
    """Describe the saved searches by their last runs that have results."""
    if user_folder(environment.get("XDG_DATA_HOME"), environment.get("HOME"), ".local/share") is None:
        return
    for name, search, logged in SavedFolder(environment).searches():
        runs = [run for run in logged if run.error is None]
        last = runs.pop() if runs else None
        ids = [each.id for section in last.sections.values() for each in section.results] if last else []
        new = len(changes_of(name, last, runs).new) if last and runs else 0
        yield {"name": name, "request": search.request, "last_run": last and last.at, "new": new, "ids": ids}


def _export(answer: Answer, name: str) -> dict[str, str]:
    """Write an answer as the command does. Raises `InvalidRequest` for another format."""
    formats, day = export_formats(), f"{answer.answered_at:%Y-%m-%d}"
    chosen = one_of("format", name, (*OF_ALL_KINDS, *formats))
    if chosen in OF_ALL_KINDS:
        render, suffix = OF_ALL_KINDS[chosen]
        text = render(answer)
    else:
        kind, written = formats[chosen]
        section, suffix = answer.sections.get(kind), written.suffix
        text = written.render(shown_results(section) if section else ())
    question = re.sub(r"\W+", "-", answer.query.lower())[:MAX_NAME].strip("-")
    return {"text": text, "name": f"{question}-{day}{suffix}"}
