"""The paths of searches, comparisons, likeness and analyses over HTTP: by a body, by a link, and as events."""

import asyncio
import json
from typing import Any

import pytest
from goldpan.contracts import parse_request
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.engine.query_string import parse_query
from goldpan.errors import Unavailable
from goldpan_local.server.contract import contract
from goldpan_local.server.searches import Searches

from tests.contract.openapi.contract import as_written
from tests.support.analysis_fakes import FULL_NAME, ListedReader, runtime
from tests.support.factories import ListedSource
from tests.support.local import (
    PATIENCE,
    QUESTION,
    BlockingSource,
    client,
    github_runtime,
    post_search,
    problem_of,
    timeless,
    wait_for,
)

EVENTS = "text/event-stream"
ACCEPT = {"accept": EVENTS}
NAMES = ["motion/react-motion", "glide/glide"]
PATH, BODY = "/analyze-repo", {"repo": FULL_NAME, "query": "Python web framework"}
NO_GITHUB = Runtime(Dependencies(WallClock()), ("catalogue",), WallClock())


def test_the_parameters_are_the_fields_of_a_request_and_of_its_filters() -> None:
    """Lists repeat their parameter, numbers are numbers, and an empty field of a form counts as absent."""
    given = [("q", "React"), ("max_results", "5"), ("sources", "github"), ("sources", "catalogue"), ("sort", "stars")]
    given += [("min_stars", "100"), ("topics", "ui"), ("topics", "spring"), ("language", ""), ("created_since", "")]
    body = {"query": "React", "max_results": 5, "sources": ["github", "catalogue"], "sort": "stars"}
    assert parse_query(given) == parse_request({**body, "filters": {"min_stars": 100, "topics": ["ui", "spring"]}})
    assert parse_query([("q", "2048")]).query == "2048", "the name of a game is no number"
    operation = contract()["paths"]["/search"]["get"]
    assert {name for name, _ in given} <= {each["name"] for each in operation["parameters"]}
    assert [each["name"] for each in operation["parameters"] if each["required"]] == ["q"]


def test_a_link_gets_the_answer_of_a_body() -> None:
    """Also with a key, and where the client would rather not wait."""
    http, key = client(keys="k"), {"x-api-key": "k"}
    by_link = http.get("/search?q=React+animation&max_results=1", headers=key | {"prefer": "respond-async"})
    by_body = http.post("/search", json={"query": "React animation", "max_results": 1}, headers=key)
    assert timeless(by_link.json()) == timeless(by_body.json())
    assert len(by_link.json()["repositories"]["results"]) == 1


def test_comparisons_likeness_and_analyses_keep_the_contract() -> None:
    """The first two answer as a search does, event by event if asked; a search takes names, and needs a question."""
    analyzed = client(runtime()).post(PATH, json=BODY)
    as_written("Analysis").validate(analyzed.json())
    assert (analyzed.json()["repo"], analyzed.headers["content-type"]) == (FULL_NAME, "application/json")
    body = {"repos": NAMES, "query": "React animation library"}
    compared = client().post("/compare", json=body)
    liked = client().post("/like", json={"repo": NAMES[0], "max_results": 2})
    for response in (compared, liked):
        assert response.status_code == 200
        as_written("Answer").validate(response.json())
    assert {each["repo"] for each in compared.json()["repositories"]["results"]} == set(NAMES)
    assert NAMES[0] not in {each["repo"] for each in liked.json()["repositories"]["results"]}
    events = client().post("/compare", json=body, headers={"accept": "text/event-stream"}).text
    assert events.index("event: started") < events.index("event: answer")
    named = {"compare": NAMES, "sources": ["github"], "max_seconds": 9}
    searched = client().post("/search", json=named | {"query": "React animation library"})
    assert {each["repo"] for each in searched.json()["repositories"]["results"]} == set(NAMES)
    assert problem_of(client().post("/search", json=named))["detail"] == "query: is required"


