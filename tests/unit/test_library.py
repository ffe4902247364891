"""The entry points for Python."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator

import goldpan
import pytest
from goldpan_local.bootstrap import local_runtime
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Runtime
from goldpan.errors import InvalidRequest, Misconfigured
from goldpan.engine.dependencies import Dependencies
from goldpan.kinds.repositories.sources.catalogue import Catalogue
from goldpan.kinds.repositories.sources.catalogue.record import Record

from tests.support.factories import QueuedModel, request


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    """One machine with a catalogue of twenty and a language model."""
    rows = [Record(full_name=f"a/motion-{n}", description="React animation library", stars=90 + n) for n in range(20)]
    catalogue, clock = Catalogue.in_memory(rows, "a test's catalogue"), WallClock()
    yield Runtime(
        Dependencies(clock=clock, sources={"catalogue": catalogue}, llm=QueuedModel()), ("catalogue",), (), clock
    )
    catalogue.close()


def test_a_question_gives_the_final_state(runtime: Runtime) -> None:
    """The pipeline's state holds the results, the parameters and the times."""
    state = goldpan.execute_search_pipeline(
        "React animation library", "focused", {"shortlist_size": 5}, runtime=runtime
    )
    assert (len(state.top_repos), len(state.coarse_filtered_repos), state.search_mode) == (5, 5, "focused")
    assert state.search_params is not None
    assert state.search_params.expanded_keywords == ()


def test_a_request_gives_the_answer_or_its_events(runtime: Runtime) -> None:
    """The answer is what the last event holds."""
    answer = goldpan.search(request(), runtime=runtime)
    *_, last = goldpan.stream_search(request(), runtime=runtime)
    assert last.answer is not None
    assert answer.repositories == last.answer.repositories


def test_what_is_wrong_is_refused_before_anything_is_asked(runtime: Runtime) -> None:
    """A bad mode and a bad override name themselves."""
    with pytest.raises(InvalidRequest, match=r"config\.shortlist_size"):
        goldpan.execute_search_pipeline("x", config={"shortlist_size": 0}, runtime=runtime)


def test_a_kind_that_is_not_built_is_refused_at_the_call(runtime: Runtime) -> None:
    """Whoever asks for events is told at once what is wrong, not when the first event is asked for."""
    with pytest.raises(InvalidRequest, match="papers"):
        goldpan.stream_search(request(kinds=("papers",)), runtime=runtime)


def test_half_a_setting_refuses_to_start() -> None:
    """A key without its address is named, not sent somewhere else."""
    with pytest.raises(Misconfigured, match="LLM_BASE_URL is not set"):
        local_runtime({"LLM_API_KEY": "secret"}, None)


def test_logs_hold_neither_questions_nor_answers(runtime: Runtime, caplog: pytest.LogCaptureFixture) -> None:
    """The summary of a search tells its times and its cost, and nothing that was asked or found."""
    caplog.set_level(logging.DEBUG)
    goldpan.execute_search_pipeline("React animation library", runtime=runtime)
    assert "Pipeline completed in" in caplog.text
    assert not [word for word in ("React", "animation", "motion-") if word.lower() in caplog.text.lower()]


def test_importing_it_imports_nothing_else() -> None:
    """`import goldpan` loads no client and no model."""
    code = "import goldpan, sys; print([m for m in ('openai', 'httpx2', 'pydantic', 'sqlite3') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_unknown_name_is_an_attribute_error() -> None:
    """The lazy names are no trap for typos."""
    with pytest.raises(AttributeError, match="serch"):
        _ = goldpan.serch
