"""Which hosts address the server, and which pages of other sites may search."""

from typing import Any

import pytest
from goldpan.errors import Misconfigured
from goldpan_local.server.access import allowed_hosts
from goldpan_local.server.requests import ServerSettings

from tests.support.local import QUESTION, client, problem_of

APP = "https://app.example"
LINK = "/search?q=React+animation+library"


def test_a_name_that_was_rebound_to_this_machine_is_refused() -> None:
    """A page whose own name resolves to the loopback address would otherwise read answers as the same origin."""
    hosts = allowed_hosts("127.0.0.1", "MyBox", ())
    own = ("localhost:8080", "127.0.0.1", "[::1]:8080", "goldpan.localhost.", "MyBox:1")
    for host in (*own, "evil.example:8080", "", "localhost.evil.example", "10.0.0.1", "127.0.0.1.evil.org"):
        response = client(hosts=hosts).get("/health", headers={"host": host})
        assert response.status_code == (200 if host in own else 421), host
        assert host in own or "GOLDPAN_ALLOWED_HOSTS" in problem_of(response)["detail"]


def test_the_hosts_of_a_public_address_are_unknown() -> None:
    """There, every name is accepted, unless names are set; these also serve a proxy before a loopback address."""
    assert allowed_hosts("0.0.0.0", "0.0.0.0", ()) is None
    assert allowed_hosts("::", "::", ("search.example",)) == frozenset({"search.example"})
    assert allowed_hosts("::1", "localhost", ("Search.Example",)) == frozenset({"search.example", "localhost"})


def test_pages_of_the_origins_that_are_set_may_search() -> None:
    """The browser asks before it sends JSON or a key, and may show the page the answer, its id and Retry-After."""
    wanted = {"access-control-request-method": "POST", "access-control-request-headers": "content-type,x-api-key"}
    wanted |= {"access-control-request-private-network": "true"}  # some versions of Chromium ask for that, too
    allowing = ((f"{APP}, http://localhost:3000", APP), ("*", APP))
    for cors, origin in (*allowing, ("", APP), (APP, "https://app.example.evil")):
        http, headers, allowed = client(cors=cors), {"origin": origin}, (cors, origin) in allowing
        preflight = http.options("/search", headers=headers | wanted)
        answer = http.post("/search", json=QUESTION, headers=headers)
        assert preflight.is_success == allowed
        for response in (preflight, answer):
            assert ("access-control-allow-origin" in response.headers) == allowed
        assert not allowed or "retry-after" in answer.headers["access-control-expose-headers"]


@pytest.mark.parametrize(
    ("fetch", "cors", "status"),
    [
        ({"site": "cross-site", "mode": "no-cors", "dest": "image"}, "", 403),
        ({"site": "same-site", "mode": "cors", "dest": "empty"}, "", 403),
        ({"site": "cross-site", "mode": "navigate", "dest": "iframe"}, "", 403),
        ({"site": "cross-site", "mode": "navigate", "dest": "document"}, "", 200),
        ({"site": "cross-site", "mode": "cors", "dest": "empty"}, APP, 200),
        ({"site": "same-origin", "mode": "cors", "dest": "empty"}, "", 200),
        ({"site": "none", "mode": "navigate", "dest": "document"}, "", 200),
        ({}, "", 403),
        ({}, APP, 200),
        ({"own": "x-request-id"}, "", 200),
        ({"own": "x-request-id", "site": "cross-site", "mode": "no-cors", "dest": "image"}, "", 403),
    ],
)
def test_a_page_of_another_site_starts_no_hidden_search(fetch: dict[str, str], cors: str, status: int) -> None:
    """A visitor may follow a link to a search; an image, a frame or a script of the page may not cause one."""
    own = {"x-request-id": "1"} if "own" in fetch else {}
    headers: dict[str, Any] = {f"sec-fetch-{name}": value for name, value in fetch.items()} | {"origin": APP} | own
    response = client(cors=cors).get(LINK, headers=headers)
    assert response.status_code == status
    assert status == 200 or "GOLDPAN_CORS_ORIGINS" in problem_of(response)["detail"]


def test_a_setting_that_would_match_nothing_is_refused() -> None:
    """The message names the setting and the value."""
    values = {"CORS_ORIGINS": ("app.example", "https://app.example/", "null"), "ALLOWED_HOSTS": ("https://a", "a.b:80")}
    for name, value in ((f"GOLDPAN_{name}", value) for name, given in values.items() for value in given):
        with pytest.raises(Misconfigured, match=f"{name}: '{value}'"):
            ServerSettings.from_environment({name: value})
