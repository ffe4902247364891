"""A catalogue holds the texts and the times of the whole world, and a search for any of them is answered."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from goldpan.contracts import Answer, parse_request
from goldpan.engine.deadlines import Deadline
from goldpan.engine.pipeline import search
from goldpan.kinds.repositories.models import RepositorySearch
from goldpan.kinds.repositories.ports import Dependencies
from goldpan.kinds.repositories.sources.catalogue import Catalogue, build_catalogue, records_from_lines
from goldpan.kinds.repositories.sources.catalogue.record import Record
from goldpan.text import words
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.factories import StillClock

LETTERS = st.text(st.characters(categories=["L", "N", "M"]), min_size=1, max_size=8)


def answered(catalogue: Catalogue, question: str) -> Answer:
    """Run a whole search over a catalogue."""
    dependencies = Dependencies(clock=StillClock(), sources={"catalogue": catalogue})
    return search(parse_request({"query": question}), dependencies, sources=("catalogue",))


@pytest.mark.parametrize(
    "text",
    ["हिन्दी पाठ", "عَرَبِيّ", "การเรียนรู้", "машинное обучение", "μηχανική μάθηση", "机器学习", "機械学習", "기계 학습",
     "İstanbul", "naïve café", "C++ и .NET", "C#"],
)  # fmt: skip
def test_a_description_in_any_script_is_found_by_its_words(text: str) -> None:
    """Whoever asks in the words of a description finds the repository, accents and vowel signs included."""
    catalogue = Catalogue.in_memory([Record(full_name="a/b", description=f"{text} 1", stars=100)], "one")
    result = answered(catalogue, text).repositories
    catalogue.close()
    assert result is not None
    assert [item.repo for item in result.results] == ["a/b"]


@settings(max_examples=100, deadline=None)
@given(LETTERS)
@example("a\u0305b")
@example("a\U0001e137b")
@example("a\ua7d3b")
@example("S")
def test_letters_that_are_new_to_the_database_break_nothing(word: str) -> None:
    """A word of any letters and signs is searched for, and found where it stands."""
    catalogue = Catalogue.in_memory([Record(full_name="a/b", description=word)], "one")
    lists = catalogue.search([RepositorySearch(words=(word,))], Deadline.after(5, StillClock())).lists
    catalogue.close()
    assert [item.full_name for item in lists[0]] == (["a/b"] if words(word) else [])


@pytest.mark.parametrize("moment", ["2026-08-01", "2026-08-01T00:00:00", "2026-08-01T02:00:00+02:00"])
def test_a_time_without_a_zone_is_utc_like_a_plain_date(tmp_path: Path, moment: str) -> None:
    """However a line tells a moment, the search over it is answered, and the moment is the same."""
    row = {"full_name": "a/b", "description": "A parser", "stars": 100, "pushed_at": moment, "created_at": moment}
    (tmp_path / "in.jsonl").write_text(json.dumps(row))
    build_catalogue(records_from_lines(tmp_path / "in.jsonl"), tmp_path / "out.sqlite", "one")
    catalogue = Catalogue.open(tmp_path / "out.sqlite")
    lists = catalogue.search([RepositorySearch(words=("parser",))], Deadline.after(5, StillClock())).lists
    result = answered(catalogue, "parser").repositories
    catalogue.close()
    assert lists[0][0].pushed_at == datetime(2026, 8, 1, tzinfo=UTC)
    assert result is not None
    assert len(result.results) == 1
