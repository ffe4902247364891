"""The log of the server: one line of JSON per request, without anything private."""

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import h11
import pytest
from goldpan.errors import Unavailable
from goldpan_local.server.request_log import log_to_stderr

from tests.support.factories import ListedSource
from tests.support.local import client, github_runtime, join_searches

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def start_log(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], Lines]]:
    """Give a function that configures the log as the server does, and returns a reader of its lines."""
    join_searches()  # those of earlier tests may still log something
    root = logging.getLogger()
    level = root.level

    def read() -> list[dict[str, Any]]:
        captured = capsys.readouterr()
        assert captured.out == ""
        return [json.loads(line) for line in captured.err.splitlines()]

    def start() -> Lines:
        root.handlers = []  # without pytest's own, which `force=True` would close
        log_to_stderr()
        return read

    yield start
    root.handlers = []
    root.setLevel(level)
    for name in ("goldpan_local.server", "goldpan.engine.answers"):
        logging.getLogger(name).setLevel(logging.NOTSET)


def test_a_request_and_its_search_are_a_line_each(start_log: Callable[[], Lines]) -> None:
    """With method, path, status, milliseconds and id, and the times, the cost and the sources; no question or key."""
    lines = start_log()
    body = {"query": "React animation of a private matter", "sources": ["github"]}
    headers = {"x-api-key": "secret-key", "x-request-id": "abc-1"}
    assert client(keys="secret-key").post("/search?query=private", json=body, headers=headers).status_code == 200
    search, line = lines()
    assert "rivate" not in json.dumps((search, line))
    assert search["stage_ms"].keys() == {"translate", "scout", "shortlist", "score", "rank", "assemble"}
    assert search["ms"] >= sum(search["stage_ms"].values()) - 6
    assert (search["llm_calls"], search["input_tokens"], search["output_tokens"], search["cost_usd"]) == (0, 0, 0, 0)
    assert {(row["strategy"], row["source"]) for row in search["sources"]} >= {("stars", "github")}
    assert all(row["status"] and row["ms"] >= 0 for row in search["sources"])
    assert line.pop("time")
    assert search["ms"] - 1 <= line.pop("ms") < 60_000
    assert line == {
        "level": "info", "message": "request", "method": "POST", "path": "/search", "status": 200, "request_id": "abc-1"
    }  # fmt: skip


def test_a_path_or_an_address_that_may_hold_a_question_is_not_logged(start_log: Callable[[], Lines]) -> None:
    """Neither a path that is unknown nor what other libraries log below warnings, such as a URL; a method is cut."""
    lines = start_log()
    client().request("X" * 100, "/secret-key%1b[31m")
    client().get("/search/s")
    line, other = lines()
    assert (line["path"], line["status"], line["method"]) == ("unknown", 404, "X" * 16)
    assert (other["path"], other["status"]) == ("/search/{id}", 404)
    logging.getLogger("httpx2").info("HTTP Request: GET https://api.example/search?q=private")
    logging.getLogger("another").warning("careful: %s", "\x1b[31mred\x9b\n")
    for error in (h11.RemoteProtocolError("which closed a connection"), ValueError("unknown")):
        logging.getLogger("asyncio").error("%s", error, exc_info=error)
    assert [line["message"] for line in lines()] == ["careful: \x1b[31mred\x9b\n", "unknown"]


@pytest.mark.parametrize(("failure", "status"), [(Unavailable("refused"), 503), (ZeroDivisionError("by zero"), 500)])
def test_a_traceback_is_in_one_line(start_log: Callable[[], Lines], failure: Exception, status: int) -> None:
    """A failed search is one line; an unexpected error has a line of its own before it."""
    lines = start_log()
    client(github_runtime(ListedSource(failure=failure))).post("/search", json={"query": "React"})
    *errors, request = lines()
    assert request["status"] == status
    tracebacks = [(line["level"], "ZeroDivisionError: by zero" in line["message"]) for line in errors]
    assert tracebacks == ([("error", True)] if status == 500 else [])


@pytest.mark.parametrize(("given", "kept"), [("A.b_c:1-2", True), ("", False), ("x" * 65, False), ("\x1b[31m", False)])
def test_the_id_of_a_request_is_returned(given: str, kept: bool) -> None:  # noqa: FBT001 - a column
    """An id that could break a log line is replaced."""
    returned = client().get("/health", headers={"x-request-id": given}).headers["x-request-id"]
    assert (returned == given) == kept
    assert kept or (len(returned), returned.isalnum()) == (32, True)
