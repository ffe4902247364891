"""What ends a search, or a part of it, leaves a door as what it is: by its own name, or as a row or a verdict."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.errors import (
    CredentialRejected,
    InvalidRequest,
    Misconfigured,
    OutOfTime,
    Overloaded,
    RateLimited,
    SourcesFailed,
    SourcesLimited,
    TerminalError,
    Unavailable,
)
from goldpan.infra.llm.port import Completion, LanguageModelFailed, Prompt
from goldpan.kinds import registry as kinds
from goldpan.kinds.registry import Stages
from goldpan.kinds.repositories.models import Verdict

from tests.support.factories import ListedSource, QueuedModel
from tests.unit.aws.doors import door, event, sample_ports

LATER = datetime(2026, 8, 22, 13, tzinfo=UTC)
LEAVES: list[TerminalError] = [
    InvalidRequest("query: Field required"),
    Misconfigured("LLM_MODEL is not set"),
    CredentialRejected("GITHUB_TOKEN: GitHub rejected it"),
    SourcesFailed("github: unavailable (down)"),
    SourcesLimited("github: rate_limited (slow down)", LATER),
    OutOfTime("max_seconds: 5 seconds were not enough to find anything"),
    Overloaded("more searches run at once than are allowed"),
]
STAGES = {
    "translate": "query_translator",
    "scout": "scout",
    "shortlist": "screener",
    "score": "screener",
    "rank": "screener",
}


def _raising(stage: str, ending: BaseException) -> Stages:
    def run(*_: object) -> object:
        raise ending

    changed: dict[str, Any] = {stage: run}
    return replace(Stages(), **changed)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("ending", LEAVES, ids=lambda ending: type(ending).__name__)
def test_what_ends_a_search_leaves_the_door_by_its_own_name(
    stage: str, ending: TerminalError, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lambda reports the class of what a stage raised, and the machine catches by it: no door wraps or renames it."""
    monkeypatch.setitem(kinds.KINDS, "repositories", _raising(stage, ending))
    with pytest.raises(TerminalError) as raised:
        door(STAGES[stage], sample_ports())(event(stage))
    assert type(raised.value) is type(ending)
    assert str(raised.value) == str(ending)


def test_every_leaf_is_tried() -> None:
    """A new ending in the tree has to be tried here too."""
    below = [TerminalError]
    for cls in below:
        below += cls.__subclasses__()
    assert {type(ending) for ending in LEAVES} == {*below[1:]}


class RejectedModel(QueuedModel):
    """A model whose key is rejected."""

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Refuse."""
        raise CredentialRejected(f"LLM_API_KEY: rejected ({len(prompt.user) > 0}, {deadline.left > 0})")


@pytest.mark.parametrize("stage", ["translate", "score"])
def test_a_rejected_key_ends_the_search_by_name(stage: str) -> None:
    """A key that the provider refuses is not taken for a model that is down."""
    given = event(stage)
    if stage == "score":
        given["task"]["ask_llm"] = True
    with pytest.raises(CredentialRejected, match=r"^LLM_API_KEY"):
        door(STAGES[stage], sample_ports(RejectedModel()))(given)


@pytest.mark.parametrize(
    ("failure", "status"),
    [(RateLimited("slow down", LATER), "rate_limited"), (Unavailable("down"), "unavailable")],
)
def test_a_source_that_fails_leaves_the_door_as_a_row(failure: RateLimited | Unavailable, status: str) -> None:
    """A failed source does not break the machine: the batch says how it failed, and why."""
    batch = door("scout", sample_ports(source=ListedSource(failure=failure)))(event("scout"))
    assert (batch["status"]["status"], batch["status"]["detail"]) == (status, str(failure))
    assert "candidates" not in batch


def test_where_every_source_failed_the_shortlist_ends_the_search() -> None:
    """Rows that all say `rate_limited` end the search as a limit, with the time to come back in its text."""
    scout = door("scout", sample_ports(source=ListedSource(failure=RateLimited("slow down", LATER))))
    given = {**event("shortlist"), "batches": [scout(event("scout"))]}
    with pytest.raises(SourcesLimited, match=r"; try again at 2026-08-22T13:00:00Z$"):
        door("screener", sample_ports())(given)


class BrokenModel(QueuedModel):
    """A model that fails in the worst way that its adapter knows: with the provider's own words."""

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Fail."""
        del prompt, deadline
        raise LanguageModelFailed('it said "no"\nand more', Usage(llm_calls=1))


def test_a_broken_model_leaves_a_verdict_by_rules() -> None:
    """A model that fails costs nothing but its verdict, and the reason is told."""
    given = event("score")
    given["task"]["ask_llm"] = True
    verdict = door("screener", sample_ports(BrokenModel()))(given)
    assert Verdict.model_validate(verdict).basis == "rules"
    assert verdict["failure"] == 'it said "no"\nand more'
    assert verdict["usage"] == {"llm_calls": 1}
