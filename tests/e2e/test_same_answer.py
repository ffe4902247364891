"""Searches that are answered: the state machine answers as `pipeline.search` does, times aside."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from goldpan.errors import CallFailed, RateLimited, TimedOut, Unavailable

from tests.e2e.comparison import Searched, Stack
from tests.e2e.fakes import QUESTION, Fakes, Judge, Shelf, repositories

LATER = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)


def statuses(searched: Searched) -> dict[str, str]:
    """Give the status of each strategy."""
    return {row.strategy: row.status for row in searched.answer.sources}


def shown(searched: Searched) -> list[str]:
    """Name the results."""
    section = searched.answer.repositories
    assert section is not None
    return [result.name for result in section.results]


def over(shelf: Callable[[], Shelf]) -> Callable[[], Fakes]:
    """Search over this source, without a language model."""
    return lambda: Fakes({"github": shelf()}, llm=None)


def test_a_search_with_a_language_model(stack: Stack) -> None:
    """Where all goes well, the asker has repositories that the model judged, one call a candidate."""
    searched = stack.same()
    section = searched.answer.repositories
    assert section is not None
    assert {result.basis for result in section.results} == {"llm"}
    assert searched.answer.usage.llm_calls == 1 + 5
    assert not searched.answer.warnings
    assert not searched.answer.errors
    stages = {"translate": 1, "scout": 3, "shortlist": 1, "score": 5, "rank": 1, "assemble": 1}
    assert searched.calls == {"begin": 1} | stages


def test_a_search_of_the_usual_size(stack: Stack) -> None:
    """With a hundred candidates, 25 are judged and ten are shown, at 33 calls of functions."""
    searched = stack.same(lambda: Fakes({"github": Shelf(repositories(90))}))
    assert len(shown(searched)) == 10
    assert sum(searched.calls.values()) == 33


def test_a_search_without_a_key(stack: Stack) -> None:
    """Without a language model the rules order the results, and a warning says so."""
    searched = stack.same(lambda: Fakes(llm=None))
    section = searched.answer.repositories
    assert section is not None
    assert {result.basis for result in section.results} == {"rules"}
    assert searched.answer.warnings[0].startswith("No language model is configured")


@pytest.mark.parametrize(
    ("failure", "status"),
    [
        (Unavailable("github answered 502"), "unavailable"),
        (TimedOut("github did not answer in time"), "timeout"),
        (RateLimited("github is over its limit", LATER), "rate_limited"),
    ],
)
def test_one_strategy_fails(stack: Stack, failure: CallFailed, status: str) -> None:
    """Where one strategy fails, its row says why, and the others bring their results."""
    searched = stack.same(over(lambda: Shelf(fails={"recency": failure})))
    assert statuses(searched) == {"stars": "ok", "recency": status, "expanded": "ok"}
    assert len(shown(searched)) == 5


def test_a_limit_names_its_end(stack: Stack) -> None:
    """A strategy that is over its limit says when it may be asked again."""
    searched = stack.same(over(lambda: Shelf(fails={"stars": RateLimited("over its limit", LATER)})))
    assert [row.retry_at for row in searched.answer.sources] == [LATER, None, None]


def test_nothing_is_found(stack: Stack) -> None:
    """Where the sources answer and hold nothing, the answer is empty and says so; no source looks failed."""
    searched = stack.same(lambda: Fakes({"github": Shelf([])}))
    assert shown(searched) == []
    assert set(statuses(searched).values()) == {"empty"}
    assert "score" not in searched.calls


def test_no_candidate_survives(stack: Stack) -> None:
    """Where the coarse rules drop all that was found, the answer counts it and shows none."""
    searched = stack.same(lambda: Fakes({"github": Shelf(repositories(4, archived=True))}))
    section = searched.answer.repositories
    assert section is not None
    assert (section.total_candidates, section.shortlisted) == (4, 0)


def test_further_facts_that_cannot_be_had(stack: Stack) -> None:
    """Where GitHub refuses the further facts, the answer rests on what the search told, and an error says so."""
    searched = stack.same(lambda: Fakes({"github": Shelf(fails={"enrich": Unavailable("github answered 502")})}))
    assert [error.stage for error in searched.answer.errors] == ["shortlist"]
    assert len(shown(searched)) == 5


def test_what_a_source_has_to_say_of_itself(stack: Stack) -> None:
    """The notice of a source that was used is a warning of the answer."""
    searched = stack.same(over(lambda: Shelf(notice="GITHUB_TOKEN is not set.")))
    assert "GITHUB_TOKEN is not set." in searched.answer.warnings


def test_sources_that_are_not_configured(stack: Stack) -> None:
    """A source that is named and not configured is a skipped row beside the others."""
    searched = stack.same(over(Shelf), sources=["github", "openalex"])
    assert {row.source: row.status for row in searched.answer.sources} == {"github": "ok", "openalex": "skipped"}


def test_settings_of_the_request(stack: Stack) -> None:
    """What a request sets is heeded: strategies, sizes, weights, prices."""
    config = {
        "strategy_weights": {"recency": 0},
        "coarse_filter": {"min_stars": 8500, "pushed_within_months": None},
        "target_seconds": None,
        "shortlist_size": 4,
        "relevance_weight": 0.5,
        "readme_chars": 0,
        "llm_prices": {"deepseek-flash": {"input": 1, "output": 2}},
    }
    searched = stack.same(config=config, mode="exploratory", max_results=2, max_seconds=20)
    assert statuses(searched).keys() == {"stars", "expanded"}
    assert searched.calls["score"] == 4
    assert len(shown(searched)) == 2
    assert searched.answer.mode == "exploratory"
    assert searched.answer.usage.cost_usd == pytest.approx(5 * 0.0012)


def test_text_in_any_script(stack: Stack) -> None:
    """Letters of any script, signs and line ends come through as they are."""
    strange = 'アニメーション — “anime” \\ "quoted" \u2028 é 🎬 for React animation'

    def fakes() -> Fakes:
        judge = Judge(judges=lambda name: {"relevance": 0.5, "reasoning": f"{strange} {name}", "quote": ""})
        return Fakes({"github": Shelf(repositories(3, description=strange))}, judge)

    section = stack.same_of(fakes, {"query": f"{QUESTION} アニメーション 🎬"}).answer.repositories
    assert section is not None
    assert {result.description for result in section.results} == {strange}
