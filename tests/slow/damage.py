"""Genuine responses of upstreams, damaged: hostile values at any place, other statuses and headers, broken bytes."""

import copy
import gzip
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx2
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest

Place = tuple[str | int, ...]
HUGE: Mapping[object, object] = {"brackets": "[" * 9000, "text": "x" * 120_000, "digits": "9" * 5000, -4000: 10**4000}
"""Values that stand behind short ones, since hypothesis writes out what it chooses from."""


def one_of(*values: object) -> st.SearchStrategy[Any]:
    """Choose one of these values, or the huge one behind it."""
    return st.sampled_from(values).map(lambda value: HUGE.get(value, value) if isinstance(value, str | int) else value)


DATES = st.sampled_from(
    [
        *("2026-08-01", "2026-08-01T00:00:00", "9999-12-31T23:59:59-12:00", "yesterday", "0001-01-01T00:00:00+12:00"),
        *("2026-13-45T99:99:99Z", "9999-12-31T23:59:59Z"),
    ]
)
TEXTS = st.text(max_size=12) | one_of(
    *(
        "", "{", "brackets", "text", "digits", "\x00\x1b[31m", "\ud83d", "a\u202eb", "https://[", "<i>&amp; <b>",
        "10.1/a,b",
    )
)  # fmt: skip
HOSTILE: st.SearchStrategy[Any] = st.recursive(
    one_of(None, -1, 0.5, 85, 2**31, 2**63, -4000, 1e308, 1e999, float("nan")) | st.booleans() | TEXTS | DATES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)
DIGITS = one_of("0", "1", "60", "digits", "-1", "1.5", "٣", "", "soon", "1787400000", "9999999999", "1e9")
HTTP_DATES = one_of(
    *("Sat, 22 Aug 2026 12:00:00 GMT", "Sat, 22 Aug 2026 12:00:09 -0000", "Fri, 31 Dec 9999 23:59:59 -1200"),
    *("Mon, 01 Jan 0001 00:00:00 +2359", "Sat, 22 Aug 2026 12:00:00 +9999999999", "Sat, 99 Aug", "digits"),
)
ENCODINGS = ("gzip", "identity", "br", "deflate", "zstd", "gzip, gzip", "x", "gzip, gzip, gzip, gzip, gzip, gzip")
HEADERS: st.SearchStrategy[dict[str, str]] = st.fixed_dictionaries(
    {},
    optional={
        "retry-after": DIGITS | HTTP_DATES,
        "x-ratelimit-remaining": DIGITS,
        "x-ratelimit-reset": DIGITS | HTTP_DATES,
        "date": HTTP_DATES,
        "content-type": one_of("application/json", "text/html; charset=none", "text", ""),
        "content-encoding": st.sampled_from(ENCODINGS),
        "location": st.just("http://127.0.0.1:9/"),
    },
)
ON_THE_WIRE: st.SearchStrategy[Callable[[bytes], bytes]] = st.sampled_from(
    [
        *[bytes] * 30,
        gzip.compress,
        lambda body: body[: len(body) // 2],
        lambda body: b"\xef\xbb\xbf" + body,
        lambda body: body + b"\xff",
        lambda _: b"[" * 20_000,
        lambda _: b'{"data":' * 500 + b"1" + b"}" * 500,
        lambda _: b" " * 5_000_000,
        lambda body: body.replace(b"{", b'{"a": 1, "a": 2, ', 1),
        lambda body: body.replace(b"</title>", b"</entry>"),
        lambda body: body.replace(b"http://arxiv.org/abs/", b"http://arxiv.org/api/errors#"),
        lambda body: body.replace(b"<summary>", b"<summary>&e;<a/>", 1),
        lambda body: body.replace(b"Atom", b"Atoms"),
    ]
)


@dataclass(frozen=True)
class Damage:
    """What happens to every response of an upstream; the places are shares of all places of a body."""

    values: tuple[tuple[float, Any], ...]
    status: int | None
    headers: Mapping[str, str]
    on_the_wire: Callable[[bytes], bytes]

    def of(self, body: Any) -> Any:
        """Put the hostile values into a body."""
        changed = copy.deepcopy(body)
        for share, value in self.values:
            places = list(_places(changed))
            if places:
                *path, last = places[int(share * len(places))]
                inner = changed
                for step in path:
                    inner = inner[step]
                inner[last] = copy.deepcopy(value)  # two places must not share it
        return changed

    def response(self, status: int, body: bytes) -> httpx2.Response:
        """Make the response of which a genuine one has this status and body."""
        with suppress(ValueError):  # a feed
            body = json.dumps(self.of(json.loads(body))).encode()
        raw = [(name.encode(), value.encode()) for name, value in self.headers.items()]
        content = httpx2.ByteStream(self.on_the_wire(body))
        return httpx2.Response(self.status or status, headers=raw, stream=content)


def _places(value: object, place: Place = ()) -> Iterator[Place]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, child in children:
        yield (*place, name)
        yield from _places(child, (*place, name))


DAMAGE = st.builds(
    Damage,
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), HOSTILE), max_size=3).map(tuple),
    st.sampled_from([*[None] * 30, 204, 301, 400, 401, 402, 403, 404, 422, 429, 500, 503]),
    st.just({}) | HEADERS,
    ON_THE_WIRE,
)


def transport(upstream: LoopbackServer, damage: Damage) -> httpx2.MockTransport:
    """Make a transport on which a loopback server answers without a socket, and its responses are damaged."""

    def respond(sent: httpx2.Request) -> httpx2.Response:
        content = sent.read()
        body = json.loads(content) if content else None
        headers = {name.lower(): value for name, value in sent.headers.items()}
        request = RecordedRequest(sent.method, sent.url.path, dict(sent.url.params), headers, "", body)
        genuine = upstream.answer(request)
        return damage.response(genuine.status, genuine.body)

    return httpx2.MockTransport(respond)


def campaign(short: int, long: int) -> settings:
    """Return the settings of a campaign: how many examples `make test` has, and `make slow`, which sets a variable."""
    examples = long if "FUZZ_EXAMPLES" in os.environ else short
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
