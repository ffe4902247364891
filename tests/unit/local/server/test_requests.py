"""A request is checked before it is searched for: key, content type, size, JSON, contract."""

import json

import pytest
from goldpan.errors import InvalidRequest, Misconfigured
from goldpan_local.server.requests import ServerSettings, parse_body

from tests.support.local import QUESTION, client, problem_of
from tests.unit.local.conftest import Run

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "not JSON: EOF"),
        (b'{"query": "a\xff"}', "not JSON: invalid unicode"),
        (b"[" * 60_000, "not JSON: recursion limit"),
        (b'{"query": "x", "max_results": ' + b"9" * 5000 + b"}", "not JSON: number out of range"),
        (b'{"query": "x", "refresh": true}', "refresh: unknown field"),
        (b'{"query": "x", "filters": {"min_stars": true}}', "filters.min_stars: must be a whole number (given true)"),
    ],
)
def test_an_invalid_body_is_refused(raw: bytes, message: str) -> None:
    """The problem names the field or the place in the JSON."""
    response = client().post("/search", content=raw, headers=JSON)
    assert response.status_code == 400
    details = problem_of(response)
    assert details["type"] == "urn:goldpan:problem:invalid-request"
    assert message in details["detail"]


def test_the_last_value_of_a_repeated_field_counts() -> None:
    """What is checked is what is searched for: no value hides behind another one of the same name."""
    assert parse_body(b'{"query": 5, "query": "x"}').query == "x"
    for raw in (b'{"query": "x", "query": 5}', b'{"query": "x", "max_results": 1, "max_results": "1"}'):
        with pytest.raises(InvalidRequest):
            parse_body(raw)


def test_only_json_is_read() -> None:
    """Other types could come from a web page of another site, without the knowledge of its visitor."""
    for given, status in (("Application/JSON; charset=utf-8", 200), ("", 415), ("text/plain", 415), ("text/json", 415)):
        headers = {"content-type": given} if given else {}
        response = client().post("/search", content=json.dumps(QUESTION).encode(), headers=headers)
        assert response.status_code == status
    response = client().post("/search", content=b"\x1f\x8b", headers={**JSON, "content-encoding": "gzip"})
    assert problem_of(response)["detail"] == "content-encoding: a body must not be compressed (given gzip)"


def test_a_body_has_at_most_64_kib() -> None:
    """A larger one is refused, with or without a declared length."""
    body = json.dumps(QUESTION).encode()
    assert client().post("/search", content=body.ljust(65_536), headers=JSON).status_code == 200
    larger = body.ljust(65_537)
    for content in (larger, iter([larger[:100], larger[100:]])):
        response = client().post("/search", content=content, headers=JSON)
        assert response.status_code == 413
        assert problem_of(response)["detail"] == "A request has 65,536 bytes at most."
    assert client().post("/search", content=b"", headers={**JSON, "content-length": "65537"}).status_code == 413


@pytest.mark.parametrize(
    ("given", "status"),
    [("first", 200), ("second", 200)]
    + [(key, 403) for key in (None, "", "firs", "first ,second", "FIRST", "first,second", "x" * 5000, "\xfcber")],
)
def test_a_search_needs_one_of_the_keys(given: str | None, status: int) -> None:
    """Spaces and empty keys in the setting are ignored; a request without a key is not read."""
    headers = {} if given is None else {b"x-api-key": given.encode("latin-1")}
    http = client(keys=" first, second ,")
    response = http.post("/search", json=QUESTION, headers=headers)
    assert response.status_code == status
    if status == 403:
        assert problem_of(response)["type"] == "urn:goldpan:problem:forbidden"
        assert http.post("/search", content=b"{", headers={**headers, b"content-type": b"x"}).status_code == 403


@pytest.mark.parametrize("setting", [",", " , ,", "k\u00e4y"])
def test_a_setting_without_a_valid_key_is_refused(run: Run, setting: str) -> None:
    """The server does not start without the keys that it was meant to require, and prints none of them."""
    with pytest.raises(Misconfigured, match="GOLDPAN_API_KEYS"):
        ServerSettings.from_environment({"GOLDPAN_API_KEYS": setting}).api_keys()
    result = run("serve", env={"GOLDPAN_API_KEYS": setting})
    assert (result.exit_code, result.stderr.startswith("goldpan: GOLDPAN_API_KEYS")) == (2, True)
    assert setting == "," or setting not in result.stderr
    server = ServerSettings.from_environment({"GOLDPAN_API_KEYS": "secret-key"})
    assert "secret-key" not in repr(server) + str(server.api_keys())
