"""What models cost, in US dollars for a million tokens: the providers' price pages, October 2026.

DeepSeek bills half of this outside its peak hours and less for cached input, so a cost is an upper bound.
"""

from __future__ import annotations

from collections.abc import Mapping

from goldpan.config import TokenPrice
from goldpan.contracts import Usage

PRICES: Mapping[str, TokenPrice] = {
    "deepseek-flash": TokenPrice(input=0.30, output=1.20),
    "deepseek-v4-pro": TokenPrice(input=1.32, output=3.96),
    "gpt-4.1-mini": TokenPrice(input=0.40, output=1.60),
    "gpt-4.1-nano": TokenPrice(input=0.10, output=0.40),
    "gpt-4o-mini": TokenPrice(input=0.15, output=0.60),
}


def with_cost(usage: Usage, model: str, own: Mapping[str, TokenPrice]) -> Usage:
    """Add what the tokens cost; a model whose price is not known costs nothing here, and translate warns of it."""
    price = own.get(model) or PRICES.get(model)
    if price is None:
        return usage
    cost = (usage.input_tokens * price.input + usage.output_tokens * price.output) / 1_000_000
    return usage.model_copy(update={"cost_usd": round(cost, 8)})


def is_priced(model: str, own: Mapping[str, TokenPrice]) -> bool:
    """Tell whether the model's price is known."""
    return model in own or model in PRICES
