"""The doors themselves: thin, silent until they are called, and asking what stands in the table."""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import InvalidRequest, OutOfTime
from goldpan.kinds import registry as kinds
from goldpan.kinds.registry import Stages
from goldpan.kinds.repositories.models import Repository, RepositorySearch, Verdict
from goldpan.kinds.repositories.ports import Enriched, Found

from tests.support.factories import ListedSource
from tests.unit.aws.doors import FUNCTIONS, ROOT, Context, door, event, github, load, sample_ports

PATHS = [ROOT / "functions" / function / "app.py" for function in FUNCTIONS]
STAGES = {
    "translate": "query_translator",
    "scout": "scout",
    "shortlist": "screener",
    "score": "screener",
    "rank": "screener",
}
LOADED_LATE = ("boto3", "botocore", "openai", "httpx2", "aws_xray_sdk", "aws_lambda_powertools")
IMPORTS = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("app", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
assert callable(module.handler)
assert module.EQUIPMENT._made is None
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


class Asked(ListedSource):
    """A source that finds one repository, and counts how often it is asked."""

    times = 0

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Count a search."""
        self.times += 1
        return super().search(searches, deadline)

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Count a look for further facts."""
        self.times += 1
        return super().enrich(repositories, deadline)


@pytest.mark.parametrize("path", PATHS, ids=FUNCTIONS)
def test_a_door_is_thin(path: Path) -> None:
    """A door has 40 lines at most and no `try`: it parses, calls and dumps."""
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 40
    assert not [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Try | ast.TryStar)]


@pytest.mark.parametrize("path", PATHS, ids=FUNCTIONS)
def test_importing_a_door_makes_nothing(path: Path) -> None:
    """With an empty environment a door is imported all the same, and no client is loaded with it."""
    found = f"{ROOT / 'layers' / 'goldpan'}"
    command = [sys.executable, "-c", IMPORTS, str(path)]
    run = subprocess.run(command, env={"PYTHONPATH": found}, capture_output=True, text=True, check=True, timeout=60)
    assert "goldpan" in run.stdout.split()
    assert not {*LOADED_LATE} & {*run.stdout.split()}
    assert not run.stderr


@pytest.mark.parametrize("stage", STAGES)
def test_a_bad_request_is_refused_at_every_door(stage: str) -> None:
    """The request is checked by each door, and the field is named; it is not a validation error of a message."""
    given = {**event(stage), "request": {"query": "React", "max_results": 26}}
    with pytest.raises(InvalidRequest, match=r"^max_results: .*less than or equal to 25"):
        door(STAGES[stage], sample_ports())(given)


@pytest.mark.parametrize("stage", STAGES)
def test_a_kind_that_is_not_built_is_refused_at_every_door(stage: str) -> None:
    """A kind without stages is the asker's to mend, and the message says what can be searched."""
    with pytest.raises(InvalidRequest, match=r"^kinds: 'papers' .*repositories"):
        door(STAGES[stage], sample_ports())({**event(stage), "kind": "papers"})


def test_a_door_asks_the_stages_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands in the table of kinds is what runs, at the doors as on one machine."""
    given = event("score")
    said = Verdict(full_name="example-org/other", relevance=0.123, reasoning="As the table says.", basis="rules")
    monkeypatch.setitem(kinds.KINDS, "repositories", replace(Stages(), score=lambda *_: said))
    assert door("screener", sample_ports())(given)["relevance"] == 0.123


@pytest.mark.parametrize("stage", ["scout", "shortlist"])
@pytest.mark.parametrize("refresh", [True, False])
def test_a_warm_up_asks_the_sources_as_warm_ups_may(stage: str, refresh: bool) -> None:  # noqa: FBT001 - a case
    """Only a warm-up takes its turns from the share of warm-ups, so that those who ask have theirs."""
    asking, warming = Asked(), Asked()
    dependencies = replace(sample_ports(source=asking), warming={"github": warming})
    door(STAGES[stage], dependencies)({**event(stage), "refresh": refresh})
    assert (asking.times > 0, warming.times > 0) == (not refresh, refresh)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_no_message_is_no_answer(function: str) -> None:
    """A call with an event of no stage fails as a defect."""
    with pytest.raises((ValueError, KeyError)):
        load(function).handler({"stage": "unheard of"}, Context())


def _late(stage: str) -> dict[str, Any]:
    return {**event(stage), "begun_at": (datetime.now(UTC) - timedelta(minutes=1)).isoformat()}


def test_a_search_that_began_long_ago_is_out_of_time() -> None:
    """The first stage says that nothing could be found any more, and names what the asker may mend."""
    with pytest.raises(OutOfTime, match=r"^max_seconds: 25 seconds"):
        door("query_translator", sample_ports())(_late("translate"))


def test_a_scout_that_is_late_says_so() -> None:
    """A strategy that begins after its deadline asks nobody: its row says that it ran out of time."""
    asked: list[httpx2.Request] = []

    def answered(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return httpx2.Response(200, json={"items": []})

    batch = door("scout", sample_ports(source=github(answered)))(_late("scout"))
    assert (batch["status"]["status"], asked) == ("timeout", [])


@pytest.mark.parametrize("stage", ["shortlist", "score", "rank"])
def test_what_was_found_is_answered_however_late(stage: str) -> None:
    """A stage after the scouts never gives up what was found."""
    assert door(STAGES[stage], sample_ports())(_late(stage))


@pytest.mark.parametrize("first", [0x400, 0x4E00, 0x20000], ids=["two bytes", "three bytes", "four bytes"])
def test_a_question_of_many_words_is_translated_in_time(first: int) -> None:
    """As many words as a question can hold cost a small part of the 5 seconds, which a third of a core shares."""
    query = " ".join(chr(first + number) for number in range(250))
    given = {**event("translate"), "request": {"query": query, "mode": "exploratory"}}
    call = door("query_translator", sample_ports())
    call(event("translate"))
    begun = time.process_time()
    assert call(given)["translation"]["tasks"]
    assert time.process_time() - begun < 0.5
