"""No text of any script, at any place, makes a state too large to be carried (fault 30)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.unit.aws.doors import Door
from tests.unit.aws.flow import LostError
from tests.unit.aws.hostile import (
    SOURCES,
    UNITS,
    HostileModel,
    HostileSource,
    filled,
    strange_words,
)
from tests.unit.aws.large import EXPANDING, PRICES, Case, Wrap, as_it_is, run, too_large

pytestmark = pytest.mark.usefixtures("unobserved")

FILLED = st.sampled_from(UNITS)
QUESTIONS = st.one_of(
    st.builds(filled, FILLED, st.integers(3, 500)),
    st.builds(lambda unit, n: " ".join([filled(unit, n), "React animation"])[:500], FILLED, st.integers(1, 400)),
    st.builds(lambda count, n: " ".join(strange_words(count, n))[:500], st.integers(1, 250), st.integers(1, 60)),
)
REQUESTS = st.builds(
    lambda **fields: {**fields, "max_llm_calls": 60},
    query=QUESTIONS,
    mode=st.sampled_from(["focused", "balanced", "exploratory"]),
    max_results=st.integers(1, 25),
    sources=st.lists(st.sampled_from(SOURCES[1:]), unique=True).map(lambda names: ["github", *names]),
    config=st.fixed_dictionaries(
        {
            "shortlist_size": st.integers(1, 40),
            "readme_chars": st.integers(0, 4000),
            "max_enriched": st.integers(1, 60),
            "llm_prices": st.sampled_from([{}, PRICES]),
        }
    ),
)
HOSTILE_SOURCES = st.builds(
    HostileSource,
    unit=FILLED,
    found=st.sampled_from([1, 5, 40]),
    name=st.sampled_from([0, 100, 400]),
    description=st.integers(0, 2000),
    topics=st.integers(0, 20),
    entries=st.integers(0, 200),
    readme=st.builds(filled, FILLED, st.integers(0, 5000)),
    fact=st.sampled_from([0, 60, 400]),
    said=st.integers(0, 2000),
    failures=st.sampled_from([0, 3, 500]),
)
MODELS = st.none() | st.builds(
    HostileModel,
    unit=FILLED,
    keywords=st.lists(st.builds(filled, FILLED, st.integers(1, 60)), min_size=1, max_size=12)
    | st.integers(1, 12).map(strange_words),
    expanded=st.lists(st.builds(filled, FILLED, st.integers(1, 60)), max_size=20) | st.just(EXPANDING[:20]),
    failure=st.just("") | st.builds(filled, FILLED, st.integers(1, 2000)),
)


@settings(
    max_examples=25,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # its examples are units and lengths: small already
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(REQUESTS, HOSTILE_SOURCES, MODELS, st.sampled_from([0, 1, 2, 3]))
def test_no_text_of_any_script_makes_a_state_too_large(
    request: dict[str, Any], source: HostileSource, model: HostileModel | None, losing: int
) -> None:
    """Quotes, control characters and four-byte letters anywhere, and calls that are lost, leave every state small."""
    ended, held = run(Case(request, source, model), _losing(losing) if losing else as_it_is)
    assert too_large(held) == []
    assert ended["statusCode"] in {200, 400, 503}


def _losing(every: int) -> Wrap:
    """Lose every so manieth call of the scouts and of the scoring, as the platform may."""
    turns = count(1)

    def wrap(_function: str, call: Door) -> Door:
        def lossy(event: Mapping[str, Any]) -> Any:
            if event["stage"] in {"scout", "score"} and next(turns) % every == 0:
                raise LostError("Lambda.Unknown")
            return call(event)

        return lossy

    return wrap
