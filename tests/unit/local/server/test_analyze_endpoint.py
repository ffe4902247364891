"""The path `/analyze-repo` of the server."""

from typing import Any

import pytest
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.errors import Unavailable

from tests.contract.openapi.contract import as_written
from tests.support.analysis_fakes import FULL_NAME, ListedReader, runtime
from tests.support.local import client, problem_of

PATH, BODY = "/analyze-repo", {"repo": FULL_NAME, "query": "Python web framework"}


def test_the_response_keeps_the_contract() -> None:
    """It is the analysis of the library."""
    response = client(runtime()).post(PATH, json=BODY)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    as_written("Analysis").validate(response.json())
    assert response.json()["repo"] == FULL_NAME


@pytest.mark.parametrize(
    ("body", "reader", "status"),
    [
        ({"repo": "nobody/nothing"}, ListedReader(), 400),
        ({"repo": FULL_NAME, "query": 7}, ListedReader(), 400),
        (BODY, ListedReader(failure=Unavailable("down")), 503),
    ],
)
def test_a_failure_is_a_problem(body: Any, reader: ListedReader, status: int) -> None:
    """With the status of the contract."""
    response = client(runtime(reader)).post(PATH, json=body)
    assert (response.status_code, problem_of(response)["status"]) == (status, status)


def test_a_server_of_a_catalogue_file_says_that_it_reads_no_github() -> None:
    """Instead of an answer that looks empty."""
    clock = WallClock()
    response = client(Runtime(Dependencies(clock), ("catalogue",), clock)).post(PATH, json=BODY)
    assert "GitHub is not among the sources here" in problem_of(response)["detail"]
