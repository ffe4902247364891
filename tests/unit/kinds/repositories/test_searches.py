"""A question becomes search parameters by rules, and these the searches of each strategy."""

from collections.abc import Iterable
from datetime import date
from itertools import chain

import pytest
from goldpan.config import PipelineConfig
from goldpan.kinds.repositories.models import RepositorySearch, ScoutTask, StarRange
from goldpan.kinds.repositories.ports import PlanningSource, render
from goldpan.kinds.repositories.searches import divide_searches, expanded_queries, lookups, plan_tasks, subject_queries

from tests.support.factories import params as params_of

TODAY = date(2026, 8, 22)
LONG = "Rust state management charts animation parser crates tool"


def planned(question: str, limit: int = 15, **config: object) -> tuple[ScoutTask, ...]:
    """Plan the searches of a question at one source."""
    sources, given = {"github": PlanningSource(limit)}, PipelineConfig.model_validate(config)
    return plan_tasks(params_of(question, "exploratory"), sources, given, TODAY)


def searches(tasks: Iterable[ScoutTask], strategy: str | None = None) -> list[RepositorySearch]:
    """List the searches of one strategy, or of all."""
    return list(chain.from_iterable(task.searches for task in tasks if strategy in (None, task.strategy)))


def written(queries: Iterable[RepositorySearch]) -> list[str]:
    """Write queries as a person would type them."""
    return [
        " ".join((*query.words, *([f"language:{query.language}"] if query.language else []),
                  *(f"topic:{topic}" for topic in query.topics)))
        for query in queries
    ]  # fmt: skip


def test_a_question_with_a_platform_is_planned_so() -> None:
    """Both subjects, the most significant one, and the expanded keywords; "library" says too little."""
    tasks = planned("React animation library")
    assert {task.strategy: written(task.searches) for task in tasks} == {
        "stars": ["react animation", "animation"],
        "recency": ["react animation", "animation"],
        "expanded": [
            "react motion", "react transitions", "react tween", "react lottie", "react rn animation",
            "react spring", "react gesture", "react parallax", "animation",
        ],
    }  # fmt: skip
    assert [search.sort for search in searches(tasks)] == ["stars"] * 2 + ["updated"] * 2 + ["best_match"] * 9
    topics = (params_of(question).topics for question in ("React parser", "topic:cli parser", "language:c++"))
    assert [*topics] == [(), ("cli",), ("cpp",)]  # of a language alone there is nothing else to search for


def test_the_most_significant_subjects_are_searched_for_together_and_alone() -> None:
    """With a neighbour first, of which both may be one name; never many words, of which hardly anything has all."""
    asked = params_of("keep dotfiles in sync across macs and servers without fuss")
    assert written(subject_queries(asked))[:4] == ["dotfiles sync", "dotfiles", "dotfiles macs", "dotfiles sync macs"]
    photos = params_of("self hosted photo server with face recognition")
    assert written(subject_queries(photos))[:2] == ["face recognition", "face"]


def test_a_platform_goes_with_the_subjects_and_not_alone() -> None:
    """In its best language, then by its name; at last without it. Of rivals each is asked for, a language first."""
    params = params_of("Rust state management crates tool", "balanced")
    assert written(subject_queries(params)) == [
        "state management crates language:Rust", "rust state management crates", "crates language:Rust", "rust crates",
        "state management language:Rust", "rust state management", "state management crates",
    ]  # fmt: skip
    params = params.model_copy(update={"expanded_keywords": ("store", "flux")})
    assert written(expanded_queries(params))[:5] == [
        "store language:Rust", "flux language:Rust", "state management crates", "rust state management crates",
        "rust store",
    ]  # fmt: skip
    expected = {
        "Android charts": ["charts language:Kotlin", "android charts", "charts"],
        "orm for Node.js in TypeScript": ["orm nodejs language:TypeScript", "orm nodejs typescript", "orm"],
        "parser in C or C++": ["parser language:C", "parser language:C++", "parser c"],
        "React or Vue date picker": ["vue date picker", "react date picker", "date picker"],
    }
    assert {one: written(subject_queries(params_of(one, "focused")))[:3] for one in expected} == expected


@pytest.mark.parametrize(("limit", "counts"), [(15, [2, 2, 9]), (5, [2, 1, 2]), (2, [1, 1]), (1, [1])])
def test_searches_are_divided_by_the_shares(limit: int, counts: list[int]) -> None:
    """Five to two to eight, as far as there are so many; every strategy has one."""
    tasks = planned("React animation library", limit)
    assert [task.strategy for task in tasks] == ["stars", "recency", "expanded"][: len(counts)]
    assert [len(task.searches) for task in tasks] == counts


