"""The handlers: quick to import, and true to the committed events."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from goldpan.aws.events import BeginResult, CombineResult, KindOutcome
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.problem_details import Response
from goldpan.errors import Defect, Unavailable
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers import models as papers
from goldpan.kinds.repositories.analysis.models import Analysis
from goldpan.kinds.repositories.models import Batch, Shortlist, Translation, Verdict
from pydantic import BaseModel
from snapshot_restore_py import get_after_restore, get_before_snapshot

from tests.support.analysis_fakes import FULL_NAME, readers
from tests.support.factories import ListedSource, QueuedModel
from tests.support.handlers import FUNCTIONS, ROOT, event, handler, load_function, sample_dependencies
from tests.support.memory_stores import MemoryCache
from tests.support.paper_fakes import ListedPapers

STAGES: dict[str, tuple[str, str, type[BaseModel]]] = {
    "begin": ("query_translator", "", BeginResult),
    "translate": ("query_translator", "translation", Translation),
    "scout": ("scout", "", Batch),
    "shortlist": ("screener", "shortlist", Shortlist),
    "score": ("screener", "", Verdict),
    "rank": ("screener", "", KindOutcome),
    "assemble": ("screener", "", Response),
    "combine": ("screener", "", CombineResult),
    "library": ("scout", "", Response),
    "analyze": ("screener", "", Response),
    "papers/translate": ("query_translator", "translation", papers.Translation),
    "papers/scout": ("scout", "", papers.Batch),
    "papers/shortlist": ("screener", "shortlist", papers.Shortlist),
    "papers/score": ("screener", "", papers.Verdict),
    "papers/rank": ("screener", "", KindOutcome),
}
FOUND = papers.Paper(source="crossref", title="Graph neural networks for molecules", year=2020)
LOADED_LATER = {"openai", "aws_xray_sdk"}
"""A function without a language model never needs the first; the other opens a socket."""
IMPORT = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("app", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_is_ready_for_a_snapshot(function: str) -> None:
    """Its import succeeds in an empty environment and makes no client; Lambda gets the hooks of its container."""
    command = [sys.executable, "-c", IMPORT, str(ROOT / "functions" / function / "app.py")]
    environment = {"PYTHONPATH": str(ROOT / "layers" / "goldpan")}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)
    assert "goldpan" in run.stdout.split()
    assert not LOADED_LATER & set(run.stdout.split())
    before, after = len(get_before_snapshot()), len(get_after_restore())
    container = load_function(function).CONTAINER
    assert container.prime in [hook for hook, *_ in list(get_before_snapshot())[before:]]
    assert container.renew in [hook for hook, *_ in list(get_after_restore())[after:]]


def dependencies() -> Dependencies:
    """Make a source for each kind, and no model."""
    made = sample_dependencies()
    return replace(made, sources={**made.sources, "crossref": ListedPapers((FOUND,))})


@pytest.mark.parametrize("stage", STAGES)
def test_a_committed_event_is_accepted(stage: str) -> None:
    """Its handler returns the value that the next stage reads. `make events` records them."""
    function, field, model = STAGES[stage]
    result = handler(function, dependencies())(event(stage))
    assert model.model_validate(result[field] if field else result)


def test_there_is_one_event_for_each_stage() -> None:
    """And the input of the state machine; none has a time, or it would be out of time when it is tried."""
    folder = ROOT / "events"
    names = {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.json")}
    assert names == {*STAGES, "search", "papers/search"}
    times = ("started_at", "requested_at", "translated_at", "scouted_at")
    assert not [name for name in names if any(time in str(event(name)) for time in times)]
    assert {took for name in names for took in re.findall(r"'duration_ms': (\d+)", str(event(name)))} == {"0"}
    ranked = handler("screener", dependencies())(event("papers/rank"))["result"]["section"]["results"]
    assert len(ranked) >= 2
    body = handler("screener", sample_dependencies())(event("assemble"))["body"]
    assert len(Answer.model_validate_json(body).sections["repositories"].results) >= 2


def test_an_analysis_is_a_response(capsys: pytest.CaptureFixture[str]) -> None:
    """It has what the model said, and a metric its cost; a problem has its status, also of what is not there."""
    known = replace(sample_dependencies(QueuedModel()), cache=MemoryCache(WallClock()), readers=readers())
    call = handler("screener", known)
    response = call(event("analyze"))
    assert (response["statusCode"], response["contentType"]) == (200, "application/json")
    analysis = Analysis.model_validate_json(response["body"])
    assert (analysis.repo, analysis.basis) == (FULL_NAME, "llm")
    assert '"LlmCalls":[3.0]' in capsys.readouterr().out, "to translate, to judge and to summarize"
    for repo in ("no-name", "octocat/gone"):
        refused = call({**event("analyze"), "request": {"repo": repo}})
        assert (refused["statusCode"], json.loads(refused["body"])["status"]) == (400, 400)
        assert json.loads(refused["body"])["detail"].startswith("repo: ")


@pytest.mark.parametrize(("function", "stage"), [("query_translator", "score"), ("screener", "translate")])
def test_the_stage_of_another_function(function: str, stage: str, caplog: pytest.LogCaptureFixture) -> None:
    """It is refused as a defect of the state machine, whose log has the cause."""
    with pytest.raises(Defect, match="the log has the cause"):
        handler(function, sample_dependencies())(event(stage))
    assert f"is not handled by {function}" in caplog.text


def test_what_no_state_could_carry_of_a_library_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """In words that hold for each path, whose fields differ."""
    large = Response(statusCode=200, contentType="application/json", retryAfter="", body="x" * 230_000)
    access = SimpleNamespace(respond=lambda *_: large)
    monkeypatch.setattr("goldpan.aws.stages.library_access", lambda: ("", access))
    refused = handler("scout", replace(sample_dependencies(), libraries=cast("Any", access)))(event("library"))
    assert json.loads(refused["body"])["detail"] == "the results are too large for one response: ask for fewer"


@pytest.mark.parametrize("stage", ["scout", "shortlist"])
def test_a_warm_up_uses_its_own_sources(stage: str) -> None:
    """Searches keep their share of the rate limits."""
    failing = ListedSource(failure=Unavailable("for warm-ups"))
    call = handler(STAGES[stage][0], replace(sample_dependencies(), warm_up_sources={"github": failing}))
    for warm_up in (True, False):
        assert ("for warm-ups" in str(call({**event(stage), "refresh": warm_up}))) == warm_up
