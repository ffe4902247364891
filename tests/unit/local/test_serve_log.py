"""The log of the server: one line of JSON a request, with nothing in it that is not the operator's."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from goldpan.errors import Unavailable
from goldpan_local.serve.request_log import log_to_stderr

from tests.unit.local.made import FailingSource
from tests.unit.local.serving import runtime, serving

Log = Callable[[], None]
NAMES = {"time", "level", "message", "method", "path", "status", "ms", "request_id"}


@pytest.fixture
def log() -> Iterator[Log]:
    """Give what makes the log as the server's is; afterwards it is as before."""
    for left in threading.enumerate():  # a search that an earlier test gave up may still have something to log
        if left.name == "goldpan-search":
            left.join(5)
    root, ours = logging.getLogger(), logging.getLogger("goldpan_local.serve")
    level = root.level

    def as_served() -> None:
        for handler in root.handlers[:]:  # pytest's own, which must not be closed
            root.removeHandler(handler)
        log_to_stderr()

    yield as_served
    for handler in root.handlers[:]:
        root.removeHandler(handler)
    root.setLevel(level)
    ours.setLevel(logging.NOTSET)


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Read the lines of the log; stdout stays empty."""
    captured = capsys.readouterr()
    assert captured.out == ""
    return [json.loads(line) for line in captured.err.splitlines()]


def test_a_request_is_one_line(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    """The line tells method, path, status, milliseconds and id; never the question, the key or the answer."""
    log()
    asked = {"query": "React animation of a private matter", "sources": ["github"]}
    headers = {"x-api-key": "secret-key", "x-request-id": "abc-1"}
    response = serving(keys="secret-key").post("/search?query=private", json=asked, headers=headers)
    assert response.status_code == 200
    written = [line for line in capsys.readouterr().err.splitlines() if '"abc-1"' in line]
    line = json.loads(*written)
    assert set(line) == NAMES
    assert line["ms"] >= 0
    told = {name: line[name] for name in ("level", "message", "method", "path", "status", "request_id")}
    assert told == {
        "level": "info", "message": "request", "method": "POST", "path": "/search", "status": 200, "request_id": "abc-1"
    }  # fmt: skip
    assert not any(word in json.dumps(line) for word in ("private", "secret", "React", "motion"))


def test_an_unknown_path_is_not_written(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    """What stands in the path of a mistaken call may be a question or a key."""
    log()
    serving().request("X" * 100, "/secret-key%1b[31m")
    (line,) = lines(capsys)
    assert (line["path"], line["status"], line["method"]) == ("unknown", 404, "X" * 16)


def test_a_failed_search_is_the_same_one_line(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    """What ended the search is told to its asker; the log has the status."""
    log()
    client = serving(runtime(FailingSource(Unavailable("connection refused"))))
    client.post("/search", json={"query": "x y"})
    (line,) = lines(capsys)
    assert (set(line), line["status"]) == (NAMES, 503)


def test_a_defect_brings_its_traceback_in_one_line(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    """A traceback is a field of its line, so that a reader of lines can take the log."""
    log()
    serving(runtime(FailingSource(ZeroDivisionError("by zero")))).post("/search", json={"query": "x y"})
    defect, request = lines(capsys)
    assert defect["level"] == "error"
    assert "ZeroDivisionError: by zero" in defect["traceback"]
    assert request["status"] == 500


@pytest.mark.parametrize("given", ["abc", "A.b_c:1-2", "x" * 64])
def test_the_id_of_a_request_is_given_back(given: str) -> None:
    """Who names its request finds the name in the answer."""
    assert serving().get("/health", headers={"x-request-id": given}).headers["x-request-id"] == given


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "\x1b[31m", '"', "{}"])
def test_an_id_that_is_none_is_replaced(given: str) -> None:
    """A name that could break a log is not taken; the request gets one of ours."""
    made = serving().get("/health", headers={"x-request-id": given}).headers["x-request-id"]
    assert len(made) == 32
    assert made.isalnum()


def test_other_libraries_are_heard_only_when_they_warn(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    """The HTTP client would write the addresses that it calls, which hold the question."""
    log()
    logging.getLogger("httpx2").info("HTTP Request: GET https://api.example/search?q=private")
    logging.getLogger("somebody").warning("careful: %s", "\x1b[31mred\x9b\n")
    (line,) = lines(capsys)
    assert line["message"] == "careful: \x1b[31mred\x9b\n"
