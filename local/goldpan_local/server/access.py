"""Who may reach the server from a browser: which host names address it, and which other sites may read or trigger it.

A page on any site can send requests to this machine. It cannot read the answers, unless its name resolves to the
address of the server (DNS rebinding) or its origin is allowed (CORS).
"""

import ipaddress
import re
from collections.abc import Iterable

from goldpan.errors import Forbidden
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from goldpan_local.server.requests import problem_response

ANY_ORIGIN = "*"
FOREIGN_PAGE = (
    "A page of another site may have sent this request: programs use POST, or add the header x-request-id;"
    " GOLDPAN_CORS_ORIGINS allows the pages of an origin."
)
OWN_HEADERS = ("x-api-key", "x-request-id")
"""A page of another site can send these only if its origin is allowed."""


def allowed_hosts(address: str, name: str, further: Iterable[str]) -> frozenset[str] | None:
    """Return the host names that requests may address in addition to those of this machine; None for any.

    On a loopback address these are the name that the server was given and the further ones; elsewhere the names are
    unknown, unless further ones are set.
    """
    names = frozenset(host.lower() for host in further)
    if is_loopback(address):
        return names | {name.lower()}
    return names or None


def is_loopback(address: str) -> bool:
    """Whether a text is an IP address of the loopback interface."""
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False


class HostCheck:
    """ASGI middleware that refuses requests for a host that is neither allowed nor a name of this machine."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http" or self._allows(Headers(scope=scope).get("host", "")):
            await self._app(scope, receive, send)
            return
        await problem_response(421)(scope, receive, send)

    def _allows(self, header: str) -> bool:
        host = re.sub(r":\d*$", "", header.strip().lower()).strip("[]").removesuffix(".")
        return host in self._hosts or host == "localhost" or host.endswith(".localhost") or is_loopback(host)


def access_middleware(hosts: frozenset[str] | None, origins: tuple[str, ...]) -> list[Middleware]:
    """Return the middleware for the allowed hosts, None for any, and for the allowed origins of other sites."""
    made = [] if hosts is None else [Middleware(HostCheck, hosts=hosts)]
    if origins:
        made.append(
            Middleware(
                CORSMiddleware,
                allow_origins=origins,
                allow_methods=("GET", "POST"),
                allow_headers=("content-type", *OWN_HEADERS, "last-event-id", "prefer"),
                expose_headers=("location", "preference-applied", "retry-after", "x-request-id"),
                allow_private_network=True,  # the page may be public, and the server on this machine
                max_age=600,
            )
        )
    return made


def refuse_foreign_page(headers: Headers, origins: tuple[str, ...]) -> None:
    """Raise `Forbidden` if a browser sends this request for a page of another site that is not allowed to.

    A link that a visitor follows is allowed; an image, a frame or a script is not, because its search is invisible.
    A browser that does not say what it sends may send it for such a page, without a header of `OWN_HEADERS`.
    """
    site = headers.get("sec-fetch-site")
    if site in {"none", "same-origin"} or (site is None and any(name in headers for name in OWN_HEADERS)):
        return
    if headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document":
        return
    if not {ANY_ORIGIN, headers.get("origin", "")} & {*origins}:
        raise Forbidden(FOREIGN_PAGE)
