"""An analysis of a response with a null, or a value of another type, wherever GitHub's schema allows a null."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, InvalidRequest
from goldpan.infra.http import HttpRequest, HttpResponse
from goldpan.kinds.repositories.analysis.findings import Case
from goldpan.kinds.repositories.analysis.manifests.parse import parse_manifests
from goldpan.kinds.repositories.analysis.scoring import list_caveats, score_case
from goldpan.kinds.repositories.sources.github.analysis.documents import analysis_document
from goldpan.kinds.repositories.sources.github.analysis.reader import GitHubReader
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings

from tests.support.analyzed import FULL_NAME, analyzed_repository
from tests.support.fakes import START, StillClock
from tests.support.loopback.github_catalogue import Catalogue
from tests.support.loopback.github_graphql import execute, github_schema
from tests.support.memory_stores import MemoryRateLimiter
from tests.support.nullable import nullable_places, with_value

OWNER, _, NAME = FULL_NAME.partition("/")
VARIABLES = {"o": OWNER, "n": NAME, "since": "2026-05-24T00:00:00Z"}
CATALOGUE = Catalogue([analyzed_repository(START)])
GENUINE = execute(CATALOGUE, {"query": analysis_document(), "variables": VARIABLES})["data"]
PLACES = nullable_places(analysis_document(), github_schema())


class OneBody:
    """A GitHub that answers the first call with a body, and the others genuinely."""

    def __init__(self, data: Any) -> None:
        self._bodies = [{"data": data}]

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpResponse:
        """Answer."""
        del deadline
        body = self._bodies.pop() if self._bodies else execute(CATALOGUE, dict(request.body))  # type: ignore[call-overload]
        return HttpResponse(200, {}, json.dumps(body).encode())


@pytest.mark.parametrize("value", [None, 7, "text", [], [None], {}, True], ids=repr)
def test_an_odd_value_costs_its_fact_alone(value: object) -> None:
    """The rest is read, and statements, scores and caveats can be made of it."""
    clock = StillClock()
    settings = GitHubSettings.from_environment({"GITHUB_TOKEN": "good-token"})
    for place in PLACES:
        http = OneBody(with_value(GENUINE, place, value))
        reader = GitHubReader(settings, http, MemoryRateLimiter(clock), clock)
        try:
            facts = reader.read(FULL_NAME, Deadline.after(10, clock))
        except (CallFailed, InvalidRequest):
            assert place == ("r",), place
            continue
        case = Case(facts, parse_manifests(facts.manifests or ()), None, START)
        assert len(score_case(case, f"https://github.com/{FULL_NAME}")[0]) > 15, place
        assert list(list_caveats(case, FULL_NAME)) is not None
