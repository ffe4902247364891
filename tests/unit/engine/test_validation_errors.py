"""Messages for invalid requests: each names the field, what is allowed and what was given."""

from __future__ import annotations

import pytest
from goldpan.contracts import parse_request
from goldpan.errors import InvalidRequest


def refusal(fields: object) -> str:
    """Return the message of an invalid request."""
    with pytest.raises(InvalidRequest) as refused:
        parse_request(fields)
    return str(refused.value)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "query: Field required"),
        ({"query": "   "}, "query: String should have at least 1 character (given 0 characters)"),
        ({"query": "x" * 501}, "query: String should have at most 500 characters (given 501 characters)"),
        ({"query": "a\x00b"}, "query: control characters are not allowed"),
        ({"query": "\ud83d"}, "query: "),
        ({"query": "x", "mode": "medium"}, "mode: Input should be 'focused', 'balanced' or 'exploratory' (given 'medi"),
        ({"query": "x", "kinds": []}, "kinds: "),
        ({"query": "x", "kinds": ["videos"]}, "kinds: 'videos' is unknown; allowed: repositories"),
        ({"query": "x", "sources": []}, "sources: name at least one source"),
        ({"query": "x", "sources": ["gitlab"]}, "sources: 'gitlab' is unknown; allowed: github, catalogue"),
        ({"query": "x", "max_results": 26}, "max_results: Input should be less than or equal to 25 (given 26)"),
        ({"query": "x", "max_seconds": 4}, "max_seconds: Input should be greater than or equal to 5 (given 4)"),
        ({"query": "x", "max_llm_calls": 61}, "max_llm_calls: Input should be less than or equal to 60"),
        ({"query": "x", "limit": 3}, "limit: unknown field (allowed: query, kinds, mode, "),
        ({"query": "x", "config": {"min_stars": 3}}, "config.min_stars: unknown field (allowed: coarse_filter, "),
        ({"query": "x", "config": {"llm_prices": {"m": {"in": 3}}}}, "unknown field (allowed: input, output)"),
        ({"query": "x", "config": {"llm_prices": {"m": {"input": 1e400, "output": 1}}}}, "finite number"),
        ({"query": "x", "config": {"dimension_weights": {"maturity": 0.9}}}, "the six weights must sum to 1"),
        (
            {"query": "x", "sort": "age"},
            "sort: 'age' is unknown; allowed: relevance, stars, pushed, overall (given 'age'",
        ),
        ({"query": "x", "ignore": ["i" * 121]}, "ignore.0: String should have at most 120 characters"),
        ({"query": "x", "ignore": ["i"] * 31}, "ignore: Tuple should have at most 30 items"),
        ({"query": "x", "filters": [1]}, "filters: Input should be a valid dictionary"),
        ({"query": "x", "filters": {"year_from": 3}}, "filters.year_from: is unknown; allowed: language, license, "),
        ({"query": "x", "filters": {"min_stars": -1}}, "filters.min_stars: Input should be greater than or equal to 0"),
        ({"query": "x", "filters": {"min_stars": 9, "max_stars": 8}}, "filters: min_stars (9) is above max_stars (8)"),
        ({"query": "x", "filters": {"pushed_since": "soon"}}, "filters.pushed_since: Input should be a valid date"),
        ({"query": "x", "filters": {"pushed_since": 1700}}, "filters.pushed_since: must be a date such as 2025-01-31"),
        (
            {"query": "x", "filters": {"license": "MTI"}},
            "filters.license: is unknown; allowed: an SPDX identifier such",
        ),
        ({"query": "x", "filters": {"topics": ["a:b"]}}, "filters.topics.0: String should match pattern"),
        ({"query": "x", "filters": {"language": 'a" stars:>1'}}, "filters.language: String should match pattern"),
        ("x", "request: "),
    ],
)
def test_the_message_names_the_field_and_what_is_allowed(fields: object, message: str) -> None:
    """One line says what to correct."""
    assert message in refusal(fields)


def test_all_errors_are_reported_at_once_up_to_ten() -> None:
    """Long values are truncated, and the question is never repeated, so that a log of the message holds none."""
    assert refusal({"query": "x", "mode": "high", "max_results": 99}).count(" (given ") == 2
    assert refusal({"query": "x", **{f"f{n}": 1 for n in range(13)}}).endswith("; and 3 more")
    assert len(refusal({"query": "x", "mode": "m" * 5000})) < 200
    assert "confidential" not in refusal({"query": "confidential " * 50})
