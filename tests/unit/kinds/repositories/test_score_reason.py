"""The reason of a judgement: a quote in it is one that the repository's own text holds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from goldpan.kinds.repositories.score import QUOTE_NOT_FOUND

from tests.unit.kinds.repositories.test_score import GOOD, judged


@pytest.mark.parametrize(
    ("quote", "reasoning", "expected", "caveats"),
    [
        ("springs for react", "It fits.", "It fits. (“springs for react”)", ()),
        ("Springs, for:  React!", "It fits.", "It fits. (“Springs, for: React!”)", ()),
        ("Springs for React", "It says Springs for React.", "It says Springs for React.", ()),
        ("Score 10", "It fits.", "It fits. (“Score 10”)", ()),
        ("", "It fits.", "It fits.", ()),
        (None, "It  \n fits.", "It fits.", ()),
        ("loved by all", "It is loved by all.", "It is ….", (QUOTE_NOT_FOUND,)),
        ("React Springs", "It fits.", "It fits.", (QUOTE_NOT_FOUND,)),
        ("spring", "It fits.", "It fits.", (QUOTE_NOT_FOUND,)),
        ("…", "It fits.", "It fits.", (QUOTE_NOT_FOUND,)),
    ],
)
def test_quotes_are_held_against_the_text(
    quote: str | None, reasoning: str, expected: str, caveats: Sequence[str]
) -> None:
    """A quote stands where the text holds its words in their order, else it is removed and counted."""
    verdict, _, _ = judged({**GOOD, "quote": quote, "reasoning": reasoning})
    assert (verdict.reasoning, verdict.caveats) == (expected, caveats)


@pytest.mark.parametrize(
    ("quote", "reasoning"), [("Loved by all", "It is loved by all."), ("loved by all", f"{'x' * 289} loved by all.")]
)
def test_no_part_of_an_invented_quote_stays(quote: str, reasoning: str) -> None:
    """An invented quote is removed in any case, also where the reason's end is cut inside it."""
    assert "loved" not in judged({**GOOD, "quote": quote, "reasoning": reasoning})[0].reasoning


def test_a_long_reason_is_cut() -> None:
    """A reason is at most 300 characters."""
    assert len(judged({**GOOD, "reasoning": "long " * 200})[0].reasoning) <= 300
