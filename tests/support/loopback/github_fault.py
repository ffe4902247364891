"""The faults of the loopback GitHub."""

from __future__ import annotations

import json
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Self, Unpack

from tests.support.loopback import wire
from tests.support.loopback.fault import Aim, Exchange, LoopbackFault
from tests.support.loopback.wire import Response

if TYPE_CHECKING:
    from collections.abc import Callable

RATE_LIMITS = "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api"
SECONDARY = {
    "message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
    "documentation_url": f"{RATE_LIMITS}#about-secondary-rate-limits",
}


class Fault(LoopbackFault):
    """A fault of GitHub, or of the connection to it."""

    @classmethod
    def secondary_limit(cls, *, retry_after: int | None = 60, reset_in: int | None = None, **aim: Unpack[Aim]) -> Self:
        """Answer 403 for a secondary limit: with Retry-After, with the time of a reset, or with neither."""
        return cls("secondary_limit", _limited(403, retry_after, reset_in), **aim)

    @classmethod
    def too_many_requests(cls, *, retry_after: int | None = None, **aim: Unpack[Aim]) -> Self:
        """Answer 429, with or without Retry-After."""
        return cls("too_many_requests", _limited(429, retry_after, None), **aim)

    @classmethod
    def rate_limited_200(cls, *, reset_in: int = 60, **aim: Unpack[Aim]) -> Self:
        """Report the primary limit of GraphQL, which comes with HTTP 200."""
        row = {"type": "RATE_LIMITED", "message": "API rate limit exceeded for user ID 1."}

        def distort(exchange: Exchange) -> Response:
            return Response.of_json(200, {"errors": [row]}, _spent(exchange, reset_in))

        return cls("rate_limited_200", distort, **_aimed("graphql", aim))

    @classmethod
    def truncated(cls, **aim: Unpack[Aim]) -> Self:
        """Announce the complete response, send half of it, and close the connection."""
        return cls("truncated", lambda exchange: replace(exchange.genuine(), delivery=wire.truncated), **aim)

    @classmethod
    def not_json(cls, **aim: Unpack[Aim]) -> Self:
        """Answer 200 with JSON that ends too early."""
        broken = b'{"total_count": 3, "items": [{"id": '
        headers = {"content-type": wire.JSON_TYPE}
        return cls("not_json", lambda _: Response(HTTPStatus.OK, broken, headers), **aim)

    @classmethod
    def incomplete_results(cls, **aim: Unpack[Aim]) -> Self:
        """Report that the search timed out before it was complete."""

        def edit(body: dict[str, Any]) -> None:
            body["incomplete_results"] = True

        return cls("incomplete_results", _edited(edit), **_aimed("rest", aim))

    @classmethod
    def partial_data(
        cls,
        alias: str | None = None,
        *,
        error_type: str = "SERVICE_UNAVAILABLE",
        message: str = "Something went wrong while executing your query.",
        **aim: Unpack[Aim],
    ) -> Self:
        """Answer one alias of a GraphQL document with null and an error, by default the last."""

        def edit(body: dict[str, Any]) -> None:
            data = body.get("data") or {}
            lost = alias if alias is not None else next(reversed(data), None)
            if lost in data:
                data[lost] = None
                row = {"type": error_type, "path": [lost], "message": message}
                body["errors"] = [*body.get("errors", []), row]

        return cls("partial_data", _edited(edit), **_aimed("graphql", aim))

    @classmethod
    def graphql_timeout_502(cls, **aim: Unpack[Aim]) -> Self:
        """Answer 502 with GitHub's own body for a query that took too long."""
        message = (
            "Something went wrong while executing your query. This may be the result of a timeout,"
            " or it could be a GitHub bug. Please include `0000:0000:0000000` when reporting this issue."
        )
        body = {"data": None, "errors": [{"message": message}]}
        return cls("graphql_timeout_502", lambda _: Response.of_json(502, body), **_aimed("graphql", aim))


def _limited(status: int, retry_after: int | None, reset_in: int | None) -> Callable[[Exchange], Response]:
    def distort(exchange: Exchange) -> Response:
        headers = {} if reset_in is None else _spent(exchange, reset_in)
        if retry_after is not None:
            headers["retry-after"] = str(retry_after)
        return Response.of_json(status, SECONDARY, headers)

    return distort


def _spent(exchange: Exchange, reset_in: int) -> dict[str, str]:
    reset = int(exchange.now.timestamp()) + reset_in
    return {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(reset)}


def _aimed(where: str, aim: Aim) -> Aim:
    aimed: Aim = {"where": "graphql" if where == "graphql" else "rest"}
    aimed.update(aim)
    return aimed


def _edited(edit: Callable[[dict[str, Any]], None]) -> Callable[[Exchange], Response]:
    def distort(exchange: Exchange) -> Response:
        response = exchange.genuine()
        body = json.loads(response.body)
        edit(body)
        return replace(response, body=json.dumps(body, ensure_ascii=False).encode())

    return distort
