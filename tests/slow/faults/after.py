"""What must hold after a search, mostly of the next one."""

import json
from dataclasses import replace

from goldpan.local import entry_points as library

from tests.slow.faults.world import Seen, World


def is_blocked(world: World, _: Seen) -> None:
    """The next search sends GitHub no request before its time, and reports that time again."""
    again = world.search()
    assert (again.status, again.github_calls) == (429, 0)
    assert again.retry_after


def recovers(world: World, _: Seen) -> None:
    """The next search is answered completely, once the upstream works again."""
    world.github.clear_faults()
    world.llm.clear_faults()
    again = world.search()
    assert {row["status"] for row in again.body["sources"]} == {"ok"}
    assert again.body["errors"] == []


def as_without_a_model(world: World, seen: Seen) -> None:
    """The section is that of a search without a language model."""
    without = replace(world.runtime, dependencies=replace(world.runtime.dependencies, llm=None))
    answer = library.search(world.request(), runtime=without)
    assert seen.body["repositories"] == json.loads(answer.to_json())["repositories"]


def is_cached(world: World, seen: Seen) -> None:
    """The answer is not an older one, and the next search finds it."""
    again = world.search()
    assert (seen.body["cached"], again.body["cached"], again.github_calls) == (False, True, 0)


def is_not_cached(_: World, seen: Seen) -> None:
    """The answer is not an older one."""
    assert seen.body["cached"] is False