@pytest.mark.parametrize(
    ("path", "body", "made", "status", "detail"),
    [
        ("/search?", None, None, 400, "q: is required"),
        ("/search?q=x&max_results=26", None, None, 400, "max_results: must be at most 25 (given '26')"),
        ("/search?q=x&q=y", None, None, 400, "q: given more than once"),
        ("/search?q=x&config=1", None, None, 400, "config: unknown parameter (allowed: kinds, q, "),
        ("/compare", {"repos": NAMES, "max_results": 3}, None, 400, "max_results: unknown field (allowed: repos, "),
        ("/like", {"repo": NAMES[0], "query": "x"}, None, 400, "query: unknown field (allowed: repo, mode"),
        ("/like", {"repo": "no/such"}, None, 400, "repo: no/such was not found: github has none of that name"),
        ("/like", [], None, 400, "request: must be an object"),
        (PATH, {"repo": "octocat/gone"}, runtime(), 400, "repo: octocat/gone was not found"),
        (PATH, {"repo": FULL_NAME, "query": 7}, runtime(), 400, "query: "),
        (PATH, BODY, runtime(ListedReader(failure=Unavailable("down"))), 503, "github: down"),
        (PATH, BODY, NO_GITHUB, 400, "repo: GitHub is not among the sources here"),
    ],
)
def test_what_is_refused_or_fails_is_named(
    path: str, body: Any, made: Runtime | None, status: int, detail: str
) -> None:
    """A body or a link, with what is allowed; a server of a catalogue file says that it reads no GitHub."""
    response = client(made).request("GET" if body is None else "POST", path, json=body, headers={"x-request-id": "1"})
    assert response.status_code == status
    assert problem_of(response)["detail"].startswith(detail)


def events_in(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Read the events of a stream; each has a name and one line of data."""
    lines = [part.split("\n") for part in text.removesuffix("\n\n").split("\n\n")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in lines]


@pytest.mark.parametrize("method", ["POST", "GET"])
def test_the_stages_are_sent_before_the_answer(method: str) -> None:
    """The first event is that it started, then each finished stage in its order, then the answer of the library."""
    how: dict[str, Any] = {"json": QUESTION} if method == "POST" else {"params": {"q": QUESTION["query"]}}
    response = client().request(method, "/search", headers=ACCEPT | {"x-request-id": "1"}, **how)
    assert (response.status_code, response.headers["content-type"]) == (200, f"{EVENTS}; charset=utf-8")
    (first, _), *stages, (last, answer) = events_in(response.text)
    assert (first, {name for name, _ in stages}, last) == ("started", {"stage"}, "answer")
    assert [each["stage"] for _, each in stages] == ["translate", "scout", "shortlist", "score", "rank", "assemble"]
    assert stages[1][1].keys() == {"stage", "kind", "message", "execution_time_ms"}
    assert "motion/react-motion" in [each["title"] for each in stages[2][1]["preview"]]
    as_written("Answer").validate(answer)
    assert timeless(answer) == timeless(client().post("/search", json=QUESTION).json())


def test_a_search_that_fails_ends_with_its_problem() -> None:
    """The problem is an event, because the status is sent already; what is refused before has its status."""
    http = client(github_runtime(ListedSource(failure=Unavailable("down"))), keys="k")
    headers = ACCEPT | {"x-api-key": "k"}
    name, problem = events_in(http.post("/search", json=QUESTION, headers=headers).text)[-1]
    assert (name, problem["status"], problem["type"]) == ("problem", 503, "urn:goldpan:problem:sources-failed")
    waited = http.post("/search", json=QUESTION, headers={"x-api-key": "k"})
    assert problem["retry_after"] == int(waited.headers["retry-after"])
    for status, refused in ((400, {"json": {}, "headers": headers}), (403, {"json": QUESTION, "headers": ACCEPT})):
        response = http.post("/search", **refused)  # type: ignore[arg-type]
        assert (response.status_code, problem_of(response)["status"]) == (status, status)


def test_started_does_not_wait_for_the_search_and_a_disconnect_cancels_it() -> None:
    """The event is there while the source still blocks; when the client leaves, the search ends."""
    source = BlockingSource()

    async def scenario() -> None:
        disconnect = asyncio.Event()
        searches = Searches(github_runtime(source), 1)
        posting = asyncio.create_task(post_search(searches, disconnect, accept=EVENTS.encode()))
        await wait_for(source.started)
        disconnect.set()
        names = [name for sent in (await posting)[1:] for name, _ in events_in(sent["body"].decode())]
        assert names == ["started", "stage"]
        await wait_for(source.cancelled)

    asyncio.run(asyncio.wait_for(scenario(), PATIENCE))
