"""No state ever holds more than Step Functions carries: an overflow ends the execution beyond every Catch (fault 30).

The real doors run along the state machine's own definition, over a source, a model and a request that are as large as
they can be; what every state holds is measured as JSON with a space after each comma and colon.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.unit.deployment.doors import Door
from tests.unit.deployment.hostile import (
    HostileModel,
    HostileSource,
    filled,
)
from tests.unit.deployment.large import CASES, Case, largest, run, too_large

pytestmark = pytest.mark.usefixtures("unobserved")


@pytest.mark.parametrize("name", CASES)
def test_no_state_holds_more_than_is_carried(name: str) -> None:
    """However large a question, its sources and its model are, every state of the flow can be carried."""
    ended, held = run(CASES[name])
    assert too_large(held) == []
    assert ended["statusCode"] in {200, 400}


@pytest.mark.parametrize("name", ["a usual question", "prices of many models", "long facts"])
def test_what_is_cut_is_still_answered(name: str) -> None:
    """Cutting to what may travel costs bytes, not the answer: it has results, and each of them its reason."""
    ended, _ = run(CASES[name])
    assert ended["statusCode"] == 200
    assert ended["body"].count('"reasoning":') >= 10


@pytest.mark.parametrize("stage", ["translate", "scout", "shortlist", "score", "rank"])
def test_a_stage_that_breaks_leaves_its_state_small_enough(stage: str) -> None:
    """The words and the stack trace of a failure stand beside all that its state holds, and still fit."""

    def wrap(_function: str, call: Door) -> Door:
        def broken(event: Mapping[str, Any]) -> Any:
            if event["stage"] == stage:
                raise RuntimeError(filled("𠮷", 2000))
            return call(event)

        return broken

    ended, held = run(Case(largest(), HostileSource(unit="水"), HostileModel("水")), wrap)
    assert too_large(held) == []
    assert (ended["statusCode"], "𠮷" in ended["body"]) == (500, False)
