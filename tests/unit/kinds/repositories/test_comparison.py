"""Comparing named repositories, and searching for what is like one, through all stages."""

import pytest
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import InvalidRequest, SourcesFailed, Unreachable
from goldpan.kinds.answer import Answer

from tests.support.factories import ListedSource, QueuedModel, StillClock, repository, request, run

SPRING = repository("a/spring", description="React animation library", topics=("react", "animation"), stars=900)
TABLE = repository("b/table", description="A table for spreadsheets", license="GPL-3.0", stars=3, archived=True)
MOTION = repository("c/motion", description="React animation and gestures", topics=("react", "animation"), stars=700)


def source() -> ListedSource:
    """Three repositories, one of which had another name."""
    made = ListedSource([SPRING, TABLE, MOTION])
    made.renamed = {"old/motion": "c/motion"}
    return made


OFFLINE = Dependencies(StillClock(), {"github": ListedSource(failure=Unreachable("no network")), "catalogue": source()})


def ask(made: ListedSource, model: QueuedModel | None = None, **fields: object) -> Answer:
    """Search over a source."""
    return run(request(**fields), Dependencies(clock=StillClock(), sources={"github": made}, llm=model))


def names(answer: Answer) -> list[str]:
    """List the results."""
    return [each.repo for each in answer.repositories.results]


def test_without_a_question_they_stand_as_named_and_no_rule_drops_one() -> None:
    """An archived repository of three stars is compared, in full; no model is asked what fits nothing."""
    model = QueuedModel()
    compared = {"query": "", "compare": ["b/table", "C/motion", "a/spring"], "max_results": 1}
    answer = ask(source(), model, **compared, config={"shortlist_size": 1})
    assert (names(answer), answer.repositories.shortlisted) == (["b/table", "c/motion", "a/spring"], 3)
    assert (answer.query, answer.interpretation) == ("b/table, C/motion, a/spring", ())
    table = answer.repositories.results[0]
    assert (table.relevance, len(table.radar_chart_data), table.scores.overall is None) == (1, 6, False)
    assert "Archived: read-only at GitHub." in table.caveats
    assert (answer.usage.llm_calls, answer.errors, answer.warnings) == (0, (), ())
    assert [row.query for row in answer.sources] == ["b/table | C/motion | a/spring"]


def test_a_question_orders_them_and_what_it_excludes_has_a_caveat() -> None:
    """The least relevant one is not cut, and that of another licence not dropped."""
    answer = ask(source(), query="React animation library, MIT, no spreadsheets", compare=["b/table", "a/spring"])
    assert names(answer) == ["a/spring", "b/table"]
    first, last = answer.repositories.results
    assert first.relevance > 5 * last.relevance
    said = "Not what was asked for: licence GPL-3.0, spreadsheets."
    assert [said in one.caveats for one in (first, last)] == [False, True]


def test_one_that_is_missing_or_renamed_is_named_and_the_others_answer() -> None:
    """By the name asked for and the new one, under which it is left out of what is to be like it."""
    answer = ask(source(), query="", compare=["no/such", "old/motion", "a/spring"])
    assert names(answer) == ["c/motion", "a/spring"]
    assert "old/motion is now c/motion." in answer.warnings
    missing = "no/such was not found: github has none of that name that may be read here"
    assert [error.error for error in answer.errors] == [missing]
    answer = ask(source(), query="like old/motion")
    assert (names(answer), answer.repositories.nothing_fits) == (["a/spring"], False)
    assert "old/motion is now c/motion." in answer.warnings
    assert any(warning.startswith("c/motion itself is left out") for warning in answer.warnings)
    assert [part.value for part in answer.interpretation] == ["like old/motion"]


def test_the_catalogue_compares_where_github_cannot_be_reached() -> None:
    """The answer says what was asked instead."""
    asked = request(query="", compare=["a/spring", "no/such"])
    answer = run(asked, OFFLINE, sources=("github", "catalogue"))
    assert names(answer) == ["a/spring"]
    assert "asked the catalogue instead" in answer.warnings[0]
    assert "github could not say (no network)" in answer.errors[0].error


def test_a_repository_that_does_not_exist_has_nothing_like_it() -> None:
    """The question alone is refused if every source could say so; one with other words is searched for all the same."""
    with pytest.raises(InvalidRequest, match="repo: no/such was not found: github has none of that name"):
        ask(source(), query="like no/such")
    with pytest.raises(SourcesFailed, match=r"^no/such was not found: catalogue has none .*github could not say"):
        run(request(query="like no/such"), OFFLINE, sources=("github", "catalogue"))
    assert "a/spring" in names(ask(source(), query="React animation library like ../such"))


@pytest.mark.parametrize("query", ["github.com/b/table/issues?q=x", "actions/runner"])
def test_an_address_is_looked_up(query: str) -> None:
    """No rule drops what is named, and the answer says so; a slash between usual words makes no address."""
    made = source()
    made.renamed["actions/runner"] = "b/table"
    answer = ask(made, query=query)
    assert names(answer) == ["b/table"]
    assert "b/table was looked up by its name; \u201clike b/table\u201d finds others." in answer.warnings
    assert not any("finds others" in each for each in ask(made, query="github.com/no/such").warnings)
    assert {row.strategy for row in answer.sources} == {"named"}
    for words in ("react/animation", "UI/UX"):
        assert {row.strategy for row in ask(made, query=words).sources} > {"stars"}
