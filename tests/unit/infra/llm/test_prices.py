"""The cost of a call."""

from __future__ import annotations

import pytest
from goldpan.config import TokenPrice
from goldpan.contracts import Usage
from goldpan.infra.llm.prices import is_priced, with_cost

MILLION = Usage(llm_calls=1, input_tokens=1_000_000, output_tokens=1_000_000)
OWN = {"own-model": TokenPrice(input=2, output=8), "gpt-4.1-nano": TokenPrice(input=0, output=0)}


@pytest.mark.parametrize(
    ("model", "cost", "priced"),
    [
        ("deepseek-flash", 1.50, True),  # the models that a key alone selects, by their providers' prices
        ("gpt-4.1-mini", 2.00, True),
        ("own-model", 10.00, True),
        ("gpt-4.1-nano", 0, True),  # a price of the request comes first
        ("unknown", 0, False),
    ],
)
def test_the_cost_of_a_million_tokens_in_and_out(model: str, cost: float, priced: bool) -> None:  # noqa: FBT001
    """A model without a price costs 0 too, and can be distinguished from a free one."""
    assert with_cost(MILLION, model, OWN).cost_usd == pytest.approx(cost)
    assert is_priced(model, OWN) is priced


def test_input_and_output_have_prices_of_their_own() -> None:
    """Tokens are multiplied by the price of their direction, and nothing else changes; costs add up unrounded."""
    usage = with_cost(Usage(llm_calls=3, input_tokens=1500, output_tokens=200), "own-model", OWN)
    assert usage == Usage(llm_calls=3, input_tokens=1500, output_tokens=200, cost_usd=0.0046)
    call = with_cost(Usage(llm_calls=1, input_tokens=333, output_tokens=77), "gpt-4.1-mini", {})
    assert sum((call for _ in range(100)), Usage()).cost_usd == pytest.approx(0.02564, abs=1e-9)
