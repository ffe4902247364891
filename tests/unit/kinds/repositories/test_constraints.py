"""What a question or a filter says holds or stands first, and the answer says how it was read and what was dropped."""

from datetime import timedelta
from typing import Any

import pytest
from goldpan.errors import InvalidRequest
from goldpan.kinds.answer import Answer
from goldpan.kinds.repositories.models import Repository
from goldpan_local.presentations import groups, presentation
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import NOW, ListedSource, QueuedModel, answer, repository

FACTS: dict[str, tuple[Any, Any, Any]] = {
    "language": ("Rust", "Go", None),
    "license": ("MIT", "GPL-3.0", None),
    "stars": (500, 9000, None),
    "topics": (("cli",), ("web",), ()),
    "description": ("A parser", "A parser for jQuery", "Parser that needs no jQuery"),
    "pushed_at": (NOW, NOW - timedelta(days=300), None),
    "created_at": (NOW, NOW - timedelta(days=900), None),
}
"""Of each fact, what meets the limits, what breaks them, and what leaves them open."""
WORDS = "Rust parser license:mit stars:300..700 topic:cli without jQuery"
FILTERS = {"language": "rust", "license": "MIT", "min_stars": 300, "max_stars": 700, "topics": ["CLI"],
           "exclude": ["jQuery"], "pushed_since": "2026-05-01", "created_since": "2025-01-01"}  # fmt: skip


def search(found: list[Repository], query: str, **fields: Any) -> Answer:
    """Search a list of repositories."""
    return answer(ListedSource(found), query=query, **{"max_results": 25, **fields})


@settings(max_examples=25)
@given(
    st.lists(st.fixed_dictionaries({name: st.sampled_from(values) for name, values in FACTS.items()}), max_size=12),
    st.sampled_from([(WORDS, {}, 5), ("Go parser, at least 2000 stars", FILTERS, 7)]),
    st.sampled_from([QueuedModel(), None]),
)
def test_no_known_fact_of_a_result_breaks_a_constraint_or_filter(
    facts: list[dict[str, Any]], asked: tuple[str, dict[str, Any], int], model: QueuedModel | None
) -> None:
    """A filter wins over the question; all that is dropped is counted, and unverified results are the last."""
    query, filters, limited = asked
    found = [repository(f"example-org/parser-{n}", **each) for n, each in enumerate(facts)]
    section = answer(ListedSource(found), model, query=query, filters=filters, max_results=25).repositories
    shown = [facts[int(item.repo.rpartition("-")[2])] for item in (*section.results, *section.weaker)]
    assert not [name for each in shown for name in [*FACTS][:limited] if each[name] == FACTS[name][1]]
    assert len(shown) + sum(section.dropped.values()) == len(found)
    unverified = [bool(item.unverified) for item in section.results]
    assert unverified == sorted(unverified)
    assert unverified == [any("Not verified" in each for each in item.caveats) for item in section.results]


def test_an_unknown_fact_that_was_asked_for_and_a_mention_are_marked() -> None:
    """It stands below a weaker verified result, as does what mentions what is excluded; the answer says so."""
    unknown = repository("a/unknown", stars=None, description="parser")
    known = repository("b/known", stars=5000, description="some parser of long and other texts about many things")
    assert [item.unverified for item in search([unknown], "parser").repositories.results] == [()]
    first, second = search([unknown, known], "parser with at least 100 stars").repositories.results
    assert (first.repo, second.repo, second.unverified) == ("b/known", "a/unknown", ("stars",))
    assert second.caveats == ("Not verified, for lack of a current fact: number of stars.",)
    small = repository("b/small", stars=400)
    mentioning = repository("a/one", stars=900, description="React animation library, an alternative to jQuery")
    plain = search([mentioning, small], "React animation library without jQuery").repositories.results
    assert [item.repo for item in plain] == ["b/small", "a/one"]
    assert plain[1].caveats == ("Mentions jQuery, which was to be left out.",)


