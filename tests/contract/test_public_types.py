"""A type checker knows the values of the entry points: `make types` checks the types asserted here."""

from __future__ import annotations

from typing import assert_type

import goldpan
import goldpan_data
import pytest
from goldpan.engine.dependencies import Runtime
from goldpan.engine.events import SearchEvent
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers.results import PaperSection
from goldpan.kinds.repositories.results import RankedRepository, RepositorySection


def test_the_results_of_a_search_have_types(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's mistake in the name of a field is found before the program runs."""
    monkeypatch.setenv("GOLDPAN_CACHE", "off")
    with goldpan.open_catalogue(goldpan_data.file("sample_catalogue.sqlite")) as runtime:
        assert_type(runtime, Runtime)
        answer = assert_type(goldpan.search("React animation library", runtime=runtime), Answer)
        *_, event = goldpan.stream_search("React animation library", runtime=runtime)
    repositories = assert_type(answer.repositories, RepositorySection | None)
    assert repositories is not None
    first = assert_type(repositories.results[0], RankedRepository)
    assert_type(first.stars, int | None)
    assert_type(first.reasoning, str)
    assert assert_type(answer.papers, PaperSection | None) is None
    last = assert_type(assert_type(event, SearchEvent).answer, Answer | None)
    assert last is not None
    assert last.repositories == repositories
