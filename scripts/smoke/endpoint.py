"""What a running goldpan must answer over HTTP: health, a search, a repeated one, and refusals."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from uuid import uuid4

import httpx2

QUESTION, COMPARED = "Rust web framework", "React animation library"
SECONDS = 35
"""How long a response may take; API Gateway gives up after 29."""
WITHOUT_WAITING_SECONDS, MAX_POLL_SECONDS = 45, 1.0
"""When a search for which no client waits has ended in any case, and the longest pause between two looks at it."""
MAX_WAIT, ATTEMPTS = 5, 4
"""A throttled request is sent again after its Retry-After: the default of a stack is two requests a second."""
JSON, PROBLEM = "application/json", "application/problem+json"
Sign = Callable[[httpx2.Request], None]


class CheckError(Exception):
    """What was expected and what was received."""


@dataclass(frozen=True)
class Endpoint:
    """The URL of the search; the key, and the signature if the API requires one."""

    url: str
    key: str | None = None
    sign: Sign | None = None

    def health(self) -> str:
        """Ask for the health, without credentials."""
        response = _send(httpx2.Request("GET", f"{self._base}/health"))
        _expect(response, (200,), JSON)
        return "200"

    def search(self) -> str:
        """Search for what is not cached, then send the same request again, whose answer is cached."""
        fields = {"max_results": 3, "ignore": [f"term:it's {uuid4().hex}", 'term:"b"']}
        body = json.dumps({"query": QUESTION, **fields}).encode()
        first, again = (self._post(body, headers=self._keys) for _ in range(2))
        for response, cached in ((first, False), (again, True)):
            _expect(response, (200,), JSON)
            answer = response.json()
            if not answer["repositories"]["results"]:
                raise CheckError(f"no results: {answer['sources']}")
            if answer["cached"] is not cached:
                raise CheckError(f"cached is {answer['cached']}, expected {cached}")
        found = len(answer["repositories"]["results"])
        return f"{found} results; the repeated request was answered from the cache"

    def search_without_waiting(self) -> str:
        """Search for what is not cached without waiting, and ask for the stages, and then for the answer."""
        body = json.dumps({"query": QUESTION, "max_results": 3, "ignore": [f"term:{uuid4().hex}"]}).encode()
        response = self._post(body, headers={"prefer": "respond-async", **self._keys})
        _expect(response, (202,), JSON)
        url, seen, wait = response.url.join(response.headers["location"]), set[str](), 0.1
        ends = time.monotonic() + WITHOUT_WAITING_SECONDS
        while response.status_code == HTTPStatus.ACCEPTED and time.monotonic() < ends:
            time.sleep(wait)
            wait = min(2 * wait, MAX_POLL_SECONDS)
            response = self._send(httpx2.Request("GET", url, headers=self._keys))
            _expect(response, (200, 202), JSON)
            seen |= {stage["message"] for stage in response.json().get("stages", ())}
        _expect(response, (200,), JSON)
        found = len(response.json()["repositories"]["results"])
        return f"{found} results, after: {', '.join(sorted(seen)) or 'no stage'}"

    def other_requests(self) -> str:
        """Search for papers and for both kinds, ask the library, and compare, liken and analyze the first results."""
        found = self._post(json.dumps({"query": COMPARED}).encode(), headers=self._keys)
        _expect(found, (200,), JSON)
        names = [each["repo"] for each in found.json()["repositories"]["results"]]
        if len(names) < 2:  # noqa: PLR2004 - a comparison needs two
            raise CheckError(f"“{COMPARED}” found {len(names)} repositories, and two are compared")
        said = []
        for path, fields, refused in _other_requests(*names[:2]):
            url = f"{self._base}{path}"
            response = self._post(json.dumps(fields).encode(), headers=self._keys, url=url)
            _expect(response, (200, *refused), PROBLEM if response.status_code in refused else JSON)
            said.append(f"{path} {response.status_code}")
        return ", ".join(said)

    def refusals(self) -> str:
        """Send ten requests that are refused, each with problem details of its own status."""
        sent = 0
        for path, body, media, expected in _refused():
            url = f"{self._base}{path}" if path else self.url
            response = self._post(body.encode(), headers={"content-type": media, **self._keys}, url=url)
            # Nothing reads the signature at an unknown path, so the policy of the API refuses all callers there.
            _expect(response, (*expected, 403) if path and self.sign else expected, PROBLEM)
            sent += 1
        return f"{sent} requests were refused"

    def authorization(self) -> str:
        """Search without what the API requires: without a key, with a wrong one, and without the signature."""
        attempts = [({}, True), ({"x-api-key": "wrong" * 5}, True), *([(self._keys, False)] if self.sign else [])]
        for headers, sign in attempts:
            response = self._post(json.dumps({"query": QUESTION}).encode(), headers=headers, sign=sign)
            _expect(response, (403,), PROBLEM)
        return "a key and a signature are required" if self.sign else "a key is required"

    @property
    def _base(self) -> str:
        return self.url.removesuffix("/search")

    @property
    def _keys(self) -> dict[str, str]:
        return {"x-api-key": self.key} if self.key else {}

    def _post(self, content: bytes, *, headers: Mapping[str, str], sign: bool = True, url: str = "") -> httpx2.Response:
        """Post a body, by default of JSON, to the search or to another URL."""
        request = httpx2.Request("POST", url or self.url, headers={"content-type": JSON, **headers}, content=content)
        return self._send(request, sign=sign)

    def _send(self, request: httpx2.Request, *, sign: bool = True) -> httpx2.Response:
        if sign and self.sign:
            self.sign(request)
        return _send(request)


def _send(request: httpx2.Request) -> httpx2.Response:
    """Send a request; a throttled one is repeated after its Retry-After, if that is short."""
    with httpx2.Client(timeout=SECONDS) as client:
        for _ in range(ATTEMPTS):
            response = client.send(request)
            wait = response.headers.get("retry-after", "")
            if response.status_code != HTTPStatus.TOO_MANY_REQUESTS or not wait.isdigit() or int(wait) > MAX_WAIT:
                break
            time.sleep(int(wait))
    return response


def _other_requests(one: str, other: str) -> Iterator[tuple[str, dict[str, object], tuple[int, ...]]]:
    """Yield a path, a body, and the statuses that may refuse it: no source of papers answers, no such project."""
    papers = "graph neural networks for molecules"
    project: dict[str, object] = {"query": "x", "project_id": f"none-{uuid4().hex[:8]}"}
    yield "/search", {"query": papers, "kinds": ["papers"], "max_results": 3}, (503,)
    yield "/search", {"query": papers, "kinds": ["repositories", "papers"], "max_results": 3}, ()
    yield "/compare", {"repos": [one, other], "query": COMPARED}, ()
    yield "/like", {"repo": one, "max_results": 3}, ()
    yield "/analyze-repo", {"repo": one, "query": COMPARED}, (503,)
    yield "/library/search", project, (404,)
    yield "/library/chunks", project, (404,)


def _refused() -> Iterator[tuple[str, str, str, tuple[int, ...]]]:
    """Yield a path instead of /search, a body, its type, and the statuses that refuse it."""
    for body in (
        "{}",
        '{"query": ""}',
        '{"query": "a\\u0000b"}',
        f'{{"query": "{"x" * 501}"}}',
        '{"query": "x", "refresh": true}',
        '{"query": "x", "max_results": 26}',
        '{"query": "x", "mode": "high"}',
        '{"query": ',
    ):
        yield "", body, JSON, (400,)
    yield "", "query=x", "application/x-www-form-urlencoded", (415,)
    yield "/nothing-here", '{"query": "x"}', JSON, (404,)


def _expect(response: httpx2.Response, statuses: tuple[int, ...], media: str) -> None:
    """Compare status and type, and the status in problem details. Raises `CheckError`."""
    received = response.headers.get("content-type", "").partition(";")[0]
    if response.status_code not in statuses or received != media:
        message = f"{response.request.method} {response.request.url}: {response.status_code} {received}"
        raise CheckError(f"{message}, expected {statuses} {media}: {response.text[:300]}")
    if media == PROBLEM and response.json()["status"] != response.status_code:
        raise CheckError(f"the problem details have another status: {response.text[:300]}")
