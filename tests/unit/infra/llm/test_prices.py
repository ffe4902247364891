"""The cost of a call."""

from __future__ import annotations

import pytest
from goldpan.config import TokenPrice
from goldpan.contracts import Usage
from goldpan.infra.llm.prices import is_priced, with_cost

MILLION = Usage(llm_calls=1, input_tokens=1_000_000, output_tokens=1_000_000)
OWN = {"own-model": TokenPrice(input=2, output=8)}


@pytest.mark.parametrize(("model", "cost"), [("deepseek-flash", 1.50), ("gpt-4.1-mini", 2.00)])
def test_the_default_models_are_priced_per_million_tokens(model: str, cost: float) -> None:
    """The models that a key alone selects cost what their providers charge for a million tokens in and out."""
    assert is_priced(model, {})
    assert with_cost(MILLION, model, {}).cost_usd == pytest.approx(cost)


def test_input_and_output_have_prices_of_their_own() -> None:
    """Tokens are multiplied by the price of their direction, and nothing else changes."""
    usage = with_cost(Usage(llm_calls=3, input_tokens=1500, output_tokens=200), "own-model", OWN)
    assert usage == Usage(llm_calls=3, input_tokens=1500, output_tokens=200, cost_usd=0.0046)


def test_a_custom_price_replaces_the_built_in_one() -> None:
    """A price of the request comes first."""
    assert with_cost(MILLION, "deepseek-flash", {"deepseek-flash": TokenPrice(input=0, output=0)}).cost_usd == 0


def test_an_unknown_model_has_no_price() -> None:
    """The cost of a model without a price stays 0, and it can be distinguished from a free one."""
    assert with_cost(MILLION, "unknown", OWN) == MILLION
    assert not is_priced("unknown", OWN)
    assert is_priced("own-model", OWN)


def test_costs_add_up() -> None:
    """The costs of a hundred calls add up without rounding away."""
    call = with_cost(Usage(llm_calls=1, input_tokens=333, output_tokens=77), "gpt-4.1-mini", {})
    total = sum((call for _ in range(100)), Usage())
    assert total.cost_usd == pytest.approx(0.02564, abs=1e-9)
    assert (total.llm_calls, total.input_tokens) == (100, 33_300)
