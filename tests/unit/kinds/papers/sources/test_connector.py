"""Sources are made from the environment: a missing key is named, and a plan needs no connection."""

import pytest
from goldpan.engine.dependencies import Connections
from goldpan.errors import Misconfigured
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.papers.ports import PaperSource
from goldpan.kinds.papers.sources.connector import CONNECTOR, ENTRIES, CachedSource, identity
from goldpan.kinds.papers.sources.settings import PaperSettings

from tests.support.factories import StillClock
from tests.support.memory_stores import MemoryCache, MemoryRateLimiter

KEYS = {"OPENALEX_API_KEY": "a", "SEMANTIC_SCHOLAR_API_KEY": "b", "SERPAPI_API_KEY": "c"}


def connect(name: str, environment: dict[str, str]) -> PaperSource:
    """Make one source, without a cache."""
    clock = StillClock()
    connections = Connections(HttpClient, MemoryRateLimiter(clock), None, clock)
    settings = PaperSettings.from_environment(environment)
    found: PaperSource = CONNECTOR.connect([name, "library"], settings, connections)[name]
    return found


@pytest.mark.parametrize("environment", [{}, KEYS])
@pytest.mark.parametrize("name", ENTRIES)
def test_a_planned_source_is_as_the_real_one(name: str, environment: dict[str, str]) -> None:
    """Both allow the same queries, need the same key, and look papers up or not."""
    planned, real = CONNECTOR.plan(environment)[name], connect(name, environment)
    assert planned.plan == real.plan


def test_a_key_in_a_parameter_is_a_key() -> None:
    """On AWS the function that plans has the name of the parameter alone."""
    planned = CONNECTOR.plan({"OPENALEX_API_KEY_PARAMETER": "/goldpan/openalex", "SERPAPI_API_KEY": " "})
    missing = {name: source.plan.missing_key for name, source in planned.items()}
    assert (missing["openalex"], missing["serpapi"], missing["crossref"]) == (None, "SERPAPI_API_KEY", None)


def test_a_cache_is_used_where_there_is_one() -> None:
    """Each address and each key has entries of its own, which do not reveal the key."""
    clock = StillClock()
    connections = Connections(HttpClient, MemoryRateLimiter(clock), MemoryCache(clock), clock)
    made = CONNECTOR.connect(["crossref"], PaperSettings(), connections)
    assert isinstance(made["crossref"], CachedSource)
    environments: tuple[dict[str, str], ...] = (
        {},
        {"OPENALEX_API_KEY": "secret"},
        {"OPENALEX_URL": "https://proxy.example.org"},
    )
    names = [identity("openalex", PaperSettings.from_environment(each)) for each in environments]
    assert len(set(names)) == 3
    assert "secret" not in "".join(names)


@pytest.mark.parametrize("name", ENTRIES)
def test_an_address_without_a_path_gets_the_usual_one(name: str) -> None:
    """As the host of a mirror alone is written; any other path stays."""
    usual, field = getattr(PaperSettings(), f"{name}_url"), f"{name}_url"
    host = usual[: usual.index("/", len("https://"))] if usual.count("/") > 2 else usual
    given = [host, f"{host}/", "https://mirror.example.org/own"]
    read = [getattr(PaperSettings.from_environment({field.upper(): each}), field) for each in given]
    assert [each.rstrip("/") for each in read] == [usual, usual, given[2]]


@pytest.mark.parametrize("mailto", ["no address", "a@b\r\nx: y", "<a@b>", "ä@example.org"])
def test_an_address_that_cannot_be_sent_is_refused_by_name(mailto: str) -> None:
    """It is part of a header."""
    with pytest.raises(Misconfigured, match="CROSSREF_MAILTO"):
        PaperSettings.from_environment({"CROSSREF_MAILTO": mailto})
