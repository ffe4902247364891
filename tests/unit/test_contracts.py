"""The request and the answer: what is taken, what is refused, and in which words."""

from __future__ import annotations

import json

import pytest
from goldpan.contracts import Answer, SearchRequest, Usage, parse_request
from goldpan.errors import InvalidRequest
from goldpan.kinds.repositories.state import SearchState
from pydantic import ValidationError

from tests.support.factories import NOW


def test_a_question_alone_is_a_request() -> None:
    """Everything but the question has its documented default."""
    given = parse_request({"query": "  React animation library "})
    assert given.query == "React animation library"
    assert (given.kinds, given.mode, given.sources) == (("repositories",), "balanced", None)
    assert (given.max_results, given.max_seconds, given.max_llm_calls) == (10, 25, 40)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "query"),
        ({"query": "   "}, "query"),
        ({"query": "x" * 501}, "query"),
        ({"query": "a\x00b"}, "control characters"),
        ({"query": "a\nb"}, "control characters"),
        ({"query": "x", "mode": "medium"}, "'focused', 'balanced' or 'exploratory'"),
        ({"query": "x", "mode": "low"}, "mode"),
        ({"query": "x", "kinds": []}, "kinds"),
        ({"query": "x", "kinds": ["videos"]}, "'repositories' or 'papers'"),
        ({"query": "x", "sources": []}, "sources"),
        ({"query": "x", "sources": ["gitlab"]}, "gitlab"),
        ({"query": "x", "max_results": 26}, "less than or equal to 25"),
        ({"query": "x", "max_results": 0}, "max_results"),
        ({"query": "x", "max_seconds": 28}, "less than or equal to 27"),
        ({"query": "x", "max_seconds": 4}, "greater than or equal to 5"),
        ({"query": "x", "max_llm_calls": 61}, "less than or equal to 60"),
        ({"query": "x", "limit": 3}, "limit: unknown field (allowed: query, kinds"),
        ({"query": "x", "config": {"llm_prices": {"m": {"in": 3}}}}, "unknown field (allowed: input, output)"),
        ({"query": "x", "config": {"llm_prices": {"m": {"input": 1e400, "output": 1}}}}, "finite number"),
        ({"query": "x", "config": {"min_stars": 3}}, "config.min_stars: unknown field (allowed: coarse_filter"),
        ({"query": "x", "config": {"dimension_weights": {"maturity": 0.9}}}, "sum to 1"),
        ("x", "request"),
    ],
)
def test_what_is_wrong_is_named(fields: object, said: str) -> None:
    """A refusal names the field, what is allowed and what was given."""
    with pytest.raises(InvalidRequest) as refused:
        parse_request(fields)
    assert said in str(refused.value)
    assert "given" in str(refused.value) or "allowed" in str(refused.value)


def test_all_that_is_wrong_is_said_at_once() -> None:
    """Two bad fields are two complaints."""
    with pytest.raises(InvalidRequest, match=r"mode: .*max_results: "):
        parse_request({"query": "x", "mode": "high", "max_results": 99})


def test_bounds_belong_to_what_is_allowed() -> None:
    """The longest question and the outermost numbers pass."""
    given = parse_request({"query": "x" * 500, "max_results": 25, "max_seconds": 5, "max_llm_calls": 0})
    assert given.max_llm_calls == 0


def test_repeats_in_a_list_are_one() -> None:
    """A source that is named twice is asked once."""
    assert parse_request({"query": "x", "sources": ["github", "github"]}).sources == ("github",)


def test_values_do_not_change() -> None:
    """Contracts are frozen."""
    with pytest.raises(ValidationError):
        parse_request({"query": "x"}).query = "y"


def test_the_state_has_the_eight_fields() -> None:
    """The pipeline's state is the documented one."""
    assert list(SearchState.model_fields) == [
        "user_query", "search_mode", "search_params", "candidate_repos",
        "coarse_filtered_repos", "top_repos", "execution_time", "errors",
    ]  # fmt: skip


def test_usages_add_up() -> None:
    """Costs of calls are summed field by field."""
    one = Usage(llm_calls=1, input_tokens=10, output_tokens=2, cost_usd=0.1)
    assert one + one == Usage(llm_calls=2, input_tokens=20, output_tokens=4, cost_usd=0.2)


def test_times_are_rfc_3339() -> None:
    """A written answer has its time in UTC, as RFC 3339."""
    written = json.loads(Answer(query="x", mode="balanced", answered_at=NOW).model_dump_json())
    assert written["answered_at"] == "2026-08-22T12:00:00Z"


def test_the_request_survives_json() -> None:
    """What was parsed can be written and parsed again, as between two functions."""
    given = parse_request({"query": "x", "sources": ["github"], "config": {"coarse_filter": {"min_stars": None}}})
    assert SearchRequest.model_validate_json(given.model_dump_json()) == given
