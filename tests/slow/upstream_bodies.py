"""Bodies and headers as GitHub could send them: by its schemas, with nulls where those allow one, and then broken.

The hostile values, the headers and what breaks a body serve for the sources of papers too.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from typing import Any

from goldpan.kinds.repositories.sources.github.queries import enrichment_document, search_document
from graphql import GraphQLList, GraphQLNonNull, GraphQLOutputType, get_named_type
from hypothesis import strategies as st

from tests.support.loopback.github_graphql import github_schema
from tests.support.nullable import REST_NULLABLE, Path, Selected, selected_fields, with_value

Body = Any
LONG: Mapping[object, object] = {"brackets": "[" * 9000, "text": "x" * 9000, "digits": "9" * 5000, -4000: 10**4000}
"""Values that stand behind short ones, since hypothesis writes out what it chooses from."""


def one_of(*values: object) -> st.SearchStrategy[Any]:
    """Choose one of these values, or the long one behind it."""
    return st.sampled_from(values).map(lambda value: LONG.get(value, value) if isinstance(value, str | int) else value)


TEXTS = st.text(max_size=12) | one_of(
    *["React animation library"] * 8,
    *("", "# React\n\n## Install\n", "brackets", "text"),
    *("\x00\x1b[31m", "\ud83d", "a\u202eb"),
)
NAMES = st.sampled_from([*["o/react", "o/animation", "example-org/motion", "O/React"] * 8, "o/r/s", "/", "o/", "", "x"])
DATES = st.sampled_from(
    [
        *["2026-08-01T00:00:00Z"] * 8,
        *("2026-08-01", "2026-08-01T00:00:00", "9999-12-31T23:59:59-12:00", "yesterday", ""),
        *("0001-01-01T00:00:00+12:00", "2026-13-45T99:99:99Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"),
    ]
)
SCALARS: Mapping[str, st.SearchStrategy[object]] = {
    "Int": st.sampled_from([0, 1, 50, 5000, 2**31 - 1]),
    "Boolean": st.booleans(),
    "DateTime": DATES,
    "String": TEXTS,
    "URI": TEXTS,
}
HOSTILE: st.SearchStrategy[object] = (
    one_of(None, -1, 2**31, 2**63, -4000, 1e999, float("nan"), 0.5, "", [], {}, [None], [[]], {"": {}})
    | st.booleans()
    | TEXTS
    | DATES
)
DIGITS = one_of("0", "1", "5", "60", "digits", "-1", "1.5", "٣", "", "soon", "1787400000", "9999999999")
HTTP_DATES = one_of(
    *("Sat, 22 Aug 2026 12:00:00 GMT", "Sat, 22 Aug 2026 12:00:09 -0000", "Fri, 31 Dec 9999 23:59:59 -1200"),
    *("Mon, 01 Jan 0001 00:00:00 +2359", "Sat, 22 Aug 2026 12:00:00 +9999999999", "Sat, 99 Aug", "digits"),
)
HEADERS: st.SearchStrategy[dict[str, str]] = st.just(dict[str, str]()) | st.fixed_dictionaries(
    {},
    optional={
        "retry-after": DIGITS | HTTP_DATES,
        "x-ratelimit-remaining": DIGITS,
        "x-ratelimit-reset": DIGITS | HTTP_DATES,
        "date": HTTP_DATES,
        "content-type": one_of("application/json", "text/html; charset=none", "text", ""),
        "content-encoding": st.sampled_from(
            ["gzip", "identity", "br", "gzip, gzip", "x", "gzip, gzip, gzip, gzip, gzip, gzip"]
        ),
        "location": st.just("http://127.0.0.1:9/"),
    },
)
ERRORS = st.lists(
    st.fixed_dictionaries({}, optional={"type": HOSTILE | st.just("RATE_LIMITED"), "message": HOSTILE, "path": HOSTILE})
    | HOSTILE,
    max_size=2,
)


def graphql_bodies() -> st.SearchStrategy[Body]:
    """Make the response to a document of one search and of one repository, joined."""
    documents = (search_document(1), enrichment_document(1))
    fields = [field for document in documents for field in selected_fields(document, github_schema())]
    data = st.fixed_dictionaries({field.name: _value(field, field.type) for field in fields})
    return broken(st.fixed_dictionaries({"data": data}, optional={"errors": ERRORS}))


def _value(field: Selected, kind: GraphQLOutputType) -> st.SearchStrategy[object]:
    if not isinstance(kind, GraphQLNonNull):
        return st.none() | _value(field, GraphQLNonNull(kind))
    if isinstance(kind.of_type, GraphQLList):
        return st.lists(_value(field, kind.of_type.of_type), max_size=3)
    if field.fields:
        return st.fixed_dictionaries({inner.name: _value(inner, inner.type) for inner in field.fields})
    return NAMES if field.name == "nameWithOwner" else SCALARS[get_named_type(kind).name]


def rest_bodies() -> st.SearchStrategy[Body]:
    """Make the response to a search over REST."""
    fields: dict[str, st.SearchStrategy[object]] = {
        "full_name": NAMES,
        **dict.fromkeys(("description", "html_url", "homepage", "language"), TEXTS),
        **dict.fromkeys(("stargazers_count", "forks_count"), SCALARS["Int"]),
        **dict.fromkeys(("pushed_at", "created_at"), DATES),
        **dict.fromkeys(("archived", "fork"), SCALARS["Boolean"]),
        "topics": st.lists(TEXTS, max_size=3),
        "license": st.fixed_dictionaries({"spdx_id": st.none() | TEXTS}),
    }
    nullable = {name: st.none() | made if name in REST_NULLABLE else made for name, made in fields.items()}
    page = {
        "total_count": SCALARS["Int"],
        "incomplete_results": SCALARS["Boolean"],
        "items": st.lists(st.fixed_dictionaries(nullable), max_size=4),
    }
    return broken(st.fixed_dictionaries(page))


@st.composite
def broken(draw: st.DrawFn, bodies: st.SearchStrategy[Body]) -> Body:
    """Put hostile values at up to three places of a body, rarely at its root."""
    body = draw(bodies)
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2, 3]))):
        places = list(_places_of(body))
        if places:
            body = with_value(body, draw(st.sampled_from(places)), draw(HOSTILE))
    return draw(HOSTILE) if draw(st.integers(0, 99)) == 50 else body


def _places_of(value: Body, path: Path = ()) -> list[Path]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for name, child in children for place in ((*path, name), *_places_of(child, (*path, name)))]


def written(body: Body) -> bytes:
    """Write a body as JSON; what Python writes beyond that stays in it."""
    return json.dumps(body).encode()


WIRE_FAULTS: st.SearchStrategy[Callable[[bytes], bytes]] = st.sampled_from(
    [
        *[bytes] * 30,
        gzip.compress,
        lambda body: body[: len(body) // 2],
        lambda body: b"\xef\xbb\xbf" + body,
        lambda body: body + b"\xff",
        lambda _: b"[" * 20_000,
        lambda _: b'{"data":' * 500 + b"1" + b"}" * 500,
        lambda body: body.replace(b"{", b'{"a": 1, "a": 2, ', 1),
    ]
)
"""What happens to the bytes of a body; mostly nothing."""
