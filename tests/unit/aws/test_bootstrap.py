"""The dependencies that each deployed function gets from its environment."""

from collections.abc import Callable, Mapping

import pytest
from goldpan.aws.bootstrap import scout_dependencies, screener_dependencies, translator_dependencies
from goldpan.aws.container import Container
from goldpan.aws.events import LimitedEvent
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import Misconfigured
from goldpan.infra.llm.spending import LimitedModel
from goldpan.kind_table import KINDS

from tests.support import toy_kind
from tests.unit.aws.conftest import ENVIRONMENT

PAPERS = ("openalex", "crossref", "arxiv", "semantic_scholar", "europe_pmc", "serpapi")
Make = Callable[[Mapping[str, str]], Dependencies]
EVERY = pytest.mark.parametrize("make", [translator_dependencies, scout_dependencies, screener_dependencies])


@EVERY
def test_table_names_are_enough(make: Make) -> None:
    """Without a secret there is no model, GitHub is queried without a token, and two sources of papers are skipped."""
    dependencies = make(ENVIRONMENT)
    assert dependencies.llm is None
    assert dependencies.sources["github"].searches_a_question == 5
    missing = dict.fromkeys(PAPERS) | {"openalex": "OPENALEX_API_KEY", "serpapi": "SERPAPI_API_KEY"}
    assert {name: dependencies.sources[name].plan.missing_key for name in PAPERS} == missing
    assert (dependencies.popularity is not None) == (make is screener_dependencies)


@pytest.mark.parametrize("make", [translator_dependencies, screener_dependencies])
def test_no_call_of_a_model_goes_uncounted(make: Make) -> None:
    """Both functions that ask the language model get one that the daily limit stops."""
    assert isinstance(make(ENVIRONMENT | {"DEEPSEEK_API_KEY": "sk-of-a-test"}).llm, LimitedModel)


@EVERY
def test_a_missing_table_is_refused_by_name(make: Make) -> None:
    """No default takes its place, and an empty one is missing."""
    for name in ("CACHE_TABLE", "BUDGET_TABLE", *(["POPULARITY_TABLE"] if make is screener_dependencies else [])):
        with pytest.raises(Misconfigured, match=f"^{name}: "):
            make(ENVIRONMENT | {name: " "})


def test_warm_ups_have_sources_of_their_own() -> None:
    """These are made with a limiter that takes a share of every limit."""
    container = Container(lambda _: scout_dependencies(ENVIRONMENT))
    warm_up = LimitedEvent(stage="scout", daily_cost_limit=5, refresh=True)
    assert container.dependencies(warm_up).sources["github"] is not container.dependencies().sources["github"]
    own = scout_dependencies(ENVIRONMENT | {"LIBRARY_BUCKET": "libraries"})
    for sources in (own.sources, own.warm_up_sources):
        assert ([*sources], len(sources)) == (["github", "catalogue", *PAPERS, "library"], 9)


def test_the_screener_alone_reads_for_analyses_and_its_secrets_when_one_is_asked_for() -> None:
    """A wrong setting then fails that request, by name, and no search."""
    assert not scout_dependencies(ENVIRONMENT).readers
    assert screener_dependencies(ENVIRONMENT).readers["repositories"]()
    wrong = screener_dependencies(ENVIRONMENT | {"OSV_URL": "undefined"}).readers["repositories"]
    with pytest.raises(Misconfigured, match=r"^OSV_URL"):
        wrong()


@EVERY
def test_a_further_kind_brings_its_own_sources(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line in the registry is enough."""
    monkeypatch.setitem(KINDS, toy_kind.NAME, toy_kind.MODULE)
    names = [name for name in make(ENVIRONMENT).sources if name != "library"]
    assert names == ["github", "catalogue", *PAPERS, "toy_box"]
