"""The equipment of the real doors: tied to their snapshots, and failing by the name of what is set wrong."""

from __future__ import annotations

from typing import Any

import pytest
from goldpan.engine.deadlines import WallClock
from goldpan.errors import Misconfigured
from snapshot_restore_py import get_after_restore, get_before_snapshot

from tests.support.factories import StillClock
from tests.unit.aws.doors import FUNCTIONS, Context, event, load

EVENTS = {"query_translator": "translate", "scout": "scout", "screener": "shortlist"}
SHARED = ("CACHE_TABLE", "BUDGET_TABLE")
TABLES = {"query_translator": SHARED, "scout": SHARED, "screener": (*SHARED, "POPULARITY_TABLE")}
ASK_A_MODEL = ("query_translator", "screener")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_door_ties_its_equipment_to_its_snapshot(function: str) -> None:
    """Lambda's own registry holds both hooks of a door, once."""
    before, after = len(get_before_snapshot()), len(get_after_restore())
    equipment = load(function).CONTAINER
    hooks: list[Any] = get_before_snapshot()[before:]
    assert [hook for hook, _, _ in hooks if getattr(hook, "__self__", None) is equipment] == [equipment.prime]
    restored: list[Any] = get_after_restore()[after:]
    assert [hook for hook, _, _ in restored if getattr(hook, "__self__", None) is equipment] == [equipment.renew]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_with_its_tables_alone_a_function_serves(function: str) -> None:
    """With nothing set but its tables every function has its ports: no model, and GitHub without a token."""
    equipment = load(function).CONTAINER
    equipment.prime()
    dependencies = equipment.dependencies()
    assert dependencies.llm is None
    assert [*dependencies.sources] == ["github"]
    assert dependencies.sources["github"].searches_a_question == 5


@pytest.mark.parametrize(("function", "table"), [(function, table) for function, of in TABLES.items() for table in of])
def test_a_missing_table_is_refused_by_name(function: str, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function without the name of one of its tables is never deployed, and never guesses it."""
    monkeypatch.delenv(table)
    with pytest.raises(Misconfigured, match=f"^{table}"):
        load(function).CONTAINER.prime()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_remembered_is_reached_by_whom_it_concerns(function: str) -> None:
    """All share the cache and the flights; only the one that assembles counts what is asked."""
    dependencies = load(function).CONTAINER.dependencies()
    assert dependencies.cache is not None
    assert dependencies.answers is not None
    assert (dependencies.popularity is not None) == (function == "screener")


@pytest.mark.parametrize("function", ASK_A_MODEL)
@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"LLM_BASE_URL": "https://llm.example.org/v1"}, "LLM_API_KEY"),
        ({"LLM_BASE_URL": "undefined"}, "LLM_BASE_URL"),
    ],
)
def test_half_a_model_is_refused_by_name(
    function: str, environment: dict[str, str], named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A function with a wrong setting fails before its snapshot and at its first call, and names the setting."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    app = load(function)
    with pytest.raises(Misconfigured, match=f"^{named}"):
        app.CONTAINER.prime()
    with pytest.raises(Misconfigured, match=f"^{named}"):
        app.handler(event(EVENTS[function]), Context())


@pytest.mark.parametrize("function", ["scout", "screener"])
def test_a_wrong_address_of_github_is_refused_by_name(function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address that is none is told by the name of its variable."""
    monkeypatch.setenv("GITHUB_API_URL", "undefined")
    with pytest.raises(Misconfigured, match=r"^GITHUB_API_URL"):
        load(function).handler(event(EVENTS[function]), Context())


def test_the_clock_of_the_ports_is_the_one_of_the_machine() -> None:
    """A function measures its deadlines by the real time."""
    assert isinstance(load("screener").CONTAINER.dependencies().clock, WallClock)
    assert not isinstance(load("screener").CONTAINER.dependencies().clock, StillClock)
