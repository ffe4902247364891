"""The query language of the loopback GitHub: what words and qualifiers find, as its documentation says."""

from __future__ import annotations

import pytest

from tests.integration.loopback.asking import names, rest
from tests.support.loopback import LoopbackGitHub

pytestmark = pytest.mark.enable_socket


def test_words_narrow(github: LoopbackGitHub) -> None:
    """Each further word leaves a subset."""
    fewer, more = names(github, "react animation lottie"), names(github, "react animation")
    assert fewer == ["react-lottie-player"]
    assert set(fewer) < set(more) < set(names(github, "animation"))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("forest", {"PyForest"}),
        ("PYFOREST", {"PyForest"}),
        ("schema graphql", {"graphqlSchemaTools"}),
        ("anim", {"react-anim-lite"}),
        ("ai", set()),
        ('"animation library for React"', {"motion-kit", "spring-ui-next"}),
        ('"React library animation"', set()),
        ("动画", {"dongxiao"}),
        ("обучение", {"mashinnoe-obuchenie"}),
        ("c++", {"cpp-json", "linq-extra"}),
        ("lottie OR haskell", {"react-lottie-player", "ledger-cli-tools"}),
        ("rust web NOT framework NOT topic:rust", set()),
        ("react NOT animation NOT hooks", {"react-form-wizard"}),
    ],
)
def test_tokens(github: LoopbackGitHub, query: str, found: set[str]) -> None:
    """Whole tokens match in any script and any case, phrases only in their order."""
    assert set(names(github, f"{query} fork:true")) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("react language:javascript stars:<=4100 stars:>310", ["react-page-transitions"]),
        ("stars:>=200000", ["everything-handbook"]),
        ("stars:3", ["small-hooks"]),
        ("stars:*..27", ["react-anim-lite", "small-hooks", "empty"]),
        ("stars:44000..*", ["everything-handbook", "gradient-lab", "awesome-animations"]),
        ("topic:vue", ["vue-motion-presets"]),
        ('language:"jupyter notebook"', ["ml-notebooks"]),
        ("language:csharp", ["dotnet.actors", "linq-extra"]),
        ("language:zig language:swift", ["swift-charts-extra", "zig-allocators"]),
        ("pushed:<2019-01-01", ["rust-web-legacy"]),
        ("pushed:2026-08-22..2026-08-22", ["everything-handbook"]),
        ("forks:>=20000", ["everything-handbook"]),
        ("animation archived:true", ["react-motion-classic"]),
        ("spring fork:only", ["spring-ui-next", "spring-ui"]),
        ("animation -language:typescript -topic:react -language:svelte archived:false stars:<1000",
         ["tiny-tween", "animation-notes"]),
        ("curated in:name", []),
        ("booster overall in:readme", ["score-booster"]),
        ("is:private", []),
        ("stars:many", []),
    ],
)  # fmt: skip
def test_qualifiers(github: LoopbackGitHub, query: str, found: list[str]) -> None:
    """Qualifiers filter by their property."""
    assert names(github, query, sort="stars") == found


def test_license_qualifier(github: LoopbackGitHub) -> None:
    """A licence is asked for by its key."""
    licenses = {item["license"]["spdx_id"] for item in rest(github, "license:apache-2.0").json()["items"]}
    assert licenses == {"Apache-2.0"}


def test_forks_stay_out_unless_asked(github: LoopbackGitHub) -> None:
    """Only `fork:true` shows forks beside their sources."""
    assert "spring-ui-next" not in names(github, "spring")
    assert {"spring-ui", "spring-ui-next"} <= set(names(github, "spring fork:true"))


@pytest.mark.parametrize(("sort", "key"), [("stars", "stargazers_count"), ("updated", "updated_at")])
def test_sorting(github: LoopbackGitHub, sort: str, key: str) -> None:
    """Results come in the order asked for, by the parameter or inside the query."""
    values = [item[key] for item in rest(github, "animation", sort=sort, order="asc").json()["items"]]
    assert values == sorted(values)
    assert names(github, f"animation sort:{sort}") == names(github, "animation", sort=sort)


@pytest.mark.parametrize("query", ["x" * 257, "a OR b OR c OR d OR e OR f OR g"])
def test_refused_queries(github: LoopbackGitHub, query: str) -> None:
    """A query too long or with too many operators is a validation error."""
    answer = rest(github, query)
    assert answer.status_code == 422
    assert answer.json()["message"] == "Validation Failed"
    assert answer.json()["errors"][0]["code"] == "invalid"


@pytest.mark.parametrize("query", ["", "  "])
def test_missing_query(github: LoopbackGitHub, query: str) -> None:
    """A search for nothing is a validation error."""
    assert rest(github, query).json()["errors"][0]["code"] == "missing"
