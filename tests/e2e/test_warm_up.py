"""The warm-ups: the real flow, over counters that the real code wrote: what is searched anew, and what fails."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest

from tests.e2e.warming import OFTEN, TABLE, WarmUps, warming


@pytest.fixture
def warm_ups(caplog: pytest.LogCaptureFixture) -> Iterator[WarmUps]:
    """Give the machine of the warm-ups, once a test."""
    caplog.set_level(logging.CRITICAL, logger="moto")  # it logs each caught error with its whole syntax tree
    with warming() as machine:
        yield machine


def test_what_is_asked_most_today_is_searched_anew(warm_ups: WarmUps) -> None:
    """The first of the day, as they were asked, field by field; what is asked less is not searched."""
    for query, times in {"first": 14, "second": 13, "third": 12, "fourth": 11}.items():
        warm_ups.ask(query, times)
    request = warm_ups.ask("with fields", 15, mode="focused", max_results=3)
    assert warm_ups.run(first=3) == "SUCCEEDED"
    assert sorted(warm_ups.searches.questions()) == ["first", "second", "with fields"]
    assert {"request": json.loads(request), "refresh": True} in warm_ups.searches.asked
    assert all(asked["refresh"] is True for asked in warm_ups.searches.asked)


def test_what_is_asked_seldom_is_not_kept_warm(warm_ups: WarmUps) -> None:
    """A question that was asked fewer than ten times today costs less when it is searched as it is asked."""
    warm_ups.ask("seldom", OFTEN - 1)
    assert warm_ups.run() == "SUCCEEDED"
    assert warm_ups.searches.asked == []


def test_what_was_asked_yesterday_is_not_looked_at(warm_ups: WarmUps) -> None:
    """Another day's counts are another day's."""
    key = {"pk": {"S": "asked:2020-01-01:a"}}
    row = key | {"day": {"S": "2020-01-01"}, "asked": {"N": "99"}, "request": {"S": '{"query": "old"}'}}
    warm_ups.dynamodb.put_item(TableName=TABLE, Item=row)
    assert warm_ups.run() == "SUCCEEDED"
    assert warm_ups.searches.asked == []


@pytest.mark.parametrize("query", ["Rust web framework", "C++ {} \u00fcber", "\u68af\u5ea6 {0}", "it's \\{ here"])
def test_the_operator_s_list_is_searched_word_for_word(warm_ups: WarmUps, query: str) -> None:
    """A listed question has every default, whatever its words look like to a flow; the table is not needed for it."""
    warm_ups.dynamodb.delete_table(TableName=TABLE)
    assert warm_ups.run(first=0, questions=[query]) == "SUCCEEDED"
    assert warm_ups.searches.asked == [{"request": {"query": query}, "refresh": True}]


@pytest.mark.parametrize("query", ['say "hi" {}', "back\\slash", "\u00fcber's {0}"])
def test_a_popular_question_is_searched_word_for_word(warm_ups: WarmUps, query: str) -> None:
    """The key of what is remembered hangs on every character of the request."""
    request = warm_ups.ask(query)
    assert warm_ups.run() == "SUCCEEDED"
    assert warm_ups.searches.asked == [{"request": json.loads(request), "refresh": True}]


@pytest.mark.parametrize("ending", ["FAILED", "TIMED_OUT", "throttled"])
@pytest.mark.parametrize("query", ["listed", "second"])
def test_one_that_fails_leaves_the_others_and_is_told(warm_ups: WarmUps, query: str, ending: str) -> None:
    """All are tried; the warm-up ends as one that failed, which an alarm watches, whichever list it was on."""
    warm_ups.searches.endings = {query: ending}
    for popular in ("first", "second", "third"):
        warm_ups.ask(popular)
    assert warm_ups.run(questions=["listed", "listed too"]) == "FAILED"
    assert sorted(warm_ups.searches.questions()) == ["first", "listed", "listed too", "second", "third"]


def test_a_table_that_is_gone_fails_the_warm_up_after_the_list(warm_ups: WarmUps) -> None:
    """The operator's list is done by then; that nothing could be read is told."""
    warm_ups.dynamodb.delete_table(TableName=TABLE)
    assert warm_ups.run(questions=["listed"]) == "FAILED"
    assert warm_ups.searches.questions() == ["listed"]


def test_two_at_once_and_no_more(warm_ups: WarmUps) -> None:
    """Askers find the rest of the functions free."""
    assert warm_ups.run(first=0, questions=[f"question {n}" for n in range(8)]) == "SUCCEEDED"
    assert len(warm_ups.searches.asked) == 8
    assert warm_ups.searches.most_at_once <= 2
