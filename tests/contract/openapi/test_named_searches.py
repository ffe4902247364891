"""`/compare` and `/like`: the searches that name repositories, in the contract and through the gateway."""

import json
from typing import Any

import pytest
from goldpan.contracts import parse_request
from goldpan.kinds.repositories.named_requests import like_fields, parse_compare_request

from tests.contract.openapi.contract import as_imported
from tests.contract.openapi.gateway import execution_input
from tests.contract.openapi.test_gateway import HOSTILE

REPOS = ["pmndrs/react-spring", "formkit/auto-animate"]


@pytest.mark.parametrize("query", [None, "", "React animation", *(text for text in HOSTILE if text.isprintable())])
def test_a_comparison_means_the_same_on_aws_and_on_one_machine(query: str | None) -> None:
    """With a question of any text, with an empty one, and without one."""
    for body in ({"repos": REPOS, "query": query}, {"query": query, "repos": REPOS}, {"repos": REPOS}):
        assert as_imported("CompareRequest").is_valid(body)
        request = execution_input("/compare", json.dumps(body))["request"]
        assert parse_request(request) == parse_compare_request(body)


def test_a_likeness_means_the_same_on_aws_and_on_one_machine() -> None:
    """Every field arrives in its type, and none beside them; what is no name of a repository stays one text."""
    body: dict[str, Any] = {"repo": REPOS[0], "max_results": 3, "filters": {"language": "C'#", "exclude": []}}
    body |= {"sources": None, "ignore": [], "config": {"max_candidates": 20}, "sort": "stars"}
    request = execution_input("/like", json.dumps(body))["request"]
    assert parse_request(request) == parse_request(like_fields(body))
    for text in HOSTILE:
        request = execution_input("/like", json.dumps({"repo": text}))["request"]
        assert request == {"query": f"like {text}" if text else ""}
