"""Prices of language models, in US dollars per million tokens, from the providers' price pages of October 2026.

DeepSeek charges half of this outside its peak hours, and less for cached input: costs are upper bounds.
"""

from collections.abc import Mapping
from math import ceil

from goldpan.config import TokenPrice
from goldpan.contracts import Usage
from goldpan.infra.llm.dialects import THINKING_ROOM
from goldpan.infra.llm.port import Prompt

PRICES: Mapping[str, TokenPrice] = {
    "deepseek-flash": TokenPrice(input=0.30, output=1.20),
    "deepseek-v4-pro": TokenPrice(input=1.32, output=3.96),
    "gpt-4.1-mini": TokenPrice(input=0.40, output=1.60),
    "gpt-4.1-nano": TokenPrice(input=0.10, output=0.40),
    "gpt-4o-mini": TokenPrice(input=0.15, output=0.60),
}

UNKNOWN_PRICE = TokenPrice(input=5, output=20)
"""The assumed price of a model without a known one, above all others: a limit is reached too early, not never."""


def cost_of(model: str, sent: int, received: int) -> int:
    """Return the maximum cost of these numbers of tokens, in millionths of a US dollar; for any model."""
    price = PRICES.get(model, UNKNOWN_PRICE)
    return ceil(sent * price.input + received * price.output)


def most_a_call(model: str, prompt: Prompt) -> int:
    """Return the most that one call can cost: a token has at least one byte, and the model may think."""
    sent = len(prompt.system.encode()) + len(prompt.user.encode())
    return cost_of(model, sent, prompt.max_tokens + THINKING_ROOM)


def with_cost(usage: Usage, model: str, custom_prices: Mapping[str, TokenPrice]) -> Usage:
    """Add the cost of the tokens; 0 for a model without a price, about which translate warns."""
    price = custom_prices.get(model) or PRICES.get(model)
    if price is None:
        return usage
    cost = (usage.input_tokens * price.input + usage.output_tokens * price.output) / 1_000_000
    return usage.model_copy(update={"cost_usd": round(cost, 8)})


def is_priced(model: str, custom_prices: Mapping[str, TokenPrice]) -> bool:
    """Whether the price of the model is known."""
    return model in custom_prices or model in PRICES
