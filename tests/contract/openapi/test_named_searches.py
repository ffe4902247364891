"""`/compare` and `/like`: the searches that name repositories, in the contract and through the gateway."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goldpan.contracts import SearchRequest, parse_request
from goldpan.kinds.repositories.named_requests import NOT_FOR_LIKE, CompareRequest, like_fields, parse_compare_request
from goldpan_local.server.contract import public_contract

from tests.contract.openapi.contract import CONTRACT, SCHEMAS, as_imported
from tests.contract.openapi.gateway import start_search
from tests.contract.openapi.test_gateway import HOSTILE

REPOS = ["pmndrs/react-spring", "formkit/auto-animate"]


def test_the_requests_are_those_of_the_library() -> None:
    """A comparison has the fields of its model, likeness those of a search that it can have, in the same form."""
    assert set(SCHEMAS["CompareRequest"]["properties"]) == set(CompareRequest.model_fields)
    liked = dict(SCHEMAS["LikeRequest"]["properties"])
    del liked["repo"]
    assert set(liked) == set(SearchRequest.model_fields) - NOT_FOR_LIKE
    searched = SCHEMAS["SearchRequest"]["properties"]
    assert all(liked[name] == searched[name] for name in set(liked) - {"sort", "sources"})


def test_the_server_describes_both_and_their_examples_are_searches() -> None:
    """Each has the responses of a search, and an example that the library accepts."""
    paths = public_contract()["paths"]
    for path, parse in (("/compare", parse_compare_request), ("/like", like_fields)):
        operation = paths[path]["post"]
        assert operation["responses"].keys() == paths["/search"]["post"]["responses"].keys()
        assert parse(CONTRACT["x-searches"][path]["example"]["value"])


@pytest.mark.parametrize("query", [None, "", "React animation", *(text for text in HOSTILE if text.isprintable())])
def test_a_comparison_means_the_same_on_aws_and_on_one_machine(query: str | None) -> None:
    """With a question of any text, with an empty one, and without one."""
    for body in ({"repos": REPOS, "query": query}, {"query": query, "repos": REPOS}, {"repos": REPOS}):
        assert as_imported("CompareRequest").is_valid(body)
        request = start_search("/compare", json.dumps(body))["request"]
        assert parse_request(request) == parse_compare_request(body)


def test_a_likeness_means_the_same_on_aws_and_on_one_machine() -> None:
    """Every field arrives in its type, and none beside them; what is no name of a repository stays one text."""
    body: dict[str, Any] = {"repo": REPOS[0], "max_results": 3, "filters": {"language": "C'#", "exclude": []}}
    body |= {"sources": None, "ignore": [], "config": {"max_candidates": 20}, "sort": "stars"}
    request = start_search("/like", json.dumps(body))["request"]
    assert parse_request(request) == parse_request(like_fields(body))
    for text in HOSTILE:
        request = start_search("/like", json.dumps({"repo": text}))["request"]
        assert request == {"query": f"like {text}" if text else ""}
