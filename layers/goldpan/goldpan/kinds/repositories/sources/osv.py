"""OSV, the database of known vulnerabilities of open source packages.

Many packages are asked about in one call (https://google.github.io/osv.dev/post-v1-querybatch/). What is sent is the
name, the ecosystem and the version of each, and nothing of the repository that names them.
"""

from __future__ import annotations

from collections.abc import Sequence

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import RateLimited, Refused, Unavailable
from goldpan.infra.http import Http, HttpRequest, HttpResponse
from goldpan.infra.rate_limits.limits import rate_limit_key
from goldpan.infra.rate_limits.port import RateLimiter
from goldpan.infra.redaction import register_address
from goldpan.infra.reserved_calls import ReservedCalls
from goldpan.infra.response_times import retry_after
from goldpan.infra.retry import call_with_retry
from goldpan.kinds.repositories.analysis.models import Advisories, Dependency, Vulnerable
from goldpan.kinds.repositories.sources.github.failures import DEFAULT_WAIT, MAX_WAIT

MAX_IN_FLIGHT = 10
MAX_QUERIES = 1000
"""The maximum of one call."""
MAX_IDS, MAX_ID_CHARS = 20, 60
OK, TOO_MANY, SERVER_ERROR = 200, 429, 500


class Osv:
    """A client of OSV at one address; it needs no key."""

    def __init__(self, url: str, http: Http, rate_limiter: RateLimiter, clock: Clock) -> None:
        self._url, self._rate_limiter, self._clock = url.rstrip("/"), rate_limiter, clock
        self._calls = ReservedCalls(http, rate_limiter, MAX_IN_FLIGHT, clock)
        self.identity = rate_limit_key("osv", self._url, None)
        """Its address, without a password in it."""
        register_address(self._url)

    def look_up(self, dependencies: Sequence[Dependency], deadline: Deadline) -> Advisories:
        """Look up the dependencies in one call. Raises `CallFailed`."""
        asked = [each for each in dependencies if each.version][:MAX_QUERIES]
        body = {"queries": [_query(each) for each in asked]}
        request = HttpRequest("POST", f"{self._url}/v1/querybatch", {"user-agent": "goldpan"}, body=body)
        response = call_with_retry(lambda: self._send(request, deadline), deadline, self._clock)
        content = response.json()
        rows = content.get("results") if isinstance(content, dict) else None
        if not isinstance(rows, list) or len(rows) != len(asked):
            raise Unavailable("OSV's response has not one result for each dependency")
        found = [(each, _ids(row)) for each, row in zip(asked, rows, strict=True)]
        unread = sum(ids is None for _, ids in found)
        notes = (f"{unread} of OSV's results could not be read.",) if unread else ()
        vulnerable = tuple(Vulnerable(dependency=each, ids=ids) for each, ids in found if ids)
        return Advisories(judged=len(asked) - unread, vulnerable=vulnerable, notes=notes)

    def _send(self, request: HttpRequest, deadline: Deadline) -> HttpResponse:
        calls = rate_limit_key("osv:calls", self._url, None)
        response = self._calls.send(request, deadline, key=self.identity, in_flight_key=calls)
        if response.status == OK:
            return response
        if response.status == TOO_MANY:
            now = self._clock.now()
            until = retry_after(response.headers, now, MAX_WAIT) or now + DEFAULT_WAIT
            self._rate_limiter.block_until(self.identity, until)
            raise RateLimited("OSV's rate limit is reached", until)
        failure = Unavailable if response.status >= SERVER_ERROR else Refused
        raise failure(f"OSV answered {response.status}")


def _query(dependency: Dependency) -> dict[str, object]:
    package = {"ecosystem": dependency.ecosystem, "name": dependency.name}
    return {"package": package, "version": dependency.version}


def _ids(row: object) -> tuple[str, ...] | None:
    """Return the ids of the vulnerabilities of one package; None for a malformed result."""
    if not isinstance(row, dict):
        return None
    listed = row.get("vulns") or []
    if not isinstance(listed, list):
        return None
    ids = (each.get("id") for each in listed if isinstance(each, dict))
    return tuple(one[:MAX_ID_CHARS] for one in ids if isinstance(one, str) and one)[:MAX_IDS]
