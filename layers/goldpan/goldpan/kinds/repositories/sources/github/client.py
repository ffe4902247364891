"""One call to GitHub: asked within the budget, tried again where that helps, its refusals named."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import RateLimited, Unavailable
from goldpan.infra.http import Http, HttpRequest, HttpResponse
from goldpan.infra.rate_limits.limits import rate_limit_key
from goldpan.infra.rate_limits.port import RateLimiter, wait_for_reservation
from goldpan.infra.retry import call_with_retry
from goldpan.kinds.repositories.sources.github.failures import come_back, failure_of
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings

API_VERSION = "2022-11-28"
ENTERPRISE_REST = "/api/v3"
EPOCH_DIGITS = 10


class GitHubClient:
    """GitHub at one address with one credential."""

    def __init__(self, settings: GitHubSettings, http: Http, budget: RateLimiter, clock: Clock) -> None:
        self._base = settings.github_api_url.rstrip("/")
        self._token = settings.github_token.get_secret_value() if settings.github_token else None
        self._http, self._budget, self._clock = http, budget, clock

    @property
    def has_token(self) -> bool:
        """Whether GraphQL may be used."""
        return self._token is not None

    @property
    def graphql_url(self) -> str:
        """Tell GraphQL's address: beside REST at github.com, one folder up at GitHub Enterprise."""
        return (
            self._base.removesuffix("/v3") + "/graphql"
            if self._base.endswith(ENTERPRISE_REST)
            else f"{self._base}/graphql"
        )

    def get(self, path: str, params: Mapping[str, str], deadline: Deadline) -> object:
        """Call REST; raises `CallFailed` or `CredentialRejected`."""
        request = HttpRequest("GET", self._base + path, self._headers(), params)
        return call_with_retry(lambda: self._ask("rest-search", 1, request, deadline).json(), deadline, self._clock)

    def graphql(
        self, document: str, variables: Mapping[str, object], deadline: Deadline, cost: int = 1
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Call GraphQL: the data, which may be partial, and what failed; raises `CallFailed` where there is none."""
        body = {"query": document, "variables": dict(variables)}
        request = HttpRequest("POST", self.graphql_url, self._headers(), body=body)
        return call_with_retry(lambda: self._graphql_once(request, deadline, cost), deadline, self._clock)

    def _graphql_once(
        self, request: HttpRequest, deadline: Deadline, cost: int
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        reply = self._ask("graphql", cost, request, deadline)
        body = reply.json()
        if not isinstance(body, dict):
            raise Unavailable("GitHub's answer is no GraphQL response")
        said = body.get("errors")
        errors = [error for error in said if isinstance(error, dict)] if isinstance(said, list) else []
        if any(error.get("type") in {"RATE_LIMITED", "RATE_LIMIT"} for error in errors):
            raise self._limited("graphql", reply, str(errors[0].get("message")))
        data = body.get("data")
        if not isinstance(data, dict):
            raise Unavailable(f"GitHub's GraphQL gave no data: {_said(errors)}")
        return data, tuple(_said([error]) for error in errors)

    def _ask(self, budget: str, cost: int, request: HttpRequest, deadline: Deadline) -> HttpResponse:
        """Send when it is our turn; what the reply tells of the limit is for every later call of everyone."""
        key = self._key(budget)
        wait_for_reservation(self._budget, key, cost, deadline)
        reply = self._http.send(request, deadline)
        failure = failure_of(reply, self._clock.now())
        if isinstance(failure, RateLimited):
            self._budget.block_until(key, failure.retry_at)
        else:
            self._learn(key, reply)
        if failure is not None:
            raise failure
        return reply

    def _learn(self, key: str, reply: HttpResponse) -> None:
        """Keep to what GitHub says is left, also where others spent it; nothing left is a limit with its time."""
        left, reset = (reply.headers.get(f"x-ratelimit-{name}", "") for name in ("remaining", "reset"))
        if not left.isdecimal() or not reset.isdecimal() or len(reset) > EPOCH_DIGITS:
            return
        if int(left):
            self._budget.reconcile(key, int(left), datetime.fromtimestamp(int(reset), UTC))
        else:
            self._budget.block_until(key, come_back(reply, self._clock.now()))

    def _limited(self, budget: str, reply: HttpResponse, said: str) -> RateLimited:
        until = come_back(reply, self._clock.now())
        self._budget.block_until(self._key(budget), until)
        return RateLimited(f"GitHub's rate limit is reached ({said[:160]})", until)

    def _key(self, budget: str) -> str:
        """Name a budget; an Enterprise server has limits only where its owner sets some, and then tells them."""
        of = "github-enterprise" if self._base.endswith(ENTERPRISE_REST) else "github"
        return rate_limit_key(f"{of}:{budget}", self._base, self._token)

    def _headers(self) -> dict[str, str]:
        headers = {
            "accept": "application/vnd.github+json",
            "user-agent": "goldpan",
            "x-github-api-version": API_VERSION,
        }
        return headers | ({"authorization": f"Bearer {self._token}"} if self._token else {})


def _said(errors: list[dict[str, Any]]) -> str:
    first = errors[0] if errors else {}
    return f"{first.get('type') or 'error'}: {' '.join(str(first.get('message') or 'no message').split())[:160]}"
