"""What a call costs."""

from __future__ import annotations

import pytest
from goldpan.config import TokenPrice
from goldpan.contracts import Usage
from goldpan.infra.llm.prices import PRICES, is_priced, with_cost
from goldpan.settings import DEEPSEEK_MODEL, OPENAI_MODEL

MILLION = Usage(llm_calls=1, input_tokens=1_000_000, output_tokens=1_000_000)
OWN = {"own-model": TokenPrice(input=2, output=8)}


@pytest.mark.parametrize("model", PRICES)
def test_the_table_is_for_a_million_tokens(model: str) -> None:
    """A million tokens in and out cost what the table says of each."""
    assert with_cost(MILLION, model, {}).cost_usd == pytest.approx(PRICES[model].input + PRICES[model].output)


def test_input_and_output_have_their_own_price() -> None:
    """Tokens are multiplied by the price of their own kind, and nothing else changes."""
    told = with_cost(Usage(llm_calls=3, input_tokens=1500, output_tokens=200), "own-model", OWN)
    assert told == Usage(llm_calls=3, input_tokens=1500, output_tokens=200, cost_usd=0.0046)


def test_ones_own_price_goes_first() -> None:
    """A price of the request takes the place of the built-in one."""
    own = {DEEPSEEK_MODEL: TokenPrice(input=0, output=0)}
    assert with_cost(MILLION, DEEPSEEK_MODEL, own).cost_usd == 0


def test_an_unknown_model_costs_nothing_and_is_known_as_unknown() -> None:
    """A model without a price is not guessed, and can be told apart from a free one."""
    assert with_cost(MILLION, "unheard-of", OWN) == MILLION
    assert not is_priced("unheard-of", OWN)
    assert is_priced("own-model", OWN)


@pytest.mark.parametrize("model", [DEEPSEEK_MODEL, OPENAI_MODEL])
def test_the_models_of_the_providers_are_priced(model: str) -> None:
    """The models that a key alone selects have a price."""
    assert is_priced(model, {})


def test_costs_add_up() -> None:
    """The costs of calls add up without drifting."""
    call = with_cost(Usage(llm_calls=1, input_tokens=333, output_tokens=77), OPENAI_MODEL, {})
    total = sum((call for _ in range(100)), Usage())
    assert total.cost_usd == pytest.approx(100 * call.cost_usd, abs=1e-9)
    assert (total.llm_calls, total.input_tokens) == (100, 33_300)
