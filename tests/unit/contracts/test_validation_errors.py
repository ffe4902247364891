"""Messages for invalid requests: each names the field, what is allowed and what was given."""

import re
from itertools import product

import pytest
from goldpan.config import PipelineConfig
from goldpan.contracts import SearchRequest, parse_request
from goldpan.errors import InvalidRequest
from goldpan.kinds.repositories.constraints import Filters

BOTH = ["repositories", "papers"]
MINE = {"kinds": BOTH, "project_id": "thesis-2", "library_only": True}


def refusal(fields: object) -> str:
    """Return the message of an invalid request."""
    with pytest.raises(InvalidRequest) as refused:
        parse_request(fields)
    return str(refused.value)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"query": "   "}, "query: must have at least 1 character (given 0 characters)"),
        ({"query": None}, "query: must be a text (given null)"),
        ({"query": "x" * 501}, "query: must have at most 500 characters (given 501 characters)"),
        ({"query": "x" * 5001, "kinds": ["papers"]}, "query: must have at most 5000 characters (given 5001 characters"),
        ({"query": "\x00"}, "query: must have no control characters (given 1 character)"),
        ({"query": "\ud83d"}, "query: "),
        ({"mode": "medium"}, "mode: must be focused, balanced or exploratory (given 'medi"),
        ({"kinds": []}, "kinds: "),
        ({"max_results": None}, "max_results: must be a whole number (given null)"),
        ({"filters": True}, "filters: must be an object (given true)"),
        ({"kinds": ["videos"]}, "kinds: 'videos' is unknown; allowed: repositories"),
        ({"sources": []}, "sources: name at least one source"),
        ({"sources": ["gitlab"]}, "sources: 'gitlab' is unknown; allowed: github, catalogue"),
        ({"max_results": 26}, "max_results: must be at most 25 (given 26)"),
        ({"limit": 3}, "limit: unknown field (allowed: kinds, query, mode, "),
        ({"config": {"llm_prices": {"m": {"in": 3}}}}, "unknown field (allowed: input, output)"),
        ({"config": {"relevance_weight": 1e400}}, "config.relevance_weight: must be a finite number"),
        ({"config": {"dimension_weights": {"maturity": 0.4}}}, "the six weights must sum to 1, these sum to 1.2"),
        ({"sort": "age"}, "sort: 'age' is unknown; allowed: relevance, stars, pushed, overall (given 'age'"),
        ({"ignore": ["i"] * 31}, "ignore: must have at most 30 entries"),
        (
            {"filters": {"year_from": 3}},
            "filters.year_from: is a filter of papers, which kinds (--kind) does not name; allowed: language, ",
        ),
        ({"filters": {"min_stars": 9, "max_stars": 8}}, "filters: min_stars (9) is above max_stars (8)"),
        ({"filters": {"pushed_since": "soon"}}, "filters.pushed_since: must be a day such as 2026-01-31 (given 'soon'"),
        ({"filters": {"pushed_since": "3000-01-01"}}, "must be at most 2999-12-31 (given 3000-01-01)"),
        ({"filters": {"pushed_since": 1767225600}}, "filters.pushed_since: must be a day such as 2026-01-31 (given 17"),
        ({"filters": {"license": "MTI"}}, "filters.license: is unknown; allowed: an SPDX identifier such"),
        ({"filters": {"topics": ["a:b"]}}, "filters.topics.0: must have letters, digits, hyphens and spaces only"),
        ({"filters": {"language": 'a" stars:>1'}}, "filters.language: must be the name of a language as GitHub writes"),
        ({"filters": {"language": "pyhton"}}, "filters.language: is unknown; did you mean Python? (given 'pyhton')"),
        ({"filters": {"language": "Rubby"}}, "filters.language: is unknown; did you mean Ruby? (given 'Rubby')"),
        ({"filters": {"language": "Jython", "min_stars": -1}}, "filters.min_stars: must be at least 0"),
        ({"compare": ["a/b"]}, "compare: must be 2 to 4 different ones, not 1 (given ['a/b'])"),
        ({"compare": ["a/b", "A/B"]}, "compare: names A/B more than once; must be 2 to 4"),
        ({"compare": ["a/b", "c"]}, "compare: must be OWNER/NAME, such as pallets/flask, or the address of its page"),
        ({"compare": ["a/b", "c/d"], "kinds": BOTH}, "compare: is for a search of repositories"),
        ({"compare": "a/b", "query": ""}, "compare: must be a list (given 'a/b')"),
        ({"compare": [], "query": ""}, "query: must have at least 1 character"),
        ({"project_id": "a"}, "project_id: is for a search of papers, which kinds "),
        ({"library_only": True}, "library_only: is for a search of papers, which kinds "),
        ({"kinds": BOTH, "library_only": True}, "library_only: needs project_id"),
        ({**MINE, "sources": ["arxiv"]}, "library_only: searches the library alone, but sources names arxiv"),
        ({**MINE, "project_id": "My Papers"}, "project_id: must have 1 to 64 characters: lower-case letters, digits"),
        ({**MINE, "project_id": "a" * 65}, "project_id: must have 1 to 64 characters"),
    ],
)
def test_the_message_names_the_field_and_what_is_allowed(fields: dict[str, object], message: str) -> None:
    """One line says what to correct."""
    assert message in refusal({"query": "x", **fields})


def test_all_errors_are_reported_at_once_up_to_ten() -> None:
    """Long values are truncated, and the question is never repeated, so that a log of the message holds none."""
    assert (refusal({}), refusal("x")[:9]) == ("query: is required", "request: ")
    assert refusal({"query": "x", "mode": "high", "max_results": 99}).count(" (given ") == 2
    assert refusal({"query": "x", **{f"f{n}": 1 for n in range(13)}}).endswith("; and 3 more")
    assert len(refusal({"query": "x", "mode": "m" * 5000})) < 200
    assert "confidential" not in refusal({"query": "confidential " * 50})


@pytest.mark.parametrize(
    ("fields", "suggestion"),
    [
        ({"sources": ["githb"]}, "; did you mean github?"),
        ({"mode": "explorative"}, "focused, balanced or exploratory; did you mean exploratory?"),
        ({"max_result": 3}, "did you mean max_results?)"),
        ({"filters": {"min_star": 3}}, "did you mean min_stars?"),
        ({"filters": {"license": "apche-2.0"}}, "did you mean Apache-2.0?"),
    ],
)
def test_a_misspelt_value_or_field_gets_the_nearest_one_suggested(fields: dict[str, object], suggestion: str) -> None:
    """What is nothing like an allowed value gets none: GitLab is not GitHub."""
    assert suggestion in refusal({"query": "x", **fields})
    assert "did you mean" not in refusal({"query": "x", "sources": ["gitlab"], "mode": "fast"})


def test_no_message_has_the_words_of_the_validation_library() -> None:
    """Each wrong type of each field is described in plain words."""
    wrong: list[object] = [None, [], {}, "x", "", 1.5, -1, 10**9, True, [[1]], {"a": []}, float("nan")]
    fields = [*SearchRequest.model_fields, *(f"config.{name}" for name in PipelineConfig.model_fields)]
    fields += [f"filters.{name}" for name in Filters.model_fields]
    for field, value in product(fields, wrong):
        group, _, name = field.rpartition(".")
        request = {"query": "x", **({group: {name: value}} if group else {name: value})}
        try:
            parse_request(request)
        except InvalidRequest as error:
            assert not re.search("Input|String should|valid (string|integer|dict|bool)|instance of", str(error))  # noqa: PT017