def test_the_interpretation_reaches_the_answer_and_can_be_taken_away() -> None:
    """It survives JSON; an entry whose id is ignored does not apply, and is not listed."""
    found = [repository(f"a/{spdx}", language="Rust", license=spdx) for spdx in ("MIT", "GPL-3.0")]
    full = search(found, "Rust animation parser, MIT licence, not jQuery")
    assert {(part.kind, part.value) for part in full.interpretation} >= {
        ("constraint", "MIT"), ("constraint", "Rust"), ("exclusion", "not jQuery"), ("term", "animation"),
    }  # fmt: skip
    assert Answer.model_validate_json(full.to_json()) == full
    [licence] = [part for part in full.interpretation if part.value == "MIT"]
    assert (licence.text, licence.id) == ("MIT licence", "constraint:mit")
    without = search(found, "Rust animation parser, MIT licence, not jQuery", ignore=[licence.id])
    assert without.interpretation == tuple(part for part in full.interpretation if part != licence)
    assert [len(each.repositories.results) for each in (full, without)] == [1, 2]


def test_an_id_to_ignore_that_no_part_has_is_noted() -> None:
    """A misspelt one is named; one of a part that appears only once another is ignored is none."""
    ignored = ["constraint:gpl", "correction:animation", "term:animtion", "wish:only-rust"]
    notes = search([], "animtion parser", ignore=ignored, feedback=["only Rust"]).warnings
    expected = "Nothing is ignored for “constraint:gpl”: no entry of the interpretation has this id."
    assert [note for note in notes if "is ignored" in note] == [expected]


def test_a_question_without_a_subject_is_refused_with_the_reason() -> None:
    """The message says what is missing; a language alone can be searched for."""
    with pytest.raises(InvalidRequest, match="query: contains only exclusions: add what the repositories should be"):
        search([], "not in Java")
    assert search([repository(language="Rust")], "language:rust").repositories.total_candidates == 1


YOUNG, OLD = NOW - timedelta(days=1000), NOW - timedelta(days=1500)
NAME = presentation("repositories").title
GIANT = repository("a/giant", stars=40_000, description="React animation library")


def shown(repositories: list[Repository], question: str, **more: Any) -> list[tuple[str, list[Any]]]:
    """Search, and list the names below each heading."""
    section = search(repositories, question, **more).repositories
    assert section is not None
    assert all(item.beyond_range is (item.group is not None) for item in section.results)
    return [(heading, [NAME.read(item) for item in items]) for heading, items in groups(section, weaker=False)]


def test_what_has_few_stars_and_no_old_age_is_the_answer() -> None:
    """A heading counts it, and 30 candidates of many stars take no place of it; of what is unknown the age may fit."""
    giants = [GIANT, *(repository(f"a/giant{n}", stars=20_000 + n) for n in range(29))]
    found = [*giants, repository("c/unknown", stars=None), repository("b/small", stars=400)]
    first, (heading, others) = shown(found, "lightweight React animation library", max_results=5)
    assert (first, len(others)) == (("", ["b/small"]), 31)
    assert heading == "1 with 10 to 500 stars; others that fit:"
    aged = [repository(f"b/{day}", stars=900, created_at=day) for day in (YOUNG, OLD, None)]
    first, (heading, others) = shown([GIANT, *aged], "new React animation library")
    assert ({*first[1]}, {*others}) == ({f"b/{YOUNG}", "b/None"}, {"a/giant", f"b/{OLD}"})
    assert heading == "2 with 10 to 1,000 stars and created in the last 3 years; others that fit:"


def test_the_range_is_taken_away_with_its_part() -> None:
    """By the id of the part or by a filter of stars; what the question does not want small has no range either."""
    small, question = repository("b/small", stars=400), "small React animation library"
    (part,) = [one for one in search([GIANT, small], question).interpretation if one.text == "small"]
    for found in (
        shown([GIANT, small], question, ignore=[part.id]),
        shown([GIANT, small], question, filters={"min_stars": 300}),
        shown([GIANT, small], "React animation library, localStorage is too small"),
    ):
        assert [heading for heading, _ in found] == [""]


def test_nothing_in_the_range_is_said() -> None:
    """The others that fit are still the answer, unless the range is strict; an unknown licence is not within it."""
    heading = "None with 10 to 500 stars; others that fit:"
    assert shown([GIANT], "tiny React animation library") == [(heading, ["a/giant"])]
    strict = search([GIANT], "tiny React animation library", config={"star_intent": "strict"}).repositories
    assert (strict.results, strict.dropped) == ((), {"stars": 1})
    unsure = repository("b/unsure", stars=400, license=None, description="React animation library")
    giant = repository("a/giant", stars=40_000, license="MIT", description="React animation library")
    found = shown([giant, unsure], "small React animation library, MIT licence")
    assert found == [(heading, ["a/giant", "b/unsure"])]
