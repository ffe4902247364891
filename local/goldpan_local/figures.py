"""How numbers are written for people."""

from __future__ import annotations

from goldpan.contracts import Usage

THOUSAND, MILLION = 1_000, 1_000_000


def short_count(count: int | None) -> str:
    """Write a count in at most five characters: 950, 12.3k, 1.2M; a dash where it is unknown."""
    if count is None:
        return "-"
    if count < THOUSAND:
        return str(count)
    if count < 999_950:  # noqa: PLR2004 - from here on it rounds to a million
        return f"{count / THOUSAND:.{0 if count >= 99_950 else 1}f}k"  # noqa: PLR2004 - the width of five
    return f"{count / MILLION:.1f}M"


def score(value: float | None) -> str:
    """Write a score of 0-10; a dash where it is unknown."""
    return "-" if value is None else f"{value:.1f}"


def file_size(count: int) -> str:
    """Write a number of bytes."""
    if count < THOUSAND:
        return f"{count} bytes"
    return f"{count / THOUSAND:.1f} kB" if count < MILLION else f"{count / MILLION:.1f} MB"


def cost(usage: Usage) -> str:
    """Write what the language model was asked and cost."""
    if not usage.llm_calls:
        return "no language model calls"
    calls = "1 language model call" if usage.llm_calls == 1 else f"{usage.llm_calls} language model calls"
    return f"{calls}, {usage.input_tokens + usage.output_tokens:,} tokens, ${usage.cost_usd:.4f}"
