"""Searches with an answer: the state machine returns the answer of the pipeline, times aside."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from goldpan.errors import RateLimited
from goldpan.infra.dynamodb_table import open_tables
from goldpan.infra.llm.spending import LimitedModel

from tests.e2e.comparison import BUDGET, CachedStack, Searched, Stack
from tests.support.search_fakes import QUESTION, Fakes, FakeSource, JudgingModel, repositories
from tests.support.simulated_aws import REGION

LATER = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)


def over(source: Callable[[], FakeSource]) -> Callable[[], Fakes]:
    """Search this source, without a language model."""
    return lambda: Fakes({"github": source()}, llm=None)


def bases(searched: Searched) -> list[str]:
    """Return the basis of each result, in the order of the names."""
    return [result.basis for _, result in sorted(searched.results.items())]


def test_a_search_with_a_language_model(stack: Stack) -> None:
    """Of ninety candidates 25 are scored, as the answer says, and ten returned, with 33 calls of functions."""
    searched = stack.same(lambda: Fakes({"github": FakeSource(repositories(90))}))
    assert bases(searched) == ["llm"] * 10
    assert searched.answer.usage.llm_calls == 1 + 25
    asked = "The language model was asked about the best 25 repositories; rules order the 65 after them."
    assert (searched.answer.warnings, searched.answer.errors) == ((asked,), ())
    once = dict.fromkeys(("begin", "translate", "shortlist", "rank", "assemble"), 1)
    assert searched.calls == once | {"scout": 3, "score": 25}


def test_a_search_without_a_model(stack: Stack) -> None:
    """The rules order the results, a warning says so, and the notice of the source is a warning too."""
    searched = stack.same(over(lambda: FakeSource(notice="GITHUB_TOKEN is not set.")))
    assert bases(searched) == ["rules"] * 5
    assert searched.answer.warnings[0].startswith("No language model is configured")
    assert "GITHUB_TOKEN is not set." in searched.answer.warnings


@pytest.mark.parametrize("query", ["", QUESTION])
def test_a_comparison(stack: Stack, query: str) -> None:
    """One look-up, and all named repositories on a page; one that is missing is an error, and costs no other."""
    names = ["example-org/motion-03", "example-org/none", "example-org/motion-01"]
    searched = stack.same(lambda: Fakes({"github": FakeSource()}), query=query, compare=names, max_results=1)
    assert list(searched.results) == (["motion-01", "motion-03"] if query else ["motion-03", "motion-01"])
    assert [error.error[:16] for error in searched.answer.errors] == ["example-org/none"]
    assert searched.calls["scout"] == 1


def test_one_strategy_fails(stack: Stack) -> None:
    """Its row says why, and when to come back; the others have results."""
    limited = RateLimited("github is over its limit", LATER)
    searched = stack.same(over(lambda: FakeSource(failures={"recency": limited})))
    assert searched.statuses == {"stars": "ok", "recency": "rate_limited", "expanded": "ok"}
    assert searched.answer.sources[1].retry_at == LATER
    assert len(searched.results) == 5


def test_nothing_is_found(stack: Stack) -> None:
    """The answer is empty and no source looks failed."""
    searched = stack.same(lambda: Fakes({"github": FakeSource([])}))
    assert searched.results == {}
    assert set(searched.statuses.values()) == {"empty"}
    assert "score" not in searched.calls


def test_scoring_stops_at_its_target(stack: Stack) -> None:
    """The call under way at `target_seconds` is counted; the later candidates are scored by the rules."""
    model = JudgingModel(too_slow=lambda name: name.endswith("1"))  # the fourth: the even ones were found more often
    searched = stack.same(
        lambda: Fakes({"github": FakeSource(repositories(6))}, model),
        config={"target_seconds": 3, "llm_concurrency": 1},
    )
    assert bases(searched) == ["llm", "rules"] * 3
    late = {"the language model did not answer in time", "the time for scoring was up (2 times)"}
    assert {error.error for error in searched.answer.errors} == late
    assert len(searched.answer.errors) == len(late)
    assert searched.answer.usage.llm_calls == 1 + 4


LIMIT = "the day's limit of 5 US dollars for the language model is reached"


def limited(cached_stack: CachedStack) -> tuple[Fakes, list[str], Callable[[int], None]]:
    """Return a model with a limit, what it counts, and what sets the dollars that were spent today."""
    counted, fakes = list[str](), cached_stack.fakes(sources={"github": FakeSource(repositories(3))})
    [table] = open_tables(BUDGET, region_name=REGION)
    fakes.llm = LimitedModel(JudgingModel(), table, fakes.clock, counted.append)
    day = {"S": f"spending#{fakes.clock.now():%Y-%m-%d}"}

    def spend(dollars: int) -> None:
        item = {"pk": day, "spent": {"N": f"{dollars}000000"}}
        cached_stack.client.put_item(TableName=BUDGET, Item=item)

    return fakes, counted, spend


def test_a_warm_up_beyond_its_share_leaves_the_answer_of_a_client(cached_stack: CachedStack) -> None:
    """What rules answer in its place is not cached, and it raises no alarm: clients still ask the model."""
    fakes, counted, spend = limited(cached_stack)
    cached_stack.search(fakes)
    spend(2)
    fakes.clock.wait(60)
    assert cached_stack.search(fakes, refresh=True).calls["score"] == 3
    after = cached_stack.search(fakes)
    assert (after.answer.cached, bases(after)) == (True, ["llm"] * 3)
    assert set(counted) == {"WarmUpStopped"}


def test_beyond_the_limit_rules_answer_with_a_warning(cached_stack: CachedStack) -> None:
    """All candidates are found and ordered; prices that a request sets do not move the limit."""
    fakes, counted, spend = limited(cached_stack)
    spend(5)
    free = {"llm_prices": {"deepseek-flash": {"input": 0, "output": 0}}}
    answer = cached_stack.search(fakes, config=free).answer
    assert [result.basis for result in answer.repositories.results] == ["rules"] * 3
    assert (
        f"The language model did not translate the question ({LIMIT}); it was translated by rules." in answer.warnings
    )
    assert "3 of 3 repositories were ordered by rules: the language model did not judge them." in answer.warnings
    assert [error.error for error in answer.errors] == [LIMIT]
    assert (answer.usage.llm_calls, counted) == (0, ["LlmStopped"] * 4)
