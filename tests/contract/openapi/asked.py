"""Requests made up for the comparison of the contract with the library: right ones, and near misses of every kind.

Left out is what the two take differently on purpose; each such case has a test of its own.
"""

from __future__ import annotations

from typing import Any, get_args

from goldpan.contracts import Kind, Mode, Source
from hypothesis import strategies as st

Strategy = st.SearchStrategy[Any]
WORDS = st.text("abc", min_size=1, max_size=3)
"""No digits, no `nan`, `inf`, `true` or `yes`: pydantic would read a value in them."""
WRONG: Strategy = st.sampled_from([None, "abc", [], ["abc"], {}])
"""One strategy, so that it has one share only beside right values."""
BLANKS = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"
LETTERS = "aZ9'\"$#\\/\u00e9\u65e5\U0001f600\u200b\ufeff\U0010ffff"
DIMENSIONS = ("maturity", "activity", "documentation", "community", "ease_of_use", "maintenance")


def whole(least: int, most: int) -> Strategy:
    """Whole numbers on both sides of both bounds."""
    return st.integers(least, most) | st.sampled_from([least - 1, least, most, most + 1]) | WRONG


def number(least: float, most: float) -> Strategy:
    """Numbers on both sides of both bounds."""
    return st.floats(least, most) | st.sampled_from([least - 0.01, least, most, most + 0.01]) | WRONG


def switch() -> Strategy:
    """Yes, no, null, and what is none of them."""
    return st.booleans() | WRONG


def names(of: object) -> Strategy:
    """Lists of names, also empty, repeated and unknown ones."""
    known = get_args(of)
    return st.lists(st.sampled_from(known), max_size=3) | st.lists(st.sampled_from([*known, "x"]), max_size=3) | WRONG


def one_of(fields: dict[str, Strategy]) -> Strategy:
    """Objects with one of the fields, or with one that nobody knows."""
    known = [st.fixed_dictionaries({name: values}) for name, values in fields.items()]
    return st.one_of(st.just({"unknown": 1}), *known)


@st.composite
def question(draw: st.DrawFn) -> str:
    """Questions around both bounds of their length, between blanks of all kinds, now and then with a control."""
    letters = LETTERS + draw(st.sampled_from(["", " ", BLANKS, "\x00\x7f\x9f"]))
    core = draw(st.text(letters, max_size=5)) * draw(st.sampled_from([1, 1, 100, 99, 125, 167, 250, 500]))
    return draw(st.text(BLANKS, max_size=3)) + core + draw(st.text(BLANKS, max_size=3))


SHARES = st.permutations([0.5, 0.2, 0.1, 0.1, 0.1, 0.0]).map(lambda shares: dict(zip(DIMENSIONS, shares, strict=True)))
OFF = st.sampled_from([-0.1, 1.1, 2]) | WRONG
PRICE = st.fixed_dictionaries({}, optional={"input": number(0, 9), "output": number(0, 9)}) | WRONG
COARSE = {
    "min_stars": whole(0, 9),
    "pushed_within_months": whole(1, 9),
    "require_readme": switch(),
    "max_age_years": whole(1, 9),
    "exclude_archived": switch(),
    "exclude_trivial_forks": switch(),
}
STRATEGIES = {"stars": number(0.01, 1), "recency": number(0, 1), "expanded": number(0, 1)}
CONFIG = {
    "coarse_filter": one_of(COARSE) | WRONG,
    "dimension_weights": SHARES | st.builds(lambda shares, off: {**shares, "activity": off}, SHARES, OFF) | WRONG,
    "strategy_weights": one_of(STRATEGIES) | WRONG,
    "max_searches": whole(1, 15),
    "max_candidates": whole(10, 100),
    "max_enriched": whole(1, 60),
    "shortlist_size": whole(1, 40),
    "readme_chars": whole(0, 4000),
    "relevance_weight": number(0.5, 1),
    "llm_timeout_seconds": number(0, 20),
    "target_seconds": number(2, 27),
    "llm_concurrency": whole(1, 40),
    "llm_prices": st.dictionaries(WORDS, st.just({"input": 1, "output": 2.5}), max_size=12)
    | PRICE.map(lambda price: {"any-model": price})
    | WRONG,
}
FIELDS = {
    "query": question() | WRONG,
    "kinds": names(Kind),
    "mode": st.sampled_from(get_args(Mode)) | WRONG,
    "max_results": whole(1, 25),
    "max_seconds": whole(5, 27),
    "max_llm_calls": whole(0, 60),
    "sources": names(Source),
    "config": one_of(CONFIG) | one_of(CONFIG) | one_of(CONFIG) | WRONG,
}
RIGHT = st.fixed_dictionaries(
    {"query": st.just("Rust web framework")},
    optional={
        "kinds": st.lists(st.sampled_from(get_args(Kind)), min_size=1, max_size=2),
        "mode": st.sampled_from(get_args(Mode)),
        "max_results": st.integers(1, 25),
        "sources": st.none() | st.lists(st.sampled_from(get_args(Source)), min_size=1, max_size=3),
        "config": st.just({}) | st.just({"coarse_filter": {"min_stars": None}, "target_seconds": None}),
    },
)
REQUESTS: Strategy = st.builds(lambda right, field: {**right, **field}, RIGHT, one_of(FIELDS) | st.just({}))
"""Right in all but one place: a request that is wrong in several says nothing of each."""
ANYTHING: Strategy = st.fixed_dictionaries({}, optional=FIELDS) | WRONG | st.integers() | st.text()
"""Whatever else a body may hold."""
