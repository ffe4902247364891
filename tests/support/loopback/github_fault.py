"""The faults of the loopback GitHub."""

from typing import Any, Self, Unpack

from tests.support.loopback.fault import Aim, Exchange, LoopbackFault, edited
from tests.support.loopback.wire import Response

RATE_LIMITED = {"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded for user ID 1."}]}
SECONDARY = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}


class Fault(LoopbackFault):
    """A fault of GitHub, or of the connection to it."""

    @classmethod
    def limited(
        cls, status: int, retry_after: int | None = None, reset_in: int | None = None, **aim: Unpack[Aim]
    ) -> Self:
        """Respond 403 or 429 for a secondary limit: with Retry-After, with the time of a reset, or with neither."""

        def distort(exchange: Exchange) -> Response:
            headers = {} if reset_in is None else _spent(exchange, reset_in)
            if retry_after is not None:
                headers["retry-after"] = str(retry_after)
            return Response.of_json(status, SECONDARY, headers)

        return cls("limited", distort, **aim)

    @classmethod
    def rate_limited_200(cls, **aim: Unpack[Aim]) -> Self:
        """Report the primary limit of GraphQL, which comes with HTTP 200 and a reset in a minute."""
        return cls("rate_limited_200", lambda sent: Response.of_json(200, RATE_LIMITED, _spent(sent, 60)), **aim)

    @classmethod
    def incomplete_results(cls, **aim: Unpack[Aim]) -> Self:
        """Report that a REST search ran out of time before it was complete."""
        return cls("incomplete_results", edited(lambda body: body.update(incomplete_results=True)), **aim)

    @classmethod
    def partial_data(cls, alias: str | None = None, **aim: Unpack[Aim]) -> Self:
        """Answer one alias of a GraphQL document with null and an error, by default the last."""

        def edit(body: dict[str, Any]) -> None:
            data = body["data"]
            lost = alias or next(reversed(data))
            if lost in data:
                data[lost] = None
                message = "Something went wrong while executing your query."
                row = {"type": "SERVICE_UNAVAILABLE", "path": [lost], "message": message}
                body["errors"] = [*body.get("errors", []), row]

        return cls("partial_data", edited(edit), **aim)


def _spent(exchange: Exchange, reset_in: int) -> dict[str, str]:
    reset = int(exchange.now.timestamp()) + reset_in
    return {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(reset)}
