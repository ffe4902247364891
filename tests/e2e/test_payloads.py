"""Step Functions carries 256 KiB between states, and an overflow cannot be caught: every value of a search fits."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.e2e.cached_stack import CACHE, CachedStack
from tests.e2e.comparison import Searched, Stack
from tests.support.handlers import HANDLERS
from tests.support.hostile import ONE_TO_EIGHTEEN, SOURCES, HostileModel, HostileSource, filled, strange_words
from tests.support.lambda_service import PlatformFailure
from tests.support.search_fakes import QUESTION, Fakes

LIMIT = 262_144
CONFIG = {"shortlist_size": 40, "readme_chars": 4000, "max_enriched": 60, "max_candidates": 100, "llm_concurrency": 40}
PRICES = {filled("水", 98) + str(number): {"input": 1.5, "output": 2.5} for number in range(10)}
WORDS = strange_words(8)
GROWING = [filled(ONE_TO_EIGHTEEN, 57) + f"x{number:02}" for number in range(32)]


def largest(config: Mapping[str, Any] | None = None, **fields: object) -> dict[str, Any]:
    """Make a request for as much as it may ask."""
    usual = {"query": QUESTION, "mode": "exploratory", "max_results": 25, "max_llm_calls": 60, "max_seconds": 6}
    return {**usual, **fields, "config": {**CONFIG, **(config or {})}}


@dataclass(frozen=True)
class Case:
    """A search whose values are as large as possible."""

    request: Mapping[str, Any]
    source: HostileSource = field(default_factory=HostileSource)
    model: HostileModel | None = None


LARGEST_KEY = largest({"llm_prices": PRICES, "shortlist_size": 1}, query=filled("水", 500) + filled("\u3000", 7600))
"""The largest request of which a key is made: nearly 10,000 characters, most of them of three bytes."""
NOT = " ".join(f"-{filled('水', 9)}{number}" for number in range(30))
FILTERS = {
    "language": "TypeScript",
    "license": "permissive",
    "min_stars": 0,
    "max_stars": 10_000_000,
    "pushed_since": "2000-01-01",
    "created_since": "2000-01-01",
    "topics": [f"{number}" + "x" * 49 for number in range(10)],
    "exclude": [filled("水", 48) + f"{number:02}" for number in range(10)],
}
"""All filters, as long as they may be; no topic is known of the repositories, so that they are unverified."""
CASES: dict[str, Case] = {
    "every filter, and a question of exclusions": Case(
        largest(query=f"react {NOT}"[:499], filters=FILTERS, ignore=[filled("水", 118) + f"{n:02}" for n in range(30)]),
        HostileSource(unit="水", name=80, topics=0),
        HostileModel("水"),
    ),
    "every shortlisted repository beside its outcome": Case(
        largest(), HostileSource(unit="水", name=80, readme=filled("a", 1000), entries=0, topics=0), HostileModel("水")
    ),
    "evidence of long words, and a model that fails with many words": Case(
        largest(query=" ".join(WORDS)),
        HostileSource(readme=" ".join(WORDS), entries=0, topics=0),
        HostileModel("水", WORDS, failure=filled("\x01", 160)),
    ),
    "keywords that grow by normalisation": Case(
        largest(sources=SOURCES), model=HostileModel(keywords=GROWING[:12], expanded=GROWING[12:])
    ),
    "quotes everywhere": Case(largest(), HostileSource(unit='"', topics=20, entries=200), HostileModel('"')),
    "control characters everywhere": Case(largest(), HostileSource(unit="\x01", entries=200), HostileModel("\x01")),
    "long names": Case(largest(), HostileSource(name=3000)),
    "long facts": Case(largest(), HostileSource(unit="𠮷", fact=1000)),
    "a failure for every repository": Case(largest(), HostileSource(unit="𠮷", failures=2000)),
    "blanks around the question": Case(largest(query=QUESTION + " " * 100_000)),
    "the largest request that has a key": Case(LARGEST_KEY, HostileSource(unit="水"), HostileModel("水")),
}


def search(stack: Stack, case: Case) -> Searched:
    """Search with new fakes."""
    sources = dict.fromkeys(case.request.get("sources") or ["github"], case.source)
    return stack.execute(Fakes(sources, case.model), {"request": case.request})


@pytest.mark.parametrize("name", CASES)
def test_the_largest_values_fit(stack: Stack, name: str) -> None:
    """The search has results, each with its reason."""
    results = search(stack, CASES[name]).answer.sections["repositories"].results
    assert results
    assert all(result.reasoning for result in results)


def test_these_values_are_large(stack: Stack) -> None:
    """Values near the limit are reached, batches are truncated to it, and the rows say so."""
    searched = search(stack, CASES["quotes everywhere"])
    assert max(payload.size for payload in searched.execution.payloads) > 180_000
    assert all(row.kept < row.fetched for row in searched.answer.sources)
    too_large = search(stack, Case(largest(), HostileSource(description=80_000, found=4)))
    assert {row.status for row in too_large.answer.sources} == {"truncated"}


@pytest.mark.parametrize("unit", ['"', "水"])
def test_the_largest_cached_answer_fits(cached_stack: CachedStack, unit: str) -> None:
    """An answer of 160 KiB, the largest that is cached, is returned beside the largest request."""
    cached_stack.stack.execute(cached_stack.fakes(), {"request": LARGEST_KEY})
    [item] = cached_stack.answers()
    head, tail = '{"query":"', '","cached":true,"answered_at":""}'
    text = head + filled(unit, (163_840 - 100) // len(json.dumps(unit, ensure_ascii=False)[1:-1].encode())) + tail
    later = (datetime.now(UTC) + timedelta(hours=1)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    cached_stack.client.put_item(TableName=CACHE, Item=item | {"text": {"S": text}, "fresh_until_time": {"S": later}})
    machine = cached_stack.stack.machine
    execution = machine.run({"request": LARGEST_KEY})
    assert execution.output["body"] == text
    assert not execution.oversized()


@pytest.mark.parametrize(
    ("stage", "status"), [("translate", 500), ("scout", 500), ("shortlist", 500), ("score", 200), ("rank", 500)]
)
def test_a_failing_stage_leaves_its_state_small_enough(stack: Stack, stage: str, status: int) -> None:
    """The message and the stack trace of an error, 32 kB with its escapes, fit beside all that its state holds."""
    failure = PlatformFailure(HANDLERS[stage], "RuntimeError", where={"stage": stage}, message=filled("𠮷", 2600))
    case = CASES["every filter, and a question of exclusions"]
    fakes = Fakes({"github": case.source}, case.model)
    searched = stack.execute(fakes, {"request": case.request}, failure)
    assert searched.response.statusCode == status
    assert stage == "score" or ("sources" in searched.problem) == (stage != "translate")
