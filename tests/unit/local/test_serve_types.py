"""The server takes the requests that the contract takes, and no others."""

from __future__ import annotations

import json
from typing import Any

from goldpan.config import PipelineConfig
from goldpan.contracts import SearchRequest
from goldpan.errors import InvalidRequest
from goldpan_local.serve.request_body import parse_body
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.openapi.contract import as_written

WRITTEN = as_written("SearchRequest")
VALUES: list[Any] = [
    *(None, True, False, 0, 1, 5, 10, 25, 27, 60, 61, -1, 10.0, 0.5, 1.5, 1e300, 10**30),
    *(
        "",
        " ",
        "10",
        "true",
        "x",
        " x\u3000",
        "balanced",
        "medium",
        "repositories",
        "github",
        "a\tb",
        "🎉" * 500,
        "x" * 501,
    ),
    *([], ["repositories"], ["repositories", "papers"], ["github", "catalogue"], ["gitlab"], [1], [None], [["github"]]),
    *({}, {"min_stars": None}, {"min_stars": "5"}, {"require_readme": 1}, {"exclude_archived": None}, {"stars": 1}),
    *({"maturity": 0.2}, {"m": {"input": 1, "output": 2.5}}, {"m": {"input": "1", "output": 2}}, {"m": {"input": 1}}),
]
"""Right for one field or another, and wrong for all others."""
CONFIG = st.fixed_dictionaries({}, optional={name: st.sampled_from(VALUES) for name in PipelineConfig.model_fields})
FIELDS = st.fixed_dictionaries(
    {"query": st.sampled_from(["x", "x", "x", *VALUES])},
    optional={name: st.sampled_from(VALUES) for name in (*SearchRequest.model_fields, "refresh") if name != "query"},
)
REQUESTS = FIELDS | st.builds(lambda config: {"query": "x", "config": config}, CONFIG) | st.sampled_from(VALUES)
ONE_FIELD = st.sampled_from(list(SearchRequest.model_fields)).flatmap(
    lambda name: st.sampled_from(VALUES).map(lambda value: {"query": "x", name: value})
)
ONE_SETTING = st.sampled_from(list(PipelineConfig.model_fields)).flatmap(
    lambda name: st.sampled_from(VALUES).map(lambda value: {"query": "x", "config": {name: value}})
)


@given(REQUESTS | ONE_FIELD | ONE_SETTING)
@settings(max_examples=500, deadline=None)
def test_what_the_contract_takes_is_what_the_server_takes(request: Any) -> None:
    """A body is a request if and only if it is valid by the contract."""
    try:
        taken = bool(parse_body(json.dumps(request).encode()))
    except InvalidRequest:
        taken = False
    assert taken == WRITTEN.is_valid(request)