def test_each_source_has_its_own_limit() -> None:
    """At most 15 searches, fewer where it or the configuration says so; one is kept, an unused share goes to others."""
    params = params_of(LONG, "exploratory")
    tasks = plan_tasks(params, {"github": PlanningSource(5), "catalogue": PlanningSource(99)}, PipelineConfig(), TODAY)
    counts = [len(searches(task for task in tasks if task.source == name)) for name in ("github", "catalogue")]
    assert counts == [5, 15]
    assert len(searches(planned(LONG, max_searches=4))) == 4
    plans = (planned(f"{LONG} since 2022", limit) for limit in (15, 5, 1))
    assert [len(searches(tasks)) for tasks in plans] == [14, 4, 1]
    assert divide_searches({"stars": 2, "recency": 9, "expanded": 9}, 15) == {"stars": 2, "recency": 4, "expanded": 9}


def test_the_range_and_the_year_of_the_question_apply_to_every_search() -> None:
    """Without a range the configured minimum applies, which can be switched off."""
    every = searches(planned("new React animation library since 2022"))
    ranges = {(search.sort == "stars", search.stars, search.created_after) for search in every}
    day = date(2022, 1, 1)
    assert ranges == {(True, StarRange(min=10, max=1000), day), (False, StarRange(min=10), day)}
    assert {search.stars for search in searches(planned("React parser"))} == {StarRange(min=50)}
    off = planned("React parser", coarse_filter={"min_stars": None})
    assert {search.stars for search in searches(off)} == {StarRange()}


@pytest.mark.parametrize(
    ("limits", "sent"),
    [
        ("under AGPL", {"license:agpl-3.0"}),
        ("license:agpl-3.0-or-later", {"license:agpl-3.0"}),
        ("MIT or Apache-2.0", set()),
        ("created before 2015", {"created:<=2014-12-31"}),
    ],
)
def test_one_licence_and_the_days_of_the_question_are_sent(limits: str, sent: set[str]) -> None:
    """Else a hundred results may have none that meets them. GitHub cannot search for one of several licences."""
    for search in searches(planned(f"feature flag server {limits}")):
        assert {word for word in render(search).split() if word.startswith(("license:", "created:"))} == sent


def test_a_demanded_language_limits_every_search() -> None:
    """A platform has none of its own beside it, and its name stays a word."""
    for question in ("python linter written in Rust", "linter topic:cli language:rust", "language:rust"):
        assert {search.language for search in searches(planned(question))} == {"Rust"}
    assert searches(planned("python linter written in Rust"))[0].words == ("python", "linter")


def test_recency_asks_for_recent_pushes() -> None:
    """Within the configured months of 30 days; 12 if that rule is off."""
    for months, day in ((2, date(2026, 6, 23)), (None, date(2025, 8, 27))):
        every = searches(planned("React animation library", coarse_filter={"pushed_within_months": months}))
        assert {(search.sort == "updated", search.pushed_after) for search in every} == {(True, day), (False, None)}


def test_a_likeness_keeps_to_the_limit_of_the_source() -> None:
    """Also without a token, with five searches a question: some are planned, the rest follow its facts, six at most."""
    one = (1, 0)
    for limit, counts in {1: [one], 3: [one, one], 5: [one, one, (1, 2)], 15: [one, one, (4, 6)]}.items():
        tasks = planned("alternative to Jest for React", limit)
        assert [(len(task.searches), task.further_searches) for task in tasks] == counts
    several = params_of("React parser").model_copy(update={"likes": ("a/one", "b/two", "c/three")})
    assert written(lookups(several)) == ["one", "two"]


def test_a_question_becomes_search_parameters() -> None:
    """Its words and their synonyms, language and topics, also as words; a known product becomes what it is."""
    found = params_of("popular Rust libraries for state management since 2022")
    assert found.keywords == ("rust", "libraries", "state management")
    assert found.expanded_keywords == ("store", "redux", "flux")
    assert (found.language, found.star_range, found.created_after) == ("Rust", StarRange(min=1000), date(2022, 1, 1))
    found = params_of("Dropbox replacement I can run on my own server")
    assert found.keywords == ("self hosted", "file sync sharing cloud storage")
    assert found.meaning == "self hosted file sync sharing cloud storage"
    assert params_of("alternative to Splitwise").expanded_keywords[0] == "expense splitting"
    assert params_of("alternative to Frobnicator").keywords == ()
    found = params_of("topic:message-queue dashboard -topic:game")
    assert (found.keywords, found.topics) == (("message queue", "dashboard"), ("message-queue",))
